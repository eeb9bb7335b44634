#!/usr/bin/env python3
"""What an ECU sees of a plant that dies or hangs: safe values from its supervisor, on the connection it has.

    supervisor_test.py --takt build/release/bin/takt --work DIR [--kills 20]

Ends with 0, 1 or 77 (python-can or cantools is missing). Prints how long safe values take; asserts no such time."""
import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

from can_client import can, cantools, connect, free_port

# A plant that is built with sanitizers dies of its signals as others do.
os.environ["ASAN_OPTIONS"] = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "handle_segv=0", "handle_abort=0")))

FOLDER = pathlib.Path(__file__).parent / "driven_rc"
DATABASE = cantools.database.load_file(FOLDER / "plant.dbc")
STATE, SUPPLY = 256, 257
PATIENCE = 30.0  # s; a slow machine may need them
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


def children(pid, name="takt-supervisor"):
    all_of_them = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def is_one(child):
        try:
            return pathlib.Path(f"/proc/{child}/comm").read_text().strip() == name
        except (FileNotFoundError, ProcessLookupError):  # it has ended since
            return False

    return [int(child) for child in all_of_them if is_one(child)]


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def eventually(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


class Bench:
    """A plant in real time and a client on its bus that has seen it run."""

    def __init__(self, program, work, *options):
        self.work, self.frames = work, []
        port = free_port()
        self.plant = subprocess.Popen([program, "--quiet", "--for", "60 s", "--audit", "off", "--out", work, "--bus", f"can0.port={port}", *options],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.bus = connect(port)
        self.supervisors = children(self.plant.pid)
        self.spares = children(self.plant.pid, "takt-spare")
        self.until(lambda id, signals: id == STATE and signals["time"] > 0.3)

    def receive(self, patience=0.5):
        """-> (moment, id, signals), None where nothing came, False at the end of the connection"""
        try:
            message = self.bus.recv(patience)
        except (OSError, can.CanError):
            return False
        if message is None:
            return None
        frame = (time.monotonic(), message.arbitration_id, DATABASE.decode_message(message.arbitration_id, message.data, decode_choices=False))
        self.frames.append(frame)
        return frame

    def until(self, condition, patience=PATIENCE):
        """-> moment of the first frame with that condition; None"""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            frame = self.receive()
            if frame is False:
                return None
            if frame and condition(*frame[1:]):
                return frame[0]
        return None

    def to_the_end(self):
        while self.receive(2.0):
            pass

    def finish(self):
        """-> exit code, standard error"""
        self.bus.shutdown()
        _, errors = self.plant.communicate(timeout=PATIENCE)
        return self.plant.returncode, errors

    def end(self):
        self.plant.send_signal(signal.SIGINT)
        code, errors = self.finish()
        return code, errors, json.loads((self.work / "summary.json").read_text())


def is_safe(id, signals):
    return id == STATE and signals["voltage"] == -1 and signals["ready"] == 0


def kill(program, work, number):
    """-> s from the signal to the first safe frame"""
    bench = Bench(program, work)
    name = signal.Signals(number).name
    expect(f"{name}: one supervisor", len(bench.supervisors) == 1, bench.supervisors)
    supervisor = bench.supervisors[0]
    status = dict(line.split(":\t", 1) for line in pathlib.Path(f"/proc/{supervisor}/status").read_text().splitlines() if ":\t" in line)
    expect(f"{name}: it has a name and a session of its own", status["Name"] == "takt-supervisor" and os.getsid(supervisor) == supervisor, status["Name"])
    print(f"     supervisor: VmRSS {status['VmRSS'].strip()}, VmLck {status['VmLck'].strip()}, CPUs {status['Cpus_allowed_list']}")
    for harmless in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(supervisor, harmless)
    begin = time.monotonic()
    bench.plant.send_signal(number)
    first = bench.until(is_safe)
    _, errors = bench.plant.communicate(timeout=PATIENCE)
    expect(f"{name}: safe values arrive", first is not None)
    expect(f"{name}: exit by the signal, as ever", bench.plant.returncode == -number, bench.plant.returncode)
    expect(f"{name}: said on standard error", "has died: its supervisor sends the safe values on can0" in errors, errors[-300:])
    bench.to_the_end()
    bench.bus.shutdown()
    at = next(k for k, frame in enumerate(bench.frames) if is_safe(*frame[1:]))
    before = [signals for _, id, signals in bench.frames[:at] if id == STATE]
    after = [signals for _, id, signals in bench.frames[at:] if id == STATE]
    expect(f"{name}: nothing but safe frames from then on", all(is_safe(STATE, signals) for signals in after))
    expect(f"{name}: what has no safe value keeps the last that was sent", {(s["time"], s["mode"]) for s in after} == {(before[-1]["time"], 9)},
           (before[-1], after[0]))
    expect(f"{name}: again at its period for the hold time", 50 <= len(after) <= 101, len(after))
    supply = [signals for _, id, signals in bench.frames[at:] if id == SUPPLY]
    expect(f"{name}: every message, each at its own period", 25 <= len(supply) <= 51 and all(s == {"on": 0, "ignition": 1} for s in supply[-25:]), len(supply))
    expect(f"{name}: no process stays", eventually(lambda: not any(is_alive(pid) for pid in bench.supervisors + bench.spares)))
    return (first or begin) - begin


def hang(program, work):
    """Stopped for 2 s: safe values meanwhile, and the run goes on."""
    bench = Bench(program, work / "stop")
    begin = time.monotonic()
    bench.plant.send_signal(signal.SIGSTOP)
    first = bench.until(is_safe)
    expect("stopped: safe values arrive", first is not None)
    print(f"     stopped: first safe frame after {(first or begin) - begin:.3f} s (heartbeat 0.2 s)")
    while time.monotonic() - begin < 2.0:
        bench.receive(0.01)
    bench.plant.send_signal(signal.SIGCONT)
    expect("continued: the plant speaks again", bench.until(lambda id, s: id == STATE and not is_safe(id, s)) is not None)
    time.sleep(0.5)
    begin = time.monotonic()
    expect("continued: and nobody else", bench.until(lambda id, s: is_safe(id, s) and time.monotonic() > begin + 0.5, 2.0) is None)
    code, errors, summary = bench.end()
    expect("continued, then ctrl-C: exit code 4", code == 4, (code, errors[-400:]))
    expect("continued: said on standard error", "is silent for" in errors and "is back after" in errors, errors)
    events = [event["text"] if isinstance(event, dict) else str(event) for event in summary["io"]["events"]]
    expect("continued: an event of the report", any("supervisor: no heartbeat for" in text for text in events), events)
    causes = [incident["cause"] for incident in summary["overruns"]["list"]]
    expect("continued: its cause is still found", "stopped" in causes, causes)
    safe_at_end = [frame for frame in bench.frames if frame[1] == STATE][-1]
    expect("an orderly end: no process stays", eventually(lambda: not any(is_alive(pid) for pid in bench.supervisors + bench.spares)))
    return safe_at_end


def hang_of_one_thread(program, work):
    """The real-time thread computes for 1.5 s; all others go on."""
    bench = Bench(program, work / "thread", "--inject", "long:100:1500000")
    expect("real-time thread hangs: safe values arrive", bench.until(is_safe) is not None)
    expect("real-time thread hangs: the plant speaks again", bench.until(lambda id, s: id == STATE and not is_safe(id, s)) is not None)
    code, errors, _ = bench.end()
    expect("real-time thread hangs, then ctrl-C: exit code 4", code == 4 and "is back after" in errors, (code, errors))


def gives_up(program, work):
    bench = Bench(program, work / "give_up")
    bench.plant.send_signal(signal.SIGSTOP)
    expect("given up: safe values arrive", bench.until(is_safe) is not None)
    bench.to_the_end()
    code, errors = bench.finish()
    expect("given up: killed", code == -signal.SIGKILL and "its supervisor kills it" in errors, (code, errors))


def texts_of(summary):
    return [event["text"] if isinstance(event, dict) else str(event) for event in summary["io"]["events"]]


def supervisor_dies(program, work):
    """Its spare takes its place: the plant goes on, guarded."""
    bench = Bench(program, work / "supervisor")
    expect("supervisor dies: it has one spare", len(bench.spares) == 1, bench.spares)
    os.kill(bench.supervisors[0], signal.SIGKILL)
    expect("supervisor dies: the spare takes its place", eventually(lambda: children(bench.plant.pid) == bench.spares))
    expect("supervisor dies: the plant goes on", bench.until(lambda id, s: id == STATE and s["time"] > 1.0) is not None)
    code, errors, summary = bench.end()
    expect("supervisor dies, then ctrl-C: an event, a warning", code == 4 and "the supervisor has died: its spare takes its place" in errors
           and any("supervisor: died during the run (signal 9), its spare has taken its place" in text for text in texts_of(summary))
           and any("its spare has taken its place" in warning for warning in summary["warnings"]) and not summary["verdicts"], (code, errors, summary["warnings"]))
    bench = Bench(program, work / "supervisor_then_plant")
    os.kill(bench.supervisors[0], signal.SIGKILL)
    eventually(lambda: children(bench.plant.pid) == bench.spares)
    bench.plant.send_signal(signal.SIGKILL)
    expect("the plant dies after its supervisor: the spare sends safe values", bench.until(is_safe) is not None)
    bench.to_the_end()
    bench.finish()
    expect("the plant dies after its supervisor: no process stays", eventually(lambda: not any(is_alive(pid) for pid in bench.supervisors + bench.spares)))
    bench = Bench(program, work / "both_at_once")
    for pid in (bench.supervisors[0], bench.plant.pid):
        os.kill(pid, signal.SIGKILL)
    expect("plant and supervisor die at once: the spare sends safe values", bench.until(is_safe) is not None)
    bench.to_the_end()
    bench.finish()


def supervisor_stands_still(program, work):
    bench = Bench(program, work / "still")
    os.kill(bench.supervisors[0], signal.SIGSTOP)
    expect("supervisor stands still: its spare kills it and takes its place", eventually(lambda: children(bench.plant.pid) == bench.spares))
    bench.plant.send_signal(signal.SIGSTOP)
    expect("supervisor stands still: the spare sends safe values for a plant that hangs", bench.until(is_safe) is not None)
    bench.plant.send_signal(signal.SIGCONT)
    bench.until(lambda id, s: id == STATE and not is_safe(id, s))
    code, errors, _ = bench.end()
    expect("supervisor stands still, then ctrl-C: said", code == 4 and "stands still: its spare kills it" in errors, (code, errors))


def nobody_is_left(program, work, name, stops):
    """-> what a run without its guards says. It ends in order with safe values, or goes on where the rig says so."""
    bench = Bench(program, work / name)
    for pid in bench.spares + bench.supervisors:
        os.kill(pid, signal.SIGKILL)
    if stops:
        expect(f"{name}: the run ends with safe values", bench.until(is_safe) is not None)
        bench.to_the_end()
        code, errors = bench.finish()
        summary = json.loads((bench.work / "summary.json").read_text())
        expect(f"{name}: says why", "ended safely" in summary["stopped_because"] and "the run ends, with safe values" in errors, (summary["stopped_because"], errors))
    else:
        expect(f"{name}: the plant goes on", bench.until(lambda id, s: id == STATE and s["time"] > 1.0) is not None)
        code, errors, summary = bench.end()
        expect(f"{name}: says so at once", "nobody will send safe values" in errors, errors)
    verdicts = [(verdict["code"], verdict["where"]) for verdict in summary["verdicts"]]
    expect(f"{name}: a verdict, exit code 1", code == 1 and verdicts == [("X050", "supervisor")], (code, summary["verdicts"]))
    report = (bench.work / "report.html").read_text()
    expect(f"{name}: in the report", "X050: supervisor: died during the run (signal 9)" in report)


def orderly_end(program, work):
    bench = Bench(program, work / "end")
    bench.plant.send_signal(signal.SIGINT)
    bench.to_the_end()
    code, errors = bench.finish()
    safe = [frame for frame in bench.frames if is_safe(*frame[1:])]
    expect("ctrl-C: safe values once", code == 4 and len(safe) == 1, (code, len(safe), errors))
    expect("ctrl-C: no process stays", not any(is_alive(pid) for pid in bench.supervisors + bench.spares))
    port = free_port()
    holder = subprocess.Popen([sys.executable, "-c", f"import socket,time;s=socket.create_server(('127.0.0.1',{port}));time.sleep(60)"])
    time.sleep(0.5)
    failed = subprocess.run([program, "--quiet", "--out", work / "port", "--bus", f"can0.port={port}"], capture_output=True, text=True, timeout=PATIENCE)
    holder.kill()
    expect("a bus that cannot be opened: as ever, and nothing from the supervisor", failed.returncode == 2 and "is taken" in failed.stderr and "supervisor" not in failed.stderr, failed.stderr)


def build(takt, work, name, more=""):
    rig = (FOLDER / "rig.toml").read_text().replace('"plant.dbc"', f'"{FOLDER.resolve()}/plant.dbc"')
    (work / f"{name}.toml").write_text(rig + more)
    built = subprocess.run([takt, "build", FOLDER / "plant.toml", "--rig", work / f"{name}.toml", "--out", work / name], stdout=subprocess.PIPE, text=True, check=True)
    return pathlib.Path(built.stdout.strip())  # `takt build` prints nothing else there


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=2)
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    program = build(options.takt, work, "defaults")
    latencies = {signal.SIGKILL: [], signal.SIGSEGV: []}
    for k in range(options.kills):
        for number, measured in latencies.items():
            measured.append(kill(program, work / f"kill_{number}_{k}", number))
    for number, measured in latencies.items():
        print(f"     {number.name}: first safe frame after {statistics.median(measured) * 1e3:.2f} ms (median), {max(measured) * 1e3:.2f} ms (maximum of {len(measured)})")
    hang(program, work)
    hang_of_one_thread(program, work)
    supervisor_dies(program, work)
    supervisor_stands_still(program, work)
    nobody_is_left(program, work, "both_guards", stops=True)
    orderly_end(program, work)
    gives_up(build(options.takt, work, "soon", '\n[supervisor]\nheartbeat = "100 ms"\ngive_up = "1 s"\nhold = "300 ms"\n'), work)
    watchdog = build(options.takt, work, "watchdog", '\n[supervisor]\nwatchdog = "/dev/no_such_watchdog"\n')
    refused = subprocess.run([watchdog, "--quiet", "--out", work / "refused", "--bus", f"can0.port={free_port()}"], capture_output=True, text=True, timeout=PATIENCE)
    expect("a watchdog that is not there is refused by name", refused.returncode == 2 and "cannot open the watchdog /dev/no_such_watchdog" in refused.stderr, refused.stderr)
    alone = build(options.takt, work, "alone", "\n[supervisor]\nenabled = false\n")
    bench = Bench(alone, work / "alone_run")
    expect("switched off: no process", not bench.supervisors, bench.supervisors)
    expect("switched off, then ctrl-C: exit code 4", bench.end()[0] == 4)
    nobody_is_left(build(options.takt, work, "stop", '\n[supervisor]\nwhen_lost = "stop"\n'), work, "when_lost_stop", stops=True)
    nobody_is_left(build(options.takt, work, "go_on", '\n[supervisor]\nwhen_lost = "go-on"\n'), work, "when_lost_go_on", stops=False)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
