#!/usr/bin/env python3
"""What a run keeps of the frames on its bus: a log of candump and MF4 by ASAM bus logging, against what clients of the virtual bus have sent and
heard; read by python-can, cantools, asammdf and takt can, turned into ASC and BLF and back; after kill -9 and on a full disk.

    bus_trace_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can, cantools, pyserial or asammdf is missing)."""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from built_plants import takt_and_work
from can_client import FD_TIMING, can, cantools, connect, free_port

try:
    import asammdf
    import serial  # noqa: F401  python-can's slcan interface needs it
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).parent / "virtual_bus"
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


def key(message, with_stamp=False):
    """What two readings of one frame have in common."""
    rest = (message.arbitration_id, message.is_extended_id, message.is_remote_frame, message.is_fd, message.bitrate_switch, bytes(message.data))
    return (round(message.timestamp * 1e6), message.is_rx, *rest) if with_stamp else rest


def keys(messages, **options):
    return [key(message, **options) for message in messages]


def read(path):
    with can.LogReader(path) as log:
        return list(log)


class Plant:
    def __init__(self, program, out, *options, **popen):
        self.port, self.out = free_port(), out
        self.begin = time.time()
        self.process = subprocess.Popen([program, "--quiet", "--out", out, "--bus", f"can0.port={self.port}", *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **popen)

    def end(self):
        self.said = self.process.communicate(timeout=60)[1]
        self.code = self.process.returncode
        self.summary = json.loads((self.out / "summary.json").read_text())
        self.bus = self.summary["io"]["statistics"]["buses"][0]


def random_frames(count):
    """Classic and CAN FD, with 11 and 29 bits, of every length."""
    dice = random.Random(20)
    frames = []
    for k in range(count):
        extended, fd = dice.random() < 0.5, k % 2 == 1
        length = dice.choice((0, 1, 7, 8, 12, 16, 20, 24, 32, 48, 64)) if fd else dice.randrange(9)
        frames.append(can.Message(arbitration_id=dice.randrange(0x100, 0x1FFFFFFF if extended else 0x7FF), is_extended_id=extended, is_fd=fd, bitrate_switch=fd and dice.random() < 0.5, data=dice.randbytes(length)))
    return frames


def exchange(program, work):
    """Two clients send; a third, which has everything on the bus, listens from the start to the end. -> the run"""
    plant = Plant(program, work / "both")
    listener = connect(plant.port, interface="slcan", timing=FD_TIMING)
    fd, classic = connect(plant.port, interface="slcan", timing=FD_TIMING), connect(plant.port)
    while listener.recv(0.5) is None:  # all are there once the plant speaks
        pass
    sent, heard = random_frames(400), []
    for k, frame in enumerate(sent):
        (fd if frame.is_fd or k % 4 == 0 else classic).send(frame)
        heard.append(listener.recv(0))
        time.sleep(0.002)
    fd.send(can.Message(arbitration_id=0x7F0, is_extended_id=False, is_remote_frame=True, dlc=3))
    database = cantools.database.load_file(FOLDER / "plant.dbc")
    command = can.Message(arbitration_id=32, is_extended_id=False, data=database.encode_message("COMMAND", {"command": 5.0}))
    classic.send(command)
    sent.append(command)
    while plant.process.poll() is None:
        try:
            heard.append(listener.recv(0.2))
        except (OSError, can.CanError):
            break
    for bus in (listener, fd, classic):
        try:
            bus.shutdown()
        except (OSError, can.CanError):
            pass
    plant.end()
    plant.sent, plant.heard = sent, [message for message in heard if message is not None]
    return plant


def both_formats(program, work):
    plant = exchange(program, work)
    log, mdf = read(plant.out / "bus_can0.log"), read(plant.out / "bus_can0.mf4")
    traced = {one["file"]: one for one in plant.bus["trace"]["files"]}
    expect("the run ends well and keeps all", plant.code == 0 and plant.bus["trace"]["dropped"] == 0 and all(one["lost"] == 0 for one in traced.values()), (plant.code, plant.said, plant.bus["trace"]))
    expect("both files have as many frames as the summary says", len(log) == traced["bus_can0.log"]["frames"] == traced["bus_can0.mf4"]["frames"] == len(mdf), (len(log), len(mdf), traced))
    frames = keys(log)
    received, own = [key(m) for m in log if m.is_rx], [key(m) for m in log if not m.is_rx]
    expect("what clients have sent is received, all of it, as it was, and nothing else", sorted(k for k in received if not k[2]) == sorted(keys(plant.sent)) and [k[:3] for k in received if k[2]] == [(0x7F0, False, True)], (len(received), len(plant.sent)))
    for what, chosen in (("slcan", [m for k, m in enumerate(plant.sent[:-1]) if m.is_fd or k % 4 == 0]), ("socketcand", [m for k, m in enumerate(plant.sent) if not (m.is_fd or k % 4 == 0) or k == len(plant.sent) - 1])):
        wanted = keys(chosen)
        expect(f"of the {what} client in its order", [k for k in received if k in set(wanted)] == wanted, len(wanted))
    expect("what the plant has sent is marked so, and is as much as it counts", len(own) == sum(one["frames"] for one in plant.bus["sent"]) and {k[0] for k in own} == {16, 17, 18}, (len(own), plant.bus["sent"]))
    heard = [key(m) for m in plant.heard]
    at = next((k for k in range(len(frames)) if frames[k : k + 20] == heard[:20]), None)
    wanted = None if at is None else frames[at : at + len(heard)]
    expect("a client has heard the same frames in the same order", wanted == heard and len(heard) > 1000, (at, len(heard), len(frames), None if wanted is None else next((k for k in range(len(wanted)) if wanted[k] != heard[k]), None)))
    stamps = [m.timestamp for m in log]
    expect("stamps never go back and are UTC", stamps == sorted(stamps) and plant.begin < stamps[0] < stamps[-1] < time.time(), (plant.begin, stamps[0], stamps[-1]))
    expect("both files are equal, to the microsecond", sorted(keys(log, with_stamp=True)) == sorted(keys(mdf, with_stamp=True)))
    expect("and in the same order, but for the remote request", keys([m for m in log if not m.is_remote_frame], with_stamp=True) == keys([m for m in mdf if not m.is_remote_frame], with_stamp=True))
    return plant, log


def in_asammdf(plant, log):
    database = cantools.database.load_file(FOLDER / "plant.dbc")
    wanted = [(m.timestamp, database.decode_message(16, m.data)["voltage"]) for m in log if m.arbitration_id == 16 and not m.is_extended_id]
    with asammdf.MDF(plant.out / "bus_can0.mf4") as mdf:
        begin = mdf.header.start_time.timestamp()
        for what, signal in (("get_can_signal", mdf.get_can_signal("CAN1.BIG.voltage", database=FOLDER / "plant.dbc")), ("extract_bus_logging", mdf.extract_bus_logging(database_files={"CAN": [(str(FOLDER / "plant.dbc"), 0)]}).get("BIG.voltage"))):
            found = list(zip(signal.timestamps, signal.samples))
            same = len(found) == len(wanted) and all(abs(a[0] + begin - b[0]) < 1.5e-6 and abs(a[1] - b[1]) < 1e-9 for a, b in zip(found, wanted))
            expect(f"asammdf's {what} decodes what cantools decodes of the log", same and len(wanted) > 100 and max(v for _, v in wanted) > 4.9, (len(found), len(wanted), found[:2], wanted[:2]))


def in_takt_can(takt, plant, log):
    file = plant.out / "bus_can0.log"
    decoded = subprocess.run([takt, "can", "decode", file, "--dbc", FOLDER / "plant.dbc", "--json"], capture_output=True, text=True)
    rows = [json.loads(line) for line in decoded.stdout.splitlines()]
    database = cantools.database.load_file(FOLDER / "plant.dbc")
    same = len(rows) == len(log) and all(abs(row["time_s"] - m.timestamp) < 1.5e-6 for row, m in zip(rows, log))
    for row in rows:
        if row.get("message") == "COUNT" and "signals" in row:
            frame = bytes.fromhex(row["frame"].split("#")[1])
            same = same and database.decode_message("COUNT", frame)["count"] == row["signals"]["count"]
    expect("takt can decode reads the log as python-can and cantools do", decoded.returncode == 0 and same and " 0 lines not understood" in decoded.stderr, decoded.stderr)
    (plant.out / "again.jsonl").write_text(decoded.stdout)
    encoded = subprocess.run([takt, "can", "encode", "--dbc", FOLDER / "plant.dbc", "--from", plant.out / "again.jsonl"], capture_output=True, text=True)
    (plant.out / "again.log").write_text(encoded.stdout)
    own = [m for m in log if not m.is_remote_frame]
    again = [m for m in read(plant.out / "again.log") if not m.is_remote_frame]
    expect("takt can encode makes the same frames of it", encoded.returncode == 0 and keys(again) == keys(own), (encoded.stderr, len(again), len(own)))
    stats = subprocess.run([takt, "can", "stats", file, "--json"], capture_output=True, text=True)
    counted = sum(json.loads(line)["frames"] for line in stats.stdout.splitlines())
    expect("takt can stats counts as many", stats.returncode == 0 and counted == len(log), (counted, len(log)))
    refused = subprocess.run([takt, "can", "decode", plant.out / "bus_can0.mf4", "--dbc", FOLDER / "plant.dbc"], capture_output=True, text=True)
    expect("MF4 is refused by name, and the log is named", refused.returncode != 0 and "ASAM MDF" in refused.stderr and "bus_can0.log" in refused.stderr, refused.stderr)


def converted(plant, log):
    """python-can's can_logconvert; ASC keeps stamps to 1 us from its first frame on, BLF to 1 ns. python-can takes an empty CAN FD frame of an ASC
    file for a remote request: those stay out."""
    lines = (plant.out / "bus_can0.log").read_text().splitlines(keepends=True)
    (plant.out / "plain.log").write_text("".join(line for line in lines if len(line.split()[2].split("##")[-1]) != 1))
    without = [m for m in log if m.data or not m.is_fd]
    for before, after, wanted in (("plain.log", "bus.asc", without), ("bus.asc", "bus.blf", without), ("bus.blf", "bus.back.log", without), ("bus_can0.mf4", "bus.mf4.log", log)):
        done = subprocess.run([sys.executable, "-m", "can.logconvert", plant.out / before, plant.out / after], capture_output=True, text=True)
        expect(f"can_logconvert {before} {after}", done.returncode == 0, done.stderr)
        found = read(plant.out / after)
        apart = [a.timestamp - b.timestamp for a, b in zip(found, wanted)]
        # MF4 has remote requests in a group of their own: their place among equal stamps is lost.
        in_order = keys(found) == keys(wanted) or (before.endswith("mf4") and keys([m for m in found if not m.is_remote_frame]) == keys([m for m in wanted if not m.is_remote_frame]) and len(found) == len(wanted))
        expect(f"{after} has the same frames in the same order", in_order, (len(found), len(wanted), next((k for k in zip(keys(found), keys(wanted)) if k[0] != k[1]), None)))
        expect(f"{after} has the same stamps, but for one offset", max(apart) - min(apart) < 2e-6, (min(apart), max(apart)))
    try:
        done = subprocess.run(["log2asc", "-I", plant.out / "bus_can0.log", "can0"], capture_output=True, text=True)
    except FileNotFoundError:
        print("skipped: no can-utils")
        return
    ways = [" Rx " in line for line in done.stdout.splitlines() if " Rx " in line or " Tx " in line]
    expect("log2asc of can-utils reads it, directions too", done.returncode == 0 and ways == [m.is_rx for m in log], (len(ways), len(log), done.stderr))


def killed(program, work):
    plant = Plant(program, work / "killed", "--for", "30 s")
    client = connect(plant.port)
    time.sleep(3)
    client.send(can.Message(arbitration_id=0x321, is_extended_id=False, data=[1]))
    time.sleep(1.5)
    os.kill(plant.process.pid, signal.SIGKILL)
    plant.process.communicate(timeout=30)
    log, mdf = read(plant.out / "bus_can0.log"), read(plant.out / "bus_can0.mf4")
    both = min(len(log), len(mdf))  # one is flushed before the other
    expect("kill -9: both files are readable and have what was flushed", both > 500 and keys(log, with_stamp=True)[:both] == keys(mdf, with_stamp=True)[:both], (len(log), len(mdf)))
    expect("kill -9: a frame from 1.5 s before is there", any(m.arbitration_id == 0x321 for m in log) and any(m.arbitration_id == 0x321 for m in mdf))
    try:
        client.shutdown()
    except (OSError, can.CanError):
        pass


def full_disk(program, work):
    if os.geteuid() != 0:
        print("skipped: a full file system needs root")
        return
    for name in ("candump", "mf4"):
        disk = work / "small"
        disk.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1400k", "none", disk], check=True)
        try:
            plant = Plant(program, disk / "run", "--bus", f"can0.trace={name}", "--no-report", "--for", "8 s")
            talker = connect(plant.port)
            until = time.time() + 7
            while time.time() < until and plant.process.poll() is None:
                for _ in range(10):
                    talker.send(can.Message(arbitration_id=0x123, is_extended_id=False, data=bytes(8)))
                time.sleep(0.01)
            try:
                talker.shutdown()
            except (OSError, can.CanError):
                pass
            plant.end()
            file, = plant.bus["trace"]["files"]
            expect(f"full disk, {name}: said at once and at the end, exit code 1", plant.code == 1 and "the run goes on" in plant.said and any("cannot write" in w and file["file"] in w and f"{file['lost']} frames are missing" in w for w in plant.summary["warnings"]), (plant.code, plant.said, plant.summary["warnings"]))
            found = read(plant.out / file["file"])
            expect(f"full disk, {name}: what is there is counted and readable, what is not too", len(found) == file["frames"] > 500 and file["lost"] > 0 and all(m.arbitration_id in (0x123, 16, 17, 18) for m in found), (file, len(found)))
            expect(f"full disk, {name}: the run has computed to its end", abs(plant.summary["simulated_s"] - 8.0) < 1e-9, plant.summary["simulated_s"])
        finally:
            subprocess.run(["umount", "--lazy", disk], check=True)


def asked_for(program, work):
    """Rig file and command line."""
    plant = Plant(program, work / "off", "--bus", "can0.trace=off", "--for", "0.2 s")
    plant.end()
    expect("--bus can0.trace=off: no trace", plant.code == 0 and "trace" not in plant.bus and not list(plant.out.glob("bus_*")), plant.bus)
    plant = Plant(program, work / "one", "--bus", "can0.trace=mf4", "--for", "0.2 s")
    plant.end()
    expect("--bus can0.trace=mf4: that alone", plant.code == 0 and [p.name for p in plant.out.glob("bus_*")] == ["bus_can0.mf4"], list(plant.out.glob("bus_*")))
    wrong = subprocess.run([program, "--out", work / "wrong", "--bus", "can0.trace=blf"], capture_output=True, text=True)
    expect("an unknown format is refused", wrong.returncode == 2 and "write candump, mf4" in wrong.stderr, (wrong.returncode, wrong.stderr))
    none = subprocess.run([program, "--quiet", "--no-results", "--for", "0.1 s", "--bus", f"can0.port={free_port()}"], capture_output=True, text=True)
    expect("without results there is no trace, which is said", none.returncode == 0 and "no trace" in none.stderr, none.stderr)


def main():
    takt, work = takt_and_work()
    rig = work / "rig.toml"
    rig.write_text((FOLDER / "rig.toml").read_text().replace('"plant.dbc"\n', f'"{FOLDER / "plant.dbc"}"\ntrace    = ["candump", "mf4"]\n'))
    built = subprocess.run([takt, "build", FOLDER / "plant.toml", "--rig", rig, "--out", work / "build"], capture_output=True, text=True)
    expect("a rig with traces is built", built.returncode == 0, built.stderr)
    program = pathlib.Path(built.stdout.strip())
    plant, log = both_formats(program, work)
    in_asammdf(plant, log)
    in_takt_can(takt, plant, log)
    converted(plant, log)
    killed(program, work)
    full_disk(program, work)
    asked_for(program, work)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
