#!/usr/bin/env python3
"""parts_test.py TAKT FOLDER: a part that was cut out of a plant and is imported again makes the whole, within the order of
the coupling.

The plant is two low-passes in a row; the second is a part, once behind a resistor (the input is the voltage of the node
that they share), once with its capacitor at that node (the input is the current). The rest has the FMU in the part's place.
An FMU of co-simulation holds its inputs over a step H, so that errors are of first order: with a quarter of H they are a
quarter, here between a third and a fifth. Inputs of model exchange are extrapolated linearly over a step, so that errors
are of second order: a sixteenth, here between a tenth and a thirtieth."""
import csv
import os
import subprocess
import sys

import numpy as np
from exports import run_takt
from fmpy import read_model_description
from fmpy.validation import validate_fmu

HEAD = """[plant]
title    = "two low-passes in a row"
duration = "20 ms"
error    = "off"

[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin(2*pi*100 Hz*time)" }
first  = { is = "resistor",       at = ["in", "mid"], r = "100 Ohm" }
"""
PARTS = {
    "v": ("""smooth = { is = "capacitor",      at = ["mid", "gnd"], c = "10 uF" }
""", """second = { is = "resistor",  at = ["p", "end"], r = "r" }
store  = { is = "capacitor", at = ["end", "gnd"], c = "4 uF" }
""", """load   = { is = "current_source", at = ["mid", "gnd"], i = "fmu.half.flow" }
""", 'inputs = { "outside.electric.mid.v" = "electric.smooth.v" }, outputs = { flow = "outside.electric.mid.i" }'),
    "i": ("", """store  = { is = "capacitor", at = ["p", "gnd"], c = "10 uF" }
second = { is = "resistor",  at = ["p", "end"], r = "r" }
load   = { is = "capacitor", at = ["end", "gnd"], c = "4 uF" }
""", """cut    = { is = "voltage_source", at = ["mid", "gnd"], v = "fmu.half.level" }
""", 'inputs = { "outside.electric.mid.i" = "electric.first.i" }, outputs = { level = "outside.electric.mid.v" }'),
}
TAIL = """
[solve]
electric = { step = "1 us", method = "rk4" }

[record]
"400 us" = ["electric.first.i"]
"""


def write(folder, name, text):
    plant = os.path.join(folder, name)
    os.makedirs(plant, exist_ok=True)
    with open(os.path.join(plant, "plant.toml"), "w", encoding="utf-8") as file:
        file.write(text)
    return plant


def current(takt, plant):
    out = plant + "-out"
    subprocess.run(["rm", "-rf", out], check=True)
    run_takt(takt, "run", plant, "--out", out, "--build-dir", plant + "-built")
    with open(os.path.join(out, "signals.csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))
    place = [title.startswith("electric.first.i") for title in rows[0]].index(True)
    return np.array([float(row[place]) for row in rows[1:]])


def check(takt, folder, way, kind, version):
    own, part, replacement, wiring = PARTS[way]
    whole = write(folder, f"whole_{way}", HEAD + own + f"""
[part.half]
param    = {{ r = "Ohm > 0" }}
terminal = ["p"]
[part.half.electric]
{part}
[parts]
half = {{ of = "half", at = ["mid"], r = "220 Ohm" }}
""" + TAIL)
    rest_name = f"rest_{way}_{kind}{version}"
    file = os.path.join(write(folder, rest_name, ""), "half.fmu")
    solve = os.path.join(folder, "fast.toml")
    with open(solve, "w", encoding="utf-8") as settings:
        settings.write('[solve]\nelectric = { step = "1 us", method = "rk4" }\n[sync]\nhalf = { members = ["electric"], every = "20 us" }\n')
    run_takt(takt, "fmu", "export", whole, "--part", "half", "--kind", kind, "--fmi", str(version), "--out", file,
             "--solve", solve, "--build-dir", os.path.join(folder, "built-" + rest_name))
    assert not validate_fmu(file), validate_fmu(file)
    run_takt(takt, "fmu", "check", file)
    variables = {v.name: v for v in read_model_description(file).modelVariables}
    other = {"v": "i", "i": "v"}[way]
    assert variables[f"outside.electric.mid.{way}"].causality == "input"
    assert variables[f"outside.electric.mid.{other}"].causality == "output"
    assert variables["parts.half.r"].start == "220", "the parameter of the instance"
    assert "electric.source.v" not in variables, "the rest is not in it"
    expected = current(takt, whole)
    errors = []
    for step in (80, 20):
        rest = write(folder, rest_name, HEAD + own + replacement + f"""
[fmu]
half = {{ file = "half.fmu", kind = "{kind}", step = "{step} us", {wiring} }}
""" + TAIL + f"""
[sync]
cut = {{ members = ["electric", "fmu"], every = "{step} us" }}
""")
        errors.append(np.sqrt(np.mean((current(takt, rest) - expected) ** 2)) / np.ptp(expected))
    print(f"{kind}, FMI {version}, {way} in: error {errors[0]:.3g} of the range at 80 us, {errors[1]:.3g} at 20 us", flush=True)
    low, high = (3.0, 5.0) if kind == "cs" else (10.0, 30.0)
    assert 1e-6 < errors[0] < 0.2 and low < errors[0] / errors[1] < high, errors


def refused(takt, folder):
    plant = os.path.join(folder, "whole_v")
    done = subprocess.run([takt, "fmu", "export", plant, "--part", "hlf"], capture_output=True, text=True)
    assert done.returncode != 0 and "F006" in done.stderr and "'hlf'" in done.stderr, done


def main():
    takt, folder = sys.argv[1], sys.argv[3]
    os.makedirs(folder, exist_ok=True)
    for way in ("v", "i"):
        for kind, version in (("cs", 2), ("me", 3)):
            check(takt, folder, way, kind, version)
    refused(takt, folder)


if __name__ == "__main__":
    main()
