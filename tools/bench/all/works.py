"""What is measured: pieces of work, each beside a peer that runs in turn with it."""

import dataclasses
import json
import math
import os
import pathlib
import shutil
import statistics
import sys
from typing import Callable

import machine
import pairs
from machine import ROOT, Failed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(machine.BY_HAND))
import beside_plant  # noqa: E402
import cores  # noqa: E402
import scale  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Spec:
    """A plant that is measured: simulated time of a run, and of a unit of work."""

    duration_s: float
    per_s: float
    per: str
    quick: bool = True  # in a quick run, too
    options: tuple = ()


BY_HAND = "inverter_by_hand"
JOLT = ("--start", "given", "--tolerate", "X004")  # copies have no steady start: in the first half second a window or two find no solution
PLANTS = {
    "bev": Spec(100, 20e-3, "20 ms"),
    "ev": Spec(10, 1e-3, "1 ms"),
    "inverter": Spec(0.4, 1e-6, "1 us"),
    "inverter_power": Spec(1, 1e-6, "1 us"),
    BY_HAND: Spec(1, 1e-6, "1 us"),
    "drive": Spec(20, 1e-3, "1 ms"),
    "hybrid": Spec(20, 10e-3, "10 ms"),
    "rc": Spec(60, 1e-3, "1 ms"),
    "buck": Spec(0.4, 1e-6, "1 us", False),
    "boost": Spec(0.4, 1e-6, "1 us", False),
    "flyback": Spec(0.4, 1e-6, "1 us", False),
    "rectifier": Spec(2, 1e-6, "1 us", False),
    "bev:10": Spec(10, 20e-3, "20 ms", True, JOLT),  # so many copies in one plant
    "bev:100": Spec(2, 20e-3, "20 ms", False, JOLT),
    "inverter:12": Spec(0.04, 1e-6, "1 us", False, JOLT),
}
SINGLES = {"bev:1": Spec(50, 20e-3, "20 ms", False, JOLT), "inverter:1": Spec(0.4, 1e-6, "1 us", False, JOLT)}
SINGLE = {"bev:10": "bev:1", "bev:100": "bev:1", "inverter:12": "inverter:1"}
CHECKED = "bev:10"  # the plant that `takt check` reads, and whose sources are compiled


def plant_file(name, folder):
    return ROOT / "tools/bench" / name if name == BY_HAND else cores.plant_file(name, folder)


def spec_of(name):
    return PLANTS.get(name) or SINGLES[name]


class Bench:
    """Built plants of one takt, and the CPU they run on."""

    def __init__(self, takt, cpu, folder, counting=True):
        self.takt, self.cpu, self.folder = takt, cpu, folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.hand, self.same, self.built = None, None, {}
        self.counting = counting and shutil.which("valgrind") is not None

    def executable(self, name):
        if name not in self.built:
            self.built[name] = pathlib.Path(self.build(name, self.folder / "built" / name.replace(":", "_x")))
        return self.built[name]

    def build(self, name, folder):
        plant = plant_file(name, self.folder / "plants")
        print(f"  building {name}", file=sys.stderr)
        return machine.output_of([self.takt, "build", plant, "--out", folder]).strip().splitlines()[-1]

    def plant(self, name):
        return self.plant_of(name, self.executable(name))

    def plant_of(self, name, executable):
        spec = spec_of(name)
        return machine.Plant(self.cpu, executable, (spec.duration_s, spec.per_s), spec.options)

    def by_hand(self):
        self.hand = self.hand or machine.ByHand(self.cpu, self.folder, 1_000_000)
        return self.hand

    def same_work(self):
        """What the plant inverter_power computes, by hand: compared with it before it is measured."""
        if self.same is None:
            self.same = machine.ByHand(self.cpu, self.folder, 1_000_000, "same_work")
            beside_plant.check(self.executable("inverter_power"), self.same.executable, self.folder / "same_work_results")
        return self.same

    def check_ns(self):
        """CPU time of `takt check`."""
        return 1e9 * self.cpu.seconds([self.takt, "check", plant_file(CHECKED, self.folder / "plants"), "--json"])

    def compile_ns(self):
        """CPU time of a build from nothing."""
        target = self.folder / "compiled"
        shutil.rmtree(target, ignore_errors=True)
        return 1e9 * self.cpu.seconds([self.takt, "build", plant_file(CHECKED, self.folder / "plants"), "--out", target], env={**os.environ, "CCACHE_DISABLE": "1"})

    def compile_hand_ns(self):
        return 1e9 * self.cpu.seconds([*machine.COMPILE_HAND, machine.BY_HAND / "by_hand.cpp", "-o", self.folder / "compiled_by_hand"], env={**os.environ, "CCACHE_DISABLE": "1"})


@dataclasses.dataclass(frozen=True)
class Work:
    name: str
    what: str  # of which cost the ratio is, over what
    prepare: Callable  # Bench -> Sides
    quick: bool = True
    most_pairs: int = 48


@dataclasses.dataclass
class Sides:
    """Both measured, in the same unit; what counts their instructions, where that is possible."""

    one: Callable
    other: Callable
    one_instructions: Callable | None = None
    other_instructions: Callable | None = None
    ready: list | None = None  # pairs that another program has measured


