#!/usr/bin/env python3
"""When values leave a plant: an ECU beside an RC circuit, and a loop whose stability hangs on the delay.

    on_time_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can is missing). Nothing here asserts how fast anything is: a frame that leaves on time can only come later, never earlier."""
import argparse
import math
import pathlib
import struct
import subprocess
import sys
import time

from can_client import can, connect, free_port

failures = []

DBC = """VERSION ""
BU_: PLANT ECU
BO_ 256 State: 4 PLANT
 SG_ value : 0|32@1- (1,0) [0|0] "V" ECU
BO_ 257 Command: 4 ECU
 SG_ drive : 0|32@1- (1,0) [0|0] "{unit}" PLANT
SIG_VALTYPE_ 256 value : 1;
SIG_VALTYPE_ 257 drive : 1;
"""
RIG = """[rig]
pace    = "real"
late = "any"
publish = "{publish}"
[bus.can0]
kind     = "can"
virtual  = true
dbc      = "plant.dbc"
simulate = ["PLANT"]
[bus.can0.receive]
"Command.drive" = "drive"
"Command"       = {{ timeout = "60 s" }}
[bus.can0.send]
"State.value" = "electric.c.v"
"State"       = {{ period = "{period} ms" }}
"""
RC = """[plant]
title = "RC circuit"
error = "off"
[input]
drive = {{ unit = "V", start = "0 V", safe = "0 V" }}
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "drive" }}
r      = {{ is = "resistor", at = ["in", "out"], r = "1 kOhm", heat = "solid.body" }}
c      = {{ is = "capacitor", at = ["out", "gnd"], c = "100 uF" }}
[solid]
body   = {{ is = "wall", m = "1 kg", cp = "400 J/kg/K", start = {{ t = "300 K" }} }}
[solve]
electric = {{ step = "500 us", method = "rk4" }}
solid    = {{ step = "10 ms", method = "heun" }}
[sync]
{sync}
[record]
"100 ms" = ["electric.c.v"]
"""
LOOP = """[plant]
title = "An integrator"
error = "off"
[input]
drive = { unit = "A", start = "0 A", safe = "0 A" }
[electric]
source = { is = "current_source", at = ["gnd", "out"], i = "drive" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "1 F", start = { v = "1 V" } }
[solve]
electric = { step = "50 ms", method = "heun" }
[sync]
plant = { members = ["electric"], every = "50 ms" }
[record]
"50 ms" = ["electric.c.v"]
"""
CLOCKS = """[plant]
title = "Two that count seconds: v of a capacitor, w of an inertia"
error = "off"
[input]
drive = {{ unit = "A", start = "1 A", safe = "1 A" }}
[electric]
source = {{ is = "current_source", at = ["gnd", "out"], i = "drive" }}
c      = {{ is = "capacitor", at = ["out", "gnd"], c = "1 F" }}
[rotational]
motor  = {{ is = "torque_source", at = ["shaft"], torque = "1 N*m" }}
wheel  = {{ is = "inertia", at = ["shaft"], j = "1 kg*m^2" }}
[solve]
electric   = {{ step = "10 ms", method = "heun" }}
mechanical = {{ step = "100 ms", method = "heun" }}
[sync]
fast  = {{ members = ["electric"], every = "10 ms" }}
plant = {{ members = ["fast", "mechanical"], every = "100 ms", scheme = "{scheme}" }}
[record]
"100 ms" = ["electric.c.v", "rotational.shaft.w"]
"""
TAU, H, LOOP_H = 0.1, 0.1, 0.05


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


def both_signals(dbc, rig):
    dbc = dbc.replace("State: 4", "State: 8").replace(" SG_ value", " SG_ wheel : 32|32@1- (1,0) [0|0] \"rad/s\" ECU\n SG_ value", 1) + "SIG_VALTYPE_ 256 wheel : 1;\n"
    return dbc, rig.replace('"State.value"', '"State.wheel" = "rotational.shaft.w"\n"State.value"', 1)


