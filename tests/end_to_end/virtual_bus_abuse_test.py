#!/usr/bin/env python3
"""What clients of the virtual bus can do to a plant: nothing. Garbage, floods, clients that never read, too many of them, half lines, lines
without end, requests of browsers, a client that is killed, a crowd at the door that opens nothing. The run ends as it does alone, with the same digest; a client that behaves
gets and gives all its frames; work per step of the bus's grid stays within its bound. No time is asserted.

    virtual_bus_abuse_test.py --takt build/release/bin/takt --work DIR

Ends with 0 or 1."""
import json
import pathlib
import random
import re
import socket
import subprocess
import sys
import threading
import time

from built_plants import build_with_rig, takt_and_work
from raw_client import connected, free_port

FOLDER = pathlib.Path(__file__).parent / "virtual_bus"
SECONDS = 8  # of every run
RAW = b"< open can0 >< rawmode >"
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


class Behaved(threading.Thread):
    """Speaks socketcand or slcan, reads all, sends COMMAND frames with the value that the input has anyway."""
    COMMANDS = 200

    def __init__(self, port, slcan):
        super().__init__()
        self.link, self.slcan, self.bytes, self.ready = connected(port), slcan, b"", threading.Event()
        self.broken = ""
        self.link.sendall(b"C\rS6\rO\r" if slcan else RAW + b"< send 7FF 0 >")
        self.start()
        self.sender = threading.Thread(target=self.send)
        self.sender.start()

    def send(self):
        for _ in range(self.COMMANDS):
            self.link.sendall(b"t02080000000000000000\r" if self.slcan else b"< send 020 8 0 0 0 0 0 0 0 0 >")
            time.sleep(0.01)

    def run(self):
        while True:
            try:
                piece = self.link.recv(1 << 16)
            except OSError as error:
                self.broken = str(error)
                return
            if not piece:
                return
            self.bytes += piece
            self.ready.set()

    def counts(self):
        """Of the frames COUNT, in the order they came, but for the safe one at the end."""
        found = re.findall(rb"(?<=\r)t0124(....)3412\r" if self.slcan else rb"< frame 012 [0-9.]+ (....)3412 >", self.bytes)
        return [int(text[2:4] + text[0:2], 16) for text in found]


class Abuser(threading.Thread):
    """Does it again and again until the plant is gone."""
    def __init__(self, port, first, then, pause=0.0):
        super().__init__(daemon=True)
        self.port, self.first, self.then, self.pause, self.stopped = port, first, then, pause, False
        self.start()

    def run(self):
        while not self.stopped:
            try:
                with socket.socket() as link:
                    self.prepare(link)
                    link.settimeout(2)
                    link.connect(("127.0.0.1", self.port))
                    link.sendall(self.first)
                    while not self.stopped:
                        link.sendall(self.then())
                        link.settimeout(2)
                        time.sleep(self.pause)
                        self.drain(link)
            except OSError:
                time.sleep(0.05)

    def prepare(self, link):
        pass

    def drain(self, link):
        link.setblocking(False)
        try:
            while link.recv(1 << 16):
                pass
        except BlockingIOError:
            pass
        link.setblocking(True)


class Deaf(Abuser):
    """Never reads, and has little room for what it does not read."""
    def prepare(self, link):
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)

    def drain(self, link):
        pass


class Knocking(Abuser):
    """Connects, says nothing, and comes again as soon as it is sent off."""
    def drain(self, link):
        link.setblocking(False)
        try:
            while True:
                if not link.recv(1 << 16):
                    raise ConnectionError
        except BlockingIOError:
            pass
        link.setblocking(True)


