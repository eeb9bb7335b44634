#!/usr/bin/env python3
"""Plans are sought for plants with lines, and where synchronisation times alone are given: against Bergeron's line and Runge-Kutta steps of our own."""
import argparse
import csv
import math
import pathlib
import shutil
import subprocess
import sys

# A fault of 0.1 Ohm across the capacitor at the end of a line is a mode of 0.1 us.
LINE = """[plant]
title = "a fault at the end of a line"
duration = "8 ms"
[electric]
src  = {{ is = "voltage_source", at = ["a", "gnd"], v = "100 V*sin(2*pi*50 Hz*time)" }}
line = {{ is = "line", at = ["a", "b"], z = "300 Ohm", delay = "100 us" }}
c    = {{ is = "capacitor", at = ["b", "gnd"], c = "1 uF", start = {{ v = "0 V" }} }}
l    = {{ is = "inductor", at = ["b", "m"], l = "10 mH", start = {{ i = "0 A" }} }}
r    = {{ is = "resistor", at = ["m", "gnd"], r = "100 Ohm" }}
f    = {{ is = "resistor", at = ["b", "gnd"], r = "if(time > 2.13 ms and time < 5 ms, 0.1 Ohm, 1e6 Ohm)" }}
{sync}
[record]
"100 us" = ["electric.c.v", "electric.l.i"]
"""


def line_with_fault(end_s, h=1e-7):
    """Bergeron's line and classical Runge-Kutta steps, rows of time, c.v and l.i every 100 us."""
    z, c, l, r, delay = 300.0, 1e-6, 10e-3, 100.0, 1000  # of steps
    wave_to_b, wave_to_a = [0.0], [0.0]  # v + z*i where a wave leaves
    v = i = 0.0
    rows = []
    for k in range(round(end_s / h) + 1):
        if k % 1000 == 0:
            rows.append((k * h, v, i))
        arrives_a = wave_to_a[k - delay] if k >= delay else 0.0
        wave_to_b.append(2 * 100.0 * math.sin(100 * math.pi * k * h) - arrives_a)
        from_a, to = (wave_to_b[k - delay + 1], wave_to_b[k - delay + 2]) if k > delay else (0.0, 0.0)
        fault = 0.1 if 2.13e-3 <= (k + 0.5) * h < 5e-3 else 1e6
        wave_to_a[k:] = [2 * v - from_a]

        def slope(v, i, share):
            return ((from_a + share * (to - from_a) - v) / z - i - v / fault) / c, (v - r * i) / l

        k1 = slope(v, i, 0.0)
        k2 = slope(v + h / 2 * k1[0], i + h / 2 * k1[1], 0.5)
        k3 = slope(v + h / 2 * k2[0], i + h / 2 * k2[1], 0.5)
        k4 = slope(v + h * k3[0], i + h * k3[1], 1.0)
        v += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        i += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    return rows


parser = argparse.ArgumentParser()
parser.add_argument("--takt", required=True)
parser.add_argument("--work", required=True)
arguments = parser.parse_args()
work = pathlib.Path(arguments.work)
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
failures = []


def check(what, holds):
    print(("ok   " if holds else "WRONG"), what, flush=True)
    if not holds:
        failures.append(what)


def recorded(sync):
    (work / "fault.toml").write_text(LINE.format(sync=sync))
    words = [arguments.takt, "run", "fault.toml", "--pace", "free", "--out", "fault_run", "--no-report"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=work)
    check("a fault on a line runs to its end, by a plan that is sought, and passes the audit", done.returncode == 0 and "planned for an error" in done.stderr)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
    with open(work / "fault_run" / "signals.csv") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    shutil.rmtree(work / "fault_run")
    return [[float(cell) for cell in row] for row in rows[1:]]


truth = line_with_fault(8e-3)
for sync in ("", '[sync]\nall = { members = ["electric"], every = "20 us" }'):
    rows = recorded(sync)
    for column, name in ((1, "c.v"), (2, "l.i")):
        scale = max(row[column] for row in truth) - min(row[column] for row in truth)
        rms = math.sqrt(sum((a[column] - b[column]) ** 2 for a, b in zip(rows, truth)) / len(truth)) / scale
        print(f"     {name}: {rms:.2e} off")
        check(f"a fault on a line is right by the plan that is found, {sync or 'nothing given'}", len(rows) == len(truth) and rms <= 1e-3)

print("failed:" if failures else "all right", *failures, sep="\n  " if failures else "")
sys.exit(1 if failures else 0)
