#!/usr/bin/env python3
"""How good the plans are that nobody typed: random plants, as in hunt_plants.py, by the plan that is found for an error, by the plan without that search, and by typed steps.

    hunt_plans.py --takt build/release/bin/takt --work DIR [--count N] [--seed S] [--jobs J] [--domains electric,fluid] [--error 1e-3] [--ways planned]
    hunt_plans.py --takt build/release/bin/takt --work DIR --files config/plants/*/plant.toml     these plants, without their [solve] and [sync]

The real error of a run is its RMS difference to `takt reference` over the scale of each recorded signal, by the rule of runtime/audit/signal_scale.hpp,
where two tolerances of the reference agree to a tenth of the error asked for. See README.md for the classes."""
import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import re
import shutil
import sys
import time

import hunt_plants
import numpy as np
import verdicts
from plant_text import Plant

RESTING = {"K": 0.1, "Pa": 10.0}
USUAL = 1e-3  # what takt plans for where nothing is said
WAYS = ("planned", "off", "typed")
SILENT = "SILENT"
HEAD = re.compile(r"(planned for an error|the error) of \S+?( is not met)?: estimated (\S+) \((.*?)\)")


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


def silent(text):
    """Without [solve] and [sync]; and these."""
    kept, given, goes = [], [], False
    for row in text.splitlines():
        section = re.match(r"\[+\s*([^\]\".]+)", row)
        if section:
            goes = section[1].strip() in ("solve", "sync")
        (given if goes else kept).append(row)
    return "\n".join(kept) + "\n", "\n".join(given) + "\n"


class PlanCase(hunt_plants.Case):
    """text: of the plant, without steps; typed: [solve] and [sync] by hand"""

    def __init__(self, options, number, plant, text, typed):
        super().__init__(options, number, "plans", plant, text)
        (self.folder / "typed.toml").write_text(typed, encoding="utf8")

    def head_of_plan(self, began):
        """The first line of the plan file that this run made or read."""
        files = [f for f in pathlib.Path(hunt_plants.build_folder(self.options)).glob("**/plans/*.toml") if f.stat().st_mtime >= began]
        return max(files, key=lambda f: f.stat().st_mtime).read_text(encoding="utf8").splitlines()[0] if files else ""

    def way(self, known, *words):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        began = time.time()
        code, printed = hunt_plants.command([self.options.takt, "run", "p.toml", "--build-dir", hunt_plants.build_folder(self.options), "--pace", "free", "--no-report", "--out", str(out), *words], self.folder, 4 * hunt_plants.CPU_S)
        way = {"exit": code, "seconds": round(time.time() - began, 1), "warned": "warning[S046]" in printed}
        refused = sorted(set(re.findall(r"error\[(\w+)\]", printed)))
        failed = sorted(set(re.findall(r"\b(X\d{3})\b", printed))) if code else []
        way["codes"] = refused or failed
        found = HEAD.search(self.head_of_plan(began))
        if found:
            way["estimate"] = math.inf if found[3] == "beyond" else float(found[3])
        rows = verdicts.recording(out)
        if rows is None:
            way["class"] = "refused" if refused else "failed by name" if failed else "broken: " + (printed.strip().splitlines() or ["nothing said"])[-1][:120]
        elif known is None:
            way["class"] = "no reference"
        else:
            way["error"], way["signal"] = off(rows[1], known[1], known[2])
            way["class"] = self.judged(way)
        return way

    def judged(self, way):
        asked = self.options.error
        if way["exit"]:
            return "wrong and failed" if way["error"] > asked else "right but failed"
        if way["error"] <= asked:
            return "right but warned" if way["warned"] else "right"
        if way["warned"]:
            return "wrong and warned"
        return "near" if way["error"] <= 3 * asked else SILENT

    def run(self):
        known = self.references()
        words = {
            "planned": [] if self.options.error == USUAL else ["--error", str(self.options.error)],
            "off": ["--error", "off"],
            "typed": ["--solve", "typed.toml"]}
        ways = self.result["ways"] = {name: self.way(known, *words[name]) for name in self.options.ways}
        keep = self.options.keep or any(way["class"] == SILENT or way["class"].startswith("broken") for way in ways.values())
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.result


