"""A plant as a process that does not outlive Python, unless it is asked to."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
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
        self._text = b""
        self._said: tuple[str, str] | None = None  # where it is closed
        self._lock = threading.Lock()
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

    def poll(self) -> bool:
        """Whether it is over."""
        return self.wait(0.0)

    def wait(self, timeout: float | None = None) -> bool:
        """Whether it is over, after `timeout` seconds at most."""
        until = None if timeout is None else time.monotonic() + timeout
        while not self.is_over:
            left = None if until is None else max(0.0, until - time.monotonic())
            ready, _, _ = select.select([self._control], [], [], 0.1 if left is None else min(left, 0.1))
            if ready:
                self._hear()
            elif left == 0.0:
                break
        return self.is_over

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

    def _hear(self) -> None:
        with self._lock:
            try:
                piece = self._control.recv(256, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return  # another thread has taken it
            except OSError:
                piece = b""
            if not piece:
                self.lost = self.exit_code is None
                return
            self._text += piece
            *lines, self._text = self._text.split(b"\n")
            for line in lines:
                word, _, number = line.decode().partition(" ")
                if word == "pid":
                    self.pid = int(number)
                else:
                    self.exit_code = int(number) if word == "exit" else -int(number)

    @staticmethod
    def _read(file: int) -> str:
        """The end of it; its position, at which the plant writes, stays."""
        size = os.fstat(file).st_size
        return os.pread(file, LONGEST_OUTPUT, max(0, size - LONGEST_OUTPUT)).decode(errors="replace")
