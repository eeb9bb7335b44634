"""A plant file: what it says, and what can be made of it."""

from __future__ import annotations

import itertools
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from . import board
from .command import FAILED, OK, call, call_json, find_command, settings
from .errors import Diagnostic, PlantError, SweepFailed
from .run import Run
from .sweep import Sweep
from .sweep_command import Values, combinations, points_option, run_command, vary_options
from .units import duration_text

Text = str | os.PathLike[str]


@dataclass(frozen=True)
class Quantity:
    """Something of a plant that has a value."""

    path: str
    unit: str  # "1": none
    role: str  # parameter, structural, plant_input, state, input, output or signal
    value: float | None = None  # SI; of a parameter
    start: float | None = None  # SI; of a plant input
    safe: float | None = None


@dataclass(frozen=True)
class Fault:
    """What the library declares that may happen to an element."""

    element: str
    name: str
    text: str


class Checked:
    """What `takt check` says of a plant."""

    def __init__(self, report: dict[str, Any]) -> None:
        self.report = report  # all of it: circuits, subsystems, couplings, groups ...
        self.diagnostics = [
            Diagnostic(
                finding["code"],
                finding["severity"],
                finding["file"],
                finding["line"],
                finding["column"],
                finding["message"],
                finding["hint"],
            )
            for finding in report["findings"]
        ]

    def __bool__(self) -> bool:
        return self.ok

    @property
    def ok(self) -> bool:
        """No errors; there may be warnings."""
        return bool(self.report["ok"])

    @property
    def errors(self) -> list[Diagnostic]:
        return [finding for finding in self.diagnostics if finding.severity == "error"]

    def __repr__(self) -> str:
        return "\n".join([f"<{self.report['model']}: {'ok' if self.ok else 'wrong'}>", *map(str, self.diagnostics)])


