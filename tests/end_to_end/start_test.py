#!/usr/bin/env python3
"""Plants that begin in their steady state: closed solutions, and that they stay there.

    start_test.py --takt build/release/bin/takt --work DIR [CHECK ...]

A plant that begins steady and is left alone keeps every state to 1e-9 of its value over a second (STAYS); what lies below FLOOR of
the largest signal of its unit, at least of one SI unit, is rounding of differences."""
import argparse
import csv
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PLANTS = HERE.parents[1] / "config" / "plants"
STAYS = 1e-9
FLOOR = 1e-11  # a rounding of 12 V over 1 mOhm is 2e-12 A


class Runner:
    def __init__(self, takt, work):
        self.takt, self.work = takt, work

    def call(self, name, plant, *arguments):
        out = self.work / name
        shutil.rmtree(out, ignore_errors=True)
        build = self.work / f"build_{plant.parent.name}_{plant.stem}"
        command = [self.takt, "run", str(plant), "--build-dir", str(build), "--pace", "free", "--out", str(out), *arguments]
        return out, subprocess.run(command, capture_output=True, text=True, timeout=1500)

    def run(self, name, plant, *arguments):
        """-> (start of summary.json, {signal: values}, units)"""
        out, done = self.call(name, plant, *arguments)
        assert done.returncode == 0, f"{name} ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        with open(out / "signals.csv", newline="") as file:
            rows = list(csv.reader(file))
        heads = [re.fullmatch(r"(.*?)(?: \[(.*)\])?", head) for head in rows[0]]
        columns = {head[1]: [float(row[k]) for row in rows[1:]] for k, head in enumerate(heads)}
        summary = json.loads((out / "summary.json").read_text())
        assert summary["ledger_closes"], f"{name}: the ledger does not close"
        return summary, columns, {head[1]: head[2] for head in heads}

    def recording_all(self, plant, period, replace=()):
        """A library plant with every signal recorded."""
        folder = self.work / f"{plant}_all"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(PLANTS / plant, folder)
        text = (folder / "plant.toml").read_text()
        text = text[:text.index("[record]")] + f'[record]\n"{period}" = ["*"]\n'
        for old, new in replace:
            assert old in text, old
            text = text.replace(old, new)
        (folder / "plant.toml").write_text(text)
        return folder / "plant.toml"


def stays(name, summary, columns, units, but=()):
    """Nothing that is recorded changes, states least of all; `but`: patterns of what goes on."""
    assert summary["start"]["mode"] == "steady" and summary["start"]["settled"] and not summary["start"]["still_moves"]
    goes_on = re.compile("|".join(["time.*", r".*\.energy\..*", *but]) + r"\Z")
    watched = {path: values for path, values in columns.items() if not goes_on.fullmatch(path)}
    states = {state["path"] for state in summary["start"]["states"]} & set(watched)
    largest = {}
    for path, values in watched.items():
        largest[units[path]] = max(largest.get(units[path], 1.0), max(map(abs, values)))
    worst = 0.0
    for path, values in watched.items():
        change = max(abs(value - values[0]) for value in values)
        allowed = STAYS * max(map(abs, values)) + FLOOR * largest[units[path]]
        assert change <= allowed, f"{name}: {path} moves by {change:g} from {values[0]:g} (allowed {allowed:g})"
        if path in states and change > FLOOR * largest[units[path]]:
            worst = max(worst, change / max(map(abs, values)))
    print(f"{name}: {len(watched)} signals, {len(states)} states stay; largest relative change of a state {worst:.1e}, "
          f"{summary['start']['steps']} steps, remaining rate {summary['start']['largest_relative_rate']:.1e}")


def near(value, wanted, relative=1e-9):
    assert math.isclose(value, wanted, rel_tol=relative), f"{value!r} instead of {wanted!r}"


def heated_resistor(runner):
    """10 V over r(T) + 1 mOhm, heat into a wall that gives 0.2 W/K to air of 300 K: by bisection on the wall's balance."""
    summary, columns, units = runner.run("heated_resistor", HERE / "start" / "heated_resistor.toml", "--for", "1s")
    low, high = 300.0, 400.0
    for _ in range(200):
        t = 0.5 * (low + high)
        r = 10.0 * (1.0 + 0.01 * (t - 300.0))
        heat = (10.0 / (r + 1e-3)) ** 2 * r
        low, high = (t, high) if heat > 0.2 * (t - 300.0) else (low, t)
    near(columns["solid.body.t"][0], t)
    near(columns["electric.r.i"][0], 10.0 / (r + 1e-3))
    stays("heated_resistor", summary, columns, units)


