"""How a sweep is asked for: values as texts, points as a file, one `takt sweep` for each executable."""

from __future__ import annotations

import csv
import importlib
import itertools
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .errors import PlantError, SweepFailed, diagnostics_in
from .sweep import read_rows

Values = float | str | Sequence[float | str]


def values_text(values: Values, unit: str) -> str:
    """As `takt sweep --vary` reads it: a text stands as it is, numbers are in SI."""
    if isinstance(values, str):
        return values
    each = [values] if isinstance(values, (int, float)) else list(values)
    if not each:
        raise PlantError("no values")
    return ", ".join(value if isinstance(value, str) else f"{float(value)!r} {unit}".removesuffix(" 1") for value in each)


def combinations(structural: Mapping[str, Values], units: Mapping[str, str]) -> list[dict[str, str]]:
    """Each is another executable. @raise PlantError: a range, which would be one for every run"""
    for name, values in structural.items():
        if isinstance(values, str) and (".." in values or values.startswith("normal")):
            raise PlantError(f"{name} is compiled in, each of its values is another executable: give a list of them")
    lists = [[text.strip() for text in values_text(values, units[name]).split(",")] for name, values in structural.items()]
    return [dict(zip(structural, chosen, strict=True)) for chosen in itertools.product(*lists)]


def vary_options(vary: Mapping[str, Values], units: Mapping[str, str], compiled: Collection[str]) -> list[str]:
    options = [("--vary", f"{name} = {values_text(values, units[name])}") for name, values in vary.items() if name not in compiled]
    return [word for option in options for word in option]


def points_option(points: Sequence[Mapping[str, float | str]], units: Mapping[str, str], folder: Path) -> list[str]:
    """@raise PlantError: they do not all vary the same"""
    names = list(points[0]) if points else []
    if not names or any(set(point) != set(names) for point in points):
        raise PlantError("points: each is to have a value for each of the same names")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "points.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([[values_text(point[name], units[name]) for name in names] for point in points])
    return ["--points", str(file)]


@contextmanager
def progress(folder: Path) -> Iterator[None]:
    """A bar of the runs in the table, where there is tqdm, and somebody to look at it."""
    try:
        bars = importlib.import_module("tqdm.auto")
    except ImportError:
        bars = None
    if bars is None or not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        yield
        return
    over = threading.Event()
    with bars.tqdm(unit="run", desc=folder.name) as bar:

        def look() -> None:
            done = False
            while not done:
                done = over.wait(0.2)
                with suppress(OSError):
                    bar.update(max(0, (folder / "sweep.csv").read_bytes().count(b"\n") - 1 - bar.n))

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def run_command(command: list[str], folder: Path, client: Any) -> None:
    """@raise PlantError: nothing was run"""
    with progress(folder):
        code, said = done_by(command, folder, client)
    if code not in (0, 1) or not (folder / "sweep.csv").exists():
        raise PlantError(f"takt sweep: exit code {code}\n{said.strip()}", exit_code=code, diagnostics=diagnostics_in(said))
    if code == 1 and not any(row["state"] == "failed" for row in read_rows(folder)[1]):
        raise SweepFailed(f"takt sweep: exit code 1\n{said.strip()}", exit_code=code)


def done_by(command: list[str], folder: Path, client: Any) -> tuple[int, str]:
    """-> exit code, what it has said of errors"""
    if client is None:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr
    from .cluster import Cluster

    with tempfile.TemporaryFile("w+") as errors:
        code = Cluster(client).sweep(command, folder, errors)
        errors.seek(0)
        return code, errors.read()
