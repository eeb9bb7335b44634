#!/usr/bin/env python3
"""One plant on two CAN buses of different kinds of channel: vcan0 by SocketCAN and a virtual bus with a python-can client, in a
PREEMPT_RT guest in virtual time. Both feed the plant, each carries its own messages and no other. Then a plant with CAN FD on vcan0: a
classic interface is refused by the names of its messages; with CAN FD, faults of the bus act as they do on the virtual one.

two_buses_test.py TAKT OUT
"""

import csv
import json
import pathlib
import re
import shutil
import subprocess
import sys

try:
    import can  # noqa: F401: the client needs it
except ImportError:
    print("skipped: python-can is missing (tools/install_packages.sh python)")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLANT = ROOT / "tests/end_to_end/driven_rc"
FD = ROOT / "tests/end_to_end/virtual_bus"
RIG = f"""[rig]
pace = "real"
late = "any"

[bus.outer]
kind     = "can"
channel  = "vcan0"
dbc      = "{PLANT}/plant.dbc"
simulate = ["PLANT"]
timeout  = "60 s"
[bus.outer.receive]
"Answer.drive" = "drive"
[bus.outer.send]
"State.time"    = "control.t"
"State.voltage" = {{ from = "electric.c.v", unit = "V", safe = -1 }}
"Supply"        = {{ off = true }}

[bus.inner]
kind     = "can"
virtual  = true
port     = 29600
dbc      = "{PLANT}/plant.dbc"
simulate = ["PLANT"]
timeout  = "60 s"
[bus.inner.receive]
"Answer.alive" = "alive"
[bus.inner.send]
"Supply.on"       = "control.seen"
"Supply.ignition" = 1
"State"           = {{ off = true }}
"""
failures = []


def expect(what, condition, found=""):
    print(("ok   " if condition else "FAIL ") + what + (f": {found}" if found != "" else ""), flush=True)
    if not condition:
        failures.append(what)


def main():
    takt, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    (out / "rig.toml").write_text(RIG)
    built = subprocess.run([takt, "build", PLANT / "plant.toml", "--rig", out / "rig.toml", "--out", out / "plant"], stdout=subprocess.PIPE, text=True, check=True)
    fd_built = subprocess.run([takt, "build", FD / "plant.toml", "--rig", FD / "rig.toml", "--out", out / "fd_plant"], stdout=subprocess.PIPE, text=True, check=True)
    found = out / "found"
    client = ROOT / "tests/with_python.sh"
    (out / "client").write_text(f"#!/bin/sh\nexec {client} {HERE}/two_buses_client.py \"$@\"\n")
    (out / "client").chmod(0o755)
    status = subprocess.run([ROOT / "targets/qemu/run", "-V", "1", "-t", "900", "-k", "can-raw,vcan", "-o", found, "-s", "ip link set lo up && ip link add vcan0 type vcan && ip link set vcan0 up",
                             "--", HERE / "two_buses_guest.sh", built.stdout.strip(), out / "client", fd_built.stdout.strip()]).returncode
    if status == 77:
        return 77
    logs = "\n".join((found / name).read_text() for name in ("plant.log", "client.log") if (found / name).is_file())
    expect("plant and client end in order", status == 0, (status, logs))
    if status != 0:
        return 1
    summary = json.loads((found / "summary.json").read_text())
    buses = {bus["name"]: bus for bus in summary["io"]["statistics"]["buses"]}
    expect("the summary has both", set(buses) == {"outer", "inner"}, list(buses))
    expect("each says what it is", all(word in logs for word in ("bus outer: SocketCAN vcan0", "bus inner: virtual bus")), logs)

    outer = [line.split()[2] for line in (found / "vcan0.log").read_text().splitlines()]
    expect("vcan0: the plant's State every 10 ms, and what was sent to it", sum(text.startswith("100#") for text in outer) >= 380 and outer.count("200#0014") == 20, len(outer))
    expect("vcan0: nothing of the other bus", {text.split("#")[0] for text in outer} == {"100", "200"})
    inner = json.loads((found / "virtual.json").read_text())
    supply = [data for identifier, data in inner if identifier == 0x101]
    expect("virtual bus: Supply, and nothing of the other bus", len(supply) > 50 and len(supply) == len(inner), len(inner))
    expect("virtual bus: what the client has sent comes back by the plant", supply[-1] == "03", supply[-1:])

    rows = list(csv.reader((found / "signals.csv").open()))
    column = next(k for k, name in enumerate(rows[0]) if name.startswith("electric.c.v"))
    last = float(rows[-1][column])
    expect("vcan0: the plant has taken 20 V from it", abs(last - 20.0) < 0.1, last)

    refused = (found / "classic.log").read_text()
    expect("a classic interface is refused by the names of what it does not carry", (found / "classic.status").is_file() and "BIG, SHORT of the plant are CAN FD" in refused, refused)
    frames = [line.split()[2] for line in (found / "fd.log").read_text().splitlines()]
    expect("CAN FD: long and short messages come as such", all(sum(re.match(name + "##[1357]", text) is not None for text in frames) > 200 for name in ("010", "011")), frames[:2])  # lowest bit of the flags: BRS
    expect("a message that is dropped does not come", not any(text.startswith("012#") for text in frames))
    bus = json.loads((found / "fd.json").read_text())["io"]["statistics"]["buses"][0]
    command = next(message for message in bus["received"] if message["message"] == "COMMAND")
    expect("three of five frames come twice", command["frames"] == 8 and command["met_a_fault"] == 3, command)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
