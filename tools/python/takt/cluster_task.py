"""What a worker of a cluster does for a sweep. It travels as it stands: only the standard library, nothing of this package."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
import uuid
import zlib
from pathlib import Path
from typing import Any


class Elsewhere(Exception):
    """This worker does not see the files of whoever asks: the executable has to travel."""


def compute(job: dict[str, Any], files: dict[str, bytes] | None, runs: list[dict[str, Any]]) -> tuple[float, list[dict[str, Any]]]:
    """Runs one after the other. -> seconds; for each its number, exit code, output, and where its folder is, or what it holds"""
    begun = time.monotonic()
    shared = sees(job["token"], job["word"]) and has_files(job)
    if not shared and files is None:
        raise Elsewhere()
    arguments = list(job["arguments"])
    if shared:
        executable, folder = job["executable"], None
    else:
        here = settled(files or {})
        executable, folder = str(here / "plant"), tempfile.mkdtemp(prefix="takt-runs-")
        arguments = [moved(argument, place, here) for argument, place in zip(arguments, job["travel"], strict=True)]
    try:
        results = [one(executable, [*arguments, *run["arguments"]], run, folder) for run in runs]
        return time.monotonic() - begun, results
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def sees(token: str, word: str) -> bool:
    try:
        return Path(token).read_text() == word
    except (OSError, UnicodeDecodeError):
        return False


def has_files(job: dict[str, Any]) -> bool:
    """Of the same size, under the same names: a folder for results may be shared where the rest is not."""
    return all(os.path.exists(name) and (size is None or os.path.getsize(name) == size) for name, size in job["needs"])


def settled(files: dict[str, bytes]) -> Path:
    """The folder that has them, once for each worker's machine: whoever comes first writes it, whole or not at all."""
    digest = hashlib.sha256(b"".join(name.encode() + b"\0" + data for name, data in sorted(files.items()))).hexdigest()[:24]
    here = Path(tempfile.gettempdir()) / f"takt-{os.getuid()}-{digest}"
    if here.is_dir() and here.stat().st_uid == os.getuid():
        return here
    making = Path(tempfile.mkdtemp(prefix="takt-making-"))
    for name, data in files.items():
        place = making / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    (making / "plant").chmod(0o700)
    try:
        making.rename(here)
    except OSError:  # somebody else was first
        shutil.rmtree(making, ignore_errors=True)
        if not here.is_dir() or here.stat().st_uid != os.getuid():
            raise
    return here


def moved(argument: str, place: list[str] | None, here: Path) -> str:
    """An argument that names a file: as that file is called here. `place`: what stands before it, its name."""
    return argument if place is None else place[0] + str(here / place[1])


def one(executable: str, arguments: list[str], run: dict[str, Any], folder: str | None) -> dict[str, Any]:
    """In a folder of its own: a worker that was given up may still be at work on the same run."""
    out = Path(run["out"])
    attempt = Path(folder) / out.name if folder else out.parent / f".{out.name}.{uuid.uuid4().hex}"
    done = subprocess.run(
        [executable, *arguments, "--out", str(attempt)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    told = {"run": run["run"], "exit_code": done.returncode, "output": done.stdout}
    if folder is None:
        return {**told, "attempt": str(attempt)}
    found = {str(path.relative_to(attempt)): zlib.compress(path.read_bytes(), 1) for path in sorted(attempt.rglob("*")) if path.is_file()}
    shutil.rmtree(attempt, ignore_errors=True)
    return {**told, "files": found}
