#!/usr/bin/env python3
"""Ways of joining storages of two FMUs: error, order, violation, energy, evaluations and time per step, of each way and pair.

    joins.py build/release/bin/takt-join-bench --work DIR      needs build/venv (CasADi)

Pairs: masses and capacitors (linear, against the exact solution), inertias with friction that is not linear (against index reduction, rk4,
0.1 ms), all made by CasADi: FMI 3, directional derivatives. `numeric`: the same FMUs without their derivatives. `storage.c`: FMI 2, without
derivatives, its across value no state. `circuit`: storage.c and a part of a plant, exported by takt: a mass with friction, another behind a spring; against `takt
reference` of both in one circuit. The work of a step is per FMU; of co-simulation: steps of the FMU. Times: medians."""
import argparse
import json
import math
import pathlib
import platform
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/end_to_end"))
from compiled_fmus import signals  # noqa: E402
from joined_circuits import whole_plant  # noqa: E402
from joined_fmus import compile_storage, made_by_casadi  # noqa: E402

A = ["--a.m", "2", "--a.d", "0.2", "--b.m", "3", "--b.d", "0.3"]
WAYS = [("index", "rk4", [], (0.02, 0.01)), ("index", "heun", [], (0.02, 0.01)), ("index", "rk4", ["--numeric", "1"], (0.02, 0.01)), ("implicit", "", [], (0.01, 0.005)),
        ("implicit", "", ["--numeric", "1"], (0.01, 0.005)), ("loop", "euler", [], (0.002, 0.001)), ("loop", "rk4", [], (0.02, 0.01)),
        ("spring", "rk4", [], (0.002, 0.001)), ("spring", "rk4", ["--stiffness", "1e4", "--damper", "100"], (0.002, 0.001))]


def driven(t, scale=1.0):
    """v' = 2 scale sin 3t - 0.1 v"""
    a, w = 0.1, 3.0
    return 2 * scale * (a * math.sin(w * t) - w * math.cos(w * t) + w * math.exp(-a * t)) / (a * a + w * w)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--work", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    import casadi

    work = arguments.work
    for name, m in (("mass_a", 2.0), ("mass_b", 3.0)):
        made_by_casadi(work, name, lambda v, f, c: (f + c) / m - 0.1 * v)
    for name, farad in (("capacitor_a", 2e-3), ("capacitor_b", 3e-3)):  # mA, leaks with 0.1/s
        made_by_casadi(work, name, lambda v, f, c: (1e-3 * f + c) / farad - 0.1 * v)
    for name, j in (("inertia_a", 2.0), ("inertia_b", 3.0)):
        made_by_casadi(work, name, lambda v, f, c: (f + c - 0.2 * v - 0.5 * v * casadi.fabs(v)) / j)
    compile_storage(work)
    takt = pathlib.Path(arguments.bench).with_name("takt")
    whole = whole_plant(work, "translational")
    for command in (["reference", whole, "--rtol", "1e-11", "--out", work / "whole"], *(["fmu", "export", whole, "--part", "half", "--kind", kind, "--out", work / f"circuit_{kind}.fmu"] for kind in ("me", "cs"))):
        subprocess.run([takt, *command], check=True, capture_output=True)
    node = "outside.translational.mid"

    def run(pair, *options):
        files = [work / "storage.fmu"] * 2 if pair == "storage.c" else [work / f"{pair}_a.fmu", work / f"{pair}_b.fmu"]
        given = A if pair == "storage.c" else []
        if pair == "circuit":
            files, given = [work / "storage.fmu", work / f"circuit_{'cs' if 'cs' in options else 'me'}.fmu"], [*A[:4], "--b_across", node + ".v", "--b_through", node + ".f"]
        done = subprocess.run([arguments.bench, *map(str, files), *map(str, options), *given], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)

    print(f"{platform.processor() or platform.machine()}, {time.strftime('%Y-%m-%d')}, `tools/bench/joins.py build/release/bin/takt-join-bench --work DIR`\n")
    print("| pair | way | h, ms | error of v | order | \\|v_a - v_b\\| | energy not closed | f per step | derivatives | us per step |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for pair in ("mass", "capacitor", "inertia", "storage.c", "circuit"):
        exact = None
        if pair == "inertia":
            fine = run(pair, "--step", 1e-4)
            exact = dict(zip((round(t, 9) for t in fine["time"]), fine["v"]))
        if pair == "circuit":
            got = signals(work / "whole")
            exact = dict(zip((round(t, 9) for t in got["time"]), got["translational.half.body.v"]))
        ways = [way for way in WAYS if pair != "storage.c" or "--numeric" not in way[2]]
        ways += [("implicit", "", ["--kind", "cs"], (0.01, 0.005))] if pair in ("storage.c", "circuit") else []
        for way, method, more, steps in ways:
            errors = []
            if pair == "capacitor" and "--stiffness" in more:
                more = ["--stiffness", "10", "--damper", "0.1"]
            for h in steps:
                got = run(pair, "--way", way, *(["--method", method] if method else []), "--step", h, *more)
                if got["fault"]:
                    sys.exit(f"{pair} {way} {h}: {got['fault']}")
                want = [exact[round(t, 9)] if exact else driven(t) for t in got["time"]]
                errors.append(max(abs(a - b) for a, b in zip(got["v"], want)))
            order = math.log2(errors[0] / errors[1]) if errors[1] > 0 else float("nan")
            words = " ".join(more).replace("--numeric 1", "numeric").replace("--stiffness ", "c = ").replace("--damper ", "d = ").replace("--kind cs", "co-simulation, trial steps")
            print(f"| {pair} | {way} {method} {words} | {1e3 * steps[1]:g} | {errors[1]:.1e} | {order:.1f} | {got['violation']:.0e} | {abs(got['unclosed'] / got['given']):.0e} | {got['evaluations']:.1f} | {got['derivatives']:.1f} | {got['microseconds']:.1f} |")
    print("\nStability, foretold from 1/m_a + 1/m_b measured, and found:\n")
    for stiffness, damper in ((1e5, 0), (1e5, 300), (1e7, 0)):
        limit = run("mass", "--way", "spring", "--step", 1e-6, "--for", 2e-6, "--every", 1e-6, "--stiffness", stiffness, "--damper", damper)["largest_step"]
        ends = []
        for part in (0.97, 1.03):
            h = part * limit
            ends.append("diverges" if run("mass", "--way", "spring", "--step", h, "--for", 3000 * h, "--every", h, "--stiffness", stiffness, "--damper", damper, "--judged", 0, "--limit", 1e3)["fault"] else "stable")
        print(f"- spring c = {stiffness:g} N/m, d = {damper:g} N s/m, rk4: largest step {1e3 * limit:.4f} ms; 0.97 of it: {ends[0]}, 1.03 of it: {ends[1]}")
    for gain in (0.5, 1.0, 1.2, 2.0, 2.35, 2.45, 2.5):
        got = run("mass", "--way", "loop", "--method", "euler", "--step", 1e-3, "--gain", gain, "--judged", 0)
        foretold = "converges" if got["radius"] < 1 else "diverges"
        print(f"- loop K = {gain:g} kg, 5 iterations, euler, 1 ms: K (1/m_a + 1/m_b) = {gain * got['inverse_mass']:.3f}, foretold: {foretold}; found: {'diverges' if got['fault'] else 'violation ' + format(got['violation'], '.0e')}")


if __name__ == "__main__":
    main()
