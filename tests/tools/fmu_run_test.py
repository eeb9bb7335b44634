#!/usr/bin/env python3
"""`takt fmu run` beside FMPy: every FMU of the shared data, each of its kinds, with the same step.

fmu_run_test.py TAKT DATA FOLDER [--table]    1 where a result is not what is expected; 77 without FMPy or data
--write FILE puts the tables between the marks of FILE, tests/runtime/fmu/README.md

Co-simulation: equal to the last bit. Model exchange by Euler: equal to the last bit where there are no state events; FMPy's Euler
does not look for their place within a step, so there rk4 is judged beside FMPy's CVode, within a bound of a signal's range.
At last, results that came with the FMUs, within bounds.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys

try:
    import numpy
    from fmpy import read_model_description, simulate_fmu
except ImportError:
    print("skipped: there is no FMPy; tools/install_packages.sh python brings it")
    sys.exit(77)

from made_fmus import PYTHON, made

takt, data, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "fmu", pathlib.Path(sys.argv[3])
STEPS = 200
# step where 1e-3 s will not do: own steps of the vendor's solver, sizes of the input table
STEP = {"Rectifier": 2e-5, "CoupledClutches": 1e-2}
# model exchange with state events: step, number of steps, method, bound beside CVode
EVENTS = {"CoupledClutches": (1e-3, 1500, "rk4", 3e-3), "Rectifier": (1e-7, 20000, "euler", 2e-3)}
# results beside the FMUs: folder, file, kind, step, method, duration, bound of RMS as part of the range.
# CoupledClutches.csv is the vendor's Euler with 0.01 s: it is 6 % off itself, FMPy's CVode says so, too.
REFERENCES = [
    ("FMI2_CS_ControlledTemperature", "ControlledTemperature.csv", "cs", 2e-2, "", 10, 1e-12),
    ("FMI2_ME_ControlledTemperature", "ControlledTemperature.csv", "me", 1e-3, "rk4", 10, 1e-3),
    ("FMI3_ControlledTemperature", "ControlledTemperatureCS.csv", "cs", 1e-3, "", 10, 1e-4),
    ("FMI3_ControlledTemperature", "ControlledTemperatureME.csv", "me", 1e-3, "rk4", 10, 1e-3),
    ("FMI2_CS_CoupledClutches", "CoupledClutches.csv", "cs", 1e-2, "", 1.5, 5e-2),
    ("FMI2_ME_CoupledClutches", "CoupledClutches.csv", "me", 1e-3, "rk4", 1.5, 5e-2),
    ("FMI2_CS_Rectifier", "Rectifier.csv", "cs", 2e-4, "", 0.1, 1e-12),
    ("FMI2_ME_Rectifier", "Rectifier.csv", "me", 1e-7, "euler", 0.02, 1e-3),
    ("FMI2_ME_Rectifier", "Rectifier.csv", "me", 2e-5, "auto", 0.1, 1e-3),  # stiff: ros2, 60 times the longest step of rk4
]
failures = []


def columns(file):
    """-> {name: values}, the unit cut off"""
    with open(file, newline="") as lines:
        rows = list(csv.reader(lines))
    names = [head.split(" [")[0] if head.endswith("]") and " [" in head else head for head in rows[0]]
    return {name: numpy.array([float(row[k]) for row in rows[1:]]) for k, name in enumerate(names)}


def ours(fmu, kind, step, *more):
    out = folder / f"{fmu.stem}_{fmu.parent.name}_{kind}"
    command = [takt, "fmu", "run", str(fmu), "--kind", kind, "--step", repr(step), "--out", str(out), "--json", *more]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | ({"LD_PRELOAD": PYTHON} if fmu.stem == "Decay" else {}))
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout), columns(out / "signals.csv")


def theirs(fmu, kind, step, table, steps=STEPS, solver="Euler"):
    values = None
    if table:
        read = columns(table)
        names = list(read)
        values = numpy.array(list(zip(*read.values())), dtype=[(name, float) for name in names])
    method = {"solver": solver, "relative_tolerance": 1e-8} | ({"step_size": step} if solver == "Euler" else {}) if kind == "me" else {}
    return simulate_fmu(str(fmu), fmi_type="ModelExchange" if kind == "me" else "CoSimulation", start_time=0, stop_time=steps * step,
                        output_interval=step, record_events=False, input=values, validate=False, **method)


def difference(own, result):
    """-> (equal bits, greatest difference as part of the range)"""
    equal, worst = True, 0.0
    flat = {}
    for name in result.dtype.names[1:]:
        array = result[name]
        if array.ndim == 1:
            flat[name] = array
        else:
            for index in numpy.ndindex(array.shape[1:]):
                flat[f"{name}[{','.join(str(k + 1) for k in index)}]"] = array[(slice(None), *index)]
    if set(flat) != set(own) - {"time"} or len(own["time"]) != len(result):
        return False, math.inf
    for name, array in flat.items():
        array = array.astype(float)
        equal = equal and bool(numpy.array_equal(own[name], array, equal_nan=True))
        span = max(float(numpy.ptp(array)), 1e-12)
        worst = max(worst, float(numpy.max(numpy.abs(own[name] - array))) / span)
    return equal, worst


def judge(fmu, kind):
    """-> row of the table"""
    step = STEP.get(fmu.stem, 1e-3)
    table = next(iter(fmu.parent.glob("*_in.csv")), None)
    steps, method, near = STEPS, "euler", 0.0
    more = ["--input", str(table)] if table else []
    if kind == "me" and fmu.stem in EVENTS:
        step, steps, method, near = EVENTS[fmu.stem]
    more += ["--method", method] if kind == "me" else []
    summary, own = ours(fmu, kind, step, "--for", repr(steps * step), "--interval", repr(step), *more)
    if fmu.parent.name == "casadi":  # FMPy asks for indicators that the FMU does not have, which it answers with fatal
        return f"| {fmu.parent.name}/{fmu.name} | {summary['fmi']} | {kind} | {summary['steps']} x {step:g} s | runs; FMPy cannot run it |"
    equal, worst = difference(own, theirs(fmu, kind, step, table, steps, "CVode" if near else "Euler"))
    if not equal and not worst <= near:
        failures.append(f"{fmu} {kind}: {worst:.3g} of the range beside FMPy")
    said = "equal to the last bit" if equal else f"{method}, within {worst:.1e} of the range of CVode, {summary['state_events']} state events"
    return f"| {fmu.parent.name}/{fmu.name} | {summary['fmi']} | {kind} | {summary['steps']} x {step:g} s | {said} |"


def judge_references():
    """-> rows of the table of results that came with the FMUs"""
    for name, file, kind, step, method, duration, bound in REFERENCES:
        place = next(data.rglob(name), None)
        if not place:
            continue
        fmu, table = next(place.glob("*.fmu")), next(place.glob("*_in.csv"), None)
        more = (["--input", str(table)] if table else []) + (["--method", method] if method else [])
        _, own = ours(fmu, kind, step, "--for", repr(duration), *more)
        reference = columns(place / file)
        inside = reference["time"] <= duration * (1 - 1e-9)
        worst = 0.0
        for signal in set(reference) - {"time"}:
            apart = numpy.interp(reference["time"][inside], own["time"], own[signal]) - reference[signal][inside]
            worst = max(worst, float(numpy.sqrt(numpy.mean(apart ** 2)) / numpy.ptp(reference[signal])))
        if not worst <= bound:
            failures.append(f"{place / file}: RMS {worst:.3g} of the range, above {bound:g}")
        yield f"| {name}/{file} | {kind} {method} | {step:g} s | {worst:.1e} |"


def bare_python(fmu):
    """A Python FMU in a process without an interpreter: refused, with what helps."""
    bare = subprocess.run([takt, "fmu", "run", str(fmu), "--out", str(fmu.parent / "bare")], capture_output=True, text=True)
    if bare.returncode == 0 or "LD_PRELOAD" not in bare.stderr:
        failures.append(f"{fmu} without an interpreter: {bare.returncode} {bare.stderr}")


def write(readme, rows, references):
    before, rest = readme.read_text().split("<!-- begin table -->\n")
    after = rest.split("<!-- end table -->\n")[1]
    text = "| FMU | FMI | kind | steps | beside FMPy |\n| --- | --- | --- | --- | --- |\n" + "\n".join(rows)
    text += "\n\n| result that came with it | kind, method | step | RMS as part of the range |\n| --- | --- | --- | --- |\n" + "\n".join(references)
    readme.write_text(before + "<!-- begin table -->\n" + text + "\n<!-- end table -->\n" + after)


def main():
    files = sorted(data.rglob("*.fmu"))
    if not files:
        print(f"skipped: no FMUs in {data}")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    others = list(made(folder, failures))
    for fmu in others:
        if fmu.stem == "Decay":
            bare_python(fmu)
    files += others
    rows = []
    for fmu in files:
        description = read_model_description(str(fmu), validate=False)
        for kind, has in (("cs", description.coSimulation), ("me", description.modelExchange)):
            if not has:
                continue
            try:
                rows.append(judge(fmu, kind))
            except Exception as problem:  # one FMU must not hide the others
                failures.append(f"{fmu} {kind}: {problem}")
    references = list(judge_references())
    if "--write" in sys.argv and not failures:
        write(pathlib.Path(sys.argv[-1]), rows, references)
    print("\n".join(failures) or f"{len(rows)} runs and {len(references)} references as expected")
    return 1 if failures else 0


sys.exit(main())
