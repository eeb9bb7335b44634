#!/usr/bin/env python3
"""Multirate co-simulation converges with the order of its method, whatever the scheme and however the groups nest.

    convergence_test.py --takt build/release/bin/takt --work DIR [--plant NAME]

Plants of direct-current machines with a nonlinear right-hand side (heating changes the resistances), against a solution with steps of 50 us,
by a Runge-Kutta method of order 4 in Python: two subsystems, five, and five in three groups that lie in each other. Methods of order 1 to 4, inter- and extrapolation
of order p - 1, the schemes slow-first, fast-first and decoupled, torques and losses crossing as fluxes.

Steps are not changed but the plant: with `pace` = 1/2 everything in it takes twice as long, which is the same as half the step. So each row
is one executable. Observed order: log2 of the ratio of the RMS errors at pace 1/8 and 1/16, within 0.15 of p or above it; the ledger closes. Torque and speed
of a shaft come from different subsystems, so power is a product of coupled values: what that leaves open in the energy balance, as a share
of the supply, shrinks with the same order."""
import argparse
import concurrent.futures
import functools
import math
import pathlib
import sys

try:
    import numpy as np

    import run_cases
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

METHODS = {1: "euler", 2: "heun", 3: "rk3", 4: "rk4"}
# By method exact, too, up to this order of inter- and extrapolation: "five" has resistances that follow temperatures, held over a window.
EXACT = {"two": 4, "five": 2}
SCHEMES = ("slow-first", "fast-first", "decoupled")
PACES = (0.125, 0.0625)
DURATION_S = 0.96  # at pace 1
FINE_S = 5e-5
MARGIN = 0.15
MACHINES = [{"r": 1.0, "l": 0.1, "k": 0.5, "j": 0.05, "d": 0.02, "c": 2.0, "m": 5.0, "alpha": 0.02, "share": 1.0},
            {"r": 1.4, "l": 0.15, "k": 0.4, "j": 0.03, "d": 0.03, "c": 3.0, "m": 4.0, "alpha": 0.02, "share": 1.0}]
AMBIENT = 293.15

# group: (members, its time in multiples of the step of the electric circuit)
PLANTS = {"two": {"machines": 1, "heat": False, "steps": {"electric": 1, "mechanical": 2},
                  "groups": {"plant": (["*"], 2)}},
          "five": {"machines": 2, "heat": True, "steps": {"electric": 1, "mechanical": 2, "solid": 4},
                   "groups": {"plant": (["*"], 4)}},
          "nested": {"machines": 2, "heat": True, "steps": {"electric": 1, "rotational.j1": 1, "rotational.j2": 2, "solid": 2},
                     "groups": {"inner": (["electric", "rotational.j1"], 1), "middle": (["inner", "rotational.j2"], 2),
                                "outer": (["middle", "solid"], 4)}}}
STEP_MS = 10


def plant_text(kind, order, scheme, method):
    plant = PLANTS[kind]
    electric, rotational, solid = ['source = { is = "voltage_source", at = ["in", "gnd"], v = "12 V*(1 + 0.5*sin(5 rad/s*pace*time))" }'], [], []
    signals = []
    for n, m in enumerate(MACHINES[:plant["machines"]], 1):
        heat, alpha = (f', heat = "solid.w{n}"', f', alpha = "{m["alpha"]} 1/K", t_ref = "{AMBIENT} K"') if plant["heat"] else ("", "")
        electric.append(f'm{n} = {{ is = "dc_machine", at = ["in", "gnd", "rotational.r{n}"], r = "{m["r"]} Ohm", l = "{m["l"]} H/pace", k = "{m["k"]} N*m/A"{alpha}{heat} }}')
        rotational += [f'j{n} = {{ is = "inertia", at = ["r{n}"], j = "{m["j"]} kg*m^2/pace" }}',
                       f'd{n} = {{ is = "damper", at = ["r{n}", "frame"], d = "{m["d"]} N*m*s/rad"{heat} }}']
        signals += [f"electric.m{n}.armature.i", f"rotational.r{n}.w"]
        if plant["heat"]:
            solid += [f'w{n} = {{ is = "wall", m = "{m["m"]} kg/pace", cp = "1 J/kg/K", start = {{ t = "{AMBIENT} K" }} }}',
                      f'a{n} = {{ is = "temperature_boundary", t = "{AMBIENT} K" }}',
                      f'h{n} = {{ is = "heat_transfer", at = ["w{n}", "a{n}"], c = "{m["c"]} W/K" }}']
            signals.append(f"solid.w{n}.t")
    text = ["[plant]", 'title = "Convergence"', "[parameters]", "pace = 1", "[electric]", *electric, "[rotational]", *rotational]
    text += ["[solid]", *solid] if solid else []
    text += ["[solve]"] + [f'"{name}" = {{ step = "{factor * STEP_MS} ms", method = "{method}" }}' for name, factor in plant["steps"].items()]
    text += ["[sync]"]
    outermost = 1
    for name, (members, factor) in plant["groups"].items():
        listed = ", ".join(f'"{member}"' for member in members)
        text.append(f'{name} = {{ members = [{listed}], every = "{factor * STEP_MS} ms", scheme = "{scheme}", order = {order - 1} }}')
        outermost = max(outermost, factor)
    text += ["[record]", f'"{outermost * STEP_MS} ms" = [' + ", ".join(f'"{signal}"' for signal in signals) + "]"]
    return "\n".join(text) + "\n", signals


