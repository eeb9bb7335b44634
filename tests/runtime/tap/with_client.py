#!/usr/bin/env python3
"""Runs a command that runs plants in a given directory, with a client at their tap that observes all there is in every
macro-step, sets an input again and again, awaits conditions, of which some hold, and leaves what others have bound to connections
that are lost. Its exit code is that of the command, or 1 where the client saw nothing.

    with_client.py RUN_DIRECTORY INPUT COMMAND..."""
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "end_to_end"))
from tap_client import Refused, TapClient  # noqa: E402

directory, plant_input, command = sys.argv[1], sys.argv[2], sys.argv[3:]
rows = answers = runs = held = 0
process = subprocess.Popen(command, env={**os.environ, "TAKT_RUN_DIRECTORY": directory})
while process.poll() is None:
    try:
        client = TapClient(directory, patience=0.1)
        client.ask("watch", paths=["*"], every_ns=1)
        while True:
            client.ask("set", path=plant_input, value=float(answers % 7))
            answers += 1
            rows += sum("values" in line for line in client.kept)
            held += sum(line.get("held") is True for line in client.kept)
            client.kept.clear()
            if answers % 3 == 0:
                then = [{"verb": "set", "path": plant_input, "value": 1.0}]
                client.send("await", condition="not time < 0 s", within_ns=1, then=then)
                client.send("await", condition="time < 0 s", within="3 ms", then=then, lease=True)
            if answers % 20 == 0:
                other = TapClient(directory, patience=0.1)
                other.ask("override", path=plant_input, value=2.0, lease=True)
                other.close()
    except (OSError, Refused):
        runs += 1
        time.sleep(0.01)
print(f"{rows} rows, {answers} actions, {held} conditions that held", flush=True)
if process.returncode == 0 and 0 in (rows, answers, held):
    sys.exit("the client saw nothing")
sys.exit(process.returncode)
