#!/usr/bin/env python3
"""What a run says of frames with too little or too much data and of values out of range, and the spacing of frames sent on change.

    bus_counts_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import json
import pathlib
import subprocess
import sys

from built_plants import build_with_rig, takt_and_work
from can_client import can, cantools, connect, free_port

FOLDER = pathlib.Path(__file__).parent / "driven_rc"
DATABASE = cantools.database.load_file(FOLDER / "plant.dbc")
STATE, ANSWER = 256, 512
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


def main():
    takt, work = takt_and_work()
    rig = work / "rig.toml"
    text = (FOLDER / "rig.toml").read_text().replace('"plant.dbc"', json.dumps(str(FOLDER / "plant.dbc")))
    rig.write_text(text + '"State" = { on_change = true, spacing = "50 ms" }\n')
    program = build_with_rig(takt, work, FOLDER / "plant.toml", rig)
    port = free_port()
    plant = subprocess.Popen([program, "--quiet", "--out", work / "run", "--for", "3 s", "--bus", f"can0.port={port}"], stdout=subprocess.PIPE, text=True)
    times, answers = [], [[1], [2, 200], [3, 10, 0]]
    with connect(port) as bus:
        while True:
            try:
                message = bus.recv(0.2)
                if message is not None and message.arbitration_id == STATE:
                    times.append(DATABASE.decode_message(STATE, message.data)["time"])
                    if answers:  # the plant lives
                        bus.send(can.Message(arbitration_id=ANSWER, is_extended_id=False, data=answers.pop(0)))
            except (OSError, can.CanError):
                break  # the plant has closed the bus
            if message is None and plant.poll() is not None:
                break
    printed = plant.communicate(timeout=30)[0]
    summary = json.loads((work / "run" / "summary.json").read_text())
    bus = summary["io"]["statistics"]["buses"][0]
    counts = next(m for m in bus["received"] if m["message"] == "Answer")
    expect("the short frame is counted, and not as one of no message", (bus["frames_too_short"], bus["frames_not_mapped"], counts["too_short"]) == (1, 0, 1), bus)
    expect("the frame with a byte more is counted, and taken", counts["too_long"] == 1, counts)
    expect("the summary names its message", "frames with more data than their message has were taken: Answer (1)" in printed, printed)
    expect("the value beyond its range is counted and taken", (counts["out_of_range"], counts["frames"]) == (1, 2), counts)
    expect("the summary names the message of the short frame", "frames with less data than their message has were not taken: Answer (1)" in printed, printed)
    expect("the summary names the message of the value", "values beyond the range that the database gives were taken: Answer (1)" in printed, printed)
    report = (work / "run" / "report.html").read_text()
    expect("the report names all", "1 frame with more data" in report and "1 frame with too little data" in report and "1 value beyond the range" in report)
    # The last frame is the safe one, which waits for nothing.
    gaps = [b - a for a, b in zip(times[:-1], times[1:-1])]
    sent = next(m for m in bus["sent"] if m["message"] == "State")["frames"]
    expect("frames on change keep their spacing in simulated time", len(gaps) > 5 and min(gaps) > 0.0499, gaps)
    expect("a signal that moves all the time is sent once per spacing", 2 < sent <= 62, sent)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