def pi_heater(runner):
    """The integral alone holds 2 W/K * 50 K; the heater is 20 K warmer than the plate. The counter keeps its start."""
    summary, columns, units = runner.run("pi_heater", HERE / "start" / "pi_heater.toml", "--for", "1s")
    near(columns["solid.plate.t"][0], 350.0)
    near(columns["solid.heater.t"][0], 370.0)
    near(columns["control.regulator.integral"][0], 100.0)
    near(columns["control.smooth.x"][0], 350.0)
    near(columns["control.limited.out"][0], 350.0)
    assert columns["control.counter.out"][0] == 0.0
    assert summary["start"]["blocks_kept"] == ["control.counter"], summary["start"]["blocks_kept"]
    stays("pi_heater", summary, columns, units, but=[r"control\.counter\..*"])
    # out of reach: the limits hold and the anti-windup stops the integral
    summary, columns, units = runner.run("pi_heater_limited", HERE / "start" / "pi_heater.toml", "--for", "1s", "--input", "wanted=900")
    near(columns["solid.plate.t"][0], 550.0)
    stays("pi_heater_limited", summary, columns, units, but=[r"control\.counter\..*"])


def invariants(runner):
    """Loop: l1*i1 - l2*i2 stays at 2.6 mWb, i1 + i2 = 6 V/3 Ohm. Cutset: q1 - q2 - q3 stays. Box: heat stays."""
    summary, columns, units = runner.run("invariants", HERE / "start" / "invariants.toml", "--for", "1s")
    first = {path: values[0] for path, values in columns.items()}
    total = 6.0 / 3.0
    i1 = (1e-3 * 3.0 - 2e-3 * 0.2 + 2e-3 * total) / 3e-3
    near(first["electric.l1.i"], i1)
    near(first["electric.l2.i"], total - i1)
    # in = 6 V, top = b = 2 V; v3 = between; 1 V was over c1, 4 V over c2, so between started at 5 V
    charge = 1e-6 * 1.0 - 2e-6 * 4.0 - 3e-6 * 5.0
    between = (1e-6 * 6.0 + 2e-6 * 2.0 - charge) / 6e-6
    near(first["electric.c3.v"], between)
    near(first["electric.c1.v"], 6.0 - between)
    mean = (500.0 * 400.0 + 1800.0 * 330.0 + 400.0 * 250.0) / 2700.0
    for wall in ("hot", "warm", "cold"):
        near(first[f"solid.{wall}.t"], mean)
    assert len(summary["start"]["invariants"]) == 3, summary["start"]["invariants"]
    stays("invariants", summary, columns, units)


def precharged(runner):
    """48 V through a closed relay, a resistor that warms up, and a diode onto a load; what open switches leak is taken into account."""
    summary, columns, units = runner.run("precharged", HERE / "start" / "precharged.toml", "--for", "1s")
    leak = 1e-6  # S, of the open relay and of the blocking diode
    t = 300.0
    for _ in range(100):
        r = 10e-3 + 20.0 * (1.0 + 0.004 * (t - 300.0)) + 1e-3
        link = ((48.0 - 0.7) / r + leak * 48.0) / (1.0 / r + 2.0 * leak + 1.0 / 100.0)
        i = (48.0 - 0.7 - link) / r
        t = 300.0 + i * i * (r - 11e-3) / 0.5
    near(columns["electric.c.v"][0], link)
    near(columns["electric.valve.i"][0], i, 1e-8)
    near(columns["solid.case.t"][0], t)
    assert columns["electric.valve.on"][0] == 1.0 and not summary["start"]["circuits_kept"]
    stays("precharged", summary, columns, units)
    # under PWM a circuit keeps its start, and says so
    buck = runner.run("buck", PLANTS / "buck" / "plant.toml", "--start", "steady", "--for", "1ms")[0]
    assert buck["start"]["circuits_kept"] == ["electric"], buck["start"]