class Plant:
    """A plant in real time and an ECU beside it."""

    def __init__(self, takt, folder, text, publish, period_ms, duration):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plant.toml").write_text(text)
        dbc, rig = DBC.format(unit="A" if "current_source" in text else "V"), RIG.format(publish=publish, period=period_ms)
        if "wheel" in text:
            dbc, rig = both_signals(dbc, rig)
        (folder / "plant.dbc").write_text(dbc)
        (folder / "rig.toml").write_text(rig)
        built = subprocess.run([takt, "build", "plant.toml", "--rig", "rig.toml", "--out", "build"], cwd=folder, capture_output=True, text=True)
        if built.returncode:
            print(built.stderr)
        self.program, self.folder, self.duration = folder / built.stdout.strip(), folder, duration

    def __enter__(self):
        port = free_port()
        self.process = subprocess.Popen([self.program, "--quiet", "--no-report", "--for", f"{self.duration}s", "--out", "run", "--bus", f"can0.port={port}"], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.bus = connect(port)
        return self

    def __exit__(self, *_):
        self.bus.shutdown()
        self.process.terminate()
        self.process.wait(timeout=20)

    def send(self, value):
        self.bus.send(can.Message(arbitration_id=257, is_extended_id=False, data=struct.pack("<f", value)))
        return time.monotonic()

    def receive(self):
        """-> value, when it came; None: nothing came"""
        message = self.bus.recv(2.0)
        return None if message is None else (struct.unpack_from("<f", message.data)[0], time.monotonic())

    def receive_both(self):
        message = self.bus.recv(2.0)
        return None if message is None else struct.unpack("<ff", message.data)


def answers(plant, trials):
    """The first value that is not the one before, and how long after the input it came."""
    found = []
    for trial in range(trials):
        resting, _ = plant.receive()
        time.sleep(0.037 * (trial % 5) * H / 0.1)  # anywhere in the window
        drive = 10.0 if trial % 2 == 0 else 0.0
        sent = plant.send(drive)
        while True:
            answer = plant.receive()
            if answer is None:
                return found
            if abs(answer[0] - resting) > 1e-3:
                break
        found.append((drive, resting, answer[0], answer[1] - sent))
        until = time.monotonic() + 12 * TAU  # at rest again
        while time.monotonic() < until:
            plant.receive()
    return found


def rc(takt, work):
    cases = (("one group", "plant = { members = [\"*\"], every = \"100 ms\" }", H, 100),
             ("a group of 10 ms inside 100 ms", "fast = { members = [\"electric\"], every = \"10 ms\" }\nplant = { members = [\"fast\", \"solid\"], every = \"100 ms\", scheme = \"fast-first\" }", 0.01, 10))
    for number, (name, sync, period_s, period_ms) in enumerate(cases):
        for publish in ("on-time", "early"):
            with Plant(takt, work / f"rc_{number}_{publish}", RC.format(sync=sync), publish, period_ms, 60) as plant:
                found = answers(plant, 6)
            expect(f"{name}, {publish}: the ECU is answered", len(found) == 6, found)
            # A capacitor that has charged for one window, towards the new voltage: d = H.
            wrong = [(was, now) for drive, was, now, _ in found if abs(now - (drive + (was - drive) * math.exp(-period_s / TAU))) > 2e-3 * 10]
            expect(f"{name}, {publish}: what it sees first has charged for d = {period_s} s", not wrong, wrong)
            delays = [delay for *_, delay in found]
            if publish == "on-time":
                expect(f"{name}, {publish}: and leaves no earlier than d after the input", min(delays) >= period_s, delays)
            elif period_s == H:
                expect(f"{name}, {publish}: and leaves before d has passed", min(delays) < period_s, delays)


def loop(takt, work):
    """x' = u, u = -k*x(what came last). On time u of a window is -k*x of the window before the last end: z^2 - z + kH = 0, stable below kH = 1. Early it is
    -k*x of its end: z - 1 + kH = 0, stable below kH = 2."""
    for publish, stable, unstable in (("on-time", 0.6, 1.5), ("early", 1.5, 2.6)):
        program = Plant(takt, work / f"loop_{publish}", LOOP, publish, 50, 30)
        for gain, is_stable in ((stable, True), (unstable, False)):
            with program as plant:
                values = []
                for _ in range(60):
                    answer = plant.receive()
                    if answer is None or abs(answer[0]) > 1e6:
                        break
                    values.append(answer[0])
                    plant.send(-gain / LOOP_H * answer[0])
            size = max(abs(v) for v in values[-6:])
            expect(f"a loop with kH = {gain} is {'stable' if is_stable else 'unstable'} where values leave {publish}", size < 0.1 if is_stable else size > 10.0, [f"{v:.3g}" for v in values[-6:]])


def clocks(takt, work):
    """A window of 100 ms computed before (slow-first) or after those of 10 ms within it: its value leaves at its end, whichever it is."""
    for scheme in ("slow-first", "fast-first"):
        with Plant(takt, work / f"clocks_{scheme}", CLOCKS.format(scheme=scheme), "on-time", 10, 20) as plant:
            seen = [both for both in (plant.receive_both() for _ in range(120)) if both]
        wrong = [both for both in seen if abs(both[1] - math.floor(both[0] * 10 + 0.01) / 10) > 1e-4]
        expect(f"{scheme}: frames come every 10 ms with the slow value of the last 100 ms", len(seen) == 120 and not wrong and seen[-1][0] > 0.5, wrong[:3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    takt = options.takt.resolve()
    rc(takt, options.work.resolve())
    loop(takt, options.work.resolve())
    clocks(takt, options.work.resolve())
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
