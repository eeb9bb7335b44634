#!/usr/bin/env python3
"""The virtual bus of a built plant as unmodified clients see it: python-can by socketcand and by slcan (CAN FD), a browser, clients with
and without the token; and what slcan clients get when the plant dies.

    virtual_bus_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can, cantools or pyserial is missing)."""
import http.client
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import warnings

from built_plants import takt_and_work
from can_client import FD_TIMING, can, cantools, connect, free_port

try:
    import serial  # noqa: F401  python-can's slcan interface needs it
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).parent / "virtual_bus"
SLCAN = {"interface": "slcan", "timing": FD_TIMING}
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


def heard(bus, good, seconds=10.0):
    """The first message that is good; None where it does not come."""
    until = time.time() + seconds
    while time.time() < until:
        message = bus.recv(0.2)
        if message is not None and good(message):
            return message
    return None


class Plant:
    def __init__(self, program, work, name, *options, variables=None):
        self.port, self.out = free_port(), work / name
        self.process = subprocess.Popen([program, "--quiet", "--out", self.out, "--bus", f"can0.port={self.port}", *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **(variables or {})})

    def end(self):
        """What it said on standard error; the exit code and the summary stay here."""
        said = self.process.communicate(timeout=60)[1]
        self.code = self.process.returncode
        self.summary = json.loads((self.out / "summary.json").read_text())
        self.bus = self.summary["io"]["statistics"]["buses"][0]
        return said


def both_protocols(program, work):
    database = cantools.database.load_file(FOLDER / "plant.dbc")
    plant = Plant(program, work, "both")
    fd, classic = connect(plant.port, **SLCAN), connect(plant.port)
    big = heard(fd, lambda m: m.arbitration_id == 16)
    expect("a CAN FD frame of 32 bytes comes", big is not None and big.is_fd and big.bitrate_switch and len(big.data) == 32 and big.data[31] == 77, big)
    short = heard(fd, lambda m: m.arbitration_id == 17)
    expect("a short CAN FD frame comes as such", short is not None and short.is_fd and len(short.data) == 8, short)
    count = heard(fd, lambda m: m.arbitration_id == 18)
    expect("a classic frame comes as such", count is not None and not count.is_fd and len(count.data) == 4, count)
    fd.send(can.Message(arbitration_id=33, is_extended_id=False, is_fd=True, bitrate_switch=True, data=database.encode_message("WIDE", {"wide": 7.0})))
    answer = heard(fd, lambda m: m.arbitration_id == 16 and database.decode_message(16, m.data)["voltage"] > 6.5)
    expect("the plant follows a CAN FD frame", answer is not None, answer)
    classic.send(can.Message(arbitration_id=32, is_extended_id=False, data=database.encode_message("COMMAND", {"command": 5.0})))
    answer = heard(fd, lambda m: m.arbitration_id == 16 and database.decode_message(16, m.data)["voltage"] > 11.5)
    expect("the plant follows a classic frame of the other protocol", answer is not None, answer)
    classic.send(can.Message(arbitration_id=0x18DAF110, is_extended_id=True, data=[1, 2, 3]))
    crossed = heard(fd, lambda m: m.arbitration_id == 0x18DAF110)
    expect("a frame crosses from socketcand to slcan", crossed is not None and crossed.is_extended_id and list(crossed.data) == [1, 2, 3], crossed)
    fd.send(can.Message(arbitration_id=0x18DAF111, is_extended_id=True, data=[4]))
    crossed = heard(classic, lambda m: m.arbitration_id == 0x18DAF111)
    expect("and back", crossed is not None and list(crossed.data) == [4], crossed)
    expect("socketcand clients get no CAN FD frame", heard(classic, lambda m: m.arbitration_id in (16, 17), 0.3) is None)
    fd.shutdown()
    classic.shutdown()
    said = plant.end()
    expect("the start line says who can reach it", "this machine only; socketcand and slcan" in said, said)
    expect("it ends with 0", plant.code == 0, plant.code)
    expect("no frame failed", all(message["failed"] == 0 and message["frames"] > 0 for message in plant.bus["sent"]), plant.bus["sent"])
    by_protocol = {client["protocol"]: client for client in plant.bus["clients"] if client["frames_from"] > 0}
    expect("the summary names what socketcand did not get", by_protocol["socketcand"]["not_carried"] > 0 and by_protocol["slcan"]["not_carried"] == 0, plant.bus["clients"])
    expect("so do the events", any("CAN FD frames or remote requests: socketcand has none" in event["text"] for event in plant.summary["io"]["events"]), plant.summary["io"]["events"])


def browser(program, work):
    """< send ... > in the body of a request must not reach the plant."""
    plant = Plant(program, work, "browser", "--for", "2 s")
    watcher = connect(plant.port)
    for method, body in (("POST", "< open can0 >< rawmode >< send 020 8 e8 03 00 00 00 00 00 00 >"), ("OPTIONS", "O\rt0208E803000000000000\r")):
        request = http.client.HTTPConnection("127.0.0.1", plant.port, timeout=5)
        try:
            request.request(method, "/", body=body)
            request.getresponse()
        except (OSError, http.client.HTTPException):
            pass
        request.close()
    expect("no frame of a request is on the bus", heard(watcher, lambda m: m.arbitration_id == 0x20, 0.5) is None)
    watcher.shutdown()
    plant.end()
    received = {message["message"]: message["frames"] for message in plant.bus["received"]}
    expect("no frame of a request reached the plant", plant.code == 0 and received["COMMAND"] == 0, received)
    expect("requests are counted", plant.bus["clients_ended_not_the_protocol"] == 2, plant.bus)
    expect("and said", any("spoke no protocol of the bus: 2" in event["text"] for event in plant.summary["io"]["events"]), plant.summary["io"]["events"])


