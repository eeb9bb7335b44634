"""How far a run is from what is right, and what that makes of it."""
import csv
import json
import pathlib

import numpy as np

LIMIT = 1e-2            # of RMS over range
AGREE = 1e-3            # of two tolerances of the reference, in the same measure
FLOORS = {"V": 1e-3, "A": 1e-5, "W": 1e-3, "K": 0.1, "Pa": 10.0, "kg/s": 1e-6, "kg": 1e-4, "rad/s": 1e-3, "rad": 1e-4, "N*m": 1e-4, "m/s": 1e-4, "m": 1e-5, "N": 1e-3}
OF_UNIT = 1e-3          # what rests counts against this part of the largest magnitude of its unit (not of temperatures and pressures)


def recording(folder):
    """-> times, {signal: values}, {signal: unit}; None where there is none."""
    path = pathlib.Path(folder) / "signals.csv"
    if not path.exists():
        return None
    with open(path, newline="", encoding="utf8") as file:
        rows = list(csv.reader(file))
    heads = [head.rsplit(" [", 1) for head in rows[0]]
    try:
        values = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[1:]], ndmin=2)
    except ValueError:
        return None
    if len(rows) < 3 or values.shape[1] != len(heads):
        return None
    return values[:, 0], {name: values[:, k] for k, (name, _) in enumerate(heads) if k}, {name: unit.rstrip("]") for name, unit in heads}


def scales(reference, units):
    """{signal: what an error is measured by}"""
    largest = {}
    for name, values in reference.items():
        largest[units[name]] = max(largest.get(units[name], 0.0), float(np.max(np.abs(values))))
    result = {}
    for name, values in reference.items():
        unit = units[name]
        floor = FLOORS.get(unit, 1e-6)
        if unit not in ("K", "Pa"):
            floor = max(floor * 1e-3, OF_UNIT * largest[unit]) if largest[unit] > 0 else floor
        result[name] = max(float(np.ptp(values)), floor)
    return result


def blocks(values, count=10):
    return np.array([np.mean(part) for part in np.array_split(values, min(count, len(values)))])


def beside_jumps(got, want):
    """Without samples on a jump that one has just before and the other just after: neighbours agree, and the value is one of theirs."""
    keep = np.ones(len(want), dtype=bool)
    for k in range(1, len(want) - 1):
        jump = abs(want[k + 1] - want[k - 1])
        low, high = min(want[k - 1], want[k + 1]) - 0.1 * jump, max(want[k - 1], want[k + 1]) + 0.1 * jump
        agree = abs(got[k - 1] - want[k - 1]) <= 0.1 * jump and abs(got[k + 1] - want[k + 1]) <= 0.1 * jump
        keep[k] = not (abs(got[k] - want[k]) > 0.1 * jump and agree and low <= got[k] <= high)
    return got[keep], want[keep]


def errors(run, reference, units, jumping=()):
    """{signal: RMS of the difference / scale}; jumping ones by averages over tenths of the time, since a sample on a jump says nothing."""
    measured = scales(reference, units)
    result = {}
    for name, expected in reference.items():
        if name not in run:
            continue
        got = run[name][:len(expected)]
        want = expected[:len(got)]
        if name in jumping:
            got, want = beside_jumps(got, want)
            got, want = blocks(got), blocks(want)
        if not np.all(np.isfinite(got)):
            result[name] = np.inf
            continue
        with np.errstate(over="ignore"):
            result[name] = float(np.sqrt(np.mean((got - want) ** 2)) / measured[name])
    return result


def crossings(times, values, level, band):
    """Instants at which the signal rises through the level, after having been below level - band."""
    found, armed = [], False
    for k in range(1, len(values)):
        armed |= values[k] < level - band
        if armed and values[k - 1] < level <= values[k]:
            found.append(times[k - 1] + (times[k] - times[k - 1]) * (level - values[k - 1]) / (values[k] - values[k - 1]))
            armed = False
    return found


def cycle_errors(times, run, reference, units, cycle):
    """Count and period of the cycle, average and RMS of every signal; one crossing more or less is the end of the record."""
    measured = scales(reference, units)
    band = 0.05 * measured[cycle.signal]
    ours, theirs = (crossings(times[:len(s[cycle.signal])], s[cycle.signal], cycle.level, band) for s in (run, reference))
    result = {}
    if len(theirs) < 3:
        return None
    result["events"] = 0.0 if abs(len(ours) - len(theirs)) <= max(1, 0.01 * len(theirs)) else abs(len(ours) - len(theirs)) / len(theirs)
    period = (theirs[-1] - theirs[0]) / (len(theirs) - 1)
    result["period"] = abs((ours[-1] - ours[0]) / (len(ours) - 1) - period) / period if len(ours) > 2 else 1.0
    for name, expected in reference.items():
        got = run[name][:len(expected)]
        if not np.all(np.isfinite(got)):
            return {**result, name: np.inf}
        share = min(period / (times[-1] - times[0]), 0.5)   # one incomplete cycle may move an average by so much
        allowed = 0.5 * share * np.ptp(expected)
        with np.errstate(over="ignore"):
            average = max(0.0, abs(np.mean(got) - np.mean(expected)) - allowed) / measured[name]
            swing = abs(np.std(got) - np.std(expected)) / measured[name]
        result[name] = float(max(average, 0.3 * swing))
    return result


def out_of_bounds(run, bounds):
    found = []
    for name, (low, high) in bounds.items():
        if name in run and (np.nanmin(run[name]) < low or np.nanmax(run[name]) > high or not np.all(np.isfinite(run[name]))):
            found.append(f"{name} within {np.nanmin(run[name]):.4g} .. {np.nanmax(run[name]):.4g}, possible {low:.4g} .. {high:.4g}")
    return found


def said(summary):
    """Codes of what a run said: verdicts, and events that were counted."""
    codes = {verdict["code"] for verdict in summary.get("verdicts", [])}
    events = {}
    for subsystem in summary.get("subsystems", []):
        for event in subsystem.get("events", []):
            if event.get("count"):
                events[event["code"]] = events.get(event["code"], 0) + event["count"]
    return sorted(codes), events


def summary_of(folder):
    path = pathlib.Path(folder) / "summary.json"
    try:
        return json.loads(path.read_text(encoding="utf8"))
    except (OSError, ValueError):
        return {}
