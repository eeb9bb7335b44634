#!/usr/bin/env python3
"""Faults of elements, from the library to the numbers of a run: the built plant lists those that `takt check` lists, what a listing says is what
happens, a named plant gives the same numbers as one that names nothing, and a frozen control block stands still.

    faults_test.py --takt build/release/bin/takt --work DIR

A contactor that is open and a lamp at 12 V, a coil whose resistance two elements follow. Here a fault is set when the
plant starts, by --set of what the listing says; the numbers are those of Ohm's law."""
import argparse
import csv
import json
import pathlib
import re
import shutil
import subprocess

NAMED = """faults = ["electric.coil", "electric.s*", "control.ramp"]
"""
PLANT = """[plant]
title = "what may fail"
{named}
[parameters]
r_coil = "6 Ohm"

[input]
closed = {{ unit = "1", start = 0 }}

[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "control.level" }}
main   = {{ is = "contactor", at = ["in", "lamp"], closed = "closed" }}
lamp   = {{ is = "resistor", at = ["lamp", "gnd"], r = "3 Ohm" }}
coil   = {{ is = "resistor", at = ["in", "gnd"], r = "r_coil" }}
spare  = {{ is = "resistor", at = ["in", "gnd"], r = "2*r_coil" }}
switch = {{ is = "contactor", at = ["in", "side"], closed = 1 }}
side   = {{ is = "resistor", at = ["side", "gnd"], r = "1 kOhm" }}

[control]
every = "1 ms"
level = {{ is = "expression", of = "12 V" }}
ramp  = {{ is = "rate_limiter", of = 1, rising = "1 1/s", falling = "1 1/s" }}

[solve]
electric = {{ step = "1 ms" }}

[record]
"1 ms" = ["electric.*.i", "control.ramp", "electric.main.v"]
"""


class Plant:
    def __init__(self, takt, folder, named):
        self.takt, self.folder = takt, folder
        (folder / "lamp").mkdir(parents=True)
        (folder / "lamp" / "plant.toml").write_text(PLANT.format(named=named))
        self.check = self.call(takt, "check", folder / "lamp", "--show", "faults")
        assert self.check.returncode == 0, self.check.stderr
        build = self.call(takt, "build", folder / "lamp", "--out", folder / "build")
        assert build.returncode == 0, build.stderr
        self.program = folder / "build" / "bin" / "lamp"
        self.listed = self.call(self.program, "--list-faults").stdout
        memory = re.findall(r"^\w+ +(\S+) +(\S+)", self.call(self.program, "--list").stdout, re.M)
        self.memory = {path: float(value) for value, path in memory}

    def call(self, *arguments):
        return subprocess.run([str(each) for each in arguments], cwd=self.folder, capture_output=True, text=True, timeout=300)

    def faults(self):
        """{(element, fault): {path: value}}, SI, as the executable lists them"""
        faults = {}
        for element, name, changes in re.findall(r"^(\S+) (\S+)  \[(.*?)\]  \S", self.listed, re.M):
            faults[element, name] = dict(self.value(change) for change in changes.split(", "))
        return faults

    def value(self, change):
        path, text = change.split(" = ")
        number = re.match(r"[-+.\de]+(?=$| )", text)
        if number:
            return path, float(number[0])
        factor, of = re.fullmatch(r"(?:(\S+)\*)?(\S+)", text).groups()
        return path, float(factor or 1) * self.memory[of]

    def run(self, name, *arguments):
        run = self.call(self.program, "--pace", "free", "--for", "50 ms", "--quiet", "--no-report", "--audit", "off", "--out", name, *arguments)
        assert run.returncode == 0, run.stdout + run.stderr
        return self.folder / name / "signals.csv"

    def last(self, element, fault):
        """The last row of a run under this fault."""
        changes = [f"{path}={value!r}" for path, value in self.faults()[element, fault].items()]
        rows = list(csv.DictReader(self.run(f"{element}-{fault}", *(word for change in changes for word in ("--set", change))).open()))
        return {name.split(" [")[0]: float(value) for name, value in rows[-1].items()}


