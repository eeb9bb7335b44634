#!/usr/bin/env python3
"""What the tap costs: built plants, in turn without a tap, with one that nobody uses, and with a client that observes
signals in every macro-step. Lower quartiles of the rounds: where others use the machine, they say more than medians.

    tap.py ev/bin/ev:20s bev/bin/bev:60s --rows 500 --rounds 9 --cpu 1          # as fast as possible: ns
    tap.py ev/bin/ev:5s --rows 500 --rounds 3 --cpu 1 --paced                   # in real time: overruns of runs A, A, B

A free run is held at time 0 until the client watches; its time counts from there. Rows that the service does not take in
time are dropped, which saves the plant their copying: give a plant enough to compute. The cost of a value: (time watched - time
with an idle tap)/values. It holds the computing of signals that nothing else reads in that macro-step."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "end_to_end"))
from tap_client import TapClient  # noqa: E402


def watch(directory, rows, found, held):
    """Observes until the run has ended. What comes is read, and dropped."""
    client = TapClient(directory, "bench", 60.0)
    table = client.ask("list")
    paths = [row["path"] for row in table["rows"] if row["role"] in ("signal", "output", "state", "input")]
    paths = (paths * (rows // len(paths) + 1))[:rows]
    client.ask("watch", paths=paths, every_ns=1)
    found["rows"] = len(paths)
    begin = time.monotonic()
    if held:
        client.send("resume")
    while client.socket.recv(1 << 20):
        pass
    found["wall_s"] = time.monotonic() - begin


def run(kind, executable, duration, arguments, folder):
    """@return summary, ns of wall time per macro-step, seconds of the whole process, what the client found"""
    out = pathlib.Path(folder) / f"{kind}"
    pace = "real" if arguments.paced else "free"
    command = [executable, "--json", "--quiet", "--no-report", "--audit", "off", "--pace", pace, "--late", "any", "--for", duration, "--cpu", arguments.cpu, "--out", out]
    if kind == "without":
        command.append("--no-tap")
    if kind == "watched" and not arguments.paced:
        command.append("--hold")
    begin = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    found = {}
    client = threading.Thread(target=watch, args=(out, arguments.rows, found, not arguments.paced)) if kind == "watched" else None
    if client:
        client.start()
    text = process.communicate()[0]
    seconds = time.monotonic() - begin
    if client:
        client.join()
    summary = json.loads(text)
    return summary, found.get("wall_s", summary["wall_s"]) * 1e9 / summary["macro_steps"], seconds, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plants", nargs="+", metavar="EXECUTABLE:TIME")
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--cpu", default="1")
    parser.add_argument("--paced", action="store_true")
    arguments = parser.parse_args()
    kinds = ["without", "idle", "watched"] if not arguments.paced else ["without", "without again", "idle", "watched"]
    if arguments.paced:
        print("| plant | " + " | ".join(f"{kind}: overruns" for kind in kinds) + " | windows |")
    else:
        print("| plant | wall time, ns per macro-step: without | idle tap | watched | idle - without | ns per observed value | watched/idle | process, s: without | idle |")
    print("| --- |" + " ---: |" * (len(kinds) + 1 if arguments.paced else 8))
    for plant in arguments.plants:
        executable, _, duration = plant.rpartition(":")
        duration = duration.replace("s", " s")
        figures, seconds, overruns = ({kind: [] for kind in kinds} for _ in range(3))
        digests, rows, windows = set(), 1, 0
        with tempfile.TemporaryDirectory() as folder:
            for number in range(arguments.rounds):
                for kind in kinds if number % 2 == 0 else reversed(kinds):
                    summary, ns, lasted, found = run(kind, executable, duration, arguments, folder)
                    figures[kind].append(ns)
                    seconds[kind].append(lasted)
                    overruns[kind].append(summary["overruns"].get("overruns", 0))
                    digests.add(summary["digest"])
                    rows, windows = found.get("rows", rows), sum(s["windows"] for s in summary["subsystems"])
        name = f"`{pathlib.Path(executable).name}`, {duration}"
        different = "" if len(digests) == 1 else " DIGESTS DIFFER"
        if arguments.paced:
            print(f"| {name} | " + " | ".join(" ".join(str(n) for n in overruns[kind]) for kind in kinds) + f" | {windows} |{different}", flush=True)
            continue
        without, idle, watched = (statistics.quantiles(figures[kind], n=4)[0] for kind in kinds)
        print(f"| {name} | {without:.0f} | {idle:.0f} | {watched:.0f} | {idle - without:+.1f} | {(watched - idle) / rows:.2f} | {watched / idle:.3f} | "
              f"{statistics.quantiles(seconds['without'], n=4)[0]:.3f} | {statistics.quantiles(seconds['idle'], n=4)[0]:.3f} |{different}", flush=True)


if __name__ == "__main__":
    main()
