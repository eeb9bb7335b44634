#!/usr/bin/env python3
"""Coupling paradigms of a heat transfer between a wall and a medium, as a table of errors over the synchronisation time H.

A wall that stores, cooled by a stream. Where the junction stores too, paradigms 1, 2 and 3 converge; where it mixes without volume, paradigm 2
converges and paradigm 1 diverges as soon as the conductance is above the stream's heat capacity rate. takt check refuses that cut (M044, or S011 where
it is made by hand), so here a sampled block carries temperatures and heat flow across it. Exact solutions: linear systems of one and two temperatures.

    paradigms_test.py --takt build/release/bin/takt --work DIR"""
import argparse
import pathlib
import sys

import run_cases  # the first: ends with 77 where numpy is missing
import numpy as np
import closed

FLOW, CP, C, WALL, T_IN, T_WALL = 0.01, 4000.0, 80.0, 60.0, 300.0, 360.0   # kg/s, J/kg/K, W/K, J/K, K: C is twice FLOW*CP
STEPS_MS = (40, 20, 10, 5)

PLANT = """[plant]
title    = "A wall in a stream"
duration = "2 s"
[medium.liquid]
doc = "constant properties"
cp  = "4000 J/kg/K"
rho = "1000 kg/m^3"
{element}
[fluid]
medium = "liquid"
inlet  = {{ is = "reservoir", p = "1 bar", t = "300 K" }}
pump   = {{ is = "flow_pump", at = ["inlet", "j"], flow = "0.01 kg/s" }}
{junction}
out    = {{ is = "resistance", at = ["j", "end"], r = "1e6 Pa*s/kg" }}
end    = {{ is = "reservoir", p = "1 bar" }}
[solid]
wall   = {{ is = "wall", m = "0.06 kg", cp = "1 kJ/kg/K", start = {{ t = "360 K" }} }}
{transfer}
[solve]
fluid = {{ step = "{step} ms", method = "rk4" }}
solid = {{ step = "{step} ms", method = "rk4" }}
[sync]
plant = {{ members = ["fluid", "solid"{control}], every = "{step} ms" }}
[record]
"40 ms" = ["solid.wall.t", "fluid.j.t"]
"""
BY_HAND = """[control]
exchange = {{ is = "expression", every = "{step} ms", of = "(80 W/K)*(solid.wall.t - fluid.j.t)" }}
[element.solid.by_hand]
doc       = "a given heat flow out of a wall, received at the heat port"
source    = "definition"
terminals = ["p"]
param     = {{ power = "any" }}
branch.one = {{ at = ["p"], kind = "T", law = "h = power/2" }}
branch.two = {{ at = ["p"], kind = "T", law = "h = power/2" }}
heat      = {{ t = "300 K", loss = "power" }}
"""
VOLUME = 'j = { is = "volume", v = "10 ml", t_fill = "300 K", start = { t = "300 K" } }'


def transfer(paradigm):
    return f'to = {{ is = "heat_transfer", at = ["wall", "fluid.j"], c = "80 W/K", paradigm = {paradigm} }}'


def error(options, name, exact, **parts):
    """Largest error of the wall's temperature over its whole fall; infinite where the run fails."""
    folder = options.work / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plant.toml").write_text(PLANT.format(**{**parts, "element": parts["element"].format(**parts)}))
    try:
        result = run_cases.signals(options.takt, folder / "plant.toml", folder, *run_cases.COARSE, "--tolerate", "X014")  # what diverges passes absolute zero
    except RuntimeError as failure:
        if "finite" not in str(failure):
            raise
        return np.inf
    return float(np.abs(result["solid.wall.t"] - exact(result["time"])).max() / (T_WALL - T_IN))


def lumped(times):
    rate = 1 / (1 / C + 1 / (FLOW * CP)) / WALL
    return T_IN + (T_WALL - T_IN) * np.exp(-rate * times)


def stored(times):
    fluid = 0.01 * CP   # 10 ml
    matrix = [[-C / WALL, C / WALL], [C / fluid, -(C + FLOW * CP) / fluid]]
    return closed.linear(matrix, [0, FLOW * CP * T_IN / fluid], [T_WALL, T_IN], times)[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    by_hand = 'to = { is = "by_hand", at = ["wall"], power = "control.exchange", heat = "fluid.j" }'
    rows = [("junction with volume, paradigm 1", stored, dict(element="", junction=VOLUME, transfer=transfer(1), control=""), True),
            ("junction with volume, paradigm 2", stored, dict(element="", junction=VOLUME, transfer=transfer(2), control=""), True),
            ("junction with volume, paradigm 3", stored, dict(element="", junction=VOLUME, transfer=transfer(3), control=""), True),
            ("junction without volume, paradigm 2", lumped, dict(element="", junction="", transfer=transfer(2), control=""), True),
            ("junction without volume, paradigm 1 by hand", lumped, dict(element=BY_HAND, junction="", transfer=by_hand, control=', "control"'), False)]
    print(f"{'error of the wall over H':46}" + "".join(f"{step:>9} ms" for step in STEPS_MS))
    bad = 0
    for number, (name, exact, parts, converges) in enumerate(rows):
        errors = [error(options, f"{number}_{step}", exact, step=step, **parts) for step in STEPS_MS]
        falls = errors[-1] < 1e-3 and all(b < 0.7 * a or b < 1e-9 for a, b in zip(errors, errors[1:]))
        ok = falls if converges else errors[-1] > 1 and errors[-1] >= errors[0]
        bad += not ok
        print(f"{name:46}" + "".join(f"{value:12.1e}" for value in errors) + ("   ok" if ok else "   FAILED"), flush=True)
        if name.endswith("paradigm 3"):
            # Both circuits compute the heat, each with the other's temperature: what the two leave open must vanish with H.
            energies = [run_cases.summary(options.work / f"{number}_{step}" / "run")["energy"] for step in STEPS_MS]
            left = [abs(energy["exchanged_j"] / energy["supplied_j"]) for energy in energies]
            ok = left[-1] < 1e-5 and all(b < 0.7 * a for a, b in zip(left, left[1:]))
            bad += not ok
            print(f"{'  its open energy balance, of the supply':46}" + "".join(f"{value:12.1e}" for value in left) + ("   ok" if ok else "   FAILED"), flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
