#!/usr/bin/env python3
"""Runs the cases of one group through `takt run` and compares them with their references.

A case is a folder in cases/: plant.toml, case.toml and, for ngspice, netlist.cir. Every case must stay within `tolerance` (normalised root
mean square difference, 1e-3 where nothing is said) of its reference at the step its plant states; a case with an `order` is run at twice that step
too and must show that order of convergence; no run-time event may be counted; a case with [cycles] must agree in the averages and RMS of its last cycles too.

    run_cases.py GROUP --takt build/release/bin/takt --work DIR [--only CASE] [--jobs N]

The groups `smoke` (SMOKE) and `plants` (the others) compare every plant of config/plants that has a reference.csv with it; comments at its head hold arguments of the run and bounds
other than 1e-3.

Ends with 0, 1 (a case failed) or 77 (nothing could be compared: ngspice or the reference results are missing)."""
import argparse
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

try:
    import numpy as np

    import judge
    import references
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
PLANTS = HERE.parents[1] / "config" / "plants"
SMOKE = ("rc", "buck", "drive", "hybrid", "ev")  # small ones that between them use most of what there is
SLACK = 0.35  # of the observed order: the step is finite and some signals start with a jump


def scaled(text, factor, sync):
    """The plant with its steps (and, where `sync` is set, its synchronisation times) times `factor`."""
    def times_factor(match):
        return f'{match[1]}{float(match[2]) * factor:g} {match[3]}"'
    text = re.sub(r'(step\s*=\s*")([\d.]+) (\w+)"', times_factor, text)
    if sync:
        head, tail = text.split("[sync]", 1)
        text = head + "[sync]" + re.sub(r'(every\s*=\s*")([\d.]+) (\w+)"', times_factor, tail, count=1)
    return text


def run_plant(takt, folder, case, factor, work):
    """One free run -> {signal: values} with "time [s]"."""
    plant = work / f"x{factor}" / folder.name
    plant.mkdir(parents=True, exist_ok=True)
    (plant / "plant.toml").write_text(scaled((folder / "plant.toml").read_text(), factor, case.get("sync")))
    return signals(takt, plant / "plant.toml", plant, *(() if factor == 1 else COARSE))


# Steps that a test chooses for a method's order, or beyond what resolves the losses: that audit and energy find them coarse is right.
COARSE = ("--tolerate", "X008", "--audit", "off")


def signals(takt, plant, work, *arguments):
    out = work / "run"
    shutil.rmtree(out, ignore_errors=True)
    command = [takt, "run", str(plant), "--build-dir", str(work / "build"), "--pace", "free", "--out", str(out), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    if done.returncode != 0:
        raise RuntimeError(f"takt run ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return without_units(references.columns(out / "signals.csv"))


def summary(run):
    return json.loads((run / "summary.json").read_text())


def events(run):
    """Run-time events that a run has counted, {code: count}: a switched circuit whose state or edges could not be resolved."""
    counted = {}
    for event in (event for subsystem in summary(run)["subsystems"] for event in subsystem.get("events", [])):
        counted[event["code"]] = counted.get(event["code"], 0) + event["count"]
    return {code: count for code, count in counted.items() if count > 0}


def without_units(table):
    return {name.split(" [")[0]: values for name, values in table.items()}


def judge_case(takt, folder, work):
    """-> (passed, lines of text)"""
    case = tomllib.loads((folder / "case.toml").read_text())
    work = work / folder.name
    work.mkdir(parents=True, exist_ok=True)
    tolerance = case.get("tolerance", 1e-3)

    def solved(factor):
        result = run_plant(takt, folder, case, factor, work)
        return judge.common_times(result, references.solve(case, folder, result["time"], work))

    fine = solved(1)
    counted = events(work / "x1" / folder.name / "run")
    shape, cycles = judge.shape(case, *fine), judge.cycles(case, *fine)
    worst = max(shape.values())
    passed = worst <= tolerance
    lines = [f"{folder.name:24} {worst:9.2e} <= {tolerance:.0e}"]
    if cycles:
        limit = case["cycles"].get("tolerance", 1e-3)
        passed = passed and max(cycles.values()) <= limit
        lines[0] += f"   cycles {max(cycles.values()):9.2e} <= {limit:.0e}"
    if case["order"] > 0:
        order = float(np.log2(max(judge.shape(case, *solved(2)).values()) / worst))
        passed = passed and order >= case["order"] - SLACK
        lines[0] += f"   order {order:5.2f} of {case['order']}"
    expected = set(case.get("events", []))   # which must occur; others must not
    counted = counted if set(counted) != expected else {}
    passed = passed and not counted
    lines[0] += "   ok" if passed else f"   FAILED, counted {counted}" if counted else "   FAILED"
    if not passed:
        lines += [f"    {name:40} {value:9.2e}" for name, value in shape.items()]
        lines += [f"    {name:40} {value:9.2e} of its cycles" for name, value in cycles.items()]
    return passed, lines


def judge_plant(takt, folder, work):
    """A plant of config/plants against its reference.csv, at the times both have."""
    work = work / folder.name
    work.mkdir(parents=True, exist_ok=True)
    notes = [line[1:].strip() for line in (folder / "reference.csv").read_text().splitlines()[:4] if line.startswith("#")]
    arguments = [word for note in notes if note.startswith("--") for word in note.split()]  # "# --set solo=1 --for 120s"
    bounds = {}
    for limit, names in (note[len("within "):].split(": ") for note in notes if note.startswith("within ")):  # "# within 1e-2: NAME NAME"
        bounds |= dict.fromkeys(names.split(), float(limit))
    result = signals(takt, folder / "plant.toml", work, *arguments)
    reference = without_units(references.columns(folder / "reference.csv"))
    result, expected = judge.common_times(result, reference)
    errors = judge.shape({}, result, expected)
    passed = len(expected["time"]) > 10 and all(value <= bounds.get(name, 1e-3) for name, value in errors.items())
    lines = [f"{folder.name:24} {max(errors.values()):9.2e}   {'ok' if passed else 'FAILED'}"]
    return passed, lines + [f"    {name:40} {value:9.2e} <= {bounds.get(name, 1e-3):.0e}" for name, value in errors.items()]


def chosen(options):
    if options.group in ("plants", "smoke"):
        folders = sorted(path.parent for path in PLANTS.glob("*/reference.csv") if (path.parent.name in SMOKE) == (options.group == "smoke"))
    else:
        folders = [folder for folder in sorted((HERE / "cases").iterdir())
                   if tomllib.loads((folder / "case.toml").read_text())["group"] == options.group]
    return [folder for folder in folders if options.only in (None, folder.name)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("group")
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--only")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    folders = chosen(options)
    passed, skipped, failed = 0, 0, 0

    def one(folder):
        try:
            return (judge_plant if options.group in ("plants", "smoke") else judge_case)(options.takt, folder, options.work)
        except references.Missing as missing:
            return None, [f"{folder.name:24} skipped: {missing}"]
        except Exception as error:  # the other cases are still worth running
            return False, [f"{folder.name:24} FAILED: {error}"]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for ok, lines in pool.map(one, folders):
            print("\n".join(lines), flush=True)
            passed, skipped, failed = passed + (ok is True), skipped + (ok is None), failed + (ok is False)
    print(f"{passed} passed, {skipped} skipped, {failed} failed")
    return 1 if failed or not folders else 77 if skipped and not passed else 0


if __name__ == "__main__":
    sys.exit(main())
