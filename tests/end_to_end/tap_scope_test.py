#!/usr/bin/env python3
"""The scope of the tap: values at every micro-step equal those of a plant that exchanges and records at every micro-step; what a
run with a scope computes is what it computes without.

    tap_scope_test.py --takt build/release/bin/takt --work DIR"""
import csv
import json
import pathlib
import struct
import subprocess
import sys

import tap_test
from built_plants import build, takt_and_work
from tap_test import H, PATIENCE, Run, expect, refused

MICRO = 250_000  # ns
# A circuit that exchanges with itself every 2 ms, walls that it warms every 10 ms: five windows in a macro-step.
NESTED = """[plant]
title = "a circuit in a slow group"
duration = "60 s"
error = "off"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin(2*pi*50 Hz*time)" }
r_a = { is = "resistor", at = ["in", "out"], r = "100 Ohm*(1 + 0.01 1/K*(solid.body.t - 300 K))", heat = "solid.body" }
c_a = { is = "capacitor", at = ["out", "gnd"], c = "10 uF" }
[solid]
body = { is = "wall", m = "0.1 g", cp = "1 J/kg/K", start = { t = "300 K" } }
[solve]
electric = { step = "250 us", method = "rk4" }
solid = { step = "1 ms", method = "rk4" }
[sync]
fast = { members = ["electric"], every = "2 ms" }
slow = { members = ["fast", "solid"], every = "10 ms", order = 1 }
[record]
"10 ms" = ["electric.c_a.v", "electric.r_a.i"]
"""
PATHS = ["electric.c_a.v", "electric.r_a.i"]


def scoped(client, **fields):
    """-> what was found, rows of numbers"""
    begun = client.ask("scope", **fields)
    client.ask("resume")
    while True:
        line = client.line()
        if line.get("scope") == begun["scope"] and line.get("done"):
            head, rows = line, []
        elif "bytes" in line and "first" in line:
            rows += struct.iter_unpack(f"<{head['columns']}d", line["data"])
            if len(rows) == head["rows"]:
                return begun, head, rows


def recorded(run):
    """-> {time_ns: values} of the paths"""
    (file,) = run.directory.glob("signals*.csv")
    with file.open() as lines:
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    columns = [next(k for k, name in enumerate(rows[0]) if name.startswith(path)) for path in PATHS]
    return {round(float(row[0]) * 1e9): [float(row[k]) for k in columns] for row in rows[1:]}


def nested(takt, work):
    """Windows within a macro-step: at their ends the values are those recorded; between them none is left out."""
    program = build(takt, work, "nested", NESTED)
    for cores in ("1", "0,1"):
        run = Run(program, work / f"nested_{cores}", "--pace", "free", "--hold", "--for", "200 ms", "--record", "csv", *(["--cores", cores] if "," in cores else []))
        begun, head, rows = scoped(run.client("ana"), paths=PATHS, post=400)
        run.finish()
        expected = recorded(run)
        times = [round(row[0] * 1e9) for row in rows]
        expect(f"nested, cores {cores}: each micro-step, and none twice", times == [times[0] + k * MICRO for k in range(400)] and head["lost"] == 0, times[:5])
        ends = [row for row in rows if round(row[0] * 1e9) in expected]
        worst = max(abs(v - w) for row in ends for v, w in zip(row[1:], expected[round(row[0] * 1e9)]))
        expect(f"  at the ends of windows as recorded ({worst:.1e} in {len(ends)})", len(ends) == 10 and worst < 1e-12 and head["deviation"] < 1e-12, head)


def main():
    takt, work = takt_and_work()
    work = pathlib.Path(work).resolve()
    program = build(takt, work, "scoped", tap_test.TEXT)
    fine = tap_test.TEXT.replace('every = "1 ms"', 'every = "250 us"').replace('"10 ms" = ["electric.c_a.v"', '"250 us" = ["electric.c_a.v", "electric.r_a.i"')
    other = Run(build(takt, work, "fine", fine), work / "fine_run", "--pace", "free", "--for", "100 ms", "--record", "csv")
    other.finish()
    expected = recorded(other)
    run = Run(program, work / "run", "--pace", "free", "--hold", "--for", "100 ms")
    client = run.client("ana")
    refused(client, ["one subsystem"], "scope", paths=["electric.c_a.v", "a"])
    refused(client, ["another subsystem"], "scope", paths=PATHS, trigger="a > 3 V")
    begun, head, rows = scoped(client, paths=PATHS, pre=20, post=100, trigger="electric.c_a.v > 0.5 V")
    expect("each micro-step, and none twice", [round(row[0] * 1e9) for row in rows] == [round(rows[0][0] * 1e9) + k * MICRO for k in range(120)], rows[:2])
    expect("the trigger is where its condition begins to hold", rows[20][1] > 0.5 >= rows[19][1] and round(rows[20][0] * 1e9) == head["triggered_ns"], (rows[19:21], head))
    worst = max(abs(v - w) for row in rows for v, w in zip(row[1:], expected[round(row[0] * 1e9)]))
    expect(f"equal to a recording at every micro-step ({worst:.1e})", worst < 1e-12 and head["lost"] == 0 and head["deviation"] < 1e-12, head)
    _, summary = run.finish()
    nested(takt, work)
    without = Run(program, work / "without", "--pace", "free", "--for", "100 ms").finish()[1]
    expect("with and without a scope, the same digest", summary["digest"] == without["digest"])
    print(f"{len(tap_test.failures)} failures: {tap_test.failures}" if tap_test.failures else "all good")
    return 1 if tap_test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
