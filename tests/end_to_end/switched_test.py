#!/usr/bin/env python3
"""What the solution of switched circuits must keep, seen on whole plants through `takt run`.

    switched_test.py CHECK --takt build/release/bin/takt --work DIR

networks      Plants solved by eliminating potentials in every micro-step and by affine maps per switch state give the same
              trajectories: within 1e-9 of the signal's largest value after a quarter of the time, 1e-6 before: where a plant
              starts with currents that are zero, rounding decides which diodes are said to conduct.
edges         RMS of the phase voltage of config/plants/inverter_power at four modulation indices: within 0.05 % of the value at 1/20 of
              the step. With gate edges sampled once a step it is not, in three of four at least.
conservation  switched/charge.toml and flux.toml: sums of charges and of linkages that nothing can change, over 1e6 gate edges.
              Every solution adds rate*h to each term w of a sum: one rounding of w, and as the rates of a sum cancel but for a
              rounding of theirs, nothing else. With u = 2^-53 that is u*sqrt(N*terms) of the largest term where roundings
              are random, N*terms*u where all have one sign: 4e-13 and 1e-9 for N = 3e6 solutions. Asked for is 1e-11.
commutation   switched/half_wave.toml and buck_dcm.toml: the charge of a period converges in the step where the diode commutates by
              itself: order 2 over a decade of steps of the rectifier; 1e-5 at 1 us, a sixteenth of the gate's pulse, of the buck.
interruption  switched/interrupted.toml: wherever in a step a switch interrupts two inductors, three steps later nothing is left of the
              impulse (2700 V) but the voltage of the inductors in series, within 1e-3 of it, and their currents are equal.
losses        switched/cold_plate.toml: what the switch loses at edges and while it conducts, by its tables and resistances, is what the
              energy of the liquid that cools it rises by, and what the ledger says it received.
Inductors interrupted beyond all voltages there are count (X011); nowhere else, and nothing else (X001 undecided, X002 crowded, X003 unsettled), may be."""
import argparse
import pathlib
import re
import shutil
import sys

import run_cases  # the first: ends with 77 where numpy is missing
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
PLANTS = HERE.parents[1] / "config" / "plants"
INVERTER = PLANTS / "inverter_power" / "plant.toml"


class Checker:
    def __init__(self, options):
        self.takt, self.work, self.failed = options.takt, options.work, 0

    def say(self, ok, text):
        print(f"{text}   {'ok' if ok else 'FAILED'}", flush=True)
        self.failed += not ok

    def run(self, plant, name, edits, *arguments, counted=()):
        """The plant with (pattern, replacement) edits of its text -> signals; `name` tells builds apart. Just the events `counted` must occur."""
        folder = self.work / name
        if not folder.exists():
            shutil.copytree(plant.parent, folder, ignore=lambda _, names: [n for n in names if not n.endswith((".toml", ".csv")) or n == "reference.csv"])
        text = plant.read_text()
        for pattern, replacement in edits:
            text, count = re.subn(pattern, replacement, text)
            if count != 1:
                raise RuntimeError(f"{plant}: '{pattern}' stands there {count} times")
        (folder / "plant.toml").write_text(text)
        result = run_cases.signals(self.takt, folder / "plant.toml", folder, *arguments, *run_cases.COARSE)
        events = run_cases.events(folder / "run")
        if set(events) != set(counted):
            self.say(False, f"{name}: counted {events}, not {counted}")
        return result


def setting(text):
    return [(r'\nelectric( *)= \{ step', rf'\nelectric\1= {{ {text}, step')]


def step(text):
    return [(r'\nelectric( *)= \{ step = "[^"]*"', rf'\nelectric\1= {{ step = "{text}"')]


def check_networks(check):
    cases = ["sw_inverter_rl_08", "sw_buck_dcm", "sw_six_pulse_lc", "sw_llc", "sw_coupled_flyback"]
    for plant in [INVERTER, *(HERE / "cases" / case / "plant.toml" for case in cases)]:
        name = plant.parent.name
        one, other = (check.run(plant, f"{name}_{form}", setting(f'network = "{form}"')) for form in ("affine", "eliminated"))
        late = other["time"] >= 0.25 * other["time"][-1]
        worst = {True: 0.0, False: 0.0}
        for signal in one:
            difference = np.abs(one[signal] - other[signal]) / max(np.abs(other[signal]).max(), 1e-300)
            for when in worst:
                worst[when] = max(worst[when], difference[late == when].max())
        check.say(worst[True] < 1e-9 and worst[False] < 1e-6, f"{name:24} affine and eliminated differ by {worst[False]:.1e}, later {worst[True]:.1e}")


def check_edges(check):
    fast = [(r'every = "1 ms"', 'every = "10 us"'), (r'(\nsolid *= \{ step = )"1 ms"', r'\1"10 us"'), (r'\[record\]\n(.|\n)*', '[record]\n"10 us" = ["electric.c_a.v"]\n')]
    forms = {"1/20": step("50 ns"), "exact": step("1 us"), "sampled": step("1 us") + setting('edges = "sampled"')}
    worse = 0
    for m in (0.3, 0.6, 0.789, 0.8):
        rms = {}
        for form, edits in forms.items():
            result = check.run(INVERTER, f"inverter_{form.replace('/', '_')}", edits + fast, "--for", "50ms", "--set", f"m={m}")
            late = result["electric.c_a.v"][(result["time"] > 0.03 + 1e-9)]
            rms[form] = np.sqrt(np.mean(late**2))
        exact, sampled = (abs(rms[form] / rms["1/20"] - 1) for form in ("exact", "sampled"))
        worse += sampled > 5e-4
        check.say(exact <= 5e-4, f"m = {m:5}: {rms['1/20']:.4f} V converged; exact edges {exact:.4%}, sampled edges {sampled:.4%}")
    check.say(worse >= 3, f"sampled edges are worse than 0.05 % in {worse} of 4")


