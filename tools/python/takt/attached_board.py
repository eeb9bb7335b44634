"""Runs that somebody else has started on another machine: by ssh, with nothing of Takt there."""

from __future__ import annotations

import contextlib
import select
import shlex
import subprocess
import tempfile
import time
from pathlib import Path

from .attached import AttachedRun
from .board import ssh_to, unpack
from .errors import PlantError
from .results import Results
from .tap import Tap

# Prints where the run directory is, and whether the run can be asked.
FIND = """for d in {run} runs/{run}; do [ ! -d "$d" ] || {{ cd "$d" && pwd -P && {{ [ ! -S tap ] || echo tap; }}; exit; }}; done; exit 3"""
# Standard input brings the process of the plant; with the end of it this ends. Prints when that process is no more.
WATCH = """echo ready; read -r p || exit
( while [ -d /proc/$p ]; do case $(cat /proc/$p/stat 2>/dev/null) in *") Z "*) break;; esac; sleep 0.05; done; echo gone ) & w=$!
read -r p; kill $w 2>/dev/null"""


class Tunnel:
    """The tap of a run there as a socket here. @raise OSError: there is no way to it"""

    def __init__(self, address: str, folder: str) -> None:
        self._sockets = tempfile.TemporaryDirectory(prefix="takt-board-")
        self.directory = Path(self._sockets.name)
        forward = ["-o", "StreamLocalBindUnlink=yes", "-o", "ExitOnForwardFailure=yes", "-L", f"{self.directory}/tap:{folder}/tap"]
        self._ssh = subprocess.Popen(
            [*ssh_to(address, *forward), WATCH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )
        self._gone = False
        assert self._ssh.stdout is not None
        if self._ssh.stdout.readline() != b"ready\n":
            self.close()
            raise OSError(f"{address}: the connection has ended")

    def watch(self, pid: int) -> None:
        with contextlib.suppress(OSError):
            assert self._ssh.stdin is not None
            self._ssh.stdin.write(b"%d\n" % pid)

    def is_gone(self, patience: float) -> bool:
        """The plant's process, as far as is known."""
        assert self._ssh.stdout is not None
        if not self.is_open:
            time.sleep(patience if not self._gone else 0.0)
        elif not self._gone and select.select([self._ssh.stdout], [], [], patience)[0]:
            self._gone = self._ssh.stdout.readline() == b"gone\n"
        return self._gone

    @property
    def is_open(self) -> bool:
        return self._ssh.poll() is None

    def close(self) -> None:
        self._ssh.terminate()  # by itself it would wait for clients of the tap
        for pipe in (self._ssh.stdin, self._ssh.stdout):
            if pipe is not None:
                pipe.close()
        self._ssh.wait()
        self._sockets.cleanup()


class AttachedThere(AttachedRun):
    """A plant that is already running on another machine; else as AttachedRun."""

    def __init__(self, address: str, run: str, out: Path | None) -> None:
        find = FIND.format(run=shlex.quote(run))
        done = subprocess.run([*ssh_to(address), find], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode == 3:
            raise PlantError(f"no run at '{run}' on {address}: give its directory there, or its name under runs")
        if done.returncode != 0:
            raise PlantError(f"{address} cannot be reached: {done.stderr.strip() or done.returncode}")
        self._address = address
        self._folder, *tap = done.stdout.splitlines()
        directory = (out if out is not None else Path("runs") / Path(self._folder).name).resolve()
        if not tap:
            raise PlantError("nobody can be asked there: the run has ended, or was started with --no-tap", run_directory=directory)
        try:
            self._tunnel = Tunnel(address, self._folder)
        except OSError as error:
            raise PlantError(f"the run cannot be reached: {error}", run_directory=directory) from None
        try:
            super().__init__(directory)
        except BaseException:
            self._tunnel.close()
            raise
        self._tunnel.watch(self.plant_pid)

    def connect(self) -> None:
        if not self._tunnel.is_open:
            raise ConnectionError(f"{self._address}: the connection has ended")
        self._tap = Tap(self._tunnel.directory, self.name)

    def close(self) -> None:
        super().close()
        self._tunnel.close()

    @property
    def is_over(self) -> bool:
        return self._tunnel.is_gone(0.0)

    def _is_gone(self, patience: float = 0.0) -> bool:
        return self._tunnel.is_gone(patience)

    def stop(self) -> Results:
        """As AttachedRun.stop(); what the run has left is then here, too. @raise PlantError: it could not be fetched, and is there"""
        self.ask("stop")
        while not self._is_gone(patience=1.0):
            if not self._tunnel.is_open:
                raise PlantError(f"the connection to {self._address} was lost: what the run leaves is there in {self._folder}")
        self.close()
        fetch = [*ssh_to(self._address), f"tar -c -C {shlex.quote(self._folder)} ."]
        done = subprocess.run(fetch, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode != 0:
            problem = done.stderr.decode(errors="replace").strip() or done.returncode
            raise PlantError(f"what the run has left could not be fetched from {self._folder}: {problem}")
        unpack(done.stdout, self.directory)
        return Results(self.directory)