def given_cases(options):
    for path in options.files:
        text, typed = silent(path.read_text(encoding="utf8").replace('"../', f'"{path.parent.parent.resolve()}/'))
        plant = Plant("given", 1.0)
        plant.generator = path.parent.name
        if re.search("diode|mosfet|igbt|thyristor|switch|gate|_leg|mode\\.", text):
            plant.traits.add("switches")
        case = PlanCase(options, path.parent.name, plant, text, typed)
        for other in path.parent.iterdir():  # tables, cycles, operating points
            if other.is_file() and other != path:
                shutil.copy(other, case.folder)
        yield case


def cases(options):
    for number in options.only or range(options.count):
        plant, rng = hunt_plants.random_plant(f"{options.seed}/{number}", options.domains)
        head = f"{plant.generator}, seed {options.seed}/{number}"
        yield PlanCase(options, number, plant, plant.text([], head), "\n".join(plant.hand_typed(rng)[0]) + "\n")


def number(value):
    return "      -" if value is None else f"{value:7.1e}"


def line(r):
    told = [f"{name} {way['class'][:16]:16} {number(way.get('estimate'))} is {number(way.get('error'))} {' '.join(way['codes'])}" for name, way in r["ways"].items()]
    return f"{r['name']:18} {r['generator']:26} " + "; ".join(told) + f"; {next(iter(r['ways'].values())).get('signal', '')} {next(iter(r['ways'].values()))['seconds']} s"


def table(results, error):
    small = error / 30  # below it neither is of interest
    for name in results[0]["ways"]:
        ways = [(r, r["ways"][name]) for r in results]
        classes = collections.Counter(way["class"].split(":")[0] for _, way in ways)
        print(f"\n{name}: {len(ways)} runs: " + ", ".join(f"{kind} {count}" for kind, count in classes.most_common()))
        by_domain = collections.defaultdict(collections.Counter)
        for r, way in ways:
            by_domain[r["domain"]][way["class"].split(":")[0]] += 1
        for domain, kinds in sorted(by_domain.items()):
            print(f"  {domain:14} " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
        known = [(r["name"], max(way["estimate"], small) / max(way["error"], small)) for r, way in ways if way.get("estimate") is not None and way.get("error") is not None]
        if known:
            print(f"  estimates: {len(known)}; within 1/3 to 10 of the real error (both at least {small:g}): {sum(1 / 3 <= q <= 10 for _, q in known)}, "
                  f"below 1/3: {[n for n, q in known if q < 1 / 3]}, above 10: {[n for n, q in known if q > 10]}")
        silent = [r["name"] for r, way in ways if way["class"] == SILENT]
        print(f"  {SILENT}: {silent}")
    seconds = sorted(next(iter(r["ways"].values()))["seconds"] for r in results)
    print(f"\nbuild, search and run, {next(iter(results[0]['ways']))}: median {seconds[len(seconds) // 2]} s, longest {seconds[-1]} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--domains", type=lambda text: text.split(","), default=list(hunt_plants.DOMAINS))
    parser.add_argument("--error", type=float, default=USUAL)
    parser.add_argument("--files", type=pathlib.Path, nargs="*", help="plants, instead of random ones")
    parser.add_argument("--ways", type=lambda text: text.split(","), default=list(WAYS))
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    options.takt, options.work = str(pathlib.Path(options.takt).resolve()), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda case: case.run(), given_cases(options) if options.files else cases(options)):
            results.append(result)
            print(line(result), flush=True)
            (options.work / "results.json").write_text(json.dumps(results, indent=1), encoding="utf8")
    table(results, options.error)
    return 1 if any(r["ways"].get("planned", {}).get("class") == SILENT for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
