#!/usr/bin/env python3
"""tools/bench/scale.py [KIND...] [--sizes 500,5000,50000] [--compile | --all] [--run [--counts 1,10,100] [--for 20s]] [--takt TAKT] [--keep FOLDER]

What the generator costs over the size of a plant: time and memory of `takt check`, the exponent of its growth, and with
--compile the time a compiler needs for the generated sources on one core. --all also tells what takt itself and what compilers take, memory, size of
the sources, and what a step costs in microseconds, of networks without storages beside KLU's factor and solve of the same matrix (where takt-sparse-bench is
built) and the kernel of the plant on it alone. With --run, instead, what a built plant of so many copies costs in each
macro-step, side by side and one by one: medians of five free runs, in turn, pinned, and under SCHED_FIFO where that is allowed. Kinds of plants, each of parts in one file;
where none is named, the first two and cells:

  vehicles copies of config/plants/bev: all domains, 28 circuits each
  fleet    copies of config/plants/ev: an electric circuit each, many small mechanical and solid ones, control
  ladder   one electric circuit, a chain of resistors, inductors and capacitors
  mesh     one electric circuit, a mesh of resistors with a capacitor on every tenth node: large linear blocks
  walls    one solid circuit, a chain of walls
  drives   mechanical circuits of an inertia, a spring, a gear and a damper each
  cells    all domains: an engine shaft with a clutch and a machine, its electric circuit, a coolant loop with a pump and a radiator,
           air that a fan draws through it, walls between them, a controller
  series, rungs, tree, grid, chords
           resistors without storages: a chain, a ladder, a binary tree, a grid, a grid with chords; of these and pipes --sizes are elements
  pipes    looped pipes without inertia, with a demand at half of their nodes
"""

import argparse
import functools
import json
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

import network_costs
import network_shapes

ROOT = pathlib.Path(__file__).resolve().parents[2]


def copies(plant, count):
    """A plant of config/plants as a part; inputs and parameters stay the plant's and are shared."""
    folder = ROOT / "config/plants" / plant
    text = re.sub(r'csv = "', f'csv = "{folder}/', (folder / "plant.toml").read_text())
    text, tail = text.split("[solve]")
    text = re.sub(r"(?m)^(start|fixed) .*\n", "", text)
    text = re.sub(r"(?m)^\[(electric|rotational|translational|solid|fluid|gas|control|parts)\b", r"[part.vehicle.\1", text)
    text = text.replace("[part.vehicle.electric]", "[part.vehicle]\n[part.vehicle.electric]", 1)
    tail = re.sub(r'(?m)^"(\w+)\.', r'"\1.fleet[*].', tail.split("[record]")[0])
    return f'{text}\n[parts]\nfleet = {{ of = "vehicle", at = [], n = {count} }}\n[solve]{tail}[record]\n"100 ms" = ["translational.fleet[0].car.speed"]\n'


def ladder(count):
    return f"""[plant]
title = "RLC ladder"
[electric]
source = {{ is = "voltage_source", at = ["n[0]", "gnd"], v = "10 V*sin(2*pi*50 Hz*time)" }}
r = {{ is = "resistor", at = ["n[i]", "m[i]"], r = "1 Ohm*(1 + 0.001*i)", n = {count} }}
l = {{ is = "inductor", at = ["m[i]", "n[i+1]"], l = "1 mH", n = {count} }}
c = {{ is = "capacitor", at = ["n[i+1]", "gnd"], c = "1 mF", n = {count} }}
[record]
"10 ms" = ["electric.r[0].i"]
"""


def mesh(count):
    side = max(2, round(math.sqrt(count)))
    rows = [f'x{y} = {{ is = "resistor", at = ["a{y}[i]", "a{y}[i+1]"], r = "1 Ohm", n = {side - 1} }}' for y in range(side)]
    rows += [f'y{y} = {{ is = "resistor", at = ["a{y}[i]", "a{y + 1}[i]"], r = "2 Ohm", n = {side} }}' for y in range(side - 1)]
    rows += [f'c{y} = {{ is = "capacitor", at = ["a{y}[{(7 * y + 1) % side}]", "gnd"], c = "1 mF" }}' for y in range(0, side)]
    source = 'source = { is = "voltage_source", at = ["a0[0]", "gnd"], v = "10 V" }'
    return '[plant]\ntitle = "mesh of resistors"\n[electric]\n' + "\n".join([source] + rows) + '\n[record]\n"10 ms" = ["electric.source.i"]\n'


