#!/usr/bin/env python3
"""One plant on several hosts in real time: with all in time the digest of one host, whatever their clocks do; inputs, actions, buses, taps and
recordings of each; hosts that die, stand still, come back, cannot keep up; couplings that cannot cross. Nothing leaves the machine.

    hosts_apart_test.py --takt build/release/bin/takt --work DIR"""
import collections
import csv
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import time

import perfetto_trace
from built_plants import PLANTS, takt_and_work
from can_client import can, connect, free_port
from host_rigs import Rig, check, failures
from tap_client import TapClient

APART = (PLANTS.parents[1] / "tools/bench/apart/plant.toml").read_text()


def read(folder):
    with open(folder / "signals.csv") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    head = [name.split(" ")[0] for name in rows[0]]
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(head)}


def start_both(rig, work, name, lead=(), second=()):
    """-> processes and folders of the leading host and of the other one"""
    folders = work / f"{name}_lead", work / f"{name}_second"
    other = rig.start("second", "--quiet", "--json", "--out", str(folders[1]), *second)
    # What a busy machine delivers late is said in the report, and looked at there.
    leader = rig.start("lead", "--json", "--quiet", "--accept-late", "--out", str(folders[0]), *lead)
    return leader, other, *folders


def end(process, timeout=60):
    output, error = process.communicate(timeout=timeout)
    return process.returncode, json.loads(output) if output.startswith("{") else {}, error


def late(summary):
    return sum(host["late_versions"] for host in summary["hosts"])


def child_of(pid, name):
    for child in subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split():
        if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == name:
            return int(child)
    raise RuntimeError(f"{name} is no child of {pid}")


def bus(takt, work, apart):
    """The leading host has a bus: what comes there is read on both hosts, what it computes itself is sent."""
    for folder in (work / "bus_own", work / "bus_foreign"):
        folder.mkdir()
        (folder / "rig.dbc").write_text('VERSION ""\n\nBU_: PLANT ECU\n\nBO_ 16 WALL: 8 PLANT\n SG_ wall : 0|32@1- (0.001,0) [0|1000] "K" ECU\n\nBO_ 32 DRIVE: 8 ECU\n SG_ volts : 0|16@1- (0.001,0) [-30|30] "V" PLANT\n\n'
                                      'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;\nBA_DEF_DEF_ "GenMsgCycleTime" 20;\n')
    buses = '\n[bus.can0]\nkind = "can"\nvirtual = true\ndbc = "rig.dbc"\nsimulate = ["PLANT"]\n[bus.can0.receive]\n"DRIVE.volts" = "u"\n"DRIVE" = { timeout = "0 s" }\n[bus.can0.send]\n"WALL.wall" = "SENT"\n'
    own = Rig(takt, work / "bus_own", apart, [("lead", None), ("second", ["near"])], pace="real", more={"second": buses.replace("SENT", "solid.body[0].t")})
    port = free_port()
    leader, other, lead_folder, second_folder = start_both(own, work, "bus", ["--for", "10 min", "--bus", f"can0.port={port}"])
    client = connect(port)
    heard = {}

    def hear(frames, drive):
        """Until so many have come from the plant, one each 20 ms of its time."""
        while frames > 0:
            message = client.recv(30)
            if message is None:
                raise RuntimeError("the plant has sent nothing for 30 s")
            heard[message.arbitration_id] = struct.unpack("<i", bytes(message.data[:4]))[0] * 0.001
            if drive:
                client.send(can.Message(arbitration_id=32, data=struct.pack("<hxxxxxx", 4000), is_extended_id=False))
            frames -= 1

    hear(40, drive=False)
    hear(60, drive=True)
    leader.send_signal(signal.SIGINT)
    client.shutdown()
    code, a, error = end(leader)
    other_code, b, other_error = end(other)
    volts = read(second_folder)["electric.c.v"]
    wall = read(lead_folder)["solid.body[0].t"]
    check(code == 4 and other_code == 0 and max(volts[-20:]) > 2.0 * max(volts[:20]), f"what a bus brought to the first host has come to the other: {max(volts[:20]):.3f} V, then {max(volts[-20:]):.3f} V {error} {other_error}")
    check(a["digest_void"] and min(wall) - 0.1 < heard.get(16, 0.0) < max(wall) + 0.1, f"what it computes is sent: {heard}")
    foreign = Rig(takt, work / "bus_foreign", apart, [("lead", None), ("second", ["near"])], pace="real", more={"second": buses.replace('"SENT"', '{ from = "electric.c.v", scale = 1 }')})
    done = subprocess.run([foreign.executable, "--no-results"], capture_output=True, text=True)
    check(done.returncode == 2 and "sends values of electric, which host second computes" in done.stderr, f"what another host computes is not sent: {done.stderr.strip()[:300]}")


