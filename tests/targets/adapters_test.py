#!/usr/bin/env python3
"""A plant on a real CAN driver of Linux with an emulated adapter, in a PREEMPT_RT guest: bit rates set by `takt can setup` as ip and the
adapter see them, a plant that refuses another one, states and error counters, bus-off with restart and without the right to it, load, hardware
time stamps. One guest per emulator; a table at the end.

adapters_test.py TAKT EMULATOR OUT
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLANT = ROOT / "tests/end_to_end/driven_rc"
failures = []
row = {}  # of the table


def expect(what, condition, found=""):
    print(("ok   " if condition else "FAIL ") + what + (f": {str(found)[:1200]}" if found != "" else ""), flush=True)
    if not condition:
        failures.append(what)
    return condition


def able(ability, condition, found=""):
    row[ability] = "yes" if expect(ability, condition, found) else "FAILED"


def rig(emulator, stamps):
    fd = "data_bitrate = 2000000\ndata_sample_point = 0.8\n" if emulator == "gs_usb" else ""
    return f"""[rig]
pace = "real"
late = "any"
[bus.can0]
kind         = "can"
channel      = "can0"
dbc          = "{PLANT}/plant.dbc"
simulate     = ["PLANT"]
timeout      = "150 ms"
bitrate      = 500000
sample_point = 0.875
{fd}restart      = "200 ms"
stamps       = "{stamps}"
[bus.can0.receive]
"Answer.drive" = "drive"
[bus.can0.send]
"State.time"    = "control.t"
"State.voltage" = {{ from = "electric.c.v", unit = "V", safe = -1 }}
"State.mode"    = 9
"State.ready"   = 1
"""


def build(takt, out, emulator, stamps):
    (out / f"{stamps}.toml").write_text(rig(emulator, stamps))
    done = subprocess.run([takt, "build", PLANT / "plant.toml", "--rig", out / f"{stamps}.toml", "--out", out / stamps], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def run_guest(takt, emulator, out):
    words = subprocess.run(["bash", "-c", f". {HERE}/adapters/bring_up.sh; adapter_arguments {emulator}"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    plants = [build(takt, out, emulator, stamps) for stamps in ("kernel", "hardware")]
    programs = pathlib.Path(takt).resolve().parent
    return subprocess.run([ROOT / "targets/qemu/run", "-V", "1", "-t", "900", "-o", out / "found", *words, "--", HERE / "adapters_guest.sh", emulator, programs, *plants]).returncode


class Found:
    def __init__(self, folder):
        self.folder = folder

    def text(self, name):
        path = self.folder / name
        return path.read_text() if path.is_file() else ""

    def code(self, name):
        return int(self.text(f"{name}.code") or -1)

    def log(self, name):
        return self.text(f"{name}.log")

    def json(self, name):
        return json.loads(self.text(name) or "null")


def check_setup(emulator, found):
    log = found.log("setup")
    if emulator == "vcan":
        expect("takt can setup: a virtual interface has nothing to set", found.code("setup") == 1 and "a vxcan interface has no controller: there is nothing to set" in log, log)
        expect("takt can state: neither", found.json("state.log")["nominal"] is None and found.json("state.log")["state"] == "unknown", found.log("state"))
        return
    able("bit rate", found.code("setup") == 0 and ("500 kbit/s\n" if emulator == "slcan" else "500 kbit/s, sample point 87.5 %") in log, log)
    told = found.json("ip.log")[0]["linkinfo"]["info_data"]
    said = found.json("state.log")
    timing = told.get("bittiming") or {"bitrate": told.get("bittiming_bitrate")}  # slcan has rates only
    same = timing["bitrate"] == said["nominal"]["bitrate"] == 500000 and round(float(timing.get("sample_point", 0)) * 1000) == round(said["nominal"]["sample_point"] * 1000)
    expect("as ip sees it", same, (timing, said["nominal"], told))
    expect("state as ip sees it", told["state"].replace("-", " ").lower() == said["state"], (told["state"], said["state"]))
    if emulator == "gs_usb":
        data = told["data_bittiming"]
        able("data bit rate", said["fd"] and data["bitrate"] == said["data"]["bitrate"] == 2000000 and abs(said["data"]["sample_point"] - 0.8) < 0.001, (data, said["data"]))
    refuses = "does not restart after bus-off" in log
    restarts = emulator in ("kvaser", "ucan")
    expect("whether the driver restarts is said", refuses != restarts and said["restart_ms"] == (200 if restarts else 0), (log, said["restart_ms"]))
    row["restart by driver"] = "refused" if refuses else "set"
    exact = emulator in ("gs_usb", "ucan")  # it is within half a quantum; the others refuse, or miss by too much
    expect("what the hardware cannot do is said", found.code("unsettable") == (0 if exact else 1) and (exact or "Invalid argument" in found.log("unsettable") or "its hardware does not do it" in found.log("unsettable")), found.log("unsettable"))
    if not exact:
        expect("what was refused has not changed its rate", found.json("as_before.log")["nominal"]["bitrate"] == 500000 or "does not do it" in found.log("unsettable"), found.log("as_before"))
    expect("a plant refuses another bit rate, with the remedy", found.code("refused") != 0 and "bit rate 250 kbit/s, not 500 kbit/s" in found.log("refused") and "takt can setup can0 --bitrate 500000" in found.log("refused"), found.log("refused"))


def events(summary):
    return [event["text"] if isinstance(event, dict) else event for event in summary["io"]["events"]]


def check_run(emulator, found):
    summary = found.json("run.json")
    if not expect("the run ends in order", found.code("run") == 0 and summary is not None, (found.code("run"), found.log("run"))):
        return
    bus, texts = summary["io"]["statistics"]["buses"][0], events(summary)
    link = bus["link"]
    print(json.dumps(link), texts)
    frames = [line.split()[2].split("#")[0] for line in found.log("can1").splitlines()]
    answer = next(message for message in bus["received"] if message["message"] == "Answer")
    able("traffic", frames.count("100") > 350 and answer["frames"] > 150, (frames.count("100"), answer["frames"]))
    if emulator in ("kvaser", "slcan"):
        able("load", 0.01 < link["load_mean"] < 0.1, link["load_mean"])  # 150 frames/s of at most 111 bits, 50 of 63
    if emulator in ("kvaser",):
        return
    off = [k for k, text in enumerate(texts) if "can0: bus-off at" in text]
    able("bus-off seen", len(off) == 1, texts)
    if emulator == "vcan":  # no controller: nothing restarts, frames leave all the time
        expect("and its end", any("the controller is error active at" in text for text in texts[off[0]:]) and link["state"] == "unknown", texts)
        return
    able("error states", [word for word in ("error warning", "error passive") if any(f"the controller is {word} at" in text for text in texts)] == ["error warning", "error passive"], texts)
    if emulator != "ucan":  # its driver passes it on with berr-reporting alone
        expect("nobody acknowledges: counted", bus.get("no_acknowledge", 0) == 1, bus.get("no_acknowledge"))
    by_driver = emulator == "ucan"
    back = [k for k, text in enumerate(texts) if (k > off[0] and "can0: the controller is error active at" in text if by_driver else "can0: restarted after bus-off at" in text)]
    able("restart after bus-off", len(off) == len(back) == 1 and back[0] > off[0] and (link["restarts_by_plant"], link["counts"]["restarts"]) == ((0, 1) if by_driver else (1, 0)), (texts, link))
    expect("the ECU's message times out and comes back", any("Answer timed out" in text for text in texts[off[0]:]) and any("Answer is back" in text for text in texts[off[0]:]), texts)
    expect("bus-off is counted by the driver, too", link["counts"]["bus_off"] == 1, link)
    expect("in the end it is error active", link["state"] == "error active" == found.json("after.log")["state"], link)
    if emulator == "gs_usb":  # that of ucan has no CAN_ERR_CNT
        able("error counters", bus.get("error_counter_sent_most", 0) >= 140, bus)


def check_forbidden(found):
    summary, log = found.json("forbidden.json"), found.log("forbidden")
    expect("without CAP_NET_ADMIN the plant stays off and its run fails", found.code("forbidden") == 1 and "have not left" in log, (found.code("forbidden"), log))
    expect("and says why it was not restarted", any("not restarted after bus-off" in text and "permitted" in text for text in events(summary)), events(summary))
    expect("a plant refuses a controller that is bus-off", found.code("off") != 0 and "takt can restart can0" in found.log("off"), found.log("off"))
    expect("restart needs the right", found.code("may_not") == 1 and "CAP_NET_ADMIN" in found.log("may_not"), found.log("may_not"))
    expect("takt can restart", found.code("restart") == 0 and found.json("restarted.log")["state"] == "error active", (found.log("restart"), found.log("restarted")))


def stamps(text, marked):
    lines = [line.split() for line in text.splitlines() if "200#0114" in line]
    return [float(line[0].strip("()")) for line in lines if not marked or line[-1] == "R"]


def check_stamps(emulator, found):
    if emulator != "gs_usb":
        expect("a driver without hardware time stamps is refused", found.code("stamped") != 0 and "its driver has no hardware time stamps" in found.log("stamped"), found.log("stamped"))
        row["hardware stamps"] = "refused"
        return
    bus = found.json("summary.json")["io"]["statistics"]["buses"][0]
    hardware, traced = stamps(found.log("hardware"), False), stamps(found.log("bus_can0"), True)
    expect("every frame has a stamp of the controller", found.code("stamped") == 0 and bus["without_hardware_stamp"] == 0 and len(traced) > 100, (found.code("stamped"), len(traced), found.log("stamped")))
    # candump began earlier: where the first frame of the trace is in its log, by the distances to the next ones
    spans = [b - a for a, b in zip(hardware, hardware[1:])]
    late = traced[len(traced) // 2:]
    found_at = min(range(len(hardware) - len(late) + 1), key=lambda k: sum(abs((b - a) - s) for a, b, s in zip(late, late[1:], spans[k:])))
    offsets = [a - b for a, b in zip(late, hardware[found_at:])]
    able("hardware stamps", max(offsets) - min(offsets) < 100e-6, f"{(max(offsets) - min(offsets)) * 1e6:.1f} us over {len(late)} frames")


def main():
    takt, emulator, out = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    status = run_guest(takt, emulator, out)
    if status == 77:
        return 77
    found = Found(out / "found")
    if not expect("the guest ends in order", status == 0, status):
        return 1
    check_setup(emulator, found)
    check_run(emulator, found)
    if emulator in ("slcan", "gs_usb"):
        check_forbidden(found)
    check_stamps(emulator, found)
    print(emulator + ": " + ", ".join(f"{ability}: {verdict}" for ability, verdict in row.items()))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