def walls(count):
    half = max(1, count // 2)  # two arrays: the length of one is limited
    return f"""[plant]
title = "chain of walls"
[solid]
air = {{ is = "temperature_boundary", t = "20 degC" }}
first = {{ is = "heat_transfer", at = ["air", "hot[0]"], c = "1 W/K" }}
hot = {{ is = "wall", m = "1 kg", cp = "900 J/kg/K", start = {{ t = "50 degC" }}, n = {half} }}
cold = {{ is = "wall", m = "1 kg", cp = "900 J/kg/K", start = {{ t = "10 degC" }}, n = {half} }}
across = {{ is = "heat_transfer", at = ["hot[i]", "cold[i]"], c = "2 W/K", n = {half} }}
along = {{ is = "heat_transfer", at = ["cold[i]", "hot[i+1]"], c = "2 W/K", n = {half - 1} }}
[record]
"10 ms" = ["solid.hot[0].t"]
"""


def drives(count):
    return f"""[plant]
title = "drive lines"
[part.drive.rotational]
motor = {{ is = "torque_source", at = ["a"], torque = "10 N*m" }}
rotor = {{ is = "inertia", at = ["a"], j = "0.1 kg*m^2" }}
gear = {{ is = "gear", at = ["a", "b"], ratio = 3 }}
wheel = {{ is = "inertia", at = ["b"], j = "1 kg*m^2" }}
shaft = {{ is = "spring", at = ["b", "c"], c = "1000 N*m/rad" }}
load = {{ is = "inertia", at = ["c"], j = "1 kg*m^2" }}
drag = {{ is = "damper", at = ["c", "frame"], d = "1 N*m*s/rad" }}
[part.drive]
[parts]
line = {{ of = "drive", at = [], n = {count} }}
[record]
"10 ms" = ["rotational.line[0].rotor.w"]
"""


def cells(count):
    return f"""[plant]
title = "cells of all domains"
[part.cell]
[part.cell.control]
every = "1 ms"
governor = {{ is = "pi", of = "100 rad/s - rotational.rotor.w", kp = "1 N*m*s/rad", ki = "0.5 N*m/rad", min = "-50 N*m", max = "50 N*m" }}
[part.cell.rotational]
engine = {{ is = "torque_source", at = ["crank"], torque = "control.governor" }}
crank  = {{ is = "inertia", at = ["crank"], j = "0.15 kg*m^2" }}
clutch = {{ is = "clutch", at = ["crank", "shaft"], capacity = "200 N*m", w_reg = "1 rad/s", heat = "solid.plate" }}
rotor  = {{ is = "inertia", at = ["shaft"], j = "0.05 kg*m^2" }}
gear   = {{ is = "gear", at = ["shaft", "out"], ratio = 3 }}
drag   = {{ is = "damper", at = ["out", "frame"], d = "0.2 N*m*s/rad" }}
[part.cell.electric]
motor = {{ is = "dc_machine", at = ["m", "gnd", "rotational.shaft"], k = "0.1 N*m/A", r = "0.1 Ohm", l = "1 mH", heat = "solid.plate" }}
load  = {{ is = "resistor", at = ["m", "n"], r = "0.5 Ohm", heat = "fluid.tank" }}
coil  = {{ is = "inductor", at = ["n", "o"], l = "1 mH" }}
smooth = {{ is = "capacitor", at = ["o", "gnd"], c = "10 mF" }}
bleed = {{ is = "resistor", at = ["o", "gnd"], r = "2 Ohm", heat = "solid.case" }}
[part.cell.fluid]
medium = "water_glycol_50"
tank   = {{ is = "expansion_tank", v = "2 l", v_gas = "1 l" }}
jacket = {{ is = "volume", v = "0.3 l", start = {{ t = "60 degC" }} }}
pump   = {{ is = "pump", at = ["tank", "in"], dp_0 = "0.5 bar", q_0 = "0.4 kg/s" }}
hose   = {{ is = "pipe", at = ["in", "jacket"], length = "2 m", diameter = "15 mm" }}
cooler = {{ is = "pipe", at = ["jacket", "core"], length = "2 m", diameter = "15 mm" }}
back   = {{ is = "pipe", at = ["core", "tank"], length = "2 m", diameter = "15 mm" }}
[part.cell.gas]
medium = "air"
outside = {{ is = "boundary", p = "1 bar", t = "293 K" }}
filter = {{ is = "resistance", at = ["outside", "behind"], r = "2e3 Pa*s/kg" }}
fan    = {{ is = "fan", at = ["behind", "box"], dp_0 = "800 Pa", q_0 = "0.4 kg/s", speed = "0.8" }}
box    = {{ is = "plenum", v = "0.3 m^3", start = {{ p = "1 bar", t = "300 K" }} }}
grille = {{ is = "orifice", at = ["box", "outside"], area = "100 cm^2" }}
[part.cell.solid]
plate  = {{ is = "wall", m = "3 kg", cp = "900 J/kg/K", start = {{ t = "60 degC" }} }}
case   = {{ is = "wall", m = "2 kg", cp = "900 J/kg/K", start = {{ t = "40 degC" }} }}
fins   = {{ is = "wall", m = "1 kg", cp = "900 J/kg/K", start = {{ t = "40 degC" }} }}
joint  = {{ is = "heat_transfer", at = ["plate", "case"], c = "5 W/K" }}
wet    = {{ is = "heat_transfer", at = ["plate", "fluid.jacket"], c = "200 W/K" }}
give   = {{ is = "heat_transfer", at = ["fins", "fluid.core"], c = "200 W/K" }}
take   = {{ is = "heat_transfer", at = ["fins", "gas.box"], c = "100 W/K" }}
shed   = {{ is = "heat_transfer", at = ["case", "gas.box"], c = "10 W/K" }}
[parts]
cell = {{ of = "cell", at = [], n = {count} }}
[record]
"10 ms" = ["rotational.cell[0].rotor.w"]
"""


KINDS = {"vehicles": lambda count: copies("bev", count), "cells": cells, "fleet": lambda count: copies("ev", count), "ladder": ladder, "mesh": mesh, "walls": walls, "drives": drives,
         **{shape: functools.partial(network_shapes.resistors, shape) for shape in ("series", "rungs", "tree", "grid", "chords")},
         "pipes": network_shapes.pipes}


def checked(takt, plant):
    """Equations, seconds of CPU time (the least of three runs) and MB of `takt check`, each run in a process of its own."""
    measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
               "used = resource.getrusage(resource.RUSAGE_CHILDREN);"
               "print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)")
    seconds = math.inf
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", measure, takt, "check", plant, "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{plant} is refused:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        used = done.stderr.split()
        seconds = min(seconds, float(used[-2]))
    return json.loads(done.stdout)["equations"], seconds, int(used[-1]) / 1024