def system_calls(rig):
    """Of the plant's thread of either host, between the third and the fourth getrusage(RUSAGE_THREAD), as tests/runtime/executive/syscalls_test.sh."""
    if shutil.which("strace") is None or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        print("skipped: strace is missing, or may not trace")
        return
    for traced in ("lead", "second"):
        file = rig.folder / f"{traced}.strace"
        prefix = ["strace", "-f", "-o", str(file)]
        other = rig.start("second", "--no-results", prefix=prefix if traced == "second" else ())
        leader = rig.start("lead", "--no-results", "--quiet", "--accept-late", "--for", "2 s", prefix=prefix if traced == "lead" else ())
        code, _, error = end(leader)
        end(other)
        asked, seen = collections.Counter(), collections.Counter()
        for line in file.read_text().splitlines():
            thread, call = line.split(None, 1)
            if call.startswith("getrusage(RUSAGE_THREAD"):
                asked[thread] += 1
            elif asked[thread] == 3 and "resumed>" not in call:
                seen[call.split("(")[0]] += 1
        check(code == 0 and set(seen) == {"clock_nanosleep"} and seen["clock_nanosleep"] > 100, f"the plant's thread on {traced} makes no system call but clock_nanosleep: {dict(seen)} {error}")


def main():
    takt, work = takt_and_work()
    takt = str(pathlib.Path(takt).resolve())
    apart = work / "apart"
    apart.mkdir()
    (apart / "plant.toml").write_text(APART)
    rig = Rig(takt, work, apart, [("lead", None), ("second", ["near"])], pace="real")

    # Whatever the clocks do. On a busy machine something may be late: then it has to be said, and the digest is void.
    script = ["--input", "u=3 V@203 ms", "--input", "t=350 K@500 ms", "--set", "electric.c.c=4 mF"]
    for name, clock in (("true", []), ("drift", ["--distort-clock", "100:0:0"]), ("ahead", ["--distort-clock", "-200:5000:1.5"]), ("behind", ["--distort-clock", "0:-5000:1.5"])):
        arguments = ["--for", "4 s", *script]
        leader, other, lead_folder, second_folder = start_both(rig, work, name, arguments, clock)
        code, a, error = end(leader)
        other_code, b, other_error = end(other)
        check(code == other_code == 0, f"{name}: both end in order {error} {other_error}")
        _, alone, _ = rig.alone(work / f"{name}_one", "--pace", "free", *arguments)
        check(a["digest_void"] == (late(a) > 0) and (a["digest_void"] or a["digest"] == alone["digest"]), f"{name}: the digest of one host, or void: {a['digest']}, {late(a)} late versions")
        check(a["ledger_closes"] and a["macro_steps"] == alone["macro_steps"] == b["macro_steps"], f"{name}: the ledger closes, {a['macro_steps']} macro-steps")
        check([host["name"] for host in a["hosts"]] == ["lead", "second"] and not b["digest"], f"{name}: one report of both")
        ones, leads, seconds = read(work / f"{name}_one"), read(lead_folder), read(second_folder)
        check(set(leads) | set(seconds) == set(ones) and set(leads) & set(seconds) == {"time"}, f"{name}: each records what it computes")
        worst = max(abs(x - y) / (1.0 + abs(y)) for mine in (leads, seconds) for key in mine for x, y in zip(mine[key], ones[key]))
        check(worst <= (0.0 if not a["digest_void"] else 0.2), f"{name}: recorded as on one host ({worst})")
        if name == "drift":
            drift, within = (a["hosts"][1][key] for key in ("clock_drift_ppm", "clock_drift_within_ppm"))
            check(abs(drift - 100) <= within + 1 and within > 0, f"drift seen: {drift} ppm within {within} ppm")
        if name in ("ahead", "behind"):
            check(a["hosts"][1]["clock_jumps"] >= 1, f"{name}: the jump was seen")

    # From the steady state, which hangs on the whole plant.
    leader, other, *_ = start_both(rig, work, "steady", ["--for", "1 s", "--start", "steady"])
    code, a, error = end(leader)
    end(other)
    _, alone, _ = rig.alone(work / "steady_one", "--pace", "free", "--for", "1 s", "--start", "steady")
    check(code == 0 and (a["digest_void"] or a["digest"] == alone["digest"]), f"a steady start: the digest of one host, {late(a)} late versions {error}")

    # One trace of both, on one time axis, though their clocks are 700 s apart, and 5.4 ms more at the end.
    leader, other, lead_folder, second_folder = start_both(rig, work, "trace", ["--for", "6 s", "--trace", "10 s"], ["--trace", "10 s", "--distort-clock", "900:700000000:0"])
    code, a, error = end(leader)
    other_code, _, other_error = end(other)
    (work / "all.pftrace").write_bytes((lead_folder / "trace.pftrace").read_bytes() + (second_folder / "trace.pftrace").read_bytes())
    tracks = perfetto_trace.read(work / "all.pftrace")
    releases = [{(one.arguments["macro_step"], one.arguments["instant"]): one.begin for one in tracks[name].instants if one.name == "release"} for name in ("worker 0", "worker 1")]
    apart_ms = max(abs(releases[0][key] - releases[1][key]) * 1e-6 for key in releases[0].keys() & releases[1].keys())
    check(code == other_code == 0 and len(releases[0]) == 1200 and {s.name for s in tracks["worker 1"].slices} >= {"electric", "control.5ms"}, f"both leave a trace {error} {other_error}")
    check(apart_ms < 3.0, f"laid together they are one, in which releases are {apart_ms:.3f} ms apart")

    # Steered from the leading host; what another one computes is not here.
    acted = ["--for", "1 s", "--action", "300 ms: set t 400 K", "--action", "400 ms: set u 2 V"]
    leader, other, lead_folder, second_folder = start_both(rig, work, "acted", acted, ["--action", "600 ms: tune electric.c.c 3 mF"])
    code, a, error = end(leader)
    other_code, b, other_error = end(other)
    check(code == other_code == 0, f"each host is acted on: {error} {other_error}")
    check(a["digest_void"], "an input that was set while it ran came later to the other host: the digest is void")
    voltage = read(second_folder)["electric.r.i"]
    before, after = max(abs(i) for i in voltage[10:20]), max(abs(i) for i in voltage[20:27])
    check(after > 1.3 * before, f"set there, it has come here: {before} A, then {after} A")
    check(any("electric.c.c" in str(action) for action in b["actions"]), "tuned where it is computed")
    only_here = ["--for", "1 s", "--action", "300 ms: set t 400 K"]
    leader, other, *_ = start_both(rig, work, "only_here", only_here)
    code, a, error = end(leader)
    end(other)
    _, alone, _ = rig.alone(work / "only_here_one", "--pace", "free", *only_here)
    check(code == 0 and a["digest_void"] == (late(a) > 0) and (a["digest_void"] or a["digest"] == alone["digest"]), f"an input that no other host reads crosses nothing: the digest of one host, {late(a)} late versions {error}")
    done = subprocess.run([rig.executable, "--no-results", "--action", "300 ms: tune electric.c.c 3 mF"], capture_output=True, text=True)
    check(done.returncode == 2 and "electric.c.c" in done.stderr and "host second computes" in done.stderr, f"refused where it is not computed: {done.stderr.strip()}")
    done = subprocess.run([rig.executable, "--no-results", "--action", "300 ms: override solid.body[0].t 350 K"], capture_output=True, text=True)
    check(done.returncode == 2 and "is read by electric, too, which another host computes" in done.stderr, f"refused where half of the readers would see it: {done.stderr.strip()}")
    leader, other, *_ = start_both(rig, work, "not_here", ["--for", "1 s"], ["--action", "300 ms: set u 2 V"])
    code, _, error = end(leader)
    other_code, _, other_error = end(other)
    check(code == 1 and other_code == 2 and "plant inputs are set on host lead" in error and "plant inputs are set on host lead" in other_error, f"refused where inputs are not set: {other_error.strip()}")

    # Hosts that die, stand still, come back.
    forever, falls = ["--for", "100000 s"], {}
    for when, goes_on in (("stop", False), ("hold", True), ("isolate", True)):
        lossy = Rig(takt, work / when if (work / when).mkdir() is None else work, apart, [("lead", None), ("second", ["near"])], pace="real", head='wait = "20 s"\nsilence = "1 s"', more={"second": f'when_lost = "{when}"\n'})
        leader, other, lead_folder, _ = start_both(lossy, work, f"{when}_killed", ["--for", "6 s"] if goes_on else forever)
        time.sleep(3.0)
        other.kill()
        if goes_on:
            time.sleep(1.5)
            again = lossy.start("second", "--quiet", "--no-results")
            again_code, _, again_error = end(again)
            check(again_code == 1 and "computes already" in again_error, f"{when}: started again, it is refused: {again_error.strip()}")
        code, a, error = end(leader)
        other.communicate()
        check(code == 1 and "host second has been silent for 1000 ms" in error + str(a["stopped_because"]) + str(a["verdict"]) + str(a["hosts"]), f"{when}: a host killed: {a['stopped_because']} {a['verdict']}")
        check((a["macro_steps"] == 300) == goes_on and a["digest_void"] and a["ledger_closes"], f"{when}: {a['macro_steps']} macro-steps, digest void")
        if goes_on:
            heat = read(lead_folder)["solid.body[0].t"]
            falls[when] = heat[-1] - heat[-50]
    check(falls["isolate"] < falls["hold"] - 0.02, f"the wall that was heated from there goes on being heated with hold, not with isolate: {falls} K in the last second")
    leader, other, lead_folder, _ = start_both(rig, work, "stands_still", ["--for", "5 s"])
    time.sleep(2.5)
    other.send_signal(signal.SIGSTOP)
    time.sleep(1.0)
    other.send_signal(signal.SIGCONT)
    code, a, error = end(leader)
    other_code, b, other_error = end(other)
    check(code == other_code == 0 and a["hosts"][0]["late_versions"] > 20 and a["hosts"][0]["most_missing"] > 20, f"a host that stood still for 1 s catches up: {a['hosts'][0]['late_versions']} late versions {error} {other_error}")
    check(a["digest_void"] and a["ledger_closes"] and "Host second missed" in a["verdict"], f"... it is said: {a['verdict']}")
    leader, other, *_ = start_both(rig, work, "leader_killed", forever)
    time.sleep(2.5)
    leader.kill()
    leader.communicate()
    other_code, b, other_error = end(other)
    check(other_code == 1 and "host lead has been silent" in str(b["stopped_because"]), f"the leading host killed: {b['stopped_because']}")
    leader, other, *_ = start_both(rig, work, "interrupted", forever)
    time.sleep(2.5)
    leader.send_signal(signal.SIGINT)
    code, a, error = end(leader)
    other_code, b, other_error = end(other)
    check(code == 4 and other_code == 0 and a["macro_steps"] == b["macro_steps"] and "by the user" in a["stopped_because"] and "host lead" in b["stopped_because"],
          f"Ctrl-C ends both at the same macro-step: {a['macro_steps']}, {b['macro_steps']} {error} {other_error}")
    leader, other, lead_folder, _ = start_both(rig, work, "tap_stop", forever)
    TapClient(lead_folder).ask("stop")
    code, a, error = end(leader)
    other_code, b, other_error = end(other)
    check(code == 4 and other_code == 0 and a["macro_steps"] == b["macro_steps"], f"a stop by the tap ends both at the same macro-step: {a['stopped_because']}, {b['stopped_because']} {error} {other_error}")
    holds = Rig(takt, work / "hold", apart, [("lead", None), ("second", ["near"])], pace="real", head='wait = "20 s"\nsilence = "1 s"', more={"second": 'when_lost = "hold"\n'})
    for whose in ("second", "lead"):
        leader, other, *_ = start_both(holds, work, f"no_link_{whose}", ["--for", "5 s"])
        time.sleep(3.0)
        os.kill(child_of((other if whose == "second" else leader).pid, "takt-host-link"), signal.SIGKILL)
        code, a, error = end(leader)
        other_code, b, other_error = end(other)
        check(code == other_code == 1 and "takt-host-link" in str((b if whose == "second" else a)["stopped_because"]), f"the link of {whose} killed: {a['stopped_because']}, {b['stopped_because']} {error} {other_error}")
        check((a["macro_steps"] == 250) == (whose == "second"), f"... the first goes on as it was to: {a['macro_steps']} macro-steps")
    leader, other, *_ = start_both(rig, work, "slow", ["--for", "3 s"], ["--policy", "stop", "--inject", "long:40:300000"])
    code, a, error = end(leader)
    other_code, b, other_error = end(other)
    check(code == other_code == 1 and "host second: it was stopped by the overrun policy" in a["stopped_because"], f"a host that stops for an overrun: {a['stopped_because']}")

    bus(takt, work, apart)
    system_calls(rig)

    # What cannot be.
    (work / "tied").mkdir()
    (work / "tied/plant.toml").write_text(APART.replace(', scheme = "jacobi"', ""))
    tied = Rig(takt, work, work / "tied", [("lead", None), ("second", ["near"])], pace="free")
    done = subprocess.run([tied.executable, "--no-results", "--pace", "real", "--late", "any"], capture_output=True, text=True)
    check(done.returncode == 2 and "exchanged within a window (lag 0)" in done.stderr and "jacobi" in done.stderr, f"refused: {done.stderr.strip()}")
    bad, two = work / "bad.toml", '[host.a]\ninterface = "lo"\n[host.b]\ninterface = "lo"\n'
    for plant, text, wanted in ((work / "tied", two + 'computes = ["near"]\n', "lag 0"), (apart, '[hosts]\nround_trip = "12 ms"\n' + two + 'computes = ["near"]\n', "is longer than the 5 ms"),
                                (apart, two + 'computes = ["fluid.*"]\n', "no such subsystem"), (apart, two + 'computes = ["near", "solid"]\n', "host a has nothing to compute")):
        bad.write_text(text)
        done = subprocess.run([takt, "check", plant, "--rig", bad], capture_output=True, text=True)
        check(done.returncode == 1 and wanted in done.stdout + done.stderr, f"refused before the run: {(done.stdout + done.stderr).strip()[:300]}")
    bad.write_text('[hosts]\nround_trip = "9 ms"\n' + two + 'computes = ["near"]\n')
    check(subprocess.run([takt, "check", apart, "--rig", bad], capture_output=True).returncode == 0, "a round trip of 9 ms can be held")
    for arguments, wanted in ((["--policy", "skip"], "one grid"), (["--cores", "0,1"], "leave --cores away"), (["--sheet"], "leave --sheet away"), (["--hold"], "--hold")):
        done = subprocess.run([rig.executable, "--no-results", *arguments], capture_output=True, text=True)
        check(done.returncode == 2 and wanted in done.stderr, f"refused: {' '.join(arguments)}: {done.stderr.strip()}")
    for text, wanted in (('[host.a]\ninterface = "lo"\n[host.b]\ninterface = "lo"\ncomputes = ["near"]\nwhen_lost = "cry"\n', "stop, hold or isolate"),
                         ('[host.a]\ninterface = "lo"\nwhen_lost = "hold"\n[host.b]\ninterface = "lo"\ncomputes = ["near"]\n', "the leading host has 'when_lost'")):
        bad.write_text(text)
        done = subprocess.run([takt, "check", apart, "--rig", bad], capture_output=True, text=True)
        check(done.returncode == 1 and wanted in done.stdout + done.stderr, f"refused: {wanted}")

    # One command.
    done = subprocess.run([takt, "run", apart, "--rig", rig.file, "--build-dir", work / "run_build", "--json", "--quiet", "--out", work / "by_run", "--for", "1 s"], capture_output=True, text=True, timeout=120, cwd=work)
    text = done.stdout[done.stdout.find("{"):done.stdout.rfind("}") + 1]
    check(done.returncode == 0 and len(json.loads(text)["hosts"]) == 2, f"takt run starts the others in real time {done.stderr[-500:]}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
