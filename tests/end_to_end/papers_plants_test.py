#!/usr/bin/env python3
"""The papers' benchmark plants: `takt check` counts what the papers count, and the plants run from their steady start.

    papers_plants_test.py --takt build/release/bin/takt --work DIR"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

try:
    import run_cases
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PLANTS = pathlib.Path(__file__).resolve().parents[2] / "config" / "plants"
COUNTS = {
    "inverter": (178, {"electric": 1, "fluid": 1, "gas": 7, "solid": 11}),
    "bev": (461, {"electric": 1, "mechanical": 3, "fluid": 2, "gas": 14, "solid": 8}),
}

MAIN = ["translational.car.speed", "electric.motor.loss", "electric.inverter.p_loss", "electric.pack[0].cells.soc"]


def against_reference(takt, run, plant, seconds, out):
    """{signal: RMS of the deviation over its range} against the whole plant as one DAE from the same start."""
    done = subprocess.run([takt, "reference", plant, "--start", run, "--for", f"{seconds} s", "--rtol", "1e-6", "--out", out], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    compared = json.loads(subprocess.run([takt, "compare", run, out, "--json"], capture_output=True, text=True, check=True).stdout)
    return {signal["name"]: signal["rms_normalised"] for signal in compared["signals"]}


PARAMETRISATIONS = {"inverter": ("0.02 s", ["sync_1ms", "sync_1_5ms"]), "bev": ("20 s", ["sync_20ms", "sync_10_20_40ms"])}


def ledgers(takt, plant, parametrisation, seconds, work, *arguments):
    """Of a run -> (worst residual of a flux over its throughput, fluxes that raised the alarm, exit code)"""
    work.mkdir(parents=True, exist_ok=True)
    command = [takt, "run", plant, "--solve", plant / "parametrisations" / f"{parametrisation}.toml", "--build-dir", work / "build", "--pace", "free",
               "--for", seconds, "--no-report", "--out", work / "run", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    fluxes = [c for c in run_cases.summary(work / "run")["couplings"] if c["kind"] == "flux"]
    worst = max(abs(c["sent"] - c["received"] - c["in_transit"]) / max(c["throughput"], 1e-300) for c in fluxes)
    return worst, sum(c["alarms"] > 0 for c in fluxes), done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    bad = 0

    def say(ok, text):
        nonlocal bad
        bad += not ok
        print(f"{text}   {'ok' if ok else 'FAILED'}", flush=True)

    for name, (equations, domains) in COUNTS.items():
        found = json.loads(subprocess.run([options.takt, "check", PLANTS / name, "--json"], capture_output=True, text=True, check=True).stdout)
        counted = dict(collections.Counter(circuit["domain"] for circuit in found["circuits"]))
        say(found["equations"] == equations and counted == domains, f"{name}: {found['equations']} equations, {counted}")
        say(all(circuit["reduced_index"] == 1 for circuit in found["circuits"]), f"{name}: every circuit has index 1 after reduction")
        result = run_cases.signals(options.takt, PLANTS / name / "plant.toml", options.work / name)
        summary = json.loads((options.work / name / "run" / "summary.json").read_text())
        worst = max(abs(c["sent"] - c["received"] - c["in_transit"]) / max(c["throughput"], 1e-300) for c in summary["couplings"] if c["kind"] == "flux")
        say(worst <= 1e-12, f"{name}: fluxes close to {worst:.1e} of their throughput")
        say(summary["start"]["mode"] == "steady", f"{name}: starts steady")
        seconds, parametrisations = PARAMETRISATIONS[name]
        for parametrisation in parametrisations:
            work = options.work / name / parametrisation
            worst, alarms, code = ledgers(options.takt, PLANTS / name, parametrisation, seconds, work)
            say(code == 0 and worst <= 1e-12 and alarms == 0, f"{name}, {parametrisation}: fluxes close to {worst:.1e} of their throughput")
            worst, alarms, code = ledgers(options.takt, PLANTS / name, parametrisation, seconds, work, "--sample-fluxes")
            say(code == 1 and worst > 1e-9 and alarms > 0, f"{name}, {parametrisation}: sampled instead of integrated they are off by up to {worst:.1e}, {alarms} raise the alarm")
        if name == "bev":
            off = against_reference(options.takt, options.work / name / "run", PLANTS / name, 20, options.work / name / "reference")
            worst = max(off, key=off.get)
            say(off[worst] <= 2e-2, f"bev: {len(off)} signals off the undivided plant by at most {off[worst]:.1e} of their range ({worst})")
            say(max(off[signal] for signal in MAIN) <= 1e-3, f"bev: {len(MAIN)} of them by at most {max(off[signal] for signal in MAIN):.1e}: {', '.join(MAIN)}")
        if name == "inverter":
            chips = [values[-1] for signal, values in result.items() if ".chip_" in signal and signal.endswith(".t")]
            say(len(chips) == 6 and all(340 < t < 350 for t in chips), f"inverter: junctions at {min(chips):.1f} to {max(chips):.1f} K")
            phase = result["electric.c_a.v"][result["time"] > 0.1]
            # m*v_dc/2 = 240 V over 2 Ohm and 20 Ohm make 218 V; thresholds and dead time take some of it, the samples see the ripple
            amplitude = float((2 * (phase**2).mean()) ** 0.5)
            say(200 < amplitude < 230, f"inverter: amplitude of the phase voltage {amplitude:.1f} V")
        if name == "bev":
            off = float(abs(result["translational.car.speed"] - result["control.cycle.out"]).max())
            say(off < 0.3, f"bev: follows the cycle within {off:.2f} m/s")
            heat = result["control.heat_to_coolant.out"]
            say(400 < heat.min() < heat.max() < 700, f"bev: {heat.min():.0f} to {heat.max():.0f} W from the cells to the coolant")
            supplied, residual = (abs(summary["energy"][word]) for word in ("supplied_j", "residual_j"))
            say(residual < 1e-5 * supplied, f"bev: energy closes to {residual / supplied:.1e} of the supply")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
