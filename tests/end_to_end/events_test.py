#!/usr/bin/env python3
"""Events inside of elements: the same bits on one core and two, free and paced, and resumed from a checkpoint (modes and what is armed are part of
it); `takt reference` finds the same by SUNDIALS; a ball that comes to rest is told and the run ends as not to be trusted.

    events_test.py --takt build/release/bin/takt --work DIR"""
import json
import pathlib
import subprocess

import numpy as np

import built_plants
import references

CASES = pathlib.Path(__file__).resolve().parent / "cases"
KEPT = ("digest", "macro_steps", "simulated_s", "energy", "trusted")


def run(program, out, *arguments, code=0):
    done = subprocess.run([program, "--quiet", "--no-report", "--audit", "off", "--out", out, *arguments], capture_output=True, text=True, timeout=600)
    assert done.returncode == code, (program, arguments, done.returncode, done.stdout, done.stderr)
    return json.loads((out / "summary.json").read_text())


def check_bits(program, work):
    whole = run(program, work / "whole", "--action", "0.97 s: checkpoint")
    (file,) = (work / "whole").glob("checkpoint-*.takt")
    for name, arguments in (("resumed", ("--resume", file)), ("paced", ("--pace", "real", "--late", "any")),
                            ("cores", built_plants.two_cores(whole, work))):
        other = run(program, work / name, *arguments)
        for key in KEPT:
            assert other[key] == whole[key], (name, key, other[key], whole[key])
    assert not any(event["count"] for subsystem in whole["subsystems"] for event in subsystem.get("events", []))


def check_rest(program, work):
    rest = run(program, work / "rest", "--for", "3 s", code=1)
    counted = {event["code"] for subsystem in rest["subsystems"] for event in subsystem.get("events", []) if event["count"]}
    assert counted == {"X033"} and not rest["trusted"], (counted, rest["trusted"])


def check_reference(takt, work, case, bound):
    folder = CASES / case
    for command, more in (("run", ("--pace", "free", "--build-dir", work / f"{case}_build")), ("reference", ("--rtol", "1e-10"))):
        done = subprocess.run([takt, command, folder, "--out", work / f"{case}_{command}", *more], capture_output=True, text=True)
        assert done.returncode == 0, (case, command, done.stdout, done.stderr)
    mine, other = (references.columns(work / f"{case}_{command}" / "signals.csv") for command in ("run", "reference"))
    for name in set(mine) & set(other) - {"time [s]"}:
        at = np.isin(np.round(mine["time [s]"], 9), np.round(other["time [s]"], 9))
        a, b = mine[name][at], other[name][np.isin(np.round(other["time [s]"], 9), np.round(mine["time [s]"], 9))]
        error = np.sqrt(np.mean((a - b) ** 2)) / max(np.ptp(b), 1e-12)
        assert error < bound, (case, name, error)
        print(f"{case:20} {name:40} {error:.1e}")


def main():
    takt, work = built_plants.takt_and_work()
    program = built_plants.build(takt, work, "ball", (CASES / "events_ball" / "plant.toml").read_text())
    check_bits(program, work)
    check_rest(program, work)
    for case in ("events_tanks", "events_pendulum"):
        check_reference(takt, work, case, 1e-6)


if __name__ == "__main__":
    main()
