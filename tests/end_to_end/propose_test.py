#!/usr/bin/env python3
"""takt check --propose: plans for five errors are found, run and measured, and err about as much as was estimated.

    propose_test.py --takt build/release/bin/takt --work DIR"""
import argparse
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
[record]
"160 ms" = ["solid.wall.t", "fluid.jacket.t", "electric.smooth.v"]
"""
SWITCHED = """[plant]
title    = "A rectifier"
duration = "0.1 s"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin(300 rad/s*time)" }
diode  = { is = "diode", at = ["in", "out"] }
load   = { is = "resistor", at = ["out", "gnd"], r = "10 Ohm" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "200 uF" }
[record]
"1 ms" = ["electric.smooth.v"]
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
    return subprocess.run([arguments.takt, *map(str, words)], capture_output=True, text=True, timeout=600, cwd=work)


ROW = re.compile(r"(?m)^  (as it is|[\d.e-]+) +(\S+) +(\S+) +(\S+) +(\S+)  (\S+)$")


def proposed(name, text, *words):
    """-> exit code, output, rows: for what error, estimated, measured, evaluations a second; numbers or None"""
    (work / f"{name}.toml").write_text(text)
    done = takt("check", f"{name}.toml", "--propose", "--picture", f"{name}.html", "--out", f"{name}_plan.toml", *words)
    print(done.stdout, done.stderr)
    number = lambda cell: None if cell == "-" else float(cell)
    return done, [(row[0], *map(number, row[1:4])) for row in ROW.findall(done.stdout)]


for name, text in (("warm", PLANT), ("rectifier", SWITCHED)):
    done, rows = proposed(name, text, "--error", "1e-3")
    check(f"{name}: the error is met", done.returncode == 0)
    found = [row for row in rows if row[0] != "as it is"]
    check(f"{name}: five plans, and the plant as it is", len(found) == 5 and len(rows) == 6)
    check(f"{name}: each is estimated to be within its error", all(row[1] <= float(row[0]) for row in found))
    check(f"{name}: a smaller error costs no less", all(a[3] <= 1.3 * b[3] for a, b in zip(found, found[1:])))
    page = (work / f"{name}.html").read_text()
    check(f"{name}: measured", "measured against `takt reference`" in done.stdout)
    limit = float(re.search(r"tolerances differ by (\S+):", done.stdout)[1])
    known = [row for row in rows if row[1] > 3 * limit]
    check(f"{name}: the reference is good enough to judge", len(known) >= 2)
    check(f"{name}: what was measured is what was estimated", all(row[2] / 2 <= row[1] <= 3 * row[2] for row in known))
    check(f"{name}: the picture has its lines", page.count('role="img"') == 1 and "estimated" in page and "against takt reference" in page)
    ran = takt("run", f"{name}.toml", "--solve", f"{name}_plan.toml", "--pace", "free", "--out", f"{name}_run", "--no-report")
    check(f"{name}: the plan runs", ran.returncode == 0)
    again = takt("check", f"{name}.toml", "--propose", "--error", "1e-3")
    check(f"{name}: and is the same again", (work / f"{name}_plan.toml").read_text() in again.stdout)

wrong = takt("check", "warm.toml", "--propose", "--picture", "nowhere/x.html")
check("a picture in no folder is refused before anything is tried", wrong.returncode == 2 and "nowhere" in wrong.stderr)
check("so is an error of 2", takt("check", "warm.toml", "--propose", "--error", "2").returncode == 2)
sys.exit(1 if failures else 0)
