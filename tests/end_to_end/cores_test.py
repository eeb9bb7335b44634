#!/usr/bin/env python3
"""A plant on several cores: the same digest on 1 to 4 threads, free, paced and replayed; placements saved, given and refused.

    cores_test.py --takt build/release/bin/takt --work DIR"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

PLANTS = pathlib.Path(__file__).resolve().parents[2] / "config/plants"
# A window of 100 ms that takes some milliseconds, among releases every millisecond; both extrapolate.
SLOW = """[plant]
title    = "A circuit every millisecond, walls every 100 ms"
duration = "2 s"
error    = "off"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time)" }
r      = { is = "resistor", at = ["in", "out"], r = "100 Ohm*(1 + 0.003 1/K*(solid.body[0].t - 300 K))", heat = "solid.body[0]" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "100 uF" }
[solid]
body = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "300 K" }, n = 40 }
link = { is = "heat_transfer", at = ["body[i]", "body[i+1]"], c = "0.5 W/K", n = 39 }
[solve]
electric = { step = "100 us", method = "rk4" }
solid    = { step = "2 us", method = "rk4" }
[sync]
fast  = { members = ["electric"], every = "1 ms" }
slow  = { members = ["fast", "solid"], every = "100 ms", scheme = "decoupled" }
[record]
"100 ms" = ["electric.c.v", "solid.body[0].t"]
"""
failures = []


def check(holds, text):
    print(("ok    " if holds else "FAIL  ") + text, flush=True)
    if not holds:
        failures.append(text)


def run(executable, *arguments):
    done = subprocess.run([str(executable), "--json", "--quiet", "--audit", "off", *arguments], capture_output=True, text=True, timeout=300)
    try:
        return done.returncode, json.loads(done.stdout), done.stderr
    except json.JSONDecodeError:
        return done.returncode, {}, done.stderr


def refused(executable, text, *arguments):
    code, _, error = run(executable, "--no-results", "--for", "1 s", *arguments)
    check(code == 2 and text in error, f"{' '.join(arguments)}: {error.strip() or 'not refused'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    if len(os.sched_getaffinity(0)) < 2:
        print("skipped: this machine has one CPU")
        return 77
    work = arguments.work
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    cpus = sorted(os.sched_getaffinity(0))[:2]
    two = f"{cpus[0]},{cpus[1]}"
    executables = {}
    (work / "slow_plant").mkdir()
    (work / "slow_plant/plant.toml").write_text(SLOW)
    for name in ("bev", "rc", "slow"):
        built = subprocess.run([arguments.takt, "build", work / "slow_plant" if name == "slow" else PLANTS / name, "--out", work / name], capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(built.stderr)
        executables[name] = built.stdout.strip().splitlines()[-1]
    bev, rc = executables["bev"], executables["rc"]

    _, one, _ = run(bev, "--pace", "free", "--for", "20 s", "--out", str(work / "one"))
    names = [subsystem["name"] for subsystem in one["subsystems"]]

    def dealt(workers):
        """A placement that is bad on purpose: every chain crosses."""
        file = work / f"dealt_{workers}.csv"
        file.write_text("# takt placement 1\nsubsystem,worker\n" + "".join(f"{name},{i % workers}\n" for i, name in enumerate(names)))
        return file

    for cores, workers in ((two, 2), (f"{two},{cpus[0]}", 3), (f"{two},{two}", 4)):
        out = work / str(workers)
        code, more, error = run(bev, "--pace", "free", "--for", "20 s", "--out", str(out), "--cores", cores, "--placement", str(dealt(workers)))
        used = more["concurrency"]
        check(code == 0 and more["digest"] == one["digest"], f"--cores {cores}: the same digest by {used['cores_used']} workers {error}")
        check(used["cores_used"] == workers and used["placement_given"] and used["bound_s"] <= used["work_s"], "  as was given")
        check(len(more["cores"]) == workers and all(core["busy_s"] > 0 for core in more["cores"]), "  every core did something")
        same = all(a["energy"] == b["energy"] for a, b in zip(one["subsystems"], more["subsystems"]))
        check(same and more["ledger_closes"], "  the same energies, and the ledger closes")
        recorded = [file.name for file in (work / "one").iterdir() if file.suffix == ".csv" and file.name not in ("inputs.csv", "placement.csv")]
        same = all((work / "one" / name).read_bytes() == (out / name).read_bytes() for name in recorded)
        check(recorded and same, f"  the same recordings: {', '.join(recorded)}")
        check((out / "placement.csv").read_text() == dealt(workers).read_text(), "  the placement is saved as it was given")
    _, more, _ = run(bev, "--pace", "free", "--for", "20 s", "--out", str(work / "found"), "--cores", two)
    used = more["concurrency"]
    check(more["digest"] == one["digest"], f"the same digest by a placement that was found, with {used['cores_used']} workers")
    check(used["cores_used"] == 1 or used["bound_s"] <= used["planned_s"] <= used["work_s"], f"  planned {used['planned_s']:.3g} s of {used['work_s']:.3g} s, bound {used['bound_s']:.3g} s")

    saved = dealt(2)
    code, paced, error = run(bev, "--pace", "real", "--for", "2 s", "--cores", two, "--placement", str(saved), "--out", str(work / "paced"))
    _, replayed, _ = run(bev, "--replay", str(work / "paced"), "--out", str(work / "replayed"))
    check(code == 0 and paced["digest"] == replayed["digest"] and paced["concurrency"]["cores_used"] == 2, f"paced on two cores, replayed on one: equal {error}")
    check(all(core["wakeup_us"]["max"] > 0 for core in paced["cores"]), "both cores have slept and were woken")

    _, small, _ = run(rc, "--pace", "free", "--cores", two, "--no-results")
    check(small["concurrency"]["cores_used"] == 1 and small["concurrency"]["cores_asked"] == 2, "a small plant stays on one core")

    slow = executables["slow"]
    _, free, _ = run(slow, "--pace", "free", "--no-results")
    for where in (("--cpu", str(cpus[1])), ("--cores", two)):
        code, paced, error = run(slow, "--pace", "real", "--no-results", *where)
        check(code == 0 and paced["digest"] == free["digest"], f"{' '.join(where)}: a long window below the short ones, the same digest {error}")
        check([core["below"] for core in paced["cores"]] in ([0, 1], [0, 0]) and len(free["cores"]) == 1, "  in a thread of its own where it is paced, and only there")

    lines = saved.read_text().splitlines()
    for text, content in (("has no subsystem", lines + ["nobody,0"]), ("stands here twice", lines + [lines[-1]]), ("is missing", lines[:-1]),
                          ("expected 0 to 1", lines[:-1] + [lines[-1].rsplit(",", 1)[0] + ",2"]), ("not a placement file", ["a", *lines[1:]]),
                          ("without gaps", lines[:2] + [line.rsplit(",", 1)[0] + ",1" for line in lines[2:]])):
        wrong = work / "wrong.csv"
        wrong.write_text("\n".join(content) + "\n")
        refused(bev, text, "--cores", two, "--placement", str(wrong))
    refused(bev, "--placement needs several cores", "--placement", str(saved))
    refused(bev, "every core is given once", "--pace", "real", "--cores", f"{cpus[0]},{cpus[0]}")
    refused(bev, "there is no CPU 999", "--cores", f"999,{cpus[0]}")
    refused(bev, "expected CPUs", "--cores", "one,two")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
