#!/usr/bin/env python3
"""hints_test.py TAKT OUT: what `takt host` advises, tried in guests. Each setting is made wrong, then right: the hint appears and vanishes. The
wake-up latency is measured for both and printed, never judged: guests are emulated.

One CPU in virtual time, where that suffices: time is counted in instructions, so that what the guest's kernel and programs do to one another is all
that delays. Two CPUs are emulated by two threads of this machine, which delay each other by milliseconds: of three runs each the median is told."""

import json
import pathlib
import shutil
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VIRTUAL, TWO = ["-V", "3"], []
ISOLATED = "isolcpus=domain,managed_irq,1 rcu_nocbs=1"
INTEL = "-cpu max,vendor=GenuineIntel -smp 2,threads=2"  # QEMU shows two threads of a core on that one

# options of the guest, CPU of the plant, rounds, cases
BOOTS = [
    (VIRTUAL + ["-k", "zram"], 0, 1, ["kernel_on", "clock_on", "fifo_off", "fifo_on", "memory_off", "memory_on", "throttling_off", "throttling_on", "sleep_none", "sleep_off", "sleep_on",
                                      "governor_off", "governor_on", "large_pages_off", "large_pages_on", "swap_on", "swap_off"]),
    (VIRTUAL + ["-p"], 0, 1, ["kernel_off"]),
    (VIRTUAL + ["-a", "clocksource=hpet"], 0, 1, ["clock_off"]),
    (TWO, 1, 3, ["machine_off", "isolated_off", "interrupts_off", "interrupts_by_hand"]),
    (TWO + ["-a", ISOLATED], 1, 3, ["isolated_on"]),
    (TWO + ["-a", ISOLATED + " nohz_full=1"], 1, 3, ["timers_off", "timers_on"]),
    (TWO + ["-a", "irqaffinity=0"], 1, 3, ["interrupts_on"]),
    (TWO + ["-a", "tsc=reliable", "-q", "-cpu max,-hypervisor"], 1, 3, ["machine_on"]),
    (TWO + ["-q", INTEL], 0, 3, ["siblings_off", "siblings_on"]),
]

FILES_ONLY = {"sleep_off", "governor_off"}  # a guest has neither; files are laid over those of the kernel
NO_LATENCY = {"machine_off", "siblings_off"}  # nothing of it can be seen where processors are emulated

# setting, item of `takt host` (empty: not advised), case without it, case with it
ROWS = [
    ("PREEMPT_RT in place of the plain kernel", "kernel", "kernel_off", "kernel_on"),
    ("SCHED_FIFO permitted", "SCHED_FIFO 80", "fifo_off", "fifo_on"),
    ("locked memory permitted", "locked memory", "memory_off", "memory_on"),
    ("kernel.sched_rt_runtime_us = -1", "real-time throttling", "throttling_off", "throttling_on"),
    ("clocksource tsc, not hpet", "clock source", "clock_off", "clock_on"),
    ("/dev/cpu_dma_latency may be opened", "CPU sleep states", "sleep_off", "sleep_on"),
    ("governor performance", "frequency governor", "governor_off", "governor_on"),
    (ISOLATED, "isolated CPUs", "isolated_off", "isolated_on"),
    ("irqaffinity=0", "interrupts", "interrupts_off", "interrupts_on"),
    ("0 to /proc/irq/*/smp_affinity_list", "interrupts", "interrupts_off", "interrupts_by_hand"),
    ("kernel.timer_migration = 0 under nohz_full=1", "timers", "timers_off", "timers_on"),
    ("tsc=reliable", "clock source", "machine_off", "machine_on"),
    ("no virtual machine to be seen", "virtual machine", "machine_off", "machine_on"),
    ("the core's second thread off", "hyper-threading", "siblings_off", "siblings_on"),
    ("large pages never, not always", "", "large_pages_off", "large_pages_on"),
    ("no swap, not swap on zram, memory locked", "", "swap_off", "swap_on"),
]
failures = []


def expect(what, condition, found=""):
    if not condition:
        print(f"FAIL {what}: {found}", flush=True)
        failures.append(what)


def runs(out, case, rounds):
    """Summaries of a case, with the interrupts meanwhile."""
    found = []
    for round in range(1, rounds + 1):
        text = (out / f"{case}.{round}.json").read_text()
        if not text.startswith("{"):
            raise RuntimeError(f"{case}: {(out / f'{case}.{round}.err').read_text()}")
        found.append((json.loads(text), [int(count) for count in (out / f"{case}.{round}.interrupts").read_text().split()]))
    return found


def hints(case_runs):
    """Items that the audit finds poor, in each of the runs alike."""
    found = [{row["item"]: row["value"] for row in summary["host"] if not row["good"]} for summary, _ in case_runs]
    assert all(each.keys() == found[0].keys() for each in found), found
    return found[0]


def latency(case_runs):
    core = [summary["cores"][0] for summary, _ in case_runs]
    p50, p99, worst = (statistics.median(each["wakeup_us"][part] for each in core) for part in ("p50", "p99", "max"))
    return f"{p50:.0f} / {p99:.0f} / {worst:.0f}"


def counted(case_runs):
    return " / ".join(str(int(statistics.median(count[part] for _, count in case_runs))) for part in (0, 1))


def main():
    takt, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    for tool in ("hackbench", "setpriv", "chrt"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed (tools/install_packages.sh guest)")
            return 77
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    built = subprocess.run([takt, "build", ROOT / "config/plants/rc", "--error", "off", "--out", out / "plant"], stdout=subprocess.PIPE, text=True, check=True)
    cases, virtual = {}, set()
    for options, cpu, rounds, names in BOOTS:
        done = subprocess.run([ROOT / "targets/qemu/run", *options, "-t", "1200", "-o", out / "seen", "--", HERE / "hints_guest.sh", built.stdout.strip(), str(cpu), str(rounds), *names])
        if done.returncode == 77:
            return 77
        expect(f"the guest with {options} ends in order", done.returncode == 0, done.returncode)
        for name in names:
            cases[name] = runs(out / "seen", name, rounds)
            if options[:1] == VIRTUAL[:1]:
                virtual.add(name)
    print("| setting | hint | without: p50 / p99 / max, us | with it | device / timer interrupts on the plant's CPU, without | with it |\n| --- | --- | --- | --- | --- | --- |")
    for setting, item, off, on in ROWS:
        if item:
            expect(f"{setting}: the hint appears without it", item in hints(cases[off]), hints(cases[off]))
            expect(f"{setting}: it vanishes with it", item not in hints(cases[on]), hints(cases[on]))
        if off in FILES_ONLY | NO_LATENCY:
            print(f"| {setting} | {item} | {'not there, files laid over' if off in FILES_ONLY else 'not to be seen'} | - | | |", flush=True)
            continue
        counts = " | " if off in virtual else f"{counted(cases[off])} | {counted(cases[on])}"
        print(f"| {setting} | {item or '-'} | {latency(cases[off])} | {latency(cases[on])} | {counts} |", flush=True)
    expect("where the kernel has no sleep states, nothing is said of them", "CPU sleep states" not in hints(cases["sleep_none"]), hints(cases["sleep_none"]))
    first = cases["kernel_on"][0][0]["origin"]
    print(f"{first['kernel']}, {first.get('cpu', '')}; {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
