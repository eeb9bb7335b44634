"""A plant on another machine, as if it were a process of this one: by ssh, with nothing of Takt there.

board.py ADDRESS DIRECTORY EXECUTABLE ARGUMENTS...

The executable goes there with FMUs that it has, and files and folders that arguments name; its tap is reached through DIRECTORY/tap;
what it has left comes into DIRECTORY when it has ended. Asked to end, this asks the plant; where this or the connection ends, the plant
is asked to end, too.
Like guard.py it needs nothing of the package.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

SSH = "ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
FILE_OPTIONS = ("--scenario", "--replay", "--resume", "--placement", "--attach")
HAS_TAP, ENDED = b"\x01takt tap\n", b"\x01takt ended "
RECEIVE = 'd=$(mktemp -d "${TMPDIR:-/tmp}/takt-run-XXXXXX") && tar -xo -C "$d" && cd "$d" && pwd -P'
# Standard input is the line to whoever has asked: t ends in order, k kills, and so does its end the former.
PLAY = """cd {folder} || exit 1
exec 3<&0
./bin/plant {arguments} --out run </dev/null & p=$!
( while read -r word <&3; do case $word in k) kill -KILL $p;; *) kill -TERM $p;; esac; done; kill -TERM $p ) 2>/dev/null & w=$!
( while kill -0 $p && [ ! -S run/tap ]; do sleep 0.02; done; [ ! -S run/tap ] || printf '\\001takt tap\\n' ) 2>/dev/null &
wait $p; code=$?
kill $w 2>/dev/null
printf '\\n\\001takt ended %s\\n' $code"""


def names_file(before: str, word: str) -> bool:
    """Of an argument, and the one before it. What only happens to be called like a file here is none."""
    return (before in FILE_OPTIONS or word.startswith("/")) and os.path.exists(word)


def why_no_address(host: str) -> str:
    """Empty: it may be one."""
    if host.startswith("-") or host in ("", "ssh://"):
        return f"host '{host}' is no machine: user@machine, or ssh://user@machine:port"
    return ""


def machine_of(address: str) -> str:
    """As uname -m has it. @raise OSError: it cannot be reached"""
    done = subprocess.run([*ssh_to(address), "uname -m"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{address} cannot be reached: {done.stderr.strip() or done.returncode}")
    return done.stdout.strip()


def ssh_to(address: str, *options: str) -> list[str]:
    return [*shlex.split(os.environ.get("TAKT_SSH") or SSH), *options, "--", address]


class Board:
    def __init__(self, address: str, directory: Path, executable: str, arguments: list[str]) -> None:
        self.address, self.directory = address, directory
        self.executable, self.arguments = executable, arguments
        self.folder = ""  # there
        self.sockets = Path(tempfile.mkdtemp(prefix="takt-board-"))
        self.ssh: subprocess.Popen[bytes] | None = None
        self.asked = False

    def run(self) -> int:
        """-> exit code; negative: the signal that ended the plant"""
        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: self.ask_to_end())
            self.send()
            code = self.play()
            self.receive()
            return code
        finally:
            with contextlib.suppress(OSError):
                (self.directory / "tap").unlink()
            with contextlib.suppress(OSError):
                (self.sockets / "tap").unlink()
            self.sockets.rmdir()

    def ask_to_end(self) -> None:
        self.asked = True
        if self.ssh is not None and self.ssh.stdin is not None:
            with contextlib.suppress(OSError):
                os.write(self.ssh.stdin.fileno(), b"t\n")

    def send(self) -> None:
        """What it needs, as one archive; arguments then name what has arrived."""
        packed, words = io.BytesIO(), []
        with tarfile.open(fileobj=packed, mode="w") as archive:
            archive.add(self.executable, "bin/plant")
            for folder in Path(self.executable).resolve().parents[1:3]:  # FOLDER/bin/NAME or FOLDER/bin/KEY/NAME
                if (folder / "fmu").is_dir():
                    archive.add(folder / "fmu", "fmu")
                    break
            for number, word in enumerate(self.arguments):
                if names_file(self.arguments[number - 1] if number else "", word):
                    archive.add(word, f"given-{number}")
                    word = f"given-{number}"  # noqa: PLW2901
                words.append(word)
        done = subprocess.run([*ssh_to(self.address), RECEIVE], input=packed.getvalue(), capture_output=True, check=False)
        if done.returncode != 0:
            raise OSError(done.stderr.decode(errors="replace").strip() or "what is needed could not be sent")
        self.folder = done.stdout.decode().strip()
        self.arguments = words

    def play(self) -> int:
        script = PLAY.format(folder=shlex.quote(self.folder), arguments=shlex.join(self.arguments))
        forward = ["-o", "StreamLocalBindUnlink=yes", "-L", f"{self.sockets}/tap:{self.folder}/run/tap"]
        self.ssh = subprocess.Popen([*ssh_to(self.address, *forward), script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.asked:
            self.ask_to_end()
        assert self.ssh.stdout is not None
        for line in self.ssh.stdout:
            if line == HAS_TAP:
                self.directory.mkdir(parents=True, exist_ok=True)
                (self.directory / "tap").symlink_to(self.sockets / "tap")
            elif line.startswith(ENDED):
                self.ssh.terminate()  # by itself it would wait for clients of the tap
                self.ssh.wait()
                code = int(line[len(ENDED) :])
                return 128 - code if code > 128 else code
            elif line != b"\n":
                sys.stdout.buffer.write(line)
        self.ssh.wait()
        raise OSError(f"the connection was lost: the plant was asked to end, and what it left is there in {self.folder}")

    def receive(self) -> None:
        fetch = f"cd {shlex.quote(self.folder)} && {{ [ ! -d run ] || tar -c -C run .; }} && cd / && rm -rf {shlex.quote(self.folder)}"
        done = subprocess.run([*ssh_to(self.address), fetch], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode != 0:
            raise OSError(f"what the run has left could not be fetched: {done.stderr.decode(errors='replace').strip()}")
        if done.stdout:
            unpack(done.stdout, self.directory)


def unpack(packed: bytes, directory: Path) -> None:
    """Regular files alone, below the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            place = (directory / member.name).resolve()
            if not member.isfile() or directory.resolve() not in place.parents:
                continue
            data = archive.extractfile(member)
            assert data is not None
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data.read())


def main() -> int:
    address, directory, executable, *arguments = sys.argv[1:]
    try:
        code = Board(address, Path(directory), executable, arguments).run()
    except OSError as problem:
        print(f"error: {address}: {problem}", file=sys.stderr)
        return 1
    if code < 0:  # for whoever asks how it ended
        if code != -signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    sys.exit(main())
