#!/usr/bin/env python3
"""takt check --propose: what it proposes is built and run, and errs as little as was asked for and about as much as was estimated.

    propose_test.py --takt build/release/bin/takt --work DIR"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

PLANT = """[plant]
title    = "A hot resistor in a stream, a slow wall behind it"
duration = "4 s"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*(1 + 0.5*sin(5 rad/s*time))" }
inner  = { is = "resistor", at = ["in", "out"], r = "1 Ohm" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "0.01 F" }
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
electric = { step = "1 ms", method = "heun" }
[sync]
plant = { members = ["*"], every = "10 ms" }
[record]
"160 ms" = ["solid.wall.t", "fluid.jacket.t", "electric.smooth.v"]
"""
TIGHT = """[solve]
whole = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["whole"], every = "10 ms" }
"""
SWITCHED = """[plant]
title = "Nothing to propose"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin(300 rad/s*time)" }
diode  = { is = "diode", at = ["in", "out"] }
load   = { is = "resistor", at = ["out", "gnd"], r = "1 Ohm" }
"""

parser = argparse.ArgumentParser()
parser.add_argument("--takt", required=True)
parser.add_argument("--work", required=True)
arguments = parser.parse_args()
work = pathlib.Path(arguments.work)
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
failures = []


def check(what, holds):
    print(("ok   " if holds else "WRONG"), what)
    if not holds:
        failures.append(what)


def takt(*words):
    return subprocess.run([arguments.takt, *map(str, words)], capture_output=True, text=True, timeout=300, cwd=work)


def row(text, name):
    """Operations a second and error of an alternative."""
    found = re.search(rf"(?m)^  {name} +(?:[\d.]+ [mun]?s,? ?)+ +(\S+) +(\S+) +(\S+) \(", text)
    return float(found[1]), float(found[3])


def run(name, solve):
    done = takt("run", work / "plant.toml", "--solve", solve, "--pace", "free", "--out", work / name, "--no-report", "--audit", "off")
    check(f"{name} runs", done.returncode == 0)
    return done


(work / "plant.toml").write_text(PLANT)
(work / "tight.toml").write_text(TIGHT)
run("tight", work / "tight.toml")
costs = []
for error in (1e-2, 1e-3, 1e-4):
    name = f"proposed_{error:g}"
    done = takt("check", work / "plant.toml", "--propose", "--error", error, "--out", work / f"{name}.toml")
    check(f"error {error:g}: something is proposed {done.stderr}", done.returncode == 0)
    cost, estimate = row(done.stdout, "proposal")
    costs.append(cost)
    check(f"error {error:g}: estimated {estimate:.3g}", 0 < estimate <= error)
    check(f"error {error:g}: costs no more than one time for all", cost <= row(done.stdout, "one synchronisation time")[0])
    again = takt("check", work / "plant.toml", "--propose", "--error", error)
    check("the same again", again.stdout.startswith(done.stdout) and again.stdout.endswith((work / f"{name}.toml").read_text()))
    run(name, work / f"{name}.toml")
    report = json.loads(takt("compare", work / name, work / "tight", "--json").stdout)
    actual = max(signal["rms"] / signal["scale"] for signal in report["signals"])
    check(f"error {error:g}: really {actual:.3g}", actual <= 2 * error and estimate / 3 <= actual <= 3 * estimate)
check(f"a smaller error costs more: {costs}", costs[0] < costs[1] < costs[2])
_, given = row(done.stdout, "as it is")
(work / "given.toml").write_text('[solve]\nelectric = { step = "1 ms", method = "heun" }\n[sync]\nplant = { members = ["*"], every = "10 ms" }\n')
run("given", work / "given.toml")
report = json.loads(takt("compare", work / "given", work / "tight", "--json").stdout)
actual = max(signal["rms"] / signal["scale"] for signal in report["signals"])
check(f"as it is: estimated {given:.3g}, really {actual:.3g}", given / 2 <= actual <= 2 * given)

(work / "plant.toml").write_text(SWITCHED)
done = takt("check", work / "plant.toml", "--propose")
check("circuits with switches alone are left to the user", done.returncode == 1 and "nothing to propose" in done.stderr)
sys.exit(1 if failures else 0)
