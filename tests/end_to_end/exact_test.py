#!/usr/bin/env python3
"""Emitted plants by method exact: random linear networks of resistors, coils and capacitors, of walls, of masses and springs, against matrix
exponentials in extended precision, with steps far beyond the fastest time constant; what drives them held, linear in time or a sine; powers, ledgers
of linear fluxes, and what auto makes of such networks.

    exact_test.py --takt build/release/bin/takt --work DIR [--seed N] [--networks N]

Ends with 0, 1 (a plant failed) or 77 (numpy is missing)."""
import argparse
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np

    import run_cases
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

DURATION_S = 1.0
WINDOW_S = 0.1
EXACT = 1e-12  # of the largest value of a quantity: rounding, times a thousand radians where it swings
LEDGER = 1e-12


class Network:
    """z' = a z + b + c t from z = start; lines of the plant; signal = row of [z 1] that gives it."""

    def __init__(self, states):
        self.a = np.zeros((states, states), np.longdouble)
        self.b, self.c, self.start = (np.zeros(states, np.longdouble) for _ in range(3))
        self.lines, self.signals = {}, {}

    def line(self, section, text):
        self.lines.setdefault(section, []).append(text)

    def solution(self, times):
        """States at multiples of the first time, by the exponential of [a c b; 0 0 1; 0 0 0] over [z t 1]; of it less 1, so that slow modes keep their digits."""
        n = len(self.b)
        whole = np.zeros((n + 2, n + 2), np.longdouble)
        whole[:n, :n], whole[:n, n], whole[:n, n + 1], whole[n, n + 1] = self.a, self.c, self.b, 1.0
        halvings = max(0, int(np.ceil(np.log2(float(np.abs(whole * times[1]).sum(1).max())))) + 1)
        small = whole * (np.longdouble(times[1]) / np.longdouble(2) ** halvings)
        term, step = np.eye(n + 2, dtype=np.longdouble), np.zeros((n + 2, n + 2), np.longdouble)
        for k in range(1, 30):
            term = term @ small / np.longdouble(k)
            step = step + term
        for _ in range(halvings):
            step = 2 * step + step @ step
        z = np.concatenate([self.start, [0.0, 1.0]]).astype(np.longdouble)
        rows = [z]
        for _ in times[1:]:
            rows.append(rows[-1] + step @ rows[-1])
        return np.array(rows)[:, :n]


def electric(random, ramp):
    """Capacitors to ground joined by resistors and by coils with resistance, a source behind a resistor."""
    nodes, coils = int(random.integers(2, 6)), int(random.integers(1, 5))
    net = Network(nodes + coils)
    c, v0 = (10.0 ** random.uniform(-6, -3, nodes)).tolist(), random.uniform(-5, 5, nodes).tolist()
    for k in range(nodes):
        net.line("electric", f'c{k} = {{ is = "capacitor", at = ["n{k}", "gnd"], c = "{c[k]!r} F", start = {{ v = "{v0[k]!r} V" }} }}')
        net.start[k] = v0[k]
        net.signals[f"electric.c{k}.v"] = k

    def resistor(name, a, b, r):
        net.line("electric", f'{name} = {{ is = "resistor", at = ["{a}", "{b}"], r = "{r!r} Ohm" }}')

    for k in range(1, nodes):  # a tree, so that all hangs together
        other, r = int(random.integers(0, k)), float(10.0 ** random.uniform(-1, 3))
        resistor(f"r{k}", f"n{k}", f"n{other}", r)
        for row, column in ((k, other), (other, k)):
            net.a[row, row] -= 1 / (np.longdouble(r) * c[row])
            net.a[row, column] += 1 / (np.longdouble(r) * c[row])
    for k in range(coils):
        a, b = (int(x) for x in random.choice(nodes, 2, replace=False))
        inductance, r, i0 = float(10.0 ** random.uniform(-5, -2)), float(10.0 ** random.uniform(-1, 1)), float(random.uniform(-1, 1))
        resistor(f"s{k}", f"n{a}", f"m{k}", r)
        net.line("electric", f'l{k} = {{ is = "inductor", at = ["m{k}", "n{b}"], l = "{inductance!r} H", start = {{ i = "{i0!r} A" }} }}')
        row = nodes + k
        net.start[row] = i0
        net.a[row, row], net.a[row, a], net.a[row, b] = -np.longdouble(r) / inductance, 1 / np.longdouble(inductance), -1 / np.longdouble(inductance)
        net.a[a, row] -= 1 / np.longdouble(c[a])
        net.a[b, row] += 1 / np.longdouble(c[b])
        net.signals[f"electric.l{k}.i"] = row
    net.line("electric", 'source = { is = "voltage_source", at = ["in", "gnd"], v = "24 V' + (' + 30 V/s*time" }' if ramp else '" }'))
    resistor("feed", "in", "n0", 2.0)
    net.a[0, 0] -= 1 / (np.longdouble(2) * c[0])
    net.b[0] += 24 / (np.longdouble(2) * c[0])
    net.c[0] += (30 if ramp else 0) / (np.longdouble(2) * c[0])
    return net


