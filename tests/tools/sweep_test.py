#!/usr/bin/env python3
"""takt sweep: runs equal single runs, a sweep that was killed goes on, samples are what their names say, wrong wishes are refused.

    sweep_test.py TAKT WORK
"""
import csv
import json
import math
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

PLANT = """[plant]
title    = "RC"
duration = "50 ms"
error    = "off"
[input]
v = { unit = "V", start = "1 V", safe = "0 V" }
[parameters]
r = "1 kOhm"
c = "10 uF"
t = "300 K"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "v" }
r      = { is = "resistor", at = ["in", "out"], r = "r" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "c" }
[solid]
body   = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "t" } }
[solve]
electric = { step = "100 us", method = "rk4" }
solid    = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["electric", "solid"], every = "1 ms" }
[record]
"1 ms" = ["electric.c.v", "solid.body.t"]
"""
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:500], flush=True)
    if not condition:
        failures.append(what)


class Sweeps:
    def __init__(self, takt, work):
        self.takt, self.work, self.plant = takt, work, work / "plant.toml"
        self.plant.write_text(PLANT)
        built = subprocess.run([takt, "build", self.plant, "--out", work / "built"], stdout=subprocess.PIPE, text=True, check=True)
        self.program = built.stdout.strip().splitlines()[-1]

    def command(self, out, *options):
        return [self.takt, "sweep", self.plant, "--build-dir", self.work / "built", "--out", self.work / out, *options]

    def run(self, out, *options):
        return subprocess.run(self.command(out, *options), capture_output=True, text=True, cwd=self.work)

    def rows(self, out):
        with (self.work / out / "sweep.csv").open() as file:
            return [{name.split(" [")[0]: value for name, value in row.items()} for row in csv.DictReader(file)]

    def single(self, *options):
        done = subprocess.run([self.program, "--pace", "free", "--json", "--no-results", "--quiet", *options], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["digest"]


def check_grid(sweeps):
    done = sweeps.run("grid", "--vary", "r = 500 Ohm, 1 kOhm", "--vary", "c = 1 uF .. 100 uF / 3 log", "--vary", "v = 2 V, 3 V", "--result", "electric.c.v", "--result", "electric.c.v:mean",
                      "--plot", "electric.c.v")
    rows = sweeps.rows("grid")
    expect("grid: exit code 0, all in order", done.returncode == 0 and "12 runs, 0 failed" in done.stdout and len(rows) == 12, (done.stdout, done.stderr))
    expect("grid: the last name fastest", [(r["r"], r["v"]) for r in rows[:3]] == [("500", "2"), ("500", "3"), ("500", "2")], rows[:3])
    expect("grid: equal ratios", all(abs(float(r["c"]) / c - 1) < 1e-12 for r, c in zip(rows[0:6:2], (1e-6, 1e-5, 1e-4))), [r["c"] for r in rows[0:6:2]])
    wrong = 0
    for r in rows:
        tau = float(r["r"]) * float(r["c"])
        volts = float(r["v"])
        wrong += abs(float(r["electric.c.v:last"]) - volts * (1 - math.exp(-0.05 / tau))) > 1e-3 * volts
        wrong += abs(float(r["electric.c.v:mean"]) - volts * (1 - tau / 0.05 * (1 - math.exp(-0.05 / tau)))) > 2e-2 * volts
    expect("grid: results are those of the closed solution", wrong == 0, wrong)
    expect("grid: digests are those of single runs", all(r["digest"] == sweeps.single("--set", f"r={r['r']}", "--set", f"c={r['c']}", "--input", f"v={r['v']}") for r in rows))
    head = (sweeps.work / "grid/sweep.csv").read_text().split("\n")[0]
    expect("grid: heads with units", head.startswith("run,r [Ohm],c [F],v [V],state"), head)
    expect("grid: a picture", "<svg" in (sweeps.work / "grid/sweep.html").read_text())


def check_samples(sweeps):
    options = ("--vary", "r = 500 Ohm .. 1500 Ohm", "--vary", "t = normal 300 K 5 K", "--sample", "lhs", "--count", "200", "--seed", "seven", "--result", "solid.body.t:max", "--audit", "off")
    started = time.monotonic()
    done = sweeps.run("lhs", *options)
    print(f"     200 runs in {time.monotonic() - started:.1f} s")
    rows = sweeps.rows("lhs")
    expect("Latin hypercube: 200 runs", done.returncode == 0 and len(rows) == 200, done.stderr)
    expect("each share of the range once", sorted(int((float(r["r"]) - 500) / 5) for r in rows) == list(range(200)))
    values = [float(r["t"]) for r in rows]
    expect("mean and deviation of the normal one", abs(statistics.mean(values) - 300) < 0.1 and abs(statistics.stdev(values) - 5) < 0.2, (statistics.mean(values), statistics.stdev(values)))
    expect("results follow", all(abs(float(r["solid.body.t:max"]) - float(r["t"])) < 1e-9 for r in rows))
    expect("single runs have the same digest", all(r["digest"] == sweeps.single("--set", f"r={r['r']}", "--set", f"t={r['t']}", "--audit", "off") for r in rows[::40]))

    process = subprocess.Popen(sweeps.command("killed", *options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=sweeps.work)
    table = sweeps.work / "killed/sweep.csv"
    while process.poll() is None and not (table.exists() and table.read_text().count("\n") > 40):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    there = table.read_text().count("\n") - 1
    expect("killed in the middle", 40 <= there < 200, there)
    with table.open("a") as file:
        file.write("199,half a li")  # what a kill in the middle of a line leaves
    done = sweeps.run("killed", *options)
    again = sweeps.rows("killed")
    expect("it goes on where it was", done.returncode == 0 and f"({there} were there)" in done.stdout, done.stdout)
    expect("the table is that of the one that was not killed", [{k: v for k, v in r.items() if k != "rtf_mean"} for r in again] == [{k: v for k, v in r.items() if k != "rtf_mean"} for r in rows])
    other = sweeps.run("lhs", *["eight" if one == "seven" else one for one in options])
    expect("another seed in the same folder is refused", other.returncode == 2 and "another sweep" in other.stderr, other.stderr)
    other = sweeps.run("lhs", *options, "--for", "20 ms")
    expect("other options in the same folder are refused", other.returncode == 2 and "other options" in other.stderr, other.stderr)


def check_failures(sweeps):
    done = sweeps.run("failing", "--vary", "r = 1 kOhm, 1 mOhm", "--result", "electric.c.v")
    rows = sweeps.rows("failing")
    expect("a run that fails: its row says why, exit code 1", done.returncode == 1 and [r["state"] for r in rows] == ["ok", "failed"] and rows[1]["cause"] != "", (done.stdout, rows))
    (sweeps.work / "points.csv").write_text("r, v\n1 kOhm, 2 V\n# a remark\n2 kOhm, 3 V\n")
    done = sweeps.run("points", "--points", "points.csv")
    expect("points from a file", done.returncode == 0 and [(r["r"], r["v"]) for r in sweeps.rows("points")] == [("1000", "2"), ("2000", "3")], done.stderr)
    for options, words in ((("--vary", "x = 1, 2"), "no parameter or input of this name"), (("--vary", "r = 1 kOhm .. 2 kOhm"), "a grid needs steps"), (("--vary", "r"), "expected name=values"),
                           (("--vary", "r = 1 furlong, 2 Ohm"), "furlong"), (("--vary", "r = -1 .. 1 / 3 log"), "logarithmic"), (("--vary", "r = 1, 2", "--vary", "r = 3, 4"), "twice"),
                           (("--vary", "r = 1 .. 2", "--sample", "lhs"), "--count"), ((), "nothing is varied"), (("--vary", "r = 1 Ohm, 2 Ohm", "--result", "electric.c.v:median"), "--result"),
                           (("--vary", "r = 1, 2", "--trigger", "electric.c.v > 1 V"), "not for the runs"), (("--vary", "t = normal 300 K 0 K", "--sample", "lhs", "--count", "3"), "deviation"),
                           (("--vary", "r = 1 V .. 3 V / 3"), "it is in Ohm, its values in V"), (("--vary", "t = 300 K, 1"), "different dimensions"), (("--vary", "r = 1, 2"), "every value carries its own"),
                           (("--vary", "r = 1 Ohm...3 Ohm / 3"), "three points"), (("--vary", "r = 1 Ohm .. 3 Ohm / 3", "--sample", "lhs", "--count", "4"), "are for a grid"),
                           (("--vary", "v = 1 V, 2 V", "--input", "v=7"), "is varied"), (("--points", "points.csv", "--count", "7"), "are for --vary"),
                           (("--vary", "r = 1 kOhm, 2 kOhm", "--fro", "3ms"), "--fro"), (("--vary", "r = 1 kOhm, 2 kOhm", "--result", "electric.r.i"), "records no such signal"),
                           (("--vary", "r = 1 kOhm, 2 kOhm", "--plot", "electric.c.w"), "--plot electric.c.w: the plant records no such signal; did you mean"),
                           (("--points", "nowhere.csv"), "nowhere.csv")):
        done = sweeps.run("wrong", *options)
        expect(f"wrong usage is refused: {' '.join(options)}", done.returncode == 2 and words in done.stderr and not list(sweeps.work.glob("wrong/run-*")), (done.returncode, done.stderr))


def check_more_results(sweeps):
    """Of a sweep that is finished: read from what its runs have recorded."""
    def cells(out, name):
        return [row[name] for row in sweeps.rows(out)]
    vary = ("--vary", "r = 500 Ohm, 1 kOhm, 2 kOhm")
    for out, options in (("more", ()), ("packed", ("--record", "mdf", "--compress"))):
        both = sweeps.run(f"{out}_at_once", *vary, *options, "--result", "electric.c.v:max", "--result", "electric.c.v:rms")
        first = sweeps.run(out, *vary, *options, "--result", "electric.c.v:max")
        stamps = [file.stat().st_mtime_ns for file in sorted((sweeps.work / out).glob("run-*/summary.json"))]
        second = sweeps.run(out, *vary, *options, "--result", "electric.c.v:max", "--result", "electric.c.v:rms")
        expect(f"{out}: another result of a finished sweep", [one.returncode for one in (both, first, second)] == [0, 0, 0] and "(3 were there)" in second.stdout, (second.stdout, second.stderr))
        expect(f"{out}: nothing runs again", stamps == [file.stat().st_mtime_ns for file in sorted((sweeps.work / out).glob("run-*/summary.json"))] and len(stamps) == 3)
        expect(f"{out}: it is what a sweep with both gives", all(cells(out, name) == cells(f"{out}_at_once", name) for name in ("electric.c.v:max", "electric.c.v:rms", "digest")), sweeps.rows(out))
    expect("the runs left MDF alone", (sweeps.work / "packed/run-000001/signals.mf4").exists() and not (sweeps.work / "packed/run-000001/signals.csv").exists())
    expect("MDF gives what CSV gives", cells("packed", "electric.c.v:rms") == cells("more", "electric.c.v:rms"))
    shutil.rmtree(sweeps.work / "more/run-000002")
    again = sweeps.run("more", *vary, "--result", "electric.c.v:min")
    expect("a run that is gone is run again", again.returncode == 0 and "(2 were there)" in again.stdout and (sweeps.work / "more/run-000002/summary.json").exists() and len(sweeps.rows("more")) == 3, again.stdout)


def check_interruptions(sweeps):
    options = ("--vary", "v = 1 V, 2 V", "--for", "4000 s", "--audit", "off", "--jobs", "2")
    process = subprocess.Popen(sweeps.command("stopped", *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=sweeps.work)
    runs = []
    while process.poll() is None and len(runs) < 2:
        time.sleep(0.05)
        runs = pathlib.Path(f"/proc/{process.pid}/task").glob("*/children")
        runs = [child for file in runs for child in file.read_text().split()]
    second = subprocess.Popen(sweeps.command("stopped", *options[:2], "--for", "1 s"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=sweeps.work)
    waits = ""
    while "waiting for another sweep" not in waits and second.poll() is None:
        waits += second.stderr.readline()
    for child in runs:
        try:
            os.kill(int(child), signal.SIGTERM)
        except ProcessLookupError:
            pass
    _, errors = process.communicate(timeout=60)
    expect("runs that somebody ends make no row", process.returncode == 1 and "was stopped" in errors and not (sweeps.work / "stopped/sweep.csv").exists(), (process.returncode, errors))
    errors = waits + second.communicate(timeout=60)[1]
    expect("a second sweep in the same folder waits, and is refused", second.returncode == 2 and "waiting for another sweep" in errors and "other options" in errors, (second.returncode, errors))

    sweeps.run("logged", "--vary", "v = 2 V, 3 V")
    replay = sweeps.work / "replayed"
    subprocess.run([sweeps.program, "--pace", "free", "--quiet", "--no-report", "--out", replay, "--input", "v=5 V@10ms"], stdout=subprocess.DEVNULL, check=True)
    again = ("--vary", "r = 1 kOhm, 2 kOhm", "--replay", replay)
    expect("a sweep over a replay", sweeps.run("replays", *again).returncode == 0)
    log = replay / "inputs.csv"
    log.write_text(log.read_text().replace(",5\n", ",6\n"))
    done = sweeps.run("replays", *again)
    expect("a log that has changed is that of another sweep", done.returncode == 2 and "other options" in done.stderr, (done.returncode, done.stderr))
    done = sweeps.run("failing", "--vary", "r = 1 kOhm, 1 mOhm", "--result", "electric.c.v")
    expect("failed runs are tried again", "(1 were there)" in done.stdout, done.stdout)


def main():
    takt, work = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    sweeps = Sweeps(takt, work)
    check_grid(sweeps)
    check_samples(sweeps)
    check_failures(sweeps)
    check_more_results(sweeps)
    check_interruptions(sweeps)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
