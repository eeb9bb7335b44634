#!/usr/bin/env python3
"""End-to-end protection of a built plant's messages on the virtual bus, both ways, against autosar-e2e and crccheck.

    protect_test.py --takt build/release/bin/takt --work DIR

What the plant sends, the client takes and finds nothing wrong with but what was injected; what the client does wrong, the plant
counts and reacts to as the rig says. A supervisor goes on with the counters of a dead plant, a plant that has hung with those of
the supervisor. Ends with 0, 1 or 77 (a package of tools/requirements.txt is missing)."""
import collections
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from built_plants import build_with_rig, takt_and_work
from can_client import can, connect, free_port

try:
    import crccheck
    import e2e
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).parent / "protect"
LIST, PLAIN_IDS = bytes(range(17, 33)), (1, 2, 3)
NIBBLE, ALT = e2e.p11.E2E_P11_DATAID_NIBBLE, e2e.p01.E2E_P01_DATAID_ALT
H2F = crccheck.crc.Crc(8, 0x2F, 0xFF, False, False, 0xFF)
CCITT = crccheck.crc.Crc(16, 0x1021, 0xFFFF, False, False, 0)
SAFE, PATIENCE = 65535, 30.0
failures = []

Sent = collections.namedtuple("Sent", "name is_right counter counters value")
SENT = {
    0x101: Sent("S01", lambda d: e2e.p01.e2e_p01_check(d, 0x123), lambda d: d[1] & 15, 15, lambda d: d[2:4]),
    0x102: Sent("S02", lambda d: e2e.p02.e2e_p02_check(d, LIST), lambda d: d[1] & 15, 16, lambda d: d[2:4]),
    0x104: Sent("S04", lambda d: e2e.p04.e2e_p04_check(d, 0x0A0B0C0D), lambda d: int.from_bytes(d[2:4], "big"), 1 << 16, lambda d: d[12:14]),
    0x105: Sent("S05", lambda d: e2e.p05.e2e_p05_check(d, 0x1234), lambda d: d[2], 256, lambda d: d[3:5]),
    0x106: Sent("S06", lambda d: e2e.p06.e2e_p06_check(d, 0x1234), lambda d: d[4], 256, lambda d: d[5:7]),
    0x107: Sent("S07", lambda d: e2e.p07.e2e_p07_check(d, 0x0A0B0C0D), lambda d: int.from_bytes(d[12:16], "big"), 1 << 32, lambda d: d[20:22]),
    0x111: Sent("S11", lambda d: e2e.p11.e2e_p11_check(d, 0x345, data_id_mode=NIBBLE), lambda d: d[1] & 15, 15, lambda d: d[2:4]),
    0x122: Sent("S22", lambda d: e2e.p02.e2e_p02_check(d, LIST), lambda d: d[1] & 15, 16, lambda d: d[2:4]),
    0x130: Sent("SP", lambda d: H2F.calc(bytes(d[:7]) + bytes([PLAIN_IDS[(d[6] & 15) % 3]])) == d[7], lambda d: d[6] & 15, 15, lambda d: d[0:2]),
    0x131: Sent("PAGES", lambda d: e2e.p05.e2e_p05_check(d, 0x77), lambda d: d[2], 256, lambda d: d[4:6]),
    0x132: Sent("REST", lambda d: e2e.p01.e2e_p01_check(d, 0x99, data_id_mode=ALT), lambda d: d[1] & 15, 15, lambda d: d[2:4]),
    0x134: Sent("CHANGE", lambda d: e2e.p05.e2e_p05_check(d, 0x78), lambda d: d[2], 256, lambda d: d[4:5]),
}
ECHO = 0x133


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


