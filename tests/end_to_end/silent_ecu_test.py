#!/usr/bin/env python3
"""An ECU that dies while a scenario runs has not passed what holds for its safe values; one that is silent on purpose, or is not
needed, is no fault; frames from before time 0 are none of the run.

    silent_ecu_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import json
import pathlib
import subprocess
import sys

from built_plants import build_with_rig, takt_and_work
from can_client import can, cantools, connect, frames_until_end, free_port

FOLDER = pathlib.Path(__file__).parent / "driven_rc"
DATABASE = cantools.database.load_file(FOLDER / "plant.dbc")
STATE, ANSWER = 256, 512
LATER = '[[step]]\nname = "later"\nat = "1.5 s"\nexpect = "drive > 4 V"\n'  # as the safe value is
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, "" if condition else found, flush=True)
    if not condition:
        failures.append(what)


def run(program, work, name, scenario, answers_at, duration="2 s"):
    """The ECU answers each State for whose time `answers_at` is true. -> exit code, output, summary"""
    file = work / f"{name}.toml"
    file.write_text(scenario)
    port = free_port()
    plant = subprocess.Popen([program, "--quiet", "--out", work / name, "--for", duration, "--scenario", file, "--bus", f"can0.port={port}"], stdout=subprocess.PIPE, text=True)
    with connect(port) as bus:
        for message in frames_until_end(bus, plant):
            if message.arbitration_id == STATE and answers_at(DATABASE.decode_message(STATE, message.data)["time"]):
                try:
                    bus.send(can.Message(arbitration_id=ANSWER, is_extended_id=False, data=[1, 5]))
                except (OSError, can.CanError):
                    break  # the plant has closed the bus
    printed = plant.communicate(timeout=30)[0]
    return plant.returncode, printed, json.loads((work / name / "summary.json").read_text())


def answer_of(summary):
    return next(m for m in summary["io"]["statistics"]["buses"][0]["received"] if m["message"] == "Answer")


def main():
    takt, work = takt_and_work()
    rig = work / "rig.toml"
    text = (FOLDER / "rig.toml").read_text().replace('"plant.dbc"', json.dumps(str(FOLDER / "plant.dbc"))).replace('timeout  = "60 s"', 'timeout  = "300 ms"')
    rig.write_text(text)
    program = build_with_rig(takt, work, FOLDER / "plant.toml", rig)

    code, printed, _ = run(program, work, "lives", LATER, lambda t: True)
    expect("an ECU that lives passes", code == 0 and "X046" not in printed, printed)
    code, printed, summary = run(program, work, "dies", LATER, lambda t: t < 0.8)
    expect("an ECU that dies does not, although its safe value would", code == 1 and summary["scenario"]["expectations"][0]["verdict"] == "passed" and not summary["trusted"], (code, printed))
    expect("its message and what held are named", "X046: bus can0: not tested: Answer stayed away from" in printed and f'"later" ({work / "dies.toml"}:4) held meanwhile' in printed, printed)
    code, printed, _ = run(program, work, "early", LATER.replace("1.5 s", "0.5 s"), lambda t: t < 0.8)
    expect("what it was alive for counts", code == 0, printed)
    code, printed, _ = run(program, work, "unneeded", "[judge]\nneeds = []\n" + LATER, lambda t: t < 0.8)
    expect("one that is not needed may die", code == 0, printed)
    dropped = '[[step]]\nat = "500 ms"\ninject = { "can0.receive.Answer" = "drop" }\n' + LATER
    code, printed, summary = run(program, work, "dropped", dropped, lambda t: True)
    expect("silence that was asked for is no fault", code == 0 and answer_of(summary)["timeouts"] == 1, printed)
    code, printed, _ = run(program, work, "other_fault", dropped.replace("receive.Answer", "send.Supply"), lambda t: t < 0.8)
    expect("a fault of another message is no excuse", code == 1 and "X046" in printed, printed)
    always = '[[step]]\nat = "0.5 s"\nalways = "drive > 4 V"\nfor = "1 s"\n'
    code, printed, _ = run(program, work, "always", always, lambda t: t < 0.7 or t > 1.2)
    expect("silence within what always holds is one", code == 1 and "X046" in printed, printed)

    rig.write_text(text + '\n[[start]]\npause = "1 s"\n')
    program = build_with_rig(takt, work, FOLDER / "plant.toml", rig)
    code, printed, summary = run(program, work, "before", LATER, lambda t, left=iter(range(40)): next(left, None) is not None)
    counts = answer_of(summary)
    expect("frames from before time 0 are counted for themselves", counts["before_start"] > 10 and counts["frames"] == counts["before_start"], counts)
    expect("and are no ECU", code == 1 and "X044: bus can0: not tested; Answer came before time 0 alone" in printed, printed)
    latency = summary["io"]["statistics"]["buses"][0]["receive_to_window"]
    expect("nor latencies", (latency.get("max_us") or 0.0) < 900e3, latency)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
