#!/usr/bin/env python3
"""The emulated CAN adapters alone, without Takt: what each Linux driver can do with them, by can-utils and `ip`. One guest each.

adapters_alone_test.py PROGRAMS OUT    PROGRAMS: the folder of the built adapters

Prints a line for each ability: yes (shown), refused (driver or emulator said no), not there (nothing to see). EXPECTED is what the
drivers of Debian's 6.1 kernel do; a test of Takt that relies on an ability fails here first if that changes.
"""

import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EMULATORS = ("kvaser", "slcan", "gs_usb", "ucan", "vcan")
FD_FLAGS = (1, 5)  # of linux/can.h: CANFD_BRS, since Linux 5.14 beside CANFD_FDF
EXPECTED = {  # in the order of EMULATORS
    "interfaces are found down, stopped": ("yes", "yes", "yes", "yes", "not there"),
    "a frame passes both ways": ("yes", "yes", "yes", "yes", "yes"),
    "the bit rate set is what the adapter got": ("yes", "yes", "yes", "yes", "refused"),
    "the data bit rate set is what the adapter got": ("refused", "refused", "yes", "refused", "not there"),
    "64 bytes pass with a switch of the bit rate": ("refused", "refused", "yes", "refused", "yes"),
    "stamps of the hardware, equal at both ends": ("not there", "not there", "yes", "not there", "not there"),
    "ip shows warning, passive, bus-off": ("refused", "yes", "yes", "yes", "refused"),
    "ip counts warning, passive, bus-off": ("refused", "yes", "yes", "yes", "refused"),
    "error frames tell states with counters": ("refused", "yes", "yes", "yes", "refused"),
    "berr-reporting on": ("yes", "refused", "refused", "yes", "refused"),
    "an error frame tells a missing acknowledgement": ("refused", "yes", "yes", "yes", "refused"),
    "ip shows error counters": ("yes", "not there", "not there", "not there", "not there"),
    "bus-off takes the carrier away": ("refused", "yes", "not there", "yes", "refused"),
    "no frame passes in bus-off": ("refused", "yes", "yes", "yes", "refused"),
    "a sender in bus-off sees its frame as sent": ("refused", "yes", "not there", "yes", "refused"),
    "down and up restores": ("yes", "yes", "yes", "yes", "yes"),
    "restart restores, an error frame tells": ("refused", "refused", "refused", "yes", "refused"),
    "restart-ms": ("yes", "refused", "refused", "yes", "refused"),
    "restart-ms restores, an error frame tells": ("refused", "refused", "refused", "yes", "refused"),
    "a frame is lost on demand": ("refused", "yes", "yes", "yes", "refused"),
    "a frame is late on demand": ("refused", "yes", "yes", "yes", "refused"),
}


class Observed:
    """What a guest left behind."""

    def __init__(self, emulator, folder):
        self.emulator = emulator
        self.folder = folder
        self.frames = self.read_frames("frames.log")
        self.stamps = self.read_frames("stamps.log")
        self.attempts = dict(line.split(maxsplit=1) for line in self.text("attempts").splitlines())

    def text(self, name):
        path = self.folder / name
        return path.read_text() if path.exists() else ""

    def read_frames(self, name):
        """[(stamp, interface, frame)]"""
        return [(float(stamp.strip("()")), interface, frame) for stamp, interface, frame in map(str.split, self.text(name).splitlines())]

    def link(self, step, interface="can0"):
        path = self.folder / f"{step}.json"
        links = json.loads(path.read_text()) if path.exists() else []
        return next((link for link in links if link["ifname"] == interface), {})

    def can(self, step, interface="can0"):
        return self.link(step, interface).get("linkinfo", {}).get("info_data", {})

    def refused(self, attempt):
        return self.attempts.get(attempt, "0").split()[0] != "0"

    def passed(self, *frames):
        """Whether each of "IDENTIFIER#DATA" was seen at both interfaces."""
        return all({interface for _, interface, frame in self.frames if frame == wanted} == {"can0", "can1"} for wanted in frames)

    def seen(self, interface, frame):
        return any(i == interface and f == frame for _, i, f in self.frames)


def yes(condition):
    return "yes" if condition else "NO"