class Judge:
    """What the receiver of another implementation finds in a row of frames."""

    def __init__(self):
        self.frames = collections.defaultdict(list)

    def add(self, message):
        self.frames[message.arbitration_id].append(bytearray(message.data))

    def verdict(self, identity):
        sent, last, found = SENT[identity], None, collections.Counter()
        for data in self.frames[identity]:
            found["frames"] += 1
            if not sent.is_right(data):
                found["wrong"] += 1
                continue
            counter = sent.counter(data)
            step = 1 if last is None else (counter - last) % sent.counters
            last = counter
            if step == 0:
                found["repeated"] += 1
            elif step > max(sent.counters // 2, 1):
                found["back"] += 1
            else:
                found["lost"] += step - 1
        return found

    def faults(self, identity):
        return {what: count for what, count in self.verdict(identity).items() if what != "frames" and count > 0}


def start(program, work, *options):
    port = free_port()
    plant = subprocess.Popen([program, "--quiet", "--audit", "off", "--out", work, "--bus", f"can0.port={port}", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return plant, connect(port, interface="slcan")


def receive(bus, judge, condition, patience=PATIENCE):
    """Until the condition on a message, or on None where nothing comes for 0.2 s. -> whether it came before the end"""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            message = bus.recv(0.2)
        except (OSError, can.CanError):
            return False
        if message is not None:
            judge.add(message)
        if condition(message):
            return True
    return False


def summary_of(work):
    summary = json.loads((work / "summary.json").read_text())
    bus = summary["io"]["statistics"]["buses"][0]
    return summary, {message["message"]: message for message in bus["sent"] + bus["received"]}


def finish(plant, bus, judge):
    receive(bus, judge, lambda message: message is None and plant.poll() is not None)
    said = plant.communicate(timeout=30)[1]
    bus.shutdown()
    return said


# ------------------------------------------------------------------------- what the plant sends
def test_sent(program, work):
    plant, bus = start(program, work / "sound", "--for", "3 s")
    judge = Judge()
    said = finish(plant, bus, judge)
    expect("sound: the run ends with 0", plant.returncode == 0, said)
    for identity, sent in SENT.items():
        found = judge.verdict(identity)
        wanted = (found["frames"] <= 3) if sent.name == "CHANGE" else (found["frames"] > 100)
        expect(f"sound: all frames of {sent.name} are right and in sequence", wanted and judge.faults(identity) == {}, dict(found))
    values = [int.from_bytes(SENT[0x101].value(data), "little") for data in judge.frames[0x101]]
    expect("sound: they carry the plant's values, the safe one at the end", values[-1] == SAFE and values[:-1] == sorted(values[:-1]) and values[-2] > 500, values[-3:])
    expect("sound: the rest bus keeps its start value", {bytes(data[2:4]) for data in judge.frames[0x132]} == {b"\x34\x12"}, judge.frames[0x132][:2])
    pages = [data[3] for data in judge.frames[0x131]]
    expect("sound: both pages come, under one counter", set(pages) == {0, 1}, pages[:4])


def test_faults_sent(program, work):
    injected = {"S01": "drop x1", "S02": "drop x3", "S05": "duplicate x2", "S06": "delay 70 ms x1", "REST": "drop x2", "S07": "checksum x4", "S11": "checksum x1", "S22": "counter x3", "SP": "counter x1", "PAGES": "reorder x1"}
    actions = [part for name, fault in injected.items() for part in ("--action", f"1500 ms: inject can0.send.{name} {fault}")]
    plant, bus = start(program, work / "faults", "--for", "3 s", *actions)
    judge = Judge()
    finish(plant, bus, judge)
    found = {sent.name: judge.faults(identity) for identity, sent in SENT.items()}
    expect("faults: drop x1 is one lost", found["S01"] == {"lost": 1}, found["S01"])
    expect("faults: drop x3 is three lost", found["S02"] == {"lost": 3}, found["S02"])
    expect("faults: drop x2 of the rest bus", found["REST"] == {"lost": 2}, found["REST"])
    expect("faults: duplicate x2 is two repeated", found["S05"] == {"repeated": 2}, found["S05"])
    expect("faults: delay is one out of its turn", found["S06"].get("back") == 1 and found["S06"].get("lost", 0) > 1 and len(found["S06"]) == 2, found["S06"])
    expect("faults: checksum x4 is four wrong, whose counters are missed", found["S07"] == {"wrong": 4, "lost": 4}, found["S07"])
    expect("faults: checksum x1", found["S11"] == {"wrong": 1, "lost": 1}, found["S11"])
    expect("faults: counter x3 is three repeated", found["S22"] == {"repeated": 3}, found["S22"])
    expect("faults: counter x1 of the plain form", found["SP"] == {"repeated": 1}, found["SP"])
    # Of each page one frame changes places with the next of its page; the other page's counter lies between.
    expect("faults: reorder is out of turn", found["PAGES"].get("back", 0) > 0 and "wrong" not in found["PAGES"] and "repeated" not in found["PAGES"], found["PAGES"])
    for key, fault, wanted in (("send.ECHO", "checksum", "has no checksum that the rig knows"), ("receive.R05", "counter 3", "means nothing here"), ("send.ECHO", "counter", "has no counter")):
        refused = subprocess.run([program, "--quiet", "--no-results", "--bus", f"can0.{key}={fault}"], capture_output=True, text=True)
        expect(f"faults: {key}={fault} is refused", refused.returncode != 0 and wanted in refused.stderr, refused.stderr)
    expect("faults: the others are sound", not any(found[name] for name in found if name not in injected), found)


def test_restart(program, work):
    """By values, which tell where the node was silent: its first frame after that has the first counter."""
    plant, bus = start(program, work / "restart", "--for", "3 s", "--action", "1 s: inject can0.node.PLANT stopped", "--action", "2 s: clear can0.node.PLANT")
    judge = Judge()
    finish(plant, bus, judge)
    for identity in (0x101, 0x102, 0x105, 0x130, 0x131):
        sent = SENT[identity]
        rows = [(int.from_bytes(sent.value(data), "little"), sent.counter(data)) for data in judge.frames[identity]]
        first = [counter for (a, _), (b, counter) in zip(rows, rows[1:]) if 100 < b - a < 1000]
        expect(f"restart: {sent.name} of a node that was stopped begins anew", first == [1 if sent.name == "S02" else 0], first)


# ------------------------------------------------------------------------- what it receives
def r01(counter, value):
    data = bytearray(8)
    data[1], data[2:4] = counter % 15, value.to_bytes(2, "little")
    e2e.p01.e2e_p01_protect(data, 0x321, increment_counter=False)
    return data


def r05(counter, value):
    data = bytearray(8)
    data[2], data[3:5] = counter % 256, value.to_bytes(2, "little")
    e2e.p05.e2e_p05_protect(data, 0x4321, increment_counter=False)
    return data


def r07(counter, value):
    data = bytearray(32)
    data[12:16], data[20:22] = counter.to_bytes(4, "big"), value.to_bytes(2, "little")
    e2e.p07.e2e_p07_protect(data, 0x4321, increment_counter=False)
    return data


def rp(counter, value):
    data = bytearray(8)
    data[0:2], data[2] = value.to_bytes(2, "little"), counter % 16
    data[6:8] = CCITT.calc(bytes(data[0:6])).to_bytes(2, "big")
    return data


RECEIVED = {"R01": (0x201, r01, 0), "R05": (0x205, r05, 2), "R07": (0x207, r07, 4), "RP": (0x230, rp, 6)}
GOOD, WRONG = "good", "wrong"
# (counter, value, what): 4 comes again, 6 is lost, then a jump by 6.
SCRIPT = [(0, 11, GOOD), (1, 12, GOOD), (2, 13, GOOD), (3, 14, GOOD), (4, 900, WRONG), (4, 15, GOOD), (4, 901, GOOD), (5, 16, GOOD), (7, 17, GOOD), (13, 902, GOOD), (14, 18, GOOD)]
BAD = {900, 901, 902}


def send(bus, name, counter, value, what=GOOD):
    identity, make, _ = RECEIVED[name]
    data = make(counter, value)
    if what == WRONG:
        data[-1 if name != "RP" else 3] ^= 0x10
    fd = len(data) > 8
    bus.send(can.Message(arbitration_id=identity, is_extended_id=False, is_fd=fd, bitrate_switch=fd, data=data))


def echoed(message, name):
    at = RECEIVED[name][2]
    return int.from_bytes(message.data[at:at + 2], "little")


def shows(bus, judge, wanted):
    """Until the plant shows these values of its inputs. -> whether it did"""
    return receive(bus, judge, lambda m: m is not None and m.arbitration_id == ECHO and all(echoed(m, name) == value for name, value in wanted.items()))


def test_received(program, work):
    plant, bus = start(program, work / "received", "--for", "60 s")
    judge, last = Judge(), {}
    for counter, value, what in SCRIPT:
        for name in RECEIVED:
            send(bus, name, counter, value, what)
            if value not in BAD or name == "R05":
                last[name] = value
        expect(f"received: counter {counter}, value {value}, {what}: taken as the rig says", shows(bus, judge, last), last)
    # Nothing but wrong frames: who ignores them loses the message.
    wrong = 0
    until = time.monotonic() + PATIENCE
    timed_out = False
    while not timed_out and time.monotonic() < until:
        for name in RECEIVED:
            send(bus, name, 15, 903, WRONG)
        wrong += 1
        timed_out = receive(bus, judge, lambda m: m is not None and m.arbitration_id == ECHO and all(echoed(m, name) == (903 if name == "R05" else 7) for name in RECEIVED), 0.1)
    expect("received: wrong frames alone are a time-out, but where they are taken", timed_out, wrong)
    for name in RECEIVED:
        send(bus, name, 15, 19)
    expect("received: the next right one is taken again", shows(bus, judge, dict.fromkeys(RECEIVED, 19)))
    plant.send_signal(signal.SIGINT)
    finish(plant, bus, judge)
    summary, messages = summary_of(work / "received")
    for name in RECEIVED:
        m = messages[name]
        expect(f"received: {name}: each fault is counted", (m["wrong_checksum"], m["repeated"], m["lost"], m["wrong_sequence"]) == (1 + wrong, 1, 1, 1), m)
        # The time-out may have come between two of the wrong frames, and the last of them after it.
        taken = len(SCRIPT) + wrong + 1 if name == "R05" else len(SCRIPT) - len(BAD) + 1
        expect(f"received: {name}: {taken} frames are taken", m["frames"] == taken, m["frames"])
    text = f"protection found frames of R01: {1 + wrong} with a wrong checksum, 1 repeated, 1 lost, 1 out of sequence; R05: "
    expect("received: the report says it", any(text in event["text"] for event in summary["io"]["events"]), [event["text"] for event in summary["io"]["events"]][-3:])
    with open(work / "received/signals.csv", newline="") as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    column = next(k for k, name in enumerate(rows[0]) if "seen01" in name)
    seen = {float(row[column]) for row in rows[1:] if row[column].replace(".", "").replace("-", "").replace("e", "").isdigit()}
    expect("received: a value of a wrong frame never was in the plant", seen >= {11.0, 16.0, 17.0, 18.0, 7.0, 19.0} and not seen & {float(bad) for bad in BAD | {903}}, seen)


def test_faults_received(program, work):
    """What the plant does to frames on their way to it, its own check finds."""
    plant, bus = start(program, work / "disturbed", "--for", "60 s", "--bus", "can0.receive.R01=drop x2", "--bus", "can0.receive.R05=duplicate x3", "--bus", "can0.receive.R07=checksum x4",
                       "--action", "2 s: inject can0.receive.RP counter x2")
    judge = Judge()
    for k in range(12):
        for name in RECEIVED:
            send(bus, name, k + 1, 100 + k)
        shows(bus, judge, {"RP": 100 + k})
    receive(bus, judge, lambda m: m is not None and m.arbitration_id == 0x101 and 410 < int.from_bytes(m.data[2:4], "little"))  # 2 s have passed
    for k in range(12, 15):
        send(bus, "RP", k + 1, 100 + k)
        receive(bus, judge, lambda m: False, 0.05)
    expect("disturbed: a frame with the counter of the one before is not taken, one with its own is", shows(bus, judge, {"RP": 114}))
    plant.send_signal(signal.SIGINT)
    finish(plant, bus, judge)
    _, messages = summary_of(work / "disturbed")
    expect("disturbed: duplicate x3 is three repeated", (messages["R05"]["repeated"], messages["R05"]["lost"]) == (3, 0), messages["R05"])
    expect("disturbed: the first frames are lost, of which nobody knows", messages["R01"]["lost"] == 0, messages["R01"])
    expect("disturbed: checksum x4 is four wrong", (messages["R07"]["wrong_checksum"], messages["R07"]["frames"]) == (4, 8), messages["R07"])
    expect("disturbed: counter x2 is two repeated, and two lost", (messages["RP"]["repeated"], messages["RP"]["lost"], messages["RP"]["frames"]) == (2, 2, 13), messages["RP"])


# ------------------------------------------------------------------------- the supervisor
def test_supervisor(program, work):
    plant, bus = start(program, work / "killed", "--for", "60 s")
    judge = Judge()
    receive(bus, judge, lambda m: len(judge.frames[0x101]) > 30)
    os.kill(plant.pid, signal.SIGKILL)
    killed = {identity: len(frames) for identity, frames in judge.frames.items()}
    receive(bus, judge, lambda m: m is None and min(len(judge.frames[identity]) - killed[identity] for identity in SENT if SENT[identity].name != "CHANGE") > 10)
    plant.communicate(timeout=30)
    bus.shutdown()
    for identity, sent in SENT.items():
        found, after = judge.faults(identity), judge.frames[identity][killed.get(identity, 0):]
        # What was on its way out of the plant when it died may be lost with it, once.
        is_good = not found or (set(found) == {"lost"} and found["lost"] <= 2)
        expect(f"killed: frames of the supervisor follow those of the plant: {sent.name}", is_good and len(after) >= (1 if sent.name == "CHANGE" else 10), (found, len(after)))
        if sent.name not in ("REST", "CHANGE"):
            expect(f"killed: with the safe value: {sent.name}", int.from_bytes(sent.value(after[-1]), "little") == SAFE, after[-1].hex())

    plant, bus = start(program, work / "stopped", "--for", "60 s")
    judge = Judge()
    receive(bus, judge, lambda m: len(judge.frames[0x101]) > 30)
    os.kill(plant.pid, signal.SIGSTOP)
    safe = receive(bus, judge, lambda m: m is not None and m.arbitration_id == 0x101 and int.from_bytes(m.data[2:4], "little") == SAFE)
    receive(bus, judge, lambda m: False, 0.3)
    os.kill(plant.pid, signal.SIGCONT)
    back = receive(bus, judge, lambda m: m is not None and m.arbitration_id == 0x101 and int.from_bytes(m.data[2:4], "little") != SAFE)
    receive(bus, judge, lambda m: False, 0.3)
    plant.send_signal(signal.SIGINT)
    finish(plant, bus, judge)
    expect("stopped: safe values come, then the plant's again", safe and back)
    for identity, sent in SENT.items():
        # Where both send at once, for the time of one release, they may take the same counter.
        found = judge.faults(identity)
        expect(f"stopped: the plant goes on with the counter of its supervisor: {sent.name}", found.get("wrong", 0) == 0 and sum(found.values()) <= 1, found)


def main():
    takt, work = takt_and_work()
    program = build_with_rig(takt, work, FOLDER / "plant.toml", FOLDER / "rig.toml")
    for test in (test_sent, test_faults_sent, test_restart, test_received, test_faults_received, test_supervisor):
        test(program, work)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
