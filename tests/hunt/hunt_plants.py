#!/usr/bin/env python3
"""A hunt for silently wrong runs: random plants of all domains, as a user would write them, run as given and judged.

    hunt_plants.py --takt build/release/bin/takt --work DIR [--count N] [--seed S] [--jobs J] [--domains electric,fluid] [--plan default|hand|both]

Every plant is run by the default plan (without [solve] and [sync]), every other one also with steps typed by hand. It is judged by `takt
reference` where two tolerances of it agree, and by a second oracle that knows none of our laws (ngspice, equations written down by the generator,
contents within bounds). See README.md for the classes."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import threading

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

import electric
import flows
import gases
import instants
import mechanics
import mixed
import switched
import thermal
import verdicts
from plant_text import Cycle, Plant

DOMAINS = {"electric": (electric, 20), "switched": (switched, 32), "solid": (thermal, 10), "fluid": (flows, 20), "gas": (gases, 9), "mechanical": (mechanics, 12), "mixed": (mixed, 14), "instants": (instants, 39)}
SILENT = "SILENT"
CPU_S, REFERENCE_CPU_S = 60, 12


def random_plant(seed, domains):
    rng = random.Random(seed)
    module = rng.choices([DOMAINS[d][0] for d in domains], [DOMAINS[d][1] for d in domains])[0]
    generator = rng.choices([g for g, _ in module.GENERATORS], [w for _, w in module.GENERATORS])[0]
    plant = generator(rng)
    plant.generator = f"{module.__name__}.{generator.__name__}"
    return plant, rng


def command(arguments, folder, cpu_s=CPU_S):
    """-> exit code, everything printed; as if killed where it takes too much CPU time"""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))

    try:
        done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, errors="replace", timeout=30 * cpu_s, preexec_fn=limit)
    except subprocess.TimeoutExpired as late:
        return -9, str(late)
    return done.returncode, done.stdout + done.stderr


def build_folder(options):
    """One for each worker: headers are compiled once, not for every plant."""
    return str(options.work / f"build_{threading.current_thread().name.rpartition('_')[2]}")


class Case:
    """One plant by one plan."""

    def __init__(self, options, number, plan, plant, text):
        self.options, self.plan, self.plant = options, plan, plant
        self.name = f"{options.seed}_{number}_{plan}"
        self.folder = options.work / self.name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "p.toml").write_text(text, encoding="utf8")
        self.result = {"name": self.name, "plan": plan, "domain": plant.domain, "generator": plant.generator, "traits": sorted(plant.traits)}

    def references(self):
        """Two tolerances, by the first method of which both agree; None where none does."""
        told = []
        for method in ("ark", "ida") if "switches" in self.plant.traits else ("ida", "ark"):
            recorded = []
            for tolerance in ("1e-7", "1e-9"):
                out = self.folder / f"reference_{method}_{tolerance}"
                code, printed = command([self.options.takt, "reference", "p.toml", "--method", method, "--rtol", tolerance, "--out", str(out)], self.folder, REFERENCE_CPU_S)
                rows = verdicts.recording(out) if code == 0 else None
                if rows is None or not all(np.all(np.isfinite(v)) for v in rows[1].values()):
                    told.append(f"{method} {tolerance}: " + (re.search(r"error.*|terminate.*", printed) or [f"ended with {code}"])[0][:120])
                    break
                recorded.append(rows)
            else:
                (times, loose, units), (_, tight, _) = recorded
                apart = self.errors(times, loose, tight, units)
                if apart and max(apart.values()) <= (5 if self.plant.cycle else 1) * verdicts.AGREE:
                    return times, tight, units
                told.append(f"{method}: tolerances {max(apart.values()):.1e} apart" if apart else f"{method}: no cycle")
        self.result["reference"] = "; ".join(told)
        return None

    def errors(self, times, run, reference, units):
        if self.plant.cycle:
            return verdicts.cycle_errors(times, run, reference, units, self.plant.cycle)
        return verdicts.errors(run, reference, units, self.plant.jumping)

    def second_oracle(self, times, run, reference, units):
        """Judges run and reference by what knows none of our laws. -> error of the run, or None"""
        oracle = self.plant.oracle
        try:
            answer = oracle.answer(times) if oracle else None
        except (ValueError, OverflowError, FloatingPointError, ZeroDivisionError) as reason:
            answer = self.result["oracle_failed"] = None if reason else None
        if answer is None:
            return None
        own = {name: values for name, values in answer.items() if name in run and name not in self.plant.jumping}
        if not own:
            return None
        first = 0
        if oracle.kind == "ngspice":  # with `uic` its first row is that of no solution; that of the reference counts for the range of a signal
            first = 0 if reference is not None else 1
            own = {name: np.concatenate(([reference[name][0]], values[1:])) if first == 0 else values for name, values in own.items()}
        later = {name: values[first:] for name, values in run.items()}
        own = {name: values[first:] for name, values in own.items()}
        judged = verdicts.errors(later, own, units)
        self.result["oracle"] = {"kind": oracle.kind, "run": max(judged.values())}
        if reference is not None:
            self.result["oracle"]["reference"] = max(verdicts.errors({name: values[first:] for name, values in reference.items()}, own, units).values())
        return max(judged.values())

    def judge(self):
        out = self.folder / "out"
        code, printed = command([self.options.takt, "run", "p.toml", "--build-dir", build_folder(self.options), "--pace", "free", "--no-report", "--out", str(out)], self.folder)
        self.result["exit"] = code
        (self.folder / "run.log").write_text(printed, encoding="utf8")
        summary = verdicts.summary_of(out)
        codes, events = verdicts.said(summary)
        refused = sorted(set(re.findall(r"error\[(\w+)\]", printed)))
        self.result.update(codes=codes or refused, events=events)
        if not summary and refused:
            return "refused"
        if not summary or code not in (0, 1):
            return "broken: " + printed.strip().splitlines()[-1][:160] if printed.strip() else f"broken: ended with {code}"
        rows = verdicts.recording(out)
        if rows is None:
            return "failed by name" if code else "broken: no recording"
        times, run, units = rows
        known = self.references()
        bounds = verdicts.out_of_bounds(run, self.plant.bounds)
        judged = self.errors(known[0], run, known[1], known[2]) if known else None
        oracle = self.second_oracle(times, run, known[1] if known else None, units)
        if judged:
            worst = max(judged, key=lambda name: judged[name])
            self.result.update(error=judged[worst], signal=worst)
        if bounds:
            self.result["bounds"] = bounds
        return self.verdict(code, judged, oracle, bounds)

    def verdict(self, code, judged, oracle, bounds):
        trusted = judged is not None
        wrong = bool(bounds) or (trusted and max(judged.values()) > verdicts.LIMIT) or (not trusted and oracle is not None and oracle > 2 * verdicts.LIMIT)
        if trusted and oracle is not None and oracle > 2 * verdicts.LIMIT and not wrong:
            return SILENT + " by the second oracle" if code == 0 else "wrong and said"
        if wrong:
            return SILENT if code == 0 else "wrong and said"
        if not trusted and oracle is None:
            return "no reference"
        return "right" if code == 0 else "false alarm"

    def run(self):
        self.result["class"] = self.judge()
        if self.result["class"] in ("right", "no reference") and not self.options.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        else:
            (self.folder / "verdict.json").write_text(json.dumps(self.result, indent=1), encoding="utf8")
        return self.result


def cases(options):
    for number in options.only or range(options.count):
        plant, rng = random_plant(f"{options.seed}/{number}", options.domains)
        title = f"{plant.generator}, seed {options.seed}/{number}"
        solve, part = plant.hand_typed(rng)
        if options.plan in ("default", "both"):
            yield Case(options, number, "default", plant, plant.text(title=title + ", default plan"))
        if options.plan == "hand" or (options.plan == "both" and number % 2 == 0):
            yield Case(options, number, "hand", plant, plant.text(solve, title + f", steps by hand, {part:g} of the fastest time constant"))


def found_cases(options):
    """Reduced plants of earlier hunts. Their head says, beside what is right, `# jumping: SIGNALS`, `# cycle: SIGNAL LEVEL`, `# bounds: SIGNAL LOW HIGH`."""
    for path in sorted(options.found.glob("*.toml")):
        text = path.read_text(encoding="utf8")
        plant = Plant("found", 1.0)
        plant.generator = path.stem
        for word, rest in re.findall(r"^# (jumping|cycle|bounds): (.*)$", text, re.MULTILINE):
            cells = rest.split()
            if word == "jumping":
                plant.jumping.update(cells)
            elif word == "cycle":
                plant.cycle = Cycle(cells[0], float(cells[1]))
            else:
                plant.bounds[cells[0]] = (float(cells[1]), float(cells[2]))
        if "mode." in text or "diode" in text or "gate" in text:
            plant.traits.add("switches")
        yield Case(options, path.stem, "found", plant, text)


def line(result):
    error = f"{result['error']:9.1e} {result['signal']}" if "error" in result else " " * 9
    oracle = f"  {result['oracle']['kind']} {result['oracle']['run']:.1e}" if "oracle" in result else ""
    more = "  " + " ".join(result["codes"]) + " " + ", ".join(f"{c}x{n:g}" for c, n in result["events"].items()) + "".join("  " + b for b in result.get("bounds", []))
    return f"{result['class'][:40]:18} {result['name']:22} {result['generator']:26} {error}{oracle}{more}".rstrip()


def table(results):
    for plan in ("default", "hand", "found"):
        rows = [r for r in results if r["plan"] == plan]
        if not rows:
            continue
        classes = collections.Counter(r["class"].split(":")[0] for r in rows)
        print(f"\n{plan} plan: {len(rows)} runs: " + ", ".join(f"{name} {count}" for name, count in classes.most_common()))
        by_generator = collections.defaultdict(collections.Counter)
        for r in rows:
            by_generator[r["generator"]][r["class"].split(":")[0]] += 1
        for generator in sorted(by_generator):
            print(f"  {generator:28} " + ", ".join(f"{name} {count}" for name, count in by_generator[generator].most_common()))
    plants = {r["name"].rsplit("_", 1)[0]: r for r in results}
    shares = collections.Counter(trait for r in plants.values() for trait in r["traits"])
    print("\nshares: " + ", ".join(f"{trait} {100 * count // len(plants)} %" for trait, count in shares.most_common()))
    second = [r for r in results if "oracle" in r or r.get("bounds") is not None]
    print(f"second oracle: {sum('oracle' in r for r in results)} of {len(results)} runs; "
          f"reference against it above 1e-2: {[r['name'] for r in second if r.get('oracle', {}).get('reference', 0) > 2e-2]}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of plants of this seed")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--domains", type=lambda text: text.split(","), default=list(DOMAINS))
    parser.add_argument("--plan", choices=["default", "hand", "both"], default="both")
    parser.add_argument("--open", type=lambda text: text.split(","), default=[], help="generators whose silent results do not fail the hunt yet")
    parser.add_argument("--found", type=pathlib.Path, help="run the plants of this folder instead of random ones")
    parser.add_argument("--keep", action="store_true", help="keep the folders of right ones too")
    options = parser.parse_args()
    options.takt, options.work = str(pathlib.Path(options.takt).resolve()), options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    return options


def main():
    options = arguments()
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda case: case.run(), found_cases(options) if options.found else cases(options)):
            results.append(result)
            print(line(result), flush=True)
            (options.work / "results.json").write_text(json.dumps(results, indent=1), encoding="utf8")
    table(results)
    silent = [r for r in results if r["class"].startswith(SILENT) and not any(r["generator"].startswith(o) for o in options.open)]
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
