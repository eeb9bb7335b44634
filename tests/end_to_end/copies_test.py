#!/usr/bin/env python3
"""Copies of a part that are computed side by side have the bits of copies computed one by one (--one-by-one): with parameters and start values of their
own, in modes of their own, so many that they fill no whole number of registers; tuned, with a fault and a distorted reading in one copy, paced, on two
cores, from a checkpoint of either form, and on other processors (64-bit ARM by qemu-user; levels of x86-64 that this processor lacks are not run).

    copies_test.py --takt build/release/bin/takt --work DIR [--seed 1]"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/bench"))
import scale as bench_scale  # noqa: E402

EMULATOR = "qemu-aarch64-static"
OWN = """param = { w_set = "rad/s", load = "W", t_start = "K", area = "m^2", closed = "1" }"""
FED = """battery = { is = "voltage_source", at = ["p", "gnd"], v = "24 V" }
main   = { is = "contactor", at = ["p", "m"], closed = "closed" }
work   = { is = "power_load", at = ["m", "gnd"], power = "load", v_min = "5 V" }"""
SOLVED = """[solve]
electric = { step = "0.2 ms", method = "rk4" }
mechanical = { step = "0.5 ms", method = "rkc" }
solid = { step = "2 ms", method = "euler" }
fluid = { step = "0.5 ms", method = "heun" }
gas = { step = "0.5 ms", method = "ssprk43" }
[sync]
plant = { members = ["electric", "mechanical", "solid", "fluid", "gas", "control"], every = "2 ms", order = 1 }
[record]
"10 ms" = ["rotational.*.rotor.w"]
"""
# What the cells of tools/bench/scale.py have alike, by copy; more to solve; a plan.
CHANGES = {"[part.cell]\n": f"[part.cell]\n{OWN}\n", "[part.cell.electric]\n": f"[part.cell.electric]\n{FED}\n", 'every = "1 ms"': 'every = "2 ms"',
           "100 rad/s -": "w_set -", 'v = "0.3 l", start = { t = "60 degC" }': 'v = "0.3 l", start = { t = "t_start" }',
           'm = "3 kg", cp = "900 J/kg/K", start = { t = "60 degC" }': 'm = "3 kg", cp = "900 J/kg/K", start = { t = "t_start" }',
           'area = "100 cm^2"': 'area = "area"'}


def plant_of(count, seed):
    """Each copy with values of its own; some with their main contactor open."""
    chance = random.Random(seed)
    line = ('c{k} = {{ of = "cell", at = [], w_set = "{w:.3f} rad/s", load = "{p:.2f} W", t_start = "{t:.3f} degC", area = "{a:.3f} cm^2", closed = "{closed}" }}')
    copies = [line.format(k=k, w=chance.uniform(-120, 150), p=chance.uniform(1, 150), t=chance.uniform(15, 70), a=chance.uniform(50, 150),
                          closed=int(chance.random() < 0.7)) for k in range(count)]
    text = bench_scale.cells(1).partition("[parts]")[0]
    for old, fresh in CHANGES.items():
        assert text.count(old) == 1, old
        text = text.replace(old, fresh)
    return text + "[parts]\n" + "\n".join(copies) + "\n" + SOLVED


class Copies:
    def __init__(self, options):
        self.takt, self.work = options.takt, options.work
        self.work.mkdir(parents=True, exist_ok=True)
        self.plant = self.work / "cells.toml"
        self.plant.write_text(plant_of(7, options.seed))
        self.bad = 0

    def say(self, ok, text):
        self.bad += not ok
        print(f"{'ok  ' if ok else 'FAIL'} {text}", flush=True)

    def built(self, name, *arguments):
        done = subprocess.run([self.takt, "build", self.plant, "--out", self.work / name, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return pathlib.Path(done.stdout.strip().splitlines()[-1])

    def run(self, program, name, *arguments, before=(), duration="400 ms"):
        out = self.work / "runs" / name
        shutil.rmtree(out, ignore_errors=True)
        command = [*before, program, "--quiet", "--no-report", "--audit", "off", "--start", "given", "--out", out, "--for", duration, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return json.loads((out / "summary.json").read_text()), out

    def both(self, program, name, *arguments, **how):
        """The same run in both forms, its digest and everything recorded compared. -> the digest, directory of the bundled one"""
        every = ("--record-states", "4 ms", *arguments)
        side, side_out = self.run(program, f"{name}_side", *every, **how)
        one, one_out = self.run(program, f"{name}_one", *every, "--one-by-one", **how)
        self.say(side["digest"] == one["digest"] and not side["digest_void"], f"{name}: digest {side['digest']} side by side, {one['digest']} one by one")
        same = (side_out / "signals.csv").read_bytes() == (one_out / "signals.csv").read_bytes()
        self.say(same, f"{name}: every state, input and output the same")
        events = [[event for s in summary["subsystems"] for event in s.get("events", [])] for summary in (side, one)]
        self.say(events[0] == events[1], f"{name}: {len(events[1])} events the same")
        return side["digest"], side_out


def is_used(copies, folder):
    """A plant whose code for lanes adds something ends with another digest: the form that is compared is the form that runs."""
    spoilt = copies.work / "spoilt"
    shutil.rmtree(spoilt, ignore_errors=True)
    shutil.copytree(folder, spoilt, ignore=shutil.ignore_patterns("build", "bin", "lock", "sources.txt"))
    sources = sorted(spoilt.glob("*_lanes.cpp"))
    copies.say(len(sources) >= 2, f"code in lanes for {', '.join(source.stem for source in sources)}")
    for source in sources:
        text = source.read_text()
        call = text.index("takt::run_side_by_side<")
        end = text.index(";", call) + 1
        kind = text[call:].split("<")[1].split(",")[0].strip()
        source.write_text(text[:end] + f"\n  reinterpret_cast<{kind}*>(own[0])->x[0] += 1e-9;" + text[end:])
    cache = (folder / "build" / "CMakeCache.txt").read_text().splitlines()
    kept = [f"-D{line}" for line in cache if line.startswith(("takt_DIR", "CMAKE_BUILD_TYPE", "TAKT_", "CMAKE_CXX_COMPILER:", "CMAKE_PREFIX_PATH"))]
    for command in (["cmake", "-G", "Ninja", "-S", spoilt, "-B", spoilt / "build", *kept], ["cmake", "--build", spoilt / "build"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return next((spoilt / "bin").iterdir())


def runtime_of(program):
    """-> folder of the headers that a program was compiled with"""
    (line,) = [line for line in (program.parents[1] / "build/CMakeCache.txt").read_text().splitlines() if line.startswith("takt_DIR")]
    return pathlib.Path(line.partition("=")[2]).parents[2] / "include/takt/runtime"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    copies = Copies(parser.parse_args())
    program = copies.built("here", "--error", "off")
    digest, _ = copies.both(program, "here")

    other = copies.run(is_used(copies, copies.work / "here"), "spoilt")[0]
    copies.say(other["digest"] != digest, "a change of the code in lanes changes the digest")

    acts = ["50 ms: tune electric.c2.smooth.c 5 mF", "60 ms: inject rotational.c4.rotor.w noise 3 rad/s seed 5", "80 ms: tune fluid.c1.jacket.v 0.2 l",
            "100 ms: inject electric.c3.bleed open", "150 ms: override rotational.c5.rotor.w 40 rad/s", "200 ms: checkpoint", "250 ms: clear electric.c3.bleed open"]
    options = [part for act in acts for part in ("--action", act)]
    acted, out = copies.both(program, "acted", *options)
    copies.say(acted != digest, "what was done to single copies had an effect")
    (file,) = out.glob("checkpoint-*.takt")
    for form in ((), ("--one-by-one",)):
        resumed = copies.run(program, "resumed", *options, "--resume", file, *form)[0]
        copies.say(resumed["digest"] == acted, f"resumed {form[0] if form else 'side by side'}: digest {resumed['digest']}")

    paced = copies.run(program, "paced", "--pace", "real", "--late", "any")[0]
    copies.say(paced["digest"] == digest, f"paced: digest {paced['digest']}")
    cores = copies.run(program, "cores", "--cores", "0,1")[0] if len(list(pathlib.Path("/sys/devices/system/cpu").glob("cpu[0-9]*"))) > 1 else None
    copies.say(cores is None or cores["digest"] == digest, "two cores: the same digest" if cores else "one core only: not tried")

    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    targets = [("linux-x86_64-v2", (), "ssse3" in flags), ("linux-x86_64-v3", (), "avx2" in flags), ("linux-x86_64-v4", (), "avx512f" in flags)]
    if shutil.which(EMULATOR) and shutil.which("aarch64-linux-gnu-g++"):
        targets.append(("linux-aarch64", (EMULATOR,), True))
    for target, before, runs in targets:
        there = copies.built(target, "--target", target, "--error", "off")
        if not runs:
            print(f"     {target} is compiled, but not run: this processor lacks it")
            continue
        if before:
            copies.say(not runtime_of(there).is_symlink(), f"{target}: its runtime has headers of its own, not those of the folder that it was compiled in")
        got, _ = copies.both(there, target, before=before)
        copies.say(got == digest, f"{target}: digest {got}")
    return 1 if copies.bad else 0


if __name__ == "__main__":
    sys.exit(main())
