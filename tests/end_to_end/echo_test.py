#!/usr/bin/env python3
"""A number of a client through plant memory and back, sent on change: each that is asked alone is answered once, by itself; of a row that is
sent faster than the plant takes inputs, answers keep the order and end with the last. At both moments of publishing. No time is asserted.

    echo_test.py --takt build/release/bin/takt --work DIR

Ends with 0 or 1."""
import json
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import time

from built_plants import build_with_rig, takt_and_work
from raw_client import connected, free_port

FOLDER = pathlib.Path(__file__).parent / "echo"
ALONE, IN_ROWS = 400, 400
ANSWER = re.compile(rb"< frame 100 [0-9.]+ ([0-9A-F]{2})([0-9A-F]{2}) >")
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


class Client:
    """Hears every answer from its first frame on."""

    def __init__(self, port):
        self.link, self.bytes, self.heard = connected(port), b"", []
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.link.settimeout(10.0)
        self.link.sendall(b"< open can0 >< rawmode >< send 7FF 0 >")

    def ask(self, number):
        self.link.sendall(b"< send 101 2 %02X %02X >" % (number & 0xFF, number >> 8))

    def hear(self):
        """-> False: the bus is closed, or nothing came for long"""
        try:
            piece = self.link.recv(1 << 16)
        except OSError:
            return False
        self.bytes += piece
        self.heard += [int(low, 16) + 256 * int(high, 16) for low, high in ANSWER.findall(self.bytes)]
        self.bytes = self.bytes[self.bytes.rfind(b">") + 1:]
        return bool(piece)

    def hear_until(self, number):
        while number not in self.heard[-1:]:
            if not self.hear():
                return False
        return True


def echoes(program, publish, grid):
    name, port, pauses = f"{publish}, grid {grid}", free_port(), random.Random(grid + publish)
    plant = subprocess.Popen([program, "--json", "--quiet", "--no-results", "--audit", "off", "--bus", f"can0.port={port}"], stdout=subprocess.PIPE, text=True)
    client = Client(port)
    answered = True
    for number in range(1, ALONE + 1):
        time.sleep(pauses.uniform(0.0, 0.002))
        client.ask(number)
        answered = answered and client.hear_until(number)
        if not answered:
            break
    alone = client.heard[client.heard[:1] == [0]:]  # the start value, where the plant began behind the client
    expect(f"{name}: each number that is asked alone is answered by itself, once", alone == list(range(1, ALONE + 1)), alone[-5:])
    began = len(client.heard)
    for number in range(ALONE + 1, ALONE + IN_ROWS + 1):
        client.ask(number)
        if number % 20 == 0:
            answered = answered and client.hear_until(number)
        time.sleep(pauses.uniform(0.0, 0.0008))
    rows = client.heard[began:]
    expect(f"{name}: rows are answered in order, none twice, each up to its last", answered and rows == sorted(set(rows)) and set(range(ALONE + 20, ALONE + IN_ROWS + 1, 20)) <= set(rows), rows[-5:])
    plant.send_signal(signal.SIGINT)
    while client.hear():
        pass
    expect(f"{name}: at the end it says the last again, and nothing else", client.heard[began + len(rows):] == [ALONE + IN_ROWS], client.heard[began + len(rows):])
    bus = json.loads(plant.communicate(timeout=60)[0])["io"]["statistics"]["buses"][0]
    received, sent = (next(m["frames"] for m in bus[way] if m["message"] == message) for way, message in (("received", "Question"), ("sent", "Answer")))
    expect(f"{name}: the plant has taken every question", received == ALONE + IN_ROWS, received)
    expect(f"{name}: what it has sent has been heard", sent == len(client.heard) + (client.heard[0] != 0), (sent, len(client.heard)))


def main():
    takt, work = takt_and_work()
    for publish in ("on-time", "early"):
        for grid in ("100 us", "500 us"):
            rig = work / "rig.toml"
            rig.write_text((FOLDER / "rig.toml").read_text().replace('"on-time"', f'"{publish}"').replace('"500 us"', f'"{grid}"').replace('"plant.dbc"', json.dumps(str(FOLDER / "plant.dbc"))))
            echoes(build_with_rig(takt, work, FOLDER / "plant.toml", rig), publish, grid)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
