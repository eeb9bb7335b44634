"""What a run has left in its directory."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .command import FAILED, OK, call_json, find_command
from .errors import Event, PlantError, TaktError
from .table import Table, joined
from .units import nanoseconds

if TYPE_CHECKING:
    from .picture import Picture


class Results:
    """Everything is read when it is first asked for, once."""

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory).resolve()
        if not (self.directory / "summary.json").is_file():
            raise PlantError(f"there are no results in {self.directory}: no summary.json", run_directory=self.directory)

    def __repr__(self) -> str:
        return f"Results({str(self.directory)!r}): {self.outcome}, {self.summary['verdict']}"

    def _repr_html_(self) -> str:
        from .notebook import results_html

        return results_html(self)

    @cached_property
    def summary(self) -> dict[str, Any]:
        text = (self.directory / "summary.json").read_text()
        try:
            found: dict[str, Any] = json.loads(text)
        except ValueError:  # its room is reserved when the run begins, and filled when it ends
            raise TaktError(
                "the run has not ended, or its process was killed: summary.json is not whole", run_directory=self.directory
            ) from None
        return found

    @property
    def outcome(self) -> str:
        """passed, failed, late or interrupted"""
        return str(self.summary["outcome"])

    @property
    def exit_code(self) -> int:
        return int(self.summary["exit_code"])

    @property
    def trusted(self) -> bool:
        return bool(self.summary["trusted"])

    @property
    def digest(self) -> str:
        """Of all that the plant has computed: equal digests, equal bits."""
        return str(self.summary["digest"])

    @cached_property
    def tables(self) -> list[Table]:
        """Recorded signals, a table for each rate."""
        for name, read_file in READERS.items():
            if (self.directory / name).is_file():
                return read_file(self.directory / name)
        raise PlantError("this run has recorded no signals", run_directory=self.directory)

    def table(self, *, resampled: float | str | None = None) -> Table:
        """All signals. Where they were recorded at several rates, `resampled` says on which grid, as "10 ms"."""
        if resampled is not None:
            return joined(self.tables, nanoseconds(resampled))
        if len(self.tables) != 1:
            raise PlantError(
                f'signals were recorded at {len(self.tables)} rates: take one of `tables`, or all of them by table(resampled="10 ms")',
                run_directory=self.directory,
            )
        return self.tables[0]

    @property
    def signals(self) -> Any:
        """A pandas DataFrame of the one rate at which signals were recorded, its index the time in s."""
        return self.table().frame()

    def to_parquet(self, file: str | Path, *, resampled: float | str | None = None) -> Path:
        """One table, as table() has it. Needs pandas and pyarrow or fastparquet. -> the file, which replaces one that is there"""
        from . import export

        table = self.table(resampled=resampled)
        return export.whole(Path(file), lambda part: export.to_parquet(table, part))

    def to_mat(self, file: str | Path) -> Path:
        """For MATLAB and Octave, a struct of each rate. Needs scipy."""
        from . import export

        return export.whole(Path(file), lambda part: export.to_mat(self.tables, part))

    def to_hdf5(self, file: str | Path) -> Path:
        """A group of each rate, a dataset of each signal with its unit. Needs h5py."""
        from . import export

        return export.whole(Path(file), lambda part: export.to_hdf5(self.tables, part))

    def to_mcap(self, file: str | Path) -> Path:
        """For Foxglove, a topic of each rate. Needs mcap."""
        from . import export

        return export.whole(Path(file), lambda part: export.to_mcap(self.tables, part))

    @cached_property
    def events(self) -> list[Event]:
        """What was done to the run, and what it has met, by time."""
        io = [Event(event["time_s"], event["text"]) for event in self.summary["io"]["events"]]
        done = [Event(action["time_s"], action_text(action)) for key in ("actions", "inputs_set") for action in self.summary[key]]
        met = [
            Event(event.get("first_s", 0.0), f"{event['code']}: {event['text']} ({event['count']} times, the first here)")
            for subsystem in self.summary["subsystems"]
            for event in subsystem["events"]
        ]
        return sorted(io + done + met, key=lambda event: event.time_s)

    @property
    def overruns(self) -> list[dict[str, Any]]:
        """Each deadline that was missed, with cause and `late_us`; of very many the first. `summary["overruns"]` counts all."""
        return list(self.summary["overruns"]["list"])

    @property
    def buses(self) -> list[dict[str, Any]]:
        """What each bus has sent, received, lost."""
        statistics = self.summary["io"].get("statistics", {})
        return list(statistics.get("buses", [])) if isinstance(statistics, dict) else []

    def compare(
        self, reference: Results | str | Path, *, limit: float | None = None, only: Sequence[str] = ()
    ) -> dict[str, dict[str, Any]]:
        """By signal: max, rms, scale, ... of the difference. With `limit`, "within" of each tells whether RMS/scale is at most that.

        A signal that one of them lacks, or has in another unit or at other times, is not within.
        """
        other = reference.directory if isinstance(reference, Results) else Path(reference)
        options = [word for pattern in only for word in ("--only", pattern)]
        options += ["--limit", repr(limit)] if limit is not None else []
        report = call_json(find_command(), ["compare", str(self.directory), str(other), "--json", *options], (OK, FAILED))
        return {entry["name"]: entry for entry in report["signals"]}

    def plot(self, paths: Sequence[str] | None = None, title: str = "") -> Picture:
        """Of these signals, or of the first eight."""
        for table in self.tables:
            if paths is None or all(path in table for path in paths):
                return table.plot(paths if paths is not None else table.paths[:8], title or str(self.summary["title"]))
        finest = min(int(np.diff(table.time_ns).min()) for table in self.tables if len(table) > 1)
        return joined(self.tables, finest).plot(paths, title or str(self.summary["title"]))


def read(directory: str | Path) -> Results:
    """The results of a run that has ended."""
    return Results(directory)


def action_text(action: dict[str, Any]) -> str:
    refused = f", refused: {action['refused']}" if "refused" in action else ""
    return f"{action['author']}: {action['action']}{refused}"


def split_head(cell: str) -> tuple[str, str]:
    """ "electric.c.v [V]" -> path, unit"""
    path, bracket, unit = cell.rpartition(" [")
    return (path, unit[:-1]) if bracket and unit.endswith("]") else (cell, "1")


def read_csv(file: Path) -> list[Table]:
    """Signals of slower rates have empty cells where they were not recorded: columns with the same rows belong together."""
    with file.open(newline="") as lines:
        head = next(csv.reader(lines), [])
        text = lines.read()
    lines_of = text.splitlines()
    if ",," in text or ",\n" in text or text.endswith(","):
        cells = np.array([line.split(",") for line in lines_of], dtype=object).reshape(len(lines_of), len(head))
        present = cells != ""
        values = np.where(present, cells, "nan").astype(np.float64)
    else:
        values = np.loadtxt(lines_of, delimiter=",", ndmin=2) if lines_of else np.empty((0, len(head)))
        present = np.ones(values.shape, dtype=bool)
    time_ns = np.rint(values[:, 0] * 1e9).astype(np.int64)
    rates: dict[bytes, list[int]] = {}
    for column in range(1, len(head)):
        rates.setdefault(present[:, column].tobytes(), []).append(column)
    tables = []
    for columns in rates.values():
        there = present[:, columns[0]]
        names = [split_head(head[column]) for column in columns]
        tables.append(Table(time_ns[there], values[np.ix_(there, columns)], [path for path, _ in names], dict(names)))
    return tables


def read_mdf(file: Path) -> list[Table]:
    """By asammdf."""
    try:
        from asammdf import MDF
    except ImportError:
        raise PlantError("this run has only signals.mf4, which needs asammdf: pip install asammdf", run_directory=file.parent) from None
    rates: dict[bytes, list[Any]] = {}
    with MDF(file) as recording:
        for signal in recording.iter_channels(skip_master=True):
            if signal.samples.dtype.kind == "f":
                rates.setdefault(signal.timestamps.tobytes(), []).append(signal)
    return [
        Table(
            np.rint(signals[0].timestamps * 1e9).astype(np.int64),
            np.column_stack([signal.samples for signal in signals]),
            [signal.name for signal in signals],
            {signal.name: signal.unit or "1" for signal in signals},
        )
        for signals in rates.values()
    ]


def read_jsonl(file: Path) -> list[Table]:
    """The head names the signals of each rate; a line has those of some rates."""
    lines = file.read_text().splitlines()
    rates = [rate["columns"] for rate in json.loads(lines[0])["takt"]["rates"]]
    times: list[list[float]] = [[] for _ in rates]
    values: list[list[list[float]]] = [[] for _ in rates]
    for line in map(json.loads, lines[1:]):
        for rate, columns in enumerate(rates):
            keys = [f"{column['path']} [{column['unit'] or '1'}]" for column in columns]
            if keys[0] in line:
                times[rate].append(line["time [s]"])
                values[rate].append([float(line[key]) for key in keys])
    return [
        Table(
            np.rint(np.array(times[rate]) * 1e9).astype(np.int64),
            np.array(values[rate]).reshape(len(times[rate]), len(columns)),
            [column["path"] for column in columns],
            {column["path"]: column["unit"] or "1" for column in columns},
        )
        for rate, columns in enumerate(rates)
    ]


# By the name of the file, in the order in which a run directory is looked through.
READERS: dict[str, Callable[[Path], list[Table]]] = {"signals.csv": read_csv, "signals.mf4": read_mdf, "signals.jsonl": read_jsonl}
