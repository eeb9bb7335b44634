#!/usr/bin/env python3
"""Frames of a built plant that are lost, late, doubled, too short or under another id, in both directions, from the command line.

    bus_faults_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import json
import pathlib
import subprocess
import sys
import time

from built_plants import build_with_rig, takt_and_work
from can_client import can, connect, frames_until_end, free_port

FOLDER = pathlib.Path(__file__).parent / "virtual_bus"
COUNT, COMMAND, SENT = 18, 32, 5
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


def run(program, work, name, sent, received, *more):
    """Every frame until the end, and the summary; five frames COMMAND are sent meanwhile."""
    port = free_port()
    faults = [part for key, fault in (("send.COUNT", sent), ("receive.COMMAND", received)) if fault for part in ("--bus", f"can0.{key}={fault}")]
    plant = subprocess.Popen([program, "--quiet", "--for", "3 s", "--out", work / name, "--bus", f"can0.port={port}", *faults, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    frames = []
    with connect(port) as bus:
        for _ in range(SENT):
            bus.send(can.Message(arbitration_id=COMMAND, is_extended_id=False, data=[0] * 8))
            time.sleep(0.02)
        frames.extend(frames_until_end(bus, plant))
    said = plant.communicate(timeout=30)[1]
    summary = json.loads((work / name / "summary.json").read_text())
    expect(f"{name}: the run ends with 0", plant.returncode == 0, said)
    bus = summary["io"]["statistics"]["buses"][0]
    return frames, {message["message"]: message for message in bus["sent"] + bus["received"]}, bus, summary


def values(frames):
    """Of COUNT; `mark` tells its safe frame at the end."""
    return [int.from_bytes(frame.data[0:2], "little") for frame in frames if frame.arbitration_id == COUNT and frame.data[2:4] != b"\x78\x56"]


def main():
    takt, work = takt_and_work()
    program = build_with_rig(takt, work, FOLDER / "plant.toml", FOLDER / "rig.toml")

    frames, messages, bus, summary = run(program, work, "sound", None, None)
    sound = values(frames)
    expect("sound: every value once", len(sound) > 100 and sound == list(range(sound[0], 600)), sound[-3:])
    expect("sound: the plant gets all", messages["COMMAND"]["frames"] == SENT and "met_a_fault" not in messages["COMMAND"], messages["COMMAND"])

    frames, messages, bus, summary = run(program, work, "drop", "drop", "drop x3")
    expect("drop: nothing comes", not any(frame.arbitration_id == COUNT for frame in frames), len(frames))
    expect("drop: all of them are counted", messages["COUNT"]["met_a_fault"] > 500 and messages["COUNT"]["frames"] == 0, messages["COUNT"])
    expect("drop x3: the others come", messages["COMMAND"]["frames"] == SENT - 3 and messages["COMMAND"]["met_a_fault"] == 3, messages["COMMAND"])
    expect("drop: the report names it", any("fault of COMMAND, received: drop x3" in event["text"] for event in summary["io"]["events"]), summary["io"]["events"])

    frames, messages, bus, summary = run(program, work, "duplicate", "duplicate", "duplicate x2")
    doubled = values(frames)
    expect("duplicate: every value twice", len(doubled) > 200 and all(doubled.count(value) == 2 for value in range(doubled[0] + 1, 600)) and doubled == sorted(doubled), doubled[:4])
    expect("duplicate x2: two more", messages["COMMAND"]["frames"] == SENT + 2, messages["COMMAND"])

    frames, messages, bus, summary = run(program, work, "length", "length 2", "length 1")
    expect("length: they are shorter", all(len(frame.data) == 2 for frame in frames if frame.arbitration_id == COUNT) and any(frame.arbitration_id == COUNT for frame in frames))
    expect("length: the plant does not take them for the message", messages["COMMAND"]["frames"] == 0 and messages["COMMAND"]["too_short"] == SENT, messages["COMMAND"])

    frames, messages, bus, summary = run(program, work, "id", "id 0x123", "id 0x124")
    ids = {frame.arbitration_id for frame in frames}
    expect("id: they have the other one", 0x123 in ids and COUNT not in ids, ids)
    expect("id: the plant does not know them", messages["COMMAND"]["frames"] == 0 and bus["frames_not_mapped"] == SENT, messages["COMMAND"])

    frames, messages, bus, summary = run(program, work, "reorder", "reorder", "value command 12.5")
    swapped = values(frames)
    swapped = swapped[swapped[0] % 2 == 0:]  # the client may have come between the two of a pair
    expect("reorder: in pairs, the newer first, none lost", len(swapped) > 100 and sorted(swapped) == list(range(min(swapped), min(swapped) + len(swapped)))
           and all(b - a in (-1, 3) for a, b in zip(swapped, swapped[1:])), swapped[:6])
    rows = [line.split(",") for line in (work / "reorder/signals.csv").read_text().splitlines() if line and not line.startswith("#")]
    volts = [float(row[rows[0].index("electric.out.v [V]")]) for row in rows[1:]]
    expect("value: the plant sees it in place of what came", abs(volts[-1] - 12.5) < 1e-3 and messages["COMMAND"]["met_a_fault"] == SENT, volts[-1:])

    frames, messages, bus, summary = run(program, work, "freeze", "freeze count", "freeze")
    counts = [frame for frame in frames if frame.arbitration_id == COUNT]
    # On change: of a signal that stands still on the bus, the plant still hands every value over.
    expect("freeze count: it stands still, the others do not", len(counts) > 100 and len({bytes(frame.data[0:2]) for frame in counts}) == 1 and {bytes(frame.data[2:4]) for frame in counts} == {b"\x34\x12", b"\x78\x56"}, len(counts))
    frames, messages, bus, summary = run(program, work, "freeze_all", "freeze", None)
    expect("freeze: all of it stands still", len({bytes(frame.data) for frame in frames if frame.arbitration_id == COUNT}) == 1)
    frames, messages, bus, summary = run(program, work, "value", "value count 77 x3", None)
    expect("value count 77 x3: three frames", messages["COUNT"]["met_a_fault"] == 3, messages["COUNT"])

    acted = [part for action in ("1 s: inject can0.send.COUNT drop", "1500 ms: inject can0.send.COUNT duplicate", "2 s: clear can0.send.COUNT",
                                 "2500 ms: inject can0.send.COUNT drop x3") for part in ("--action", action)]
    frames, messages, bus, summary = run(program, work, "acted", None, None, *acted)
    seen = values(frames)
    quiet = [value for value in range(seen[0], 600) if value not in seen]
    twice = sorted({value for value in seen if seen.count(value) == 2})
    # Each release is 5 ms; what is handed over at a boundary may still be on its way when a fault begins or ends.
    expect("actions: a second of silence, half of it doubled, three lost", 95 <= len(quiet) <= 107 and 95 <= len(twice) <= 103 and quiet[-3:] == list(range(quiet[-3], quiet[-3] + 3)),
           (len(quiet), quiet[:1], quiet[-4:], len(twice), twice[:1], twice[-1:]))
    expect("actions: they are in the summary", [action["action"] for action in summary["actions"]]
           == ["inject can0.send.COUNT drop", "inject can0.send.COUNT duplicate", "clear can0.send.COUNT", "inject can0.send.COUNT drop x3"], summary["actions"])
    again = subprocess.run([program, "--quiet", "--replay", work / "acted", "--out", work / "acted_again"], capture_output=True, text=True)
    expect("actions: replayed, the same digest", json.loads((work / "acted_again/summary.json").read_text())["digest"] == summary["digest"], again.stderr)
    # Faults of a bus are not faults of the plant: what came of them stands in the log of inputs.
    reference = subprocess.run([takt, "reference", FOLDER, "--replay", work / "acted", "--out", work / "acted_reference"], capture_output=True, text=True)
    expect("actions: the reference takes the log", reference.returncode == 0, reference.stdout + reference.stderr)
    frames, messages, bus, summary = run(program, work, "held", "delay 60 s", None)
    expect("delay beyond the end: nothing comes, what waits is counted", not values(frames) and bus["frames_held_at_the_end"] == messages["COUNT"]["met_a_fault"] > 100, bus.get("frames_held_at_the_end"))
    free = subprocess.run([program, "--quiet", "--pace", "free", "--for", "3 s", "--out", work / "acted_free", *acted], capture_output=True, text=True)
    expect("actions: without a bus a warning", free.returncode == 0 and "faults of a bus had no effect" in free.stdout + free.stderr, free.stdout + free.stderr)
    listed = subprocess.run([program, "--list-faults"], capture_output=True, text=True).stdout
    expect("actions: they are listed", "can0.send.COUNT drop, delay 20 ms" in listed and "can0.receive.COMMAND drop" in listed, listed)
    for action, part in (("inject can0.send.COUNTS drop", 'did you mean "can0.send.COUNT"'), ("inject can0.send.COUNT lose", "is none of drop"),
                         ("inject can0.send.COUNT", "say what goes wrong"), ("clear can0.send.COUNT drop", "takes no value")):
        refused = subprocess.run([program, "--quiet", "--no-results", "--action", f"1 s: {action}"], capture_output=True, text=True)
        expect(f"refused: {action}", refused.returncode == 2 and part in refused.stderr, refused.stderr)

    frames, messages, bus, summary = run(program, work, "delay", "delay 300 ms", "delay 300 ms")
    late = values(frames)
    expect("delay: in their order, and those at the end do not leave any more", late == list(range(late[0], late[-1] + 1)) and 100 < late[-1] < 590, late[-1])
    expect("delay: the plant gets all", messages["COMMAND"]["frames"] == SENT and messages["COMMAND"]["met_a_fault"] == SENT, messages["COMMAND"])

    for key, value, wanted in (("can0.send.COMMAND", "drop", "no message 'COMMAND' is sent"), ("can0.send.COUNTS", "drop", 'did you mean "COUNT"'), ("can0.send.COUNT", "lose", "none of drop"), ("can0.send.COUNT", "length 9", "0 to 8 bytes"),
                               ("can0.send.COUNT", "freeze cuont", 'did you mean "count"'), ("can0.send.COUNT", "value count 65536", "cannot have the value")):
        refused = subprocess.run([program, "--quiet", "--out", work / "refused", "--bus", f"{key}={value}"], capture_output=True, text=True)
        expect(f"{key}={value} is refused", refused.returncode != 0 and wanted in refused.stderr, refused.stderr)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
