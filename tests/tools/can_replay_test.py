#!/usr/bin/env python3
"""takt can replay onto a virtual bus: what python-can receives is the log, in its order; parts of it, again and again, faster; takt can dump
sees the same; what cannot be replayed is refused with its line.

    can_replay_test.py TAKT CAN_SERVER SAMPLE.dbc

Logs of TAKT_SHARED_DATA are replayed where they are. Ends with 0, 1 or 77 (python-can or pyserial is missing)."""
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

try:
    import can
    import serial  # noqa: F401  python-can's slcan interface needs it
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

logging.getLogger("can").setLevel(logging.CRITICAL + 1)
takt, server, dbc = sys.argv[1:4]
OWN = {int(i) & 0x1FFFFFFF for i in re.findall(r"^BO_ (\d+)", "".join(file.read_text() for file in pathlib.Path(dbc).parent.glob("*.dbc")), re.M)}
MARK = 0x7FE  # before and behind each replay
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


def key(message):
    return (message.arbitration_id, message.is_extended_id, message.is_fd, message.bitrate_switch, bytes(message.data))


class Server:
    """A plant on a virtual bus of its own, and a client that hears everything."""

    def __enter__(self):
        self.process = subprocess.Popen([server, "120"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        self.client = can.Bus(interface="slcan", channel=f"socket://127.0.0.1:{self.port}", sleep_after_open=0)
        self.heard, self.on = [], True
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()
        while not self.heard:  # the client is there
            time.sleep(0.01)
        return self

    def listen(self):
        while self.on:
            message = self.client.recv(0.1)
            if message is not None:
                self.heard.append(message)

    def __exit__(self, *_):
        self.on = False
        self.thread.join()
        self.client.shutdown()
        self.process.kill()
        self.process.wait()

    def settle(self):
        """All that is on its way has been heard."""
        def marks():
            return sum(m.arbitration_id == MARK for m in list(self.heard))
        before, until = marks(), time.monotonic() + 60
        subprocess.run([takt, "can", "send", "--bus", f"slcan:127.0.0.1:{self.port}", "7FE#"], check=True, capture_output=True)
        while marks() == before and time.monotonic() < until:
            time.sleep(0.01)

    def replay(self, log, *options, protocol="slcan"):
        """-> exit code, what was said, what was heard of it"""
        self.settle()
        del self.heard[:]
        bus = {"slcan": f"slcan:127.0.0.1:{self.port}", "socketcand": f"socketcand:127.0.0.1:{self.port}/can0"}[protocol]
        done = subprocess.run([takt, "can", "replay", log, "--to", bus, *options], capture_output=True, text=True)
        self.settle()
        return done.returncode, done.stderr, [key(m) for m in self.heard if m.arbitration_id not in OWN and m.arbitration_id != MARK]


def own_log(folder):
    """Every kind of frame, bursts with one stamp among them. -> file, frames with their marks"""
    texts = [("123#", "R"), ("123#0102", "T"), ("1ABCDEF0#1122334455667788", "R"), ("124##1" + "5A" * 64, "R"), ("1ABCDEF1##0" + "00" * 12, "T"), ("125#FF", "R")]
    lines, frames, now = [], [], 1700000000_000000
    for k in range(120):
        text, mark = texts[k % len(texts)]
        now += 0 if k % 5 == 0 else 3777
        lines.append(f"({now // 1000000}.{now % 1000000:06}) can0 {text} {mark}")
    log = folder / "own.log"
    log.write_text("\n".join(lines) + "\n")
    with can.LogReader(log) as reader:
        frames = [(key(m), m.is_rx) for m in reader]
    return log, frames


def check_own(bus, folder):
    log, frames = own_log(folder)
    everything = [k for k, _ in frames]
    dump = subprocess.Popen([takt, "can", "dump", "--bus", f"slcan:127.0.0.1:{bus.port}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    dump.stderr.readline()  # it is on the bus
    began = time.monotonic()
    code, said, heard = bus.replay(log)
    lasted = time.monotonic() - began
    dump.terminate()
    expect("a log of classic and CAN FD frames arrives in its order", code == 0 and heard == everything, (code, said, len(heard)))
    expect("not faster than it was recorded", lasted > 95 * 3777e-6, lasted)  # 95 of 120 steps of 3777 us
    expect("lateness is said", re.search(r"120 frames, 1 times the whole log; late by p50 [\d.]+ us, p99 [\d.]+ us", said), said)
    (folder / "dump.log").write_text(dump.stdout.read())
    with can.LogReader(folder / "dump.log") as reader:
        dumped = [key(m) for m in reader if m.arbitration_id not in OWN and m.arbitration_id != MARK]
    expect("takt can dump has seen the same", dumped == everything, len(dumped))
    for what, options, wanted in (
        ("--direction rx", ("--direction", "rx"), [k for k, is_rx in frames if is_rx]),
        ("--direction tx", ("--direction", "tx"), [k for k, is_rx in frames if not is_rx]),
        ("--only ids", ("--only", "124,1ABCDEF0"), [k for k in everything if k[0] in (0x124, 0x1ABCDEF0)]),
        ("--loop 3", ("--loop", "3", "--speed", "4"), 3 * everything),
    ):
        code, said, heard = bus.replay(log, *options)
        expect(f"{what}: those alone, in their order", code == 0 and heard == wanted and len(wanted) > 0, (code, said, len(heard), len(wanted)))
    again = subprocess.Popen([takt, "can", "replay", log, "--to", f"slcan:127.0.0.1:{bus.port}", "--loop", "0"], stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    again.terminate()
    said = again.communicate(timeout=10)[1]
    expect("--loop 0 goes on until it is interrupted", again.returncode == 0 and int(re.search(r"(\d+) times the whole", said)[1]) >= 2, said)


def check_refusals(bus, folder):
    log, _ = own_log(folder)

    def made(name, text):
        (folder / name).write_bytes(text)
        return folder / name

    good = b"(2.0) can0 123#11\n"
    for what, file, options, wanted in (
        ("an empty log", made("empty.log", b""), {}, "empty.log is empty"),
        ("blank lines", made("blank.log", b"\n\n"), {}, "no log of a format"),
        ("times that go back", made("back.log", good + b"(3.0) can0 123#11\n(2.5) can0 123#22\n"), {}, "back.log:3: this frame is older than the one before it (line 2)"),
        ("a line that is no frame", made("broken.log", good + b"(3.0) can0 123#1\n(4.0) can0 1\n"), {}, "broken.log:2: this line is not understood, nor are 1 others"),
        ("another format", made("x.blf", b"LOGG" + bytes(140)), {}, "is a Vector BLF file"),
        ("a directory", folder, {}, ""),
        ("no frame that is wanted", log, {"options": ("--only", "7FF")}, "none is selected"),
        ("several channels", made("two.log", good + b"(3.0) can1 123#11\n"), {}, "several channels (can0, can1): choose one with --channel"),
        ("again and again what lasts no time", made("one.log", good), {"options": ("--loop", "0")}, "lasts no time"),
        ("CAN FD by socketcand", log, {"protocol": "socketcand"}, "own.log:4: socketcand"),
    ):
        code, said, heard = bus.replay(file, *options.get("options", ()), **{k: v for k, v in options.items() if k != "options"})
        expect(f"{what}: refused, nothing is sent", code != 0 and wanted in said and heard == [], (code, said, len(heard)))
    code, said, heard = bus.replay(folder / "two.log", "--channel", "can1")
    expect("--channel chooses", code == 0 and len(heard) == 1, (code, said))
    for options in (("--speed", "0"), ("--speed", "-1"), ("--direction", "up"), ("--loop", "-1")):
        code, said, heard = bus.replay(log, *options)
        expect(f"{' '.join(options)} is wrong use", code == 2 and heard == [], (code, said))


def check_shared(bus, folder):
    logs = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "can_logs"
    if not os.environ.get("TAKT_SHARED_DATA") or not logs.is_dir():
        print("skipped: no logs in TAKT_SHARED_DATA")
        return
    for file, options in ((logs / "rocketcan/demo-log.log", ("--speed", "4")), (logs / "rocketcan/candump.log", ()), (logs / "rocketcan/candump.asc", ()), (logs / "pretty_j1939/candump.log", ()), (logs / "python-can/test_CanFdMessage.asc", ("--channel", "3"))):
        with can.LogReader(file) as reader:
            wanted = [key(m) for m in reader if m.arbitration_id not in OWN and not m.is_error_frame and ("--channel" not in options or m.channel == 2)]
        code, said, heard = bus.replay(file, *options)
        expect(f"{file.parent.name}/{file.name}: heard as python-can reads it", code == 0 and heard == wanted and len(wanted) > 0, (code, len(heard), len(wanted)))
        print("    " + said.splitlines()[-1])


def main():
    with tempfile.TemporaryDirectory() as name, Server() as bus:
        check_own(bus, pathlib.Path(name))
        check_refusals(bus, pathlib.Path(name))
        check_shared(bus, pathlib.Path(name))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
