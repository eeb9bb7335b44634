#!/usr/bin/env python3
"""Examples of the Modelica Standard Library as plants, against published reference results: where both lie in ../shared/data/modelica.

    modelica_references_test.py --takt TAKT --work FOLDER [--all] [MODEL...]

Where TAKT_MODELICA_LIBRARY names the standard library (of a release), classes without flat JSON there are made flat by the front end too.
--all: every example with a result in the folder that TAKT_MODELICA_REFERENCES names (as modelica/MAP-LIB_ReferenceResults is laid out), from that
library alone; a row each for those that contain a MODEL. Hours; a summary at the end.
Prints a row for each model: class, equations and what is left without aliases, differential index, factor of real time (p50, p99.9, max), seconds of its plan and compiler. Fails where one is wrong and nothing says so, and where one of RIGHT is not right.
Those of INTEGRATED are also compared with an integration of their own equations that does not know Takt (flat_oracle.py).
"""
import argparse
import collections
import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve()
DATA = HERE.parents[3] / "shared/data/modelica"
TABLE = HERE.parents[1] / "codegen/modelica/reference_models.csv"
INDEX = re.compile(r"\[[\d,]+\]$")
TOLERANCE = 1e-3  # RMS over the range of the reference
MOMENT = 1e-5  # of the run: by so much may the instants of the reference differ
RIGHT = ("CauerLowPassAnalog", "Resistor", "ShowVariableResistor", "HeatingRectifier", "OvervoltageProtection", "CharacteristicIdealDiodes", "Rectifier",
         "HeatTransfer.Examples.GenerationOfFMUs", "OneMass", "TwoMass", "PumpDropOut", "DCPM_Start", "DoublePendulum", "TwoMasses", "Rotational.Examples.First",
         "DiodeBridge2Pulse", "SinglePhaseTwoLevel_RL", "ChopperStepDown_R", "HBridge_RL", "ElasticBearing", "Oscillator", "Translational.Examples.Damper", "Accelerate", "SimpleCooling", "ParallelCooling")
# index, longest step, whether what holds at rest is left open; where there is no published result: end of the run, signals
INTEGRATED = {"OneMass": (1, 2e-3, True), "TwoMass": (1, 5e-3, True), "PumpDropOut": (1, 4e-3, True),
              "DCPM_Start": (2, 2e-3, False, 2.0, ("dcpm.ia", "dcpm.wMechanical", "dcpm.tauElectrical", "loadInertia.phi")),
              "DoublePendulum": (3, 5e-3, False, 3.0, ("revolute1.phi", "revolute1.w", "revolute2.phi", "revolute2.w")),
              "ElasticBearing": (3, 2e-3, False)}
DOUBT = 1e-5  # of the integration, over the range of a state

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (tools/install_packages.sh python)")
    sys.exit(77)


def table_of(file):
    with open(file, newline="") as text:
        rows = list(csv.reader(text))
    names = [re.sub(r" \[[^\]]*\]$", "", name.strip().strip('"')) for name in rows[0]]
    values = np.array([[float(cell) for cell in row] for row in rows[1:] if len(row) == len(names)])
    return {name: values[:, k] for k, name in enumerate(names)}


def published():
    """-> the folder of all results, or None"""
    given = os.environ.get("TAKT_MODELICA_REFERENCES")
    return pathlib.Path(given) if given else None


def reference_of(model):
    folder = published() / model.replace(".", "/") if published() else DATA / "msl" / model
    files = list(folder.glob("*.csv"))
    if not files:
        return None, []
    names = [name.strip() for name in (folder / "comparisonSignals.txt").read_text().split("\n")]
    return table_of(files[0]), [name for name in names if name not in ("", "time") and not name.startswith("//")]


