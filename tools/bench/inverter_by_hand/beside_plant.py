#!/usr/bin/env python3
"""tools/bench/inverter_by_hand/beside_plant.py [--takt TAKT] [--finer 20] [--for 200] [--pairs 15] [--cpu 1]

The plant config/plants/inverter_power beside same_work.cpp, the same written by hand for this one circuit: currents, voltages, energies of edges and
temperatures of both against the plant with micro-steps that are --finer times shorter, and what a step of 1 us of each costs. Exit code 1 where the two
differ by more than TOLERANCE of a signal's range, or where the one by hand is less accurate than the plant by more than a quarter."""

import argparse
import csv
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/bench/all"))
from machine import Failed  # noqa: E402

TOLERANCE = {"i": 1e-4, "v": 1e-4, "t": 2e-3, "switching": 3e-3, "recovery": 1e-9}  # of the range, by what it is: twice the plant's own errors


def read(path):
    columns = list(zip(*csv.reader(path.open())))
    return {column[0].partition(" ")[0]: [float(value) for value in column[1:]] for column in columns}


def of_plant(executable, folder, milliseconds):
    done = subprocess.run([str(executable), "--pace", "free", "--audit", "off", "--quiet", "--for", f"{milliseconds} ms", "--out", str(folder)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{executable} ended with {done.returncode}:\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
    return at_whole_milliseconds(read(folder / "signals.csv"), milliseconds)


def at_whole_milliseconds(signals, milliseconds):
    """From 1 ms on: the kernel by hand writes no start values."""
    time = next(name for name in signals if name.startswith("time"))
    kept = [row for row, t in enumerate(signals[time]) if round(1e3 * t) >= 1]
    if len(kept) != milliseconds:
        raise Failed(f"{len(kept)} rows in {milliseconds} ms")
    return {name: [values[row] for row in kept] for name, values in signals.items() if name != time}


def by_hand(kernel, folder, milliseconds):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([str(kernel), str(1000 * milliseconds), str(folder / "by_hand.csv")], check=True, capture_output=True)
    return at_whole_milliseconds(read(folder / "by_hand.csv"), milliseconds)


def difference(one, other):
    """{signal: RMS over the range of the other}"""
    found = {}
    for name in sorted(one.keys() & other.keys()):
        pairs = list(zip(one[name], other[name], strict=True))
        scale = max(other[name]) - min(other[name]) or 1.0
        found[name] = math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs)) / scale
    return found


def check(executable, kernel, folder, milliseconds=100):
    """@return the largest difference of each kind of signal   @throws Failed"""
    found = difference(by_hand(kernel, folder, milliseconds), of_plant(executable, folder / "plant", milliseconds))
    largest = {}
    for name, value in found.items():
        kind = name.rpartition(".")[2]
        largest[kind] = max(largest.get(kind, 0.0), value)
        if not value <= TOLERANCE[kind]:
            raise Failed(f"{name} of {kernel} differs from the plant's by {value:.3g} of its range; {TOLERANCE[kind]:g} is allowed")
    if set(largest) != set(TOLERANCE):
        raise Failed(f"signals of kinds {sorted(largest)} were compared, not {sorted(TOLERANCE)}")
    return largest


def finer(takt, folder, times):
    """The plant with steps that many times shorter."""
    folder = folder / "inverter_power"
    shutil.copytree(ROOT / "config/plants/inverter_power", folder, ignore=shutil.ignore_patterns(".takt"))
    file = folder / "plant.toml"
    text = file.read_text()
    changed = text.replace('electric = { step = "1 us" }', f'electric = {{ step = "{1000 / times:g} ns" }}')
    if changed == text:
        sys.exit(f"{file} has no step of 1 us")
    file.write_text(changed)
    return build(takt, file, folder / "built")


def build(takt, plant, folder):
    return subprocess.run([str(takt), "build", str(plant), "--out", str(folder)], check=True, capture_output=True, text=True).stdout.strip().splitlines()[-1]


def accuracy(arguments, folder, plant, kernel):
    reference = of_plant(finer(arguments.takt, folder, arguments.finer), folder / "finer", arguments.milliseconds)
    errors = [difference(signals, reference) for signals in (of_plant(plant, folder / "plant", arguments.milliseconds), by_hand(kernel, folder, arguments.milliseconds))]
    print(f"RMS errors over range, {arguments.milliseconds} ms, against steps of {1000 / arguments.finer:g} ns")
    print(f"{'signal':<40} {'plant':>10} {'by hand':>10}")
    worse = []
    for name in errors[0]:
        own, hand = errors[0][name], errors[1][name]
        print(f"{name:<40} {own:>10.2e} {hand:>10.2e}")
        if hand > 1.25 * own + 1e-7:
            worse.append(name)
    if worse:
        raise Failed("less accurate than the plant: " + ", ".join(worse))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", type=pathlib.Path, default=ROOT / "build/release/bin/takt")
    parser.add_argument("--finer", type=int, default=20)
    parser.add_argument("--for", dest="milliseconds", type=int, default=200, help="ms that are compared")
    parser.add_argument("--pairs", type=int, default=15, help="of runs of 1 s; 0: none")
    parser.add_argument("--cpu", type=int, default=1)
    arguments = parser.parse_args()
    import works  # needs what stands here

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        bench = works.Bench(arguments.takt, works.machine.Cpu(arguments.cpu, folder), folder)
        plant, kernel = bench.executable("inverter_power"), bench.same_work().executable
        print("differences over range: " + ", ".join(f"{kind} {value:.2g}" for kind, value in check(plant, kernel, folder).items()))
        accuracy(arguments, folder, plant, kernel)
        if arguments.pairs > 0:
            row = works.measure(next(work for work in works.WORKS if work.name == works.SAME_WORK), bench, arguments.pairs)
            print(f"{row['ns']:.1f} ns a step, by hand {row['peer_ns']:.1f}; ratio {row['ratio']:.3f} ({row['low']:.3f} to {row['high']:.3f}), {arguments.pairs} pairs; "
                  f"instructions {row['instructions']} and {row['peer_instructions']}")


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(str(error))
