#!/usr/bin/env python3
"""How good the estimates and the plans of `takt plan` are: random plants, as in hunt_plants.py, by the default plan and by the one that is found for an error.

    hunt_plans.py --takt build/release/bin/takt --work DIR [--count N] [--seed S] [--jobs J] [--domains electric,fluid] [--error 1e-3]

The real error of a run is its RMS difference to `takt reference` over the scale of each recorded signal, by the rule of runtime/audit/signal_scale.hpp,
where two tolerances of the reference agree to a tenth of the error asked for."""
import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import shutil
import sys

import hunt_plants
import numpy as np
import verdicts

RESTING = {"K": 0.1, "Pa": 10.0}


def scales(reference, units):
    least = collections.defaultdict(float)
    for name, values in reference.items():
        low, high = float(np.min(values)), float(np.max(values))
        least[units[name]] = max(least[units[name]], 1e-9 * max(abs(low), abs(high)), 1e-2 * (high - low), RESTING.get(units[name], 0.0))
    result = {}
    for name, values in reference.items():
        low, high = float(np.min(values)), float(np.max(values))
        size = max(abs(low), abs(high))
        result[name] = max(high - low if high - low > 1e-6 * size else size, least[units[name]]) or 1.0
    return result


def off(run, reference, units):
    """-> worst error, its signal"""
    measured, worst = scales(reference, units), (0.0, "")
    for name, want in reference.items():
        if name not in run or name.endswith(".der"):
            continue
        got, want = verdicts.beside_jumps(run[name][:len(want)], want[:len(run[name])])  # a sample on a jump says nothing
        if not len(want):
            continue
        error = float(np.sqrt(np.mean((got - want) ** 2)) / measured[name])
        worst = max(worst, (error if math.isfinite(error) else math.inf, name))
    return worst


class PlanCase(hunt_plants.Case):
    def planned(self, *words):
        code, printed = hunt_plants.command([self.options.takt, "plan", "p.toml", "--json", "--build-dir", hunt_plants.build_folder(self.options), *words], self.folder)
        brace = printed.find("{\n")
        return code, json.loads(printed[brace:printed.rfind("}") + 1]) if brace >= 0 else None, printed

    def real(self, known, *words):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        code, _ = hunt_plants.command([self.options.takt, "run", "p.toml", "--build-dir", hunt_plants.build_folder(self.options), "--pace", "free", "--no-report", "--out", str(out), *words], self.folder)
        rows = verdicts.recording(out)
        return code, off(rows[1], known[1], known[2]) if rows and known else (None, "")

    def run(self):
        r = self.result
        code, kept, printed = self.planned("--keep")
        if kept is None:
            r["class"] = "no plan: " + (printed.strip().splitlines() or ["nothing said"])[0][:100]
            return r
        known = self.references()
        r.update(estimate=kept["given"]["error"], converges=kept["given"]["converges"], estimated_signal=kept["given"]["signal"])
        r["exit"], (r["error"], r["signal"]) = self.real(known)
        code, found, _ = self.planned("--error", str(self.options.error), "--out", str(self.folder / "found.toml"))
        if found is not None:
            r.update(met=found["met"], found_estimate=found["found"]["error"], work=found["found_work"] / found["given_work"], rounds=found["rounds"])
            r["found_exit"], (r["found_error"], r["found_signal"]) = self.real(known, "--solve", str(self.folder / "found.toml"))
        r["class"] = "judged" if known else "no reference"
        if not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        return r


def cases(options):
    for number in options.only or range(options.count):
        plant, _ = hunt_plants.random_plant(f"{options.seed}/{number}", options.domains)
        yield PlanCase(options, number, "default", plant, plant.text(title=f"{plant.generator}, seed {options.seed}/{number}, default plan"))


def number(value):
    return "       -" if value is None else f"{value:8.1e}"


def line(r):
    if "estimate" not in r:
        return f"{r['name']:22} {r['generator']:26} {r['class']}"
    flags = ("" if r["converges"] else " not known") + ("" if r.get("met", True) else " not met")
    return (f"{r['name']:22} {r['generator']:26} estimated {number(r['estimate'])} is {number(r['error'])} exit {r['exit']}; found {number(r.get('found_estimate'))} "
            f"is {number(r.get('found_error'))} exit {r.get('found_exit')} work {r.get('work', 0):.2g}{flags} {r['signal']}")


def table(results, error):
    judged = [r for r in results if r["class"] == "judged" and r["error"] is not None]
    small = error / 30  # below it neither is of interest
    known = [r for r in judged if r["converges"] and r["estimate"] is not None]
    ratio = [max(r["estimate"], small) / max(r["error"], small) for r in known]
    print(f"\n{len(results)} plants, {len(judged)} judged; estimates of the default plan: {len(known)}; within 1/3 to 10 of the real error (both at least {small:g}): "
          f"{sum(1 / 3 <= q <= 10 for q in ratio)}, below 1/3: {[r['name'] for r, q in zip(known, ratio) if q < 1 / 3]}")
    print(f"default plan within {error:g}: {sum(r['error'] <= error for r in judged)} of {len(judged)}")
    found = [r for r in judged if r.get("found_error") is not None]
    met = [r for r in found if r["met"]]
    print(f"plan found and met: {len(met)} of {len(judged)}; within the error {sum(r['found_error'] <= error for r in met)}, within 3 times "
          f"{sum(r['found_error'] <= 3 * error for r in met)}, beyond with exit 0: {[r['name'] for r in met if r['found_error'] > 3 * error and r['found_exit'] == 0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--domains", type=lambda text: text.split(","), default=list(hunt_plants.DOMAINS))
    parser.add_argument("--error", type=float, default=1e-3)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    options.takt, options.work = str(pathlib.Path(options.takt).resolve()), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda case: case.run(), cases(options)):
            results.append(result)
            print(line(result), flush=True)
            (options.work / "results.json").write_text(json.dumps(results, indent=1), encoding="utf8")
    table(results, options.error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
