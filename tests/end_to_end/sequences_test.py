#!/usr/bin/env python3
"""Steps before time 0 and after the end of a run, with an ECU that has to be switched on.

    sequences_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import threading
import time

from can_client import can, cantools, connect, free_port

FOLDER = pathlib.Path(__file__).parent / "driven_rc"
DATABASE = cantools.database.load_file(FOLDER / "plant.dbc")
STATE, SUPPLY, ANSWER = 256, 257, 512
PATIENCE = 30.0  # s
failures = []

START = """
[[start]]
pause = "1 s"
[[start]]
set = { "can0.Supply.on" = 1 }
[[start]]
set = { "can0.Supply.ignition" = 1, "can0.State.voltage" = 7 }
[[start]]
wait   = "can0.Answer"
within = "WITHIN"
[[start]]
when   = "can0.Answer.alive >= 3"
within = "WITHIN"
"""
STOP = """
[[stop]]
set = { "can0.Supply.ignition" = 0 }
[[stop]]
pause = "300 ms"
[[stop]]
set = { "can0.Supply.on" = 0 }
"""


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


class Ecu:
    """Answers once it has supply and ignition; notes all it sees."""

    def __init__(self, port, answers, most):
        self.most = most
        self.bus, self.answers, self.frames, self.alive, self.on, self.over = connect(port), answers, [], 0, False, False
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        while True:
            try:
                message = self.bus.recv(0.5)
                if message is None:
                    if self.over:
                        return
                    continue
                signals = DATABASE.decode_message(message.arbitration_id, message.data, decode_choices=False)
                self.frames.append((message.arbitration_id, signals))
                if message.arbitration_id == SUPPLY:
                    self.on = signals["on"] == 1 and signals["ignition"] == 1
                    if self.on and self.answers and self.most > 0:
                        self.most -= 1
                        self.alive = min(self.alive + 1, 200)
                        self.bus.send(can.Message(arbitration_id=ANSWER, is_extended_id=False, data=[self.alive, 7]))
            except (OSError, can.CanError):
                return

    def supply(self):
        """-> (on, ignition) as they came, without repetitions"""
        seen = []
        for id, signals in self.frames:
            state = (signals["on"], signals["ignition"]) if id == SUPPLY else None
            if state and seen[-1:] != [state]:
                seen.append(state)
        return seen

    def until(self, condition):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not condition():
            time.sleep(0.005)
        return condition()


def build(takt, work, name, more):
    rig = (FOLDER / "rig.toml").read_text().replace('"plant.dbc"', f'"{FOLDER.resolve()}/plant.dbc"')
    rig = rig.replace('"Supply.on"       = { value = 1, safe = 0 }', '"Supply.on" = 0').replace('"Supply.ignition" = 1', '"Supply.ignition" = 0')
    (work / f"{name}.toml").write_text(rig + more)
    built = subprocess.run([takt, "build", FOLDER / "plant.toml", "--rig", work / f"{name}.toml", "--out", work / name], stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(built.stdout.strip())


def run(program, out, answers, interrupt=None, seconds="1 s", most=100_000):
    port = free_port()
    plant = subprocess.Popen([program, "--quiet", "--for", seconds, "--audit", "off", "--out", out, "--bus", f"can0.port={port}"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ecu = Ecu(port, answers, most)
    if interrupt:
        expect("the state to interrupt is reached", ecu.until(lambda: interrupt(ecu)))
        plant.send_signal(signal.SIGINT)
    _, errors = plant.communicate(timeout=PATIENCE)
    ecu.over = True
    ecu.thread.join()
    ecu.bus.shutdown()
    summary = json.loads((out / "summary.json").read_text()) if (out / "summary.json").is_file() and (out / "summary.json").stat().st_size else None
    return plant.returncode, errors, ecu, summary


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    program = build(options.takt, work, "start", START.replace("WITHIN", "20 s"))

    code, errors, ecu, summary = run(program, work / "good", True)
    expect("an ECU that answers: the run goes on", code == 0, (code, errors))
    expect("an ECU that answers: steps in their order, undone in reverse at the end", ecu.supply() == [(0, 0), (1, 0), (1, 1), (1, 0), (0, 0)], ecu.supply())
    states = [signals for id, signals in ecu.frames if id == STATE]
    before = [s for s in states if s["time"] == 0]
    expect("before time 0 messages are sent at their period", len(before) >= 25, len(before))
    expect("a plant signal can be set until time 0", any(s["voltage"] == 7 for s in before) and not any(s["voltage"] == 7 for s in states if 0 < s["time"] < 0.02))
    expect("safe values at the end", states[-1]["voltage"] == -1 and states[-1]["ready"] == 0, states[-1])
    events = json.dumps(summary["io"]["events"])
    expect("steps are events of the report", all(text in events for text in ("start 1 of 5, pause of 1 s: done", "start 4 of 5, wait for can0.Answer: done", "stop: undone, can0.Supply.on = 0")), events)
    replay = subprocess.run([program, "--replay", work / "good", "--quiet", "--out", work / "replay", "--audit", "off"], capture_output=True, text=True)
    again = json.loads((work / "replay" / "summary.json").read_text())
    expect("the replay has the same digest", again["digest"] == summary["digest"], (again["digest"], summary["digest"], replay.stderr))

    program = build(options.takt, work, "once", '[[start]]\npause = "1 s"\n[[start]]\nset = { "can0.Supply.on" = 1, "can0.Supply.ignition" = 1 }\n[[start]]\nwait = "can0.Answer"\nwithin = "3 s"\n')
    code, errors, ecu, _ = run(program, work / "once_run", True, most=1)
    expect("an ECU that answers once, at once: the answer is not missed", code == 0 and ecu.alive == 1, (code, errors))

    program = build(options.takt, work, "silent", START.replace("WITHIN", "1 s"))
    code, errors, ecu, _ = run(program, work / "silent_run", False)
    expect("an ECU that never answers: exit code 1", code == 1, (code, errors))
    expect("an ECU that never answers: the step and what is missing are named", "step start 4 of 5, wait for can0.Answer: no frame of can0.Answer came within 1 s" in errors, errors)
    expect("an ECU that never answers: undone in reverse order", ecu.supply() == [(0, 0), (1, 0), (1, 1), (1, 0), (0, 0)], ecu.supply())
    states = [signals for id, signals in ecu.frames if id == STATE]
    expect("an ECU that never answers: then safe values", states[-1]["voltage"] == -1 and states[-1]["ready"] == 0, states[-1])
    expect("an ECU that never answers: time 0 never comes", all(s["time"] == 0 for s in states))

    program = build(options.takt, work, "interrupted", START.replace("WITHIN", "60 s"))
    code, errors, ecu, _ = run(program, work / "interrupted_run", False, interrupt=lambda ecu: ecu.on)
    expect("ctrl-C: exit code 1, named", code == 1 and "stopped by the user" in errors and "step start" in errors, (code, errors))
    expect("ctrl-C: undone in reverse order", ecu.supply()[-3:] == [(1, 1), (1, 0), (0, 0)], ecu.supply())

    program = build(options.takt, work, "stop", START.replace("WITHIN", "20 s") + STOP)
    code, errors, ecu, summary = run(program, work / "stop_run", True)
    expect("[[stop]]: exit code 0", code == 0, (code, errors))
    expect("[[stop]]: steps in their order", ecu.supply() == [(0, 0), (1, 0), (1, 1), (1, 0), (0, 0)], ecu.supply())
    safe_first = [signals for id, signals in ecu.frames if id == STATE and signals["voltage"] == -1]
    expect("[[stop]]: safe values come first, and go on at their period", len(safe_first) >= 15, len(safe_first))
    code, errors, ecu, summary = run(program, work / "stop_interrupted", True, interrupt=lambda ecu: any(id == STATE and s["time"] > 0.2 for id, s in ecu.frames), seconds="60 s")
    expect("[[stop]] after ctrl-C", code == 4 and ecu.supply()[-3:] == [(1, 1), (1, 0), (0, 0)], (code, ecu.supply(), errors))

    program = build(options.takt, work, "stop_waits", START.replace("WITHIN", "20 s") + '[[stop]]\nwhen = "can0.Answer.alive > 250"\nwithin = "200 ms"\n' + STOP)
    code, errors, ecu, summary = run(program, work / "stop_waits_run", True)
    expect("a [[stop]] step that fails: the others are taken, exit code 1, named", code == 1 and ecu.supply()[-2:] == [(1, 0), (0, 0)] and "stop 1 of 4" in json.dumps(summary["warnings"]), (code, ecu.supply(), errors))

    program = build(options.takt, work, "stop_stale", START.replace("WITHIN", "20 s") + '[[stop]]\nwhen = "can0.Answer.alive < 10"\nwithin = "200 ms"\n' + STOP)
    code, errors, ecu, summary = run(program, work / "stop_stale_run", True, seconds="2 s")
    expect("what came before time 0 fulfils no [[stop]] step", ecu.alive >= 10 and code == 1 and "stop 1 of 4" in json.dumps(summary["warnings"]), (code, ecu.alive, errors))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
