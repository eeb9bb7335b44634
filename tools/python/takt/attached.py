"""Runs that somebody else has started."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from .board import why_no_address
from .errors import PlantError
from .results import Results
from .run import client_name
from .scope import Scoping
from .session import is_alive
from .tap import connected


class AttachedRun(Scoping):
    """A plant that is already running. Leaving the `with` block leaves it running, with what was done to it."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory, client_name())
        try:
            self.connect()
        except FileNotFoundError:
            raise PlantError("nobody can be asked here: the run has ended, or was started with --no-tap", run_directory=directory) from None
        except PermissionError:
            raise PlantError(
                "the run belongs to another user: only who has started it, and root, may ask it", run_directory=directory
            ) from None
        except OSError as error:
            raise PlantError(f"the run cannot be reached, it has ended: {error}", run_directory=directory) from None
        self.plant_pid = self.pid
        status = self.status()
        if status["phase"] == "paused":
            self._stands, self._now_ns = True, status["time_ns"]

    def __enter__(self) -> AttachedRun:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.disconnect()

    @property
    def is_over(self) -> bool:
        return not is_alive(self.plant_pid)

    def stop(self) -> Results:
        """Ends the run in order, here and now. How it ended is in the results; its exit code is for who has started it."""
        self.ask("stop")
        while not self._is_gone(patience=1.0):
            pass
        self.disconnect()
        return Results(self.directory)


def attach(run: str | os.PathLike[str], *, host: str | None = None, out: str | os.PathLike[str] | None = None) -> AttachedRun:
    """By its run directory, or by its name under ./runs.

    `host`: "ssh://root@board", where the run is; `run` is then its directory there, or its name under runs of where ssh begins, and
    `out` is where stop() brings what the run has left: runs/NAME here, unless given."""
    if host is not None:
        from .attached_board import AttachedThere

        if wrong := why_no_address(host):
            raise PlantError(wrong)
        return AttachedThere(host, os.fspath(run), Path(out) if out is not None else None)
    if out is not None:
        raise PlantError("'out' is for runs on another machine: what a run of this one leaves is in its run directory")
    for directory in (Path(run), Path("runs") / run):
        if directory.is_dir():
            return AttachedRun(directory.resolve())
    raise PlantError(f"no run at '{os.fspath(run)}': give its directory, or its name under ./runs")


def runs(below: str | os.PathLike[str] = "runs") -> list[Path]:
    """Directories of runs that can be asked now."""
    found = []
    for directory in sorted(path for path in Path(below).glob("*") if path.is_dir()):
        try:
            connected(directory).close()
        except OSError:
            continue
        found.append(directory.resolve())
    return found
