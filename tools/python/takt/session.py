"""What every access to a running plant goes through: a connection that is made again where the tap's service was, and errors that
tell what has become of the run."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .errors import Event, Refused, RunEnded, RunError, TaktError, TapLost, diagnostics_in, signal_name
from .process import PlantProcess
from .tap import Closed, Tap

RECONNECT_S = 6.0  # the keeper starts a silent service again after 3 s
TOLD_EVENTS = 10


class Session:
    """Phases: constructed, connected by connect(), over when the run has ended."""

    def __init__(self, directory: Path, name: str) -> None:
        self.directory = directory
        self.name = name  # of this client, in the plant's log
        self._tap: Tap | None = None
        self._process: PlantProcess | None = None  # where it is a child of this Python
        self._earlier_events: list[Event] = []
        self._asked_for: set[str] = set()  # actions of ours, as the plant words them
        self._refusals_told = 0

    def connect(self) -> None:
        """@raise OSError: nobody answers"""
        self._tap = Tap(self.directory, self.name)

    @property
    def macro_step_ns(self) -> int:
        return int(self._live().plant["macro_step_ns"])

    @property
    def paced(self) -> bool:
        return bool(self._live().plant["paced"])

    @property
    def pid(self) -> int:
        """Of the plant."""
        return int(self._live().plant["process"])

    def ask(self, verb: str, **fields: object) -> dict[str, Any]:
        """Any request of the tap, and its answer.

        @raise Refused, RunEnded, TapLost"""
        tap = self._live()
        try:
            answer = tap.ask(verb, **fields)
        except Refused as refusal:
            if "the run has ended" in str(refusal):
                tap.wait_for_end(1.0)
                raise self._end_error(tap) from None
            raise Refused(str(refusal), run_directory=self.directory) from None
        except Closed:
            raise self._broken(tap) from None
        self._tell_refusals(tap)
        return answer

    def _repr_html_(self) -> str:
        from .notebook import run_html

        return run_html(self)

    def status(self) -> dict[str, Any]:
        """phase, time_s, rtf, overruns, deadline_misses, verdicts, counters of what was dropped, buses ..."""
        return {key: value for key, value in self.ask("status").items() if key not in ("id", "ok")}

    def events(self) -> list[Event]:
        """What has been done to the run, and what it has met, since this client is there and up to a thousand before."""
        new = self._tap.last_events() if self._tap is not None else []
        return [event for event in self._earlier_events if event not in new] + new

    def _live(self) -> Tap:
        tap = self._tap
        if tap is None:
            raise RunError("the run has not begun: use it in a `with` statement, or call start()", run_directory=self.directory)
        if not tap.closed:
            return tap
        if tap.phase:
            raise self._end_error(tap)
        until = time.monotonic() + RECONNECT_S
        while time.monotonic() < until:
            with contextlib.suppress(OSError):
                self._connect_again(tap)
                return self._live()
            if self._is_gone():
                raise self._end_error(tap)
            time.sleep(0.02)
        raise TapLost("the tap of the run does not answer any more; the run itself goes on", **self._context())

    def _is_gone(self, patience: float = 0.0) -> bool:
        if self._process is not None:
            return self._process.wait(patience)
        if self._tap is None:
            return True
        until = time.monotonic() + patience
        while is_alive(self._tap.plant["process"]):
            if time.monotonic() >= until:
                return False
            time.sleep(0.01)
        return True

    def _broken(self, tap: Tap) -> TaktError:
        """The error for a request whose connection has ended before its answer."""
        until = time.monotonic() + RECONNECT_S
        while not tap.phase and time.monotonic() < until:
            if self._is_gone(patience=0.05):
                break
            with contextlib.suppress(OSError):
                self._connect_again(tap)
                return TapLost(
                    "the service of the tap was started again while it was asked: what was asked may have been done or not",
                    **self._context(),
                )
        if tap.phase or self._is_gone():
            return self._end_error(tap)
        return TapLost("the tap of the run does not answer any more; the run itself goes on", **self._context())

    def _connect_again(self, lost: Tap) -> None:
        """@raise OSError: nobody answers"""
        known = self.events()
        self.connect()
        self._earlier_events = known
        lost.close()

    def _end_error(self, tap: Tap) -> RunEnded:
        self._is_gone(patience=0.5 if tap.phase == "ended" else 5.0)  # where it has ended, it may be busy for long: the audit
        code = self._process.exit_code if self._process is not None else None
        if code is not None and code < 0:
            return RunEnded(f"the plant was killed by {signal_name(-code)}", **self._context())
        how = "has ended" if tap.phase == "ended" else "is gone: its process was killed"
        return RunEnded(f"the run {how}" + (f", exit code {code}" if code is not None else ""), **self._context())

    def _context(self) -> dict[str, Any]:
        """What an exception tells about the run."""
        process = self._process
        return {
            "exit_code": process.exit_code if process is not None else None,
            "diagnostics": diagnostics_in(process.errors()) if process is not None else (),
            "events": self.events()[-TOLD_EVENTS:],
            "run_directory": self.directory,
        }

    def _tell_refusals(self, tap: Tap) -> None:
        """Of actions that the plant took up, and could not do later: such as a tuning for which its steps are too long."""
        new, self._refusals_told = tap.refused[self._refusals_told :], len(tap.refused)
        for event in new:
            if any(event.text.startswith(f"refused: {action}") for action in self._asked_for):
                raise Refused(event.text, **self._context())

    def _remember(self, actions: Iterable[str]) -> None:
        self._asked_for.update(actions)

    def disconnect(self) -> None:
        if self._tap is not None:
            self._tap.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
