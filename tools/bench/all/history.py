"""Runs of the past: a JSON file each, in one folder. Compared is only what one machine has measured."""

import json

import pairs
from machine import Failed

FORMAT = 1


def write(folder, run):
    """@return the file; its name sorts by time"""
    folder.mkdir(parents=True, exist_ok=True)
    stem = run["started"].replace(":", "").replace("-", "")
    number = 0
    while (path := folder / f"{stem}{f'-{number}' if number else ''}.json").exists():
        number += 1
    path.write_text(json.dumps({"format": FORMAT, **run}, indent=1) + "\n")
    return path


def read(folder):
    """All runs of a folder, the oldest first."""
    runs = []
    for path in sorted(folder.glob("*.json")):
        try:
            run = json.loads(path.read_text())
            if run["format"] != FORMAT:
                raise Failed(f"{path} has format {run['format']}; this program reads {FORMAT}")
            runs.append({**run, "file": path.name})
        except (ValueError, KeyError, TypeError) as error:
            raise Failed(f"{path} is not the result of a run: {error!r}") from None
    return sorted(runs, key=lambda run: run["started"])


def as_ratio(row):
    return pairs.Ratio(row["ratio"], row["low"], row["high"], row["confidence"], row["pairs"])


def same_machine(one, other):
    return all(one[key] == other[key] for key in ("machine", "cpu", "cpus"))


def series(runs):
    """{name of a work: its points}, oldest first. A point: run, row, and what has changed since the point before it that the same machine
    measured (`change`, `verdict`); verdict None where there is none."""
    lines = {}
    for run in runs:
        if run["kind"] != "ratios":
            continue
        for row in run["results"]:
            line = lines.setdefault(row["name"], [])
            before = next((point for point in reversed(line) if same_machine(point["run"], run)), None)
            change, verdict = pairs.change(as_ratio(before["row"]), as_ratio(row), run["find"]) if before else (None, None)
            line.append({"run": run, "row": row, "change": change, "verdict": verdict})
    return lines