def check_conservation(check):
    def drift(result, section, terms):
        values = {name: factor * result[f"electric.{name}.{section}"] for name, factor in terms.items()}
        total = sum(values.values())
        return np.abs(total - total[0]).max() / max(np.abs(v).max() for v in values.values()), sum(np.ptp(v) for v in values.values())

    charge = check.run(HERE / "switched" / "charge.toml", "charge", [])  # capacitors are joined a million times, faster than a step
    flux = check.run(HERE / "switched" / "flux.toml", "flux", [], counted=["X011"])  # its second circuit has 24 V, and interrupts an ampere
    sums = [("charge of an island that capacitors tie to ground", charge, "q", {"c_p": 1, "c_m": 1, "c_n": 1}),
            ("charge of a node between capacitors", charge, "q", {"upper": 1, "lower": -1}),
            ("linkage of a winding in delta", flux, "lambda", {"l_ab": 1, "l_bc": 1, "l_ca": 1}),
            ("linkage of a loop that is interrupted", flux, "lambda", {"m_uv": 1, "m_v": 1, "m_u": 1}),
            ("currents at a star point of inductors", flux, "lambda", {"star_a": 1 / 5e-3, "star_b": 1 / 3e-3, "star_c": 1 / 4e-3})]
    for what, result, section, terms in sums:
        worst, moved = drift(result, section, terms)
        check.say(worst < 1e-11 and moved > 0, f"{what:52} drifts by {worst:.1e} of its largest term over 1e6 edges")
    opened = flux["electric.force.gate"] < 0.5
    apart = np.abs(flux["electric.m_uv.i"] - flux["electric.m_v.i"])
    check.say(apart[opened].max() < 2e-3 < 5e-3 < np.median(apart[~opened]), f"currents are {apart[opened].max():.1e} A apart where interrupted, {apart[~opened].max():.1e} A where not")
    for result, mode in [(charge, "valve.on"), (flux, "free.on"), (flux, "ah.body_on")]:
        on = result[f"electric.{mode}"]
        check.say(0 < on.mean() < 1, f"electric.{mode} conducts in {on.mean():.0%} of the records")


def check_commutation(check):
    def charges(plant, steps):
        runs = {text: np.diff(check.run(HERE / "switched" / f"{plant}.toml", f"{plant}_{text.replace(' ', '')}", step(text))["electric.meter.q"])[1:] for text in steps}
        reference = runs.pop(steps[-1])
        return {text: float(np.abs(values / reference - 1).max()) for text, values in runs.items()}

    errors = charges("half_wave", ["100 us", "50 us", "20 us", "10 us", "500 ns"])
    order = np.log10(errors["100 us"] / errors["10 us"])
    text = ", ".join(f"{step} {error:.1e}" for step, error in errors.items())
    check.say(order > 1.65 and errors["100 us"] < 3e-4, f"half-wave rectifier, charge of a period: {text}; order {order:.2f}")
    errors = charges("buck_dcm", ["2 us", "1 us", "500 ns", "250 ns", "10 ns"])
    text = ", ".join(f"{step} {error:.1e}" for step, error in errors.items())
    check.say(max(errors.values()) < 1e-5, f"buck in discontinuous conduction, charge of a period: {text}")


def check_interruption(check):
    for opening in (50.02, 50.3, 50.5, 50.55, 50.8, 50.98):
        result = check.run(HERE / "switched" / "interrupted.toml", "interrupted", [], "--set", f"opening={opening}us", counted=["X011"])
        late = result["time"] > (opening + 3) * 1e-6
        current, voltage = result["electric.m_v.i"][late], result["electric.force.v"][late]
        expected = 2 / 3 * (24 - 10 * current)
        ringing, apart = np.abs(voltage / expected - 1).max(), np.abs(result["electric.m_uv.i"][late] - current).max()
        check.say(ringing < 1e-3 and apart < 2e-5, f"opened at {opening} us: voltage off by {ringing:.1e}, currents apart by {apart:.1e} A")


def check_losses(check):
    result = check.run(HERE / "switched" / "cold_plate.toml", "cold_plate", [])
    rise = {name: values[-1] - values[0] for name, values in result.items()}
    received = next(c["received"] for c in run_cases.summary(check.work / "cold_plate" / "run")["couplings"] if c["kind"] == "flux")
    edges, v, i, duty, length = 400, 400.0, 20.0, 0.3, 0.02
    switching = edges * (1e-3 + 0.5e-3) * (v + 0.8 + 1e-3 * i) / v
    conduction = (i**2 * 5e-3 * duty + v**2 * 2e-6 * (1 - duty)) * length  # channel and body diode have r_off each
    lost, stored = rise["electric.high.switching"], rise["fluid.plate.e"] + rise["fluid.tank.e"]
    check.say(abs(lost / switching - 1) < 1e-4, f"lost at edges {lost:.6f} J, by the tables {switching:.6f} J")
    check.say(abs(stored / (switching + conduction) - 1) < 1e-4, f"the liquid holds {stored:.6f} J more, lost are {switching + conduction:.6f} J")
    # the energies are of the order of 1e4 J: their differences are known to 1e-11 J
    check.say(abs(stored - received) < 1e-10, f"received {received:.12f} J, stored {stored:.12f} J")


def main():
    checks = {"losses": check_losses, "interruption": check_interruption, "networks": check_networks, "edges": check_edges, "conservation": check_conservation, "commutation": check_commutation}
    parser = argparse.ArgumentParser()
    parser.add_argument("check", choices=checks)
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    check = Checker(options)
    checks[options.check](check)
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
