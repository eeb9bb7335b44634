#!/usr/bin/env python3
"""How many samples a second the recorder writes as CSV, as MDF and as compressed MDF on the disk of DIR.

    record.py --takt build/release/bin/takt --work DIR [--signals 300 | --plant config/plants/ev] [--samples 3e7] [--rounds 5]

Free runs, all signals at every macro-step, so that the recorder is what they wait for; what the plant takes without results is the first row.
Without --plant: many resistors at one source, whose currents have all digits at random, the worst case for compression. With it: all states,
inputs and outputs of a plant of macro-step 1 ms (--record-states). The formats take turns. A run ends when its files are closed;
`--sync` counts the time until the disk has them, too."""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

PLANT = """[plant]
title    = "{signals} signals"
duration = "{steps} ms"
error    = "off"
[electric]
source = {{ is = "voltage_source", at = ["n0", "gnd"], v = "1 V*sin(2*pi*5 Hz*time) + 0.1 V*sin(2*pi*313 Hz*time)" }}
{elements}
[solve]
electric = {{ step = "1 ms", method = "euler" }}
[sync]
plant = {{ members = ["electric"], every = "1 ms" }}
[record]
"1 ms" = [{names}]
"""
FORMATS = {"none": ("--no-results",), "csv": ("--record", "csv"), "mdf": ("--record", "mdf"), "mdf, compressed": ("--record", "mdf", "--compress")}


def built(options, plant):
    done = subprocess.run([options.takt, "build", plant, "--out", options.work / "built"], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip().splitlines()[-1]


def many_signals(options):
    """Resistors of different sizes between a source and the ground: cheap to compute, each a signal of its own.
    -> executable, options, number of signals, rows"""
    elements = "\n".join(f'r{k} = {{ is = "resistor", at = ["n0", "gnd"], r = "{k + 1} Ohm" }}' for k in range(options.signals))
    names = ", ".join(f'"electric.r{k}.i"' for k in range(options.signals))
    plant = options.work / "plant.toml"
    steps = max(1, round(options.samples / options.signals))
    plant.write_text(PLANT.format(signals=options.signals, steps=steps, elements=elements, names=names))
    return built(options, plant), [], options.signals, steps + 1


def signals_of(options):
    """The same of a plant."""
    program = built(options, options.plant)
    states = ["--record-states", "1 ms"]
    listed = subprocess.run([program, "--list-recorded", *states], stdout=subprocess.PIPE, text=True, check=True)
    signals = len(listed.stdout.splitlines())
    steps = max(1, round(options.samples / signals))
    return program, [*states, "--for", f"{steps} ms"], signals, steps + 1


def run(command, options, name, rows):
    """-> seconds, bytes of signals"""
    out = options.work / "run"
    shutil.rmtree(out, ignore_errors=True)
    os.sync()
    start = time.monotonic()
    done = subprocess.run([*command, "--pace", "free", "--audit", "off", "--no-report", "--quiet", "--json", "--out", out, *FORMATS[name]], capture_output=True, text=True, check=True)
    if options.sync:
        os.sync()
    took = time.monotonic() - start
    recording = json.loads(done.stdout)["recording"]
    if name != "none" and (recording["rows"] != rows or recording["dropped"] or recording["lost"]):
        raise SystemExit(f"{name}: rows are missing: {recording}")
    return took, sum(file.stat().st_size for file in out.glob("signals.*")) if out.exists() else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--plant")
    parser.add_argument("--signals", type=int, default=300)
    parser.add_argument("--samples", type=float, default=3e7)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sync", action="store_true")
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    program, wishes, signals, rows = signals_of(options) if options.plant else many_signals(options)
    samples = signals * rows
    seen = {name: [] for name in FORMATS}
    for _ in range(options.rounds):
        for name in FORMATS:
            seen[name].append(run([program, *wishes], options, name, rows))
    csv = statistics.median(took for took, _ in seen["csv"])
    print(f"{signals} signals, {rows} rows")
    print("| signals as | s, each round | median, s | million samples/s | to CSV | bytes a sample |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for name, rounds in seen.items():
        median = statistics.median(took for took, _ in rounds)
        print(f"| {name} | {' '.join(f'{took:.2f}' for took, _ in rounds)} | {median:.2f} | {samples / median / 1e6:.1f} | {csv / median:.2f} | {rounds[-1][1] / samples:.2f} |")


if __name__ == "__main__":
    main()