@functools.cache
def solution(kind):
    """-> rows at the multiples of FINE_S: signals in the order of plant_text, at pace 1"""
    plant = PLANTS[kind]
    machines = MACHINES[:plant["machines"]]
    width = 3 if plant["heat"] else 2

    def rates(t, x):
        v, rows = 12.0 * (1.0 + 0.5 * math.sin(5.0 * t)), []
        for n, m in enumerate(machines):
            i, w = x[n * width], x[n * width + 1]
            warm = x[n * width + 2] - AMBIENT if plant["heat"] else 0.0
            r = m["r"] * (1.0 + m["alpha"] * warm)
            rows += [(v - r * i - m["k"] * w) / m["l"], (m["k"] * i - m["d"] * w) / m["j"]]
            if plant["heat"]:
                rows.append((r * i * i + m["d"] * w * w - m["c"] * warm) / m["m"])
        return np.array(rows)

    x = np.array(([0.0, 0.0, AMBIENT] if plant["heat"] else [0.0, 0.0]) * len(machines))
    points = [x]
    for step in range(round(DURATION_S / FINE_S)):
        t, h = step * FINE_S, FINE_S
        a = rates(t, x)
        b = rates(t + h / 2, x + h / 2 * a)
        c = rates(t + h / 2, x + h / 2 * b)
        d = rates(t + h, x + h * c)
        x = x + h / 6 * (a + 2 * b + 2 * c + d)
        points.append(x)
    return np.array(points).T


def errors(takt, work, kind, order, scheme, method):
    folder = work / f"{kind}_{order}_{scheme}_{method}"
    folder.mkdir(parents=True, exist_ok=True)
    text, names = plant_text(kind, order, scheme, method)
    (folder / "plant.toml").write_text(text)
    found, open_energy = [], []
    for pace in PACES:
        run = run_cases.signals(takt, folder / "plant.toml", folder, "--set", f"pace={pace}", "--for", f"{DURATION_S / pace:g}s", *run_cases.COARSE)
        exact = solution(kind)[:, np.rint(np.array(run["time"]) * pace / FINE_S).astype(int)]
        ranges = np.ptp(exact, axis=1)
        difference = np.array([run[name] for name in names]) - exact
        found.append(float(np.sqrt(np.mean((difference / ranges[:, None]) ** 2))))
        summary = run_cases.summary(folder / "run")
        open_energy.append(abs(summary["energy"]["residual_j"]) / abs(summary["energy"]["supplied_j"]))
        for coupling in summary["couplings"]:
            if coupling["kind"] == "flux" and abs(coupling["sent"] - coupling["received"] - coupling["in_transit"]) > 1e-12 * coupling["throughput"]:
                raise AssertionError(f"{kind}, order {order}, {scheme}, {method}: the ledger of {coupling['from']} does not close")
    return found + open_energy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--plant", choices=PLANTS)
    arguments = parser.parse_args()
    kinds = [arguments.plant] if arguments.plant else PLANTS
    rows = [(kind, order, scheme, method) for kind in kinds for scheme in SCHEMES for order in METHODS
            for method in ([METHODS[order], "exact"] if order <= EXACT.get(kind, 0) else [METHODS[order]])]
    failed = 0
    print(f"{'plant':8}{'scheme':12}{'method':8}{'error':>10}{'order':>7}{'energy':>12}{'order':>7}")
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = pool.map(lambda row: errors(arguments.takt.resolve(), arguments.work, *row), rows)
        for (kind, order, scheme, method), (coarse, fine, open_coarse, open_fine) in zip(rows, results):
            observed, energy = float(np.log2(coarse / fine)), float(np.log2(open_coarse / open_fine))
            bad = min(observed, energy) < order - MARGIN
            failed += bad
            print(f"{kind:8}{scheme:12}{method:8}{fine:10.1e}{observed:7.2f}{open_fine:12.1e}{energy:7.2f}{'   expected ' + str(order) if bad else ''}", flush=True)
    print(f"{len(rows)} rows, {failed} below their order")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