def compiled(takt, plant, folder):
    """CPU seconds of a build on one core; `takt build` starts its own tools."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["taskset", "-c", "0", takt, "build", plant, "--out", folder], capture_output=True, text=True,
                          env={**os.environ, "CCACHE_DISABLE": "1"})
    if done.returncode != 0:
        sys.exit(f"{plant} does not build:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cost_of_run(executable, cpu, duration, *form):
    """Seconds of CPU time per macro-step."""
    command = [str(executable), "--pace", "free", "--no-results", "--audit", "off", "--quiet", "--json", "--start", "given", "--for", duration, *form]
    command = ["taskset", "-c", str(cpu)] + command
    if subprocess.run(["chrt", "-f", "50", "true"], capture_output=True).returncode == 0:
        command = ["chrt", "-f", "50"] + command
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{executable} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    summary = json.loads(done.stdout)
    return summary["busy_s"] / summary["macro_steps"]


FORMS = ((), ("--one-by-one",))  # copies side by side, and each for itself


def measure_runs(arguments, folder, kind):
    """One row a count: cost of a macro-step, that of each copy over the first row's, and that of a copy one by one."""
    counts = [int(count) for count in arguments.counts.split(",")]
    built = {}
    for count in counts:
        name = folder / f"{kind}_x{count}.toml"
        folder.mkdir(parents=True, exist_ok=True)
        name.write_text(KINDS[kind](count))
        built[count] = compiled(arguments.takt, name, folder / name.stem)
    costs = {(count, form): [] for count in counts for form in FORMS}
    for _ in range(5):  # in turn: what else the machine does hits all of them
        for count, form in costs:
            name = f"{kind}_x{count}"
            costs[count, form].append(cost_of_run(folder / name / "bin" / name, arguments.cpu, arguments.duration, *form))
    print(f"{'plant':<8} {'copies':>7} {'build CPU s':>12} {'us per step':>12} {'us per copy':>12} {'of the first':>13} {'one by one':>11}")
    first = statistics.median(costs[counts[0], ()]) / counts[0]
    for count in counts:
        step, alone = (statistics.median(costs[count, form]) for form in FORMS)
        print(f"{kind:<8} {count:>7} {built[count]:>12.1f} {step * 1e6:>12.2f} {step * 1e6 / count:>12.2f} {step / count / first:>13.3f} {alone * 1e6 / count:>11.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--sizes", default="500,5000,50000", help="equations, about")
    parser.add_argument("--compile", action="store_true", help="build the plants, too")
    parser.add_argument("--all", action="store_true", help="build and run the plants, too: all columns")
    parser.add_argument("--run", action="store_true", help="run built plants, too, and say what a step costs")
    parser.add_argument("--counts", default="1,10,100", help="with --run: numbers of copies")
    parser.add_argument("--for", dest="duration", default="20 s", help="with --run: simulated time")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="with --run and --all: CPU to pin to (default: the last one allowed)")
    parser.add_argument("--takt", default=ROOT / "build/release/bin/takt")
    parser.add_argument("--keep", help="leave the plants in this folder")
    arguments = parser.parse_args()
    arguments.kinds = arguments.kinds or ["vehicles", "fleet", "cells"]
    for kind in arguments.kinds:
        if kind not in KINDS:
            parser.error(f"no kind '{kind}'; there are {', '.join(KINDS)}")
    sizes = [int(size) for size in arguments.sizes.split(",")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        if arguments.run:
            for kind in arguments.kinds:
                measure_runs(arguments, folder, kind)
            return
        print(f"{'plant':<8} {'parts':>7} {'equations':>10} {'check CPU s':>12} {'MB':>7} {'exponent':>9}" + ("   build CPU s" if arguments.compile else "")
              + ("".join(f"{name:>12}" for name in network_costs.COLUMNS) if arguments.all else ""))
        for kind in arguments.kinds:
            measure(arguments, folder, kind, sizes)


def measure(arguments, folder, kind, sizes):
    last = None
    for size in sizes:
        name = folder / f"{kind}_{size}.toml"
        folder.mkdir(parents=True, exist_ok=True)
        count = max(2, int(size / {"vehicles": 461, "cells": 66, "fleet": 160, "ladder": 5, "mesh": 3, "walls": 2.1, "drives": 13}.get(kind, 1)))
        name.write_text(KINDS[kind](count))
        equations, seconds, megabytes = checked(arguments.takt, name)
        exponent = math.log(seconds / last[1]) / math.log(equations / last[0]) if last and equations != last[0] else float("nan")
        row = f"{kind:<8} {count:>7} {equations:>10} {seconds:>12.2f} {megabytes:>7.0f} {exponent:>9.2f}"
        if arguments.compile:
            row += f" {compiled(arguments.takt, name, folder / f'{kind}_{size}'):>13.1f}"
        if arguments.all:
            row += "".join(f"{cell:>12}" for cell in network_costs.costs(arguments, kind, count, name).cells())
        print(row, flush=True)
        last = (equations, seconds)


if __name__ == "__main__":
    main()
