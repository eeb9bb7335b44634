#!/usr/bin/env python3
"""What it costs to find the steady state of large networks: pipes in loops (rigid and elastic junctions, open tanks), circuits of inductors and capacitors, walls.

    tools/bench/steady.py [SHAPE ...] [--links 1000] [--takt build/release/bin/takt]      shapes: rigid elastic tanks rlc walls

CPU time of a whole run of 1 ms, most of which is the search. Flows of rigid and of elastic junctions, of which only the latter store, are compared."""
import argparse
import csv
import json
import os
import pathlib
import random
import resource
import subprocess
import tempfile

import network_shapes


def plant(shape, links):
    chance, own = random.Random(3), random.Random(5)
    ends = network_shapes.pairs("grid", links)[:-1]
    nodes = 1 + max(max(pair) for pair in ends)
    rows = ["[plant]", f'title = "{shape}"', 'start = "steady"']
    if shape in ("rigid", "elastic", "tanks"):
        domain, seen = "fluid", "fluid.*.q"
        rows += ["[medium.m]", 'doc = "constant"', 'cp = "4000 J/kg/K"', 'rho = "1000 kg/m^3"', 'mu = "1e-3 Pa*s"', 'lambda = "0.6 W/m/K"', "[fluid]", 'medium = "m"',
                 'n0 = { is = "reservoir", p = "5 bar" }']
        rows += [f'r{k} = {{ is = "pipe", at = ["n{a}", "n{b}"], length = "{chance.uniform(20, 100):.6g} m", diameter = "{chance.uniform(0.05, 0.2):.6g} m" }}'
                 for k, (a, b) in enumerate(ends)]
        for k in range(1, nodes):
            tank = shape == "tanks" and k % 50 == 0
            if tank:
                rows.append(f'n{k} = {{ is = "tank", area = "{own.uniform(1, 10):.4g} m^2" }}')
            elif shape == "elastic":
                rows.append(f'n{k} = {{ is = "elastic_volume", v = "{own.uniform(10, 100):.4g} l", start = {{ p = "5 bar" }} }}')
            if chance.random() < 0.5 and not tank:
                rows.append(f'd{k} = {{ is = "demand", at = ["n{k}"], flow = "{chance.uniform(0.01, 0.1):.4g} kg/s" }}')
    elif shape == "rlc":
        domain, seen = "electric", "electric.c*.v"
        rows += ["[electric]", 'source = { is = "voltage_source", at = ["n0", "gnd"], v = "10 V" }']
        for k, (a, b) in enumerate(ends):
            rows += [f'r{k} = {{ is = "resistor", at = ["n{a}", "m{k}"], r = "{chance.uniform(0.1, 1):.6g} Ohm" }}',
                     f'l{k} = {{ is = "inductor", at = ["m{k}", "n{b}"], l = "{chance.uniform(1, 10):.6g} mH" }}']
        rows += [f'c{k} = {{ is = "capacitor", at = ["n{k}", "gnd"], c = "{chance.uniform(1, 10):.6g} uF" }}' for k in range(1, nodes)]
        rows += [f'g{k} = {{ is = "resistor", at = ["n{k}", "gnd"], r = "{chance.uniform(10, 1000):.6g} Ohm" }}' for k in range(3, nodes, 3)]
    else:
        domain, seen = "solid", "solid.w*.t"
        rows += ["[solid]", 'air = { is = "temperature_boundary", t = "293 K" }', 'out = { is = "heat_transfer", at = ["w0", "air"], c = "2 W/K" }',
                 f'source = {{ is = "heat_source", at = ["w{nodes - 1}"], power = "10 W" }}']
        rows += [f'w{k} = {{ is = "wall", m = "{chance.uniform(1, 5):.4g} kg", cp = "500 J/kg/K", start = {{ t = "300 K" }} }}' for k in range(nodes)]
        rows += [f'r{k} = {{ is = "heat_transfer", at = ["w{a}", "w{b}"], c = "{chance.uniform(1, 10):.6g} W/K" }}' for k, (a, b) in enumerate(ends)]
    return "\n".join(rows + ["[solve]", f'{domain} = {{ step = "20 us", method = "rk4" }}', "[sync]", f'plant = {{ members = ["{domain}"], every = "1 ms" }}',
                             "[record]", f'"1 ms" = ["{seen}"]']) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", default=[])
    parser.add_argument("--links", type=int, default=1000)
    parser.add_argument("--takt", default="build/release/bin/takt")
    options = parser.parse_args()
    flows = {}
    with tempfile.TemporaryDirectory() as folder:
        for shape in options.shapes or ["rigid", "elastic", "tanks", "rlc", "walls"]:
            path, out = pathlib.Path(folder) / f"{shape}.toml", pathlib.Path(folder) / shape
            path.write_text(plant(shape, options.links))
            subprocess.run([options.takt, "build", path, "--out", out], check=True, capture_output=True)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([out / "bin" / shape, "--pace", "free", "--for", "1ms", "--audit", "off", "--out", out / "run"], check=True, capture_output=True,
                           env=os.environ | {"LC_ALL": "C"})
            spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            start = json.loads((out / "run" / "summary.json").read_text())["start"]
            with open(out / "run" / "signals.csv", newline="") as file:
                heads, first = list(csv.reader(file))[:2]
            flows[shape] = {head: float(value) for head, value in zip(heads, first) if head.endswith("[kg/s]")}
            print(f"{shape:8} {options.links} links: {len(start['states']):5} states, {start['steps']:3} steps, {spent:6.2f} s of CPU time; "
                  f"largest rate left {start['largest_relative_rate']:.1e} of the flows" + (f"; {start['still_moves']} still moves" if start["still_moves"] else ""), flush=True)
    if flows.get("rigid") and flows.get("elastic"):
        worst = max(abs(flow - flows["elastic"][path]) for path, flow in flows["rigid"].items())
        print(f"rigid and elastic: flows differ by {worst / max(map(abs, flows['rigid'].values())):.1e} of the largest")


main()
