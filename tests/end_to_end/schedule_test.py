#!/usr/bin/env python3
"""The schedule sheet of built plants: it is there before a paced run and after it, foretold and seen belong together, and the plant computes the same with it.

    schedule_test.py --takt build/release/bin/takt --work DIR"""
import json
import os
import subprocess
import sys

import cores_test
from built_plants import build, takt_and_work

# Nothing jumps before 20 s; then eleven times within a window of 10 ms, three of them at the ends of steps.
TURNS = [20.0005, 20.001, 20.0013, 20.0017, 20.002, 20.0035, 20.005, 20.0061, 20.0072, 20.0083, 20.0094]
PROFILE = f"""[plant]
title    = "A profile that jumps late"
duration = "25 s"
error    = "off"
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "{''.join(f'if(time < {turn} s, {k % 2} V, ' for k, turn in enumerate(TURNS))}1 V{')' * len(TURNS)}" }}
r      = {{ is = "resistor", at = ["in", "out"], r = "100 Ohm" }}
c      = {{ is = "capacitor", at = ["out", "gnd"], c = "100 uF" }}
[solve]
electric = {{ step = "1 ms", method = "rk4" }}
[sync]
all = {{ members = ["electric"], every = "10 ms" }}
[record]
"10 ms" = ["electric.c.v"]
"""
failures = cores_test.failures
check = cores_test.check


def run(executable, *arguments):
    code, summary, error = cores_test.run(executable, *arguments)
    if code != 0:
        sys.exit(error)
    return summary


def check_sheet(summary, name):
    sheet, seen = summary["schedule"], {(rate["worker"], rate["period_s"]): rate for rate in summary["rates"]}
    check(sheet["rehearsed_s"] >= 0.2 and len(sheet["rates"]) == len(seen), f"{name}: {len(seen)} rates, rehearsed for {sheet['rehearsed_s']:g} s")
    for rate in sheet["rates"]:
        cost, other = rate["compute_us"], seen[rate["worker"], rate["period_s"]]
        holds = {"holds": rate["response_us"] <= 0.8 * rate["deadline_us"], "tight": rate["response_us"] <= rate["deadline_us"], "does not hold": rate["response_us"] is None or rate["slack_us"] < 0}
        check(0 < cost["p50"] <= cost["p999"] <= cost["max"] and rate["releases"] > 0 and 0 < rate["deadline_us"] <= rate["period_s"] * 1e6 * 1.000001, f"  every {rate['period_s']:g} s: costs of {rate['releases']} releases, a deadline")
        check(holds[rate["verdict"]] and (rate["response_us"] is None or rate["response_us"] >= 0.9 * cost["p999"]), f"  responds within {rate['response_us']} us: {rate['verdict']}")
        check(other["releases"] == round(summary["simulated_s"] / rate["period_s"]) and 0 < other["compute_us"]["max"] <= other["response_us"]["max"] * 1.01, f"  seen at every one of {other['releases']} releases")


def main():
    takt, work = takt_and_work()
    rc, slow = build(takt, work, "rc"), build(takt, work, "slow", cores_test.SLOW)
    cpu = str(max(os.sched_getaffinity(0)))

    free = run(slow, "--pace", "free", "--no-results")
    check(free["schedule"] is None and all(rate["response_us"] is None for rate in free["rates"]), "a free run has neither sheet nor responses")
    paced = run(slow, "--pace", "real", "--late", "any", "--no-results", "--cpu", cpu, "--sheet")
    check(paced["digest"] == free["digest"], "the same digest after a rehearsal")
    check_sheet(paced, "slow")
    without = run(slow, "--pace", "real", "--late", "any", "--no-results", "--cpu", cpu)
    check(without["schedule"] is None and without["digest"] == free["digest"], "none without --sheet")
    above, below = paced["schedule"]["rates"][0], paced["schedule"]["rates"][-1]
    if below["below"] > 0 and below["response_us"] is not None:
        times = below["response_us"] / (above["period_s"] * 1e6)
        check(below["response_us"] >= below["compute_us"]["p999"] + (times - 1) * above["compute_us"]["p999"], "  the long window makes way for the short ones")

    late = run(build(takt, work, "profile", PROFILE), "--pace", "real", "--late", "any", "--for", "1 s", "--no-results", "--cpu", cpu, "--sheet")
    rate = late["schedule"]["rates"][0]
    check((rate["cuts"], round(rate["cuts_at_s"], 9)) == (8, 20.0), f"the window at 20 s is cut 8 times, long after the rehearsal: {rate['cuts']} at {rate['cuts_at_s']} s")
    check(0 <= rate["cuts_us"] <= rate["response_us"], f"  which takes {rate['cuts_us']} us more, in the {rate['response_us']} us foretold")

    out = work / "results"
    done = subprocess.run([rc, "--pace", "real", "--late", "any", "--sheet", "--for", "500 ms", "--audit", "off", "--quiet", "--out", out], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if "responds within" in line]
    check(len(lines) == 2 and "seen" not in lines[0] and "seen" in lines[1], "printed before the run, and after it with what was seen")
    check("<h2>Schedule</h2>" in (out / "report.html").read_text() and json.loads((out / "summary.json").read_text())["schedule"], "kept in report and summary")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
