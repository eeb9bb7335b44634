#!/usr/bin/env python3
"""Modes that remember (hysteresis, thresholds on another element's current): right, or failed by name.

    trust_modes_test.py CHECK --takt build/release/bin/takt --work DIR

closed     One storage between two thresholds, against the exact solution: exponentials from threshold to threshold. trust/bang.toml (current
           control; a diode takes over at turn-off, the inductor keeps its flux), relax.toml (discharge within a step), d_switch_nro.toml
           (discharge in a thousandth of a step). At the step given, a tenth and ten times of it.
reference  trust/schmitt_ring.toml, holding.toml and fired_pair.toml (a thyristor must not turn off while a diode has yet to take over) against `takt reference`, which integrates by SUNDIALS and finds crossings by itself.
named      What neither state agrees with (chatter.toml, X030), what is too fast to follow (too_fast.toml, X031) and what has no path to go on
           (no_freewheel.toml, X011) is counted with the element's name and fails the run: the last by its audit, since what an off-resistance
           makes of the current is over within a step."""
import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

import run_cases  # the first: ends with 77 where numpy is missing
import numpy as np

TRUST = pathlib.Path(__file__).resolve().parent / "trust"


def between_thresholds(times, start, on, states):
    """y' = (final - y)/tau in each state until y crosses `turn`; states[on] = (final, tau, turn). -> y at the times, number of turns."""
    values, begin, y, turns = [], 0.0, start, 0
    final, tau, turn = states[on]
    lasts = tau * math.log((y - final) / (turn - final))
    for time in times:
        while time > begin + lasts:
            begin, y, on, turns = begin + lasts, turn, not on, turns + 1
            final, tau, turn = states[on]
            lasts = tau * math.log((y - final) / (turn - final))
        values.append(final + (y - final) * math.exp(-(time - begin) / tau))
    return np.array(values), turns


def capacitor(source, r_source, c, r_on, r_off, v_on, v_off):
    def state(r, turn):
        g = 1.0 / r_source + 1.0 / r
        return source / r_source / g, c / g, turn
    return {True: state(r_on, v_off), False: state(r_off, v_on)}


CLOSED = {  # signal, start, on at first, states, mode, largest error by step (of second order: phases of a hundred periods add up)
    "bang": ("electric.l.i", 0.0, True, {True: (24 / 4.02, 100e-6 / 4.02, 2.2), False: (-0.5 / 4.02, 100e-6 / 4.02, 1.8)}, "electric.q.on",
             {"100 ns": 1e-3, "1 us": 1e-2, "10 ns": 1e-3}),
    "relax": ("electric.c.v", 0.0, False, capacitor(10.0, 1e3, 1e-6, 1.0, 1e6, 6.0, 3.0), None, {"1 us": 2e-2, "10 us": 2e-2, "100 ns": 2e-2}),
    "d_switch_nro": ("electric.n1.v", 0.0, False, capacitor(100e-6 * 1e12, 1e12, 1e-9, 1.0, 1e7, 4.975, 0.025), None, {"1 us": 1e-3, "100 ns": 1e-3}),
}


class Checker:
    def __init__(self, options):
        self.takt, self.work, self.failed = options.takt, options.work, 0

    def say(self, ok, text):
        print(f"{text}   {'ok' if ok else 'FAILED'}", flush=True)
        self.failed += not ok

    def plant(self, name, edits=(), suffix=""):
        folder = self.work / (name + suffix)
        folder.mkdir(parents=True, exist_ok=True)
        text = (TRUST / f"{name}.toml").read_text()
        for pattern, replacement in edits:
            text, count = re.subn(pattern, replacement, text)
            if count != 1:
                raise RuntimeError(f"{name}: '{pattern}' stands there {count} times")
        (folder / "plant.toml").write_text(text)
        return folder / "plant.toml"

    def run(self, plant):
        """-> exit code, output, summary, signals"""
        shutil.rmtree(plant.parent / "run", ignore_errors=True)
        done = subprocess.run([self.takt, "run", plant, "--out", plant.parent / "run"], cwd=plant.parent, capture_output=True, text=True)
        summary = json.loads((plant.parent / "run" / "summary.json").read_text())
        return done.returncode, done.stdout + done.stderr, summary, table(plant.parent / "run" / "signals.csv")


def table(path):
    return run_cases.without_units(run_cases.references.columns(path))


def check_closed(check):
    for name, (signal, start, on, states, mode, limits) in CLOSED.items():
        for step, limit in limits.items():
            edits = [(r"\[solve\]\n(electric.*\n)?", f'[solve]\nelectric = {{ step = "{step}" }}\n')]
            code, output, summary, result = check.run(check.plant(name, edits, "_" + step.replace(" ", "")))
            exact, turns = between_thresholds(result["time"], start, on, states)
            error = np.abs(result[signal] - exact) / np.abs(exact).max()
            seen = turns if mode is None else int(np.abs(np.diff(result[mode])).sum())
            # A discharge of 1 us that comes 0.2 us late is off by much of it for one sample: the oscillator is judged by what it does on the whole.
            worst = float(np.sqrt(np.mean(error**2))) if name == "relax" else error.max()
            check.say(code == 0 and worst < limit and seen == turns, f"{name:13} {step:>6}: exit code {code}, {turns} turns, error {worst:.1e} of the largest value")


def check_reference(check):
    for name, method in (("schmitt_ring", "ark"), ("holding", "ida"), ("fired_pair", "ida")):  # blocked inductors are too stiff for ark
        plant = check.plant(name)
        code, output, summary, result = check.run(plant)
        tight = plant.parent / "tight"
        done = subprocess.run([check.takt, "reference", plant, "--method", method, "--out", tight], cwd=plant.parent, capture_output=True, text=True)
        check.say(code == 0 and done.returncode == 0, f"{name}: exit codes {code} and {done.returncode} {done.stderr.strip()[-200:]}")
        if code or done.returncode:
            print(output)
            continue
        reference = table(tight / "signals.csv")
        for signal in result:
            if signal == "time" or signal.endswith(".on"):
                continue
            error = np.sqrt(np.mean((result[signal] - reference[signal]) ** 2)) / np.ptp(reference[signal])
            check.say(error < 2e-3, f"{name:13} {signal}: {error:.1e} of its range, RMS")


def check_named(check):
    for name, event, who in (("chatter", "X030", "electric.q.on"), ("too_fast", "X031", "electric.s.on"), ("no_freewheel", "X011", "electric.l")):
        code, output, summary, result = check.run(check.plant(name))
        line = next((line for line in output.splitlines() if event in line and who in line), "")
        check.say(bool(line) and code == 1, f"{name:13} exit code {code}: {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("check", choices=["closed", "reference", "named"])
    parser.add_argument("--takt", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.takt, options.work = options.takt.resolve(), options.work.resolve()
    check = Checker(options)
    {"closed": check_closed, "reference": check_reference, "named": check_named}[options.check](check)
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