def walls(random, ramp):
    """Walls joined at random, the first heated, some of them cooled by air; temperatures from 25 degC on."""
    count = int(random.integers(2, 12))
    net = Network(count)
    capacity = (10.0 ** random.uniform(-3, 3, count)).tolist()

    def joined(row, column, conductance):
        net.a[row, row] -= np.longdouble(conductance) / capacity[row]
        if column is None:
            net.b[row] += np.longdouble(conductance) * (293 - 298) / capacity[row]
        else:
            net.a[row, column] += np.longdouble(conductance) / capacity[row]

    net.line("solid", 'air = { is = "temperature_boundary", t = "293 K" }')
    for k in range(count):
        net.line("solid", f'w{k} = {{ is = "wall", m = "{capacity[k]!r} kg", cp = "1 J/kg/K", start = {{ t = "298 K" }} }}')
        net.signals[f"solid.w{k}.t"] = k
        if k > 0:
            other, conductance = int(random.integers(0, k)), float(10.0 ** random.uniform(0, 4))
            net.line("solid", f'h{k} = {{ is = "heat_transfer", at = ["w{k}", "w{other}"], c = "{conductance!r} W/K" }}')
            joined(k, other, conductance), joined(other, k, conductance)
        if k % 3 == 0:
            net.line("solid", f'a{k} = {{ is = "heat_transfer", at = ["w{k}", "air"], c = "{k + 2} W/K" }}')
            joined(k, None, k + 2)
    net.line("solid", 'heater = { is = "heat_source", at = ["w0"], power = "100 W' + (' + 50 W/s*time" }' if ramp else '" }'))
    net.b[0] += np.longdouble(100) / capacity[0]
    net.c[0] += np.longdouble(50 if ramp else 0) / capacity[0]
    return net


def masses(random, ramp):
    """Masses in a row, spring and damper between them and to the frame, a force on the first; states are forces of springs, then speeds."""
    count = int(random.integers(2, 7))
    net = Network(2 * count)
    m, c, d = ((10.0 ** random.uniform(*span, count)).tolist() for span in ((-2, 1), (1, 5), (-1, 2)))
    for k in range(count):
        before = "frame" if k == 0 else f"n{k - 1}"
        net.line("translational", f'm{k} = {{ is = "mass", at = ["n{k}"], m = "{m[k]!r} kg", start = {{ v = "{k} m/s" }} }}')
        net.line("translational", f'c{k} = {{ is = "spring", at = ["n{k}", "{before}"], c = "{c[k]!r} N/m" }}')
        net.line("translational", f'd{k} = {{ is = "damper", at = ["n{k}", "{before}"], d = "{d[k]!r} N*s/m" }}')
        net.start[count + k] = k
        spring, own, other = k, count + k, count + k - 1
        net.a[spring, own] = c[k]
        net.a[own, spring] -= 1 / np.longdouble(m[k])
        net.a[own, own] -= np.longdouble(d[k]) / m[k]
        if k > 0:
            net.a[spring, other] = -c[k]
            net.a[other, spring] += 1 / np.longdouble(m[k - 1])
            net.a[own, other] += np.longdouble(d[k]) / m[k]
            net.a[other, own] += np.longdouble(d[k]) / m[k - 1]
            net.a[other, other] -= np.longdouble(d[k]) / m[k - 1]
        net.signals[f"translational.c{k}.f"], net.signals[f"translational.m{k}.v"] = spring, own
    net.line("translational", 'push = { is = "force_source", at = ["n0"], force = "5 N' + (' + 3 N/s*time" }' if ramp else '" }'))
    net.b[count] += 5 / np.longdouble(m[0])
    net.c[count] += (3 if ramp else 0) / np.longdouble(m[0])
    return net


