"""Pairs of `takt run` begun at once, each in one folder with nothing built: every result is that of its own command.

Six of ten pairs run one plant and differ only in --set of a value that is compiled in; one of ten has its first run killed while
it builds; of the others half differ in --march, half are two plants told to build in one folder.
A source over a resistor that grows with time: the current is known in closed form.
"""

import argparse
import csv
import os
import pathlib
import platform
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

PLANT = """[plant]
title = "pair"
duration = "1 s"
[electric]
s = {{ is = "voltage_source", at = ["a", "gnd"], v = "{volt} V" }}
r = {{ is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }}
[record]
"100 ms" = ["electric.r.i"]
"""
MARCH = {"x86_64": ("x86-64", "x86-64-v2"), "aarch64": ("armv8-a", "armv8-a+crc")}


class Run:
    """One `takt run` of a plant of `volt` volts with a resistor of `ohm` (1 + t/s)."""

    def __init__(self, takt, folder, name, volt, ohm, *arguments):
        self.folder, self.out, self.log = folder, folder / f"out_{name}", folder / f"log_{name}"
        self.volt, self.ohm = volt, ohm
        plant = folder / f"plant_{volt}.toml"
        plant.write_text(PLANT.format(volt=volt))
        self.command = [takt, "run", plant, "--set", f"electric.r.r={ohm} Ohm*(1 + time/(1 s))", "--out", self.out, "--quiet", *arguments]

    def begin(self, gate=None):
        if gate:
            gate.wait()
        self.began = time.monotonic()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(self.command, cwd=self.folder, stdout=log, stderr=subprocess.STDOUT)

    def kill_while_compiling(self, delay):
        """The takt process alone: what it started lives on."""
        while self.process.poll() is None and b"compiling" not in self.log.read_bytes():
            time.sleep(0.01)
        time.sleep(delay)
        self.process.send_signal(signal.SIGKILL)
        return self.process.wait() == -signal.SIGKILL

    def fault(self):
        """What is wrong with the result; empty where nothing is."""
        code = self.process.wait()
        if code != 0:
            return f"exit code {code}: {self.log.read_text(errors='replace')[-300:]}"
        with open(self.out / "signals.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        if len(rows) != 11:
            return f"{len(rows)} rows instead of 11"
        for t, i in rows:
            right = self.volt / (self.ohm * (1.0 + float(t)))
            if abs(float(i) - right) > 1e-12 * right:
                return f"i({t} s) = {i} A instead of {right}"
        return ""


def begin_at_once(runs):
    gate = threading.Barrier(len(runs))
    threads = [threading.Thread(target=run.begin, args=(gate,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(run.began for run in runs) - min(run.began for run in runs)


def pair(takt, folder, kind, ohms):
    a, b = ohms
    march = MARCH.get(platform.machine(), ("", ""))
    if kind == "march":
        return [Run(takt, folder, name, 5, ohm, *(["--march", m] if m else [])) for name, ohm, m in (("a", a, march[0]), ("b", a, march[1]))]
    if kind == "plant":
        return [Run(takt, folder, name, volt, a, "--build-dir", "build") for name, volt in (("a", 5), ("b", 7))]
    return [Run(takt, folder, name, 5, ohm) for name, ohm in (("a", a), ("b", b))]


def judge(takt, folder, kind, rng):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    runs = pair(takt, folder, kind, rng.sample(range(1, 100000), 2))
    apart, note = begin_at_once(runs), ""
    if kind == "killed":
        note = "killed while building" if runs[0].kill_while_compiling(rng.uniform(0.0, 2.0)) else "ended before it was killed"
        faults = [runs[1].fault()]
        runs[0].begin()  # what was left half done is not taken for done
        faults.append(runs[0].fault())
    else:
        faults = [run.fault() for run in runs]
    again = Run(takt, folder, "again", runs[0].volt, runs[0].ohm, *runs[0].command[runs[0].command.index("--quiet") + 1:])
    again.begin()  # of the first, now that both are built: nothing is compiled
    faults.append(again.fault())
    if "compiling" in again.log.read_text():
        faults.append("the first was compiled twice")
    return apart, note, [fault for fault in faults if fault]


def kinds_of(pairs):
    sets, killed = max(1, pairs * 6 // 10), max(1, pairs // 10)
    rest = pairs - sets - killed
    return ["set"] * sets + ["killed"] * killed + ["march"] * (rest // 2) + ["plant"] * (rest - rest // 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--no-ccache", action="store_true", help="compile everything anew")
    options = parser.parse_args()
    if options.no_ccache:
        os.environ["CCACHE_DISABLE"] = "1"
    rng, failed, furthest = random.Random(options.seed), 0, 0.0
    for index, kind in enumerate(kinds_of(options.pairs)):
        apart, note, faults = judge(options.takt.resolve(), options.work / f"pair_{index}", kind, rng)
        failed, furthest = failed + bool(faults), max(furthest, apart)
        print(f"{index:3} {kind:7} {'; '.join(faults) or 'both right'} {note}", flush=True)
    print(f"{options.pairs - failed} of {options.pairs} pairs right; begun at most {furthest * 1e3:.1f} ms apart")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
