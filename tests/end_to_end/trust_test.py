#!/usr/bin/env python3
"""Plants that once ended green and wrong. Each file of trust/ says in its first comments what must happen:

    # expect: right [within TOLERANCE]     exit code 0, trusted, and the samples below hold (default: 1e-3 of the range of the signal)
    # expect: fails CODE [CODE ...]        exit code 1 with these verdicts, or one of them as the reason of the end
    # expect: refused CODE [CODE ...]      takt check refuses it with these
    # sample: SIGNAL @ TIME = VALUE        time in s, value in SI; where the value comes from stands in the title or a comment
    # range: SIGNAL LOW HIGH               never outside of these
    # silent: CODE                         nothing of this code is printed
    # run: OPTIONS                         more options for takt run

    trust_test.py GROUP --takt build/release/bin/takt --work DIR       plants whose names begin with GROUP_

Ends with 0 or 1."""
import argparse
import bisect
import csv
import json
import pathlib
import re
import shlex
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent / "trust"


class Expectation:
    def __init__(self, text):
        comments = [line[1:].strip() for line in text.splitlines() if line.startswith("#")]
        fields = [line.split(":", 1) for line in comments if ":" in line]
        of = lambda key: [value.strip() for name, value in fields if name == key]
        words = of("expect")[0].split()
        self.kind, self.codes = words[0], [word for word in words[1:] if re.fullmatch("[A-Z][0-9]{3}", word)]
        self.tolerance = float(words[words.index("within") + 1]) if "within" in words else 1e-3
        self.samples = [re.fullmatch(r"(\S+) @ (\S+) = (\S+)", line).groups() for line in of("sample")]
        self.ranges = [line.split() for line in of("range")]
        self.silent = of("silent")
        self.options = shlex.split(of("run")[0]) if of("run") else []


def signals(folder):
    with open(folder / "signals.csv", newline="") as file:
        rows = list(csv.reader(file))
    names = [re.sub(r" \[.*", "", name) for name in rows[0]]
    columns = list(zip(*[[float(x) if x else float("nan") for x in row] for row in rows[1:]]))
    return dict(zip(names, columns))


def at(times, values, t):
    """Linear between the samples recorded."""
    right = min(max(bisect.bisect_left(times, t - 1e-12), 1), len(times) - 1)
    left = right - 1
    share = (t - times[left]) / (times[right] - times[left])
    return values[left] + min(max(share, 0.0), 1.0) * (values[right] - values[left])


def wrong_values(expectation, folder):
    recorded = signals(folder)
    times = next(iter(recorded.values()))
    for name, t, value in expectation.samples:
        values = recorded[name]
        allowed = expectation.tolerance * max(max(values) - min(values), abs(float(value)), 1e-12)
        found = at(times, values, float(t))
        if not abs(found - float(value)) <= allowed:
            yield f"{name} at {t} s is {found:.6g}, not {value} (+- {allowed:.2g})"
    for name, low, high in expectation.ranges:
        if not (float(low) <= min(recorded[name]) and max(recorded[name]) <= float(high)):
            yield f"{name} is between {min(recorded[name]):.6g} and {max(recorded[name]):.6g}, not {low} and {high}"


def judge(expectation, takt, plant, work):
    """What is wrong, one text each."""
    folder = work / plant.stem
    if expectation.kind == "refused":
        result = subprocess.run([takt, "check", plant], capture_output=True, text=True, timeout=300)
        printed = result.stdout + result.stderr
        if result.returncode == 0:
            yield "not refused"
        yield from (f"{code} is missing:\n{printed}" for code in expectation.codes if f"error[{code}]" not in printed)
        return
    command = [takt, "run", plant, "--quiet", "--out", folder, *expectation.options]
    result = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=600)
    printed = result.stdout + result.stderr
    wanted = 1 if expectation.kind == "fails" else 0
    if result.returncode != wanted:
        yield f"exit code {result.returncode}, not {wanted}:\n{printed}"
        return
    yield from (f"{code} is told:\n{printed}" for code in expectation.silent if f"[{code}]" in printed)
    summary = json.loads((folder / "summary.json").read_text())
    if summary["trusted"] != (wanted == 0):
        yield f"trusted is {summary['trusted']}"
    said = [verdict["code"] for verdict in summary["verdicts"]] + re.findall(r"\[([A-Z][0-9]{3})\]", summary["stopped_because"])
    yield from (f"{code} is not among {said}:\n{printed}" for code in expectation.codes if code not in said)
    yield from wrong_values(expectation, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("group")
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    plants = sorted(FOLDER.glob(options.group + "_*.toml"))
    failed = 0
    for plant in plants:
        expectation = Expectation(plant.read_text())
        faults = list(judge(expectation, options.takt, plant, options.work))
        print(f"{plant.stem}: {'as expected: ' + ' '.join([expectation.kind, *expectation.codes]) if not faults else 'WRONG'}", flush=True)
        for fault in faults:
            print("    " + fault)
        failed += bool(faults)
    print(f"{len(plants) - failed} of {len(plants)} plants as expected")
    return 1 if failed or not plants else 0


if __name__ == "__main__":
    sys.exit(main())