def coolant_loop(runner):
    """2 kW through a film, a stream and a radiator to air of 300 K, in a closed loop: its mass stays, and the tank
    beside the stream takes the stream's temperature."""
    summary, columns, units = runner.run("coolant_loop", HERE / "start" / "coolant_loop.toml", "--for", "1s")
    first = {path: values[0] for path, values in columns.items()}
    cooler = 300.0 + 2000.0 / 80.0
    jacket = cooler + 2000.0 / (4000.0 * first["fluid.out.inertia.q"])
    for path, wanted in (("fluid.cooler", cooler), ("fluid.tank", cooler), ("fluid.jacket", jacket), ("solid.plate", jacket + 20.0)):
        near(first[path + ".t"], wanted)
    q = first["fluid.out.inertia.q"]
    near(first["fluid.jacket.p"] - first["fluid.tank.p"], 2e5 * q * q + 1e4 * q)
    assert summary["start"]["invariants"] == ["fluid.tank.m"], summary["start"]["invariants"]
    stays("coolant_loop", summary, columns, units)


def none(runner):
    """No steady state: exit code 1, the state named, nothing run; as given it runs."""
    plant = HERE / "start" / "charged.toml"
    _, done = runner.call("charged", plant)
    assert done.returncode == 1, done.returncode
    assert "electric.store.q: 0.001 C/s" in done.stderr and "electric.other" not in done.stderr, done.stderr
    summary, columns, _ = runner.run("charged_given", plant, "--start", "given")
    assert summary["start"] == {"mode": "given"}
    near(columns["electric.store.v"][-1], 6.0)


def plants(runner):
    """rc with a constant source; drive at its wanted speed; ev parked, key not turned, without auxiliaries to drain the 12 V battery."""
    rc = runner.recording_all("rc", "10 ms")
    summary, columns, units = runner.run("rc", rc, "--start", "steady", "--for", "1s", "--set", "amplitude=0V", "--input", "offset=7V")
    near(columns["electric.smooth.v"][0], 7.0)
    stays("rc", summary, columns, units)

    drive = runner.recording_all("drive", "10 ms")
    summary, columns, units = runner.run("drive", drive, "--start", "steady", "--for", "1s")
    near(columns["rotational.load.w"][0], 8.0)
    near(columns["rotational.rotor.w"][0], 40.0)
    stays("drive", summary, columns, units, but=[r"rotational\..*phi"])

    ev = runner.recording_all("ev", "10 ms")
    summary, columns, units = runner.run("ev", ev, "--start", "steady", "--for", "1s", "--set", "key_on=100s", "--set", "p_aux=0W")
    stays("ev", summary, columns, units)


def replay(runner):
    """A run that began steady is replayed from the same state; the digest is the same, and another where it begins as given."""
    plant = HERE / "start" / "pi_heater.toml"
    first = runner.run("first", plant, "--for", "200ms")[0]["digest"]
    again = runner.run("again", plant, "--replay", str(runner.work / "first"))[0]["digest"]
    given = runner.run("given", plant, "--start", "given", "--for", "200ms")[0]["digest"]
    replayed = runner.run("given_again", plant, "--replay", str(runner.work / "given"))[0]["digest"]
    assert first == again and given == replayed and first != given, (first, again, given, replayed)


def grid(side):
    """Ends of links between side x side nodes."""
    return ([(y * side + x, y * side + x + 1) for y in range(side) for x in range(side - 1)]
            + [(y * side + x, y * side + side + x) for y in range(side - 1) for x in range(side)])


def generated(runner, name, sections, tail):
    path = runner.work / f"{name}.toml"
    path.write_text("\n".join(["[plant]", f'title = "{name}"', 'start = "steady"', *sections, *tail]) + "\n")
    return path


