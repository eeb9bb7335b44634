#!/usr/bin/env python3
"""One plant under several parametrisations (--solve): multirate, all circuits by one solver, steps chosen by ARKODE and CVODE.

A resistor that warms a wall in a stream and whose resistance follows the wall: electric, solid and fluid circuits that all depend on each other.
The multirate run must come nearer to the run by one solver as its steps shrink, by the order of its exchange; runs by one solver must agree.
Copies of a part that differ in parameters are computed by one code, each to its own closed solution.

    parametrisations_test.py --takt build/release/bin/takt --work DIR"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PLANT = """[plant]
title    = "A hot resistor in a stream"
duration = "4 s"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*(1 + 0.5*sin(5 rad/s*time))" }
inner  = { is = "resistor", at = ["in", "out"], r = "1 Ohm" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "0.1 F" }
hot    = { is = "resistor", at = ["out", "gnd"], r = "2 Ohm", alpha = "0.02 1/K", t_ref = "300 K", heat = "solid.wall" }
[fluid]
medium = "water_glycol_50"
inlet  = { is = "reservoir", p = "1 bar", t = "300 K" }
pump   = { is = "flow_pump", at = ["inlet", "jacket"], flow = "0.01 kg/s" }
jacket = { is = "volume", v = "10 ml", start = { t = "300 K" } }
out    = { is = "resistance", at = ["jacket", "end"], r = "1e6 Pa*s/kg" }
end    = { is = "reservoir", p = "1 bar" }
[solid]
wall   = { is = "wall", m = "0.03 kg", cp = "900 J/kg/K", start = { t = "300 K" } }
wet    = { is = "heat_transfer", at = ["wall", "fluid.jacket"], c = "20 W/K" }
[solve]
electric = { step = "10 ms" }
[record]
"40 ms" = ["solid.wall.t", "fluid.jacket.t", "electric.smooth.v"]
"""
PARTS = """[solve]
electric = {{ step = "{0} ms", method = "heun" }}
fluid    = {{ step = "{1} ms", method = "heun" }}
solid    = {{ step = "{1} ms", method = "heun" }}
[sync]
plant = {{ members = ["electric", "fluid", "solid"], every = "{1} ms" }}
"""
WHOLE = """[solve]
whole = {{ {} }}
[sync]
plant = {{ members = ["whole"], every = "40 ms" }}
"""


CELLS = """[plant]
title = "Cooling walls"
[part.cell]
param = { mass = "kg > 0" }
[part.cell.solid]
air  = { is = "temperature_boundary", t = "300 K" }
wall = { is = "wall", m = "mass", cp = "1 kJ/kg/K", start = { t = "400 K" } }
loss = { is = "heat_transfer", at = ["wall", "air"], c = "10 W/K" }
[parts]
cell = { of = "cell", at = [], n = 3, mass = "0.01 kg*(1 + i)" }
[solve]
solid = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["solid"], every = "10 ms" }
[record]
"100 ms" = ["solid.cell[0].wall.t", "solid.cell[1].wall.t", "solid.cell[2].wall.t"]
"""


def copies(arguments):
    """Largest difference to the closed solutions, K, and how many sources they have."""
    folder = arguments.work / "cells"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plant.toml").write_text(CELLS)
    shutil.rmtree(folder / "run", ignore_errors=True)
    done = subprocess.run([arguments.takt, "run", str(folder / "plant.toml"), "--build-dir", str(folder / "build"), "--pace", "free", "--for", "2 s", "--out",
                           str(folder / "run"), "--no-report"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"copies of a part failed:\n{done.stdout}{done.stderr}")
    rows = np.genfromtxt(folder / "run/signals.csv", delimiter=",", skip_header=1)
    exact = np.stack([300 + 100 * np.exp(-rows[:, 0] / (k + 1)) for k in range(3)], axis=1)
    sources = [path for path in (folder / "build").glob("*solid*.cpp") if not path.stem.endswith("_lanes")]  # those are of copies side by side
    return float(np.max(np.abs(rows[:, 1:] - exact))), len(sources)


def run(arguments, name, parametrisation):
    """Signals of a free run, and its summary."""
    folder = arguments.work / name
    folder.mkdir(parents=True, exist_ok=True)
    (arguments.work / "plant.toml").write_text(PLANT)
    (folder / "parametrisation.toml").write_text(parametrisation)
    out = folder / "run"
    shutil.rmtree(out, ignore_errors=True)
    command = [arguments.takt, "run", str(arguments.work / "plant.toml"), "--solve", str(folder / "parametrisation.toml"), "--build-dir", str(folder / "build"),
               "--pace", "free", "--out", str(out), "--no-report"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name} failed:\n{done.stdout}{done.stderr}")
    return np.genfromtxt(out / "signals.csv", delimiter=",", skip_header=1)[:, 1:], json.loads((out / "summary.json").read_text())


def distance(values, reference):
    return float(np.max(np.sqrt(np.mean((values - reference) ** 2, axis=0)) / np.ptp(reference, axis=0)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    failed = []

    def judge(what, value, limit):
        print(f"{what:<50} {value:10.2e}  {'ok' if value <= limit else 'ABOVE ' + format(limit, '.1e')}")
        if not value <= limit:
            failed.append(what)

    reference, summary = run(arguments, "rk4", WHOLE.format('step = "1 ms", method = "rk4"'))
    names = [subsystem["name"] for subsystem in summary["subsystems"]]
    if names != ["whole"] or summary["couplings"]:
        failed.append(f"one solver is not one subsystem: {names}")
    judge("energy balance of one solver, of what is supplied", abs(summary["energy"]["residual_j"]) / summary["energy"]["supplied_j"], 1e-6)
    judge("adaptive, tolerance 1e-9", distance(run(arguments, "adaptive", WHOLE.format('method = "adaptive", tolerance = 1e-9'))[0], reference), 1e-6)
    judge("bdf, tolerance 1e-8", distance(run(arguments, "bdf", WHOLE.format('method = "bdf", tolerance = 1e-8'))[0], reference), 1e-5)
    errors = [distance(run(arguments, f"parts{k}", PARTS.format(5 / 2**k, 20 / 2**k))[0], reference) for k in range(3)]
    judge("multirate, 5 and 20 ms", errors[0], 1e-2)
    orders = [float(np.log2(errors[k] / errors[k + 1])) for k in range(2)]
    print("orders of multirate against one solver:", ", ".join(f"{order:.2f}" for order in orders))
    if min(orders) < 1.7:
        failed.append("multirate does not tend to one solver with order 2")
    error, sources = copies(arguments)
    judge("copies of a part to their closed solutions, K", error, 1e-9)
    if sources != 1:
        failed.append(f"3 copies have {sources} sources, not one")
    print("failed: " + "; ".join(failed) if failed else "ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
