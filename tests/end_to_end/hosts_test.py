#!/usr/bin/env python3
"""One plant on several hosts in lock-step: the digest, the recordings and the energies of one host, on 2 and 3 of them, dealt out so that every
chain crosses, with inputs, actions, faults and scenarios; through a network that loses, delays and reorders; hosts that die, stand still, are
others than they should be. Nothing leaves the machine.

    hosts_test.py --takt build/release/bin/takt --work DIR"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import tomllib

from built_plants import PLANTS, takt_and_work
from host_rigs import Rig, check, failures, may_have_networks

# Groups in one another, of several orders; the slow one is joined by what was known before. The input is read where the leader does not compute.
NESTED = """[plant]
title    = "A driven circuit every millisecond, walls every 10 ms"
duration = "1 s"
error    = "off"
[input]
u = { unit = "V", start = "1 V", safe = "0 V" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "u*(1 + 0.5*sin(2*pi*5 Hz*time)) - 0.2*control.seen.out" }
r      = { is = "resistor", at = ["in", "out"], r = "100 Ohm", alpha = "0.003 1/K", heat = "solid.body[0]" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "100 uF" }
[control]
seen   = { is = "filter", every = "5 ms", of = "electric.c.v", tau = "20 ms" }
[solid]
body = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "300 K" }, n = 4 }
link = { is = "heat_transfer", at = ["body[i]", "body[i+1]"], c = "0.5 W/K", n = 3 }
far  = { is = "wall", m = "2 g", cp = "400 J/kg/K", start = { t = "310 K" } }
gap  = { is = "heat_transfer", at = ["body[3]", "far"], c = "0.1 W/K" }
[solve]
electric = { step = "100 us", method = "rk4" }
solid    = { step = "1 ms", method = "rk4" }
[sync]
fast  = { members = ["electric"], every = "1 ms" }
middle = { members = ["fast", "control.seen"], every = "5 ms" }
slow  = { members = ["middle", "solid"], every = "10 ms", scheme = "decoupled" }
[record]
"10 ms" = ["electric.c.v", "electric.r.i", "control.seen.out", "solid.body[0].t", "solid.far.t"]
"""
SCENARIO = """[scenario]
title = "a step, a fault, and it comes back"
duration = "600 ms"
[[step]]
at = "100 ms"
set = { u = "3 V" }
[[step]]
when = "electric.c.v > 2 V"
inject = { "electric.r" = "open" }
[[step]]
at = "400 ms"
clear = ["electric.r open"]
[[step]]
expect = "electric.c.v > 2.2 V"
within = "500 ms"
"""
ROOT = PLANTS.parents[1]

def lines(file):
    """Without the marks that say, now and then, how far a log reaches."""
    return [line for line in file.read_bytes().splitlines() if not line.startswith(b"# reached_ns ")]


def compare(rig, work, what, *arguments, expected_code=0, **options):
    one, several = work / f"{what}_one", work / f"{what}_several"
    code_one, a, error_one = rig.alone(one, *arguments)
    code, b, error = rig.run(several, *arguments, **options)
    check(code_one == code == expected_code, f"{what}: exit codes {code_one} and {code} {error_one} {error}")
    if not a or not b:
        return a, b
    check(a["digest"] == b["digest"] and not b["digest_void"], f"{what}: the digest of one host, {b['digest']}")
    files = [file.name for file in one.iterdir() if file.suffix == ".csv"]
    differ = [name for name in files if not (several / name).exists() or lines(one / name) != lines(several / name)]
    check("signals.csv" in files and not differ, f"{what}: the same {', '.join(files)} {differ or ''}")
    keys = ("energy", "ledger_closes", "couplings", "warnings", "verdicts", "actions", "stopped_because", "scenario", "macro_steps")
    differ = [key for key in keys if a.get(key) != b.get(key)]
    check(not differ, f"{what}: the same {', '.join(keys)} {[(k, a.get(k), b.get(k)) for k in differ] or ''}")
    for key in ("energy", "windows", "events", "equations"):
        check(all(x.get(key) == y.get(key) for x, y in zip(a["subsystems"], b["subsystems"])), f"{what}: the same {key} of each subsystem")
    return a, b


def refused(takt, work, plant, text, wanted, code):
    file = work / "refused.toml"
    file.write_text(text)
    done = subprocess.run([takt, "check", plant, "--rig", file], capture_output=True, text=True)
    check(done.returncode == 1 and wanted in done.stdout + done.stderr and code in done.stdout + done.stderr, f"refused: {wanted} {'' if code in done.stderr + done.stdout else done.stderr + done.stdout}")


def subsystems_of(takt, plant):
    return [s["name"] for s in json.loads(subprocess.run([takt, "check", plant, "--json"], capture_output=True, text=True).stdout)["subsystems"]]


def main():
    takt, work = takt_and_work()
    bev = PLANTS / "bev"
    nested = work / "nested"
    nested.mkdir()
    (nested / "plant.toml").write_text(NESTED)

    # Whole plants.
    two = Rig(takt, work, bev, [("lead", None), ("second", ["fluid.*"])])
    a, b = compare(two, work, "bev_2", "--for", "10 s")
    check([core["host"] for core in b["cores"]] == ["lead", "second"] and all(core["busy_s"] > 0 for core in b["cores"]), "both hosts computed")
    names = subsystems_of(takt, bev)
    three = Rig(takt, work, bev, [("a", names[0::3]), ("b", names[1::3]), ("c", None)])
    compare(three, work, "bev_3", "--for", "4 s")

    # Inputs within a macro-step, actions, faults, a scenario; read and acted on where the leader does not compute.
    apart = Rig(takt, work, nested, [("lead", ["solid*", "control*"]), ("second", ["electric"])])
    compare(apart, work, "inputs", "--input", "u=2 V@3 ms", "--input", "u=-1 V@205 ms", "--input", "u=5 V@206 ms", "--input", "u=4 V@700 ms")
    actions = ["50 ms: set u 2 V", "200 ms: tune electric.c.c 50 uF", "300 ms: inject electric.r open", "400 ms: inject solid.gap insulated", "500 ms: clear electric.r open", "600 ms: override solid.body[0].t 350 K",
               "700 ms: release solid.body[0].t", "750 ms: release u", "800 ms: tune solid.far.m 3 g", "850 ms: inject electric.c.v offset 1 V"]
    compare(apart, work, "actions", *[word for text in actions for word in ("--action", text)])
    for fault in ("stuck", "drift 3 V/s", "noise 0.2 V seed 7", "delay 12 ms"):
        a, _ = compare(apart, work, fault.split()[0], "--action", f"203 ms: inject electric.c.v {fault}", "--for", "400 ms")
        check(a["digest"] != apart.alone(work / "undisturbed", "--for", "400 ms")[1]["digest"], f"{fault}: it does something")
    scenario = work / "scenario.toml"
    scenario.write_text(SCENARIO)
    a, b = compare(apart, work, "scenario", "--scenario", str(scenario))
    compare(apart, work, "parameters", "--set", "electric.c.c=20 uF", "--start", "given", "--for", "300 ms")
    code, again, _ = apart.alone(work / "replayed", "--replay", str(work / "actions_several"))
    _, first, _ = apart.alone(work / "first", *[word for text in actions for word in ("--action", text)])
    check(code == 0 and again["digest"] == first["digest"], "a replay on one host of what was done on two: the same digest")

    # A value that is no number, on the other host.
    bad = ["--input", "u=1e200 V@303 ms"]
    one, more = apart.alone(work / "bad_one", *bad), apart.run(work / "bad_several", *bad)
    check(one[0] == more[0] == 1 and "no longer finite" in one[1]["stopped_because"] and one[1]["stopped_because"] == more[1]["stopped_because"],
          f"what goes wrong there is said here: {more[1].get('stopped_because')} {more[2]}")

    # Hosts that fail.
    for name, kill, wanted in (("killed", signal.SIGKILL, "silent"), ("ended", signal.SIGTERM, "stopped by a signal")):
        other = two.start("second")
        leader = two.start("lead", "--for", "100000 s", "--json", "--quiet", "--no-results")
        time.sleep(3.0)
        other.send_signal(kill)
        output, error = leader.communicate(timeout=60)
        other.communicate(timeout=30)
        summary = json.loads(output)
        check(leader.returncode == 1 and wanted in str(summary["stopped_because"]) and "second" in summary["stopped_because"], f"another host {name}: {summary['stopped_because']} {error}")
    other = two.start("second")
    leader = two.start("lead", "--for", "100000 s", "--json", "--quiet", "--no-results")
    time.sleep(3.0)
    leader.kill()
    leader.communicate()
    _, error = other.communicate(timeout=60)
    check(other.returncode == 1 and "silent" in error, f"the leading host killed: {error.strip()}")
    other = two.start("second")
    leader = two.start("lead", "--for", "20 s", "--json", "--quiet", "--no-results")
    time.sleep(1.0)
    other.send_signal(signal.SIGSTOP)
    time.sleep(2.0)
    other.send_signal(signal.SIGCONT)
    output, error = leader.communicate(timeout=60)
    other.communicate(timeout=30)
    _, alone, _ = two.alone(work / "alone", "--for", "20 s")
    check(leader.returncode == 0 and json.loads(output)["digest"] == alone["digest"], f"a host that stood still for 2 s: the same digest {error}")
    other = two.start("second")
    leader = two.start("lead", "--for", "100000 s", "--json", "--quiet", "--no-results")
    time.sleep(3.0)
    leader.send_signal(signal.SIGINT)
    output, error = leader.communicate(timeout=60)
    other_output, other_error = other.communicate(timeout=30)
    check(leader.returncode == 4 and "by the user" in json.loads(output)["stopped_because"] and other.returncode == 0, f"Ctrl-C on the leader ends both in order {error} {other_error}")

    # Micro-steps are where they are computed.
    other = apart.start("second")
    leader = apart.start("lead", "--for", "100000 s", "--quiet", "--out", str(work / "scoped"))
    until = time.monotonic() + 60
    while not (work / "scoped/tap").exists() and time.monotonic() < until:
        time.sleep(0.05)
    done = subprocess.run([takt, "tap", work / "scoped", "scope", "electric.c.v", "--post", "1 ms"], capture_output=True, text=True, timeout=60)
    check(done.returncode != 0 and "computed by another host" in done.stderr, f"a scope of what another host computes: {done.stderr.strip()}")
    done = subprocess.run([takt, "tap", work / "scoped", "scope", "solid.far.t", "--post", "20 ms"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0 and len(done.stdout.splitlines()) >= 21, f"and of what this one computes: {done.stderr.strip()}")
    leader.send_signal(signal.SIGINT)
    leader.communicate(timeout=60)
    other.communicate(timeout=30)

    # Who is not there, or another one than he should be.
    quick = Rig(takt, work, nested, [("first", None), ("other", ["electric"])], head='wait = "2 s"')
    leader = quick.start("first", "--no-results")
    _, error = leader.communicate(timeout=60)
    check(leader.returncode == 1 and "host other is not there" in error, f"nobody there: {error.strip()}")
    pair = [quick.start("other"), quick.start("other")]
    errors = [process.communicate(timeout=60)[1] for process in pair]
    check(any("two processes call themselves host other" in error for error in errors), f"two of one name: {errors[0].strip()}")
    changed = work / "changed"
    changed.mkdir()
    (changed / "plant.toml").write_text(NESTED.replace('m = "2 g"', 'm = "4 g"'))
    renamed = changed / "nested"
    renamed.mkdir()
    (renamed / "plant.toml").write_text((changed / "plant.toml").read_text())
    other_build = Rig(takt, changed, renamed, [("first", None), ("other", ["electric"])], head='wait = "2 s"')
    stranger = other_build.start("other")
    leader = quick.start("first", "--no-results")
    _, error = leader.communicate(timeout=60)
    stranger.communicate(timeout=60)
    check(leader.returncode == 1 and "another build" in error, f"another build: {error.strip()}")
    for arguments, wanted in ((["--host", "nobody"], "has no host 'nobody'"), (["--pace", "real"], "lock-step"), (["--cores", "0,1"], "leave --cores away")):
        done = subprocess.run([quick.executable, "--no-results", *arguments], capture_output=True, text=True)
        check(done.returncode == 2 and wanted in done.stderr, f"{' '.join(arguments)}: {done.stderr.strip()}")
    away = Rig(takt, work, nested, [("here", None), ("there", ["electric"])], interfaces=["no_such0", "lo"])
    done = subprocess.run([away.executable, "--no-results"], capture_output=True, text=True)
    check(done.returncode == 1 and "network interface no_such0: there is none of this name; there are: lo" in done.stderr, f"no such interface: {done.stderr.strip()}")
    refused(takt, work, nested, '[rig]\npace = "free"\n[host.a]\ninterface = "lo"\n[host.b]\ninterface = "lo"\ncomputes = ["electrics"]\n', "has no such subsystem", "B049")
    refused(takt, work, nested, '[rig]\npace = "free"\n[host.a]\ninterface = "lo"\ncomputes = ["electric", "solid*", "control*"]\n[host.b]\ninterface = "lo"\ncomputes = ["electric"]\n', "by host a and by host b", "B049")
    refused(takt, work, nested, '[host.a]\ninterface = "lo"\n', "2 to 64 hosts", "B049")
    refused(takt, work, nested, '[host.a]\ninterface = "lo"\n[host.b]\n', "names no interface", "B049")
    refused(takt, work, nested, '[host.a]\ninterface = "lo"\n[host.b]\ninterface = "lo"\n', "two hosts compute what is left", "B049")
    refused(takt, work, nested, "[hosts]\ndomain = 300\n", "domain", "B00")
    refused(takt, work, nested, '[host.a]\ninterface = "lo"\nssh = "x"\n[host.b]\ninterface = "lo"\ncomputes = ["electric"]\n', "the leading host has 'ssh'", "B049")

    # One command, here and over a command in place of ssh.
    done = subprocess.run([takt, "run", nested, "--rig", apart.file, "--build-dir", work / "run_build", "--json", "--quiet", "--out", work / "by_run", "--for", "1 s"], capture_output=True, text=True, timeout=120)
    _, alone, _ = apart.alone(work / "alone_again", "--for", "1 s")
    check(done.returncode == 0 and json.loads(done.stdout)["digest"] == alone["digest"], f"takt run starts the others: the same digest {done.stderr[-500:]}")
    shell = work / "like_ssh"
    home = work / "home"
    home.mkdir()
    shell.write_text(f'#!/bin/sh\n[ "$1" = -- ] || exit 1\necho "$2" >> {work}/machines\ncd {home} && exec sh -c "$3"\n')
    shell.chmod(0o755)
    by_ssh = work / "by_ssh.toml"
    by_ssh.write_text(apart.file.read_text().replace('[host.second]\n', '[host.second]\nssh = "rig@bench"\n'))
    done = subprocess.run([takt, "run", nested, "--rig", by_ssh, "--build-dir", work / "run_build", "--json", "--quiet", "--no-results", "--for", "1 s"], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "TAKT_SSH": str(shell)})
    machines = (work / "machines").read_text() if (work / "machines").exists() else ""
    check(done.returncode == 0 and json.loads(done.stdout)["digest"] == alone["digest"] and machines == "rig@bench\n", f"over ssh: copied, started, the same digest {done.stderr[-500:]}")

    # An FMU on another host; and one that fails there.
    if (ROOT / "build/fmi/fmi2Functions.h").exists():
        from compiled_fmus import HERE, compile_lag

        for name, change, code in (("fmu", lambda text: text, 0), ("fmu_fails", lambda text: text.replace('fault = "0"', 'fault = "1"'), 1)):
            folder = work / name
            folder.mkdir()
            compile_lag(folder / "lag.fmu")
            (folder / "plant.toml").write_text(change((HERE / "fmu_plant/plant.toml").read_text()))
            fmu = Rig(takt, work, folder, [("lead", None), ("second", ["fmu*"])])
            a, b = compare(fmu, work, name, expected_code=code)
            check(not b["fmus"] and a["fmus"], f"{name}: what was asked there is not told as asked here")

    # What is proposed, as it is printed.
    done = subprocess.run([two.executable, "--propose-hosts", "2", "--round-trip", "0.2 ms"], capture_output=True, text=True, timeout=120)
    tables = tomllib.loads(done.stdout)["host"] if done.returncode == 0 else {}
    check(done.returncode == 0 and len(tables) == 2 and "couplings cross" in done.stdout, f"two hosts are proposed {done.stderr}")
    proposed = Rig(takt, work, bev, [(name, table.get("computes")) for name, table in tables.items()])
    compare(proposed, work, "proposed", "--for", "1 s")
    done = subprocess.run([apart.executable, "--propose-hosts", "4"], capture_output=True, text=True, timeout=120)
    check(done.returncode == 2 and "has 3 subsystems" in done.stderr, f"more hosts than subsystems: {done.stderr.strip()}")

    # A bad network.
    try:
        os.close(os.open("/dev/net/tun", os.O_RDWR))
        has_tun = True
    except OSError:
        has_tun = False
    if may_have_networks and has_tun:
        sys.path.insert(0, str(PLANTS.parents[1] / "tools/bench"))
        from host_relay import Relay

        relayed = Rig(takt, work, bev, [("near", None), ("far", ["fluid.*", "electric"])], interfaces=["near", "far"])
        relay = Relay(loss=0.05, delay_s=0.02, seed=7)
        compare(relayed, work, "relay", "--for", "3 s", prefixes={"far": relay.other})
        relay.close()
        check(relay.lost > 10 and relay.overtaken > 10, f"through a relay that lost {relay.lost} packets of {relay.carried + relay.lost} and brought {relay.overtaken} too late for their turn")
    else:
        print("skipped: the relay needs root, network namespaces and /dev/net/tun")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
