#!/usr/bin/env python3
"""A plant on several cores: the same digest on 1 to 4 threads or in as many processes, free, paced and replayed;
placements saved, given and refused; a process that dies.

    cores_test.py --takt build/release/bin/takt --work DIR"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from built_plants import build, dealt, takt_and_work

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


def runs(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def helper_of(process):
    """The process of worker 1, once its real-time thread is there."""
    for _ in range(1000):
        for helper in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
            if len(os.listdir(f"/proc/{helper}/task")) > 1:  # the keeper of the tap has one thread
                return int(helper)
        time.sleep(0.01)
    sys.exit("no process of worker 1")


def refused(executable, text, *arguments):
    code, _, error = run(executable, "--no-results", "--for", "1 s", *arguments)
    check(code == 2 and text in error, f"{' '.join(arguments)}: {error.strip() or 'not refused'}")


def main():
    takt, work = takt_and_work()
    if len(os.sched_getaffinity(0)) < 2:
        print("skipped: this machine has one CPU")
        return 77
    cpus = sorted(os.sched_getaffinity(0))[:2]
    two = f"{cpus[0]},{cpus[1]}"
    bev, rc, slow = build(takt, work, "bev"), build(takt, work, "rc"), build(takt, work, "slow", SLOW)

    _, one, _ = run(bev, "--pace", "free", "--for", "20 s", "--out", str(work / "one"))
    names = [subsystem["name"] for subsystem in one["subsystems"]]

    def placed(workers):
        return dealt(names, workers, work / f"dealt_{workers}.csv")

    three, four = f"{two},{cpus[0]}", f"{two},{two}"
    for cores, workers, *apart in ((two, 2), (three, 3), (four, 4), (two, 2, "--processes"), (four, 4, "--processes")):
        out = work / f"{workers}{''.join(apart)}"
        code, more, error = run(bev, "--pace", "free", "--for", "20 s", "--out", str(out), "--cores", cores, "--placement", str(placed(workers)), *apart)
        used = more["concurrency"]
        check(code == 0 and more["digest"] == one["digest"], f"--cores {cores} {' '.join(apart)}: the same digest by {used['cores_used']} workers {error}")
        check(used["cores_used"] == workers and used["placement_given"] and used["bound_s"] <= used["work_s"], "  as was given")
        check(len(more["cores"]) == workers and all(core["busy_s"] > 0 for core in more["cores"]), "  every core did something")
        same = all(a["energy"] == b["energy"] for a, b in zip(one["subsystems"], more["subsystems"]))
        check(same and more["ledger_closes"], "  the same energies, and the ledger closes")
        recorded = [file.name for file in (work / "one").iterdir() if file.suffix == ".csv" and file.name not in ("inputs.csv", "placement.csv")]
        same = all((work / "one" / name).read_bytes() == (out / name).read_bytes() for name in recorded)
        check(recorded and same, f"  the same recordings: {', '.join(recorded)}")
        check((out / "placement.csv").read_text() == placed(workers).read_text(), "  the placement is saved as it was given")
    _, more, _ = run(bev, "--pace", "free", "--for", "20 s", "--out", str(work / "found"), "--cores", two)
    used = more["concurrency"]
    check(more["digest"] == one["digest"], f"the same digest by a placement that was found, with {used['cores_used']} workers")
    check(used["cores_used"] == 1 or used["bound_s"] <= used["planned_s"] <= used["work_s"], f"  planned {used['planned_s']:.3g} s of {used['work_s']:.3g} s, bound {used['bound_s']:.3g} s")

    saved = placed(2)
    for apart in ((), ("--processes",)):
        out = work / f"paced{''.join(apart)}"
        code, paced, error = run(bev, "--pace", "real", "--late", "any", "--for", "2 s", "--cores", two, "--placement", str(saved), "--out", str(out), *apart)
        _, replayed, _ = run(bev, "--replay", str(out), "--no-results")
        check(code == 0 and paced["digest"] == replayed["digest"] and paced["concurrency"]["cores_used"] == 2, f"paced on two cores {' '.join(apart)}, replayed on one: equal {error}")
        check(all(core["wakeup_us"]["max"] > 0 for core in paced["cores"]), "  both cores have slept and were woken")

    for pace, last in (("free", signal.SIGKILL), ("real", signal.SIGSEGV)):
        started = subprocess.Popen([bev, "--pace", pace, "--late", "any", "--for", "1000000 s", "--json", "--quiet", "--no-results", "--cores", two, "--placement", str(saved), "--processes"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        helper = helper_of(started.pid)
        time.sleep(0.2)  # it computes
        os.kill(helper, last)
        output, error = started.communicate(timeout=100)
        summary = json.loads(output)
        check(started.returncode == 1 and f"the process of worker 1 was ended by a signal ({signal.strsignal(last)})" in summary["stopped_because"], f"{pace}: {summary['stopped_because']} {error}")
    started = subprocess.Popen([bev, "--pace", "free", "--for", "1000000 s", "--quiet", "--no-results", "--cores", two, "--placement", str(saved), "--processes"], stdout=subprocess.DEVNULL)
    helper = helper_of(started.pid)
    started.kill()
    started.wait()
    for _ in range(1000):
        if not runs(helper):
            break
        time.sleep(0.01)
    check(not runs(helper), "no process is left when the first one is killed")

    _, small, _ = run(rc, "--pace", "free", "--cores", two, "--no-results")
    check(small["concurrency"]["cores_used"] == 1 and small["concurrency"]["cores_asked"] == 2, "a small plant stays on one core")

    _, free, _ = run(slow, "--pace", "free", "--no-results")
    for where in (("--cpu", str(cpus[1])), ("--cores", two)):
        code, paced, error = run(slow, "--pace", "real", "--late", "any", "--no-results", *where)
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
    refused(bev, "--processes needs several cores", "--processes")
    refused(bev, "every core is given once", "--pace", "real", "--cores", f"{cpus[0]},{cpus[0]}")
    refused(bev, "there is no CPU 999", "--cores", f"999,{cpus[0]}")
    refused(bev, "expected CPUs", "--cores", "one,two")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
