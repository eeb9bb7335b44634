"""Waiting until something holds: judged in the plant at every boundary, or here by what the plant sends."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import PlantError, Refused, RunEnded, RunError, WaitTimeout
from .steering import Do, Row, Value
from .tap import Tap
from .timing import LONGEST_SILENCE_S, Timing, Wanted
from .units import nanoseconds

Then = Mapping[str, Value] | Sequence[Do]


class Waiting(Timing):
    _asked_to_stop = False  # by us: then its end before its time is no failure

    def wait_until(
        self,
        condition: Wanted,
        timeout: float | str = "60 s",
        *,
        then: Then = (),
        paths: Sequence[str] = (),
        every: float | str | None = None,
    ) -> Row:
        """Waits until `condition` holds; `timeout` is simulated time. -> the values that it held for

        A text such as "translational.car.speed > 10 m/s" is judged in the plant, now and at every boundary, and what `then` says is done
        at the first one at which it holds: `{"u": "12 V"}` as `run["u"] = "12 V"`, or up to 8 of `takt.Do`. `effective_s` of what comes
        back is when that takes effect. A run that stands (free runs do by default) stands there; another has gone on meanwhile.

        A function of a row of `paths` is judged here, as is a text with `every`: at each row that the plant sends.

        @raise WaitTimeout, RunEnded; Refused: the plant cannot judge it, or cannot do that"""
        holds, wanted, text = self._judge(condition, paths)
        begin_ns = self._time_ns()
        until_ns = begin_ns + nanoseconds(timeout)
        in_plant = isinstance(condition, str) and every is None
        if then and not in_plant:
            raise PlantError("`then` is done in the plant: it needs a text as condition, and no `every`", **self._context())
        if not then and holds(seen := self.read(wanted)):
            return seen
        try:
            if in_plant:
                found = self._await(str(condition), wanted, until_ns - begin_ns, self._actions(then))
            else:
                found = self._look(wanted, every, until_ns, holds)
        except RunEnded as error:
            raise RunEnded(f"before {text}: {error.args[0]}", **self._context()) from None
        if found is None:
            last = self.read(wanted)
            raise WaitTimeout(
                f"{text} did not hold within {timeout} after {begin_ns / 1e9:g} s: {dict(last)}", dict(last), **self._context()
            )
        self._asked_to_stop |= not isinstance(then, Mapping) and any(one.verb == "stop" for one in then)
        return found

    def _actions(self, then: Then) -> list[dict[str, Value]]:
        does = [Do(self._verb_for(path), path, value) for path, value in then.items()] if isinstance(then, Mapping) else list(then)
        self._remember(str(one) for one in does)
        return [one.request() for one in does]

    def _look(self, wanted: list[str], every: float | str | None, until_ns: int, holds: Any) -> Row | None:
        with self._watching(wanted, every) as watch:
            return next((seen for seen, _ in self._rows_of(watch, until_ns) if holds(seen)), None)

    def _await(self, condition: str, wanted: list[str], within_ns: int, actions: list[dict[str, Value]]) -> Row | None:
        if not self._stands:
            outcome = self._outcome(*self._begun(condition, within_ns, actions))
            return self._row_of(outcome, wanted) if outcome["held"] else None
        stop = {"verb": "stop"}  # once its values were read: it stands there
        tap, number = self._begun(condition, within_ns, [*(one for one in actions if one != stop), {"verb": "pause"}])
        outcome = self._step_until(tap, number, within_ns // self.macro_step_ns)
        if not outcome["held"]:
            return None
        self._now_ns = outcome["time_ns"]
        row = self._row_of(outcome, wanted)
        if stop in actions:
            self.ask("stop")
        return row

    def _begun(self, condition: str, within_ns: int, actions: list[dict[str, Value]]) -> tuple[Tap, int]:
        tap = self._live()
        return tap, int(self.ask("await", condition=condition, within_ns=within_ns, **({"then": actions} if actions else {}))["await"])

    def _step_until(self, tap: Tap, number: int, count: int) -> dict[str, Any]:
        """The plant itself stops where the condition holds, and refuses what is left of the step."""
        outcome = tap.awaited(number, 0.0)
        while outcome is None and count > 0:
            piece = self._piece(count)
            try:
                self._stood(self.ask("step", count=piece))
            except Refused:
                if (outcome := tap.awaited(number, LONGEST_SILENCE_S)) is None:
                    raise
                return outcome
            tap.wait_for_rows(self._now_ns)
            count -= piece
            outcome = tap.awaited(number, 0.0)
        if outcome is None:  # it stands before the end of the time: macro-steps do not divide it, or it was none
            with contextlib.suppress(Refused):  # what has come of it is on its way
                self.ask("unawait", **{"await": number})
            outcome = tap.awaited(number, LONGEST_SILENCE_S)
        return outcome if outcome is not None else self._outcome(tap, number)

    def _outcome(self, tap: Tap, number: int) -> dict[str, Any]:
        """@raise RunEnded, TapLost; Refused: somebody else has paused it"""
        while (outcome := tap.awaited(number, LONGEST_SILENCE_S)) is None:
            if tap.closed:
                raise self._broken(tap)
            if not self._stands and self.ask("status")["phase"] == "paused":
                raise Refused("the run was paused by another client: nothing comes until it is resumed", **self._context())
        if not outcome["held"] and outcome["because"] == "the run has ended":
            tap.wait_for_end(LONGEST_SILENCE_S)
            raise self._broken(tap) if tap.closed else RunError(outcome["because"], **self._context())
        return outcome

    def _row_of(self, outcome: dict[str, Any], wanted: list[str]) -> Row:
        """The values for which it held, as the plant has read them.

        @raise Refused: not all could be done"""
        if "error" in outcome:
            raise Refused(f"where it held, {outcome['done']} were done: {outcome['error']}", **self._context())
        read = outcome["values"]  # by full paths: a block's output may be named by its block
        values = [read[path] if path in read else read[f"{path}.out"] for path in wanted]
        row = Row(outcome["time_ns"], wanted, values, [self.unit(path) for path in wanted])
        row.effective_s = outcome["effective_s"]
        return row
