#!/usr/bin/env python3
"""SocketCAN in a PREEMPT_RT guest: the ev plant with config/rigs/ev.toml and the ECU program talk over vcan0 while candump
watches, cansend injects a torque request, and the ECU is killed. Time in the guest is virtual, so every period is judged.

socketcan_test.py PLANT ECU OUT
"""

import json
import pathlib
import shutil
import subprocess
import sys

try:
    import cantools
except ImportError:
    print("skipped: cantools is missing (tools/install_packages.sh python)")
    sys.exit(77)

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INJECTED_TORQUE = 80.0  # N*m
failures = []


def expect(what, condition, found=""):
    print(("ok   " if condition else "FAIL ") + what + (f": {found}" if found != "" else ""))
    if not condition:
        failures.append(what)


def run_guest(plant, ecu, frame, out):
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run(
        [ROOT / "targets/qemu/run", "-V", "1", "-t", "900", "-k", "can-raw,vcan", "-o", out,
         "-s", "ip link add vcan0 type vcan && ip link set vcan0 up", "--",
         HERE / "socketcan_guest.sh", plant, ecu, frame])
    return done.returncode


class Log:
    """Frames of candump -L, decoded: (seconds, name, raw data, signals)."""

    def __init__(self, path, database):
        self.frames = []
        self.unknown = 0
        for line in path.read_text().splitlines():
            stamp, _, text = line.split()
            identifier, data = text.split("#")
            try:
                message = database.get_message_by_frame_id(int(identifier, 16))
            except KeyError:
                self.unknown += 1
                continue
            raw = bytes.fromhex(data)
            signals = message.decode(raw, decode_choices=False)
            self.frames.append((float(stamp.strip("()")), message.name, raw, signals))

    def times(self, name, begin, end, without=b""):
        return [t for t, n, raw, _ in self.frames if n == name and begin <= t < end and raw != without]

    def values(self, name, signal, begin, end):
        return [s[signal] for t, n, _, s in self.frames if n == name and begin <= t < end]


def check_periods(log, database, moments, frame_data):
    end = moments["kill"]
    first = [min(log.times(message.name, moments["start"], end, frame_data), default=end) for message in database.messages]
    begin = max(moments["start"] + 2.0, *first)  # a loaded host takes longer to load the programs
    for message in database.messages:
        times = log.times(message.name, begin, end, frame_data)
        expected = (end - begin) / (message.cycle_time / 1000.0)
        mean_ms = (times[-1] - times[0]) / (len(times) - 1) * 1000.0 if len(times) > 1 else 0.0
        expect(f"{message.name} of {message.senders[0]} comes every {message.cycle_time} ms",
               abs(len(times) - expected) <= 0.02 * expected + 2 and abs(mean_ms - message.cycle_time) <= 0.02 * message.cycle_time,
               f"{len(times)} frames, mean period {mean_ms:.3f} ms")


def check_start_up(log, moments):
    begin, inject = moments["start"], moments["inject"]
    pack = log.values("BMS_State", "pack_voltage", inject - 1, inject)
    expect("battery reports a plausible voltage", pack and 300 < min(pack) and max(pack) < 420, pack[-1:])
    expect("key is on", set(log.values("DRIVER_Command", "key", inject - 1, inject)) == {1})
    expect("ECU precharges first", 1 in log.values("VCU_Contactors", "precharge", begin, inject))
    expect("then the main contactor is closed",
           set(log.values("BMS_Contactors", "main_closed", inject - 1, inject)) == {1})


def check_injection(log, moments, frame_data):
    inject, injected = moments["inject"], moments["injected"]
    before = [abs(t) for t in log.values("MCU_State", "torque", inject - 1, inject)]
    during = log.values("MCU_State", "torque", inject, injected + 0.05)
    seen = len([1 for _, _, raw, _ in log.frames if raw == frame_data])
    expect("injected frames are on the bus", seen == 160, seen)
    expect("without them the machine rests", max(before) < 2, f"{max(before)} N*m")
    expect("the machine follows an injected torque request", max(during) > 0.25 * INJECTED_TORQUE, f"{max(during)} N*m")


def check_drive(log, moments):
    kill = moments["kill"]
    speed = log.values("VEH_State", "speed", kill - 1, kill)
    expect("ECU drives the vehicle", speed and min(speed) > 5, f"{speed[-1:]} km/h")


def check_safe_state(log, moments, summary):
    kill = moments["kill"]
    silent = log.times("VCU_Torque", kill + 0.05, kill + 60)
    expect("the killed ECU is silent", not silent, len(silent))
    expect("main contactor opens", set(log.values("BMS_Contactors", "main_closed", kill + 0.4, kill + 3)) == {0})
    torque = [abs(t) for t in log.values("MCU_State", "torque", kill + 0.5, kill + 3)]
    expect("machine gives no torque", torque and max(torque) < 2, f"{max(torque, default=-1)} N*m")
    text = json.dumps(summary)
    expect("summary tells of the time-out", "VCU_Torque" in text and "safe" in text)


def main():
    plant, ecu, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    database = cantools.database.load_file(ROOT / "config/can/ev.dbc")
    torque = database.get_message_by_name("VCU_Torque")
    data = torque.encode({"torque_request": INJECTED_TORQUE, "enable": 1, "alive": 15})
    # The ECU's own requests differ: at standstill it asks for none.
    status = run_guest(plant, ecu, f"{torque.frame_id:03X}#{data.hex()}", out)
    if status == 77:
        return 77
    expect("plant ends in order", status == 0, status)
    if not (out / "run/summary.json").exists():
        print((out / "plant.log").read_text() if (out / "plant.log").exists() else "no output of the plant")
        return 1
    expect("kernel is PREEMPT_RT", (out / "realtime").read_text().strip() == "1")
    moments = {name: float(t) for name, t in (line.split() for line in (out / "moments").read_text().splitlines())}
    summary = json.loads((out / "run/summary.json").read_text())
    log = Log(out / "candump.log", database)
    expect("only messages of the database are on the bus", log.unknown == 0, log.unknown)
    check_periods(log, database, moments, data)
    check_start_up(log, moments)
    check_injection(log, moments, data)
    check_drive(log, moments)
    check_safe_state(log, moments, summary)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