class Run:
    def __init__(self, program, work, name, abuse, *, first=False):
        port, out = free_port(), work / name
        process = subprocess.Popen([program, "--quiet", "--for", f"{SECONDS} s", "--out", out, "--bus", f"can0.port={port}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        abusers = abuse(port) if first else []
        if first:
            time.sleep(1)
        self.behaved = [Behaved(port, slcan) for slcan in (False, True)]
        for client in self.behaved:
            client.ready.wait(20)
        abusers = abusers or abuse(port)
        self.said = process.communicate(timeout=120)[1]
        for one in abusers:
            one.stopped = True
        for client in self.behaved:
            client.join()
            client.sender.join()
        self.code, self.summary = process.returncode, json.loads((out / "summary.json").read_text())
        self.bus = self.summary["io"]["statistics"]["buses"][0]

    def check(self, what, digest):
        bus = self.bus
        expect(f"{what}: the run ends with 0", self.code == 0, self.said)
        expect(f"{what}: with the digest of a run without a bus", self.summary["digest"] == digest and not self.summary["digest_void"], self.summary["digest"])
        for client in self.behaved:
            counts = client.counts()
            name = "slcan" if client.slcan else "socketcand"
            expect(f"{what}: {name} sees the end of the stream, no broken connection", not client.broken, client.broken)
            expect(f"{what}: {name} gets all frames of the plant, in their order", len(counts) > 100 and counts == list(range(counts[0], counts[-1] + 1)) and counts[-1] == SECONDS * 200 - 1, counts[-3:])
        received = {message["message"]: message["frames"] for message in bus["received"]}
        expect(f"{what}: the plant gets all frames of both", received["COMMAND"] == 2 * Behaved.COMMANDS, received)
        expect(f"{what}: no frame is lost on the way", bus["dropped_receive_ring"] == 0 and bus["dropped_send_ring"] == 0 and bus["frames_dropped_from_clients"] == 0, bus)
        for unit in ("messages", "bytes"):
            most, limit = bus[f"most_{unit}_per_grid"], bus[f"limit_{unit}_per_grid"]
            expect(f"{what}: {unit} per step of the grid within their bound", 0 < most <= limit, (most, limit))


def floods(port):
    """10 000 frames/s of each protocol, and as many as go in."""
    text, serial = b"< send 700 8 1 2 3 4 5 6 7 8 >", b"t70080102030405060708\r"
    return [Abuser(port, RAW, lambda: text * 100, 0.01), Abuser(port, b"O\r", lambda: serial * 100, 0.01), Abuser(port, RAW, lambda: text * 1000), Abuser(port, b"O\r", lambda: serial * 1000)]


def garbage(port):
    noise = random.Random(1)
    # 7FE is no message of the plant: what looks like a frame by chance moves nothing
    return [Abuser(port, b"", lambda: noise.randbytes(1000), 0.01), Abuser(port, RAW, lambda: b"< send 7FE 0 " + bytes(noise.choices(b" .:;x~!?\n", k=200)) + b">", 0.001),
            Abuser(port, b"O\r", lambda: bytes(noise.choices(b"q.:;x~!?Z", k=40)) + b"\r", 0.001), Abuser(port, b"O\r", lambda: b"\r" * 4000), Abuser(port, RAW, lambda: b"<>" * 2000)]


def deaf(port):
    return [Deaf(port, RAW, lambda: b"< echo >" * 100, 0.01), Deaf(port, b"O\r", lambda: b"V\r" * 100, 0.01), *floods(port)[:2]]


def lines(port):
    """Half lines, lines without end, requests, and a client that is killed in the middle of a line."""
    half = iter([b"< open can0 ><", b" rawmode >", b"< send 7", b"FE 0 ", b">< se", *([b"nd"] * 100000)])
    serial_half = iter([b"O", b"\rt7F", b"E1", b"0", b"1\rt", *([b""] * 100000)])
    megabyte = b"x" * 1_000_000
    request = b"POST / HTTP/1.1\r\nContent-Length: 60\r\n\r\n< open can0 >< rawmode >< send 020 8 e8 03 0 0 0 0 0 0 >"
    code = f"import socket, time; s = socket.create_connection(('127.0.0.1', {port})); s.sendall(b'< open can0 >< rawmode >< send 7FE 1 0 >< send 02'); time.sleep(60)"
    victim = subprocess.Popen([sys.executable, "-c", code])
    abusers = [Abuser(port, b"", lambda: next(half), 0.1), Abuser(port, b"", lambda: next(serial_half), 0.1), Abuser(port, b"", lambda: request, 0.1), Abuser(port, RAW, lambda: b"< send 1 8 " + megabyte * 23, 0.1), Abuser(port, b"O\rt", lambda: megabyte * 23, 0.1)]
    time.sleep(1)
    victim.kill()
    victim.wait()
    return abusers


def crowd(port):
    """40 more clients at once, that stay."""
    abusers = [Abuser(port, RAW if k % 2 else b"O\r", lambda: b"", 0.5) for k in range(40)]
    return abusers


def door(port):
    """60 that hold every place for those who have not opened the bus, and come again; half of them say a little."""
    return [Knocking(port, b"" if k % 2 else b"< echo >", lambda: b"", 0.2) for k in range(60)]


def check_kept_out(program, work):
    """All seats are taken by others: who comes later gets none, and the run says what it may have missed by that."""
    port, out = free_port(), work / "kept_out"
    process = subprocess.Popen([program, "--quiet", "--for", "3 s", "--out", out, "--bus", f"can0.port={port}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seated = []
    for k in range(16):
        link = connected(port)
        link.sendall(RAW if k % 2 else b"O\r")
        seated.append(link)
    time.sleep(0.3)
    late = connected(port)
    late.sendall(RAW + b"< send 020 8 0 0 0 0 0 0 0 0 >")
    late.settimeout(20)
    said = b""
    try:
        while piece := late.recv(1 << 16):
            said += piece
    except ConnectionError:
        pass
    errors = process.communicate(timeout=60)[1]
    summary = json.loads((out / "summary.json").read_text())
    bus = summary["io"]["statistics"]["buses"][0]
    expect("kept out: it gets no seat, and none of its frames counts", b"< frame" not in said and bus["clients_refused"] == 1 and bus["received"][0]["frames"] == 0, bus)
    expect("kept out: the run says what did not come, and why that may be", "nothing came of COMMAND, WIDE, and 1 connections were kept out" in errors, errors)
    expect("kept out: so does its summary", any("nothing came of COMMAND" in event["text"] for event in summary["io"]["events"]), summary["io"]["events"])


def main():
    takt, work = takt_and_work()
    program = build_with_rig(takt, work, FOLDER / "plant.toml", FOLDER / "rig.toml")
    subprocess.run([program, "--quiet", "--pace", "free", "--for", f"{SECONDS} s", "--out", work / "alone"], check=True)
    digest = json.loads((work / "alone" / "summary.json").read_text())["digest"]
    seen = {}
    for abuse in (floods, garbage, deaf, lines, crowd):
        name = abuse.__name__
        run = Run(program, work, name, abuse)
        run.check(name, digest)
        seen[name] = run.bus
        print("    ", {key: value for key, value in run.bus.items() if isinstance(value, int) and value > 0})
    run = Run(program, work, "door", door, first=True)
    run.check("door", digest)
    expect("door: those who open nothing give way, and hold no seat", run.bus["clients_gave_way"] > 0 and run.bus["clients_refused"] == 0, run.bus)
    check_kept_out(program, work)
    expect("floods: the bus was full", seen["floods"]["most_messages_per_grid"] == seen["floods"]["limit_messages_per_grid"])
    expect("garbage: counted, and who begins with it is out", seen["garbage"]["garbage"] > 1000 and seen["garbage"]["clients_ended_not_the_protocol"] > 0)
    expect("deaf: what was dropped for them is counted by client", any(client["dropped_too_slow"] > 0 for client in seen["deaf"]["clients"]), seen["deaf"]["clients"])
    expect("lines: those without end are cut, requests sent off", seen["lines"]["clients_ended_line_too_long"] > 0 and seen["lines"]["clients_ended_not_the_protocol"] > 0, seen["lines"]["clients"])
    expect("crowd: who has no room is refused", seen["crowd"]["clients_refused"] >= 26, seen["crowd"]["clients_refused"])
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