def beside_hand(name):
    def prepare(bench):
        plant, hand = bench.plant(name), bench.by_hand()
        return Sides(plant.ns, hand.ns, plant.instructions, hand.instructions)

    spec = PLANTS[name]
    return Work(name, f"a plant's {spec.per} over a step of the kernel by hand", prepare, spec.quick)


SAME_WORK = "inverter_same_work"


def beside_same_work():
    def prepare(bench):
        plant, hand = bench.plant("inverter_power"), bench.same_work()
        return Sides(plant.ns, hand.ns, plant.instructions, hand.instructions)

    return Work(SAME_WORK, "inverter_power over a kernel by hand with its edges, losses, maps and energies", prepare)


def copies(name):
    count = int(name.partition(":")[2])

    def prepare(bench):
        many, single = bench.plant(name), bench.plant(SINGLE[name])
        return Sides(lambda: many.ns() / count, single.ns, lambda: many.instructions() / count, single.instructions)

    return Work(name.replace(":", "_x"), f"each of {count} copies of {name.partition(':')[0]} in one plant over a single one", prepare, PLANTS[name].quick)


def executive(name):
    def prepare(bench):
        return Sides(bench.plant(name).executive_ns, bench.by_hand().ns)

    return Work(f"executive_{name}", f"a window of {name} without its solver over a step of the kernel by hand", prepare)


def option(kind, name, off, on, of):
    """The same executable with and without something."""

    def prepare(bench):
        plant = bench.plant(name)
        out = ["--no-report", "--out", str(bench.folder / "run")]
        return Sides(lambda: plant.ns(*out, *on, of=of), lambda: plant.ns(*out, *off, of=of))

    return Work(f"{kind}_{name}", f"{name} with {' '.join(on) or 'an idle tap'} over {name} {'with ' + off[0] if off else 'without'}", prepare)


def peer(kind, name, quick):
    """Peers that `takt bench` runs in turn with the plant."""

    def prepare(bench, count=12):
        command = [bench.takt, "bench", plant_file(name, bench.folder), "--peer", kind, "--runs", count, "--cpu", bench.cpu.number, "--json"]
        found = json.loads(machine.output_of(command, cwd=bench.folder))
        if kind == "ngspice":
            costs = found["cpu_s_per_simulated_s"]
            own, others = costs["takt"]["solution"]["each"], costs["peer"]["solution"]["each"]
        else:
            rows = found["sundials"]["rows"]
            own = rows[0]["cpu_s_per_simulated_s"]["each"]
            others = min((row["cpu_s_per_simulated_s"] for row in rows[1:]), key=lambda cost: cost["median"])["each"]
        return Sides(None, None, ready=[(1e9 * a, 1e9 * b) for a, b in zip(own, others)])

    best = "" if kind == "ngspice" else ", the fastest that is as accurate"
    return Work(f"{kind}_{name}", f"CPU time of a simulated second of {name} over that of {kind}{best}", prepare, quick)


def check():
    def prepare(bench):
        return Sides(bench.check_ns, bench.by_hand().ns)

    return Work("check", f"`takt check` of {CHECKED.replace(':', '_x')} over a step of the kernel by hand", prepare, most_pairs=12)


def compiled():
    def prepare(bench):
        return Sides(bench.compile_ns, bench.compile_hand_ns)

    return Work("build", f"generating and compiling {CHECKED.replace(':', '_x')} over compiling the kernel by hand", prepare, quick=False, most_pairs=8)


WORKS = [
    *(beside_hand(name) for name in PLANTS if ":" not in name),
    beside_same_work(),
    *(copies(name) for name in SINGLE),
    *(executive(name) for name in ("drive", "ev", "bev")),
    *(option("trace", name, [], ["--trace", "3600 s"], "busy_s") for name in ("bev", "ev", "inverter")),
    *(option("tap", name, ["--no-tap"], [], "wall_s") for name in ("bev", "ev")),
    *(peer("ngspice", name, name == "inverter_power") for name in ("inverter_power", "rectifier", "buck", "rc")),
    peer("sundials", "bev", False),
    check(),
    compiled(),
]


def counts(bench, one, other):
    """Instructions that two functions count, where that is wanted and possible."""
    return (round(one(), 1), round(other(), 1)) if one and bench.counting else (None, None)


def measure(work, bench, most_pairs):
    """One row of a run: the ratio of a work to its peer."""
    sides = work.prepare(bench)
    taken = sides.ready or [pairs.in_turn(sides.one, sides.other) for _ in range(min(most_pairs, work.most_pairs))]
    if any(value <= 0 for pair in taken for value in pair):
        raise Failed(f"{work.name}: a run took no time that could be measured: {taken}")
    return row(work.name, work.what, taken, counts(bench, sides.one_instructions, sides.other_instructions))


def row(name, what, taken, instructions, wrong=pairs.WRONG):
    ratio = pairs.ratio_of([math.log(one / other) for one, other in taken], wrong)
    return {"name": name, "what": what, "ns": statistics.median(one for one, _ in taken), "peer_ns": statistics.median(other for _, other in taken),
            **dataclasses.asdict(ratio), "instructions": instructions[0], "peer_instructions": instructions[1], "taken_ns": taken}
