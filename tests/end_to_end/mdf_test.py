#!/usr/bin/env python3
"""signals.mf4 read by asammdf: the same numbers as signals.csv, whole after kill -9 at any moment, and on a disk that is full.

    mdf_test.py --takt build/release/bin/takt --work DIR [--kills 12]

Ends with 0, 1 or 77 (asammdf is missing)."""
import argparse
import csv
import json
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

try:
    import numpy as np
    from asammdf import MDF
except ImportError as missing:
    print(f"skipped: {missing} (tools/install_packages.sh python)")
    sys.exit(77)

PLANT = """[plant]
title    = "Two rates <of records> & more"
duration = "2 s"
error    = "off"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time)" }
r      = { is = "resistor", at = ["in", "out"], r = "100 Ohm", heat = "solid.body" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "100 uF" }
[solid]
body   = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "300 K" } }
[solve]
electric = { step = "250 us", method = "rk4" }
solid    = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["electric", "solid"], every = "1 ms" }
[record]
"1 ms"  = ["electric.*"]
"20 ms" = ["solid.body.t"]
"""
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


def read_mdf(file):
    """-> {channel: (times, values, unit)}"""
    found = {}
    with MDF(file) as mdf:
        for index, group in enumerate(mdf.groups):
            for channel in group.channels[1:]:
                one = mdf.get(channel.name, group=index)
                found[channel.name] = (one.timestamps, one.samples, one.unit)
    return found


def read_csv(file):
    with file.open() as text:
        rows = list(csv.reader(text))
    found = {}
    for k, name in enumerate(rows[0][1:], 1):
        path, unit = name.removesuffix("]").split(" [")
        given = [(float(row[0]), float(row[k])) for row in rows[1:] if row[k] != ""]
        found[path] = (np.array([t for t, _ in given]), np.array([v for _, v in given]), unit)
    return found


def run(program, out, *options, **settings):
    return subprocess.run([program, "--out", out, "--quiet", "--audit", "off", "--no-report", *options], capture_output=True, text=True, **settings)


def check_same(program, work):
    both = run(program, work / "both", "--record", "both", "--pace", "free")
    expect("a run that writes both", both.returncode == 0, both.stderr)
    mdf, text = read_mdf(work / "both/signals.mf4"), read_csv(work / "both/signals.csv")
    expect("the same channels", set(mdf) == set(text) and len(mdf) > 4, sorted(set(mdf) ^ set(text)))
    different = [name for name in text if not (np.array_equal(mdf[name][0], text[name][0]) and np.array_equal(mdf[name][1], text[name][1]) and mdf[name][2] == text[name][2])]
    expect("every time, value and unit is the same, to the last bit", not different, different)
    expect("each at its own rate", len(mdf["solid.body.t"][0]) == 101 and len(mdf["electric.c.v"][0]) == 2001, len(mdf["solid.body.t"][0]))
    with MDF(work / "both/signals.mf4") as file:
        expect("version and start time", file.version == "4.10" and abs(file.header.start_time.timestamp() - time.time()) < 600, file.header.start_time)
        expect("the title is in the comment", "Two rates" in file.header.comment, file.header.comment)
    only = run(program, work / "only", "--record", "mdf", "--pace", "free")
    expect("MDF alone: no CSV, the same digest", only.returncode == 0 and not (work / "only/signals.csv").exists()
           and json.loads((work / "only/summary.json").read_text())["digest"] == json.loads((work / "both/summary.json").read_text())["digest"])
    again = run(program, work / "both", "--record", "csv", "--pace", "free")
    expect("what an earlier run left in the folder goes", again.returncode == 0 and not (work / "both/signals.mf4").exists())
    return text


def check_kills(program, work, text, kills, seed):
    chance = random.Random(seed)
    opened = right = kept = 0
    for begin in range(0, kills, 4):
        running = []
        for k in range(begin, min(begin + 4, kills)):
            out = work / f"killed_{k}"
            running.append((out, subprocess.Popen([program, "--out", out, "--quiet", "--record", "mdf", "--pace", "real", "--for", "2 s"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), chance.uniform(0.3, 1.9)))
        start = time.monotonic()
        for out, process, moment in sorted(running, key=lambda one: one[2]):
            time.sleep(max(0.0, start + moment - time.monotonic()))
            before = len(read_mdf(out / "signals.mf4")["electric.c.v"][0])  # also a file that is being written is whole
            process.kill()
            process.wait()
            found = read_mdf(out / "signals.mf4")
            opened += set(found) == set(text)
            right += all(np.array_equal(values, text[name][1][:len(values)]) and np.array_equal(times, text[name][0][:len(times)]) for name, (times, values, _) in found.items())
            kept += len(found["electric.c.v"][0]) >= before
    expect(f"kill -9 at {kills} random moments: asammdf opens each file", opened == kills, opened)
    expect("what it finds is what the run computed", right == kills, right)
    expect("nothing that was there before the kill is lost", kept == kills, kept)


def check_full_disk(program, work):
    def limit():  # room for what is reserved for the summary, not for the signals
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000))
    long = ("--record", "mdf", "--pace", "free", "--for", "60 s")
    run(program, work / "roomy", *long)
    text = read_mdf(work / "roomy/signals.mf4")
    full = run(program, work / "full", *long, preexec_fn=limit)
    summary = json.loads((work / "full/summary.json").read_text())
    expect("no room for signals.mf4: said, exit code 1, the summary is kept", full.returncode == 1 and any("cannot write" in line and "signals.mf4" in line for line in summary["warnings"]), (full.returncode, summary["warnings"]))
    found = read_mdf(work / "full/signals.mf4")
    expect("no room: what is there is right", set(found) == set(text) and 1000 < len(found["electric.c.v"][1]) < len(text["electric.c.v"][1])
           and all(np.array_equal(values, text[name][1][:len(values)]) for name, (_, values, _) in found.items()), len(found["electric.c.v"][1]))
    expect("no room: the run has computed to its end", abs(summary["simulated_s"] - 60.0) < 1e-9, summary["simulated_s"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", default="mdf")
    options = parser.parse_args()
    work = options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "plant.toml").write_text(PLANT)
    built = subprocess.run([options.takt, "build", work / "plant.toml", "--out", work / "built"], stdout=subprocess.PIPE, text=True, check=True)
    program = built.stdout.strip().splitlines()[-1]
    text = check_same(program, work)
    check_kills(program, work, text, options.kills, options.seed)
    check_full_disk(program, work)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