def plant_text(net, method, step):
    text = ["[plant]", 'title = "linear"', f'duration = "{DURATION_S} s"']
    for section, lines in net.lines.items():
        text += [f"[{section}]", *lines]
    stated = f', step = "{step}"' if step else ""
    domain = next(iter(net.lines))
    text += ["[solve]", f'{"mechanical" if domain == "translational" else domain} = {{ method = "{method}"{stated} }}']
    text += ["[sync]", f'plant = {{ members = ["*"], every = "{WINDOW_S} s" }}']
    text += ["[record]", f'"{WINDOW_S} s" = [' + ", ".join(f'"{name}"' for name in net.signals) + "]"]
    return "\n".join(text) + "\n"


def run(takt, text, work):
    work.mkdir(parents=True, exist_ok=True)
    (work / "plant.toml").write_text(text)
    return run_cases.signals(takt, work / "plant.toml", work, *run_cases.COARSE)


def check_networks(takt, work, random, count):
    failed = []
    for number in range(count):
        kind = (electric, walls, masses)[number % 3]
        ramp, step = number // 3 % 2 == 1, ("100 ms", "20 ms")[number % 2]
        net = kind(random, ramp)
        got = run(takt, plant_text(net, "exact", step), work / f"network_{number}")
        want = net.solution(got["time"])
        offset = 298.0 if kind is walls else 0.0
        size = {}  # of a quantity: a small current follows from the rounding of large voltages
        for name, row in net.signals.items():
            word = name.rsplit(".", 1)[1]
            size[word] = max(size.get(word, offset), float(np.abs(want[:, row]).max()))
        error = max(float(np.abs(got[name] - (want[:, row] + offset)).max()) / size[name.rsplit(".", 1)[1]] for name, row in net.signals.items())
        fastest = float(np.abs(np.linalg.eigvals(net.a.astype(float))).max()) * float(step.split()[0]) * 1e-3
        good = error < EXACT
        print(f"{kind.__name__:9}{len(net.b):3} states, {'ramp' if ramp else 'held'}, step {step:7} = {fastest:8.1e} of the fastest time constant  {error:8.1e}{'' if good else '   FAILED'}")
        if not good:
            failed.append(f"network {number}")
    return failed


SINE = """
[plant]
title = "a filter on a sine"
duration = "1 s"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin(20 rad/s*time)" }
feed   = { is = "resistor", at = ["in", "a"], r = "1 Ohm" }
coil   = { is = "inductor", at = ["a", "b"], l = "50 mH" }
cap    = { is = "capacitor", at = ["b", "gnd"], c = "100 mF" }
[solve]
electric = { method = "exact", step = "STEP" }
[sync]
plant = { members = ["*"], every = "100 ms" }
[record]
"100 ms" = ["electric.cap.v", "electric.coil.i"]
"""


def check_sine(takt, work):
    """Order 4 of states and of the energy that is integrated beside them."""
    a = np.array([[-20.0, -20.0], [10.0, 0.0]])
    phasor = np.linalg.solve(20j * np.eye(2) - a, np.array([200.0, 0.0]))
    values, vectors = np.linalg.eig(a)
    weights = np.linalg.solve(vectors, -phasor.imag)
    errors = []
    for step in ("25 ms", "12500 us"):
        got = run(takt, SINE.replace("STEP", step), work / ("sine_" + step.replace(" ", "")))
        want = [(phasor * np.exp(20j * t)).imag + (vectors @ (weights * np.exp(values * t))).real for t in got["time"]]
        difference = np.array([got["electric.coil.i"], got["electric.cap.v"]]).T - np.array(want)
        energy = run_cases.summary(work / ("sine_" + step.replace(" ", "")) / "run")["energy"]
        errors.append((float(np.abs(difference).max()), abs(energy["residual_j"]) / energy["supplied_j"]))
    orders = [float(np.log2(coarse / fine)) for coarse, fine in zip(*errors)]
    good = min(orders) > 3.8
    print(f"sine      error {errors[1][0]:8.1e}, order {orders[0]:5.2f}; energy open {errors[1][1]:8.1e}, order {orders[1]:5.2f}{'' if good else '   FAILED'}")
    return [] if good else ["sine"]


