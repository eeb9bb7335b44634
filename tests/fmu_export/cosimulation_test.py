#!/usr/bin/env python3
"""cosimulation_test.py TAKT PLANTS FOLDER NAME:SECONDS...: exported plants compute the bits of `takt run`.

FMPy finds no fault in the FMU, runs it, and every recorded signal has at every recorded instant the value that the
run has: FMI 2 and FMI 3, in single steps, and FMI 3 in steps of several macro-steps."""
import os
import sys

from exports import Opened, export, recorded
from fmpy import simulate_fmu
from fmpy.validation import validate_fmu


def differences(opened, times, signals, stride):
    """What differs, of the instants that end a step."""
    names = sorted(name for name in signals if name in opened.reference)
    assert len(names) == len(signals), sorted(set(signals) - set(names))
    wrong = []
    compared = 0
    for row, time in enumerate(times):
        steps = round(time / opened.h)
        if steps % stride:
            continue
        while opened.done < steps:
            opened.step(stride)
        for name, value in zip(names, opened.get(*names)):
            compared += 1
            if float(signals[name][row]) != value:
                wrong.append(f"{name} at {time} s: {signals[name][row]} and {value!r}")
    assert compared > len(names), "nothing was compared"
    return wrong, compared


def check(takt, plant, seconds, folder):
    times, signals = recorded(takt, plant, folder, "--for", f"{seconds} s")
    for version, stride in ((2, 1), (3, 1), (3, 4)):
        file = export(takt, plant, version, folder)
        problems = validate_fmu(file)
        assert not problems, problems
        opened = Opened(file, folder).begin()
        wrong, compared = differences(opened, times, signals, stride)
        opened.close()
        assert not wrong, f"FMI {version}: {len(wrong)} of {compared} values differ, first {wrong[0]}"
        print(f"{os.path.basename(plant)}: FMI {version}, {stride} macro-steps at once: {compared} values of "
              f"{len(signals)} signals have the same bits")
        simulate_fmu(file, stop_time=10 * opened.h, output_interval=opened.h)


def main():
    takt, plants, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    for argument in sys.argv[4:]:
        name, seconds = argument.split(":")
        check(takt, os.path.join(plants, name), seconds, folder)


if __name__ == "__main__":
    main()
