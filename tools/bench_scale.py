#!/usr/bin/env python3
"""tools/bench_scale.py [KIND...] [--sizes 500,5000,50000] [--compile] [--takt TAKT] [--keep FOLDER]

What the generator costs over the size of a plant: time and memory of `takt check`, the exponent of its growth, and with
--compile the time a compiler needs for the generated sources on one core. Kinds of plants, each of parts in one file:

  fleet    copies of config/plants/ev: one electric circuit (ground joins it), many small mechanical and solid ones, control
  ladder   one electric circuit, a chain of resistors, inductors and capacitors
  mesh     one electric circuit, a mesh of resistors with a capacitor on every tenth node: large linear blocks
  walls    one solid circuit, a chain of walls
  drives   mechanical circuits of an inertia, a spring, a gear and a damper each
"""

import argparse
import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def fleet(count):
    """config/plants/ev as a part; inputs and parameters stay the plant's and are shared."""
    folder = ROOT / "config/plants/ev"
    text = re.sub(r'csv = "', f'csv = "{folder}/', (folder / "plant.toml").read_text())
    text, tail = text.split("[solve]")
    text = re.sub(r"(?m)^\[(electric|rotational|translational|solid|control|parts)\b", r"[part.vehicle.\1", text)
    text = text.replace("[part.vehicle.electric]", "[part.vehicle]\n[part.vehicle.electric]", 1)
    return f'{text}\n[parts]\nfleet = {{ of = "vehicle", at = [], n = {count} }}\n[solve]{tail.split("[record]")[0]}[record]\n"100 ms" = ["translational.fleet[0].car.speed"]\n'


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


KINDS = {"fleet": fleet, "ladder": ladder, "mesh": mesh, "walls": walls, "drives": drives}


def run(command):
    """Output, wall time in s, peak memory in MB."""
    before = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output, errors = process.communicate()
    seconds = time.monotonic() - before
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{errors}")
    return output, seconds


def checked(takt, plant):
    """Equations, seconds and MB of `takt check`. Memory is that of a process of its own."""
    measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)")
    before = time.monotonic()
    done = subprocess.run([sys.executable, "-c", measure, takt, "check", plant, "--json"], capture_output=True, text=True)
    seconds = time.monotonic() - before
    if done.returncode != 0:
        sys.exit(f"{plant} is refused:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)["equations"], seconds, int(done.stderr.split()[-1]) / 1024


def compiled(takt, plant, folder):
    """CPU seconds of a build on one core; `takt build` starts its own tools."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    done = subprocess.run(["taskset", "-c", "0", takt, "build", plant, "--out", folder], capture_output=True, text=True,
                          env={**__import__("os").environ, "CCACHE_DISABLE": "1"})
    if done.returncode != 0:
        sys.exit(f"{plant} does not build:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", default=["fleet", "drives"], choices=list(KINDS), metavar="KIND")
    parser.add_argument("--sizes", default="500,5000,50000", help="equations, about")
    parser.add_argument("--compile", action="store_true", help="build the plants, too")
    parser.add_argument("--takt", default=ROOT / "build/release/bin/takt")
    parser.add_argument("--keep", help="leave the plants in this folder")
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        print(f"{'plant':<8} {'parts':>7} {'equations':>10} {'check s':>9} {'MB':>7} {'exponent':>9}" + ("   build CPU s" if arguments.compile else ""))
        for kind in arguments.kinds:
            measure(arguments, folder, kind, sizes)


def measure(arguments, folder, kind, sizes):
    last = None
    for size in sizes:
        name = folder / f"{kind}_{size}.toml"
        folder.mkdir(parents=True, exist_ok=True)
        count = max(2, int(size / {"fleet": 160, "ladder": 5, "mesh": 3, "walls": 2.1, "drives": 13}[kind]))
        name.write_text(KINDS[kind](count))
        equations, seconds, megabytes = checked(arguments.takt, name)
        exponent = math.log(seconds / last[1]) / math.log(equations / last[0]) if last else float("nan")
        row = f"{kind:<8} {count:>7} {equations:>10} {seconds:>9.2f} {megabytes:>7.0f} {exponent:>9.2f}"
        if arguments.compile:
            row += f" {compiled(arguments.takt, name, folder / f'{kind}_{size}')[0]:>13.1f}"
        print(row, flush=True)
        last = (equations, seconds)


if __name__ == "__main__":
    main()
