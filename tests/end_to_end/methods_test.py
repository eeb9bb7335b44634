#!/usr/bin/env python3
"""Emitted plants by rkc, ros1, ros2 and auto: they converge with their order to what rk4 gives with a quarter of the step, carry steps that
explicit methods cannot, and their ledgers close.

    methods_test.py --takt build/release/bin/takt --work DIR [--only NAME]

Ends with 0, 1 (a plant failed) or 77 (numpy is missing)."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

try:
    import numpy as np

    import judge
    import run_cases
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CASES = pathlib.Path(__file__).resolve().parent / "cases"
SLACK = 0.35  # of the observed order: the step is finite and some signals start with a jump
# case, factor on its step: Newton blocks, dummy derivatives, pipes with tanks and pumps, gases
SMOOTH = [("exponential_load", 1), ("four_bar", 1), ("fl_elements", 2), ("converters", 1)]
ENOUGH = 1e-4  # below, kinks of laws are what is left
LEDGER = 1e-12


def orders(takt):
    """-> order of every method that steps smooth circuits of any kind, but for rk4 and what is of order 1 and explicit"""
    table = subprocess.run([takt, "explain", "methods"], check=True, capture_output=True, text=True).stdout
    rows = dict(re.findall(r"^\| `(\w+)` \| (\d) \|", table, re.M))
    return {name: int(order) for name, order in rows.items() if name not in ("euler", "rk4", "exact", "trapezoidal", "adaptive", "bdf")}


def with_method(text, method):
    return re.sub(r'method\s*=\s*"\w+"', f'method = "{method}"', text)


def run(takt, name, method, factor, work, step=None):
    """-> signals"""
    text = with_method((CASES / name / "plant.toml").read_text(), method)
    text = run_cases.scaled(text, factor, False)
    if step:
        text = re.sub(r'step\s*=\s*"[^"]*"', f'step = "{step}"', text)
    folder = work / f"{name}_{method}_{factor:g}{step or ''}".replace(" ", "").replace(".", "_")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plant.toml").write_text(text)
    signals = run_cases.signals(takt, folder / "plant.toml", folder, *run_cases.COARSE)
    summary = json.loads((folder / "run" / "summary.json").read_text())
    for coupling in summary["couplings"]:
        if coupling["kind"] == "flux":
            left = abs(coupling["sent"] - coupling["received"] - coupling["in_transit"])
            assert left <= LEDGER * max(coupling["throughput"], 1e-300), f"{name} {method}: {coupling['from']} leaves {left:g}"
    return signals


def difference(signals, reference):
    """Root mean square over all signals and times, each relative to its span; without the basin, whose edge is a kink that no method's order survives."""
    signals, reference = ({name: values for name, values in table.items() if not name.startswith(("fluid.basin.", "fluid.edge.", "fluid.spout."))} for table in (signals, reference))
    return np.sqrt(np.mean([value**2 for value in judge.shape({}, *judge.common_times(signals, reference)).values()]))


def check_orders(takt, name, factor, work):
    exact = run(takt, name, "rk4", factor / 4, work)
    failed = []
    for method, order in orders(takt).items():
        coarse, fine = (difference(run(takt, name, method, f, work), exact) for f in (factor, factor / 2))
        observed = np.log2(coarse / fine)
        good = observed > order - SLACK or coarse < ENOUGH
        print(f"{name:20} {method:5} {coarse:9.2e} {fine:9.2e}  order {observed:5.2f} of {order}{'' if good else '   FAILED'}")
        if not good:
            failed.append(f"{name} {method}")
    return failed


def check_stiff(takt, work):
    """A ladder whose fastest mode allows Heun's method 4.9 us, driven slowly."""
    exact = run(takt, "ladder_100", "heun", 1, work)
    failed = []
    for method, bound in {"ros1": 3e-2, "ros2": 2e-3, "rkc": 2e-3, "auto": 2e-3}.items():
        error = difference(run(takt, "ladder_100", method, 1, work, "1 ms"), exact)
        good = error < bound
        print(f"ladder_100, 1 ms     {method:5} {error:9.2e} <= {bound:.0e}{'' if good else '   FAILED'}")
        if not good:
            failed.append(f"ladder_100 {method}")
    return failed


STIFF_AND_COUPLED = """
[plant]
title = "a machine behind a stiff filter"
duration = "100 ms"
[electric]
supply  = { is = "voltage_source", at = ["s", "gnd"], v = "24 V" }
feed    = { is = "resistor", at = ["s", "a"], r = "0.1 Ohm" }
filter  = { is = "capacitor", at = ["a", "gnd"], c = "1 uF" }
machine = { is = "dc_machine", at = ["a", "gnd", "rotational.shaft"], r = "1 Ohm", l = "1 mH", k = "0.1 N*m/A" }
[rotational]
rotor = { is = "inertia", at = ["shaft"], j = "1e-3 kg*m^2" }
[solve]
electric = { step = "1 ms", method = "METHOD" }
mechanical = { step = "1 ms", method = "heun" }
[sync]
plant = { members = ["electric", "mechanical"], every = "1 ms" }
"""


def check_coupled(takt, work):
    """All is linear, so the discrete system as a whole is judged: stable by the methods that carry the filter, and the speed is right."""
    failed = []
    speed = {}
    for method in ("ros1", "ros2", "auto", "rk4"):
        text = STIFF_AND_COUPLED.replace("METHOD", method)
        if method == "rk4":
            text = text.replace('"1 ms", method = "rk4"', '"200 ns", method = "rk4"').replace('every = "1 ms"', 'every = "100 us"')
            text = text.replace('"1 ms", method = "heun"', '"100 us", method = "heun"')
        folder = work / f"coupled_{method}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plant.toml").write_text(text + '[record]\n"1 ms" = ["rotational.shaft.w"]\n')
        speed[method] = run_cases.signals(takt, folder / "plant.toml", folder, *run_cases.COARSE)["rotational.shaft.w"][-1]
    for method in ("ros1", "ros2", "auto"):
        error = abs(speed[method] / speed["rk4"] - 1.0)
        good = error < 1e-2
        print(f"coupled, 1 ms        {method:5} {error:9.2e} <= 1e-02{'' if good else '   FAILED'}")
        if not good:
            failed.append(f"coupled {method}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--only")
    arguments = parser.parse_args()
    takt = arguments.takt.resolve()
    failed = []
    for name, factor in SMOOTH:
        if arguments.only in (None, name):
            failed += check_orders(takt, name, factor, arguments.work)
    if arguments.only in (None, "ladder_100"):
        failed += check_stiff(takt, arguments.work)
    if arguments.only in (None, "coupled"):
        failed += check_coupled(takt, arguments.work)
    print("FAILED: " + ", ".join(failed) if failed else "ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
