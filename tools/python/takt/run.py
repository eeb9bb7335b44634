"""A run: how it begins and ends, and what became of it."""

from __future__ import annotations

import contextlib
import getpass
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from .errors import (
    Interrupted,
    NotTrusted,
    PlantError,
    Refused,
    RunEnded,
    RunError,
    RunFailed,
    ScenarioFailed,
    TaktError,
    TapLost,
    TooLate,
    signal_name,
)
from .process import PlantProcess
from .results import Results
from .scope import Scoping
from .tap import Closed

PASSED, FAILED, USAGE, LATE, INTERRUPTED = 0, 1, 2, 3, 4
LONGEST_END_S = 60.0  # of a plant that was asked to stop: the audit is part of it


def client_name() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = f"user {os.getuid()}"
    return f"{user[:40]} (python)"


class Run(Scoping):
    """A plant that runs as a child of this Python, from start() or the begin of a `with` block to its end.

    Leaving the block ends the run in order where it has not come to its end by itself, and raises what is wrong with it (a
    RunError), unless `check` is false. `results` is there from then on."""

    patience_s = 10.0  # with a plant that hangs when it is to be ended, twice

    def __init__(self, command: Sequence[str], directory: Path, *, lock_step: bool, holds: bool, check: bool) -> None:
        super().__init__(directory, client_name())
        self._command = list(command)
        self._lock_step, self._holds, self._check = lock_step, holds, check
        self._results: Results | None = None
        self._earlier_summary = summary_of(directory)
        self._asked_to_stop = self._detached = False

    def start(self) -> Run:
        """Builds the plant where that is needed, and starts it.

        @raise PlantError: nothing was run"""
        if self._process is not None:
            raise RunError("this run has begun already", run_directory=self.directory)
        self._process = PlantProcess(self._command)
        try:
            self._meet()
        except BaseException:
            self._give_up()
            raise
        return self

    def __enter__(self) -> Run:
        return self if self._process is not None else self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._detached:
            return self.disconnect()
        if error is None:
            self.stop()
            return None
        with contextlib.suppress(TaktError):
            self._end()
        self._give_up()
        if not isinstance(error, TaktError) and hasattr(error, "add_note"):
            error.add_note(f"run directory: {self.directory}")
        return None

    @property
    def is_over(self) -> bool:
        return self._process is not None and self._process.poll()

    @property
    def results(self) -> Results:
        if self._results is None:
            raise RunError(
                "there are results when the run is over: after finish() or stop(), or the end of its `with` block",
                run_directory=self.directory,
            )
        return self._results

    def stop(self) -> Results:
        """Ends the run in order, here and now. @raise RunError: as `check` says"""
        self._end()
        return self._conclude()

    def finish(self) -> Results:
        """Lets the run go on to its end. @raise RunError: as `check` says"""
        if not self.is_over and self._stands:
            with contextlib.suppress(RunEnded):
                self.resume()
        self._child.wait()
        return self._conclude()

    def wait(self, timeout: float | None = None) -> bool:
        """Of the wall clock, s. -> whether the run is over"""
        return self._child.wait(timeout)

    def detach(self) -> Path:
        """The plant goes on without this Python, and outlives it. -> run directory, for attach()"""
        if self._stands:
            self.resume()
        self._child.detach()
        self._detached = True
        return self.directory

    @property
    def _child(self) -> PlantProcess:
        if self._process is None:
            raise RunError("the run has not begun: use it in a `with` statement, or call start()", run_directory=self.directory)
        return self._process

    def _meet(self) -> None:
        """Waits for the tap; a run that is over before was too short to be met, or nothing was run."""
        while True:
            with contextlib.suppress(OSError):
                self.connect()
                break
            if self._child.wait(0.003):
                self._conclude()
                return
        try:
            while self._holds and self.ask("status")["phase"] == "starting":
                self._child.wait(0.001)
        except RunEnded:  # it could not begin: its exit code tells more
            self._child.wait(LONGEST_END_S)
            self._conclude()
            return
        self._stands = self._holds
        if self._holds and not self._lock_step:
            self.resume()

    def _end(self) -> None:
        """Asks the plant to stop, then its process, then ends it."""
        if self.is_over:
            return
        self._asked_to_stop, patience = True, 0.0
        try:
            tap = self._live()
            tap.answer(tap.send("stop"), self.patience_s)
            patience = LONGEST_END_S
        except RunEnded:
            patience = LONGEST_END_S  # it is about to end by itself
        except (TapLost, Refused, Closed):
            pass
        for ask in (self._child.terminate, self._child.kill):
            if self._child.wait(patience):
                return
            ask()
            patience = self.patience_s
        self._child.wait(patience)

    def _conclude(self) -> Results:
        self.disconnect()
        if self._results is None and summary_of(self.directory) != self._earlier_summary:
            self._results = Results(self.directory)
        self._child.close()
        failure = self._failure()
        if failure is not None and (self._check or self._results is None):
            raise failure
        return self.results

    def _failure(self) -> TaktError | None:
        """What is wrong with how it ended."""
        code, context = self._child.exit_code, self._context()
        if code is None:
            return RunEnded("how the plant ended is not known: the process beside it was killed", **context)
        if code < 0:
            return RunEnded(f"the plant was killed by {signal_name(-code)}", **context)
        if self._results is None:
            return None if code == PASSED else PlantError(f"nothing was run, exit code {code}\n{self._child.errors().strip()}", **context)
        if code == INTERRUPTED and self._asked_to_stop:
            return self._refused(context)
        kinds: dict[int, type[TaktError]] = {
            LATE: TooLate,
            INTERRUPTED: Interrupted,
            USAGE: PlantError,
            FAILED: kind_of_failure(self._results),
        }
        if code == PASSED:
            return self._refused(context)
        why = self._results.summary["stopped_because"] or self._results.summary["verdict"]
        return kinds.get(code, RunFailed)(f"exit code {code}: {why}\n{self._child.errors().strip()}".strip(), **context)

    def _refused(self, context: dict[str, Any]) -> TaktError | None:
        """An action of ours that was taken up, and could not be done later."""
        if self._results is None:
            return None
        refused = [action for action in self._results.summary["actions"] if "refused" in action and action["author"] == self.name]
        actions = refused[self._refusals_told :]  # others were raised at once
        return Refused("; ".join(action["action"] + ": " + action["refused"] for action in actions), **context) if actions else None

    def _give_up(self) -> None:
        """Nothing of it stays behind."""
        self.disconnect()
        if self._process is not None and not self._process.poll():
            self._process.terminate()
            if not self._process.wait(5.0):
                self._process.kill()
                self._process.wait(5.0)
        if self._process is not None and self._process.is_over:
            self._process.close()


def summary_of(directory: Path) -> tuple[int, int] | None:
    """What tells the file from another one that stood there before."""
    try:
        found = (directory / "summary.json").stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def kind_of_failure(results: Results) -> type[TaktError]:
    scenario = results.summary["scenario"]
    if scenario is not None and scenario["failed"]:
        return ScenarioFailed
    return RunFailed if results.trusted else NotTrusted
