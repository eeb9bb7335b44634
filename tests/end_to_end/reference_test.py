#!/usr/bin/env python3
"""Reduced, cut and stepped plants against the whole plant as one system by SUNDIALS IDA (`takt reference`), compared by `takt compare`.

    reference_test.py GROUP --takt build/release/bin/takt --work DIR [--only NAME]

GROUP `plants`: every plant of reference/, at its own steps and at twice these (and twice the synchronisation time): the largest deviation of any recorded
signal, over the signal's range, must stay within the bound below and shrink with the stated order. The reference must be converged: at ten
times its tolerance it must not move by more than a tenth of what is allowed.
GROUP `switched`: plants with switches and diodes against their reference.csv, which SciPy and ngspice made; every method the same.
GROUP `cases`: the switched cases of cases/ against ngspice's stored results, by their own judge; a source that jumps on dependent storages
against the closed solution.
GROUP `epanet`: start-up of looped water networks of EPANET's regression suite from rest (epanet_test.py converts them): demands rise smoothly.

Ends with 0, 1, or 77 (nothing to compare)."""
import argparse
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

try:
    import epanet_test
    import judge
    import references
    import run_cases
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
TIGHT, LOOSE = 1e-10, 1e-9
# bound at the plant's own steps, order of its method and couplings
PLANTS = {
    "fluid_loops": (2e-5, 2),
    "fluid_reversed": (1e-6, 2),
    "gas_ducts": (1e-4, 2),
    "cooled_plate": (1e-3, 2),
    "drive_line": (1e-3, 2),
}
SLACK = 0.35
# How near ngspice's stored results are: with twice its step those of the inverters move by 3e-4; the bridge's differ from runs of `takt run` with
# steps of 50 ns by 1e-4, too, from which the reference differs by 1e-8.
CASE, CASES = 1e-4, {"sw_inverter_rl_03": 5e-4, "sw_inverter_rl_06": 5e-4, "sw_thyristor_bridge_3ph": 5e-4}
# Of config/plants: what of it, how long, largest deviation from reference.csv over the signal's range, by which methods. SciPy made the
# rectifier's, ngspice the others, and these are no better.
SWITCHED = {
    "rectifier": ("electric.*", "60ms", 5e-8, ["ida"]),  # explicit steps of microseconds would meet blocked diodes of picoseconds
    "boost": ("electric.*", "5ms", 5e-5, ["ida", "ark"]),
    "buck": ("electric.smooth.v", "2ms", 5e-5, ["ida"]),
    "inverter_power": ("electric.c_*.v", "4ms", 1e-5, ["ark"]),
}


def command(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=600)


