#!/usr/bin/env python3
"""takt run --verify: right plans pass, wrong ones fail with the signal that is wrong.

    verify_test.py finds|plants --takt build/release/bin/takt --work DIR

finds: a step as long as the time constant, exponential diodes (no reference), wrong use. plants: every example plant, the large ones for a short time."""
import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("TAKT_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
PLANTS = {"bev": "100 ms", "boost": "2 ms", "buck": "2 ms", "drive": "200 ms", "ev": "500 ms", "flyback": "1 ms", "hybrid": "200 ms", "inverter": "2 ms",
          "inverter_power": "1 ms", "rc": "20 ms", "rectifier": "20 ms"}

COARSE = """[plant]
duration = "20 ms"
[electric]
s = { is = "voltage_source", at = ["a", "gnd"], v = "1 V*sin(2*pi*100 Hz*time)" }
r = { is = "resistor", at = ["a", "b"], r = "1 kOhm" }
c = { is = "capacitor", at = ["b", "gnd"], c = "1 uF" }
[solve]
electric = { step = "STEP", method = "euler" }
[sync]
plant = { members = ["electric"], every = "1 ms" }
[record]
"1 ms" = ["electric.c.v"]
"""


# An integrator at rest grows its steps; whether it still sees the pulse was luck.
LATE_PULSE = """[plant]
duration = "14 ms"
[electric]
s = { is = "voltage_source", at = ["a", "gnd"], v = "if(time > 7.86 ms and time < 10.38 ms, 7 V, 0 V)" }
r = { is = "resistor", at = ["a", "b"], r = "1.9 Ohm" }
l = { is = "inductor", at = ["b", "c"], l = "1 mH" }
c = { is = "capacitor", at = ["c", "gnd"], c = "0.9 mF" }
g = { is = "resistor", at = ["c", "gnd"], r = "9.5 Ohm" }
[record]
"50 us" = ["electric.c.v", "electric.l.i"]
[sync]
plant = { members = ["electric"], every = "10 us" }
"""


def verify(options, plant, *more):
    """-> exit code, the JSON answer (None where there is none), what went to stderr"""
    done = subprocess.run([options.takt, "run", str(plant), "--verify", *more, "--json"], capture_output=True, text=True, cwd=options.work)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else None, done.stderr


def worst(answer, name):
    """The largest error against one of the two, with its signal; None where there is nothing to compare with."""
    against = next(a for a in answer["against"] if a["name"] == name)
    return max(((s["rms_normalised"], s["name"]) for s in against["signals"]), default=None)


def finds(options):
    bad = []

    def expect(what, holds):
        print(f"{'ok  ' if holds else 'FAIL'} {what}", flush=True)
        bad.extend([] if holds else [what])

    for step, right in (("10 us", True), ("1 ms", False)):
        plant = options.work / f"coarse_{right}.toml"
        plant.write_text(COARSE.replace("STEP", step))
        code, answer, said = verify(options, plant)
        if answer is None:
            expect(f"RC of 1 ms with steps of {step}: exit code {code}, {said}", False)
            continue
        errors = {name: worst(answer, name) for name in ("reference", "half the steps")}
        expect(f"RC of 1 ms with steps of {step}: exit code {code}, {errors}",
               code == (0 if right else 1) and answer["verified"] == right and (right or all(error > 0.02 for error, _ in errors.values())))
    (options.work / "late_pulse.toml").write_text(LATE_PULSE)
    code, answer, said = verify(options, options.work / "late_pulse.toml")
    errors = answer and {name: worst(answer, name) for name in ("reference", "half the steps")}
    expect(f"a pulse after rest: exit code {code}, {errors or said}", code == 0)
    code, answer, _ = verify(options, ROOT / "tests/end_to_end/cases/sw_exp_limiter", "1 ms")
    reference = next(a for a in answer["against"] if a["name"] == "reference")
    expect(f"exponential diodes, by half steps alone: exit code {code}, {reference['missing'][:60]}, {worst(answer, 'half the steps')}",
           code == 0 and "F001" in reference["missing"] and "not against the reference" in answer["conclusion"] and worst(answer, "half the steps")[0] < 1e-2)
    for wrong in (["nonsense"], ["1 ms", "--pace", "real"], ["1 ms", "--no-results"]):
        code, answer, said = verify(options, options.work / "coarse_True.toml", *wrong)
        expect(f"--verify {' '.join(wrong)}: exit code {code}, {said.strip().splitlines()[-1][:90]}", code == 2 and answer is None)
    return bad


def plants(options):
    found = sorted(folder.name for folder in (ROOT / "config/plants").iterdir() if (folder / "plant.toml").exists())
    bad = [name for name in found if name not in PLANTS]
    for name in found:
        code, answer, said = verify(options, ROOT / "config/plants" / name, PLANTS.get(name, "1 ms"))
        if answer is None or code != 0:
            bad.append(name)
        told = [f"{a['name']} " + (f"{worst(answer, a['name'])[0]:.1e} {worst(answer, a['name'])[1]}" if a["signals"] else "none: " + a["missing"]) for a in answer["against"]] if answer else [said[-300:]]
        print(f"{'ok  ' if name not in bad else 'FAIL'} {name:16} {PLANTS.get(name)}: " + "; ".join(told + (answer or {}).get("verdicts", [])), flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["finds", "plants"])
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.takt = str(pathlib.Path(options.takt).resolve())
    options.work.mkdir(parents=True, exist_ok=True)
    bad = {"finds": finds, "plants": plants}[options.what](options)
    print(f"{len(bad)} failed: {', '.join(bad)}" if bad else "all as expected")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