def durations(reference):
    """Duration of the run and period of its record, some hundred rows: macro-steps follow it, and are to be 1 ms at most where runs are short."""
    if reference is None:
        return "1 s", "2 ms"
    stop = float(reference["time"][-1])
    every = stop / 500
    if 0.5 < stop <= 20:
        return f"{stop:g} s", "1 ms"
    return f"{stop:g} s", f"{max(1, round(every * 1000)):g} ms" if stop >= 0.3 else f"{max(1, round(every * 1e6)):g} us"


def nearest(ours, rows, times, theirs):
    """-> the nearest to our values that the reference has within a moment of each row: at an event a row is before or after it"""
    near = MOMENT * times[-1]
    made = np.empty(ours.shape)
    for k, row in enumerate(rows):
        first, last = np.searchsorted(times, (row - near, row + near))
        values = np.concatenate((theirs[first:last], np.interp((row - near, row, row + near), times, theirs)))
        made[k] = min(max(ours[k], values.min()), values.max())
    return made


def error_of(plant, found, reference, wanted, at_events=False):
    """-> the largest RMS error over the range, its signal"""
    variables = json.loads((plant / "import.json").read_text())["variables"]
    worst = (0.0, "")
    # Two rows at an event have the same time: the limits from both sides.
    times = reference["time"] + np.arange(len(reference["time"])) * 1e-13 * max(1.0, reference["time"][-1])
    for name in wanted:
        entry = variables[name]
        ours = np.full(found["time"].shape, entry["value"]) if "value" in entry else entry.get("sign", 1) * found[entry["signal"]]
        theirs = np.interp(found["time"], times, reference[name])
        if at_events:
            theirs = nearest(ours, found["time"], times, reference[name])
        span = reference[name].max() - reference[name].min()
        # What is zero but for rounding, beside other components of the same array.
        siblings = [reference[each] for each in wanted if INDEX.sub("[]", each) == INDEX.sub("[]", name)]
        span = max(span, 1e-9 * max(np.abs(each).max() for each in siblings))
        if span < 1e-9 * np.abs(reference[name]).max():
            span = np.abs(reference[name]).max()
        worst = max(worst, (float(np.sqrt(np.mean((ours - theirs) ** 2)) / (span if span > 0 else 1.0)), name))
    return worst


def integration_of(model, plant, found, signals):
    """-> as error_of, against the model's own equations"""
    from flat_oracle import integrated
    index, step, at_rest = INTEGRATED[model.rsplit(".", 1)[1]][:3]
    json_text = (plant.parent / f"{model}.json").read_text()
    every = float(found["time"][1])
    times, values, doubt = integrated(json.loads(json_text), float(found["time"][-1]), every, step, index, at_rest)
    if not doubt <= DOUBT:
        return 1.0, f"the integration itself is off by {doubt:.1e}"
    return error_of(plant, found, {"time": times, **values}, signals)


def source_of(work, model):
    """-> what `takt import modelica` takes; None: there is nothing"""
    packed = DATA / "flat" / f"{model}.flat.json.gz"
    if packed.exists() and not published():
        flat = work / f"{model}.flat.json"
        flat.write_bytes(gzip.decompress(packed.read_bytes()))
        return [flat]
    library = os.environ.get("TAKT_MODELICA_LIBRARY")
    return [model, "--path", library] if library else None


def figures(takt, plant, said):
    """index; factor of real time: p50, p99.9, max"""
    checked = subprocess.run([takt, "check", plant], capture_output=True, text=True).stdout
    row = re.search(r"mechanical +mechanical +\d+ +\d+ +\d+ +\d+ +(\d+)", checked)
    factor = re.search(r"^RTF +\S+ +(\S+) +\S+ +(\S+) +(\S+)", said, re.M)
    return f"{row.group(1) if row else '-':>2} " + " ".join(f"{value:>8}" for value in (factor.groups() if factor else ("-", "-", "-")))


