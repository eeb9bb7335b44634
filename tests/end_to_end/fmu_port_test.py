#!/usr/bin/env python3
"""Ports of FMUs: a plant that was cut in two by `takt fmu export --part` and is joined again by a port is the whole, in every domain and
with both causalities, and its ledger tells what passed.

Each plant is two storages (or a storage and a Maxwell element), linear, with a closed form: z' = A z, z(t) = V exp(D t) V^-1 z(0). The energy
that the circuit gives through the port is what its own storage has lost less what its own losses took; it is known in closed form, too.
What is exchanged once per step H makes errors that go with H (co-simulation) or faster; with a quarter of H they are smaller."""
import json
import subprocess
import sys

import numpy as np
from built_plants import takt_and_work
from compiled_fmus import signals

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "", flush=True)


def run(folder, *arguments, out="run"):
    done = subprocess.run([takt, "run", folder, "--build-dir", work / "build", "--out", folder / out, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def solution(a, start, times):
    """z of z' = a z at these times: [time, state]"""
    rates, vectors = np.linalg.eig(np.array(a, dtype=float))
    weights = np.linalg.solve(vectors, np.array(start, dtype=complex))
    return np.real(np.exp(np.outer(times, rates)) * weights @ vectors.T)


# name: domain, across and through, circuit's element(s), the part, z' = A z with z[0] the across value of the circuit's storage, start of z,
# energy that went into the part as a function of (z(0), z(t)), duration, H.
# across: the part holds the across value of the shared node and takes the through value. through: the other way round.
CASES = {
    "electric_across": dict(
        section="electric", words=("v", "i"), node="mid", tick="10 us", end="2 ms", step=40, unit="us",
        rest='store = { is = "capacitor", at = ["a", "gnd"], c = "10 uF", start = { v = "10 V" } }\nlink = { is = "resistor", at = ["a", "mid"], r = "100 Ohm" }',
        part='hold = { is = "capacitor", at = ["p", "gnd"], c = "20 uF" }',
        a=[[-1 / (100 * 10e-6), 1 / (100 * 10e-6)], [1 / (100 * 20e-6), -1 / (100 * 20e-6)]], z=[10.0, 0.0], seen="electric.store.v",
        into=lambda z: 0.5 * 20e-6 * z[:, 1] ** 2),
    "electric_through": dict(
        section="electric", words=("v", "i"), node="mid", tick="10 us", end="2 ms", step=40, unit="us",
        rest='store = { is = "capacitor", at = ["mid", "gnd"], c = "10 uF", start = { v = "10 V" } }',
        part='coil = { is = "inductor", at = ["p", "b"], l = "5 mH" }\nloss = { is = "resistor", at = ["b", "gnd"], r = "30 Ohm" }',
        a=[[0, -1 / 10e-6], [1 / 5e-3, -30 / 5e-3]], z=[10.0, 0.0], seen="electric.store.v",
        into=lambda z: 0.5 * 10e-6 * (100.0 - z[:, 0] ** 2)),
    "rotational_across": dict(
        section="rotational", words=("w", "tau"), node="shaft", tick="500 us", end="100 ms", step=2, unit="ms",
        rest='store = { is = "inertia", at = ["a"], j = "0.1 kg*m^2", start = { w = "50 rad/s" } }\nlink = { is = "damper", at = ["a", "shaft"], d = "2 N*m*s/rad" }',
        part='hold = { is = "inertia", at = ["p"], j = "0.2 kg*m^2" }',
        a=[[-2 / 0.1, 2 / 0.1], [2 / 0.2, -2 / 0.2]], z=[50.0, 0.0], seen="rotational.store.w", into=lambda z: 0.5 * 0.2 * z[:, 1] ** 2),
    "rotational_through": dict(
        section="rotational", words=("w", "tau"), node="shaft", tick="500 us", end="100 ms", step=2, unit="ms",
        rest='store = { is = "inertia", at = ["shaft"], j = "0.1 kg*m^2", start = { w = "50 rad/s" } }',
        part='twist = { is = "spring", at = ["p", "b"], c = "200 N*m/rad" }\nloss = { is = "damper", at = ["b", "frame"], d = "3 N*m*s/rad" }',
        a=[[0, -1 / 0.1], [200, -200 / 3]], z=[50.0, 0.0], seen="rotational.store.w", into=lambda z: 0.5 * 0.1 * (2500.0 - z[:, 0] ** 2)),
    "translational_across": dict(
        section="translational", words=("v", "f"), node="hook", tick="500 us", end="100 ms", step=2, unit="ms",
        rest='store = { is = "mass", at = ["a"], m = "1 kg", start = { v = "4 m/s" } }\nlink = { is = "damper", at = ["a", "hook"], d = "20 N*s/m" }',
        part='hold = { is = "mass", at = ["p"], m = "2 kg" }',
        a=[[-20, 20], [10, -10]], z=[4.0, 0.0], seen="translational.store.v", into=lambda z: 0.5 * 2.0 * z[:, 1] ** 2),
    "translational_through": dict(
        section="translational", words=("v", "f"), node="hook", tick="500 us", end="100 ms", step=2, unit="ms",
        rest='store = { is = "mass", at = ["hook"], m = "1 kg", start = { v = "4 m/s" } }',
        part='twist = { is = "spring", at = ["p", "b"], c = "2000 N/m" }\nloss = { is = "damper", at = ["b", "frame"], d = "30 N*s/m" }',
        a=[[0, -1], [2000, -2000 / 30]], z=[4.0, 0.0], seen="translational.store.v", into=lambda z: 0.5 * (16.0 - z[:, 0] ** 2)),
    "solid_across": dict(
        section="solid", words=("t", "h"), node="far", tick="50 ms", end="10 s", step=200, unit="ms",
        rest='store = { is = "wall", m = "10 g", cp = "1000 J/kg/K", start = { t = "400 K" } }\nlink = { is = "thermal_resistance", at = ["store", "far"], r = "0.5 K/W" }',
        part=None, a=[[-0.2, 0.2], [0.1, -0.1]], z=[400.0, 300.0], seen="solid.store.t", into=lambda z: 20.0 * (z[:, 1] - 300.0)),
    "solid_through": dict(
        section="solid", words=("t", "h"), node="store", tick="50 ms", end="10 s", step=200, unit="ms",
        rest='store = { is = "wall", m = "10 g", cp = "1000 J/kg/K", start = { t = "400 K" } }',
        part='cold = { is = "wall", m = "20 g", cp = "1000 J/kg/K", start = { t = "300 K" } }\nglue = { is = "thermal_resistance", at = ["p", "cold"], r = "0.5 K/W" }',
        a=[[-0.2, 0.2], [0.1, -0.1]], z=[400.0, 300.0], seen="solid.store.t", into=lambda z: 10.0 * (400.0 - z[:, 0])),
}
# A wall is a node of its own, so no part holds the temperature of a shared one: a plant with an input is exported instead.
COLD = """[plant]
duration = "10 s"
error = "off"
[input]
h = { unit = "W", start = 0 }
[solid]
cold = { is = "wall", m = "20 g", cp = "1000 J/kg/K", start = { t = "300 K" } }
heat = { is = "heat_source", at = ["cold"], power = "h" }
[record]
"0.1 s" = ["solid.cold.t"]
"""


def write(name, text):
    folder = work / name
    folder.mkdir(exist_ok=True)
    (folder / "plant.toml").write_text(text)
    return folder


def text_of(case, rest, more=""):
    return f"""[plant]
duration = "{case['end']}"
error = "off"
[{case['section']}]
{rest}
{more}
[solve]
{case['section']} = {{ step = "{case['tick']}", method = "rk4" }}
"""


def export(name, case, kind):
    """The other part as an FMU. -> file, its across variable, its through variable"""
    section, (across, through) = case["section"], case["words"]
    file = work / f"{name}_{kind}.fmu"
    if case["part"] is None:
        plant, more = write(name + "_whole", COLD), []
    else:
        plant = write(name + "_whole", text_of(case, case["rest"], f"""[part.half]
terminal = ["p:{section}"]
[part.half.{section}]
{case['part']}
[parts]
half = {{ of = "half", at = ["{case['node']}"] }}"""))
        more = ["--part", "half"]
    fast = work / "fast.toml"
    fast.write_text(f'[solve]\n{section} = {{ step = "{case["tick"]}", method = "rk4" }}\n[sync]\nhalf = {{ members = ["{section}"], every = "{case["tick"]}" }}\n')
    done = subprocess.run([takt, "fmu", "export", plant, *more, "--kind", kind, "--fmi", "2" if kind == "cs" else "3", "--out", file, "--solve", fast,
                           "--build-dir", work / "build"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    if case["part"] is None:
        return file, "solid.cold.t", "h"
    outside = f"outside.{section}.{case['node']}."
    return file, outside + across, outside + through


def joined(name, case, file, port, **settings):
    """Folder of the plant that has the FMU in the part's place; H is case['step'] over settings['finer']."""
    kind, lag, finer = settings["kind"], settings["lag"], settings["finer"]
    step = f"{case['step'] / finer:g} {case['unit']}"
    (work / name).mkdir(exist_ok=True)
    return write(name, text_of(case, case["rest"], f"""[fmu]
half = {{ file = "{file}", kind = "{kind}", step = "{step}", lag = {lag}, ports = {{ side = {port} }} }}
[sync]
cut = {{ members = ["{case['section']}", "fmu"], every = "{step}" }}
[record]
"{case['step']} {case['unit']}" = ["{case['seen']}", "fmu.half.*"]"""))


def ledger(folder, out="run"):
    return next(c for c in json.loads((folder / out / "summary.json").read_text())["couplings"] if c["to"] == "fmu.half.side.power")


# Every domain and causality; co-simulation and model exchange, lag 1 and lag 0 in turn, each of the four with each causality.
SETTINGS = [("cs", 1), ("me", 0), ("me", 1), ("cs", 0)]
files = {}
for number, (name, case) in enumerate(CASES.items()):
    kind, lag = SETTINGS[(number // 2 + number % 2 * 2) % 4]
    file, across, through = files[name] = export(name, case, kind)
    gives = name.split("_")[1]
    port = f'{{ at = "{case["section"]}.{case["node"]}", across = "{across}", through = "{through}", gives = "{gives}" }}'
    errors, lost = [], []
    for finer in (1, 4):
        folder = joined(f"{name}_{finer}", case, file, port, kind=kind, lag=lag, finer=finer)
        code, said = run(folder)
        expect(f"{name}, {kind}, lag {lag}, H/{finer}: runs and is trusted", code == 0, said)
        if code != 0:
            break
        got, account = signals(folder / "run"), ledger(folder)
        rows = [(time, value) for time, value in zip(got["time"], got[case["seen"]])]
        exact = solution(case["a"], case["z"], np.array([time for time, _ in rows]))
        span = np.ptp(exact[:, 0])
        errors.append(np.sqrt(np.mean((exact[:, 0] - [value for _, value in rows]) ** 2)) / span)
        end = solution(case["a"], case["z"], [rows[-1][0]])
        energy, most = case["into"](end)[0], max(abs(case["into"](exact)))
        lost.append(((account["sent"] - energy) / most, (account["taken"] - energy) / most, account["unclosed"] / most))
        expect(f"{name}: the summary names the port", "port fmu.half.side: the circuit gave" in said and account["closes"], said)
        balance = json.loads((folder / "run/summary.json").read_text())["energy"]  # the port is all that supplies
        expect(f"{name}: it is what the plant is supplied with", abs(balance["supplied_j"] + account["taken"]) <= 1e-9 * most and balance["dissipated_j"] > -1e-9 * most, (balance, account))
        expect(f"{name}: signals end where the ledger does", abs(got["fmu.half.side.taken"][-1] - account["taken"]) <= 1e-12 * most, (got["fmu.half.side.taken"][-1], account))
    if len(errors) < 2:
        continue
    low = 2.5 if kind == "cs" or lag == 1 else 6.0
    print(f"     {name}, {kind}, lag {lag}: error {errors[0]:.2e} and {errors[1]:.2e} of the range; of the energy: circuit {lost[0][0]:.1e}, {lost[1][0]:.1e}, "
          f"FMU {lost[0][1]:.1e}, {lost[1][1]:.1e}, between them {lost[0][2]:.1e}, {lost[1][2]:.1e}")
    expect(f"{name}: the circuit follows the closed form, better with a shorter step", errors[0] < 0.05 and errors[0] > low * errors[1], errors)
    for index, side in enumerate(("circuit", "FMU", "difference of the two")):
        coarse, fine = abs(lost[0][index]), abs(lost[1][index])
        expect(f"{name}: energy of the {side} as the closed form, better with a shorter step", coarse < 0.1 and (fine < coarse / 2.0 or fine < 1e-9), (coarse, fine))

# Equal to the whole plant, of which the part was cut.
case = CASES["electric_through"]
whole = write("whole_electric", (work / "electric_through_whole/plant.toml").read_text() + '\n[record]\n"40 us" = ["electric.store.v"]\n')
code, said = run(whole)
got, cut = signals(whole / "run")["electric.store.v"], signals(work / "electric_through_4/run")["electric.store.v"]
worst = max(abs(a - b) for a, b in zip(got, cut)) / np.ptp(got)
expect("joined by a port it is the whole plant", code == 0 and len(got) == len(cut) and worst < 0.02, (said, worst))

# Whatever is between two nodes: the branch in series that the part was against the reference. z' = [-(v + r l)/... ]: the same circuit with its
# resistor on the other side of the port is the same current.
file, across, through = files["electric_through"]
between = dict(case, rest='store = { is = "capacitor", at = ["a", "gnd"], c = "10 uF", start = { v = "10 V" } }\nback = { is = "resistor", at = ["b", "gnd"], r = "20 Ohm" }')
folder = joined("between", between, file, f'{{ at = ["electric.a", "electric.b"], across = "{across}", through = "{through}" }}', kind="me", lag=0, finer=4)
code, said = run(folder)
got = signals(folder / "run")
exact = solution([[0, -1 / 10e-6], [1 / 5e-3, -50 / 5e-3]], [10.0, 0.0], got["time"][::1])
rows = [k for k, time in enumerate(got["time"])]
worst = max(abs(got["electric.store.v"][k] - exact[k, 0]) for k in rows) / 10.0
account = ledger(folder)
end = solution([[0, -1 / 10e-6], [1 / 5e-3, -50 / 5e-3]], [10.0, 0.0], [2e-3])[0]
# The circuit lost 0.5 C (v0^2 - v^2); of that the FMU took what the coil holds and 30 of 50 Ohm burnt.
passed = 0.5 * 10e-6 * (100 - end[0] ** 2)
energy = 0.5 * 5e-3 * end[1] ** 2 + 0.6 * (passed - 0.5 * 5e-3 * end[1] ** 2)
expect("a port between two nodes", code == 0 and worst < 0.02 and abs(account["sent"] - energy) < 0.02 * passed and abs(account["taken"] - energy) < 0.02 * passed,
       (said, worst, account, energy))

# A through variable that counts out of the FMU: an inertia that a torque brakes. With the sign it is the case from above; without, the rotor
# gives energy it never had: no account can close on that, its sign tells.
ROTOR = """[plant]
duration = "1 s"
error = "off"
[input]
load = { unit = "N*m", start = 0 }
slip = { unit = "rad/s", start = 0 }
[rotational]
rotor = { is = "inertia", at = ["axle"], j = "0.2 kg*m^2" }
brake = { is = "torque_source", at = ["axle"], torque = "-load + 0.1 N*m*s*slip" }
[solve]
rotational = { step = "1 ms", method = "rk4" }
[sync]
all = { members = ["rotational"], every = "1 ms" }
[record]
"1 ms" = ["rotational.rotor.w"]
"""
file = work / "rotor.fmu"
done = subprocess.run([takt, "fmu", "export", write("rotor", ROTOR), "--kind", "me", "--fmi", "3", "--out", file, "--build-dir", work / "build"], capture_output=True, text=True)
expect("an FMU whose torque counts out of it", done.returncode == 0, done.stderr)
case, taken = CASES["rotational_across"], {}
for sign in "-+":
    port = f'{{ at = "rotational.shaft", across = "rotational.rotor.w", through = "load", sign = "{sign}" }}'
    folder = joined("sign_" + {"-": "minus", "+": "plus"}[sign], case, file, port, kind="me", lag=0, finer=1)
    code, said = run(folder)
    expect(f"sign {sign}: runs", code == 0, said)
    taken[sign] = ledger(folder)["taken"]
energy = case["into"](solution(case["a"], case["z"], [0.1]))[0]
expect("sign = \"-\": the energy is that of the closed form", abs(taken["-"] - energy) < 0.02 * energy, (taken, energy))
expect("with the wrong sign a rotor that had nothing has given energy", taken["+"] < -energy, taken)

# The same for a torque that the FMU gives: a spring and a damper that are driven by a speed, the torque counted from them to the shaft.
file = work / "twist.fmu"
done = subprocess.run([takt, "fmu", "export", write("twist", ROTOR[:ROTOR.index("load")] + """w = { unit = "rad/s", start = "50 rad/s" }
[rotational]
drive = { is = "speed_source", at = ["p"], speed = "w" }
twist = { is = "spring", at = ["b", "p"], c = "200 N*m/rad" }
loss = { is = "damper", at = ["b", "frame"], d = "3 N*m*s/rad" }
""" + ROTOR[ROTOR.index("[solve]"):].replace("rotor.w", "twist.tau")), "--kind", "me", "--fmi", "3", "--out", file, "--build-dir", work / "build"], capture_output=True, text=True)
expect("an FMU that gives a torque", done.returncode == 0, done.stderr)
case = CASES["rotational_through"]
energy = case["into"](solution(case["a"], case["z"], [0.1]))[0]
folder = joined("sign_of_output", case, file, '{ at = "rotational.shaft", across = "w", through = "rotational.twist.tau", sign = "-" }', kind="me", lag=0, finer=1)
code, said = run(folder)
account = ledger(folder) if code == 0 else {}
expect("sign = \"-\" of what the FMU gives", code == 0 and all(abs(account[side] - energy) < 0.02 * energy for side in ("sent", "taken")), (said, account, energy))

# What cannot be a port, each with its line.
file, across, through = files["electric_across"]
GOOD = f'{{ at = "electric.mid", across = "{across}", through = "{through}" }}'
case = CASES["electric_across"]
EXTRA = '[rotational]\nwheel = { is = "inertia", at = ["axle"], j = "1 kg*m^2" }\n[solid]\nhot = { is = "wall", m = "1 kg", cp = "1 J/kg/K" }\n[fmu]'
for what, code, port, words in (
        ("an unknown node", "Y131", GOOD.replace('at = "electric.mid', 'at = "' + "electric.mit"), "electric.mid"),
        ("no section", "Y131", GOOD.replace('at = "electric.mid', 'at = "' + "mid"), "section"),
        ("ground", "Y131", GOOD.replace('at = "electric.mid', 'at = "' + "electric.gnd"), "always 0"),
        ("one node twice", "Y131", GOOD.replace('at = "electric.mid"', 'at = ["electric.mid", "electric.mid"]'), "same node"),
        ("two domains", "Y131", GOOD.replace('at = "electric.mid"', 'at = ["electric.mid", "rotational.axle"]'), "two domains"),
        ("a domain with other units", "Y133", GOOD.replace('at = "electric.mid', 'at = "' + "rotational.axle"), "rad/s"),
        ("exchanged variables", "Y133", f'{{ at = "electric.mid", across = "{through}", through = "{across}" }}', "exchanged"),
        ("water", "Y131", GOOD.replace('at = "electric.mid', 'at = "' + "fluid.tank"), "mass"),
        ("an unknown variable", "Y132", GOOD.replace(across, across + "x"), "no variable"),
        ("two outputs", "Y132", GOOD.replace(through, "electric.half.hold.i"), "both outputs"),
        ("against causality", "Y132", GOOD.replace(" }", ', gives = "through" }'), "input of the FMU"),
        ("an unknown key", "M005", GOOD.replace(" }", ', sgn = "-" }'), "sign"),
        ("no node", "Y130", f'{{ across = "{across}", through = "{through}" }}', "where it is"),
        ("no variable", "Y130", f'{{ at = "electric.mid", across = "{across}" }}', "through"),
        ("another sign", "Y130", GOOD.replace(" }", ', sign = "minus" }'), "sign"),
        ("another word for gives", "Y130", GOOD.replace(" }", ', gives = "both" }'), "gives"),
        ("two ports that feed one input", "Y132", GOOD + f', other = {{ at = "electric.a", across = "{across}", through = "{through}" }}', "fed already"),
        ("a node that a capacitor holds", "Y134", GOOD.replace('at = "electric.mid', 'at = "' + "electric.a"), "electric.fmu.half.side")):
    folder = joined("wrong", case, file, port, kind="cs", lag=1, finer=1)
    (folder / "plant.toml").write_text((folder / "plant.toml").read_text().replace("[fmu]", EXTRA))
    done = subprocess.run([takt, "check", folder], capture_output=True, text=True)
    line = next(n for n, text in enumerate((folder / "plant.toml").read_text().splitlines(), 1) if text.startswith("half = "))
    told = any(f"plant.toml:{line}:" in text and f"error[{code}]" in text for text in done.stderr.splitlines())
    expect(f"{what}: {code} with its line", done.returncode == 1 and told and words in done.stderr, done.stderr)
folder = joined("wrong", CASES["rotational_across"], work / "rotor.fmu", '{ at = "rotational.shaft", across = "slip", through = "load" }', kind="me", lag=1, finer=1)
done = subprocess.run([takt, "check", folder], capture_output=True, text=True)
expect("two inputs: Y132", done.returncode == 1 and "error[Y132]" in done.stderr and "both inputs" in done.stderr, done.stderr)
print(f"{failures} failures")
sys.exit(failures > 0)
