"""A plant as a process that does not outlive Python, unless it is asked to."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

GUARD = Path(__file__).with_name("guard.py")
LONGEST_OUTPUT = 1 << 20  # bytes that are kept of what a plant prints


class PlantProcess:
    """Phases: it runs from the constructor on; poll() or wait() tell when it is over."""

    def __init__(self, command: Sequence[str]) -> None:
        self.exit_code: int | None = None  # negative: the signal that ended it
        self.lost = False  # the guard was killed: how the plant ended is not known
        self.pid = 0
        self._said: tuple[str, str] | None = None  # where it is closed
        self._changed = threading.Condition()
        self._detached = False
        # Files without a name: nobody has to read them while the plant prints, and none of them stays.
        self._output, self._errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        self._control, theirs = socket.socketpair()
        with theirs:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", str(GUARD), str(theirs.fileno()), str(os.getpid()), *command],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=self._errors,
                start_new_session=True,  # Ctrl-C is for Python, which then ends the plant in order
            )

        threading.Thread(target=self._listen, name="takt guard", daemon=True).start()

    def poll(self) -> bool:
        """Whether it is over."""
        return self.is_over

    def wait(self, timeout: float | None = None) -> bool:
        """Whether it is over, after `timeout` seconds at most."""
        with self._changed:
            return self._changed.wait_for(lambda: self.is_over, timeout)

    @property
    def is_over(self) -> bool:
        return self.exit_code is not None or self.lost

    def terminate(self) -> None:
        """Asks it to end in order."""
        self._tell(b"t")

    def kill(self) -> None:
        self._tell(b"k")

    def detach(self) -> None:
        """It may outlive Python from now on."""
        self._detached = True
        self._tell(b"d")

    def output(self) -> str:
        return self._said[0] if self._said else self._read(self._output.fileno())

    def errors(self) -> str:
        return self._said[1] if self._said else self._read(self._errors.fileno())

    def close(self) -> None:
        """Of one that is over: what it has said stays."""
        if self._said:
            return
        self._said = (self.output(), self.errors())
        self._control.close()
        for file in (self._output, self._errors):
            file.close()
        self._guard.wait()

    def _tell(self, letter: bytes) -> None:
        with contextlib.suppress(OSError):  # it has ended
            self._control.sendall(letter)

    def _listen(self) -> None:
        """What the guard tells, to its end. Where it was killed, the plant is asked to end from here."""
        with self._control.makefile("rb") as told:
            for line in told:
                word, _, number = line.decode().partition(" ")
                with self._changed:
                    if word == "pid":
                        self.pid = int(number)
                    else:
                        self.exit_code = int(number) if word == "exit" else -int(number)
                    self._changed.notify_all()
        with self._changed:
            self.lost = self.exit_code is None
            if self.lost and self.pid and not self._detached:
                with contextlib.suppress(OSError):
                    os.kill(self.pid, signal.SIGTERM)
            self._changed.notify_all()

    @staticmethod
    def _read(file: int) -> str:
        """The end of it; its position, at which the plant writes, stays."""
        size = os.fstat(file).st_size
        return os.pread(file, LONGEST_OUTPUT, max(0, size - LONGEST_OUTPUT)).decode(errors="replace")
