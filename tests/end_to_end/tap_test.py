#!/usr/bin/env python3
"""Clients at the tap of a running plant: what they set is what the plant sees, when they are told it does; what becomes of the
run where the tap's processes are killed.

    tap_test.py --takt build/release/bin/takt --work DIR"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from built_plants import build, takt_and_work, two_cores, used_cores
from tap_client import Refused, TapClient, processes_of

PATIENCE = 60.0  # s; a slow machine may need them
H = 1_000_000    # ns, macro-step
TEXT = """
[plant]
title = "three inputs, three circuits"
duration = "60 s"
error = "off"
[input]
a = { unit = "V", start = "1 V", safe = "0 V" }
b = { unit = "V", start = "1 V", safe = "0 V" }
c = { unit = "V", start = "1 V", safe = "0 V" }
[electric]
source_a = { is = "voltage_source", at = ["in_a", "gnd"], v = "a" }
r_a = { is = "resistor", at = ["in_a", "out_a"], r = "1 kOhm" }
c_a = { is = "capacitor", at = ["out_a", "gnd"], c = "10 uF" }
source_b = { is = "voltage_source", at = ["in_b", "gnd"], v = "b" }
r_b = { is = "resistor", at = ["in_b", "out_b"], r = "1 kOhm" }
c_b = { is = "capacitor", at = ["out_b", "gnd"], c = "10 uF" }
source_c = { is = "voltage_source", at = ["in_c", "gnd"], v = "c" }
r_c = { is = "resistor", at = ["in_c", "out_c"], r = "1 kOhm" }
c_c = { is = "capacitor", at = ["out_c", "gnd"], c = "10 uF" }
[solve]
electric = { step = "250 us", method = "rk4" }
[sync]
plant = { members = ["electric"], every = "1 ms" }
[record]
"10 ms" = ["electric.c_a.v", "electric.c_b.v", "electric.c_c.v"]
"""
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, "" if condition else str(found)[:500], flush=True)
    if not condition:
        failures.append(what)


def eventually(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


class Run:
    def __init__(self, program, directory, *options):
        self.directory = directory
        self.process = subprocess.Popen([program, "--quiet", "--audit", "off", "--tolerate", "X008", "--out", directory, *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def client(self, name="test"):
        return TapClient(self.directory, name, PATIENCE)

    def finish(self):
        """-> exit code, summary"""
        self.output, self.errors = self.process.communicate(timeout=PATIENCE + 60)
        return self.process.returncode, json.loads((self.directory / "summary.json").read_text())

    def inputs(self):
        """-> {input: [(time_ns, value)]}"""
        found = {}
        for line in (self.directory / "inputs.csv").read_text().splitlines():
            if line.startswith("#") or line.startswith("time_ns"):
                continue
            moment, name, value = line.split(",")
            found.setdefault(name, []).append((int(moment), float(value)))
        return found


def refused(client, words, verb=None, **fields):
    try:
        client.ask(verb, **{key.rstrip("_"): value for key, value in fields.items()})
    except Refused as refusal:
        expect(f"refused: {verb} {fields}", all(word in str(refusal) for word in words), refusal)
    else:
        expect(f"refused: {verb} {fields}", False)


def check_free(program, work):
    """Held at time 0, by steps, to the end. -> summary"""
    run = Run(program, work / "free", "--pace", "free", "--hold", "--for", "1 s")
    client = run.client("ana")
    expect("who runs here", client.plant["plant"] == "inputs_plant" and client.plant["macro_step_ns"] == H and not client.plant["paced"], client.plant)
    expect("it waits at time 0", eventually(lambda: client.ask("status")["phase"] == "paused") and client.ask("status")["time_ns"] == 0)
    expect("step", client.ask("step", count=10)["effective_ns"] == 10 * H)
    answer = client.ask("set", path="a", value="5 V")
    expect("what is set while it is held takes effect there", answer["effective_ns"] == 10 * H, answer)
    before = client.ask("read", paths=["a", "electric.c_a.v"])
    client.ask("step", count=20)
    after = client.ask("read", paths=["a", "electric.c_a.v"])
    # v = 1 + (v0 - 1) exp(-t/tau) for 10 ms towards 1 V, then 20 ms towards 5 V, tau = R C = 10 ms
    expect("reading shows time and value", before["time_ns"] == 10 * H and after["time_ns"] == 30 * H and after["values"][0] == 5.0, (before, after))
    rising = 5 + (before["values"][1] - 5) * 2.718281828459045 ** -2
    expect("the plant has seen it from then on", abs(after["values"][1] - rising) < 1e-4, (after["values"], rising))
    begun = client.ask("watch", paths=["electric.c_a.v", "b"], every="100 ms")
    both = client.ask(actions=[{"verb": "set", "path": "b", "value": 2}, {"verb": "set", "path": "c", "value": "3 V"}])
    refused(client, ["nonsense"], actions=[{"verb": "set", "path": "b", "value": 7}, {"verb": "set", "path": "nonsense", "value": 7}])
    refused(client, ["V"], "set", path="a", value="5 A")
    refused(client, ["unknown verb"], "dance")
    refused(client, ["did you mean"], "read", paths=["electric.c_a.u"])
    refused(client, ["1 or more"], "step", count=0)
    client.ask("resume")
    rows = [line for line in client.rest() if "values" in line]
    expect("rows on their grid, to the end", [row["time_ns"] for row in rows] == [100 * H * k for k in range(1, 11)], rows)
    expect("rows carry what was set", all(row["values"][1] == 2.0 for row in rows) and begun["every_ns"] == 100 * H, rows)
    expect("clients are told the end", client.ended)
    code, summary = run.finish()
    inputs = run.inputs()
    expect("the log has each value at the time that was answered", code == 0 and inputs["a"] == [(0, 1.0), (10 * H, 5.0)]
           and inputs["b"] == [(0, 1.0), (both["effective_ns"], 2.0)] and inputs["c"] == [(0, 1.0), (both["effective_ns"], 3.0)], (code, inputs, both))
    noted = [(round(action["time_s"] * 1e9), action["author"], action["action"]) for action in summary["inputs_set"]]
    expect("who set what when is in the summary", noted == [(10 * H, "ana", "set a 5"), (both["effective_ns"], "ana", "set b 2"), (both["effective_ns"], "ana", "set c 3")], noted)
    report = (run.directory / "report.html").read_text()
    expect("and in the report, with unit, and on the axes of time", ">set a 5 V</td>" in report and "class=\"moment\"" in report and "ana: set a 5 V" in report, report[:200])
    expect("no socket is left", not (run.directory / "tap").exists())
    again = Run(program, work / "free_again", "--replay", run.directory)
    expect("a replay has the same digest", again.finish()[1]["digest"] == summary["digest"])
    return summary


def seen_as_told(run, told, summary):
    """Every value was seen by the plant at the time that its client was told. Of several that take effect at one time, the last one is seen."""
    inputs, last = run.inputs(), summary["macro_steps"] * H  # what takes effect there, nobody computes with
    return all({t: v for t, v in inputs[name] if t > 0} == {t: v for t, v in dict(values).items() if t < last} for name, values in told.items())


def replayed_alike(program, work, run, summary, cores):
    """Also where it is replayed on one core or on several."""
    digests = {Run(program, work / f"{run.directory.name}_again_{len(more)}", "--replay", run.directory, *more).finish()[1]["digest"] for more in ([], cores)}
    return digests == {summary["digest"]}


def check_three_clients(program, work, place, cores, two):
    """Each sets its input as fast as it is answered, in real time."""
    run = Run(program, work / f"three_{len(cores)}", "--pace", "real", "--late", "any", "--for", "4 s", *cores)
    told = {name: [] for name in "abc"}

    def set_again_and_again(name):
        client = run.client(name)
        value = {"a": 10.0, "b": 20.0, "c": 30.0}[name]
        try:
            while True:
                value += 0.125
                answer = client.ask("set", path=name, value=value)
                told[name].append((answer["effective_ns"], value))
        except Refused:
            pass

    threads = [threading.Thread(target=set_again_and_again, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    watcher = run.client("watcher")
    refused(watcher, ["wall clock"], "pause")
    watcher.ask("watch", paths=["a", "b", "c"], every_ns=1)
    rows = [line for line in watcher.rest() if "values" in line]
    for thread in threads:
        thread.join()
    code, summary = run.finish()
    counts = [len(values) for values in told.values()]
    expect(f"three clients, {place}: every value was seen at the time it was told ({counts} values)", code == 0 and min(counts) > 20
           and seen_as_told(run, told, summary), (code, counts))
    expect(f"three clients, {place}: a watcher sees every macro-step, and in it what was set before",
           len(rows) > 1000 and all(b["time_ns"] - a["time_ns"] == H for a, b in zip(rows, rows[1:]) if not b.get("dropped")), len(rows))
    by_time = {row["time_ns"]: row["values"] for row in rows}
    wrong = [(t, v) for t, v in told["a"][:-1] if dict(told["a"])[t] == v and t + H in by_time and by_time[t + H][0] != v]
    expect(f"three clients, {place}: rows show each value one macro-step after it took effect", not wrong, wrong[:3])
    expect(f"three clients, {place}: as many cores as were asked for", used_cores(summary) == (2 if cores else 1), summary.get("concurrency"))
    expect(f"three clients, {place}: replayed on one core and on two, the same digest", replayed_alike(program, work, run, summary, two))


def check_the_same_times(program, work, two):
    """What three clients set at once while a run is held takes effect at the same times on one core and on two."""
    found = []
    for cores in ([], two):
        run = Run(program, work / f"held_{len(cores)}", "--pace", "free", "--hold", "--for", "1 s", *cores)
        clients = {name: run.client(name) for name in "abc"}
        told = {name: [] for name in "abc"}
        for round_ in range(1, 21):
            numbers = {name: client.send("set", path=name, value=round_ + 0.5) for name, client in clients.items()}
            for name, client in clients.items():
                told[name].append((client.answer(numbers[name])["effective_ns"], round_ + 0.5))
            clients["abc"[round_ % 3]].ask("step", count=round_)
        clients["a"].ask("resume")
        code, summary = run.finish()
        expect(f"held, three clients, {'two cores' if cores else 'one core'}: every value was seen at the time it was told",
               code == 0 and seen_as_told(run, told, summary) and used_cores(summary) == (2 if cores else 1), (code, told))
        found.append((told, summary["digest"]))
    expect("held, three clients: the same times and the same digest on one core and on two", found[0] == found[1], found)
    expected = [max(H, H * k * (k - 1) // 2) for k in range(1, 21)]  # the first macro-step keeps what the plant began with
    expect("held, three clients: the times are those of the steps", [t for t, _ in found[0][0]["a"]] == expected, found[0][0]["a"])


def answers(run):
    """A client may have come to the service that is just going: then it has to come again."""
    try:
        return run.client().ask("status")
    except (Refused, OSError):
        return None


def check_deaths(program, work):
    """The run goes on as if there was no tap; the tap comes back."""
    quiet = Run(program, work / "undisturbed", "--pace", "real", "--late", "any", "--for", "6 s")
    disturbed = Run(program, work / "disturbed", "--pace", "real", "--late", "any", "--for", "6 s")
    client = disturbed.client()
    plant = disturbed.process.pid
    keeper, service = processes_of(plant)
    os.kill(service, signal.SIGKILL)
    expect("killed: clients see the end of the connection", client.rest() == [] and not client.ended)
    expect("killed: another service answers", eventually(lambda: answers(disturbed)) and processes_of(plant)[1] not in (0, service))
    service = processes_of(plant)[1]
    os.kill(service, signal.SIGSTOP)
    expect("stopped: another service comes", eventually(lambda: processes_of(plant)[1] not in (0, service)))
    expect("stopped: it answers", eventually(lambda: (answers(disturbed) or {}).get("services") == 3))
    _, summary = disturbed.finish()
    _, expected = quiet.finish()
    expect("killed and stopped: the same digest as without", summary["digest"] == expected["digest"] and summary["macro_steps"] == expected["macro_steps"],
           (summary["digest"], expected["digest"]))
    texts = [event["text"] for event in summary["io"]["events"]]
    expect("killed and stopped: the report tells", sum("its service" in text for text in texts) == 2, texts or list(summary))

    lone = Run(program, work / "lone", "--pace", "free", "--hold", "--for", "1 s")
    lone.client().close()
    os.kill(processes_of(lone.process.pid)[0], signal.SIGKILL)
    code, summary = lone.finish()
    expect("a held run that nobody can resume any more goes on", code == 0 and summary["macro_steps"] == 1000, (code, summary["macro_steps"]))


def check_crowd(program, work):
    """Those who connect and ask nothing keep nobody out, and lines that nest without end harm nobody."""
    run = Run(program, work / "crowd", "--pace", "free", "--hold", "--for", "1 s")
    client = run.client("ana")
    idle = [TapClient.connected(run.directory) for _ in range(60)]
    service = processes_of(run.process.pid)[1]
    for text in (b"[" * 300_000, b'{"verb":"read","paths":' + b"[" * 300_000 + b"]" * 300_000 + b"}", b'{"verb":"status"' + b"".join(b',"%d":0' % k for k in range(90_000)) + b"}"):
        link = TapClient.connected(run.directory)
        link.settimeout(PATIENCE)
        link.sendall(text + b"\n")
        expect("a line without end is refused", b'"ok":false' in link.recv(1 << 16) and json.loads(json.dumps(client.ask("status")))["services"] == 1)
    expect("who asks something gets a seat among 60 that ask nothing", run.client("bob").ask("status")["clients_gave_way"] > 0)
    expect("the service is the same", processes_of(run.process.pid)[1] == service)
    client.ask("resume")
    code, summary = run.finish()
    expect("the run tells who gave way", code == 0 and any("asked nothing" in event["text"] for event in summary["io"]["events"]), summary["io"]["events"])
    for link in idle:
        link.close()


def threshold(k):
    return 3.0 + (k % 7) / 10 if k % 2 == 0 else 2.0 - (k % 7) / 10


def passes(k, value):
    return value > threshold(k) if k % 2 == 0 else value < threshold(k)


def rounds_of_awaits(client, count, pace):
    """One after the other: c_a rises or falls through a threshold, then b is set. -> [(round, what came of it)]"""
    found = []
    for k in range(count):
        up = k % 2 == 0
        begun = client.ask("await", condition=f"electric.c_a.v {'>' if up else '<'} {threshold(k)} V", within="2 s",
                           then=[{"verb": "set", "path": "b", "value": k + 2.0}, *([{"verb": "pause"}] if pace == "free" else [])])
        client.ask("set", path="a", value=5.0 if up else 0.0)
        if pace == "free":
            client.ask("resume")
        found.append((k, client.outcome(begun["await"])))
    return found


def check_await(program, work, pace, count=100):
    """What is awaited is done at the boundary behind the macro-step in which it came true."""
    run = Run(program, work / f"await_{pace}", "--pace", pace, "--for", "300 s", *(["--late", "any"] if pace == "real" else ["--hold"]))
    client, watcher = run.client("ana"), run.client("watcher")
    watcher.ask("watch", paths=["electric.c_a.v", "b"], every_ns=1)
    rows = []
    reader = threading.Thread(target=lambda: rows.extend(line for line in watcher.rest() if "values" in line))
    reader.start()
    gone = run.client("gone")
    gone.ask("await", condition=f"b > {count / 2} V", within="99 s", then=[{"verb": "set", "path": "c", "value": 7.0}])
    gone.close()
    outcomes = rounds_of_awaits(client, count, pace)
    refused(client, ["none of yours"], "unawait", await_=99)
    late = client.ask("await", condition="electric.c_a.v > 100 V", within="3 ms", then=[{"verb": "set", "path": "c", "value": 9.0}])
    if pace == "free":
        client.ask("step", count=5)
    expect(f"{pace}: what does not hold in time is told", client.outcome(late["await"])["because"] == "time")
    client.ask("stop")
    reader.join()
    code, summary = run.finish()
    at = {row["time_ns"]: (row["values"][0], before["values"][0]) for before, row in zip(rows, rows[1:])}  # time may have jumped
    expect(f"{pace}: {count} of {count} held", all(line["held"] and line["done"] == (2 if pace == "free" else 1) for _, line in outcomes), outcomes[:3])
    times = [line["time_ns"] for _, line in outcomes]
    seen = [(k, line, at[t]) for (k, line), t in zip(outcomes, times) if t in at]  # a watcher may be too slow for real time
    wrong = [entry for entry in seen if not passes(entry[0], entry[2][0]) or passes(entry[0], entry[2][1])]
    logged = [(moment, value) for moment, value in run.inputs()["b"] if moment > 0]
    expect(f"{pace}: the first boundary at which it holds, {len(seen)} of {count}", not wrong and len(seen) >= (count if pace == "free" else count / 10), wrong[:3])
    told = [(line["values"]["electric.c_a.v"], *at.get(t, [None])[:1]) for (_, line), t in zip(outcomes, times)]
    wrong = [(k, pair) for k, pair in enumerate(told) if not passes(k, pair[0]) or pair[1] not in (pair[0], None)]
    expect(f"{pace}: told with the value for which it held, as the watcher saw it", not wrong, wrong[:3])
    expect(f"{pace}: told with its macro-step", all(line["step"] * H == line["time_ns"] == line["effective_ns"] for _, line in outcomes), outcomes[:3])
    expect(f"{pace}: the action is in the plant's log at this boundary, {count} of {count}", logged == [(t, k + 2.0) for k, t in enumerate(times)], logged[:3])
    expect(f"{pace}: what was not to be done was not", code == 4 and [v for _, v in run.inputs()["c"]] == [1.0], code)
    expect(f"{pace}: replayed, the same digest", Run(program, work / f"await_{pace}_again", "--replay", run.directory).finish()[1]["digest"] == summary["digest"])


def check_command(takt, program, work):
    run = Run(program, work / "command", "--pace", "free", "--hold", "--for", "1 s")
    run.client().close()

    def tap(*arguments, code=0):
        done = subprocess.run([takt, "tap", run.directory, *arguments], capture_output=True, text=True, timeout=PATIENCE)
        expect(f"takt tap {' '.join(arguments)}: exit code {code}", done.returncode == code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    expect("list", "plant_input  a [V]" in tap("list", "?"))
    expect("step", "paused at 0.005 s" in tap("step", "5"))
    expect("set", "takes effect at 0.005 s" in tap("set", "a=2 V", "b=3"))
    tap("step")
    expect("checkpoint", "takes effect at 0.006 s" in tap("checkpoint"))
    expect("read", "a = 2 V" in tap("read", "a", "electric.c_*.v"))
    expect("await", "held at 0.006 s, macro-step 6" in tap("await", "a > 1.5 V", "--within", "1 s", "--then", "set b=3 V", "--then", "pause"))
    expect("await is told to all", "holds: a > 1.5 V" in tap("events"))
    expect("a condition that is none", "condition:1:1" in tap("await", "a", "--within", "1 s", code=1))
    expect("no action", "VERB PATH=VALUE" in tap("await", "a > 1 V", "--within", "1 s", "--then", "dance", code=2))
    expect("wrong unit", "V" in tap("set", "a=2 kg", code=1))
    expect("no value", "PATH=VALUE" in tap("set", "a", code=2))
    expect("status", "paused" in tap("status"))
    as_json = json.loads(tap("status", "--json"))
    expect("status as JSON", as_json["phase"] == "paused" and as_json["ok"] is True, as_json)
    expect("events", "set a 2" in tap("events"))
    shown = subprocess.run([takt, "top", run.directory, "--show", "a"], capture_output=True, text=True, timeout=PATIENCE)
    expect("takt top shows one view where it is read by a program", shown.returncode == 0 and "simulated     0.006 s of 1 s" in shown.stdout, shown.stdout + shown.stderr)
    watch = subprocess.Popen([takt, "tap", run.directory, "watch", "electric.c_a.v", "--every", "100 ms", "--csv"], stdout=subprocess.PIPE, text=True)
    expect("watch begins", watch.stdout.readline() == "time [s],electric.c_a.v [V]\n")
    tap("resume")
    rows = watch.communicate(timeout=PATIENCE)[0].splitlines()
    expect("watch ends with the run", watch.returncode == 0 and [row.split(",")[0] for row in rows] == [f"{k / 10:.9f}" for k in range(1, 11)], rows)
    _, ended = run.finish()
    (file,) = run.directory.glob("checkpoint-*.takt")
    resumed = Run(program, work / "resumed", "--pace", "free", "--for", "1 s", "--resume", file)
    code, summary = resumed.finish()
    expect("a checkpoint that a client asked for is resumed", code == 0 and summary["digest"] == ended["digest"], (resumed.errors, summary["digest"], ended["digest"]))
    expect("ended", "has ended" in tap("status", code=1))
    nowhere = subprocess.run([takt, "tap", work / "nowhere", "status"], capture_output=True, text=True)
    expect("no such run", nowhere.returncode == 2 and "no run at" in nowhere.stderr, nowhere.stderr)
    without = Run(program, work / "without", "--pace", "free", "--no-tap", "--for", "1 s")
    without.finish()
    expect("--no-tap", not (without.directory / "tap").exists() and without.process.returncode == 0)
    both = subprocess.run([program, "--hold", "--no-tap", "--pace", "free"], capture_output=True, text=True)
    expect("--hold needs a tap", both.returncode == 2 and "--hold" in both.stderr, both.stderr)


def main():
    takt, work = takt_and_work()
    work = pathlib.Path(work).resolve()
    program = build(takt, work, "inputs", TEXT)
    two = two_cores(check_free(program, work), work)
    check_three_clients(program, work, "one core", [], two)
    if two:
        check_three_clients(program, work, "two cores", two, two)
        check_three_clients(program, work, "two processes", [*two, "--processes"], two)
        check_the_same_times(program, work, two)
    for pace in ("free", "real"):
        check_await(program, work, pace)
    check_deaths(program, work)
    check_crowd(program, work)
    check_command(takt, program, work)
    print(f"{len(failures)} failures: {failures}" if failures else "all good")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
