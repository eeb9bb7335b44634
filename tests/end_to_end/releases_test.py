#!/usr/bin/env python3
"""Inputs at releases within a macro-step, and groups beside each other: against closed solutions and `takt reference`, paced and free.

    releases_test.py --takt build/release/bin/takt --work DIR"""
import argparse
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys

RC = """[plant]
title    = "RC circuit and a body beside it"
duration = "1 s"
error    = "off"
[input]
u = {{ unit = "V", start = "0 V", safe = "0 V" }}
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "u" }}
r      = {{ is = "resistor", at = ["in", "out"], r = "1 kOhm" }}
c      = {{ is = "capacitor", at = ["out", "gnd"], c = "100 uF" }}
[solid]
body   = {{ is = "wall", m = "1 kg", cp = "400 J/kg/K", start = {{ t = "300 K" }} }}
[solve]
electric = {{ step = "1 ms", method = "rk4" }}
[sync]
{sync}
[record]
"100 ms" = ["electric.c.v"]
"""
# Two low-passes that know nothing of each other, each with its own time, and a body that both warm.
SIBLINGS = """[plant]
title    = "Two circuits beside each other"
duration = "0.2 s"
error    = "off"
[input]
u = {{ unit = "V", start = "0 V", safe = "0 V" }}
[electric]
s1 = {{ is = "voltage_source", at = ["a", "gnd"], v = "u" }}
r1 = {{ is = "resistor", at = ["a", "b"], r = "100 Ohm", heat = "solid.body" }}
c1 = {{ is = "capacitor", at = ["b", "gnd"], c = "100 uF" }}
[rotational]
motor = {{ is = "torque_source", at = ["shaft"], torque = "u*(1 N*m/V)" }}
wheel = {{ is = "inertia", at = ["shaft"], j = "0.1 kg*m^2" }}
brake = {{ is = "damper", at = ["shaft", "frame"], d = "2 N*m*s/rad", heat = "solid.body" }}
[solid]
body = {{ is = "wall", m = "0.01 kg", cp = "400 J/kg/K", start = {{ t = "300 K" }} }}
[solve]
electric   = {{ step = "500 us", method = "rk4" }}
mechanical = {{ step = "500 us", method = "rk4" }}
solid      = {{ step = "{outer}", method = "heun" }}
[sync]
one   = {{ members = ["electric"], every = "{one}" }}
two   = {{ members = ["mechanical"], every = "{two}" }}
plant = {{ members = ["one", "two", "solid"], every = "{outer}" }}
[record]
"{outer}" = ["electric.c1.v", "rotational.shaft.w", "solid.body.t"]
"""

parser = argparse.ArgumentParser()
parser.add_argument("--takt", required=True, type=pathlib.Path)
parser.add_argument("--work", required=True, type=pathlib.Path)
arguments = parser.parse_args()
work = arguments.work.resolve()
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
failures = []


def check(what, holds, found=""):
    print("ok   " if holds else "WRONG", what, found, flush=True)
    if not holds:
        failures.append(what)


def takt(*words):
    return subprocess.run([arguments.takt.resolve(), *words], capture_output=True, text=True, timeout=300, cwd=work)


def run(name, *words):
    done = takt("run", f"{name}.toml", "--out", f"{name}_run", "--no-report", "--quiet", *words)
    summary = json.loads((work / f"{name}_run" / "summary.json").read_text())
    with open(work / f"{name}_run" / "signals.csv") as file:
        rows = [[float(cell) for cell in row] for row in list(csv.reader(line for line in file if not line.startswith("#")))[1:]]
    return done.returncode, summary, rows


# An input takes effect at the first release of a group that reads it; the finer runs of the audit take it there, too.
groups = (("one", 'plant = { members = ["electric", "solid"], every = "20 ms" }', 0.52),
          ("nested", 'fast = { members = ["electric"], every = "10 ms" }\nplant = { members = ["fast", "solid"], every = "100 ms" }', 0.51))
for name, sync, begins in groups:
    (work / f"{name}.toml").write_text(RC.format(sync=sync))
    code, summary, rows = run(name, "--pace", "free", "--input", "u=1@0.501")
    off = max(abs(v + math.expm1(-max(0.0, t - begins) / 0.1)) for t, v in rows)
    check(f"{name}: an input at 0.501 s acts at {begins} s", code == 0 and off < 1e-6, (code, off, summary.get("verdicts")))
    done = takt("reference", f"{name}.toml", "--input", "u=1@0.501", "--out", f"{name}_reference")
    check(f"{name}: `takt reference` takes it", done.returncode == 0, done.stderr[-200:])
    compared = takt("compare", f"{name}_run", f"{name}_reference", "--limit", "1e-6")
    check(f"{name}: with the same result", compared.returncode == 0, compared.stdout[-200:])
    shutil.move(work / f"{name}_run", work / f"{name}_first")
    _, again, _ = run(name, "--pace", "free", "--replay", f"{name}_first")
    check(f"{name}: its replay has the same digest", again["digest"] == summary["digest"])
    shutil.rmtree(work / f"{name}_run")

# Two groups beside each other: one digest, paced and free, whether their times divide each other or not; and the right result.
for number, (one, two, outer) in enumerate((("1 ms", "2 ms", "4 ms"), ("2 ms", "1 ms", "4 ms"), ("2 ms", "3 ms", "6 ms"))):
    name = f"siblings_{number}"
    (work / f"{name}.toml").write_text(SIBLINGS.format(one=one, two=two, outer=outer))
    words = ["--input", "u=5", "--input", "u=9@0.0501"]
    digests = {}
    for pace in ("free", "real"):
        code, summary, _ = run(name, "--pace", pace, "--late", "any", *words)
        check(f"{one} and {two}, {pace}: runs", code == 0, summary.get("verdicts"))
        digests[pace] = summary["digest"]
        shutil.move(work / f"{name}_run", work / f"{name}_{pace}")
    check(f"{one} and {two}: paced and free are the same", digests["free"] == digests["real"], digests)
    _, summary, _ = run(name, "--pace", "free", "--replay", f"{name}_real")
    check(f"{one} and {two}: so is the replay", summary["digest"] == digests["real"])
    # Each group takes an input at its own next release: compared with one that acts where both begin.
    shutil.rmtree(work / f"{name}_run")
    run(name, "--pace", "free", "--input", "u=5", "--input", "u=9@0.048")
    done = takt("reference", f"{name}.toml", "--replay", f"{name}_run", "--out", f"{name}_reference")
    if done.returncode == 0:
        compared = takt("compare", f"{name}_run", f"{name}_reference", "--limit", "1e-4")
        check(f"{one} and {two}: as `takt reference` has it", compared.returncode == 0, compared.stdout[-300:])
sys.exit(1 if failures else 0)