def nominal_rates(observed):
    """The bit rates that the adapter or, at kvaser, the driver's registers got for can0 and can1, first setting first."""
    if observed.emulator == "kvaser":  # QEMU ignores the registers: read what the driver wrote. 8 MHz; NXP SJA1000 data sheet
        rates = []
        for interface in ("can0", "can1"):
            low, high = (int(x, 16) for x in re.search(interface + r": setting BTR0=(\w+) BTR1=(\w+)", observed.text("kernel.log")).groups())
            rates.append(8e6 / ((low & 0x3F) + 1) / (1 + (high & 0xF) + 1 + (high >> 4 & 7) + 1))
        return rates
    return [timing_rates(observed, channel, "bit_timing")[0] for channel in (0, 1)]


def timing_rates(observed, channel, what):
    log = observed.text("adapter.log")
    if observed.emulator == "slcan":
        return [float(x) for x in re.findall(rf"^channel {channel} bit_rate (\d+)", log, re.M)]
    pattern = rf"^channel {channel} {what} prop (\d+) phase1 (\d+) phase2 (\d+) sjw \d+ brp (\d+) clock (\d+)"
    rates = []
    for match in re.findall(pattern, log, re.M):
        prop, phase1, phase2, brp, clock = map(int, match)
        rates.append(clock / brp / (1 + prop + phase1 + phase2))
    return rates


def bit_rate(o):
    if o.refused("bit_rate"):
        return "refused"
    told = [o.can("active", i).get("bittiming", {}).get("bitrate") or o.can("active", i).get("bittiming_bitrate") for i in ("can0", "can1")]
    return yes(told == [250000, 250000] == nominal_rates(o))


def data_bit_rate(o):
    if "fd" not in o.attempts:
        return "not there"
    if o.refused("fd"):
        return "refused"
    nominal, data = o.can("fd")["bittiming"], o.can("fd")["data_bittiming"]
    got = [(timing_rates(o, c, "bit_timing")[-1], timing_rates(o, c, "data_bit_timing")) for c in (0, 1)]
    return yes((nominal["bitrate"], data["bitrate"]) == (500000, 2000000) and got == [(500000, [2000000])] * 2)


def hardware_stamps(o):
    if o.stamps and all(stamp == 0 for stamp, _, _ in o.stamps):
        return "not there"
    by_frame = {}
    for stamp, interface, frame in o.stamps:
        by_frame.setdefault(frame, {})[interface] = stamp
    both = [stamps for stamps in by_frame.values() if len(stamps) == 2]
    times = [stamps["can1"] for stamps in both]
    return yes(len(both) >= 7 and all(s["can0"] == s["can1"] > 0 for s in both) and times == sorted(set(times)))


def states(o):
    found = [o.can(step).get("state") for step in ("active", "warning", "passive", "bus_off")]
    return yes(found == ["ERROR-ACTIVE", "ERROR-WARNING", "ERROR-PASSIVE", "BUS-OFF"])


def state_counts(o):
    counts = o.link("bus_off").get("linkinfo", {}).get("info_xstats", {})
    return yes([counts.get(k) for k in ("error_warning", "error_passive", "bus_off", "restarts")] == [1, 1, 1, 0])


def error_frames(o):
    """Identifiers and data of linux/can/error.h; the counters are those that the guest's script commanded."""
    warning, passive, bus_off = "#0008000000006407", "#0010000000000B8C", "20000040#0000000000000000"
    controller = "20000004" if o.emulator == "ucan" else "20000204"  # CAN_ERR_CRTL, with and without CAN_ERR_CNT
    found = [frame for _, interface, frame in o.frames if interface == "can0" and re.match("20000(204|004|040)#", frame)]
    return yes(found[:3] == [controller + warning, controller + passive, bus_off])


def acknowledge(o):
    errors = [int(frame.split("#")[0], 16) for _, interface, frame in o.frames if interface == "can0" and re.match("[0-9A-F]{8}#", frame)]
    return yes(sum(error & 0x20000020 == 0x20000020 for error in errors) == 1)


def carrier(o):
    if "LOWER_UP" in o.link("bus_off")["flags"]:
        return "not there"
    return yes("NO-CARRIER" in o.link("bus_off")["flags"] and "LOWER_UP" in o.link("up")["flags"])