def judged(takt, work, model, kind):
    """-> what became of it, in words: right, wrong, refused CODE, distrusted, not compared"""
    short = model.rsplit(".", 1)[1]
    reference, wanted = reference_of(model)
    duration, every = durations(reference)
    if reference is None and short in INTEGRATED:
        stop, wanted = INTEGRATED[short][3:]
        duration, every = f"{stop:g} s", "20 ms"
    plant = work / model.removeprefix("Modelica.")
    records = [word for name in wanted for word in ("--record", name)]
    done = subprocess.run([takt, "import", "modelica", *source_of(work, model), "--flat", work / f"{model}.json", "--out", plant, "--duration", duration, "--every", every, *records], capture_output=True, text=True)
    if done.returncode:
        codes = sorted(set(re.findall(r"error\[(\w+)\]", done.stderr)))
        return "refused " + " ".join(codes), "", done.stderr
    counts = json.loads((plant / "import.json").read_text())["counts"]
    size = f"{counts['scalar_equations']} -> {counts['equations_without_aliases']}"
    began = time.monotonic()
    done = subprocess.run([takt, "run", plant, "--pace", "free", "--build-dir", work / "build", "--out", plant / "run"], capture_output=True, text=True)
    said = done.stdout + done.stderr
    signals = plant / "run/signals.csv"
    size += f" {figures(takt, plant, said)} {time.monotonic() - began:4.0f} s"
    if done.returncode or not signals.exists():
        codes = " ".join(sorted(set(re.findall(r"\[(\w\d\d\d)\]", said))))
        return f"refused or not trusted {codes} (exit {done.returncode})", size, said
    if reference is None and short not in INTEGRATED:
        return "not compared", size, said
    found = table_of(signals)
    found = {name: values[::max(1, (len(values) - 1) // 500)] for name, values in found.items()}
    error, name = error_of(plant, found, reference, wanted, kind == "when") if reference else (0.0, "")
    if short in INTEGRATED:
        error, name = max((error, name), integration_of(model, plant, found, wanted))
    return f"{'right' if error <= TOLERANCE else 'wrong'} {error:.1e} {name}", size, said


def survey(arguments):
    """Every published result of the library. -> whether one is wrong"""
    models = sorted(".".join(file.parent.relative_to(published()).parts) for file in published().rglob("comparisonSignals.txt"))
    counts = collections.Counter()
    for model in models:
        if arguments.models and not any(each in model for each in arguments.models):
            continue
        if reference_of(model)[0] is None:
            continue
        became, size, said = judged(arguments.takt, arguments.work, model, "when")
        what = became.split()[0] if became.startswith(("right", "wrong")) else re.sub(r" \(exit.*", "", became)
        counts["the front end refuses it" if what == "refused D043" else what] += 1
        print(f"{model.removeprefix('Modelica.'):70} {size:48} {became}", flush=True)
    for what, count in counts.most_common():
        print(f"{count:5} {what}")
    return counts["wrong"] > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    if arguments.all:
        shutil.rmtree(arguments.work, ignore_errors=True)
        os.makedirs(arguments.work)
        return survey(arguments)
    if not DATA.exists():
        print("skipped: there are no reference results in", DATA)
        return 77
    shutil.rmtree(arguments.work, ignore_errors=True)  # plants are not written over what is there (D040)
    os.makedirs(arguments.work)
    failures = 0
    with open(TABLE, newline="") as text:
        rows = list(csv.DictReader(text))
    for row in rows:
        short = row["model"].rsplit(".", 1)[1]
        if arguments.models and short not in arguments.models or source_of(arguments.work, row["model"]) is None:
            continue
        became, size, said = judged(arguments.takt, arguments.work, row["model"], row["class"])
        bad = became.startswith("wrong") or (any(row["model"].endswith("." + each) for each in RIGHT) and not became.startswith("right"))
        failures += bad
        print("FAIL" if bad else "ok  ", f"{short:30} {row['class']:7} {size:48} {became}", flush=True)
        if bad:
            print(said[-2000:])
    return failures > 0


sys.exit(main())
