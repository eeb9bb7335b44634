"""Sweeps on a cluster: `takt sweep --dispatch` tells the runs, Dask places them, this goes between.

python3 -m takt.cluster ADDRESS TAKT ARGUMENTS...: what `takt sweep --scheduler ADDRESS` starts."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pickle
import queue
import shutil
import subprocess
import sys
import threading
import uuid
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from . import cluster_task
from .board import names_file
from .errors import CommandFailed, PlantError, TaktError

LONG_ENOUGH = 0.5  # s of computing: a task of Dask costs some milliseconds
MOST = 64  # runs of a task


class ByValue:
    """A function that becomes itself where it arrives, with its module: workers need not have this package."""

    def __init__(self, function: Callable[..., Any]) -> None:
        import cloudpickle

        cloudpickle.register_pickle_by_value(sys.modules[function.__module__])
        self._function, self._carried = function, cloudpickle.dumps(function)
        self.__name__ = function.__name__

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def __reduce__(self) -> tuple[Callable[[bytes], Any], tuple[bytes]]:
        return pickle.loads, (self._carried,)


class Cluster:
    """One sweep on one `distributed.Client`."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._compute = ByValue(cluster_task.compute)
        self._happened: queue.Queue[tuple[str, Any]] = queue.Queue()
        self._files: Any = None  # a future of what travels; None: everybody sees what is here
        self._seconds = 0.0  # of the runs until now
        self._runs = 0
        self._waiting: list[dict[str, Any]] = []
        self._placed: dict[str, tuple[Any, list[dict[str, Any]]]] = {}  # by key
        self._job: dict[str, Any] = {}

    def threads(self) -> int:
        """Workers come and go."""
        return max(1, int(sum(self._client.nthreads().values())))

    def sweep(self, command: Sequence[str], folder: Path, errors: IO[str] | None = None) -> int:
        """`command` is `takt sweep ... --out folder`. -> its exit code. `errors`: where its standard error goes"""
        if not self._client.nthreads():
            raise PlantError("the cluster has no workers")
        window = max(2 * MOST, 4 * self.threads())
        with subprocess.Popen(
            [*command, "--dispatch", "--jobs", str(min(window, 1024))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as takt:
            assert takt.stdin is not None and takt.stdout is not None
            reader = threading.Thread(target=self._read, args=(takt.stdout,), daemon=True)
            reader.start()
            try:
                with self._token(folder), contextlib.suppress(BrokenPipeError):
                    self._serve(takt.stdin)
            finally:  # without answers the command ends
                with contextlib.suppress(BrokenPipeError):
                    takt.stdin.close()
                reader.join()
            return takt.wait()

    def _read(self, lines: Any) -> None:
        for line in lines:
            if line.startswith("{"):
                told = json.loads(line)
                self._happened.put(("run" if "run" in told else "job", told))
            else:
                sys.stderr.write(line)
        self._happened.put(("end", None))

    @contextlib.contextmanager
    def _token(self, folder: Path) -> Iterator[None]:
        """A file by which a worker finds out whether it sees this folder."""
        folder.mkdir(parents=True, exist_ok=True)
        token, word = folder.resolve() / f".seen-{uuid.uuid4().hex}", uuid.uuid4().hex
        token.write_text(word)
        self._job = {"token": str(token), "word": word}
        try:
            yield
        finally:
            self._client.cancel([future for future, _ in self._placed.values()])
            token.unlink(missing_ok=True)
            for left in folder.glob(".run-*"):  # of workers that were lost
                shutil.rmtree(left, ignore_errors=True)

    def _serve(self, answers: Any) -> None:
        while True:
            if self._happened.empty():
                self._place()
            kind, what = self._happened.get()
            if kind == "end":
                return
            if kind == "job":
                self._prepare(what)
            elif kind == "run":
                self._waiting.append(what)
            else:
                for answer in self._results_of(what):
                    answers.write(json.dumps(answer) + "\n")
                answers.flush()

    def _prepare(self, told: dict[str, Any]) -> None:
        """Paths are whole: workers stand elsewhere."""
        arguments, travel = [], []
        for number, argument in enumerate(told["arguments"]):
            before, equals, value = argument.rpartition("=") if argument.startswith("--") else ("", "", argument)
            is_file = names_file(before or (told["arguments"][number - 1] if number else ""), value)
            arguments.append(before + equals + str(Path(value).resolve()) if is_file else argument)
            travel.append([before + equals, f"argument-{number}"] if is_file else None)
        executable = str(Path(told["executable"]).resolve())
        named = [argument.removeprefix(place[0]) for argument, place in zip(arguments, travel, strict=True) if place]
        needs = [(name, os.path.getsize(name) if os.path.isfile(name) else None) for name in (executable, *named)]
        self._job |= {"executable": executable, "arguments": arguments, "travel": travel, "needs": needs}

    def _place(self) -> None:
        while self._waiting:
            mean = self._seconds / self._runs if self._runs else LONG_ENOUGH
            share = -(-len(self._waiting) // self.threads())  # nobody is to wait for the last one
            count = max(1, min(int(LONG_ENOUGH / max(mean, 1e-6)), share, MOST))
            self._submit(self._waiting[:count])
            del self._waiting[:count]

    def _submit(self, runs: list[dict[str, Any]]) -> None:
        future = self._client.submit(self._compute, self._job, self._files, runs, pure=False)
        self._placed[future.key] = (future, runs)
        future.add_done_callback(lambda done: self._happened.put(("done", done.key)))

    def _results_of(self, key: str) -> list[dict[str, Any]]:
        future, runs = self._placed.pop(key)
        try:
            seconds, results = future.result()
        except Exception as problem:  # by name: its class has travelled, too
            if type(problem).__name__ == "Elsewhere":
                self._let_travel()
                self._waiting[:0] = runs
                return []
            if type(problem).__name__ != "KilledWorker":
                raise CommandFailed(f"the cluster did not do its part: {type(problem).__name__}: {problem}") from problem
            if len(runs) == 1:
                return [{"run": runs[0]["run"], "exit_code": -9, "output": f"each worker that computed it was lost: {problem}"}]
            for run in runs:  # which of them it was
                self._submit([run])
            return []
        self._seconds, self._runs = self._seconds + seconds, self._runs + len(runs)
        by_number = {run["run"]: Path(run["out"]) for run in runs}
        return [arrived(result, by_number[result["run"]]) for result in results]

    def _let_travel(self) -> None:
        """A task has them, no worker: so that they are made anew where the workers that had them are lost."""
        if self._files is not None:
            return
        files = {"plant": Path(self._job["executable"]).read_bytes()}
        for argument, place in zip(self._job["arguments"], self._job["travel"], strict=True):
            if place is None:
                continue
            named = Path(argument.removeprefix(place[0]))
            inside = [named] if named.is_file() else [path for path in sorted(named.rglob("*")) if path.is_file()]
            files |= {place[1] if path == named else f"{place[1]}/{path.relative_to(named)}": path.read_bytes() for path in inside}
        self._files = self._client.submit(dict, files, key=f"takt-{uuid.uuid4().hex}")


def arrived(result: dict[str, Any], out: Path) -> dict[str, Any]:
    """Puts the folder of a run into its place. -> what `takt sweep` reads"""
    attempt = result.pop("attempt", None)
    files = result.pop("files", None)
    shutil.rmtree(out, ignore_errors=True)
    if attempt is not None and os.path.isdir(attempt):
        os.rename(attempt, out)
    for name, data in (files or {}).items():
        place = (out / name).resolve()
        if out.resolve() not in place.parents:
            raise PlantError(f"a worker sent a file {name!r} that does not lie within its run")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(zlib.decompress(data))
    return result


def main() -> int:
    from distributed import Client

    address, *command = sys.argv[1:]
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--out", required=True, type=Path)
    out = parser.parse_known_args(command)[0].out
    try:
        connect: Any = Client
        with connect(address, timeout=10) as client:
            return Cluster(client).sweep(command, out)
    except (OSError, TaktError) as problem:
        print(f"takt sweep --scheduler {address}: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
