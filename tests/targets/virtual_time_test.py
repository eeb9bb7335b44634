#!/usr/bin/env python3
"""Real-time logic judged in virtual time: a guest in which time is counted in instructions, so that no load of the host can
delay anything. 60,000 windows of ev with its ECU on vcan0 must hold every deadline; one injected fault of each kind must be
recorded once, in its window, with its cause.

virtual_time_test.py PLANT ECU OUT
"""

import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RUN = HERE.parent.parent / "targets/qemu/run"
FAULTS = {1500: "computed long", 2200: "woken late", 3100: "blocked"}  # as in virtual_time_guest.sh
failures = []


def expect(what, condition, found=""):
    print(("ok   " if condition else "FAIL ") + what + (f": {found}" if found != "" else ""))
    if not condition:
        failures.append(what)


def check_plain(summary):
    expect("60,000 windows of 1 ms are paced", summary["pace"] == "real" and summary["macro_steps"] == 60000
           and summary["macro_step_s"] == 1e-3, summary["macro_steps"])
    overruns = summary["overruns"]
    expect("no overrun, not even in the grace period", overruns["count"] == 0 and overruns["in_grace"] == 0,
           overruns["causes"])
    expect("no period is dropped", overruns["dropped_periods"] == 0)
    expect("wall clock and simulated time agree", abs(summary["wall_s"] - 60.0) < 0.1, summary["wall_s"])
    expect("no recorded row is lost", summary["recording"]["dropped"] == 0)
    expect("ledger closes", summary["ledger_closes"])
    core = summary["cores"][0]
    print(f"     rtf {core['rtf']}, wake-up {core['wakeup_us']}")


def check_faults(summary):
    overruns = summary["overruns"]
    counted = {cause: count for cause, count in overruns["causes"].items() if count}
    expect("every fault is counted once, nothing else", counted == {cause: 1 for cause in FAULTS.values()}, counted)
    found = {incident["macro_step"]: incident["cause"] for incident in overruns["list"]}
    expect("each in its window with its cause", found == FAULTS, found)
    expect("a missed exchange makes the digest void", summary["digest_void"])


def main():
    plant, ecu, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    shutil.rmtree(out, ignore_errors=True)
    status = subprocess.run(
        [RUN, "-V", "1", "-t", "1500", "-k", "can-raw,vcan", "-o", out, "-s",
         "ip link add vcan0 type vcan && ip link set vcan0 up", "--", HERE / "virtual_time_guest.sh", plant, ecu]).returncode
    if status == 77:
        return 77
    expect("both runs end in order", status == 0, status)
    for name, check in (("plain", check_plain), ("faults", check_faults)):
        if (out / f"{name}.json").exists():
            check(json.loads((out / f"{name}.json").read_text()))
        else:
            expect(f"run {name} leaves a summary", False, (out / f"{name}.log").read_text() if (out / f"{name}.log").exists() else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
