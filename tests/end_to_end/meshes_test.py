#!/usr/bin/env python3
"""Meshes whose storages are tied to each other: random networks of coils with resistances, small ones that are eliminated as statements and large ones
that are solved over tables, against the exact solution of their mesh equations; capacitors tied by loops against theirs; the same bits for another
instruction set; what a tuned parameter changes.

    meshes_test.py --takt build/release/bin/takt --work DIR [--seed N]

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

STEP = "20 us"  # rk4: (h / time constant)^4, with time constants of 0.5 ms and more
WINDOW_S = 1e-3
CLOSE = 1e-6  # of the largest current
LEDGER = 1e-6  # of the energy that passes through


def grid(rows, random):
    """Branches of a grid with some chords: pairs of nodes."""
    pairs = [(k, k + 1) for k in range(rows * rows) if (k + 1) % rows] + [(k, k + rows) for k in range(rows * (rows - 1))]
    for _ in range(rows):
        a, b = (int(k) for k in random.choice(rows * rows, 2, replace=False))
        if (a, b) not in pairs and (b, a) not in pairs:
            pairs.append((a, b))
    return pairs


class Mesh:
    """Each branch a coil l and a resistance r in series, from node a to b; 1 A into node 0 and out of the last one."""

    def __init__(self, rows, random, spread):
        self.pairs, self.nodes = grid(rows, random), rows * rows
        self.l = 1e-3 * spread ** random.uniform(0.0, 1.0, len(self.pairs))
        self.r = self.l * random.uniform(500.0, 1000.0, len(self.pairs))

    def text(self):
        lines = ["[plant]", 'title = "mesh"', 'duration = "5 ms"', "[electric]", 'source = { is = "current_source", at = ["gnd", "n0"], i = "1 A" }']
        for k, (a, b) in enumerate(self.pairs):
            lines.append(f'l{k} = {{ is = "inductor", at = ["n{a}", "m{k}"], l = "{self.l[k]:.17g} H" }}')
            lines.append(f'r{k} = {{ is = "resistor", at = ["m{k}", "n{b}"], r = "{self.r[k]:.17g} Ohm" }}')
        lines.append(f'load = {{ is = "resistor", at = ["n{self.nodes - 1}", "gnd"], r = "1 Ohm" }}')
        lines += ["[solve]", f'electric = {{ method = "rk4", step = "{STEP}" }}', "[sync]", f'plant = {{ members = ["*"], every = "{WINDOW_S} s" }}']
        return "\n".join(lines + ["[record]", f'"{WINDOW_S} s" = ["electric.l*.i"]']) + "\n"

    def currents(self, times, l, start):
        """i = C z + p, C a basis of the loops, p currents that carry the source: C' l C z' = -C' r (C z + p). From the currents at the start, which
        must carry it as well; how they share it is the plant's choice."""
        incidence = np.zeros((self.nodes, len(self.pairs)))
        for k, (a, b) in enumerate(self.pairs):
            incidence[a, k], incidence[b, k] = 1.0, -1.0
        fed = np.zeros(self.nodes)
        fed[0], fed[-1] = 1.0, -1.0
        if np.abs(incidence @ start - fed).max() > 1e-12:
            raise RuntimeError("currents at the start do not add up")
        p = np.linalg.lstsq(incidence, fed, rcond=None)[0]
        _, sizes, rows = np.linalg.svd(incidence)
        loops = rows[np.sum(sizes > 1e-9 * sizes[0]) :].T
        inverse = np.linalg.inv(np.linalg.cholesky(loops.T * l @ loops))
        rates, modes = np.linalg.eigh(inverse @ (loops.T * self.r @ loops) @ inverse.T)
        back = loops @ inverse.T @ modes  # z = inverse' modes w, w' = -rates w - drive
        end = -(modes.T @ inverse @ (loops.T @ (self.r * p))) / rates
        begin = np.linalg.solve(inverse.T @ modes, loops.T @ (start - p))
        return np.array([p + back @ (end + (begin - end) * np.exp(-rates * t)) for t in times])


def run(takt, text, work, *arguments):
    work.mkdir(parents=True, exist_ok=True)
    (work / "plant.toml").write_text(text)
    return run_cases.signals(takt, work / "plant.toml", work, *arguments)


def tables_of(takt, work):
    told = subprocess.run([takt, "check", work / "plant.toml", "--json"], capture_output=True, text=True, check=True).stdout
    return json.loads(told)["circuits"][0]["tables"]


def check_meshes(takt, work, random):
    failed = []
    for rows, spread in ((3, 2.0), (5, 100.0), (6, 2.0), (10, 100.0)):
        mesh, folder = Mesh(rows, random, spread), work / f"mesh_{rows}"
        for tuned in (False, True):
            l = mesh.l.copy()
            if tuned:
                l[0] *= 3.0
            got = run(takt, mesh.text(), folder, *(["--set", f"electric.l0.l={l[0]:.17g} H"] if tuned else []))
            start = np.array([got[f"electric.l{k}.i"][0] for k in range(len(l))])
            want = mesh.currents(got["time"], l, start)
            error = max(float(np.abs(got[f"electric.l{k}.i"] - want[:, k]).max()) for k in range(len(l)))
            energy = run_cases.summary(folder / "run")["energy"]
            through = energy["supplied_j"] + energy["dissipated_j"]
            tables = tables_of(takt, folder)
            good = error < CLOSE and abs(energy["residual_j"]) < LEDGER * through and bool(tables) == (rows > 5)
            sizes = "statements" if not tables else f"tables of {tables[0]['unknowns']} unknowns, growth {tables[0]['growth']:.2g}"
            print(f"{len(l):4} coils, ratio {spread:5.0f}, {len(l) - rows * rows + 1:4} loops, {'one tuned' if tuned else 'as given':9} {error:8.1e}, "
                  f"energy open {abs(energy['residual_j']) / through:8.1e}, {sizes}{'' if good else '   FAILED'}")
            if not good:
                failed.append(f"mesh of {rows} rows{', tuned' if tuned else ''}")
    return failed


def check_bits(takt, work, random):
    digests = []
    text = Mesh(7, random, 10.0).text()
    for march in ("x86-64-v2", "x86-64-v3"):
        run(takt, text, work / march, "--march", march)
        digests.append(run_cases.summary(work / march / "run")["digest"])
    good = digests[0] == digests[1]
    print(f"digests for two instruction sets: {', '.join(digests)}{'' if good else '   FAILED'}")
    return [] if good else ["bits"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    failed = check_meshes(options.takt, options.work, random)
    with open("/proc/cpuinfo") as machine:
        if "avx2" in machine.read():
            failed += check_bits(options.takt, options.work, random)
    print("failed: " + ", ".join(failed) if failed else "all as they should be")
    return 1 if failed else 0


sys.exit(main())