COUPLED = """
[plant]
title = "a machine behind a stiff filter, driving against a damper that heats walls"
duration = "200 ms"
[electric]
supply  = { is = "voltage_source", at = ["s", "gnd"], v = "24 V" }
feed    = { is = "resistor", at = ["s", "a"], r = "0.1 Ohm" }
filter  = { is = "capacitor", at = ["a", "gnd"], c = "1 uF" }
machine = { is = "dc_machine", at = ["a", "gnd", "rotational.shaft"], r = "1 Ohm", l = "1 mH", k = "0.1 N*m/A" }
[rotational]
rotor = { is = "inertia", at = ["shaft"], j = "1e-3 kg*m^2" }
brake = { is = "damper", at = ["shaft", "frame"], d = "0.01 N*m*s", heat = "solid.disc" }
[solid]
disc = { is = "wall", m = "1 g", cp = "500 J/kg/K", start = { t = "25 degC" } }
calliper = { is = "wall", m = "0.1 g", cp = "500 J/kg/K", start = { t = "25 degC" } }
contact  = { is = "heat_transfer", at = ["disc", "calliper"], c = "100 W/K" }
[solve]
"*" = { step = "STEP", method = "METHOD" }
[sync]
plant = { members = ["*"], every = "STEP", order = 1 }
[record]
"2 ms" = ["rotational.shaft.w", "solid.disc.t"]
"""


def check_coupled(takt, work):
    """Torques are linear in the states, friction heat is not: ledgers of both close, and the coupling is judged stable with a step of 20000 time constants."""
    failed, found = [], {}
    for method, step in (("exact", "2 ms"), ("rk4", "200 ns")):
        text = COUPLED.replace("METHOD", method).replace('every = "STEP"', f'every = "{"2 ms" if method == "exact" else "20 us"}"').replace("STEP", step)
        folder = work / f"coupled_{method}"
        found[method] = run(takt, text, folder)
        for coupling in run_cases.summary(folder / "run")["couplings"]:
            if coupling["kind"] == "flux" and abs(coupling["sent"] - coupling["received"] - coupling["in_transit"]) > LEDGER * coupling["throughput"]:
                failed.append(f"coupled, {method}: ledger of {coupling['from']}")
    for name, base in (("rotational.shaft.w", 0.0), ("solid.disc.t", 298.15)):
        error = abs((found["exact"][name][-1] - base) / (found["rk4"][name][-1] - base) - 1.0)
        good = error < 1e-3
        print(f"coupled   {name:20} {error:8.1e}{'' if good else '   FAILED'}")
        if not good:
            failed.append(f"coupled {name}")
    return failed


def check_auto(takt, work, random):
    """Walls with a fast mode: auto takes a whole window at once."""
    net = walls(random, True)
    work = work / "auto"
    work.mkdir(parents=True, exist_ok=True)
    (work / "plant.toml").write_text(plant_text(net, "auto", None))
    done = subprocess.run([takt, "check", str(work / "plant.toml"), "--json"], capture_output=True, text=True, check=True)
    solid = json.loads(done.stdout)["subsystems"][0]
    good = solid["method"] == "exact" and abs(solid["step_s"] - WINDOW_S) < 1e-12
    print(f"auto      {solid['method']}, {solid['step_s']} s{'' if good else '   FAILED'}")
    return [] if good else ["auto"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--networks", type=int, default=12)
    arguments = parser.parse_args()
    takt, random = arguments.takt.resolve(), np.random.default_rng(arguments.seed)
    failed = check_networks(takt, arguments.work, random, arguments.networks)
    failed += check_sine(takt, arguments.work) + check_coupled(takt, arguments.work) + check_auto(takt, arguments.work, random)
    print("FAILED: " + ", ".join(failed) if failed else "ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
