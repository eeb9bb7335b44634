#!/usr/bin/env python3
"""From a frame of a client over the plant and back, on the virtual bus: a group of 1 ms whose answer is sent on change, a client with a
plain socket; and what clients that abuse the bus change of it. Blocks A, A and B in turn: A alone, B with floods of both protocols as fast as
they go in, garbage and connections that come and go.

    bus_round_trip.py --takt build/release/bin/takt --work DIR --cpu 1 --blocks 5 --for "10 s"

The client asks again as soon as it has its answer, after a pause that moves it through the millisecond. It and the abuse run on the other CPUs."""

import argparse
import json
import multiprocessing
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import time

PLANT = """[plant]
title    = "An answer to every frame"
duration = "20 s"
error    = "off"
[input]
u = { unit = "V", start = "0 V", safe = "0 V" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time)" }
r      = { is = "resistor", at = ["in", "out"], r = "100 Ohm" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "100 uF" }
[control]
answer = { is = "expression", every = "1 ms", of = "u/(1 V)" }
[solve]
electric = { step = "100 us", method = "rk4" }
[sync]
plant = { members = ["electric", "control"], every = "1 ms" }
"""
RIG = """[rig]
pace = "real"
[bus.can0]
kind = "can"
virtual = true
dbc = "plant.dbc"
simulate = ["PLANT"]
[bus.can0.receive]
"Question.u" = "u"
"Question" = { timeout = "0 s" }
[bus.can0.send]
"Answer.answer" = "control.answer"
"Answer" = { on_change = true }
"""
DBC = """VERSION ""

BU_: PLANT ECU

BO_ 256 Answer: 2 PLANT
 SG_ answer : 0|16@1+ (1,0) [0|65535] "" ECU

BO_ 257 Question: 2 ECU
 SG_ u : 0|16@1+ (1,0) [0|65535] "V" PLANT
"""


def build(arguments):
    folder = arguments.work / "plant"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("plant.toml", PLANT), ("rig.toml", RIG), ("plant.dbc", DBC)):
        (folder / name).write_text(text)
    built = subprocess.run([arguments.takt, "build", folder / "plant.toml", "--rig", folder / "rig.toml", "--out", arguments.work / "built"], capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return built.stdout.strip().splitlines()[-1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connected(port):
    for _ in range(500):
        try:
            link = socket.create_connection(("127.0.0.1", port))
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return link
        except OSError:
            time.sleep(0.02)
    sys.exit("the plant does not open its port")


def flood(port, first, text):
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port)) as link:
                link.sendall(first)
                while True:
                    link.sendall(text)
                    try:
                        while link.recv(1 << 16, socket.MSG_DONTWAIT):
                            pass
                    except BlockingIOError:
                        pass
        except OSError:
            time.sleep(0.01)


def abuse(port):
    raw = b"< open can0 >< rawmode >"
    all_of_it = [(raw, b"< send 700 8 1 2 3 4 5 6 7 8 >" * 500), (b"O\r", b"t70080102030405060708\r" * 500), (b"O\r", b"no frame\r" * 500), (b"", b"GET / HTTP/1.1\r\n\r\n")]
    processes = [multiprocessing.Process(target=flood, args=(port, *one), daemon=True) for one in all_of_it]
    for process in processes:
        process.start()
    return processes


def block(program, arguments, with_abuse):
    """Round trips in us, and the summary."""
    port = free_port()
    command = [program, "--json", "--quiet", "--no-results", "--audit", "off", "--pace", "real", "--late", "any", "--for", arguments.duration, "--cpu", str(arguments.cpu), "--bus", f"can0.port={port}"]
    plant = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    link = connected(port)
    link.sendall(b"C\rO\r")
    processes = abuse(port) if with_abuse else []
    heard, times, number = b"", [], 0
    try:
        while plant.poll() is None:
            number = number % 60000 + 1
            wanted = b"t1002" + number.to_bytes(2, "little").hex().upper().encode() + b"\r"
            began = time.perf_counter_ns()
            link.sendall(wanted.replace(b"t100", b"t101"))
            while wanted not in heard:
                piece = link.recv(1 << 16)
                if not piece:
                    raise OSError
                heard = heard[-40:] + piece
            times.append((time.perf_counter_ns() - began) / 1e3)
            time.sleep(0.001 + 0.0001 * (number % 7))
    except OSError:
        pass
    printed, said = plant.communicate(timeout=60)
    for process in processes:
        process.kill()
    if plant.returncode != 0:
        sys.exit(said or printed)
    return sorted(times[20:]), json.loads(printed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", default="build/release/bin/takt")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--for", dest="duration", default="10 s")
    arguments = parser.parse_args()
    program = build(arguments)
    others = os.sched_getaffinity(0) - {arguments.cpu}
    if others:
        os.sched_setaffinity(0, others)
    rows = {"A": [], "A again": [], "B, abuse": []}
    for _ in range(arguments.blocks):
        for name, found in rows.items():
            times, summary = block(program, arguments, name.startswith("B"))
            bus = summary["io"]["statistics"]["buses"][0]
            found.append((times[len(times) // 2], times[len(times) * 99 // 100], len(times), summary["overruns"]["count"], bus["most_messages_per_grid"], bus["frames_received"]))
    print(f"frame -> plant -> frame, us, 1 ms group, medians of {arguments.blocks} blocks of {arguments.duration}")
    print("| block | p50 | p99 | round trips | overruns in each block | most messages per step of the grid | frames received |\n| --- | ---: | ---: | ---: | --- | ---: | ---: |")
    for name, found in rows.items():
        p50, p99, count = (statistics.median(one[k] for one in found) for k in range(3))
        print(f"| {name} | {p50:.0f} | {p99:.0f} | {count:.0f} | {', '.join(str(one[3]) for one in found)} | {max(one[4] for one in found)} | {statistics.median(one[5] for one in found):.0f} |")


if __name__ == "__main__":
    main()
