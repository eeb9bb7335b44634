#!/usr/bin/env python3
"""What a run comes to, told five times: exit code, console, JUnit, summary.json and report.html say the same of a plant that computes too
long, is stopped half of the time, hears no ECU, finds no interface, loses its supervisors, is interrupted, or passes.

    outcomes_test.py --takt build/release/bin/takt --work DIR"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time

import built_plants
import junitparser

takt, work = built_plants.takt_and_work()
FOLDER = pathlib.Path(__file__).resolve().parent / "driven_rc"
CALM = '[judge]\nneeds = []\nlate = "any"\n'
STRICT = '[judge]\nneeds = []\n'
STEPS = '[[step]]\nat = "{}"\nexpect = "electric.c.v > 0 V"\n'
shutil.copy(FOLDER / "plant.dbc", work)
(work / "rig.toml").write_text(re.sub(r"^(late|grace).*\n", "", (FOLDER / "rig.toml").read_text(), flags=re.MULTILINE))


def children(pid, name=""):
    """-> processes below this one whose names begin so"""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = entry.read_text().rsplit(")", 1)
        except OSError:
            continue
        own, its_name = words[0].split(" (", 1)
        if int(words[1].split()[1]) == pid:
            found += ([int(own)] if its_name.startswith(name) else []) + children(int(own), name)
    return found


def patiently(find):
    for _ in range(600):
        if found := find():
            return found
        time.sleep(0.05)
    raise AssertionError("nothing came of it")


def runs(name):
    """@return once simulated time passes"""
    log = work / name / name / "inputs.csv"
    patiently(lambda: log.exists())
    time.sleep(0.5)


def interrupt(scenario, _):
    scenario.send_signal(signal.SIGINT)


def kill_supervisors(scenario, _):
    for pid in children(scenario.pid, "takt-s"):
        os.kill(pid, signal.SIGKILL)


def stop_half_of_the_time(scenario, plant):
    """As a host does that gives the machine only every other slice of time."""
    while scenario.poll() is None:
        for send, rest in ((signal.SIGSTOP, 0.03), (signal.SIGCONT, 0.03)):
            try:
                os.kill(plant, send)
            except ProcessLookupError:
                return
            time.sleep(rest)


def outcome(name, judge, *options, until="500 ms", meanwhile=None):
    """-> exit code and what each of the others says of it"""
    file, xml, out = work / f"{name}.toml", work / f"{name}.xml", work / name
    file.write_text(judge + STEPS.format(until))
    scenario = subprocess.Popen([takt, "scenario", FOLDER / "plant.toml", file, "--rig", work / "rig.toml", "--build-dir", work / "built", "--out", out,
                                 "--junit", xml, "--audit", "off", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = []
    reader = threading.Thread(target=lambda: said.extend(scenario.communicate()))
    reader.start()
    if meanwhile:
        runs(name)
        plant = patiently(lambda: children(scenario.pid, "driven_rc") or children(scenario.pid, "plant"))[0]
        meanwhile(scenario, plant)
    reader.join()
    suite = next(iter(junitparser.JUnitXml.fromfile(str(xml)))) if xml.exists() else None
    summary = out / name / "summary.json"
    report = out / name / "report.html"
    return {"exit": scenario.returncode,
            "console": said[0].split()[0] if said[0] else "",
            "said": "".join(said),
            "junit": "none" if suite is None else "passed" if suite.errors + suite.failures == 0 else " ".join(sorted(set(re.findall(r'type="([^"]*)"', xml.read_text())))) or "error",
            "summary": json.loads(summary.read_text()) if summary.exists() else {},
            "report": report.read_text() if report.exists() else ""}


CASES = {
    # name: what is done, exit code, first word of the console, outcome of the summary, a part of console and report, what JUnit has
    "passed": (dict(judge=CALM), 0, "passed", "passed", "", "passed"),
    "overloaded": (dict(judge=STRICT, options=["--inject", "long:1:60000"]), 3, "LATE", "late", "X043", "late"),
    "stopped": (dict(judge=STRICT, until="3 s", meanwhile=stop_half_of_the_time), 3, "LATE", "late", "X043", "late"),
    "no_ecu": (dict(judge='[judge]\nlate = "any"\n'), 1, "FAILED", "failed", "X044", "run"),
    "no_interface": (dict(judge=CALM, options=["--bus", "can0.virtual=no", "--bus", "can0.channel=vcan77"]), 2, "NOT", None, "ip link add", "not run"),
    "supervisors_killed": (dict(judge=CALM, until="20 s", meanwhile=kill_supervisors), 1, "FAILED", "failed", "X050", "failed run undecided"),
    "interrupted": (dict(judge=CALM, until="20 s", meanwhile=interrupt), 4, "STOPPED", "interrupted", "", "interrupted"),
}

table = [("case", "exit code", "console", "JUnit", "summary.json", "report.html")]
for name, (does, code, word, result, part, junit) in CASES.items():
    found = outcome(name, does["judge"], *(["--bus", "can0.port=0"] if name != "no_interface" else []), *does.get("options", []), until=does.get("until", "500 ms"), meanwhile=does.get("meanwhile"))
    summary, report = found["summary"], found["report"]
    headline = re.search(r'class="headline"[^>]*>(.*?)<', report, re.DOTALL)
    table.append((name, found["exit"], found["console"], found["junit"], summary.get("outcome", "none"), headline[1].strip() if headline else "none"))
    assert found["exit"] == code and found["console"] == word, (name, found["exit"], found["said"])
    assert part in found["said"], (name, found["said"])
    assert found["junit"] == junit, (name, found["junit"])
    if result is None:
        assert not summary and not report, name
        continue
    assert summary["outcome"] == result and summary["exit_code"] == code and summary["trusted"] == (code in (0, 4)), (name, summary["outcome"])
    assert part in report and [v["code"] for v in summary["verdicts"] if not v["tolerated"]] == ([part] if part else []), (name, summary["verdicts"])
    if name == "stopped":
        assert summary["overruns"]["causes"]["stopped"] > 0, summary["overruns"]["causes"]
widths = [max(len(str(row[column])) for row in table) for column in range(len(table[0]))]
for row in table:
    print(" | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)))
