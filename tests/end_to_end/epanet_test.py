#!/usr/bin/env python3
"""Looped water networks against EPANET's results: networks of its own regression suite become plants (Hazen-Williams pipes as an element
of the plant), run until they stand still, and every junction's pressure and every link's flow is compared.

    epanet_test.py --takt build/release/bin/takt --work DIR

Heights are left out: heads stand for pressures (p = rho*g*head). Where EPANET steps through hours, demands and tank levels are those of
the hour. EPANET computes in single precision and stops at its own accuracy, near 1e-3 for some of the files."""
import argparse
import os
import pathlib
import shutil
import struct
import sys

import run_cases  # the first: ends with 77 where numpy is missing
import numpy as np
from water_networks import FLOW_UNIT, FOOT, G, INCH, RHO, sections

FLOW_CODE = {0: "CFS", 1: "GPM", 5: "LPS", 8: "CMH"}
NETWORKS = [("hanoi-3", [0]), ("todinitest", [0]), ("NET1", [0]), ("Example_1", [0, 5, 11, 18])]


class Results:
    """EPANET 2.0 binary output: heads and demands of nodes, flows and status of links, per period, in SI."""

    def __init__(self, path):
        data = path.read_bytes()
        head = struct.unpack("<15i", data[:60])
        self.nodes, tanks, self.links, pumps = head[2], head[3], head[4], head[5]
        flow = FLOW_UNIT[FLOW_CODE[head[9]]]
        length = FOOT if head[9] < 5 else 1.0
        at = 60 + 240 + 520 + 64
        names = lambda count, at: [data[at + 32 * k:at + 32 * k + 32].split(b"\0")[0].decode().strip() for k in range(count)]
        self.node_names = names(self.nodes, at)
        at += 32 * self.nodes
        self.link_names = names(self.links, at)
        at += 32 * self.links + 12 * self.links
        self.fixed = [k - 1 for k in struct.unpack(f"<{tanks}i", data[at:at + 4 * tanks])]
        at += 8 * tanks
        self.elevation = np.frombuffer(data, "<f4", self.nodes, at) * length
        at += 4 * self.nodes + 8 * self.links + 28 * pumps + 4
        periods = struct.unpack("<3i", data[-12:])[0]
        block = 4 * (4 * self.nodes + 8 * self.links)
        rows = [np.frombuffer(data, "<f4", block // 4, at + block * k) for k in range(periods)]
        n, m = self.nodes, self.links
        self.demand = [row[:n] * flow for row in rows]
        self.head = [row[n:2 * n] * length for row in rows]
        self.flow = [row[4 * n:4 * n + m] * flow for row in rows]
        self.status = [row[4 * n + 4 * m:4 * n + 5 * m] for row in rows]


PIPE = """[element.fluid.hazen_williams]
doc       = "Pipe by Hazen and Williams: r*q^1.852"
source    = "EPANET 2 users manual, table 3.1"
terminals = ["a", "b"]
node      = ["mid"]
param     = { c1 = "1/m > 0", r = "1 > 0" }                       # r: Pa at 1 kg/s
branch.inertia  = { at = ["a", "mid"], kind = "L", law = "psi = c1*q" }
branch.friction = { at = ["mid", "b"], kind = "R", law = "p = 1 Pa*r*sign(q)*(abs(q)/(1 kg/s))^1.852" }
stream    = { at = ["a", "b"], q = "inertia.q" }
"""


def plant_of(network, results, period):
    """Text of the plant, and {link name: (signal, sign)}."""
    us = network["OPTIONS"] and any(row[0].upper() == "UNITS" and row[1].upper() in ("GPM", "CFS") for row in network["OPTIONS"])
    length, diameter = (FOOT, INCH) if us else (1.0, 1e-3)
    curves = {row[0]: [float(value) for value in row[1:3]] for row in network.get("CURVES", [])}
    unit = FLOW_UNIT[next(row[1].upper() for row in network["OPTIONS"] if row[0].upper() == "UNITS")]
    index = {name: k for k, name in enumerate(results.node_names)}
    link = {name: k for k, name in enumerate(results.link_names)}
    lines, signals = [], {}
    for k, name in enumerate(results.node_names):
        if k in results.fixed:
            lines.append(f'n{k} = {{ is = "reservoir", p = "{RHO * G * results.head[period][k]:.9g} Pa" }}')
        elif results.demand[period][k]:
            lines.append(f'd{k} = {{ is = "demand", at = ["n{k}"], flow = "{RHO * results.demand[period][k]:.9g} kg/s" }}')
    for row in network["PIPES"]:
        name, a, b = row[0], index[row[1]], index[row[2]]
        if results.status[period][link[name]] <= 2:   # closed
            continue
        l, d, c = float(row[3]) * length, float(row[4]) * diameter, float(row[5])
        # 4.727*C^-1.852*d^-4.871*L*q^1.852 in feet and cubic feet a second
        r = 4.727 * c**-1.852 * (d / FOOT)**-4.871 * (l / FOOT) * FOOT * RHO * G / (RHO * FOOT**3)**1.852
        lines.append(f'p{link[name]} = {{ is = "hazen_williams", at = ["n{a}", "n{b}"], c1 = "{l / (np.pi / 4 * d**2):.9g} 1/m", r = "{r:.9g}" }}')
        signals[name] = f"fluid.p{link[name]}.inertia.q"
    for row in network.get("PUMPS", []):
        name, a, b = row[0], index[row[1]], index[row[2]]
        if results.status[period][link[name]] <= 2:
            continue
        q, h = curves[row[row.index("HEAD") + 1]]
        q, h = q * unit, h * length
        # one point: shut-off head 4/3 of it, no head at twice its flow
        lines.append(f'p{link[name]} = {{ is = "pump", at = ["n{a}", "n{b}"], dp_0 = "{RHO * G * 4 / 3 * h:.9g} Pa", q_0 = "{2 * RHO * q:.9g} kg/s" }}')
        signals[name] = f"fluid.p{link[name]}.q"
    text = ('[plant]\ntitle = "Water network"\nduration = "2000 s"\n[medium.cold_water]\ndoc = "constant"\ncp = "4186 J/kg/K"\nrho = "1000 kg/m^3"\n'
            + PIPE + '[fluid]\nmedium = "cold_water"\n' + "\n".join(lines)
            + '\n[solve]\nfluid = { step = "50 ms", method = "rk4" }\n[sync]\nplant = { members = ["fluid"], every = "1 s" }\n'
              '[record]\n"100 s" = ["fluid.*.p", "fluid.*.q"]\n')
    return text, signals


def compare(name, period, results, network, options):
    folder = options.work / f"{name}_{period}"
    folder.mkdir(parents=True, exist_ok=True)
    text, signals = plant_of(network, results, period)
    (folder / "plant.toml").write_text(text)
    result = run_cases.signals(options.takt, folder / "plant.toml", folder)
    free = [k for k in range(results.nodes) if k not in results.fixed]
    span = max(abs(results.head[period][k] - results.elevation[k]) for k in free)
    worst_p = max(abs(result[f"fluid.n{k}.p"][-1] / (RHO * G) - results.head[period][k]) for k in free) / span
    largest = max(abs(results.flow[period]))
    worst_q = max(abs(result[signal][-1] / RHO - results.flow[period][results.link_names.index(link)]) for link, signal in signals.items()) / largest
    ok = worst_p <= 1e-3 and worst_q <= 1e-3
    print(f"{name:12} hour {period:2}: {len(free)} junctions, pressure off by {worst_p:.1e} of the largest; {len(signals)} links, flow off by {worst_q:.1e} of the "
          f"largest   {'ok' if ok else 'FAILED'}", flush=True)
    return ok


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    data = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "fluid" / "epanet-2.0.12"
    if not os.environ.get("TAKT_SHARED_DATA") or not data.is_dir():
        print("skipped: no EPANET networks (TAKT_SHARED_DATA)")
        return 77
    shutil.rmtree(options.work, ignore_errors=True)
    bad = 0
    for name, periods in NETWORKS:
        network = sections(next((data / name).glob("*.inp")))
        results = Results(next((data / name).glob("*.out")))
        bad += sum(not compare(name, period, results, network, options) for period in periods)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
