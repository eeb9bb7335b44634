"""Values over time: what was captured, or recorded at one rate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .errors import PlantError
from .units import nanoseconds

if TYPE_CHECKING:
    from .picture import Picture

Column = npt.NDArray[np.float64]


@dataclass
class Table:
    """Row by row in time. Everything is in SI; what is not finite is NaN or infinite."""

    time_ns: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]  # [rows x paths]
    paths: list[str]
    units: dict[str, str]
    lost: int = 0  # rows that were dropped on the way, because they came faster than they were read
    trigger_ns: int | None = None  # of the row at which the trigger held first
    deviation: float = 0.0  # of a scope: how far its states are from the plant's, over the largest they were
    _place: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._place = {path: column for column, path in enumerate(self.paths)}

    def __repr__(self) -> str:
        span = f", {self.time_s[0]:g} s to {self.time_s[-1]:g} s" if len(self) else ""
        return f"<Table: {len(self)} rows of {len(self.paths)} columns{span}{f', {self.lost} rows lost' if self.lost else ''}>"

    def __len__(self) -> int:
        return len(self.time_ns)

    def __contains__(self, path: object) -> bool:
        return path in self._place

    def __getitem__(self, path: str) -> Column:
        if path not in self._place:
            raise KeyError(f"{path} is not among the {len(self.paths)} columns, such as {', '.join(self.paths[:5])}")
        return self.values[:, self._place[path]]

    @property
    def time_s(self) -> Column:
        return self.time_ns / 1e9

    def only(self, paths: Sequence[str]) -> Table:
        return Table(
            self.time_ns,
            np.column_stack([self[path] for path in paths]),
            list(paths),
            {path: self.units[path] for path in paths},
            self.lost,
        )

    def between(self, from_s: float, to_s: float) -> Table:
        """Both ends belong to it."""
        rows = (self.time_ns >= round(from_s * 1e9)) & (self.time_ns <= round(to_s * 1e9))
        return Table(self.time_ns[rows], self.values[rows], self.paths, self.units, self.lost, self.trigger_ns)

    def last(self, duration: float | str) -> Table:
        end = int(self.time_ns[-1]) if len(self) else 0
        return self.between((end - nanoseconds(duration)) / 1e9, end / 1e9)

    def resampled(self, every: float | str) -> Table:
        """On a grid of multiples of `every`, between rows linearly."""
        return joined([self], nanoseconds(every))

    def frame(self) -> Any:
        """A pandas DataFrame, its index the time in s; `attrs` has "units" and "lost"."""
        import pandas

        frame = pandas.DataFrame(self.values, index=pandas.Index(self.time_s, name="time [s]"), columns=self.paths)
        frame.attrs["units"] = dict(self.units)
        frame.attrs["lost"] = self.lost
        return frame

    def plot(self, paths: Sequence[str] | None = None, title: str = "") -> Picture:
        """A picture of these columns, one panel for each unit; Jupyter shows it, `save()` writes it as SVG."""
        from .picture import Picture

        return Picture(self.only(list(paths)) if paths is not None else self, title)


def joined(tables: Sequence[Table], every_ns: int) -> Table:
    """All columns of all tables on one grid, within the time that each of them covers; outside it NaN."""
    filled = [table for table in tables if len(table)]
    if not filled:
        raise PlantError("nothing was recorded, so there is nothing to resample")
    first = min(int(table.time_ns[0]) for table in filled)
    last = max(int(table.time_ns[-1]) for table in filled)
    grid = np.arange(-(-first // every_ns) * every_ns, last + 1, every_ns, dtype=np.int64)
    columns = [np.interp(grid, table.time_ns, table[path], left=np.nan, right=np.nan) for table in filled for path in table.paths]
    paths = [path for table in filled for path in table.paths]
    units = {path: unit for table in filled for path, unit in table.units.items()}
    return Table(grid, np.column_stack(columns), paths, units, sum(table.lost for table in filled))


def from_rows(rows: Collection[tuple[int, bytes]], paths: list[str], units: list[str]) -> Table:
    """Of the doubles that a tap sends."""
    times = np.fromiter((time for time, _ in rows), dtype=np.int64, count=len(rows))
    values = np.frombuffer(b"".join(doubles for _, doubles in rows), dtype="<f8").reshape(len(rows), len(paths))
    return Table(times, values, paths, dict(zip(paths, units, strict=True)))
