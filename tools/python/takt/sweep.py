"""Many runs of a plant over values of parameters and inputs: what `takt sweep` makes, as a table."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .results import Results, read
from .table import Column

if TYPE_CHECKING:
    from .plant import Quantity


@dataclass(frozen=True)
class Point:
    """One run: its row of the table."""

    number: int
    directory: Path
    values: dict[str, float]  # SI, of what was varied
    ok: bool  # it came to its end, and can be trusted
    cause: str  # why not
    digest: str
    results: dict[str, float]

    def read(self) -> Results:
        """What it has recorded."""
        return read(self.directory)


class Sweep:
    """All runs. `sweep["electric.smooth.v:max"]`: a column, of a result or of what was varied; NaN where a run has none."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.units: dict[str, str] = {}  # of what was varied
        self.directories: list[Path] = []  # one for each executable, each with sweep.csv

    def take(self, folder: Path, compiled: Mapping[str, Quantity]) -> None:
        """All runs of one executable. `compiled`: what they have in common."""
        common = {path: quantity.value if quantity.value is not None else float("nan") for path, quantity in compiled.items()}
        points, units = read_points(folder, common, len(self.points))
        self.points += points
        self.units |= units | {path: quantity.unit for path, quantity in compiled.items()}
        self.directories.append(folder)

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __repr__(self) -> str:
        return (
            f"<Sweep: {len(self)} runs{f', {len(self.failed)} failed' if self.failed else ''}, in {', '.join(map(str, self.directories))}>"
        )

    def __getitem__(self, name: str) -> Column:
        columns = self._columns()
        if name not in columns:
            raise KeyError(f"{name} is not among the columns {', '.join(columns)}")
        return np.array([{**point.values, **point.results}.get(name, np.nan) for point in self.points], dtype=np.float64)

    @property
    def failed(self) -> list[Point]:
        return [point for point in self.points if not point.ok]

    def frame(self) -> Any:
        """A pandas DataFrame, its index the number of the run; `attrs` has "units"."""
        import pandas

        rows = [{**point.values, **point.results, "ok": point.ok, "digest": point.digest, "cause": point.cause} for point in self.points]
        frame = pandas.DataFrame(rows, index=pandas.Index([point.number for point in self.points], name="run"))
        frame.attrs["units"] = dict(self.units)
        return frame

    def _repr_html_(self) -> str:
        return str(self.frame()._repr_html_())

    def _columns(self) -> list[str]:
        return list(dict.fromkeys(name for point in self.points for name in (*point.values, *point.results)))


def read_rows(folder: Path) -> tuple[list[str], list[dict[str, str]]]:
    with (folder / "sweep.csv").open(newline="") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or []), list(reader)


def read_points(folder: Path, common: Mapping[str, float], before: int) -> tuple[list[Point], dict[str, str]]:
    heads, rows = read_rows(folder)
    varied = heads[1 : heads.index("state")]
    results = heads[heads.index("digest") + 1 : -1]
    names = {head: head.rpartition(" [")[0] for head in varied}
    units = {names[head]: head.rpartition(" [")[2].removesuffix("]") for head in varied}
    points = [
        Point(
            before + int(row["run"]),
            folder / f"run-{int(row['run']):06}",
            {**common, **{names[head]: float(row[head]) for head in varied}},
            row["state"] == "ok",
            row["cause"],
            row["digest"],
            {result: float(row[result]) if row[result] else float("nan") for result in results},
        )
        for row in rows
    ]
    return points, units