def silent(o):
    """201 was sent at can0, 202 at can1; what was sent after them has arrived, so they will not."""
    return yes(o.passed("301#", "302#") and o.seen("can1", "202#") and not o.seen("can1", "201#") and not o.seen("can0", "202#"))


def restarted(o, step, *frames):
    """RESTARTED, the class of error frames of linux/can/error.h, comes once for each restart."""
    number = {"restarted": 1, "restarted_itself": 2}[step]
    told = sum(interface == "can0" and frame == "20000100#0000000000000000" for _, interface, frame in o.frames)
    counted = o.link(step).get("linkinfo", {}).get("info_xstats", {}).get("restarts")
    return yes(o.can(step).get("state") == "ERROR-ACTIVE" and counted == number and told == 2 and o.passed(*frames))


def restored(o):
    state = o.can("down").get("state"), o.can("up").get("state")
    wanted = (None, None) if o.emulator == "vcan" else ("STOPPED", "ERROR-ACTIVE")
    return yes(state == wanted and o.passed("301#", "302#", "601#", "602#"))


def late(o):
    arrived = next((stamp for stamp, interface, frame in o.frames if interface == "can1" and frame == "402#"), 0)
    return yes(arrived >= float(o.text("before_delay")) + 0.3)


def abilities(o):
    def told(judge):  # of emulators that obey
        return "refused" if o.refused("warning") else judge(o)

    found = [(o.can("found", i).get("state"), "UP" in o.link("found", i).get("flags", ["UP"])) for i in ("can0", "can1")]
    return [
        "not there" if found == [(None, False)] * 2 else yes(found == [("STOPPED", False)] * 2),
        yes(o.passed("101#0102", "102#03")),
        bit_rate(o),
        data_bit_rate(o),
        "refused" if o.refused("fd_frame") else yes(any(o.passed(f"501##{flags}" + "A5" * 64) for flags in FD_FLAGS)),
        hardware_stamps(o),
        told(states),
        told(state_counts),
        told(error_frames),
        "refused" if o.refused("bus_errors") else "yes",
        told(acknowledge),
        yes(o.can("active")["berr_counter"] == {"tx": 0, "rx": 0}) if "berr_counter" in o.can("active") else "not there",
        told(carrier),
        told(silent),
        told(lambda o: "yes" if o.seen("can0", "201#") else "not there"),
        restored(o),
        "refused" if o.refused("restart") else restarted(o, "restarted", "211#", "212#"),
        "refused" if o.refused("restart_ms") else yes(o.attempts["restart_by_hand"].startswith("2 ")),
        "refused" if o.refused("restart_ms") else told(lambda o: restarted(o, "restarted_itself", "311#", "312#")),
        "refused" if o.refused("drop") else yes(o.passed("402#") and o.seen("can0", "401#") and not o.seen("can1", "401#")),
        "refused" if o.refused("drop") else late(o),
    ]


def run_guest(emulator, programs, out):
    script = f'. "{HERE}/adapters/bring_up.sh"; adapter_arguments {emulator}'
    words = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True).stdout.splitlines()
    guest = [HERE / "adapters_alone_guest.sh", emulator, programs]
    return subprocess.run([ROOT / "targets/qemu/run", "-t", "600", *words, "-o", out / emulator, "--", *guest]).returncode


def main():
    programs, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(lambda emulator: run_guest(emulator, programs, out), EMULATORS))
    if 77 in codes:
        return 77
    wrong = 0
    for emulator, code, *_ in zip(EMULATORS, codes):
        if code != 0:
            print(f"FAIL {emulator}: the guest ended with {code}\n{(out / emulator / 'guest.log').read_text()}")
            wrong += 1
            continue
        column = EMULATORS.index(emulator)
        for (ability, expected), found in zip(EXPECTED.items(), abilities(Observed(emulator, out / emulator)), strict=True):
            mark = "ok  " if found == expected[column] else "FAIL"
            wrong += mark == "FAIL"
            print(f"{mark} {emulator:7} {ability:48} {found}" + ("" if mark == "ok  " else f", expected: {expected[column]}"))
    return 1 if wrong else 0


sys.exit(main())