class Plant:
    """`path`: a plant file, or a folder with a plant.toml. `set` overrides parameters, with their units; `solve` is a file whose
    [solve], [sync] and [record] replace those of the plant. `takt`: the command, else that of the environment variable TAKT, of PATH, or of
    the checkout that this package stands in. `build_directory` is where it is built (default: .takt/PLANT-HASH)."""

    def __init__(
        self,
        path: Text,
        *,
        rig: Text | None = None,
        set: Mapping[str, float | str] | None = None,
        solve: Text | None = None,
        build_directory: Text | None = None,
        takt: Text | None = None,
    ) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise PlantError(f"there is no plant at {self.path}")
        self.rig = Path(rig) if rig is not None else None
        self.solve = Path(solve) if solve is not None else None
        self.set = dict(set or {})
        self.build_directory = Path(build_directory) if build_directory is not None else None
        self.command = find_command(takt)
        self._table: list[Quantity] | None = None

    def __repr__(self) -> str:
        return f"Plant({str(self.path)!r})"

    def _repr_html_(self) -> str:
        from .notebook import plant_html

        return plant_html(self)

    @property
    def name(self) -> str:
        """As Takt has it: that of the folder, or of the file."""
        file = self.path.resolve()
        return file.name if file.is_dir() else (file.parent.name if file.name == "plant.toml" else file.stem)

    def check(self) -> Checked:
        """Every mistake with its place and its cure. Wrong plants raise nothing here."""
        return self._check()

    def table(self) -> list[Quantity]:
        """Everything that the built plant will have, by path. @raise PlantError: the plant is wrong"""
        if self._table is None:
            known = ("path", "unit", "role", "value", "start", "safe")
            rows = self._right("--table").report["table"]
            self._table = [Quantity(**{key: row[key] for key in known if key in row}) for row in rows]
        return self._table

    def inputs(self) -> list[Quantity]:
        return [quantity for quantity in self.table() if quantity.role == "plant_input"]

    def parameters(self) -> list[Quantity]:
        """Those with the role "structural" are compiled in: a change builds another executable."""
        return [quantity for quantity in self.table() if quantity.role in ("parameter", "structural")]

    def signals(self) -> list[Quantity]:
        """What can be read and recorded: signals, outputs and states."""
        return [quantity for quantity in self.table() if quantity.role in ("signal", "output", "state")]

    def faults(self) -> list[Fault]:
        return [Fault(fault["element"], fault["name"], fault["text"]) for fault in self._right().report["faults"]]

    def build(self, target: str | None = None, *, out: Text | None = None) -> Path:
        """-> the executable, which needs nothing else on its target, such as "linux-aarch64" (default: this machine)."""
        folder = out if out is not None else self.build_directory
        arguments = ["build", *self._what(), *option("--target", target), *option("--out", folder)]
        return Path(call(self.command, arguments).stdout.strip().splitlines()[-1]).resolve()

    def plan(
        self,
        *,
        error: float | None = None,
        budget: float | None = None,
        duration: float | str | None = None,
        out: Text | None = None,
    ) -> dict[str, Any]:
        """Steps and synchronisation times for an error, or the most accurate ones that take `budget` of real time, by trial runs.

        Without either, the plan is estimated as it is. `out`: a file for `solve`. -> what `takt plan --json` tells."""
        wish = option("--error", error) + option("--budget", budget) or ["--keep"]
        span = option("--for", duration_text(duration) if duration is not None else None)
        return dict(
            call_json(
                self.command, ["plan", *self._what(rig=False), *wish, *span, *self._folder(), *option("--out", out), "--json"], (OK, FAILED)
            )
        )

    def export_fmu(
        self,
        out: Text,
        *,
        version: Literal[2, 3] = 3,
        kind: Literal["cs", "me"] = "cs",
        part: str | None = None,
        sources: bool = False,
    ) -> Path:
        """The plant, or one part of it, as a Functional Mock-up Unit. -> the file"""
        options = ["--fmi", str(version), "--kind", kind, *option("--part", part), *(["--sources"] if sources else [])]
        call(self.command, ["fmu", "export", *self._what(rig=False), *self._folder(), *options, "--out", os.fspath(out)])
        return Path(out)

    def run(
        self,
        *,
        pace: Literal["free", "real"] = "free",
        duration: float | str | None = None,
        lock_step: bool = True,
        out: Text | None = None,
        check: bool = True,
        inputs: Mapping[str, float | str] | None = None,
        scenario: Text | None = None,
        buses: Mapping[str, str | int] | None = None,
        replay: Text | None = None,
        resume: Text | None = None,
        cores: Sequence[int] = (),
        tolerate: Sequence[str] = (),
        late: float | str | None = None,
        record: str | Sequence[str] = "csv",
        host: str | None = None,
        options: Sequence[str] = (),
    ) -> Run:
        """A run, which begins with its `with` block or by start().

        A free run is in `lock_step` by default: it stands at time 0, and time passes only in step(), advance(), wait_until() and capture(),
        so that results do not depend on how fast Python is. In real time (`pace="real"`) it goes on while Python decides.
        `duration`, simulated: default is that of the plant. `inputs`: values of plant inputs from the start. `buses`: in place of what
        the rig says, such as {"can0.port": 4000}. `replay`, `resume`: an earlier run, a checkpoint. `check`: a run that failed, is not
        to be trusted, or was late raises when it ends. `tolerate`: codes that do not spoil it. `late`: deadlines that may be missed.
        `host`: "ssh://root@board", where nothing of Takt need be; the plant is built here for what that is, goes there with files that
        options name, and what it leaves comes back; where the connection is lost, it ends in order. TAKT_SSH names another ssh.
        `record`: formats of recorded signals, "csv", "mdf", "jsonl". `options`: more options of the plant's executable."""
        holds = pace == "free"
        directory = Path(out).resolve() if out is not None else new_directory(self.name)
        words = record if isinstance(record, str) else ",".join(record)
        arguments = ["--pace", pace, "--quiet", *(["--hold"] if holds else [])]
        arguments += option("--for", duration_text(duration) if duration is not None else None)
        arguments += settings("--input", inputs or {})
        arguments += option("--scenario", scenario) + option("--replay", replay) + option("--resume", resume)
        arguments += [word for key, value in (buses or {}).items() for word in ("--bus", f"{key}={value}")]
        arguments += option("--cores", ",".join(map(str, cores)) or None)
        arguments += [word for code in tolerate for word in ("--tolerate", code)]
        arguments += option("--late", late) + (["--record", words] if words != "csv" else [])
        where = self._here(directory) if host is None else self._there(host, directory)
        return Run([*where, *arguments, *options], directory, lock_step=lock_step and holds, holds=holds, check=check)

    def _here(self, directory: Path) -> list[str]:
        return [str(self.command), "run", *self._what(), *self._folder("--build-dir"), "--out", str(directory)]

    def _there(self, host: str, directory: Path) -> list[str]:
        """Parameters that are not compiled in are told to the executable, as `takt run` does."""
        if wrong := board.why_no_address(host):
            raise PlantError(wrong)
        try:
            machine = board.machine_of(host)
        except OSError as problem:
            raise PlantError(str(problem)) from None
        executable = self.build(None if machine == platform.machine() else f"linux-{machine}")
        compiled = {quantity.path for quantity in self.parameters() if quantity.role == "structural"}
        told = settings("--set", {name: value for name, value in self.set.items() if name not in compiled})
        return [sys.executable, board.__file__, host, str(directory), str(executable), *told]

    def sweep(
        self,
        vary: Mapping[str, Values] | None = None,
        *,
        out: Text,
        points: Sequence[Mapping[str, float | str]] | None = None,
        sample: Literal["grid", "lhs", "random"] = "grid",
        count: int | None = None,
        seed: str | int = 1,
        results: Sequence[str] = (),
        duration: float | str | None = None,
        jobs: int | None = None,
        client: Any = None,
        check: bool = True,
        options: Sequence[str] = (),
    ) -> Sweep:
        """Free runs over values of parameters and plant inputs, as `takt sweep` does them; what is in `out` already is not run again.

        `vary`: texts as for --vary ("1 kOhm .. 10 kOhm / 5 log"), or numbers in SI; `points`: a value of each name for each run.
        Parameters that are compiled in are varied too, each combination of them with a folder of its own in `out`.
        `results`: "PATH" or "PATH:last|min|max|mean|rms". `client`: a `distributed.Client`, whose workers do the runs: they need
        neither this package nor Takt. `check`: runs that failed raise, when all are done. @raise PlantError, SweepFailed"""
        if (vary is None) == (points is None):
            raise PlantError("a sweep needs vary or points, and not both")
        units = {quantity.path: quantity.unit for quantity in self.table()}
        compiled = {quantity.path for quantity in self.table() if quantity.role == "structural" and quantity.path in (vary or {})}
        unknown = [name for name in (vary or (points or [{}])[0]) if name not in units]
        if unknown:
            raise PlantError(f"the plant has no parameter or input {', '.join(unknown)}")
        wishes = ["--sample", sample, *option("--count", count), "--seed", str(seed), *option("--jobs", jobs if client is None else None)]
        wishes += option("--for", duration_text(duration) if duration is not None else None)
        wishes += [word for result in results for word in ("--result", result)] + list(options)
        wishes += points_option(points, units, Path(out)) if points is not None else vary_options(vary or {}, units, compiled)
        sweep = Sweep()
        for number, chosen in enumerate(combinations({name: (vary or {})[name] for name in compiled}, units)):
            one = Plant(
                self.path,
                set={**self.set, **chosen},
                solve=self.solve,
                build_directory=None if compiled else self.build_directory,
                takt=self.command,
            )
            within = Path(out) / f"executable-{number + 1}" if compiled else Path(out)
            run_command(
                [str(self.command), "sweep", *one._what(rig=False), *one._folder("--build-dir"), *wishes, "--out", str(within)],
                within,
                client,
            )
            sweep.take(within, {quantity.path: quantity for quantity in one.parameters() if quantity.path in compiled})
        if check and sweep.failed:
            first = sweep.failed[0]
            failure = SweepFailed(f"{len(sweep.failed)} of {len(sweep)} runs failed; run {first.number}: {first.cause}", exit_code=FAILED)
            failure.sweep = sweep
            raise failure
        return sweep

    def _what(self, rig: bool = True) -> list[str]:
        rigs = option("--rig", self.rig) if rig else []
        return [os.fspath(self.path), *rigs, *option("--solve", self.solve), *settings("--set", self.set)]

    def _folder(self, name: str = "--build-dir") -> list[str]:
        return option(name, self.build_directory)

    def _check(self, *more: str) -> Checked:
        return Checked(call_json(self.command, ["check", *self._what(), "--json", *more], (OK, FAILED)))

    def _right(self, *more: str) -> Checked:
        checked = self._check(*more)
        if not checked.ok:
            raise PlantError("the plant is wrong:\n" + "\n".join(map(str, checked.errors)), exit_code=FAILED, diagnostics=checked.errors)
        return checked


def option(name: str, value: float | Text | None) -> list[str]:
    if value is None:
        return []
    return [name, repr(value) if isinstance(value, float) else str(value) if isinstance(value, int) else os.fspath(value)]


def new_directory(name: str) -> Path:
    """runs/NAME-N, made here, so that no two runs have one in common."""
    below = Path("runs").resolve()
    below.mkdir(exist_ok=True)
    for number in itertools.count(1):
        try:
            (below / f"{name}-{number}").mkdir()
        except FileExistsError:
            continue
        return below / f"{name}-{number}"
    raise AssertionError("numbers have no end")
