"""Scenarios with an ECU on the bus, in real time: what is injected the ECU is told, and it reacts; left out, the scenario fails; replayed
without an ECU, the same decisions and the same digest.
Usage: ecu_scenarios.py TAKT EV_ECU SOURCE_DIR WORK_DIR"""
import concurrent.futures
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys

import junitparser

takt, ecu_program, source, work = sys.argv[1:5]
source, work = pathlib.Path(source), pathlib.Path(work)
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
scenarios = sorted((source / "config/scenarios/ecu").glob("*.toml"))
PLANT = ["config/plants/ev", "--rig", "config/rigs/ev.toml"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def with_ecu(file, out):
    """One run of a scenario as users start it. -> exit code, its suite"""
    port, xml = free_port(), work / f"{out}.xml"
    ecu = subprocess.Popen([ecu_program, "--bus", f"socketcand:127.0.0.1:{port}/can0", "--patience", "60"], stderr=subprocess.DEVNULL)
    try:
        done = subprocess.run([takt, "scenario", *PLANT, file, "--build-dir", work / "build", "--pace", "real", "--late", "any", "--bus", f"can0.port={port}", "--audit", "off",
                               "--out", work / out, "--junit", xml], cwd=source, capture_output=True, text=True, timeout=300)
    finally:
        ecu.kill()
        ecu.wait()
    assert done.returncode in (0, 1), (file, done.stdout, done.stderr)
    (suite,) = junitparser.JUnitXml.fromfile(str(xml))
    return done.returncode, suite, done.stdout + done.stderr


def decisions(folder):
    found = json.loads((folder / "summary.json").read_text())
    return found["digest"], [(e["name"], e["verdict"], e["time_s"], e["values"]) for e in found["scenario"]["expectations"]]


def executable():
    return next(path for path in (work / "build/bin").rglob("ev") if path.is_file())


def check(file):
    code, suite, said = with_ecu(file, f"{file.stem}_paced")
    assert code == 0 and suite.tests > 2 and suite.failures == 0 and suite.errors == 0, (file, said)
    paced = work / f"{file.stem}_paced" / file.stem
    again = work / f"{file.stem}_replayed"
    subprocess.run([executable(), "--replay", paced, "--scenario", file, "--out", again, "--quiet", "--no-report", "--audit", "off"], check=True, capture_output=True)
    assert decisions(again) == decisions(paced), (decisions(again), decisions(paced))
    less = work / f"{file.stem}_without.toml"
    less.write_text(re.sub(r"^inject\s*=.*\n", "", file.read_text(), flags=re.MULTILINE))
    code, suite, said = with_ecu(less, f"{file.stem}_without")
    assert code == 1 and suite.failures > 0 and suite.errors == 0, (file, said)
    return f"{file.stem}: passed, the same replayed, fails without its fault"


subprocess.run([takt, "build", *PLANT, "--out", work / "build"], cwd=source, check=True, capture_output=True)
assert scenarios
with concurrent.futures.ThreadPoolExecutor(6) as pool:
    for line in pool.map(check, scenarios):
        print(line, flush=True)
