#!/usr/bin/env python3
"""What a slow window does to a fast group of the same CPU: from its release to its frame on the bus, with a window of about 20 ms
computing time every 100 ms and without it, and cyclictest on that CPU, in alternating blocks.

    slow_group.py --takt build/release/bin/takt --work DIR --cpu 1 --blocks 5 --for "20 s"

The group of 1 ms (a circuit, one CAN frame a window on the virtual bus) and the slow one (walls) are decoupled: the slow window
runs in a thread below, until the end of its 100 ms. Needs cyclictest and the right to real-time priorities. `--only-build` leaves
the executables `fast` and `slow` in DIR, for other machines."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

PLANT = """[plant]
title    = "A circuit every millisecond, walls every 100 ms"
duration = "20 s"
error    = "off"
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time)" }}
r      = {{ is = "resistor", at = ["in", "out"], r = "100 Ohm*(1 + 0.003 1/K*(solid.body[0].t - 300 K))", heat = "solid.body[0]" }}
c      = {{ is = "capacitor", at = ["out", "gnd"], c = "100 uF" }}
[solid]
body = {{ is = "wall", m = "1 g", cp = "400 J/kg/K", start = {{ t = "300 K" }}, n = 40 }}
link = {{ is = "heat_transfer", at = ["body[i]", "body[i+1]"], c = "0.5 W/K", n = 39 }}
[solve]
electric = {{ step = "100 us", method = "rk4" }}
solid    = {{ step = "{step}", method = "rk4" }}
[sync]
fast  = {{ members = ["electric"], every = "1 ms" }}
slow  = {{ members = ["fast", "solid"], every = "100 ms", scheme = "decoupled" }}
"""
RIG = """[rig]
pace = "real"
[bus.can0]
kind = "can"
virtual = true
dbc = "plant.dbc"
simulate = ["PLANT"]
[bus.can0.send]
"State.voltage" = "electric.c.v"
"""
DBC = """VERSION ""

BU_: PLANT ECU

BO_ 256 State: 2 PLANT
 SG_ voltage : 0|16@1- (0.001,0) [-32|32] "V" ECU

BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 1;
"""


def build(arguments, name, step):
    folder = arguments.work / f"{name}_plant"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plant.toml").write_text(PLANT.format(step=step))
    (folder / "rig.toml").write_text(RIG)
    (folder / "plant.dbc").write_text(DBC)
    built = subprocess.run([arguments.takt, "build", folder / "plant.toml", "--rig", folder / "rig.toml", "--out", arguments.work / name], capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return built.stdout.strip().splitlines()[-1]


def plant_block(executable, arguments):
    done = subprocess.run([executable, "--json", "--quiet", "--no-results", "--audit", "off", "--pace", "real", "--late", "any", "--for", arguments.duration, "--cpu", str(arguments.cpu)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr or done.stdout)
    summary = json.loads(done.stdout)
    slow = max(rate["compute_us"]["p50"] for rate in summary["rates"])
    return summary["io"]["statistics"]["buses"][0]["window_to_send"], summary["overruns"]["count"], slow


def cyclictest_block(arguments):
    seconds = arguments.duration.split()[0]
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["cyclictest", "--quiet", "--mlockall", "--priority=80", "--policy=fifo", "--threads=1", f"--affinity={arguments.cpu}", "--interval=1000", "--histogram=20000", f"--duration={seconds}", f"--json={file.name}"], check=True, stdout=subprocess.DEVNULL)
        counts = json.load(open(file.name))["thread"]["0"]["histogram"]
    total, so_far, found = sum(counts.values()), 0, {}
    for us, count in sorted((int(us), count) for us, count in counts.items()):
        so_far += count
        for name, share in (("p50_us", 0.5), ("p99_us", 0.99), ("p999_us", 0.999), ("max_us", 1)):
            if so_far >= share * total:
                found.setdefault(name, us)
    return found


def row(name, blocks):
    cells = [f"{statistics.median(block[key] for block in blocks):.0f}" for key in ("p50_us", "p99_us", "p999_us", "max_us")]
    print(f"| {name} | {' | '.join(cells)} | {max(block['max_us'] for block in blocks):.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", default="build/release/bin/takt")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--for", dest="duration", default="20 s")
    parser.add_argument("--slow-step", default="1.25 us", help="of the walls: the shorter, the longer the slow window computes")
    parser.add_argument("--only-build", action="store_true")
    arguments = parser.parse_args()
    without, beside = build(arguments, "fast", "2 ms"), build(arguments, "slow", arguments.slow_step)
    if arguments.only_build:
        return
    blocks = {"without": [], "beside": [], "cyclictest": []}
    overruns, slow = [0, 0], 0.0
    for _ in range(arguments.blocks):
        found, late, _ = plant_block(without, arguments)
        blocks["without"].append(found)
        overruns[0] += late
        found, late, slow = plant_block(beside, arguments)
        blocks["beside"].append(found)
        overruns[1] += late
        blocks["cyclictest"].append(cyclictest_block(arguments))
    print(f"release to send of the 1 ms group, us, medians of {arguments.blocks} blocks of {arguments.duration}; the slow window computes {slow / 1e3:.1f} ms")
    print("| block | p50 | p99 | p99.9 | max | max of all |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    row(f"without the slow group ({overruns[0]} overruns)", blocks["without"])
    row(f"with it ({overruns[1]} overruns)", blocks["beside"])
    row("cyclictest, wake-up", blocks["cyclictest"])


if __name__ == "__main__":
    main()
