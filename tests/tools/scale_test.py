#!/usr/bin/env python3
"""scale_test.py TAKT ROOT FOLDER: copies of a part share code, compute what one computes, and tools/bench/scale.py measures them."""

import csv
import json
import pathlib
import re
import subprocess
import sys

TAKT, ROOT, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path.insert(0, str(ROOT / "tools/bench"))
import scale as bench_scale  # noqa: E402

COPIES = 12  # names of two digits, too
SIGNALS = ["rotational rotor.w", "electric coil.i", "solid plate.t", "gas box.p", "control governor.out"]


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def cells(count):
    """What check says of the plant, its sources, and each copy's signals by name."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    plant = FOLDER / f"cells_x{count}.toml"
    signals = [f"{path}.cell[*].{rest}" for path, rest in (name.split(" ") for name in SIGNALS)]
    plant.write_text(re.sub(r"(?s)\[record\].*", '[record]\n"10 ms" = ' + json.dumps(signals) + "\n", bench_scale.cells(count)))
    checked = json.loads(run(TAKT, "check", plant, "--json"))
    run(TAKT, "build", plant, "--out", FOLDER / plant.stem)
    results = FOLDER / f"{plant.stem}.run"
    run(FOLDER / plant.stem / "bin" / plant.stem, "--pace", "free", "--quiet", "--for", "1 s", "--out", results)
    columns = list(zip(*csv.reader((results / "signals.csv").open())))
    copies = [{re.sub(r"cell\[\d+\]", "cell", column[0]): column[1:] for column in columns if f"cell[{copy}]" in column[0]} for copy in range(count)]
    return checked, (FOLDER / plant.stem / "sources.txt").read_text().split(), copies


def test_copies():
    one, one_sources, [alone] = cells(1)
    many, many_sources, copies = cells(COPIES)
    assert many["equations"] == COPIES * one["equations"]
    assert len(many["circuits"]) == COPIES * len(one["circuits"]), [circuit["name"] for circuit in many["circuits"]]
    assert len(many["order"]) == COPIES * len(one["order"]), many["order"]
    many_sources = [name for name in many_sources if not name.endswith("_lanes.cpp")]  # the same code for copies side by side
    assert len(many_sources) == len(one_sources), set(many_sources) - set(one_sources)
    assert len(alone) == len(SIGNALS) and all(len(set(column)) > 1 for column in alone.values()), "a signal stands still"
    for number, copy in enumerate(copies):
        assert copy == alone, f"copy {number} is not what one computes"


def test_bench():
    table = run(sys.executable, ROOT / "tools/bench/scale.py", "--sizes", "200", "--takt", TAKT)
    assert [line.split()[0] for line in table.splitlines()] == ["plant", "vehicles", "fleet", "cells"], table
    table = run(sys.executable, ROOT / "tools/bench/scale.py", "drives", "--run", "--counts", "1,3", "--for", "100 ms", "--takt", TAKT)
    rows = [line.split() for line in table.splitlines()[1:]]
    assert [row[1] for row in rows] == ["1", "3"] and all(float(row[3]) > 0 for row in rows), table


test_copies()
test_bench()
