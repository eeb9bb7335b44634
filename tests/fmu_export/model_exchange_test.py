#!/usr/bin/env python3
"""model_exchange_test.py TAKT PLANTS FOLDER NAME:SECONDS[:steady]...: exported plants give FMPy's CVode what `takt
reference` computes.

FMPy finds no fault in the FMUs of FMI 2 and 3, integrates each, and every recorded signal is that of a reference run of
the same plant: within 1e-4 of its range, 1e-7 of its largest value, and the reference's absolute tolerance for its unit.
CVode is asked for 1e-8 (of each state and its
nominal, in every step; errors of steps add up and are amplified by what decides when diodes and controls switch), the
reference for 1e-9. Signals that jump at events are compared before the event, as a reference run records them.
`takt fmu check`, `run` and `test` find nothing, either."""
import csv
import os
import subprocess
import sys

import numpy as np
from exports import export, run_takt
from fmpy import read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

OF_RANGE, OF_VALUE = 1e-4, 1e-7
USUAL = {"Pa": 1e5, "K": 300.0, "J/kg": 1e5, "W": 1.0, "J": 1.0}  # parts of which are absolute tolerances; else 1e-3


def reference(takt, plant, seconds, folder, start):
    out = os.path.join(folder, os.path.basename(plant) + "-reference")
    subprocess.run(["rm", "-rf", out], check=True)
    run_takt(takt, "reference", plant, "--for", f"{seconds} s", "--out", out, *start)
    with open(os.path.join(out, "signals.csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names = [title.rsplit(" [", 1)[0] for title in rows[0]]
    return {name: np.array([float(row[i]) if row[i] else np.nan for row in rows[1:]]) for i, name in enumerate(names)}


def steady(takt, plant, folder):
    """Arguments for a plant that begins with a steady state: a short run has found it."""
    name = os.path.basename(plant)
    out = os.path.join(folder, name + "-run")
    subprocess.run(["rm", "-rf", out], check=True)
    run_takt(takt, "run", plant, "--for", "0.01 s", "--out", out, "--build-dir", os.path.join(folder, name + "-built"))
    return ["--start", out]


def compare(file, expected, seconds):
    times = expected["time"]
    described = {variable.name: variable.unit for variable in read_model_description(file).modelVariables}
    names = [name for name in expected if name != "time"]
    assert set(names) <= set(described), sorted(set(names) - set(described))
    seen = simulate_fmu(file, fmi_type="ModelExchange", solver="CVode", stop_time=seconds, relative_tolerance=1e-9,
                        output_interval=times[1] - times[0], output=names, record_events=True)
    before = np.searchsorted(seen["time"], times - 1e-9 * (times[1] - times[0]))  # the first row of each instant
    assert np.allclose(seen["time"][before], times, rtol=1e-9, atol=0.0)
    worst = (0.0, "")
    for name in names:
        known = ~np.isnan(expected[name])
        wanted, got = expected[name][known], seen[name][before][known]
        bound = OF_RANGE * (wanted.max() - wanted.min()) + OF_VALUE * np.abs(wanted).max()
        bound += 1e-9 * USUAL.get(described[name], 1e-3)
        part = np.abs(wanted - got).max() / bound
        worst = max(worst, (part, name))
        assert part <= 1.0, f"{os.path.basename(file)}: {name} is off by {np.abs(wanted - got).max():g}, bound {bound:g}"
    return len(names), worst


def own_commands(takt, file, folder):
    """Our own importer agrees that it is sound."""
    run_takt(takt, "fmu", "check", file)
    run_takt(takt, "fmu", "run", file, "--for", "0.0005 s", "--step", "10us", "--out", file + "-results-" + str(os.getpid()))
    fitness = subprocess.run([takt, "fmu", "test", file, "--steps", "200", "--short-steps", "50", "--step", "10us",
                              "--budget", "60s"], capture_output=True, text=True).stdout
    assert "verdict:" in fitness, fitness
    # Times are the machine's.
    wrong = [line for line in fitness.splitlines() if ("NOT FIT" in line and "slower" not in line) or "same bits" in line]
    assert not wrong, fitness


def main():
    takt, plants, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    for argument in sys.argv[4:]:
        name, seconds, *how = argument.split(":")
        plant = os.path.join(plants, name)
        start = steady(takt, plant, folder) if how else []
        expected = reference(takt, plant, seconds, folder, start)
        for version in (2, 3):
            file = export(takt, plant, version, folder, "--kind", "me", *start)
            problems = validate_fmu(file)
            assert not problems, problems
            own_commands(takt, file, folder)
            count, (part, signal) = compare(file, expected, float(seconds))
            print(f"{name}: FMI {version}, model exchange: {count} signals as in the reference, {signal} worst with "
                  f"{part:.2g} of its bound", flush=True)


if __name__ == "__main__":
    main()
