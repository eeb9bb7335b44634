"""What a notebook shows of a plant, a run, results."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from .command import FAILED, OK, call
from .errors import TaktError

if TYPE_CHECKING:
    from .plant import Plant
    from .results import Results
    from .session import Session

MOST_ROWS = 60


def table_html(heads: Sequence[str], rows: Iterable[Sequence[object]], left_out: str = "") -> str:
    head = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(text_of(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" + (f"<p>{escape(left_out)}</p>" if left_out else "")


def text_of(cell: object) -> str:
    return "" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def plant_html(plant: Plant) -> str:
    """What is wrong with it, or the picture of its network and what it has."""
    checked = plant.check()
    title = f"<h4>{escape(plant.name)}</h4>"
    found = "".join(f"<li>{escape(str(one))}</li>" for one in checked.diagnostics)
    found = f"<ul>{found}</ul>" if found else ""
    if not checked.ok:
        return title + found
    quantities = plant.table()
    rows = [(one.path, one.role, one.value if one.value is not None else one.start, one.unit) for one in quantities[:MOST_ROWS]]
    more = len(quantities) - len(rows)
    listed = table_html(("path", "role", "value or start", "unit"), rows, f"... and {more} more: plant.table()" if more else "")
    return title + found + network_svg(plant) + listed


def network_svg(plant: Plant) -> str:
    """Without a picture where the plant is refused."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.svg"
        try:
            call(plant.command, ["check", *plant._what(rig=False), "--graph", str(file)], (OK, FAILED))
            picture = file.read_text()
        except (TaktError, OSError):
            return ""
    return f'<div style="max-width:100%;overflow:auto">{re.sub(r"(?s)^.*?(?=<svg)", "", picture)}</div>'


def run_html(run: Session) -> str:
    """How it is doing now; once it is over, its results."""
    if (results := getattr(run, "_results", None)) is not None:
        return results_html(results)
    try:
        told = run.status()
    except TaktError as nothing:  # it has not begun, or is ending
        return f"<p>{escape(str(nothing))}</p>"
    rows = [(name, value) for name, value in told.items() if isinstance(value, (str, int, float))]
    events = "".join(f"<li>{escape(str(event))}</li>" for event in run.events()[-5:])
    return f"<h4>{escape(run.directory.name)}</h4>{table_html(('', 'now'), rows)}" + (f"<ul>{events}</ul>" if events else "")


def results_html(results: Results) -> str:
    summary = results.summary
    verdict = f"<h4>{escape(str(summary['title']))}: {escape(results.outcome)}</h4><p>{escape(str(summary['verdict']))}</p>"
    try:
        return verdict + results.plot().svg()
    except TaktError as nothing:  # was recorded
        return verdict + f"<p>{escape(str(nothing))}</p>"
