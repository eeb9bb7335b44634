"""Stands between Python and a plant, as a process of its own: whatever becomes of Python, the plant does not stay behind.

guard.py CONTROL OWNER COMMAND...    CONTROL: descriptor of a socket to Python; OWNER: the process that must live

It writes "pid N", then "exit N" or "signal N". It reads one letter at a time: t end in order, k kill, d the plant may outlive Python.
When the owner is gone the plant is asked to end in order, so that its buses get their safe values and its files are whole; what is not
gone after GRACE_S is killed, with all that it has started. When this process is killed, the kernel asks the plant to end. A process
rather than a death signal from Python itself, which would come when the thread ends that has started the plant.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

PR_SET_PDEATHSIG = 1
GRACE_S = 5.0


def start(command: list[str], control: int) -> int:
    guard = os.getpid()
    process = os.fork()
    if process:
        return process
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != guard:
        os._exit(127)
    os.setpgid(0, 0)
    os.close(control)
    try:
        os.execv(command[0], command)
    except OSError as error:
        print(f"cannot start {command[0]}: {error.strerror}", file=sys.stderr, flush=True)
    os._exit(127)


class Guard:
    def __init__(self, control: int, owner: int, process: int) -> None:
        self.control, self.process = control, process
        self.kill_at: float | None = None  # the owner is gone, or has asked for it
        self.ended = os.pidfd_open(process)
        self.watched = select.poll()
        self.watched.register(self.ended, select.POLLIN)
        self.watched.register(control, select.POLLIN)
        try:
            self.owner = os.pidfd_open(owner)
            self.watched.register(self.owner, select.POLLIN)
        except OSError:
            self.owner = -1
            self.end()

    def tell(self, text: str) -> None:
        with contextlib.suppress(OSError):  # nobody listens any more
            os.write(self.control, text.encode())

    def end(self) -> None:
        for number in (signal.SIGTERM, signal.SIGCONT):  # one that is stopped would not hear it
            os.kill(self.process, number)
        if self.kill_at is None:
            self.kill_at = time.monotonic() + GRACE_S

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self.process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.kill(self.process, signal.SIGKILL)

    def forget(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            with contextlib.suppress(KeyError):
                self.watched.unregister(descriptor)

    def obey(self) -> None:
        try:
            letter = os.read(self.control, 1)
        except OSError:
            letter = b""
        if letter == b"t":
            os.kill(self.process, signal.SIGTERM)
        elif letter == b"k":
            self.kill()
        elif letter == b"d":
            self.forget(self.owner, self.control)
        else:
            self.forget(self.owner, self.control)
            self.end()

    def watch(self) -> None:
        """To the end of the plant."""
        while True:
            left = None if self.kill_at is None else max(0.0, self.kill_at - time.monotonic())
            ready = [descriptor for descriptor, _ in self.watched.poll(None if left is None else 1000 * left)]
            if self.ended in ready:
                return
            if self.kill_at is not None and time.monotonic() >= self.kill_at:
                self.kill()
                self.kill_at = time.monotonic() + 1.0
            if self.control in ready:
                self.obey()
            elif self.owner in ready:
                self.forget(self.owner, self.control)
                self.end()

    def report(self) -> None:
        if self.kill_at is not None:  # compilers, for one
            self.kill()
        _, status = os.waitpid(self.process, 0)
        code = os.waitstatus_to_exitcode(status)
        self.tell(f"signal {-code}\n" if code < 0 else f"exit {code}\n")


def main() -> None:
    control, owner, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    process = start(command, control)
    guard = Guard(control, owner, process)
    guard.tell(f"pid {process}\n")
    guard.watch()
    guard.report()


if __name__ == "__main__":
    main()