def looped_pipes(runner):
    """Pipes in loops, some of them laminar, between junctions that are rigid or elastic: elastic ones only add states, whose pressures are a billion
    times stiffer than the friction that decides the flows. The steady flows are the same."""
    chance = random.Random(5)
    pipes = [f'p{k} = {{ is = "pipe", at = ["n{a}", "n{b}"], length = "{chance.uniform(20, 100):.6g} m", diameter = "{chance.uniform(0.05, 0.2):.6g} m" }}'
             for k, (a, b) in enumerate(grid(3))]
    demands = [f'd{k} = {{ is = "demand", at = ["n{k}"], flow = "{chance.uniform(0.01, 0.1):.4g} kg/s" }}' for k in (2, 4, 7)]
    volumes = [f'n{k} = {{ is = "elastic_volume", v = "{chance.uniform(10, 100):.4g} l", start = {{ p = "5 bar" }} }}' for k in range(1, 9)]
    head = ["[medium.cold_water]", 'doc = "constant"', 'cp = "4000 J/kg/K"', 'rho = "1000 kg/m^3"', 'mu = "1e-3 Pa*s"', 'lambda = "0.6 W/m/K"', "[fluid]", 'medium = "cold_water"',
            'n0 = { is = "reservoir", p = "5 bar" }']
    tail = ["[solve]", 'fluid = { method = "rk4", step = "20 us" }', "[sync]", 'plant = { members = ["fluid"], every = "1 ms" }', "[record]", '"1 ms" = ["fluid.*.q"]']
    flows = {}
    for name, nodes in (("rigid", []), ("elastic", volumes)):
        summary, columns, _ = runner.run(f"looped_{name}", generated(runner, f"looped_{name}", head + pipes + demands + nodes, tail), "--for", "1ms")
        assert not summary["start"]["invariants"], summary["start"]["invariants"]
        flows[name] = {path: values[0] for path, values in columns.items() if path.endswith(".q")}
    largest = max(map(abs, flows["rigid"].values()))
    worst = max((abs(flows["rigid"][path] - flows["elastic"][path]), path) for path in flows["rigid"])
    assert worst[0] <= 1e-9 * largest, worst
    print(f"looped_pipes: {len(pipes)} pipes, steady flows of rigid and elastic junctions differ by {worst[0] / largest:.1e} of the largest")


def large_network(runner):
    """1400 states of inductors and capacitors, few of which meet: the steady state of direct current, solved by numpy."""
    import numpy as np
    chance, side = random.Random(3), 22
    links, rows = grid(side), ["[electric]", 'source = { is = "voltage_source", at = ["n0", "gnd"], v = "10 V" }']
    matrix, right = np.zeros((side * side, side * side)), np.zeros(side * side)
    for k, (a, b) in enumerate(links):
        r = round(chance.uniform(0.1, 1.0), 6)
        rows += [f'r{k} = {{ is = "resistor", at = ["n{a}", "m{k}"], r = "{r} Ohm" }}', f'l{k} = {{ is = "inductor", at = ["m{k}", "n{b}"], l = "{chance.uniform(1, 10):.6g} mH" }}']
        for node, sign in ((a, 1.0), (b, -1.0)):
            matrix[node, a] += sign / r
            matrix[node, b] -= sign / r
    for node in range(1, side * side):
        rows.append(f'c{node} = {{ is = "capacitor", at = ["n{node}", "gnd"], c = "{chance.uniform(1, 10):.6g} uF" }}')
        if node % 3 == 0:
            r = round(chance.uniform(10, 1000), 3)
            rows.append(f'g{node} = {{ is = "resistor", at = ["n{node}", "gnd"], r = "{r} Ohm" }}')
            matrix[node, node] += 1.0 / r
    matrix[0], right[0] = 0.0, 10.0
    matrix[0, 0] = 1.0
    wanted = np.linalg.solve(matrix, right)
    tail = ["[solve]", 'electric = { method = "rk4", step = "1 us" }', "[sync]", 'plant = { members = ["electric"], every = "100 us" }', "[record]", '"100 us" = ["electric.c*.v"]']
    summary, columns, _ = runner.run("large_network", generated(runner, "large_network", rows, tail), "--for", "100us")
    worst = max(abs(columns[f"electric.c{node}.v"][0] - wanted[node]) for node in range(1, side * side))
    assert len(summary["start"]["states"]) == len(links) + side * side - 1
    assert worst <= 1e-9 * 10.0, worst
    print(f"large_network: {len(summary['start']['states'])} states in {summary['start']['steps']} steps, voltages off by {worst:.1e} V of 10 V")


CHECKS = {check.__name__: check for check in (heated_resistor, pi_heater, invariants, precharged, coolant_loop, none, plants, replay, looped_pipes, large_network)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checks", nargs="*", default=list(CHECKS))
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    runner = Runner(arguments.takt, arguments.work)
    arguments.work.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in arguments.checks:
        try:
            CHECKS[name](runner)
        except AssertionError as error:
            print(f"{name}: FAILED: {error}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
