#!/usr/bin/env python3
"""What an ECU receives, frame by frame, from a plant whose block becomes unsolved and from one whose value is no number any more.

    trust_bus_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import json
import math
import pathlib
import subprocess
import sys
import time

from built_plants import build_with_rig, takt_and_work
from can_client import can, connect, free_port

try:
    import cantools
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).parent / "trust" / "bus"
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


def frames_of(program, name, options, work):
    """Every frame until the plant ends, and how it ended."""
    database = cantools.database.load_file(FOLDER / "plant.dbc")
    port = free_port()
    plant = subprocess.Popen([program, "--quiet", "--out", work / name, "--bus", f"can0.port={port}", *options], stdout=subprocess.PIPE, text=True)
    frames = []
    with connect(port) as bus:
        while True:
            try:
                message = bus.recv(0.2)
            except (OSError, can.CanError):
                break  # the plant has closed the bus
            if message is None:
                if plant.poll() is not None:
                    break
                continue
            frames.append(database.decode_message(message.arbitration_id, message.data))
    printed = plant.communicate(timeout=30)[0]
    return frames, plant.returncode, printed, json.loads((work / name / "summary.json").read_text())


def main():
    takt, work = takt_and_work()
    program = build_with_rig(takt, work, FOLDER / "plant.toml", FOLDER / "rig.toml")

    frames, code, printed, summary = frames_of(program, "root", [], work)
    *before, last = frames
    expect("no number: exit code 1", code == 1, code)
    expect("no number: named", "control.root" in summary["stopped_because"] and "X007" in summary["stopped_because"], summary["stopped_because"])
    expect("no number: it ends when it comes", 0.5 <= summary["simulated_s"] <= 0.52, summary["simulated_s"])
    expect("no number: every frame before is right", len(before) > 10 and all(abs(f["root"] ** 2 - (0.5 - f["time"])) < 2e-3 for f in before[1:]), len(before))
    expect("no number: the last frame is the safe one", last["voltage"] == -1, last)
    expect("no number: what has no safe value keeps the last that was right", last["time"] - before[-1]["time"] < 0.011 and abs(last["root"] ** 2 - (0.5 - last["time"])) < 2e-3, (before[-1], last))

    frames, code, printed, summary = frames_of(program, "unsolved", ["--set", "blind=100"], work)
    *before, last = frames
    expect("unsolved: exit code 1", code == 1, code)
    expect("unsolved: named, after more than three windows", "X004" in summary["stopped_because"] and "4 windows in a row" in summary["stopped_because"], summary["stopped_because"])
    expect("unsolved: it ends where the solution does", 1.0 <= summary["simulated_s"] <= 1.06, summary["simulated_s"])
    sound = [f for f in before[1:] if f["time"] < 0.985]  # blocks see the beginning of a macro-step, the voltage is that of its end
    worst = max(abs(f["voltage"] - math.atanh(f["time"] + 0.01)) for f in sound)
    expect("unsolved: every frame before is right", len(sound) > 50 and worst < 0.05, (len(sound), worst))
    expect("unsolved: at most three frames more, then the safe one", sum(f["time"] > 1.0 for f in before) <= 4 and last["voltage"] == -1, last)
    expect("unsolved: the report says since when", any(v["code"] == "X004" and 0.99 < v["first_s"] < 1.02 for v in summary["verdicts"]), summary["verdicts"])
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
