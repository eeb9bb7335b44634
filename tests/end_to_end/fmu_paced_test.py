#!/usr/bin/env python3
"""FMUs in paced runs and on several cores: the same values as in a free run, or a result that says it is not to be trusted; hosts that
are killed, stopped, slow. No timing is asserted: windows are long, and where the machine was late all the same, the run must say so."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from built_plants import takt_and_work
from compiled_fmus import HERE, compile_lag, signals

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "", flush=True)


compile_lag(work / "lag.fmu")


def plant(name, *changes):
    """Two FMUs beside a wall; H = 20 ms, so that a machine has time."""
    folder = work / name
    folder.mkdir()
    shutil.copy(work / "lag.fmu", folder)
    text = (HERE / "fmu_plant/plant.toml").read_text()
    for old, new in (('duration = "200 ms"', 'duration = "1 s"'), ('every = "2 ms"', 'every = "20 ms"'), ('"2 ms" =', '"20 ms" ='), ('step = "1 ms", inputs', 'step = "10 ms", inputs'),
                     ("[solve]", 'second = { file = "lag.fmu", step = "20 ms", inputs = { u = "fmu.lag.t" }, outputs = { t = "heat.Y" }, parameters = { y0 = "310 K" } }\n\n[solve]'),
                     ('tau = "20 ms"', 'tau = "200 ms"'), *changes):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "plant.toml").write_text(text)
    return folder


def start(folder, *arguments, out):
    return subprocess.Popen([takt, "run", folder, "--build-dir", work / "build" / folder.name, "--out", folder / out, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(folder, *arguments, out):
    started = start(folder, *arguments, out=out)
    said = started.communicate()[0]
    return started.returncode, said


def summary(folder, out):
    return json.loads((folder / out / "summary.json").read_text())


def says_it_was_late(folder, out, code, said):
    """What a run must say whose FMU was late."""
    found = summary(folder, out)
    late = sum(fmu["late"] for fmu in found["fmus"])
    return late > 0 and found["digest_void"] and code == 1 and "X041" in said and not found["trusted"]


def same_as_free(what, folder, *arguments, out):
    """A machine that is late by itself says nothing of this: it is asked again, and what could not be compared is said."""
    digest = summary(folder, "free")["digest"]
    for attempt in range(6):
        code, said = run(folder, *arguments, out=f"{out}_{attempt}")
        found = summary(folder, f"{out}_{attempt}")
        if not found["digest_void"]:
            return expect(what, code == 0 and found["digest"] == digest and all(fmu["late"] == 0 for fmu in found["fmus"]), said)
        expect(f"{what}: late, and it says so", says_it_was_late(folder, f"{out}_{attempt}", code, said), said)
    print(f"NOT COMPARED {what}: this machine was late six times, and each run said so")


cpus = sorted(os.sched_getaffinity(0))
sound = plant("sound")
code, said = run(sound, "--pace", "free", out="free")
expect("a free run", code == 0, said)
same_as_free("paced: the digest of the free run", sound, "--pace", "real", "--late", "any", out="paced")
same_as_free("paced, all on one CPU", sound, "--pace", "real", "--late", "any", "--cpu", str(cpus[0]), "--fmu-cpus", str(cpus[0]), out="one")
found = summary(sound, "paced_0")["fmus"]
expect("the summary tells of both", [fmu["name"] for fmu in found] == ["fmu.lag", "fmu.second"] and all(fmu["call_us"]["max"] > 0 for fmu in found), found)
if len(cpus) > 1:
    two = ("--cores", f"{cpus[0]},{cpus[1]}")
    same_as_free("free, two cores", sound, "--pace", "free", *two, out="cores")
    same_as_free("free, two processes", sound, "--pace", "free", *two, "--processes", out="processes")
    same_as_free("paced, two cores", sound, "--pace", "real", "--late", "any", *two, out="paced_cores")

# lag = 0: within the windows of the others.
turns = plant("turns", ('step = "10 ms", inputs', 'lag = 0, step = "10 ms", inputs'))
code, said = run(turns, "--pace", "free", out="free")
expect("lag 0: other values", code == 0 and summary(turns, "free")["digest"] != summary(sound, "free")["digest"], said)
if len(cpus) > 1:
    same_as_free("lag 0, paced", turns, "--pace", "real", "--late", "any", "--cpu", str(cpus[0]), "--fmu-cpus", str(cpus[1]), out="paced")
code, said = run(turns, "--pace", "real", "--late", "any", "--cpu", str(cpus[0]), "--fmu-cpus", str(cpus[0]), out="refused")
expect("lag 0 on the plant's own CPU is refused by name", code == 2 and "fmu.lag" in said and "lag = 1" in said, (code, said))
code, said = run(sound, "--pace", "real", "--late", "any", "--fmu-cpus", "4000", out="refused")
expect("a CPU that is not there", code == 2 and "there is no CPU 4000" in said, (code, said))


def begun(pid):
    """Their keepers are begun one after the other, they themselves by these, in any order."""
    return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]), int(pid)


def host_of(folder, number):
    """The process of an FMU; in the order in which they were begun."""
    for _ in range(100):
        found = subprocess.run(["pgrep", "-f", f"^takt-fmu-host .*{folder.name}/"], capture_output=True, text=True).stdout.split()
        if len(found) == 2:
            return int(sorted(found, key=begun)[number])
        time.sleep(0.05)
    raise RuntimeError("no host")


def disturbed(folder, act, out, seconds="5 s"):
    """A paced run; act(pid of the host of fmu.lag) once it is under way."""
    started = start(folder, "--pace", "real", "--late", "any", "--for", seconds, out=out)
    pid = host_of(folder, 0)
    for _ in range(200):
        if (folder / out).exists():
            break
        time.sleep(0.05)
    time.sleep(1.5)
    act(pid)
    said = started.communicate()[0]
    return started.returncode, said


held = plant("held", ('step = "10 ms", inputs', 'on_error = "hold", step = "10 ms", inputs'))
run(held, "--pace", "free", out="free")
code, said = disturbed(held, lambda pid: os.kill(pid, signal.SIGKILL), "killed")
got = signals(held / "killed")
expect("killed, hold: the plant goes on to its end", got["time"][-1] == 5.0 and len(set(got["fmu.lag.t"][-20:])) == 1, said)
expect("killed, hold: and says what happened", code == 1 and "X040" in said and "ended by a signal" in said, said)
answers = [fmu["answers"] for fmu in summary(held, "killed")["fmus"]]
expect("killed, hold: the other FMU goes on", answers[0] < 500 and answers[1] >= 245, answers)
stopping = plant("stopping")
code, said = disturbed(stopping, lambda pid: os.kill(pid, signal.SIGKILL), "killed")
expect("killed, stop: the run ends there", code == 1 and "ended by a signal" in said and summary(stopping, "killed")["simulated_s"] < 5.0, said)


def pause(pid):
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.5)
    os.kill(pid, signal.SIGCONT)


code, said = disturbed(stopping, pause, "paused")
found, got = summary(stopping, "paused"), signals(stopping / "paused")
expect("stopped for a while: late, and said so", says_it_was_late(stopping, "paused", code, said) and found["fmus"][0]["late"] >= 10, said)
expect("stopped for a while: the plant goes on to its end", found["simulated_s"] == 5.0, said)
expect("stopped for a while: the FMU has caught up", got["fmu.lag.steps"][-1] >= 495, got["fmu.lag.steps"][-5:])

# An FMU that is slow for a while, and one that takes ever more memory.
slow = plant("slow", ('fault = "0"', 'fault = "6"'), ('every = "20 ms"', 'every = "2 ms"'), ('step = "10 ms", inputs', 'step = "1 ms", inputs'), ('"20 ms" = ', '"2 ms" = '), ('step = "20 ms", inputs', 'step = "2 ms", inputs'))
code, said = run(slow, "--pace", "real", "--late", "any", out="paced")
expect("5 ms for a step of 1 ms: late", says_it_was_late(slow, "paced", code, said), said)
expect("5 ms for a step of 1 ms: it catches up", signals(slow / "paced")["fmu.lag.steps"][-1] >= 990, signals(slow / "paced")["fmu.lag.steps"][-3:])
# One that never keeps up: what comes is late, and is taken all the same.
never = plant("never", ('fault = "0"', 'fault = "8"'), ('every = "20 ms"', 'every = "2 ms"'), ('step = "10 ms", inputs', 'step = "2 ms", inputs'), ('"20 ms" = ', '"2 ms" = '), ('step = "20 ms", inputs', 'step = "2 ms", inputs'))
code, said = run(never, "--pace", "real", "--late", "any", out="paced")
steps = signals(never / "paced")["fmu.lag.steps"]
expect("3 ms for a step of 2 ms: late", says_it_was_late(never, "paced", code, said), said)
expect("3 ms for a step of 2 ms: what has come is seen", len(set(steps)) > 4 and steps[-1] < 500, (sorted(set(steps))[:9], steps[-1]))
hungry = plant("hungry", ('fault = "0"', 'fault = "7"'))
run(hungry, "--pace", "free", out="free")
same_as_free("1 MB more in each step", hungry, "--pace", "real", "--late", "any", out="paced")
crash = plant("crash", ('fault = "0"', 'fault = "2"'))
code, said = run(crash, "--pace", "real", "--late", "any", out="paced")
expect("a crash: the run ends there, by name", code == 1 and "crashed" in said and summary(crash, "paced")["simulated_s"] < 1.0, said)
left = subprocess.run(["pgrep", "-f", f"takt-fmu-host.*{work}"], capture_output=True, text=True).stdout
expect("no host process stays", left == "", left)
for name, code, old, new in (("lag", "Y111", 'step = "10 ms", inputs', 'lag = 2, step = "10 ms", inputs'),):
    done = subprocess.run([takt, "check", plant("wrong_" + name, (old, new))], capture_output=True, text=True)
    expect(f"{name}: {code} with its line", done.returncode == 1 and f"error[{code}]" in done.stderr and "plant.toml:" in done.stderr, done.stderr)

print(f"{failures} failures")
sys.exit(failures > 0)
