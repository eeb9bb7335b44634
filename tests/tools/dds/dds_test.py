#!/usr/bin/env python3
"""takt-dds between a running plant and cyclonedds of Python: what is read is what the plant records; what is commanded is what it sees, when
it is told; what is wrong is refused with the reason.

    dds_test.py --takt build/release/bin/takt --takt-dds build/release/bin/takt-dds --work DIR"""
import argparse
import atexit
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import dds_plant
from dds_plant import H, PATIENCE, STAGES, Bridge, Reader

DOMAIN = 83
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, "" if condition else str(found)[:1500], flush=True)
    if not condition:
        failures.append(what)


class Run:
    def __init__(self, program, directory, *options):
        self.directory = directory
        self.command = [program, "--quiet", "--audit", "off", "--no-report", "--tolerate", "X008"]
        self.process = subprocess.Popen([str(part) for part in [*self.command, "--out", directory, *options]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        atexit.register(self.process.kill)
        until = time.monotonic() + PATIENCE
        while not (directory / "tap").exists() and time.monotonic() < until:
            time.sleep(0.01)

    def finish(self):
        self.output = self.process.communicate(timeout=PATIENCE)[0]
        return self.process.returncode, json.loads((self.directory / "summary.json").read_text())

    def inputs(self):
        """-> {input: [(time_ns, value)]}"""
        found = {}
        for line in (self.directory / "inputs.csv").read_text().splitlines():
            if not line.startswith("#") and not line.startswith("time_ns"):
                moment, name, value = line.split(",")
                found.setdefault(name, []).append((int(moment), float(value)))
        return found


def refused(bridge, words, code, *arguments):
    found = subprocess.run([str(part) for part in [bridge, *arguments]], capture_output=True, text=True, timeout=PATIENCE)
    expect(f"refused: {' '.join(str(part) for part in arguments)}", found.returncode == code and all(word in found.stderr + found.stdout for word in words),
           (found.returncode, found.stderr))


def check_ros(reader):
    """What ROS 2 makes of the bytes: the samples as they come on the wire, by the .msg files alone."""
    try:
        from rosbags.typesys import Stores, get_types_from_msg, get_typestore
    except ImportError:
        return print("skipped: no rosbags, the bytes are not looked at as ROS 2 would")
    from cyclonedds._clayer import ddspy_read
    store = get_typestore(Stores.EMPTY)
    for file in sorted((dds_plant.ROOT / "config/dds/takt_msgs/msg").glob("*.msg")):
        store.register(get_types_from_msg(file.read_text(), f"takt_msgs/msg/{file.stem}"))
    late = Reader("ladder", DOMAIN)
    late.readers["every_1_ms"] = late.plant.block("every_1_ms")
    acknowledged = reader.command("ros", 7, "dance")
    compared = 0
    for name, source in (("Description", late.plant.description), ("Status", late.plant.status), ("Event", late.plant.events), ("Block", late.readers["every_1_ms"]),
                         ("Acknowledgement", late.plant.acknowledgements)):
        if name == "Acknowledgement":
            reader.command("ros", 8, "dance")
        until = time.monotonic() + PATIENCE
        while not (samples := ddspy_read(source._ref, 0xffff, 1)) and time.monotonic() < until:
            time.sleep(0.01)
        raw = bytes(samples[0][0])
        other, ours = store.deserialize_cdr(raw, f"takt_msgs/msg/{name}"), source.read(N=1)[0]
        same = all(list(getattr(other, field)) == list(value) if isinstance(value, (list, tuple)) and not (value and hasattr(value[0], "paths")) else
                   [list(block.paths) for block in getattr(other, field)] == [list(block.paths) for block in value] if isinstance(value, (list, tuple)) else
                   getattr(other, field) == value for field, value in vars(ours).items() if field != "sample_info")
        again = bytes(store.serialize_cdr(other, f"takt_msgs/msg/{name}"))
        expect(f"ROS 2: {name} by its .msg, and the same bytes back", raw[:2] == b"\0\1" and same and again[4:] == raw[4:len(again)], (raw[:80], again[:80], other))
        compared += 1
    expect("ROS 2: all that the bridge writes", compared == 5 and acknowledged is not None)


def check_arguments(bridge, work):
    """Without any run."""
    lo = ("--interface", "lo")
    there = work / "empty"
    there.mkdir()
    other = work / "other.xml"
    other.write_text("<CycloneDDS><Domain><General><Interfaces><NetworkInterface name='idle0'/></Interfaces></General></Domain></CycloneDDS>")
    bad = work / "bad.xml"
    bad.write_text("<CycloneDDS><Domain><Nonsense>5</Nonsense></Domain></CycloneDDS>")
    refused(bridge, ["--interface"], 2, there)
    refused(bridge, ["eth77", "lo (127.0.0.1)"], 2, there, "--interface", "eth77")
    refused(bridge, ["0 to 230"], 2, there, *lo, "--domain", "231")
    refused(bridge, ["0 to 230"], 2, there, *lo, "--domain", "-1")
    refused(bridge, ["no run"], 2, work / "nothing", *lo)
    refused(bridge, ["cannot be asked"], 1, there, *lo)
    refused(bridge, ["no file"], 2, there, *lo, "--config", work / "none.xml")
    refused(bridge, ["NetworkInterface", "--interface"], 2, there, *lo, "--config", other)
    refused(bridge, ["does not take its settings"], 1, there, *lo, "--may-start", "--config", bad, "--", "plant")
    refused(bridge, ["NAME=PERIOD"], 2, there, *lo, "--block", "fast")
    refused(bridge, ["1 day"], 2, there, *lo, "--block", "fast=1 day: u")
    refused(bridge, ["digit"], 2, there, *lo, "--block", "1st=1 ms: u")
    refused(bridge, ["two of the name"], 2, there, *lo, "--block", "a=1 ms: u", "--block", "a=2 ms: u")
    refused(bridge, ["digit"], 2, there, *lo, "--name", "a/b")
    refused(bridge, ["--may-start"], 2, there, *lo, "--", "plant")
    refused(bridge, ["executable"], 2, there, *lo, "--may-start")
    refused(bridge, ["--out"], 2, there, *lo, "--may-start", "--", "plant", "--out", "x")


def check_blocks(reader, session, run):
    """All values are those that the run has recorded, and none is missing."""
    blocks = reader.of(session)
    numbers = [block.number for block in blocks]
    expect("blocks: 2000 and more, in order, none missing", len(blocks) >= 2000 and numbers == list(range(numbers[0], numbers[0] + len(numbers))), numbers[:3])
    expect("blocks: the times are those of the grid", all(b.time_ns - a.time_ns == H for a, b in zip(blocks, blocks[1:])) and blocks[-1].dropped == 0)
    described = next(block for block in reader.descriptions[-1].blocks if block.name == "every_1_ms")
    expect("description: names and units", len(described.paths) == 4 * STAGES + 4 and described.units[described.paths.index("electric.r0.i")] == "A"
           and described.period_ns == H, described)
    with open(run.directory / "signals.csv", newline="") as file:
        rows = list(csv.reader(file))
    columns = [rows[0].index(f"{path} [{unit}]") for path, unit in zip(described.paths, described.units)]
    recorded = {round(float(row[0]) * 1e9): row for row in rows[1:]}
    wrong = [(block.time_ns, path) for block in blocks for path, column, value in zip(described.paths, columns, block.values)
             if float(recorded[block.time_ns][column]) != value]
    expect(f"blocks: {len(blocks) * len(columns)} values are those of signals.csv, to the last bit", not wrong, wrong[:5])
    slow = [block for block in reader.blocks["every_7_ms"] if block.session == session]
    expect("blocks of another rate: one in seven, none missing", len(slow) > 250 and all(b.time_ns - a.time_ns == 7 * H for a, b in zip(slow, slow[1:]))
           and all(block.time_ns % (7 * H) == 0 and len(block.values) == 1 for block in slow), len(slow))
    # Each reader is matched with its writer at a time of its own, so the first may differ; the last may not.
    expect("blocks of another rate: up to the end", 0 <= blocks[-1].time_ns - slow[-1].time_ns < 7 * H, (blocks[-1].time_ns, slow[-1].time_ns))


def seen_from(reader, session, path, answer):
    """-> values of the path up to the time of this acknowledgement, and behind it"""
    names = next(block for block in reader.descriptions[-1].blocks if block.name == "every_1_ms").paths
    column = names.index(path)
    near = [block for block in reader.of(session) if abs(block.time_ns - answer.effective_ns) < 20 * H]
    return ({block.values[column] for block in near if block.time_ns <= answer.effective_ns}, {block.values[column] for block in near if block.time_ns > answer.effective_ns})


def check_commands(reader, session):
    """-> acknowledgements of what was done"""
    first = reader.command("ana", 1, "set", {"u": "5 V"})
    expect("a command is acknowledged with its window", first.ok and first.error == "" and first.window * H == first.effective_ns and first.session == session, first)
    reader.until(lambda: reader.of(session)[-1].time_ns > first.effective_ns + 30 * H)
    both = reader.command("ben", 2, "set", {"u": "2", "w": "3 V"})
    over = reader.command("ana", 3, "override", {"control.sum": "7"})
    reader.until(lambda: reader.of(session)[-1].time_ns > max(over.effective_ns, both.effective_ns) + 30 * H)
    back = reader.command("ana", 4, "release", ["control.sum"])
    expect("all are done", both.ok and over.ok and back.ok, (both, over, back))
    column = next(block for block in reader.descriptions[-1].blocks if block.name == "every_1_ms").paths.index("electric.source.v")
    between = {block.values[column] for block in reader.of(session) if over.effective_ns + H < block.time_ns <= back.effective_ns}
    expect("what is overridden has that value for as long", between == {7.0}, (over, back, between))
    for path, answer, before, after in (("u", first, {1.0}, {5.0}), ("u", both, {5.0}, {2.0}), ("w", both, {0.0}, {3.0})):
        expect(f"{path} changes in the window that was told", seen_from(reader, session, path, answer) == (before, after), (answer, seen_from(reader, session, path, answer)))
    return first, both


def check_refusals(reader, session):
    refusals = [("dance", None, ["unknown verb", "checkpoint"]), ("set", {"u": "5 A"}, ["A", "V"]), ("set", {"nothing": "1"}, ["nothing"]),
                ("set", {"u" * 2000: "1"}, ["1000"]), ("set", {"u" * 700: "1"}, ["500"]), ("set", {}, ["at least one path"]), ("release", {"u": "1"}, ["no values"]),
                ("set", ["u"], ["value for each path"]), ("pause", None, ["wall clock"]), ("step", ["many"], ["macro-steps"]), ("start", None, ["--may-start"]),
                ("set", {f"u{k}": "1" for k in range(17)}, ["16"]), ("set", {"u": "nan"}, ["nan"]), ("", None, ["unknown verb"]), ("set", {"u": "\x00\x01\ud7ff"}, [""])]
    for number, (verb, values, words) in enumerate(refusals, 100):
        answer = reader.command("eve", number, verb, values)
        expect(f"refused: {verb} {str(values)[:40]!r}", answer is not None and not answer.ok and all(word in answer.error for word in words) and answer.window == -1, answer)
    other = reader.command("eve", 200, "set", {"u": "9 V"}, layout=2)
    expect("refused: another layout, by name", not other.ok and "layout 2" in other.error and "layout 1" in other.error, other)
    for author in ("", "x" * 64, "a\nb"):
        expect(f"refused: author {author!r}", "author" in reader.command(author, 201, "set", {"u": "9 V"}).error)


def check_many(reader):
    """1000 commands at once, of more authors than there are connections for: each has one answer."""
    for number in range(1000, 2000):
        reader.plant.command(f"author {number % 40}", number, "set" if number % 3 else "dance", {"w": "3 V"} if number % 3 else None)
    keys = [(f"author {number % 40}", number) for number in range(1000, 2000)]
    reader.until(lambda: all(key in reader.acknowledgements for key in keys))
    answers = [reader.acknowledgements.get(key, []) for key in keys]
    expect("1000 commands at once: an answer to each", all(len(answer) == 1 for answer in answers), [len(answer) for answer in answers if len(answer) != 1][:20])
    done = [answer[0] for key, answer in zip(keys, answers) if answer and answer[0].ok]
    wrong = {answer[0].error for answer in answers if answer and not answer[0].ok}
    expect("... some are done, the others are told why not", len(done) > 16 and all(any(word in text for word in ("unknown verb", "try again", "no room", "32 clients")) for text in wrong),
           (len(done), wrong))


def check_misfit(reader):
    """A writer of commands whose type has other fields, and a reader that is of another kind: the bridge says so."""
    from cyclonedds.pub import DataWriter
    from cyclonedds.topic import Topic
    import takt_dds
    quality = reader.plant.quality(1, False)
    from cyclonedds.domain import DomainParticipant
    stranger = DomainParticipant(DOMAIN)  # of its own: the first one knows the true type of the topic
    writer = DataWriter(stranger, Topic(stranger, reader.plant.prefix + "commands", takt_dds.Event, qos=quality), qos=quality)
    writer.write(takt_dds.Event(1, 1, 1, "stop"))
    told = reader.until(lambda: any("does not fit" in event.text and "Event_" in event.text for event in reader.events))
    expect("a writer of another type is named", told, [event.text for event in reader.events])
    del writer, stranger


def check_interface():
    """DDS has joined no group on the other interface, and nothing has left by it: a bridge and readers there would do both."""
    groups, interface = {}, ""
    for line in pathlib.Path("/proc/net/igmp").read_text().splitlines()[1:]:
        if not line.startswith("\t"):
            interface = line.split()[1]
        else:
            groups.setdefault(interface, set()).add(line.split()[0])
    discovery = "0100FFEF"  # 239.255.0.1
    expect("discovery is on no other interface", all(discovery not in found for name, found in groups.items() if name != "lo"), groups)


def check_run(bridge, program, work):
    run = Run(program, work / "run", "--pace", "real", "--late", "any", "--for", "600 s")  # until a command ends it
    lo = ("--interface", "lo", "--domain", str(DOMAIN))
    server = Bridge(bridge, run.directory, *lo)
    reader = Reader("ladder", DOMAIN)
    foreign = Reader("ladder", DOMAIN + 1)
    expect("blocks come", reader.until(lambda: len(reader.blocks.get("every_1_ms", [])) > 100))
    description = reader.descriptions[-1]
    session = description.session
    expect("description: who runs here", description.layout == 1 and description.plant == "ladder" and description.run == str(run.directory) and description.macro_step_ns == H
           and str(run.process.pid) in description.run_id and str(server.process.pid) in description.bridge, description)
    late = Reader("ladder", DOMAIN)
    expect("who comes late has the description", late.until(lambda: late.descriptions) and late.descriptions[-1].session == session)
    second = Bridge(bridge, run.directory, *lo)
    code, said = second.finish()
    expect("a second bridge is refused, by the name of the first", code == 1 and f"process {server.process.pid} " in said, (code, said))
    done = check_commands(reader, session)
    check_refusals(reader, session)
    check_many(reader)
    check_ros(reader)
    check_misfit(reader)
    check_interface()
    expect("nothing in another domain", not foreign.descriptions and (foreign.read() or not foreign.descriptions) and not foreign.events)

    reader.until(lambda: len(reader.of(session)) > 2200)
    expect("the bridge lives", server.process.poll() is None)
    kept = reader.of(session)[-1].number
    server.process.kill()
    server.finish()
    server = Bridge(bridge, run.directory, *lo)
    expect("the bridge was killed and started again: the reader goes on", reader.until(lambda: len(reader.of(reader.descriptions[-1].session)) > 100 and
                                                                              reader.descriptions[-1].session != session) and kept > 0)
    again = reader.descriptions[-1]
    expect("... it knows the same run, and another bridge", again.run_id == description.run_id and again.bridge != description.bridge, again)

    from tap_client import processes_of
    service = processes_of(run.process.pid)[1]
    os.kill(service, signal.SIGKILL)
    expect("the tap's service was killed: the bridge says so, and is there again", reader.until(lambda: any("there again" in event.text for event in reader.events)))
    last = reader.of(again.session)[-1].number
    expect("... blocks go on, and what is missing is counted", reader.until(lambda: reader.of(again.session)[-1].number > last + 50) and reader.of(again.session)[-1].dropped > 0)
    expect("... and commands", reader.command("ana", 5, "set", {"w": "1 V"}).ok and reader.command("ana", 6, "stop").ok)

    code, said = server.finish()
    reader.until(lambda: any("has ended" in event.text for event in reader.events) and reader.statuses[-1].phase == "ended")
    expect("the end of the run is told, and ends the bridge", code == 0 and reader.statuses[-1].phase == "ended" and any("has ended" in event.text for event in reader.events),
           (code, said, reader.statuses[-1]))
    ended, summary = run.finish()
    status = reader.statuses[-1]
    expect("the last status is that of the run", status.macro_steps == summary["macro_steps"] and status.blocks_failed == 0 and 0 < status.rtf < 1, (status, ended))
    expect("the plant was not disturbed", ended == 4, run.output)
    inputs = run.inputs()
    expect("the log of the run has the commands at the times that were told", (done[0].effective_ns, 5.0) in inputs["u"] and (done[1].effective_ns, 2.0) in inputs["u"]
           and (done[1].effective_ns, 3.0) in inputs["w"], (done, inputs))
    texts = [event.text for event in reader.events]
    expect("events name the authors", any(text.endswith("by ana") for text in texts) and any(text.endswith("by ben") for text in texts), texts[:20])
    check_blocks(reader, session, run)
    replayed = Run(program, work / "replayed", "--replay", run.directory, "--pace", "free")
    expect("a replay has the same digest", replayed.finish()[1]["digest"] == summary["digest"])
    return run


def check_start(bridge, program, work):
    """A command starts the plant; blocks that are asked for, in whole macro-steps; another command ends it."""
    lo = ("--interface", "lo", "--domain", str(DOMAIN + 2), "--may-start")
    server = Bridge(bridge, work / "started", *lo, "--block", "asked=1500 us: electric.c1*.v, u", "--", program, "--quiet", "--no-report", "--audit", "off", "--pace", "real", "--late", "any",
                    "--for", "60 s")
    reader = Reader("ladder", DOMAIN + 2)
    expect("before the start there is a description, too", reader.until(lambda: reader.descriptions and reader.statuses) and reader.statuses[-1].phase == "no run")
    early = reader.command("ana", 1, "set", {"u": "2 V"})
    expect("refused: a command before the start", not early.ok and "start" in early.error, early)
    started = reader.command("ana", 2, "start")
    expect("a command starts the plant", started.ok, started)
    expect("refused: another start", "under way" in reader.command("ana", 3, "start").error)
    expect("its blocks come", reader.until(lambda: len(reader.blocks.get("asked", [])) > 20))
    asked = reader.descriptions[-1].blocks[0]
    expect("a period is in whole macro-steps, and that is said", asked.asked_ns == 1_500_000 and asked.period_ns in (H, 2 * H)
           and any("macro-steps" in event.text for event in reader.events) and "electric.c10.v" in asked.paths, asked)
    stopped = reader.command("ben", 4, "stop")
    code, said = server.finish()
    reader.read()
    summary = json.loads((work / "started/summary.json").read_text())
    expect("a command stops the plant", stopped.ok and code == 0 and summary["macro_steps"] * H == stopped.effective_ns, (stopped, code, said, summary["macro_steps"]))

    server = Bridge(bridge, work / "never", *lo, "--name", "never", "--", "false")
    reader = Reader("never", DOMAIN + 2)
    reader.until(lambda: reader.statuses)
    failed = reader.command("ana", 1, "start")
    expect("refused: a plant that ends at once", not failed.ok and "code 1" in failed.error, failed)
    server.process.terminate()
    expect("a signal ends the bridge in order", server.finish()[0] == 0 and reader.until(lambda: any("bridge ends" in event.text for event in reader.events)))


def check_killed(bridge, program, work):
    """A plant that is killed has not ended in order, and nobody is told so."""
    run = Run(program, work / "killed", "--pace", "real", "--late", "any", "--for", "60 s")
    server, reader = Bridge(bridge, run.directory, "--interface", "lo", "--domain", str(DOMAIN + 5)), Reader("ladder", DOMAIN + 5)
    reader.until(lambda: len(reader.blocks.get("every_1_ms", [])) > 10)
    run.process.kill()
    code, said = server.finish()
    reader.read()
    expect("a plant that is killed: the run is lost, and that is said", code == 1 and reader.statuses[-1].phase == "lost" and any("lost" in event.text for event in reader.events),
           (code, said, reader.statuses[-1:]))


def check_buses(bridge, takt, work):
    """A plant on a virtual CAN bus: the status counts the frames that a client has sent and heard."""
    from built_plants import build_with_rig
    from echo_test import FOLDER, Client
    from raw_client import free_port
    port = free_port()
    program = build_with_rig(takt, work, FOLDER / "plant.toml", FOLDER / "rig.toml")
    run = Run(program, work / "echo", "--bus", f"can0.port={port}")
    server = Bridge(bridge, run.directory, "--interface", "lo", "--domain", str(DOMAIN + 4), "--name", "echo")
    reader, client, asked = Reader("echo", DOMAIN + 4), Client(port), 40
    expect("status: the bus is there", reader.until(lambda: reader.statuses and reader.statuses[-1].buses) and reader.statuses[-1].buses[0].name == "can0")
    for number in range(1, asked + 1):
        client.ask(number)
        client.hear_until(number)
    def counts():
        bus = reader.statuses[-1].buses[0]
        return bus.state, bus.received, bus.failed, bus.sent in (len(client.heard), len(client.heard) + 1)  # the start value may be before the client
    expect("status: frames of the bus, as many as were sent and heard", reader.until(lambda: counts() == ("", asked + 1, 0, True)), (reader.statuses[-1], len(client.heard)))
    run.process.send_signal(signal.SIGINT)
    expect("the end of a run by a signal ends the bridge", server.finish()[0] == 0)
    run.process.communicate(timeout=PATIENCE)


def check_security(bridge, work):
    """With keys of config/dds/security a bridge finds another one that has such keys, none that has not; who may only read cannot be a bridge."""
    keys = work / "keys"
    made = subprocess.run([dds_plant.ROOT / "config/dds/security/make_keys.sh", keys], capture_output=True, text=True)
    if made.returncode != 0:
        return print("skipped: security:", made.stderr)
    common = ("--interface", "lo", "--domain", str(DOMAIN + 3), "--name", "closed", "--may-start")
    first = Bridge(bridge, work / "closed", *common, "--config", keys / "bridge.xml", "--", "true")
    first.process.stderr.readline()  # it serves
    second = Bridge(bridge, work / "closed", *common, "--config", keys / "bridge.xml", "--", "true").finish()
    expect("security: a second bridge with keys is refused, it sees the first", second[0] == 1 and f"process {first.process.pid} " in second[1], second)
    without = Bridge(bridge, work / "closed", *common, "--", "true")
    said = without.process.stderr.readline()
    without.process.terminate()
    expect("security: a bridge without keys sees nothing", "rt/takt/closed/* in domain" in said and without.finish()[0] == 0, said)
    reader = Reader("closed", DOMAIN + 3)
    denied = Bridge(bridge, work / "closed", *common, "--config", keys / "reader.xml", "--", "true").finish()
    expect("security: who may only read cannot be a bridge", denied[0] == 1 and "Not Allowed By Security" in denied[1], denied)
    reader.read()  # a second later, in which a bridge with keys has found the first one
    expect("security: a reader without keys sees nothing", not reader.descriptions and not reader.statuses and not reader.events)
    first.process.terminate()
    expect("security: the bridge ends in order", first.finish()[0] == 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--takt-dds", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    dds_plant.in_own_network()
    try:
        import takt_dds
    except ImportError:
        print("no cyclonedds for Python (tools/install_packages.sh python)")
        sys.exit(77)
    takt_dds.limit_to("lo")
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    check_arguments(arguments.takt_dds, arguments.work)
    folder = arguments.work / "ladder"
    folder.mkdir()
    (folder / "plant.toml").write_text(dds_plant.plant_text())
    built = subprocess.run([arguments.takt, "build", folder, "--out", arguments.work / "built"], capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    program = built.stdout.strip().splitlines()[-1]
    check_run(arguments.takt_dds, program, arguments.work)
    check_start(arguments.takt_dds, program, arguments.work)
    check_killed(arguments.takt_dds, program, arguments.work)
    check_buses(arguments.takt_dds, arguments.takt, arguments.work)
    check_security(arguments.takt_dds, arguments.work)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