def token(program, work):
    variables = {"PLANT_TOKEN": "open-sesame"}
    plant = Plant(program, work, "token", "--bus", "can0.token=env:PLANT_TOKEN", variables=variables)
    text = connect(plant.port, channel="can0/open-sesame")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of btr, which presents the token
        serial_client = connect(plant.port, interface="slcan", btr="open-sesame")
    expect("socketcand with the token hears the plant", heard(text, lambda m: m.arbitration_id == 18) is not None)
    expect("slcan with the token hears the plant", heard(serial_client, lambda m: m.arbitration_id == 16) is not None)
    for what, options in (("socketcand", {"channel": "can0"}), ("slcan", SLCAN)):
        try:
            other = connect(plant.port, **options) if options is SLCAN else can.Bus(interface="socketcand", host="127.0.0.1", port=plant.port, channel="can0")
            got = heard(other, lambda m: not m.is_error_frame, 0.5)
            other.shutdown()
        except (OSError, can.CanError):
            got = None
        expect(f"{what} without it does not", got is None, got)
    text.shutdown()
    serial_client.shutdown()
    said = plant.end()
    expect("the start line says so", "with a token" in said and "open-sesame" not in said, said)
    expect("both were counted", plant.code == 0 and plant.bus["clients_ended_without_token"] == 2, plant.bus)
    for value, wanted in (("env:NO_SUCH_TOKEN", "NO_SUCH_TOKEN"), ("short", "8 to 64")):
        refused = subprocess.run([program, "--quiet", "--out", work / "refused", "--bus", f"can0.token={value}"], capture_output=True, text=True)
        expect(f"token {value} is refused", refused.returncode != 0 and wanted in refused.stderr, refused.stderr)


def commands(takt, program, work):
    """takt can as a client with CAN FD."""
    plant = Plant(program, work, "commands", "--bus", "can0.token=open-sesame")
    connect(plant.port, channel="can0/open-sesame").shutdown()  # it is there
    bus = ["--bus", f"slcan:127.0.0.1:{plant.port}/open-sesame", "--dbc", FOLDER / "plant.dbc"]
    sent = subprocess.run([takt, "can", "send", *bus, "WIDE", "wide=7", "--period", "10ms", "--count", "3"], capture_output=True, text=True)
    expect("takt can sends CAN FD", sent.returncode == 0, sent.stderr)
    dump = subprocess.run([takt, "can", "dump", *bus, "--only", "BIG", "--count", "3", "--json"], capture_output=True, text=True)
    rows = [json.loads(line) for line in dump.stdout.splitlines()]
    expect("takt can shows CAN FD", dump.returncode == 0 and len(rows) == 3 and all(row["message"] == "BIG" and row["signals"]["last"] == 77 for row in rows), dump.stdout + dump.stderr)
    refused = subprocess.run([takt, "can", "dump", "--bus", f"slcan:127.0.0.1:{plant.port}", "--count", "1"], capture_output=True, text=True)
    expect("without the token it is refused", refused.returncode == 1 and "closed" in refused.stderr, refused.stderr)
    plant.end()
    received = {message["message"]: message["frames"] for message in plant.bus["received"]}
    expect("the plant got them", plant.code == 0 and received["WIDE"] == 3, received)


def death(program, work):
    plant = Plant(program, work, "death", "--for", "30 s")
    fd, classic = connect(plant.port, **SLCAN), connect(plant.port)
    expect("it lives", heard(fd, lambda m: m.arbitration_id == 16) is not None and heard(classic, lambda m: m.arbitration_id == 18) is not None)
    os.kill(plant.process.pid, signal.SIGKILL)
    database = cantools.database.load_file(FOLDER / "plant.dbc")
    safe = heard(fd, lambda m: m.arbitration_id == 16 and database.decode_message(16, m.data)["voltage"] == -1.0)
    expect("killed: the slcan client gets the safe CAN FD frame", safe is not None and safe.is_fd and safe.data[31] == 77, safe)
    safe = heard(classic, lambda m: m.arbitration_id == 18 and database.decode_message(18, m.data)["mark"] == 22136)
    expect("killed: the socketcand client gets the safe classic frame", safe is not None, safe)
    plant.process.communicate(timeout=30)
    for bus in (fd, classic):
        try:
            bus.shutdown()
        except (OSError, can.CanError):
            pass


def main():
    takt, work = takt_and_work()
    built = subprocess.run([takt, "build", FOLDER / "plant.toml", "--rig", FOLDER / "rig.toml", "--out", work / "build"], capture_output=True, text=True)
    expect("a rig with CAN FD on the virtual bus is built", built.returncode == 0, built.stderr)
    expect("what socketcand does not have is said by name", "B037" in built.stderr and "BIG, SHORT, WIDE" in built.stderr and "COUNT" not in built.stderr, built.stderr)
    program = pathlib.Path(built.stdout.strip())
    for part in (both_protocols, browser, token, death):
        part(program, work)
    commands(takt, program, work)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
