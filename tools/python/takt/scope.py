"""Values at every micro-step: what macro-steps do not show."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import Refused, RunEnded, WaitTimeout
from .table import Table
from .tap import Tap
from .timing import LONGEST_SILENCE_S
from .units import nanoseconds
from .waits import Waiting

BYTES_AT_ONCE = 1 << 20  # that a plant which stands computes before the service has read them


class Scoping(Waiting):
    def scope(
        self,
        paths: Sequence[str],
        post: float | str,
        *,
        pre: float | str = 0.0,
        every: float | str | None = None,
        trigger: str | None = None,
        timeout: float | str = "60 s",
    ) -> Table:
        """Up to 16 values of one subsystem at every one of its micro-steps, for `post` of simulated time.

        With a `trigger`, a condition over values of the same subsystem, from where that begins to hold, and `pre` before it. With `every`
        the least and the largest of each value in so much time: columns "PATH (min)" and "PATH (max)". The plant only copies the
        subsystem's memory; the micro-steps are computed again beside it. `lost` counts macro-steps that are missing, `deviation` is how far
        states computed again are from the plant's, over the largest they were. Where the run ends before, `captured` of the exception is
        the table so far.

        @raise WaitTimeout: the trigger did not hold within `timeout`, simulated
        @raise Refused: of several subsystems, of an FMU, too large"""
        fields: dict[str, object] = {"paths": self._expanded(paths), "pre_ns": nanoseconds(pre) if pre else 0, "post_ns": nanoseconds(post)}
        if every is not None:
            fields["every_ns"] = nanoseconds(every)
        if trigger is not None:
            fields["trigger"] = trigger
        tap = self._live()
        begun = self.ask("scope", **fields)
        self.looked_at.update(dict.fromkeys(begun["paths"]))
        span_ns = begun["post"] * begun["every_ns"]
        try:
            if self._stands and trigger is None:
                self._pass(-(-span_ns // self.macro_step_ns), begun)
            head = self._found(tap, begun, begun["from_ns"] + span_ns + nanoseconds(timeout))
        except WaitTimeout:
            self.ask("unscope")
            raise
        table = self._table(tap, begun, head)
        if not head["complete"]:
            ended = RunEnded("the run has ended before the scope was complete", **self._context())
            ended.captured = table
            raise ended
        return table

    def _found(self, tap: Tap, begun: dict[str, Any], until_ns: int) -> dict[str, Any]:
        """The line that says what has been found. A plant that stands goes on by one macro-step after the other."""
        while (found := tap.scoped(begun["scope"], 0.0 if self._stands else LONGEST_SILENCE_S)) is None:
            if tap.closed:
                raise self._broken(tap)
            if self._time_ns() >= until_ns:
                raise WaitTimeout("the scope is not complete: its trigger did not hold in time", {}, **self._context())
            if self._stands:
                self._pass(1, begun)
            elif self.ask("status")["phase"] == "paused":
                raise Refused("the run was paused by another client: nothing comes until it is resumed", **self._context())
        return found[0]

    def _pass(self, count: int, begun: dict[str, Any]) -> None:
        """In pieces that fit between the plant and its service, which has computed all of them then."""
        piece = max(1, BYTES_AT_ONCE // begun["bytes_per_macro_step"])
        with contextlib.suppress(RunEnded):  # what has been found comes all the same
            for passed in range(0, count, piece):
                self._go(min(piece, count - passed))
                self.ask("status")

    def _table(self, tap: Tap, begun: dict[str, Any], head: dict[str, Any]) -> Table:
        pieces, left = [], head["rows"]
        while left > 0:
            piece = tap.scoped(begun["scope"], None)
            if piece is None:
                raise self._broken(tap)
            pieces.append(piece[1])
            left -= piece[0]["rows"]
        rows = np.frombuffer(b"".join(pieces), dtype="<f8").reshape(head["rows"], head["columns"])
        names, units = list(begun["paths"]), [unit or "1" for unit in begun["units"]]
        if head["columns"] > 1 + len(names):
            names = [f"{path} ({which})" for path in names for which in ("min", "max")]
            units = [unit for unit in units for _ in range(2)]
        table = Table(np.rint(rows[:, 0] * 1e9).astype(np.int64), rows[:, 1:], names, dict(zip(names, units, strict=True)), head["lost"])
        table.trigger_ns = head["triggered_ns"] if head["triggered_ns"] >= 0 else None
        table.deviation = head["deviation"]
        return table
