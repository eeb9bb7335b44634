"""How a run goes on: in lock-step with Python, or by itself; and what is waited for and captured meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .condition import Condition
from .errors import PlantError, Refused, RunEnded, RunError, WaitTimeout
from .steering import Row, Steering
from .table import Table, from_rows
from .tap import Closed, Watch
from .units import nanoseconds

Wanted = str | Callable[[Row], bool]
DOUBLES_AT_ONCE = 1 << 16  # that the plant computes before Python has read them: half of what the service keeps for a client
LONGEST_SILENCE_S = 2.0


class Capture:
    """What is captured while a block of the test runs; `table` is there when the block has ended."""

    def __init__(self) -> None:
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        if self._table is None:
            raise RunError("what is captured is there when the `with` block has ended")
        return self._table


class Timing(Steering):
    def __init__(self, directory: Path, name: str) -> None:
        super().__init__(directory, name)
        self._stands = False  # at a boundary, until this client lets it go on
        self._now_ns = 0  # while it stands

    @property
    def stands(self) -> bool:
        """Whether the plant waits while Python decides."""
        return self._stands

    @property
    def time_s(self) -> float:
        """Simulated."""
        return self._time_ns() / 1e9

    def _time_ns(self) -> int:
        return self._now_ns if self._stands else int(self.ask("status")["time_ns"])

    def pause(self) -> float:
        """Holds a free run after the macro-step under way. -> simulated time, s"""
        return self._stood(self.ask("pause"))

    def resume(self) -> None:
        """It goes on by itself, as fast as it can."""
        self.ask("resume")
        self._stands = False

    def step(self, count: int = 1) -> float:
        """So many macro-steps of a free run, which stands before and after. -> simulated time, s"""
        self._go(count)
        return self._now_ns / 1e9

    def advance(self, duration: float | str) -> float:
        """So much simulated time, of a free run that stands in whole macro-steps; in real time, Python waits. -> simulated time, s"""
        span = nanoseconds(duration)
        if self._stands:
            return self.step(self._steps(span, "advance"))
        until = self._time_ns() + span
        while (left := until - self._time_ns()) > 0:
            tap = self._live()
            tap.wait_for_end(min(left / 1e9, 0.02) if self.paced else 0.001)
        return self._time_ns() / 1e9

    def capture(
        self,
        paths: Sequence[str],
        duration: float | str,
        *,
        every: float | str | None = None,
        trigger: Wanted | None = None,
        pre: float | str = 0.0,
        timeout: float | str = "60 s",
    ) -> Table:
        """Values every macro-step, or at multiples of `every`, for so much simulated time; a path with * stands for all that it matches.

        With a `trigger`, `duration` counts from the first row for which it holds, and rows up to `pre` before it are kept, too. `lost` of
        the table counts rows that are missing in it: none of a run that stands, which does not go on before all has come. Where the run
        ends before, `captured` of the exception is the table so far.

        @raise WaitTimeout: the trigger did not hold within `timeout`"""
        own = self._expanded(paths)
        holds, extra, text = self._judge(trigger, own) if trigger is not None else (None, [], "")
        rows: deque[tuple[int, bytes]] = deque()
        trigger_ns: int | None = None
        with self._watching([*own, *(path for path in extra if path not in own)], every) as watch:
            begin_ns = self._now_ns if self._stands else watch.from_ns - watch.every_ns
            from_ns = watch.from_ns if watch.from_ns > begin_ns else begin_ns + watch.every_ns
            try:
                if holds is not None:
                    trigger_ns = self._triggered(watch, holds, begin_ns + nanoseconds(timeout), rows, nanoseconds(pre) if pre else 0)
                    if trigger_ns is None:
                        raise WaitTimeout(f"the trigger {text} did not hold within {timeout}", {}, **self._context())
                    from_ns, begin_ns = rows[0][0], trigger_ns
                until_ns = begin_ns + nanoseconds(duration)
                for _, row in self._rows_of(watch, until_ns):
                    if row[0] > begin_ns:
                        rows.append(row)
                    if row[0] + watch.every_ns > until_ns:
                        break
                if self._stands and self._now_ns < until_ns:
                    self._go((until_ns - self._now_ns) // self.macro_step_ns)
            except RunEnded as error:
                error.captured = with_losses(rows, watch, own, from_ns)
                raise
            table = with_losses(rows, watch, own, from_ns)
            table.trigger_ns = trigger_ns
            return table

    def _triggered(
        self, watch: Watch, holds: Callable[[Row], bool], until_ns: int, rows: deque[tuple[int, bytes]], pre_ns: int
    ) -> int | None:
        """Rows up to the first one for which it holds, and those so long before it. -> its time"""
        for seen, row in self._rows_of(watch, until_ns):
            rows.append(row)
            while rows[0][0] < row[0] - pre_ns:
                rows.popleft()
            if holds(seen):
                return seen.time_ns
        return None

    @contextmanager
    def capturing(self, paths: Sequence[str], *, every: float | str | None = None) -> Iterator[Capture]:
        """The same while a block of the test runs: `with run.capturing(["electric.*"]) as seen: ...`, then `seen.table`."""
        captured = Capture()
        with self._watching(self._expanded(paths), every) as watch:
            yield captured
            assert watch.tap is not None
            captured._table = with_losses(watch.tap.rows(watch), watch, watch.paths, watch.from_ns)

    def _stood(self, answer: dict[str, object]) -> float:
        self._stands, self._now_ns = True, int(str(answer["effective_ns"]))
        return self._now_ns / 1e9

    def _steps(self, span_ns: int, what: str) -> int:
        steps, rest = divmod(span_ns, self.macro_step_ns)
        if self._stands and rest:
            raise PlantError(
                f"{what}: {span_ns / 1e9:g} s is no multiple of the plant's macro-step, {self.macro_step_ns / 1e9:g} s", **self._context()
            )
        return steps

    def _go(self, count: int) -> None:
        while count > 0:
            tap, piece = self._live(), self._piece(count)
            self._stood(self.ask("step", count=piece))
            tap.wait_for_rows(self._now_ns)
            count -= piece

    def _piece(self, count: int) -> int:
        """So many macro-steps fit between the plant and a client, so that no row of a watch is lost."""
        of_one = self._live().doubles_a_step(self.macro_step_ns)
        return min(count, max(1, int(DOUBLES_AT_ONCE / of_one))) if of_one else count

    @contextmanager
    def _watching(self, paths: Sequence[str], every: float | str | None) -> Iterator[Watch]:
        every_ns = nanoseconds(every) if every is not None else self.macro_step_ns
        tap = self._live()
        try:
            watch = tap.watch(list(paths), every_ns)
        except Refused as refusal:
            raise Refused(str(refusal), run_directory=self.directory) from None
        except Closed:
            raise self._broken(tap) from None
        try:
            if watch.every_ns != every_ns:
                raise PlantError(
                    f"every {every_ns / 1e9:g} s: no multiple of the macro-step; {watch.every_ns / 1e9:g} s is one", **self._context()
                )
            self.looked_at.update(dict.fromkeys(watch.paths))
            yield watch
        finally:
            tap.unwatch(watch)

    def _rows_of(self, watch: Watch, until_ns: int) -> Iterator[tuple[Row, tuple[int, bytes]]]:
        """One by one, those up to this time. A plant that stands, stands at the time of the last one."""
        while True:
            row = self._next_standing(watch, until_ns) if self._stands else self._next_running(watch)
            if row is None or row[0] > until_ns:
                return
            yield Row(row[0], watch.paths, np.frombuffer(row[1], dtype="<f8").tolist(), watch.units), row

    def _next_standing(self, watch: Watch, until_ns: int) -> tuple[int, bytes] | None:
        """A plant that stands sends the row of this very boundary, too, where it is on the grid."""
        tap = watch.tap
        assert tap is not None
        tap.wait_for_rows(self._now_ns)
        row = tap.row(watch)
        if row is not None:
            return row
        due_ns = watch.from_ns + max(0, -(-(self._now_ns + 1 - watch.from_ns) // watch.every_ns)) * watch.every_ns
        if due_ns > until_ns:
            return None
        self._go((due_ns - self._now_ns) // self.macro_step_ns)
        row = tap.row(watch)
        if row is None:
            raise self._broken(tap)
        return row

    def _next_running(self, watch: Watch) -> tuple[int, bytes]:
        """@raise RunEnded, TapLost; Refused: somebody else has paused it"""
        assert watch.tap is not None
        while (row := watch.tap.row(watch, LONGEST_SILENCE_S)) is None:
            if watch.tap.closed:
                raise self._broken(watch.tap)
            if self.ask("status")["phase"] == "paused":
                raise Refused("the run was paused by another client: nothing comes until it is resumed", **self._context())
        return row

    def _expanded(self, paths: Sequence[str]) -> list[str]:
        """A path with * stands for all that it matches; each once."""
        found: dict[str, None] = {}
        for path in paths:
            if "*" in path:
                found.update(dict.fromkeys(self._list(path)))
            else:
                self.role_and_unit(path)
                found[path] = None
        if not found:
            raise PlantError(f"no value of the plant is meant by {list(paths)}", run_directory=self.directory)
        return list(found)

    def _judge(self, condition: Wanted, paths: Sequence[str]) -> tuple[Callable[[Row], bool], list[str], str]:
        """-> what judges a row, the paths that it needs, what it is called"""
        if not isinstance(condition, str):
            if not paths:
                raise PlantError("a function needs the `paths` of the values that it judges")
            return condition, list(paths), getattr(condition, "__name__", "the condition")
        parsed = Condition(condition, self.unit)
        if not parsed.paths:
            raise PlantError(f'"{condition}": names no value of the plant')
        return parsed.holds, parsed.paths, f'"{condition}"'


def with_losses(rows: Collection[tuple[int, bytes]], watch: Watch, paths: Sequence[str], from_ns: int) -> Table:
    """A table of these columns. What is missing since `from_ns` is counted."""
    table = from_rows(rows, watch.paths, [unit or "1" for unit in watch.units])
    if len(paths) < len(watch.paths):
        table = table.only(paths)
    if len(table):
        table.lost = (int(table.time_ns[-1]) - from_ns) // watch.every_ns + 1 - len(table)
    return table
