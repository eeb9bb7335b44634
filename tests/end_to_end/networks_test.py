#!/usr/bin/env python3
"""Networks without storages, small ones as statements and large ones over tables: meshes of resistors, supply grids, ladders, looped pipes without
inertia, against numpy's solution of their node equations and against themselves: currents of every node add up, every law holds. Also ratios of 1e12, a
tuned resistance, floating batteries, copies of one network, another instruction set, and a resistance of zero, which must not end well.

    networks_test.py --takt build/release/bin/takt --work DIR [--seed N] [--all]

Ends with 0, 1 (a plant failed) or 77 (numpy is missing)."""
import argparse
import json
import pathlib
import subprocess
import sys

import run_cases  # the first: ends with 77 where numpy is missing
import numpy as np

CLOSE = 1e-9      # of the largest potential or flow
LEDGER = 1e-9     # of the energy that passes through


class Network:
    """Branches (a, b, r, e): from a to b flows i = (u_a - u_b + e)/r, or with `pipes` r*|q|*q = p_a - p_b. Node 0 is ground or a reservoir."""

    def __init__(self, nodes, random, spread, *, chords=0, batteries=0, pipes=False, ladder=False):
        self.pipes, self.nodes = pipes, nodes
        pairs = [(k, k + 1) for k in range(nodes - 1)] + [(0, k) for k in range(2, nodes)] if ladder else self.mesh(nodes, random, chords)
        self.pairs = pairs
        self.r = spread ** random.uniform(0.0, 1.0, len(pairs))
        self.e = np.zeros(len(pairs))
        if batteries:
            self.e[random.choice(len(pairs), batteries, replace=False)] = random.uniform(1.0, 10.0, batteries)
        self.fed = np.where(random.uniform(size=nodes) < 0.3, random.uniform(-1.0, 1.0, nodes), 0.0)
        self.fed[0] = 0.0

    @staticmethod
    def mesh(nodes, random, chords):
        """A grid as square as it goes, with chords."""
        wide = int(np.sqrt(nodes))
        pairs = [(k, k + 1) for k in range(nodes - 1) if (k + 1) % wide] + [(k, k + wide) for k in range(nodes - wide)]
        pairs = [pair for pair in pairs] + ([(nodes - 2, nodes - 1)] if (nodes - 1) % wide == 0 and nodes > 1 else [])
        have = set(pairs)
        while chords:
            a, b = sorted(int(k) for k in random.choice(nodes, 2, replace=False))
            if (a, b) not in have:
                have.add((a, b))
                pairs.append((a, b))
                chords -= 1
        return list(dict.fromkeys(pairs))

    def name(self, node):
        return ("vacuum" if self.pipes else "gnd") if node == 0 and not self.pipes else f"n{node}"

    def text(self, copies=1):
        lines = ["[plant]", 'title = "network"', 'duration = "3 ms"']
        domain = "fluid" if self.pipes else "electric"
        if self.pipes:
            lines += ["[medium.m]", 'doc = "constant"', 'cp = "4000 J/kg/K"', 'rho = "1000 kg/m^3"', "[element.fluid.friction]", 'doc = "r*|q|*q"', 'source = "test"',
                      'terminals = ["a", "b"]', 'param = { r = "1/kg/m > 0" }', 'branch = { kind = "R", law = "p = r*abs(q)*q" }', 'stream = { q = "q" }',
                      "[fluid]", 'medium = "m"', 'n0 = { is = "reservoir", p = "5 bar" }']
        else:
            lines.append("[electric]")
        for copy in range(copies):
            own = f"c{copy}_" if copies > 1 else ""
            node = lambda k: "gnd" if k == 0 and not self.pipes else f"{own}n{k}"
            for k, (a, b) in enumerate(self.pairs):
                if self.pipes:
                    lines.append(f'{own}r{k} = {{ is = "friction", at = ["{node(a)}", "{node(b)}"], r = "{self.r[k]:.17g} 1/kg/m" }}')
                    continue
                start = node(a)
                if self.e[k]:
                    start = f"{own}m{k}"
                    lines.append(f'{own}e{k} = {{ is = "voltage_source", at = ["{start}", "{node(a)}"], v = "{self.e[k]:.17g} V" }}')
                lines.append(f'{own}r{k} = {{ is = "resistor", at = ["{start}", "{node(b)}"], r = "{self.r[k]:.17g} Ohm" }}')
            for k, fed in enumerate(self.fed):
                if fed and self.pipes:
                    lines.append(f'{own}d{k} = {{ is = "demand", at = ["{node(k)}"], flow = "{-fed:.17g} kg/s" }}')
                elif fed:
                    lines.append(f'{own}i{k} = {{ is = "current_source", at = ["gnd", "{node(k)}"], i = "{fed:.17g} A" }}')
        kind = "q" if self.pipes else "i"
        lines += ["[solve]", f'"{domain}*" = {{ method = "euler", step = "1 ms" }}', "[sync]", 'plant = { members = ["*"], every = "1 ms" }',
                  "[record]", f'"1 ms" = ["{domain}.*r*.{kind}"]']
        return "\n".join(lines) + "\n"

    def incidence(self):
        matrix = np.zeros((self.nodes, len(self.pairs)))
        for k, (a, b) in enumerate(self.pairs):
            matrix[a, k], matrix[b, k] = 1.0, -1.0
        return matrix[1:]

    def currents(self, r=None):
        """By node equations; laws that are not linear by Newton's method from those that are."""
        r = self.r if r is None else r
        a, fed = self.incidence(), self.fed[1:]
        i = np.ones(len(r))
        for _ in range(200 if self.pipes else 1):
            g = 1.0 / (2.0 * r * np.maximum(np.abs(i), 1e-12)) if self.pipes else 1.0 / r
            drive = 0.5 * i if self.pipes else g * self.e     # i = g*v + drive
            u = np.linalg.solve((a * g) @ a.T, fed - a @ drive)
            last, i = i, g * (a.T @ u) + drive
            if np.abs(i - last).max() < 1e-13 * np.abs(i).max():
                break
        return i

    def errors(self, i, r=None):
        """Of nodes, of their largest current; of loops, of their largest voltage: what any solution must keep, however far its values lie apart."""
        r = self.r if r is None else r
        a = self.incidence()
        nodes = np.abs(a @ i - self.fed[1:]) / (np.abs(a) @ np.abs(i) + np.abs(self.fed[1:]) + 1e-300)
        v = r * np.abs(i) * i if self.pipes else r * i - self.e
        tree, u = {0: 0.0}, np.zeros(self.nodes)
        edges = {}
        for k, (x, y) in enumerate(self.pairs):
            edges.setdefault(x, []).append((y, -v[k]))
            edges.setdefault(y, []).append((x, v[k]))
        open_ = [0]
        for x in open_:
            for y, step in edges[x]:
                if y not in tree:
                    tree[y] = u[y] = u[x] + step
                    open_.append(y)
        gap = np.abs(a.T @ u[1:] - v)
        return nodes.max(), (gap / np.abs(v).max()).max()


