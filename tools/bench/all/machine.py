"""Programs run on one CPU, what they cost, and what machine that was."""

import contextlib
import datetime
import json
import os
import pathlib
import platform
import random
import re
import resource
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Failed(Exception):
    """A program that is measured, or built, has failed: what the user reads."""


def output_of(command, **settings):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **settings)
    except OSError as error:
        raise Failed(f"{command[0]} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired as error:
        raise Failed(f"{' '.join(map(str, command))} was not done in {error.timeout:g} s") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(str(word) for word in command)} ended with {done.returncode}:\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
    return done.stdout


class Cpu:
    """Where measured programs run: one after another on one CPU, under SCHED_FIFO where that is allowed, and each from a new copy."""

    PATIENCE_S = 60  # for a run, which should take a tenth of a second: others wait for the CPU
    COPIES = 8  # of earlier runs, kept so that new ones come to lie elsewhere

    def __init__(self, number, folder):
        self.number, self.folder = number, folder / "copies"
        self.policy = (os.SCHED_FIFO, os.sched_param(50))
        try:
            with self.claimed():
                pass
        except PermissionError:
            self.policy = None
        self.scheduling = f"{'SCHED_FIFO 50' if self.policy else 'SCHED_OTHER'} on CPU {number}"

    @contextlib.contextmanager
    def claimed(self):
        """What this process starts inside inherits CPU and priority."""
        cpus, policy = os.sched_getaffinity(0), (os.sched_getscheduler(0), os.sched_getparam(0))
        os.sched_setaffinity(0, {self.number})
        try:
            if self.policy:
                os.sched_setscheduler(0, *self.policy)
            yield
        finally:
            os.sched_setscheduler(0, *policy)
            os.sched_setaffinity(0, cpus)

    def run(self, executable, *arguments):
        with self.claimed():
            return output_of([self.placed(executable), *arguments], timeout=self.PATIENCE_S)

    def placed(self, executable):
        """A new copy. Which pages of memory a program lies in decides what it displaces in the caches, and so a percent or two of its
        time: from one file all runs would have the same luck. All paths have the same length, which is part of the stack."""
        target = self.folder / str(random.randrange(self.COPIES)) / "program"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy(executable, target)
        return target

    def seconds(self, command, **settings):
        """CPU time of a command and what it starts. Not at the priority of the plants: a compiler would keep the CPU for long."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output_of(["taskset", "-c", str(self.number), *command], **settings)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


FREE = ("--pace", "free", "--audit", "off", "--quiet", "--json")


class Plant:
    """A built plant. A unit of its work is what it computes for `per` of simulated time."""

    def __init__(self, cpu, executable, times, options=()):
        """`times`: simulated seconds of a run, and of a unit"""
        self.cpu, self.executable, self.options, self.digest = cpu, executable, options, None
        self.duration_s, self.per_s = times

    def summary(self, *options):
        return json.loads(self.cpu.run(self.executable, *FREE, "--for", f"{self.duration_s:g} s", *self.options, *options))

    def ns(self, *options, of="busy_s"):
        """Of a unit."""
        summary = self.summary(*(options or ("--no-results",)))
        self.digest = summary["digest"]
        return summary[of] * 1e9 / (summary["simulated_s"] / self.per_s)

    def executive_ns(self):
        return self.summary("--no-results")["executive_ns_per_window"]

    def instructions(self):
        """Of a unit: those of the executive's loop in a long run less those in a short one, from the given start values, because a steady
        start takes longer under callgrind than both."""
        short, long = (counted(LOOP, self.executable, *FREE, "--no-results", "--start", "given", "--for", f"{share * self.duration_s:g} s") for share in (0.02, 0.06))
        simulated_s = json.loads(long[1])["simulated_s"] - json.loads(short[1])["simulated_s"]
        if simulated_s <= 0:
            raise Failed(f"{self.executable} stopped under callgrind: {long[1][-1500:]}")
        return (long[0] - short[0]) / (simulated_s / self.per_s)


LOOP = "takt::Executive::run()"


def counted(function, *command):
    """(instructions inside of a function by callgrind, what the command printed)"""
    options = ["--collect-atstart=no", f"--toggle-collect={function}", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(["valgrind", "--tool=callgrind", *options, *map(str, command)], capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode not in (0, 1) or not collected:  # 1: the results are not to be trusted, which does not matter here
        raise Failed(f"callgrind of {command[0]} ended with {done.returncode}:\n{done.stderr[-1500:]}")
    if int(collected.group(1)) == 0:
        raise Failed(f"callgrind has found no function {function} in {command[0]}")
    return int(collected.group(1)), done.stdout


BY_HAND = ROOT / "tools/bench/inverter_by_hand"
COMPILE_HAND = ["g++", "-std=c++20", "-O3", *(["-march=x86-64-v2"] if platform.machine() == "x86_64" else []), "-ffp-contract=off"]


class ByHand:
    """A kernel of tools/bench/inverter_by_hand, which has no other use than to be measured: the time of `by_hand` stands for the machine's speed, too."""

    def __init__(self, cpu, folder, steps, kernel="by_hand"):
        self.cpu, self.executable, self.steps = cpu, folder / kernel, steps
        output_of([*COMPILE_HAND, BY_HAND / f"{kernel}.cpp", "-o", self.executable])

    def ns(self):
        """Of a step of 1 us."""
        return float(re.search(r"([\d.]+) ns a step", self.cpu.run(self.executable, str(self.steps))).group(1))

    def instructions(self):
        return (counted("main", self.executable, "60000")[0] - counted("main", self.executable, "20000")[0]) / 40000


def git(*words):
    """Empty where this is no repository."""
    try:
        return output_of(["git", "-C", ROOT, *words]).strip()
    except Failed:
        return ""


def load():
    return [round(value, 2) for value in os.getloadavg()]


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def cpu_model():
    found = re.search(r"(?m)^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text())
    return found.group(1) if found else platform.machine()


def description(cpu, takt):
    """What stands in the file of a run beside its figures."""
    return {"started": now(), "machine": platform.node(), "cpu": cpu_model(), "cpus": os.cpu_count(), "kernel": f"{platform.system()} {platform.release()}",
            "scheduling": cpu.scheduling, "load_before": load(), "commit": git("rev-parse", "HEAD"), "dirty": bool(git("status", "--porcelain")),
            "subject": git("log", "-1", "--format=%s"), "compiler": output_of(["g++", "--version"]).splitlines()[0], "takt": output_of([takt, "--version"]).strip()}