def checked(*words):
    done = command(*words)
    if done.returncode != 0:
        raise RuntimeError(f"{words[1]} ended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def reference(takt, plant, out, tolerance):
    return json.loads(checked(takt, "reference", plant, "--rtol", tolerance, "--out", out, "--json"))


def run(takt, plant, folder):
    checked(takt, "run", plant, "--build-dir", folder / "build", "--pace", "free", "--out", folder / "run")
    return folder / "run"


def deviation(takt, one, other):
    """Of the worst signal: (largest deviation over its range, its name), and how many were compared."""
    result = json.loads(checked(takt, "compare", one, other, "--json"))
    assert not result["only_run"] and not result["only_reference"], result
    worst = max(result["signals"], key=lambda signal: signal["max_normalised"])
    return worst["max_normalised"], worst["name"], len(result["signals"])


def judge_plant(takt, name, work):
    bound, order = PLANTS[name]
    text = (HERE / "reference" / f"{name}.toml").read_text()
    errors = {}
    for factor in (1, 2):
        folder = work / name / f"x{factor}"
        folder.mkdir(parents=True)
        (folder / "plant.toml").write_text(run_cases.scaled(text, factor, True))
        result = run(takt, folder / "plant.toml", folder)
        if factor == 1:
            summary = reference(takt, folder / "plant.toml", work / name / "tight", TIGHT)
            reference(takt, folder / "plant.toml", work / name / "loose", LOOSE)
        errors[factor] = deviation(takt, result, work / name / "tight")
    own = deviation(takt, work / name / "loose", work / name / "tight")[0]
    seen = math.log2(errors[2][0] / errors[1][0])
    ok = errors[1][0] <= bound and seen >= order - SLACK and own <= 0.1 * bound
    print(f"{name:16} {summary['equations']:3} equations, {summary['dependent_storages']} dependent storages; {errors[1][2]} signals off by at most {errors[1][0]:.1e} "
          f"({errors[1][1]}) <= {bound:.0e}, order {seen:.2f} of {order}; reference moves by {own:.1e}   {'ok' if ok else 'FAILED'}", flush=True)
    return ok


def judge_network(takt, data, name, work):
    """Start-up from rest: every demand rises within 60 s; flows and pressures all the way to the steady state."""
    network = epanet_test.sections(next((data / name).glob("*.inp")))
    results = epanet_test.Results(next((data / name).glob("*.out")))
    text, _ = epanet_test.plant_of(network, results, 0)
    ramp = "clamp(time/60 s, 0, 1)^2*(3 - 2*clamp(time/60 s, 0, 1))"
    lines = [line.replace('/s" }', f'/s*{ramp}" }}') if '"demand"' in line else line for line in text.splitlines()]
    text = "\n".join(lines).replace("2000 s", "200 s").replace('"100 s"', '"1 s"')
    folder = work / name
    folder.mkdir(parents=True)
    (folder / "plant.toml").write_text(text + "\n")
    result = run(takt, folder / "plant.toml", folder)
    summary = reference(takt, folder / "plant.toml", folder / "tight", TIGHT)
    off, signal, count = deviation(takt, result, folder / "tight")
    ok = off <= 1e-6
    print(f"{name:16} {summary['equations']} equations, {summary['dependent_storages']} dependent flows; {count} flows and pressures off by at most {off:.1e} ({signal}) <= 1e-06"
          f"   {'ok' if ok else 'FAILED'}", flush=True)
    return ok


def judge_methods(takt, work):
    """Implicit, explicit and fixed-step integration of the flattened drive line agree with IDA on its DAE; RK4 with fixed steps by its order."""
    plant = HERE / "reference" / "drive_line.toml"
    work = work / "methods"
    reference(takt, plant, work / "ida", TIGHT)

    def off(*arguments):
        checked(takt, "reference", plant, "--rtol", TIGHT, "--out", work / "other", *arguments)
        return deviation(takt, work / "other", work / "ida")[0]
    adaptive = {method: off("--method", method) for method in ("cvode", "ark")}
    coarse, fine = off("--method", "fixed", "--step", "20ms"), off("--method", "fixed", "--step", "10ms")
    order = math.log2(coarse / fine)
    ok = max(adaptive.values()) <= 1e-6 and order >= 4 - SLACK
    print(f"methods: {', '.join(f'{name} off by {value:.1e}' for name, value in adaptive.items())} <= 1e-06; fixed {fine:.1e}, order {order:.2f} of 4   {'ok' if ok else 'FAILED'}")
    return ok


def judge_start(takt, work):
    """A reference run begins with the steady state that a run of the plant began with, sums of dependent storages included."""
    folder = work / "start"
    folder.mkdir(parents=True)
    plant = folder / "plant.toml"
    text = (HERE / "reference" / "cooled_plate.toml").read_text()
    ramp = "clamp(time/10 s, 0, 1)^2*(3 - 2*clamp(time/10 s, 0, 1))"
    assert ramp in text
    plant.write_text(text.replace("[plant]", '[plant]\nstart = "steady"').replace(ramp, "(0.5 + 0.2*sin(time*0.5 rad/s))"))
    result = run(takt, plant, folder)
    checked(takt, "reference", plant, "--rtol", TIGHT, "--start", result, "--out", folder / "tight")
    moved = json.loads((result / "summary.json").read_text())["start"]["states"]
    off, name, _ = deviation(takt, result, folder / "tight")
    ok = off <= 2e-3 and any(state["moved"] for state in moved)
    print(f"start: {len(moved)} states taken over; off by {off:.1e} ({name}) <= 2e-03   {'ok' if ok else 'FAILED'}")
    return ok


def judge_case(takt, folder, work):
    """A case of cases/, by the case's own judge."""
    case = tomllib.loads((folder / "case.toml").read_text())
    checked(takt, "reference", folder, "--out", work / folder.name)
    result = run_cases.without_units(references.columns(work / folder.name / "signals.csv"))
    pair = judge.common_times(result, references.solve(case, folder, result["time"], work))
    shape, cycles = max(judge.shape(case, *pair).values()), max(judge.cycles(case, *pair).values(), default=0.0)
    bound = CASES.get(folder.name, CASE)
    ok = shape <= bound and cycles <= bound
    print(f"{folder.name:26} shape {shape:.1e}, cycles {cycles:.1e} <= {bound:.0e}   {'ok' if ok else 'FAILED'}", flush=True)
    return ok


def judge_replay(takt, work):
    """Inputs of a run, logged by it, move the reference at the same instants; so do parameters it had set."""
    plant = HERE.parents[1] / "config" / "plants" / "rc"
    folder = work / "replay"
    checked(takt, "run", plant, "--build-dir", folder / "build", "--pace", "free", "--out", folder / "run", "--set", "amplitude=8V", "--for", "90ms",
            "--input", "offset=2V@30ms", "--input", "offset=-1V@61ms")
    checked(takt, "reference", plant, "--rtol", TIGHT, "--replay", folder / "run", "--out", folder / "tight")
    off, name, count = deviation(takt, folder / "run", folder / "tight")
    ends = [json.loads((folder / which / "summary.json").read_text())["simulated_s"] for which in ("run", "tight")]
    checked(takt, "reference", plant, "--rtol", TIGHT, "--set", "amplitude=8V", "--for", "90ms", "--input", "offset=2V@30ms", "--input", "offset=-1V@61ms", "--out", folder / "given")
    same = (folder / "given" / "signals.csv").read_text() == (folder / "tight" / "signals.csv").read_text()
    checked(takt, "reference", plant, "--rtol", TIGHT, "--set", "amplitude=8V", "--for", "90ms", "--out", folder / "silent")
    without = deviation(takt, folder / "run", folder / "silent")[0]
    ok = off <= 1e-6 and ends[0] == ends[1] and same and without > 0.05
    print(f"replay: {count} signals off by at most {off:.1e} ({name}) <= 1e-06, without the inputs by {without:.1e}   {'ok' if ok else 'FAILED'}")
    return ok


IDEAL = """[electric]
source = { is = "voltage_source", at = ["p", "gnd"], v = "10 V" }
s = { is = "ideal", at = ["p", "a"], gate = "time < 50 us" }
l = { is = "inductor", at = ["a", "b"], l = "1 mH" }
r = { is = "resistor", at = ["b", "gnd"], r = "1 Ohm" }
[element.electric.ideal]
doc = "a switch without any resistance"
source = "none"
param.gate = "gate"
branch = { kind = "R", law = "0 = if(gate > 0.5, v/1 V, i/1 A)" }
"""


def judge_interrupted(takt, work):
    """A switch that leaves an inductor no way at all is named, with the instant."""
    work.mkdir(parents=True, exist_ok=True)
    (work / "ideal.toml").write_text(IDEAL)
    done = command(takt, "reference", work / "ideal.toml", "--for", "1ms", "--out", work / "ideal")
    ok = done.returncode == 1 and "at 5e-05 s" in done.stderr and "singular, electric." in done.stderr and "electric.s.gate turned off" in done.stderr
    print(f"interrupted {'ok' if ok else 'FAILED: ' + done.stdout + done.stderr}")
    return ok


def judge_units(takt, work):
    """What control blocks compute has the same unit in a run and in the reference: nothing is left out of a comparison with a limit."""
    plant, folder = HERE.parents[1] / "config" / "plants" / "drive", work / "units"
    checked(takt, "run", plant, "--build-dir", folder / "build", "--pace", "free", "--out", folder / "run")
    checked(takt, "reference", plant, "--out", folder / "tight")
    found = json.loads(checked(takt, "compare", folder / "run", folder / "tight", "--limit", "1e-3", "--json"))
    units = {signal["name"]: signal["unit"] for signal in found["signals"]}
    ok = found["ok"] and not found["other_unit"] and units.get("control.regulator.out") == "V"
    print(f"units: {len(units)} signals {'ok' if ok else 'FAILED: ' + str(found)}")
    return ok


def judge_vehicle(takt, work):
    """The largest plant, as given: all its circuits are solved at the start, and what the first 100 ms move is not lost."""
    work.mkdir(parents=True, exist_ok=True)
    (work / "inputs.csv").write_text("# takt inputs 1\n# plant bev\nmacro_step,input,value\n")  # of a run that did not begin steady
    summary = json.loads(checked(takt, "reference", HERE.parents[1] / "config" / "plants" / "bev", "--for", "100ms", "--replay", work / "inputs.csv", "--out", work / "vehicle", "--json"))
    rows = (work / "vehicle" / "signals.csv").read_text().splitlines()[1:]
    cells = [float(cell) for row in rows for cell in row.split(",") if cell]
    ok = summary["differential"] > 100 and len(rows) > 1 and all(math.isfinite(cell) for cell in cells) and rows[0].split(",")[1:] != rows[-1].split(",")[1:]
    print(f"vehicle: {summary['equations']} equations, {summary['steps']} steps   {'ok' if ok else 'FAILED'}")
    return ok


def judge_switched(takt, name, work):
    """Against what was made without takt: switching instants and all."""
    signals, length, bound, methods = SWITCHED[name]
    plant = HERE.parents[1] / "config" / "plants" / name
    off = {}
    for method in methods:
        checked(takt, "reference", plant, "--for", length, "--method", method, "--out", work / name / method)
        result = json.loads(checked(takt, "compare", work / name / method, plant / "reference.csv", "--only", signals, "--json"))
        worst = max(result["signals"], key=lambda signal: signal["max_normalised"])
        off[method] = (worst["max_normalised"], worst["name"])
    summary = json.loads((work / name / methods[0] / "summary.json").read_text())
    ok = max(off.values())[0] <= bound and summary["gate_edges"] + summary["mode_changes"] > 0
    print(f"{name:16} {summary['gate_edges']:4} gate edges, {summary['mode_changes']:4} changes of modes; "
          f"{', '.join(f'{method} off by at most {value:.1e} ({signal})' for method, (value, signal) in off.items())} <= {bound:.0e}   {'ok' if ok else 'FAILED'}", flush=True)
    return ok


REFUSED = {
    "F001": """[electric]
source = { is = "voltage_source", at = ["a", "gnd"], v = "5 V" }
diode = { is = "diode_exponential", at = ["a", "b"] }
load = { is = "resistor", at = ["b", "gnd"], r = "1 Ohm" }
""",
    "F002": """[electric]
source = { is = "voltage_source", at = ["a", "gnd"], v = "5 V + 0.5*electric.sense.v" }
store = { is = "capacitor", at = ["a", "gnd"], c = "1 mF" }
choke = { is = "inductor", at = ["a", "b"], l = "1 mH" }
sense = { is = "resistor", at = ["b", "gnd"], r = "1 Ohm" }
""",
    "F004": """[element.electric.cell]
doc = "a voltage that counts what it gives"
source = "none"
param = { u = "V" }
branch = { kind = "A", law = "v = u" }
state.charge = { unit = "C", der = "i", start = "0 C", fixed = true }
[electric]
cell = { is = "cell", at = ["a", "gnd"], u = "if(time > 0.5 ms, 5 V, 0 V)" }
store = { is = "capacitor", at = ["a", "b"], c = "1 mF" }
other = { is = "capacitor", at = ["b", "gnd"], c = "1 mF" }
""",
    "F003": """[plant]
start = "steady"
[solid]
chip = { is = "wall", m = "1 kg", cp = "900 J/kg/K" }
""",
}


def judge_refusal(takt, code, work):
    """What a reference run cannot do is said with its place, before it runs."""
    work.mkdir(parents=True, exist_ok=True)
    plant = work / f"{code}.toml"
    plant.write_text(REFUSED[code])
    done = command(takt, "reference", plant, "--for", "1ms", "--out", work / code)
    ok = done.returncode == 1 and f"error[{code}]" in done.stderr and plant.name in done.stderr and not (work / code).exists()
    print(f"{code} {'ok' if ok else 'FAILED: ' + done.stdout + done.stderr}")
    return ok


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("group", choices=["plants", "switched", "cases", "epanet"])
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--only")
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    if options.group == "plants":
        verdicts = [judge_plant(options.takt, name, options.work) for name in PLANTS if options.only in (None, name)]
        verdicts += [judge_methods(options.takt, options.work)] if options.only in (None, "methods") else []
        verdicts += [judge_replay(options.takt, options.work)] if options.only in (None, "replay") else []
        verdicts += [judge_units(options.takt, options.work)] if options.only in (None, "units") else []
        verdicts += [judge_vehicle(options.takt, options.work)] if options.only in (None, "vehicle") else []
        verdicts += [judge_start(options.takt, options.work)] if options.only in (None, "start") else []
        verdicts += [judge_refusal(options.takt, code, options.work) for code in REFUSED if options.only in (None, code)]
    elif options.group == "switched":
        verdicts = [judge_switched(options.takt, name, options.work) for name in SWITCHED if options.only in (None, name)]
        verdicts += [judge_interrupted(options.takt, options.work)] if options.only in (None, "interrupted") else []
    elif options.group == "cases":
        folders = [folder for folder in sorted(HERE.glob("cases/sw_*")) if 'reference = "file"' in (folder / "case.toml").read_text()]
        folders = [folder for folder in folders if "diode_exponential" not in (folder / "plant.toml").read_text()]
        folders.append(HERE / "cases" / "source_jump")
        verdicts = [judge_case(options.takt, folder, options.work) for folder in folders if options.only in (None, folder.name)]
    else:
        data = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "fluid" / "epanet-2.0.12"
        if not os.environ.get("TAKT_SHARED_DATA") or not data.is_dir():
            print("skipped: no EPANET networks (TAKT_SHARED_DATA)")
            return 77
        verdicts = [judge_network(options.takt, data, name, options.work) for name in ("hanoi-3", "Example_1") if options.only in (None, name)]
    return 0 if verdicts and all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
