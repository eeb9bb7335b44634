"""Recorded signals as tests see them: signals.mf4 by asammdf, signals.csv, and a plant that records at several rates."""
import csv
import json
import subprocess
import sys

try:
    import numpy as np
    from asammdf import MDF
except ImportError as missing:
    print(f"skipped: {missing} (tools/install_packages.sh python)")
    sys.exit(77)

PLANT = """[plant]
title    = "Three rates <of records> & more"
duration = "2 s"
error    = "off"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time)" }
r      = { is = "resistor", at = ["in", "out"], r = "100 Ohm", heat = "solid.body" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "100 uF" }
[solid]
body   = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "300 K" } }
[solve]
electric = { step = "250 us", method = "rk4" }
solid    = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["electric", "solid"], every = "1 ms" }
[record]
"1 ms"  = ["electric.c.*"]
"7 ms"  = ["electric.*"]
"20 ms" = ["solid.body.t"]
"""
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


def read_mdf(file, names=None):
    """-> {channel: (times, values, unit)}, of all or of those named"""
    found = {}
    with MDF(file) as mdf:
        for index, group in enumerate(mdf.groups):
            for channel in group.channels[1:]:
                if names and channel.name not in names:
                    continue
                one = mdf.get(channel.name, group=index)
                found[channel.name] = (one.timestamps, one.samples, one.unit)
    return found


def read_csv(file):
    with file.open() as text:
        rows = list(csv.reader(text))
    found = {}
    for k, name in enumerate(rows[0][1:], 1):
        path, unit = name.removesuffix("]").split(" [")
        given = [(float(row[0]), float(row[k])) for row in rows[1:] if row[k] != ""]
        found[path] = (np.array([t for t, _ in given]), np.array([v for _, v in given]), unit)
    return found


def read_jsonl(file):
    """By json of Python alone. Numbers are floats, what is no number a text."""
    head, *lines = map(json.loads, file.read_text().splitlines())
    found = {f"{column['path']} [{column['unit'] or '1'}]": ([], []) for rate in head["takt"]["rates"] for column in rate["columns"]}
    for line in lines:
        for name, value in line.items() if "event" not in line else ():
            if name in found:
                assert isinstance(value, (float, str)), line
                found[name][0].append(line["time [s]"])
                found[name][1].append(float(value))
    return {name.removesuffix("]").split(" [")[0]: (np.array(times), np.array(values), name.removesuffix("]").split(" [")[1]) for name, (times, values) in found.items()}


def equal(one, other):
    """Times, values and units, to the last bit: also the sign of zero."""
    return set(one) == set(other) and all(
        np.array_equal(one[name][0], other[name][0]) and one[name][1].tobytes() == other[name][1].tobytes() and one[name][2] == other[name][2] for name in one)


def begins_as(one, whole):
    """Whether each signal of `one` is the begin of that in `whole`."""
    return set(one) == set(whole) and all(
        np.array_equal(times, whole[name][0][:len(times)]) and np.array_equal(values, whole[name][1][:len(values)]) for name, (times, values, _) in one.items())


def events(file):
    """-> [(time, kind, text)] in the order of the file"""
    with MDF(file) as mdf:
        return [(event.sync_base * event.sync_factor, event.event_type, event.name) for event in mdf.events]


def build(takt, work, text=PLANT, name="plant"):
    (work / f"{name}.toml").write_text(text)
    built = subprocess.run([takt, "build", work / f"{name}.toml", "--out", work / "built"], stdout=subprocess.PIPE, text=True, check=True)
    return built.stdout.strip().splitlines()[-1]


def command(program, out, *options):
    return [program, "--out", out, "--quiet", "--audit", "off", "--no-report", *options]


def run(program, out, *options, **settings):
    return subprocess.run(command(program, out, *options), capture_output=True, text=True, **settings)
