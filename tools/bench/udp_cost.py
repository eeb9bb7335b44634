#!/usr/bin/env python3
"""What a UDP bus beside a CAN bus costs the real-time thread: the plant of tests/end_to_end/udp with both and with the CAN bus alone, in turn,
with a peer that asks 1000 times a second. Responses are from a release to the end of all that it has caused.

    udp_cost.py --takt build/release/bin/takt --work DIR --pairs 5 --for "5 s"
"""
import argparse
import json
import pathlib
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time

PLANT = pathlib.Path(__file__).resolve().parents[2] / "tests/end_to_end/udp"
QUESTION = struct.Struct(">Iqd")


def ask(over):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.bind(("127.0.0.1", 5006))
        counter = 0
        while not over.wait(0.001):
            peer.sendto(QUESTION.pack(counter, time.monotonic_ns(), 1.0), ("127.0.0.1", 5005))
            counter += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--for", dest="duration", default="5 s")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    both = (PLANT / "rig.toml").read_text().replace("../driven_rc", str(PLANT.parent / "driven_rc"))
    programs = {}
    for name, rig in {"CAN": both[: both.index("[bus.lab]")], "CAN and UDP": both}.items():
        file = arguments.work / f"{name.replace(' ', '_')}.toml"
        file.write_text(rig)
        built = subprocess.run([arguments.takt, "build", PLANT, "--rig", file, "--out", arguments.work / file.stem], capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(built.stderr)
        programs[name] = built.stdout.strip()
    found = {name: [] for name in programs}
    over = threading.Event()
    peer = threading.Thread(target=ask, args=(over,))
    peer.start()
    try:
        for pair in range(arguments.pairs):
            for name, program in programs.items():
                out = arguments.work / f"run_{pair}_{name.replace(' ', '_')}"
                subprocess.run([program, "--for", arguments.duration, "--quiet", "--audit", "off", "--bus", "can0.port=0", "--out", out], check=True, capture_output=True)
                found[name].append(json.loads((out / "summary.json").read_text())["rates"][0]["response_us"])
    finally:
        over.set()
        peer.join()
    for name, responses in found.items():
        print(f"{name:12} " + "  ".join(f"{key} {statistics.median(one[key] for one in responses):8.2f} us" for key in ("p50", "p99", "p999")))


if __name__ == "__main__":
    main()
