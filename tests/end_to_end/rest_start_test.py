#!/usr/bin/env python3
"""When the rest bus begins: with the bus, with the first frame of somebody else, or on a condition; and what a supervisor sends
of one that has not begun.

    rest_start_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import json
import signal
import subprocess
import sys
import threading
import time

from built_plants import build_with_rig, takt_and_work
from can_client import can, connect, frames_until_end, free_port
from rest_bus_test import FOLDER, expect, failures

COUNT, SHARED, LATER, COMMAND = 256, 263, 264, 288
SUPERVISOR = '[supervisor]\nhold = "500 ms"\n'


def program(takt, work, name, start):
    folder = work / name
    folder.mkdir()
    rig = (FOLDER / "rig.toml").read_text().replace('"nodes.dbc"', f'"{FOLDER.resolve()}/nodes.dbc"')
    (folder / "rig.toml").write_text(SUPERVISOR + rig.replace('period   = "200 ms"', f'period   = "200 ms"\nstart    = {start}'))
    return build_with_rig(takt, folder, FOLDER / "plant.toml", folder / "rig.toml")


class Run:
    """A plant, and a client that sends what it is told: (after s, id, data), or kills the plant: (after s, None, None)."""

    def __init__(self, executable, work, script, *more):
        port = free_port()
        self.plant = subprocess.Popen([executable, "--quiet", "--for", "3 s", "--out", work, "--bus", f"can0.port={port}", *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.frames, self.sent = [], []
        with connect(port) as bus:
            player = threading.Thread(target=self.play, args=(bus, script))
            player.start()
            for message in frames_until_end(bus, self.plant):
                self.frames.append((time.monotonic(), message.arbitration_id))
            player.join()
        self.said = self.plant.communicate(timeout=60)[1]
        summary = work / "summary.json"
        self.summary = json.loads(summary.read_text()) if summary.exists() and summary.stat().st_size else {}
        self.bus = self.summary["io"]["statistics"]["buses"][0] if self.summary else {}
        self.start = self.bus.get("rest_start", {})

    def play(self, bus, script):
        for after, identifier, data in script:
            time.sleep(after)
            self.sent.append(time.monotonic())
            if identifier is None:
                self.plant.kill()
            else:
                bus.send(can.Message(arbitration_id=identifier, is_extended_id=identifier > 0x7FF, data=data))

    def rest(self, since=0.0):
        """Arrivals of the frames of GATE and PLANT that carry nothing of the plant."""
        return [t for t, identifier in self.frames if identifier not in (COUNT,) and t >= since]

    def counts(self, since=0.0):
        return [t for t, identifier in self.frames if identifier == COUNT and t >= since]


def main():
    takt, work = takt_and_work()
    heard = program(takt, work, "heard", '"heard"')
    run = Run(heard, work / "heard_frame", [(1.0, 0x700, [1])])
    expect("heard: before a frame of somebody else there is no rest bus, and the plant's own messages are there", run.rest() and min(run.rest()) >= run.sent[0] and len([t for t in run.counts() if t < run.sent[0]]) > 10, (run.sent, run.rest()[:1]))
    expect("heard: then it is whole", len({identifier for _, identifier in run.frames}) >= 7 and len(run.rest()) > 100, {identifier for _, identifier in run.frames})
    later = [t for t, identifier in run.frames if identifier == LATER]
    shared = [t for t in (t for t, identifier in run.frames if identifier == SHARED) if later and t < later[0]]
    expect("heard: start delays go from there on", 5 <= len(shared) <= 22, len(shared))
    expect("heard: the summary says when", run.start.get("waits_for") == "a frame of somebody else" and (run.start.get("began_after_s") or 0) > 0.9, run.start)
    events = json.dumps(run.summary["io"]["events"])
    expect("heard: an event of the report, and said", "the rest bus began" in events and "the rest bus began" in run.said and "never" not in events + run.said, (run.said, events))

    run = Run(heard, work / "heard_own", [(0.5, SHARED, [1]), (0.3, 0x12345, [1])])
    expect("heard: an id of the plant's own is nobody else; a frame of 29 bits that is not mapped is", run.rest() and run.sent[0] < run.sent[1] <= min(run.rest()), (run.sent, run.rest()[:1]))

    run = Run(heard, work / "never", [])
    expect("never: no frame of the rest bus, those of the plant are there", not run.rest() and len(run.counts()) > 50, run.rest()[:3])
    expect("never: the run is in order", run.plant.returncode == 0, run.said)
    expect("never: the summary says so", run.start == {"waits_for": "a frame of somebody else", "began_after_s": None} and all(message["frames"] == 0 for message in run.bus["sent"] if message.get("rest")), run.start)
    text = "never began: it waited for a frame of somebody else"
    expect("never: a warning, an event, a reason of the verdict", "warning: can0: the rest bus " + text in run.said and text in json.dumps(run.summary["io"]["events"]) and text in (work / "never" / "report.html").read_text(), run.said)

    run = Run(heard, work / "cut", [(0.5, 0x700, [1])], "--bus", "can0.bus=cut", "--action", "1500 ms: clear can0.bus")
    expect("cut: what does not reach the plant does not begin it", not run.rest() and run.start.get("began_after_s", 0) is None, run.start)
    run = Run(heard, work / "stopped", [(0.5, COMMAND, [0, 0]), (0.5, COMMAND, [0, 0])], "--bus", "can0.node.ECU=stopped")
    expect("a node that is stopped does not begin it", not run.rest() and run.start.get("began_after_s", 0) is None, run.start)

    when = program(takt, work, "when", '{ when = "COMMAND.command >= 1.5" }')
    run = Run(when, work / "when_frames", [(0.3, 0x700, [1]), (0.3, COMMAND, [0xDB, 0x05]), (0.4, COMMAND, [0xDC, 0x05])])  # 1.499 V, 1.5 V
    expect("when: with the frame for which the condition holds", run.rest() and run.sent[1] < run.sent[2] <= min(run.rest()), (run.sent, run.rest()[:1]))
    expect("when: the summary names the condition", run.start.get("waits_for") == "can0.COMMAND.command >= 1.5" and (run.start.get("began_after_s") or 0) > 0.9, run.start)

    run = Run(heard, work / "killed", [(1.0, None, None)])
    expect("killed before: the supervisor sends for the plant, but no rest bus", run.plant.returncode == -signal.SIGKILL and len(run.counts(run.sent[0])) >= 5 and not run.rest(), (run.plant.returncode, len(run.counts(run.sent[0])), len(run.rest())))
    run = Run(heard, work / "killed_later", [(0.5, 0x700, [1]), (1.0, None, None)])
    expect("killed after: it sends the rest bus on", len(run.counts(run.sent[1])) >= 5 and len([t for t in run.rest() if t > run.sent[1] + 0.2]) > 5, (len(run.counts(run.sent[1])), len(run.rest(run.sent[1]))))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
