#!/usr/bin/env python3
"""The manual's first lesson, config/manual/your_ecu: its ECU passes its scenario over the virtual bus; an ECU that does not protect the motor fails it.

    your_ecu_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import pathlib
import re
import shutil
import subprocess
import sys

from built_plants import takt_and_work

try:
    import can  # noqa: F401
    import cantools  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

LESSON = pathlib.Path(__file__).resolve().parents[2] / "config/manual/your_ecu"


def verdict(takt, folder, out):
    """Runs the lesson as its text says, on a free port. -> exit code, everything said"""
    plant = subprocess.Popen([takt, "run", ".", "--rig", "rig.toml", "--scenario", "test.toml", "--out", out, "--bus", "can0.port=0"], cwd=folder,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said, ecu = [], None
    for line in plant.stdout:
        said.append(line)
        port = re.search(r"virtual bus can0 on 127\.0\.0\.1:(\d+)", line)
        if port and ecu is None:
            ecu = subprocess.Popen([sys.executable, "ecu.py", port[1]], cwd=folder, stderr=subprocess.STDOUT)
    code = plant.wait()
    if ecu is not None:
        try:
            ecu.wait(timeout=30)  # the bus is gone
        except subprocess.TimeoutExpired:
            ecu.kill()
            said.append("the ECU did not end with its bus")
            code = -1
    return code, "".join(said)


def main():
    takt, work = takt_and_work()
    folder = work / "lesson"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(LESSON, folder)
    code, said = verdict(takt, folder, "right")
    if code != 0 or "passed, 3 of 3 expectations passed" not in said:
        print(said, f"FAIL the lesson ends with {code}")
        return 1
    ecu = folder / "ecu.py"
    careless = ecu.read_text().replace('seen["temperature"] > 90.0', "False")
    assert careless != ecu.read_text()
    ecu.write_text(careless)
    code, said = verdict(takt, folder, "careless")
    if code != 1 or "the ECU lets go" not in said:
        print(said, f"FAIL an ECU without protection ends with {code}")
        return 1
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
