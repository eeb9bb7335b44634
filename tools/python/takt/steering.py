"""Looking at values of a plant, and acting on it."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from .errors import Refused, RunEnded, TapLost
from .session import Session

Value = float | str
MOST_ACTIONS = 16  # that take effect at one boundary


class Row(dict[str, float]):
    """Values of one instant by path, in SI."""

    def __init__(self, time_ns: int, paths: Sequence[str], values: Sequence[float | None], units: Sequence[str]) -> None:
        super().__init__(zip(paths, (math.nan if value is None else value for value in values), strict=True))
        self.time_ns = time_ns
        self.time_s = time_ns / 1e9
        self.effective_s = self.time_s  # when what a condition was to do takes effect, where there was something to do
        self.units = {path: unit or "1" for path, unit in zip(paths, units, strict=True)}


@dataclass(frozen=True)
class Do:
    """Something to be done where a condition holds: `Do("set", "u", "12 V")`, `Do("stop")`."""

    verb: str  # set, override, release, inject, clear, tune; without a path: checkpoint, pause, stop
    path: str | None = None
    value: Value | None = None

    def request(self) -> dict[str, Value]:
        named: dict[str, Value] = {} if self.path is None else {"path": self.path}
        return {"verb": self.verb, **named, **({} if self.value is None else {"value": self.value})}

    def __str__(self) -> str:
        return f"{self.verb} {self.path}" if self.path is not None else self.verb


class Acted:
    """Something that was done to a plant: undone by undo(), or at the end of a `with` block."""

    def __init__(self, steering: Steering, verb: str, values: Mapping[str, Value], effective_ns: int) -> None:
        self.verb, self.values = verb, dict(values)
        self.effective_s = effective_ns / 1e9  # when it takes effect, simulated
        self._steering, self._undone = steering, False

    def __enter__(self) -> Acted:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with contextlib.suppress(RunEnded):  # then there is nothing to undo
            if kind is None:
                self.undo()
            else:
                with contextlib.suppress(Refused, TapLost):  # the first error is the one to be seen
                    self.undo()

    def undo(self) -> None:
        """What stood before holds again: an earlier action on the same path that was not undone, or none."""
        if not self._undone:
            self._undone = True
            self._steering._undo(self)


class Steering(Session):
    def __init__(self, directory: Path, name: str) -> None:
        super().__init__(directory, name)
        self._roles: dict[str, tuple[str, str]] = {}  # path -> role, unit
        self._standing: list[Acted] = []
        self._before: dict[str, float] = {}  # values of parameters and inputs that were tuned or set
        self.looked_at: dict[str, None] = {}  # paths that were read, watched or acted on, in this order

    def read(self, paths: Sequence[str]) -> Row:
        """Values of one boundary; a path with * stands for all that it matches."""
        answer = self.ask("read", paths=list(paths))
        self.looked_at.update(dict.fromkeys(answer["paths"]))
        return Row(answer["time_ns"], answer["paths"], answer["values"], answer["units"])

    def __getitem__(self, path: str) -> float:
        return self.read([path])[path]

    def __setitem__(self, path: str, value: Value) -> None:
        """As what it is: a plant input is set, a parameter tuned, what readers see of another value overridden."""
        act = {"set": self.set, "tune": self.tune, "override": self.override}[self._verb_for(path)]
        act(path, value)

    def _verb_for(self, path: str) -> str:
        return {"plant_input": "set", "parameter": "tune", "structural": "tune"}.get(self.role_and_unit(path)[0], "override")

    def unit(self, path: str) -> str:
        return self.role_and_unit(path)[1]

    def role_and_unit(self, path: str) -> tuple[str, str]:
        if path not in self._roles:
            self.ask("read", paths=[path])  # says which names are close, where there is none
            self._list(path)
        return self._roles[path]

    def paths(self, pattern: str = "*") -> dict[str, str]:
        """All values of the plant that match, with their units."""
        return {path: self._roles[path][1] for path in self._list(pattern)}

    def set(self, what: str | Mapping[str, Value], value: Value | None = None) -> Acted:
        """Plant inputs, against what comes from outside. With a mapping, several at one boundary. Undone, they are what they were;
        of a plant with buses, what comes from there holds again."""
        self._remember_values(what)
        return self._act("set", what, value)

    def override(self, what: str | Mapping[str, Value], value: Value | None = None) -> Acted:
        """What readers in other subsystems see of a value; states and integrated fluxes stay what they are."""
        return self._act("override", what, value)

    def inject(self, what: str | Mapping[str, Value], fault: str | None = None) -> Acted:
        """A fault of what sampled readers and buses see ("offset 2 K", "stuck", ...), of an element by its name
        (`inject("electric.main", "stuck_closed")`), or of frames of a bus (`inject("can0.send.BMS_State", "drop x5")`)."""
        return self._act("inject", what, fault)

    def tune(self, what: str | Mapping[str, Value], value: Value | None = None) -> Acted:
        """Parameters. It takes effect a little later (`effective_s`): coefficients are computed first."""
        self._remember_values(what)
        return self._act("tune", what, value)

    def checkpoint(self) -> Path:
        """The plant as it is at the next boundary, in a file for `resume=` of another run, which is there when the plant has gone on."""
        answer = self.ask("checkpoint")
        return self.directory / f"checkpoint-{answer['effective_s']:.9g}s.takt"

    def _act(self, verb: str, what: str | Mapping[str, Value], value: Value | None) -> Acted:
        if isinstance(what, str):
            if value is None:
                raise Refused(f"{verb} {what}: to what?", run_directory=self.directory)
            what = {what: value}
        effective_ns = self._send([(verb, path, each) for path, each in what.items()])
        acted = Acted(self, verb, what, effective_ns)
        self._standing.append(acted)
        return acted

    def _remember_values(self, what: str | Mapping[str, Value]) -> None:
        for path in [what] if isinstance(what, str) else list(what):
            if path not in self._before:
                self._before[path] = self[path]

    def _undo(self, acted: Acted) -> None:
        self._standing.remove(acted)
        actions: list[tuple[str, str, Value | None]] = []
        for path, value in acted.values.items():
            kept = [other.values[path] for other in self._standing if other.verb == acted.verb and path in other.values]
            if acted.verb == "inject" and self._is_element(path):  # its faults stand side by side
                if value not in kept:
                    actions.append(("clear", path, value))
            elif kept:
                actions.append((acted.verb, path, kept[-1]))
            elif acted.verb == "tune" or (acted.verb == "set" and not self.status()["buses"]):
                actions.append((acted.verb, path, self._before.pop(path)))
            else:
                actions.append(("clear" if acted.verb == "inject" else "release", path, None))
        self._send(actions)

    def _is_element(self, path: str) -> bool:
        """Neither a value nor frames of a bus."""
        if path in self._roles or self._list(path, exactly=True):
            return False
        return path.partition(".")[0] not in [bus["name"] for bus in self.status()["buses"]]

    def _list(self, pattern: str, exactly: bool = False) -> list[str]:
        found: list[str] = []
        start: int | None = 0
        while start is not None:
            answer = self.ask("list", **{"pattern": pattern, "from": start})
            for row in answer["rows"]:
                self._roles[row["path"]] = (row["role"], row["unit"] or "1")
                found.append(row["path"])
            start = answer.get("next")
        return [path for path in found if path == pattern] if exactly else found

    def _send(self, actions: Sequence[tuple[str, str, Value | None]]) -> int:
        """All at one boundary. -> when"""
        if not actions:
            return 0
        if len(actions) > MOST_ACTIONS:
            raise Refused(f"{len(actions)} actions at one boundary: {MOST_ACTIONS} at most", run_directory=self.directory)
        self._remember(f"{verb} {path}" for verb, path, _ in actions)
        self.looked_at.update(dict.fromkeys(path for _, path, _ in actions))
        requests = [{"verb": verb, "path": path, **({} if value is None else {"value": value})} for verb, path, value in actions]
        return int(self.ask("act", actions=requests)["effective_ns"])
