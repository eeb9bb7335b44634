#!/usr/bin/env python3
"""`takt fmu run` beside FMPy: every FMU of the shared data, each of its kinds, with the same step.

fmu_run_test.py TAKT DATA FOLDER [--table]    1 where a result is not what is expected; 77 without FMPy or data
--table prints the rows of the table in tests/runtime/fmu/README.md

Co-simulation: equal to the last bit. Model exchange: FMPy's Euler does not look for the place of state events within a step;
equal to the last bit where there are none, else near it (bounds below, as part of the range of a signal).
"""
import csv
import json
import math
import pathlib
import subprocess
import sys

try:
    import numpy
    from fmpy import read_model_description, simulate_fmu
except ImportError:
    print("skipped: there is no FMPy; tools/install_packages.sh python brings it")
    sys.exit(77)

takt, data, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "fmu", pathlib.Path(sys.argv[3])
STEPS = 200
# kind and step where the default will not do; how near model exchange with state events comes to FMPy's Euler
STEP = {"Rectifier": 2e-5, "CoupledClutches": 1e-2}
NEAR = {"Rectifier": 0.2, "CoupledClutches": 2e-2, "ControlledTemperature": 2e-2}
# Reference of the vendor: file, step of ours, method, duration, bound (part of the range)
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
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout), columns(out / "signals.csv")


def theirs(fmu, kind, step, table):
    values = None
    if table:
        read = columns(table)
        names = list(read)
        values = numpy.array(list(zip(*read.values())), dtype=[(name, float) for name in names])
    method = {"solver": "Euler", "step_size": step} if kind == "me" else {}
    return simulate_fmu(str(fmu), fmi_type="ModelExchange" if kind == "me" else "CoSimulation", start_time=0, stop_time=STEPS * step,
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
    more = ["--for", repr(STEPS * step)]
    more += ["--method", "euler"] if kind == "me" else []
    more += ["--input", str(table)] if table else []
    summary, own = ours(fmu, kind, step, *more)
    equal, worst = difference(own, theirs(fmu, kind, step, table))
    events = summary["state_events"] if kind == "me" else 0
    if not equal and (events == 0 or not worst <= NEAR.get(fmu.stem, 0)):
        failures.append(f"{fmu} {kind}: {worst:.3g} of the range beside FMPy, {events} state events")
    said = "equal bits" if equal else f"{worst:.1e} of the range, {events} state events"
    return f"| {fmu.parent.name}/{fmu.name} | {summary['fmi']} | {kind} | yes | {summary['steps']} x {step:g} s | {said} |"


def main():
    files = sorted(data.rglob("*.fmu"))
    if not files:
        print(f"skipped: no FMUs in {data}")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
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
    print("\n".join(rows if "--table" in sys.argv else failures) or f"{len(rows)} runs as expected")
    return 1 if failures else 0


sys.exit(main())