def near(value, right):
    assert abs(value - right) <= 1e-9 * max(abs(right), 1e-6), (value, right)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.takt, options.work = pathlib.Path(options.takt).resolve(), options.work.resolve()
    plain, named = Plant(options.takt, options.work / "plain", ""), Plant(options.takt, options.work / "named", NAMED)

    # Both list the same, and what a plant cannot have is said with the reason.
    for plant in plain, named:
        there = plant.check.stdout.split("not available:")[0]
        assert set(re.findall(r"^(\S+ \S+)  \[", there, re.M)) == set(re.findall(r"^(\S+ \S+)  \[", plant.listed, re.M)) != set(), there
    assert ("electric.coil", "open") not in plain.faults() and ("electric.coil", "open") in named.faults()
    for line in ("electric.coil open: r is r_coil, which others follow, too; tune r_coil, or write faults",
                 "electric.spare short: r is an expression of other parameters; tune r_coil", "electric.source off: v follows a signal"):
        assert line in plain.check.stdout, (line, plain.check.stdout)
    assert "not available" not in named.check.stdout, named.check.stdout
    assert ("control.ramp", "frozen") in named.faults() and ("control.level", "frozen") not in named.faults()

    report = json.loads(plain.call(options.takt, "check", plain.folder / "lamp", "--json").stdout)
    assert {(each["element"], each["name"]) for each in report["faults"]} == set(plain.faults())
    welded = next(each for each in report["faults"] if (each["element"], each["name"]) == ("electric.main", "stuck_closed"))
    assert welded["changes"] == [{"parameter": "electric.main.r_off", "of": "electric.main.r_on", "factor": 1.0}], welded
    assert {"element": "electric.source", "name": "off"}.items() <= next(
        each for each in report["absent_faults"] if each["name"] == "off").items(), report["absent_faults"]

    told = plain.call(options.takt, "explain", "faults").stdout
    assert re.search(r"^electric\.contactor\n(  .*\n)*  stuck_closed +r_off = r_on +its contacts are welded$", told, re.M), told
    assert re.search(r"^  noise 0\.5 K \[seed 3\] ", told, re.M) and re.search(r"^  frozen +frozen = 1 ", told, re.M), told
    assert "stuck_closed     r_off = r_on\n" in plain.call(options.takt, "explain", "contactor").stdout

    # What is not injected is not there: the same numbers, to the last bit.
    assert plain.run("healthy").read_bytes() == named.run("healthy").read_bytes()

    # Ohm's law. r_on 0.2 mOhm, r_off 10 MOhm.
    near(named.last("electric.main", "stuck_closed")["electric.lamp.i"], 12 / (3 + 0.2e-3))
    near(named.last("electric.lamp", "short")["electric.lamp.i"], 12 / (10e6 + 3e-3))
    near(named.last("electric.switch", "stuck_open")["electric.side.i"], 12 / (10e6 + 1e3))
    near(named.last("electric.switch", "high_resistance")["electric.side.i"], 12 / (1e3 + 20e-3))
    faulty = named.last("electric.coil", "high_resistance")
    near(faulty["electric.coil.i"], 0.2), near(faulty["electric.spare.i"], 1.0)  # the other follower of r_coil stays
    near(named.last("electric.spare", "open")["electric.spare.i"], 12 / 1e9)
    near(named.last("electric.source", "low")["electric.coil.i"], 1.0)  # a signal, halved
    near(named.last("electric.source", "off")["electric.coil.i"], 0.0)

    near(named.last("electric.main", "stuck_open")["control.ramp.out"], 0.05)  # 50 samples of 1 ms, rising by 1/s
    near(named.last("control.ramp", "frozen")["control.ramp.out"], 0.001)      # the first sample, held

    wrong = options.work / "wrong"
    wrong.mkdir()
    (wrong / "plant.toml").write_text(PLANT.format(named='faults = ["electric.lump"]'))
    refused = subprocess.run([options.takt, "build", wrong, "--out", wrong / "build"], capture_output=True, text=True)
    assert refused.returncode == 1 and "plant.toml:3:11: error[M049]" in refused.stderr, (refused.returncode, refused.stderr)
    assert not (wrong / "build" / "bin").exists()
    print(f"{len(named.faults())} faults listed, ten of them set and measured")


if __name__ == "__main__":
    main()
