#!/usr/bin/env python3
"""The rest bus: simulated nodes send all their messages, those that carry nothing of the plant with their start values. Nodes that
stop, a bus that is cut, a node that babbles. Then rigs of one line per node for databases of others.

    rest_bus_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

from built_plants import build_with_rig, takt_and_work
from can_client import can, cantools, connect, frames_until_end, free_port

FOLDER = pathlib.Path(__file__).parent / "rest_bus"
DATA = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", ""))
# Of each: nodes, and whether the database has cycle times.
DATABASES = {"cantools/abs.dbc": ["ABS", "DRS_MM5_10"], "cantools/socialledge.dbc": ["DRIVER", "SENSOR", "IO", "MOTOR"],
             "opendbc/cadillac_ct6_powertrain.dbc": None, "opendbc/bmw_e9x_e8x.dbc": None}
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


class Run:
    """A plant for some seconds, and every frame of it."""

    def __init__(self, program, work, seconds, *more, command_until=0.0):
        port = free_port()
        self.plant = subprocess.Popen([program, "--quiet", "--for", f"{seconds} s", "--out", work, "--bus", f"can0.port={port}", *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.frames = []
        with connect(port) as bus:
            begin = time.monotonic()
            sender = threading.Thread(target=self.command, args=(bus, begin + command_until))
            sender.start()
            for message in frames_until_end(bus, self.plant):
                message.timestamp = time.monotonic()  # as seen here; the plant's own would be its word alone
                self.frames.append(message)
            sender.join()
        self.said = self.plant.communicate(timeout=60)[1]
        summary = work / "summary.json"
        self.summary = json.loads(summary.read_text()) if summary.exists() else {}
        self.bus = self.summary["io"]["statistics"]["buses"][0] if self.summary else {}
        self.sent = {message["message"]: message for message in self.bus.get("sent", [])}

    def command(self, bus, until):
        while time.monotonic() < until:
            try:
                bus.send(can.Message(arbitration_id=288, is_extended_id=False, data=[0, 0]))
            except (OSError, can.CanError):
                return
            time.sleep(0.02)

    def of(self, identifier):
        return [frame for frame in self.frames if frame.arbitration_id == identifier]


def all_messages(database, run, seconds, nodes, default_ms, left_out=()):
    """Every message of the nodes is there with its id, length, start values; cantools reads each frame."""
    wrong, periods = [], []
    seen = collections.defaultdict(list)
    for frame in run.frames:
        seen[frame.arbitration_id, frame.is_extended_id].append(frame)
    expected = [message for message in database.messages if set(message.senders) & set(nodes) and message.name not in left_out and message.length <= 8]
    for message in expected:
        frames = seen[message.frame_id, message.is_extended_frame]
        period = (message.cycle_time or default_ms) / 1000.0
        # The client comes later than the plant, and a loaded machine leaves periods out.
        if not 0.3 * seconds / period <= len(frames) <= 1.05 * seconds / period + 2:
            wrong.append(f"{message.name}: {len(frames)} frames in {seconds} s at {period} s")
            continue
        stamps = [frame.timestamp for frame in frames]
        intervals = [b - a for a, b in zip(stamps, stamps[1:])]
        if len(intervals) > 4 and abs(statistics.median(intervals) - period) > 0.2 * period:
            wrong.append(f"{message.name}: every {statistics.median(intervals):.4f} s in place of {period} s")
        periods += [1000.0 * (interval - period) for interval in intervals]
        for frame in frames[:1] + frames[-1:]:
            if len(frame.data) != message.length:
                wrong.append(f"{message.name}: {len(frame.data)} bytes in place of {message.length}")
                continue
            try:
                values = message.decode(bytes(frame.data), decode_choices=False, scaling=False)
            except Exception as error:  # whatever it is, cantools cannot read the frame
                wrong.append(f"{message.name}: {error}")
                continue
            wrong += [f"{message.name}.{signal.name}: raw {values[signal.name]}, start value {signal.raw_initial}"
                      for signal in message.signals
                      if signal.raw_initial is not None and not signal.is_multiplexer and signal.name in values and values[signal.name] != signal.raw_initial]
    unknown = set(seen) - {(message.frame_id, message.is_extended_frame) for message in expected} - {(256, False)}
    off = sorted(abs(period) for period in periods)
    text = f"{len(expected)} messages, {len(run.frames)} frames, |period - cycle| p50 {statistics.median(off):.2f} ms, p99 {off[int(0.99 * len(off))]:.2f} ms" if off else "no frames"
    return expected, wrong + [f"frames of id {identifier}" for identifier in unknown], text


def own_nodes(takt, work):
    program = build_with_rig(takt, work, FOLDER / "plant.toml", FOLDER / "rig.toml")
    database = cantools.database.load_file(FOLDER / "nodes.dbc", strict=False)
    run = Run(program, work / "sound", 3)
    expect("sound: the run ends with 0", run.plant.returncode == 0, run.said)
    # OFTEN has another period by the rig; PARTS is sent by a transport protocol.
    expected, wrong, text = all_messages(database, run, 3, ["PLANT", "GATE"], 200, ("UNUSED", "PARTS", "OFTEN", "COUNT"))
    often = len(run.of(265))
    expect(f"sound: {text}", not [w for w in wrong if w != "frames of id (265, False)"] and len(expected) == 7, wrong)
    expect("sound: the period of the rig file", 100 < often <= 1.05 * 300, often)  # the run itself lasts longer on a busy machine
    expect("sound: what carries a signal of the plant has its values", run.of(256) and int.from_bytes(run.of(256)[-1].data[:2], "little") >= 590, len(run.of(256)))
    expect("sound: a multiplexer shows a page that there is", {frame.data[0] for frame in run.of(258)} == {3} and run.of(258)[0].data[1:3] == b"\x34\x12", run.of(258)[:1])
    expect("sound: what is off is not sent", not run.of(260) and "UNUSED" not in run.sent, run.sent.keys())
    expect("sound: the summary counts what the client has seen", run.sent["SHARED"]["rest"] and 0 <= run.sent["SHARED"]["frames"] - len(run.of(263)) < 30, (run.sent["SHARED"], len(run.of(263))))

    actions = ("1 s: inject can0.node.GATE stopped", "2 s: clear can0.node.GATE")
    run = Run(program, work / "stopped", 4, *(part for action in actions for part in ("--action", action)))
    times = {identifier: [frame.timestamp for frame in run.of(identifier)] for identifier in (256, 263, 264)}
    gap = max(zip(times[263], times[263][1:]), key=lambda pair: pair[1] - pair[0], default=(0, 0))
    between = [t for t in times[256] if gap[0] < t < gap[1]]
    expect("stopped: the node is silent, the other is not", len(between) > 20, (gap, len(between)))
    after = [t for t in times[264] if t > gap[1]]
    before_later = [t for t in times[263] if gap[1] <= t < after[0]] if after else []
    expect("stopped: back again, its messages begin as at the start", 5 <= len(before_later) <= 22, len(before_later))
    # Of three rest messages, two of 20 ms and one of 10 ms, in one second.
    lost = run.bus.get("frames_lost_with_stopped_nodes", {}).get("GATE", 0)
    expect("stopped: counted", 100 <= lost <= 205, lost)
    expect("stopped: the actions are in the summary", [action["action"] for action in run.summary["actions"]] == [action.split(": ")[1] for action in actions], run.summary["actions"])

    run = Run(program, work / "ecu", 3, "--bus", "can0.node.ECU=stopped", command_until=2.5)
    command = next(message for message in run.bus["received"] if message["message"] == "COMMAND")
    expect("a received node is stopped: its messages do not come, their time-out is seen", command["frames"] == 0 and command["timeouts"] == 1 and run.bus["frames_lost_with_stopped_nodes"]["ECU"] > 50, command)

    actions = ("1 s: inject can0.bus cut", "2 s: clear can0.bus")
    run = Run(program, work / "cut", 3, *(part for action in actions for part in ("--action", action)), command_until=2.8)
    counts = [int.from_bytes(frame.data[:2], "little") for frame in run.of(256)]
    missing = [b - a for a, b in zip(counts, counts[1:])]
    command = next(message for message in run.bus["received"] if message["message"] == "COMMAND")
    expect("cut: no frame passes for a second, then all do", 150 <= max(missing) <= 230 and counts[-1] > 560, (max(missing), counts[-1:]))
    expect("cut: nor does one reach the plant", command["timeouts"] >= 1 and command["frames"] > 10 and run.bus["frames_lost_by_cut"] > 100, (command, run.bus["frames_lost_by_cut"]))

    # What a delay holds back when the bus is cut, or its node stops, does not come while that lasts.
    actions = ("1 s: inject can0.bus cut", "1 s: clear can0.receive.COMMAND")
    run = Run(program, work / "cut_delayed", 2, "--bus", "can0.receive.COMMAND=delay 900 ms", *(part for action in actions for part in ("--action", action)), command_until=1.8)
    command = next(message for message in run.bus["received"] if message["message"] == "COMMAND")
    expect("cut: delayed frames do not reach the plant", command["frames"] < 15 and run.bus["frames_lost_by_cut"] > 60, (command, run.bus["frames_lost_by_cut"]))
    actions = ("1 s: inject can0.node.GATE stopped",)
    run = Run(program, work / "stopped_delayed", 2, "--bus", "can0.send.SHARED=delay 900 ms", *(part for action in actions for part in ("--action", action)))
    # They would be 55 more; on a busy machine the node stops some periods late.
    expect("stopped: delayed frames do not leave", len(run.of(263)) < 35 and len(run.of(256)) > 50, (len(run.of(263)), len(run.of(256))))

    run = Run(program, work / "babble", 2, "--bus", "can0.bus=babble 0x7 1 ms")
    expect("babble: the frames of a babbling node are there, beside all others", 500 < len(run.of(7)) <= 2010 and len(run.of(256)) > 30 and run.bus["frames_babbled"] >= len(run.of(7)), (len(run.of(7)), run.bus.get("frames_babbled")))

    run = Run(program, work / "babble_29_bits", 1, "--bus", "can0.bus=babble 0x00000007 1 ms")
    expect("babble: an id of 29 bits below 0x800", len(run.of(7)) > 200 and all(frame.is_extended_id for frame in run.of(7)), run.of(7)[:1])

    listed = subprocess.run([program, "--list-faults"], capture_output=True, text=True).stdout
    expect("they are listed", all(part in listed for part in ("can0.node.GATE stopped", "can0.bus cut", "can0.send.SHARED drop")), listed)
    for key, value, wanted in (("can0.node.GATES", "stopped", 'did you mean "GATE"'), ("can0.node.GATE", "off", "a node can be stopped"), ("can0.bus", "break", "none of cut"),
                               ("can0.bus", "babble 0x123", "babble 0x123 1 ms"), ("can0.bus", "babble 0x123 1 us", "100 us to 60 s"), ("can0.bus", "babble 0x20000000 1 ms", "has an id")):
        refused = subprocess.run([program, "--quiet", "--out", work / "refused", "--bus", f"{key}={value}"], capture_output=True, text=True)
        expect(f"{key}={value} is refused", refused.returncode != 0 and wanted in refused.stderr, refused.stderr)


def databases(takt, work):
    for name, nodes in DATABASES.items():
        file = DATA / "can_dbc" / name
        if not file.exists():
            print(f"skipped: {file} is not there")
            continue
        database = cantools.database.load_file(file, strict=False)
        nodes = nodes or sorted({sender for message in database.messages for sender in message.senders})
        folder = work / file.stem
        folder.mkdir()
        (folder / "rig.toml").write_text(f'[rig]\nlate = "any"\n[bus.can0]\nkind = "can"\nvirtual = true\ndbc = "{file}"\nsimulate = {json.dumps(nodes)}\nperiod = "100 ms"\n')
        program = build_with_rig(takt, folder, FOLDER / "plant.toml", folder / "rig.toml")
        run = Run(program, folder / "run", 3)
        expected, wrong, text = all_messages(database, run, 3, nodes, 100)
        expect(f"{name}, {len(nodes)} nodes: {text}", run.plant.returncode == 0 and not wrong and len(expected) > 3, wrong or (run.plant.returncode, run.said))


def main():
    takt, work = takt_and_work()
    own_nodes(takt, work)
    databases(takt, work)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
