#!/usr/bin/env python3
"""A built plant checks its steps again where parameters are set when it starts: it refuses what its method would amplify, with the largest
stable step, and runs with what it carries. Replayed runs hand on their parameters, and those are checked alike.

    tuning_test.py --takt build/release/bin/takt --work DIR

The plant is an RC low-pass, R = 1 kOhm, solved by a Runge-Kutta method of order 4 with 100 us: stable up to h = 2.7853 R*C, the zero of |R(-z)| = 1
(Hairer, Wanner, Solving Ordinary Differential Equations II, sec. IV.2)."""
import argparse
import pathlib
import re
import shutil
import subprocess

PLANT = pathlib.Path(__file__).parents[2] / "config" / "plants" / "rc"
REACH = 2.785293563405282


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    subprocess.run([options.takt, "build", PLANT, "--out", options.work / "build"], check=True, capture_output=True)
    program = next(path for path in (options.work / "build").rglob("bin/rc"))

    def run(*arguments):
        return subprocess.run([program, "--quiet", *map(str, arguments)], cwd=options.work, capture_output=True, text=True, timeout=120)

    refused = run("--set", "electric.smooth.c=35nF", "--out", "refused")
    assert refused.returncode == 2, (refused.returncode, refused.stdout, refused.stderr)
    for part in ("X021", "electric.smooth", "rk4", "takt check --set"):
        assert part in refused.stderr, (part, refused.stderr)
    largest = float(re.search(r"steps up to (\S+) s are stable", refused.stderr)[1])
    assert abs(largest - REACH * 1e3 * 35e-9) < 1e-3 * largest, largest
    assert not (options.work / "refused").exists(), "a refused run leaves no results"

    carried = run("--set", "electric.smooth.c=40nF", "--out", "carried", "--audit", "off", "--tolerate", "X008")  # h = 2.5 R*C
    assert carried.returncode == 0, carried.stdout + carried.stderr
    log = options.work / "carried" / "inputs.csv"
    log.write_text(re.sub(r"(# set electric\.smooth\.c=)\S+", r"\g<1>3.5e-08", log.read_text()))
    replayed = run("--replay", log, "--out", "replayed")
    assert replayed.returncode == 2 and "X021" in replayed.stderr, (replayed.returncode, replayed.stdout, replayed.stderr)
    print("refused, carried and refused again as expected")


if __name__ == "__main__":
    main()