def write(text, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plant.toml").write_text(text)
    return folder / "plant.toml"


def tables_of(takt, folder):
    told = subprocess.run([takt, "check", folder / "plant.toml", "--json"], capture_output=True, text=True, check=True).stdout
    return sum(each["unknowns"] for circuit in json.loads(told)["circuits"] for each in circuit["tables"])


def read(got, network, own=""):
    domain, kind = ("fluid", "q") if network.pipes else ("electric", "i")
    return np.array([got[f"{domain}.{own}r{k}.{kind}"][-1] for k in range(len(network.pairs))])


def check(takt, work, name, network, *, tabled, spread, arguments=(), r=None):
    folder = work / name
    got = run_cases.signals(takt, write(network.text(), folder), folder, *arguments)
    i = read(got, network)
    by_node, by_loop = network.errors(i, r)
    # numpy forms sums on the diagonal, which loses what lies far apart
    error = np.abs(i - network.currents(r)).max() / np.abs(i).max() if spread < 1e6 else 0.0
    energy = run_cases.summary(folder / "run")["energy"]
    through = abs(energy["supplied_j"]) + abs(energy["dissipated_j"])
    open_ = 0.0 if network.pipes else abs(energy["residual_j"]) / through
    unknowns = tables_of(takt, folder)
    good = max(error, by_node, by_loop) < CLOSE and open_ < LEDGER and (unknowns > 0) == tabled
    print(f"{name:28} {network.nodes:5} nodes, {len(network.pairs):5} branches: {error:8.1e} beside numpy, nodes {by_node:8.1e}, loops {by_loop:8.1e}, "
          f"energy open {open_:8.1e}, {unknowns} unknowns over tables{'' if good else '   FAILED'}", flush=True)
    return [] if good else [name]


def check_tuned(takt, work, random):
    network = Network(256, random, 100.0, chords=50)
    r = network.r.copy()
    r[7] *= 1e3
    return check(takt, work, "tuned", network, tabled=True, spread=100.0, arguments=("--set", f"electric.r7.r={r[7]:.17g} Ohm"), r=r)


def check_copies(takt, work, random):
    network, folder = Network(300, random, 10.0, chords=20), work / "copies"
    got = run_cases.signals(takt, write(network.text(copies=2), folder), folder)
    want = network.currents()
    worst = max(np.abs(read(got, network, f"c{copy}_") - want).max() / np.abs(want).max() for copy in range(2))
    print(f"two copies: {worst:8.1e}{'' if worst < CLOSE else '   FAILED'}")
    return [] if worst < CLOSE else ["copies"]


def check_inertia(takt, work, random):
    """Looped pipes with inertia, 1e12 apart, over tables: flows add up in every node."""
    network, folder = Network(144, random, 1e12, chords=30, pipes=True), work / "inertia"
    lines = ["[plant]", 'title = "pipes with inertia"', 'duration = "20 ms"', "[medium.m]", 'doc = "constant"', 'cp = "4000 J/kg/K"', 'rho = "1000 kg/m^3"',
             "[fluid]", 'medium = "m"', 'n0 = { is = "reservoir", p = "5 bar" }']
    lines += [f'r{k} = {{ is = "pipe_law", at = ["n{a}", "n{b}"], c1 = "{r:.17g} 1/m", c2 = "{1e-8 * r:.17g} 1/kg/m" }}'
              for k, ((a, b), r) in enumerate(zip(network.pairs, network.r))]
    lines += [f'd{k} = {{ is = "demand", at = ["n{k}"], flow = "{-fed:.17g} kg/s" }}' for k, fed in enumerate(network.fed) if fed]
    lines += ["[solve]", 'fluid = { method = "rk4", step = "1 ms" }', "[sync]", 'plant = { members = ["fluid"], every = "1 ms" }', "[record]", '"1 ms" = ["fluid.r*.inertia.q"]']
    got = run_cases.signals(takt, write("\n".join(lines) + "\n", folder), folder)
    i = np.array([got[f"fluid.r{k}.inertia.q"][-1] for k in range(len(network.pairs))])
    a = network.incidence()
    worst = np.abs(a @ i - network.fed[1:]).max() / np.abs(i).max()
    twice = "solve_sparse_twice" in "".join(file.read_text() for file in folder.glob("build/**/*.cpp"))
    good = worst < CLOSE and twice
    print(f"pipes with inertia: nodes {worst:8.1e}, solved {'twice' if twice else 'once'}{'' if good else '   FAILED'}")
    return [] if good else ["inertia"]


def check_bits(takt, work, random):
    digests = []
    for pipes in (False, True):
        text = Network(300, random, 10.0, chords=20, pipes=pipes).text()
        for march in ("x86-64-v2", "x86-64-v3"):
            folder = work / f"{march}_{pipes}"
            run_cases.signals(takt, write(text, folder), folder, "--march", march)
            digests.append(run_cases.summary(folder / "run")["digest"])
    good = digests[0] == digests[1] and digests[2] == digests[3]
    print(f"digests for two instruction sets: {', '.join(digests)}{'' if good else '   FAILED'}")
    return [] if good else ["bits"]


def check_zero(takt, work, random):
    """No resistance at all: refused before it runs, or ended by name, never a number."""
    folder = work / "tuned"
    done = subprocess.run([takt, "run", folder / "plant.toml", "--build-dir", folder / "build", "--pace", "free", "--out", folder / "zero", "--set", "electric.r7.r=0 Ohm"],
                          capture_output=True, text=True)
    good = done.returncode != 0
    print(f"resistance of zero: ended with {done.returncode}: {(done.stderr or done.stdout).strip().splitlines()[-1][:120]}{'' if good else '   FAILED'}")
    return [] if good else ["zero"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--all", action="store_true", help="larger ones, floating batteries, copies, two instruction sets")
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    takt, work = options.takt, options.work
    failed = check_tuned(takt, work, random)
    failed += check_zero(takt, work, random)
    failed += check(takt, work, "far_apart", Network(256, random, 1e12, chords=20), tabled=True, spread=1e12)
    failed += check(takt, work, "pipes", Network(100, random, 100.0, chords=10, pipes=True), tabled=True, spread=100.0)
    failed += check(takt, work, "pipes_few", Network(9, random, 10.0, chords=2, pipes=True), tabled=False, spread=10.0)  # flat where they begin
    failed += check_inertia(takt, work, random)
    if options.all:
        failed += check(takt, work, "small", Network(60, random, 10.0, chords=10), tabled=False, spread=10.0)
        failed += check(takt, work, "mesh", Network(900, random, 100.0, chords=30), tabled=True, spread=100.0)
        failed += check(takt, work, "batteries", Network(500, random, 100.0, chords=30, batteries=60), tabled=True, spread=100.0)
        failed += check(takt, work, "ladder", Network(2000, random, 10.0, ladder=True), tabled=True, spread=10.0)
        failed += check(takt, work, "pipes_small", Network(20, random, 10.0, chords=5, pipes=True), tabled=False, spread=10.0)
        failed += check(takt, work, "pipes_large", Network(900, random, 1e6, chords=30, pipes=True), tabled=True, spread=1e6)
        failed += check_copies(takt, work, random)
        with open("/proc/cpuinfo") as machine:
            if "avx2" in machine.read():
                failed += check_bits(takt, work, random)
    print("failed: " + ", ".join(failed) if failed else "all as they should be")
    return 1 if failed else 0


sys.exit(main())
