#!/usr/bin/env python3
"""Energy accounts of example plants against integrals of what they record: supplied, received and dissipated of each domain.

    accounts_test.py --takt build/release/bin/takt --work DIR [EXAMPLE ...]

Each amount is the sum of integrals, by trapezoids of the recording's period, of across times through (or of a power). A sign says
how the branch counts: `-electric.supply` gives what its branch absorbs negatively."""
import argparse
import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys

PLANTS = pathlib.Path(__file__).resolve().parents[2] / "config" / "plants"
VARIABLES = {"electric": ("v", "i"), "rotational": ("w", "tau"), "translational": ("v", "f")}

PACK = [f"electric.pack[{k}].cells.ocv" for k in range(4)]
HALF_SHAFTS = ["rotational.shaft_l.damper", "rotational.shaft_r.damper"]

# Tolerance: of the domain's largest amount. What is left comes from the trapezoids: a held torque times a speed that rises jumps at
# each row. So `times` replaces steps and windows of the car, whose rows else are 20 ms apart: 2e-3 off, with a fifth of it 4e-4.
EXAMPLES = {
    "drive": {"time": "10 s", "period": "1 ms", "tolerance": 1e-3, "accounts": {
        "electric": {"supplied_j": ["-electric.supply"], "dissipated_j": [],
                     "exchanged_j": ["-electric.machine.copper", "-electric.machine.emf"]},
        "mechanical": {"supplied_j": ["-rotational.process"], "dissipated_j": ["rotational.bearing", "rotational.shaft.damper"],
                       "exchanged_j": ["-electric.machine.shaft:w*tau"]},
        "solid": {"supplied_j": ["-solid.surface.h"], "dissipated_j": [], "exchanged_j": ["electric.machine.loss"]}}},
    "hybrid": {"time": "50 s", "period": "10 ms", "tolerance": 2e-3, "accounts": {
        "mechanical": {"supplied_j": ["-rotational.motor", "-rotational.engine.gas", "-translational.car.slope"],
                       "dissipated_j": ["rotational.engine.friction", "rotational.clutch", "translational.car.road"], "exchanged_j": []}}},
    "bev": {"time": "60 s", "period": "4 ms", "tolerance": 1e-3, "times": {"20 ms": "4 ms", "10 ms": "2 ms"}, "accounts": {
        "electric": {"supplied_j": [f"-{branch}" for branch in [*PACK, "electric.low_battery.ocv"]],
                     "dissipated_j": ["electric.auxiliaries", "electric.cable_minus", "electric.cable_plus", "electric.low_battery.series"]},
        "mechanical": {"supplied_j": ["-rotational.pump_load", "-translational.car.slope"],
                       "dissipated_j": ["rotational.pump_seal", "rotational.fan_blades", "rotational.brake", *HALF_SHAFTS,
                                        "translational.car.road"]},
        "gas": {"supplied_j": ["gas.grille.h_flow", "-gas.exit.h_flow", "gas.floor_in.h_flow", "-gas.floor_out.h_flow"],
                "dissipated_j": []}}},
}


def factors(term):
    """Signals whose product is the power of a term."""
    name = term.lstrip("-")
    if ":" in name:
        path, variables = name.split(":")
        return [f"{path}.{variable}" for variable in variables.split("*")]
    if name.rpartition(".")[2] in ("h", "h_flow", "loss"):
        return [name]
    return [f"{name}.{variable}" for variable in VARIABLES[name.partition(".")[0]]]


def integral(columns, term):
    power = [-1.0 if term.startswith("-") else 1.0] * len(columns["time"])
    for signal in factors(term):
        power = [a * b for a, b in zip(power, columns[signal])]
    time = columns["time"]
    return sum(0.5 * (after - before) * (a + b) for before, after, a, b in zip(time, time[1:], power, power[1:]))


def run(options, name, example):
    """The example with what its accounts are made of recorded, beside it the files that it reads -> (summary, signals)."""
    folder, out = options.work / name, options.work / f"{name}_run"
    shutil.rmtree(options.work / name, ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(PLANTS / name, folder)
    signals = sorted({signal for domain in example["accounts"].values() for terms in domain.values() for term in terms for signal in factors(term)})
    text = (folder / "plant.toml").read_text()
    text = re.sub(r'csv = "\.\./', f'csv = "{PLANTS}/', text[:text.index("[record]")])
    model, solve, times = text.partition("[solve]")
    text = model + solve + re.sub(r"\d+ ms", lambda match: example.get("times", {}).get(match[0], match[0]), times)
    (folder / "plant.toml").write_text(text + f'[record]\n"{example["period"]}" = {json.dumps(signals)}\n')
    command = [options.takt, "run", str(folder / "plant.toml"), "--build-dir", str(options.work / f"{name}_build"), "--for", example["time"],
               "--pace", "free", "--audit", "off", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{' '.join(command)}\nended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    with open(out / "signals.csv", newline="") as file:
        rows = list(csv.reader(file))
    columns = {head.split(" [")[0]: [float(row[k]) for row in rows[1:]] for k, head in enumerate(rows[0])}
    return json.loads((out / "summary.json").read_text()), columns


def check(options, name):
    example = EXAMPLES[name]
    summary, columns = run(options, name, example)
    accounts, wrong, worst = summary["energy_by_domain"], [], 0.0
    for domain, amounts in example["accounts"].items():
        scale = max(abs(accounts[domain][amount]) for amount in ("supplied_j", "dissipated_j", "exchanged_j"))
        for amount, terms in amounts.items():
            recorded = sum(integral(columns, term) for term in terms)
            off = abs(accounts[domain][amount] - recorded) / scale
            worst = max(worst, off)
            if off > example["tolerance"]:
                wrong.append(f"{domain} {amount} {accounts[domain][amount]:.6g}, recorded {recorded:.6g}")
    # What circuits exchange cancels but for what the flux ledgers hold in transit, and for products of values a window apart.
    exchanged = sum(of["exchanged_j"] for of in accounts.values())
    if abs(exchanged) > 1e-4 * sum(abs(of["exchanged_j"]) for of in accounts.values()) + 1e-9:
        wrong.append(f"of what circuits exchange {exchanged:.6g} J are left over")
    wrong += [f"{domain} dissipated {of['dissipated_j']:.6g} J" for domain, of in accounts.items() if of["dissipated_j"] < 0.0]
    assert not wrong, "\n  ".join(["", *wrong])
    return f"{sum(map(len, example['accounts'].values()))} amounts, the worst {worst:.1e} off"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("examples", nargs="*", default=list(EXAMPLES))
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in options.examples:
        try:
            print(f"{name:10} ok: {check(options, name)}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"{name:10} FAILED: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
