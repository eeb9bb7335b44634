"""Plants in tests of pytest: fixtures `takt_plant`, `takt_run` and `takt_port`, scenarios as tests, and what a failed test leaves.

Each run has a directory below pytest's temporary ones, each worker of pytest-xdist ports of its own: tests have nothing in common."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from .errors import PlantError, TaktError
from .plant import Plant
from .run import Run

LAST = "5 s"  # of a recording that a failed test shows
FIRST_PORT, PORTS_OF_WORKER = 31000, 50
RUNS = pytest.StashKey[list[Run]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("takt")
    group.addoption("--takt-pace", choices=("free", "real"), help="pace of runs whose test names none (default: free)")
    parser.addini("takt_plant", "plant of *.scenario.toml, from the root folder (default: the plant.toml beside or above the file)")
    parser.addini("takt_rig", "rig of *.scenario.toml, from the root folder (default: none)")


@pytest.fixture
def takt_plant(request: pytest.FixtureRequest) -> Callable[..., Plant]:
    """takt_plant(PATH, ...): as takt.Plant, paths counting from the root folder."""

    def make(path: str | os.PathLike[str], **options: Any) -> Plant:
        for key in ("rig", "solve"):
            if options.get(key) is not None:
                options[key] = request.config.rootpath / options[key]
        return Plant(request.config.rootpath / path, **options)

    return make


@pytest.fixture
def takt_run(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Run]]:
    """takt_run(PLANT, ...): a run that has begun, options as of Plant.run(). It is ended after the test, which fails where the run did."""
    runs = request.node.stash.setdefault(RUNS, [])

    def start(plant: Plant, **options: Any) -> Run:
        options.setdefault("pace", request.config.getoption("--takt-pace") or "free")
        options.setdefault("out", tmp_path / f"{plant.name}-{len(runs) + 1}")
        run = plant.run(**options)
        runs.append(run)
        return run.start()

    yield start
    failed = request.node.stash.get(FAILED, False)
    for run in reversed(runs):
        if failed:
            settle(run)
        else:
            run.__exit__(None, None, None)


@pytest.fixture
def takt_port(worker_number: int) -> Callable[[], int]:
    """takt_port(): a TCP port for a virtual bus, of this worker alone: `buses={"can0.port": takt_port()}`."""
    ports = itertools.cycle(range(PORTS_OF_WORKER))

    def port() -> int:
        for _ in range(PORTS_OF_WORKER):
            number = FIRST_PORT + PORTS_OF_WORKER * worker_number + next(ports)
            with socket.socket() as tried, contextlib.suppress(OSError):
                tried.bind(("127.0.0.1", number))
                return number
        raise OSError("no TCP port is free")

    return port


@pytest.fixture(scope="session")
def worker_number() -> int:
    """Of pytest-xdist; 0 without it."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """The runs of a failed test are ended, and its report says where they are."""
    outcome = yield
    report = outcome.get_result()
    if report.when not in ("call", "setup") or not report.failed:
        return
    item.stash[FAILED] = True
    for run in item.stash.get(RUNS, []):
        settle(run)
        report.sections.append(("takt", "\n".join(left_by(run))))


def settle(run: Run) -> None:
    with contextlib.suppress(TaktError):
        run.stop()


def left_by(run: Run) -> list[str]:
    lines = [f"run directory: {run.directory}"]
    with contextlib.suppress(TaktError, ValueError, OSError):
        lines.append(f"picture of its last {LAST}: {picture_of(run)}")
        recorded = {path for table in run.results.tables for path in table.paths}
        if missing := [path for path in run.looked_at if path not in recorded]:
            lines.append(f"not recorded, so not in it: {', '.join(missing)}")
    return lines + [str(event) for event in run.events()[-10:]]


def picture_of(run: Run) -> Path:
    """Of what the test has looked at, as far as it is recorded; else of the first signals."""
    table = run.results.tables[0]
    for other in run.results.tables:
        if sum(path in other for path in run.looked_at) > sum(path in table for path in run.looked_at):
            table = other
    shown = [path for path in run.looked_at if path in table] or table.paths[:8]
    return table.last(LAST).plot(shown, run.directory.name).save(run.directory / "failure.svg")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name.endswith(".scenario.toml"):
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


class ScenarioFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        yield Scenario.from_parent(self, name=self.path.name.removesuffix(".scenario.toml"))


class Scenario(pytest.Item):
    """A run that a scenario judges."""

    def runtest(self) -> None:
        factory: pytest.TempPathFactory = self.config._tmp_path_factory  # type: ignore[attr-defined]
        rig = self.config.getini("takt_rig")
        plant = Plant(self.plant_path(), rig=self.config.rootpath / rig if rig else None)
        pace: Literal["free", "real"] = self.config.getoption("--takt-pace") or "free"
        run = plant.run(pace=pace, scenario=self.path, lock_step=False, out=factory.mktemp(self.name))
        self.stash.setdefault(RUNS, []).append(run)
        with run:
            run.finish()

    def plant_path(self) -> Path:
        given = self.config.getini("takt_plant")
        if given:
            return self.config.rootpath / str(given)
        for folder in self.path.parents:
            if (folder / "plant.toml").is_file():
                return folder
        raise PlantError(
            f"which plant is {self.path} for? There is no plant.toml beside or above it; name it by `takt_plant` in pytest.ini"
        )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        if not isinstance(excinfo.value, TaktError):
            return str(super().repr_failure(excinfo))
        lines = [str(excinfo.value)]
        for run in self.stash.get(RUNS, []):
            with contextlib.suppress(TaktError):
                judged = run.results.summary["scenario"]["expectations"]
                lines += [f"{each['verdict']}: {each['name'] or each['text']} {each['because']}".rstrip() for each in judged]
        return "\n".join(lines)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"scenario {self.name}"
