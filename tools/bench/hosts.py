#!/usr/bin/env python3
"""tools/bench/hosts.py latency|fleet [--takt TAKT] [--work DIR] [--for TIME] [--runs 3] ...

What lock-step over several hosts costs. The hosts are processes of this machine; as root, in a network of their own.

  latency  config/plants/bev, the second host computes PATTERN (--computes): wall time per macro-step through a relay that holds each packet back
           for 0, 1, 5 and 20 ms (--delays, ms; 0: loopback without the relay), beside the round trip that UDP takes there. Needs root.
  fleet    so many vehicles (--vehicles), copies of config/plants/PLANT (--plant ev), shared out over 1, 2 and 4 hosts (--hosts): wall time per
           macro-step, CPU time of all processes of all hosts, what crossed the network, all per macro-step. What CPU time there is beyond that of
           one host is the exchange's."""
import argparse
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

if os.geteuid() == 0 and "TAKT_OWN_NETWORK" not in os.environ:
    os.environ["TAKT_OWN_NETWORK"] = "1"
    os.execvp("unshare", ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, *sys.argv])


def built(takt, plant, rig, folder):
    done = subprocess.run([takt, "build", plant, "--rig", rig, "--out", folder], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout.strip().splitlines()[-1]


def rig_text(hosts):
    """[(name, interface, computes)]"""
    text = '[rig]\npace = "free"\n[hosts]\ndomain = 17\nwait = "60 s"\n'
    for name, interface, computes in hosts:
        text += f'[host.{name}]\ninterface = "{interface}"\n' + (f"computes = {json.dumps(computes)}\n" if computes else "")
    return text


def crossed():
    """Bytes and packets over loopback so far."""
    own = next(line for line in pathlib.Path("/proc/net/dev").read_text().splitlines() if line.strip().startswith("lo:"))
    return [int(number) for number in own.split(":")[1].split()[8:10]]


def run(executable, hosts, duration, prefixes):
    """-> summary of the leader, with the CPU time of all and what has crossed loopback"""
    before, used = crossed(), resource.getrusage(resource.RUSAGE_CHILDREN)
    others = [subprocess.Popen([*prefixes.get(name, []), executable, "--host", name, "--quiet"]) for name in hosts[1:]]
    done = subprocess.run([executable, "--json", "--quiet", "--no-results", "--for", duration] + ([] if hosts[1:] else ["--one-host", "--audit", "off"]), capture_output=True, text=True)
    for other in others:
        other.wait()
    if not done.stdout.startswith("{") or done.returncode != 0:
        sys.exit(done.stderr)
    after, now = crossed(), resource.getrusage(resource.RUSAGE_CHILDREN)
    own = {"cpu_s": now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime, "crossed": [b - a for a, b in zip(before, after)]}
    return json.loads(done.stdout) | own


def medians(executable, hosts, options, prefixes={}):
    """-> wall time per macro-step in ms, summary of the middle run"""
    summaries = sorted((run(executable, hosts, options.duration, prefixes) for _ in range(options.runs)), key=lambda s: s["wall_s"])
    middle = summaries[len(summaries) // 2]
    return 1e3 * middle["wall_s"] / middle["macro_steps"], middle


def round_trip_ms(prefix):
    """Of UDP between here and the namespace of the prefix: median of 50."""
    echo = "import socket;s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM);s.bind(('10.77.0.2',7));\nwhile 1:\n d,a=s.recvfrom(99);s.sendto(d,a)"
    server = subprocess.Popen([*prefix, sys.executable, "-c", echo])
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.settimeout(1.0)
    times = []
    while len(times) < 50:
        begun = time.perf_counter()
        client.sendto(b"x", ("10.77.0.2", 7))
        try:
            client.recv(99)
        except OSError:
            time.sleep(0.1)  # the server is not there yet
            continue
        times.append(1e3 * (time.perf_counter() - begun))
    server.kill()
    return statistics.median(times)


def latency(options):
    from host_relay import Relay

    plant, work = ROOT / "config/plants/bev", options.work
    rig = work / "loopback.toml"
    rig.write_text(rig_text([("lead", "lo", None), ("second", "lo", [options.computes])]))
    near = built(options.takt, plant, rig, work / "loopback")
    relayed = work / "relayed.toml"
    relayed.write_text(rig_text([("lead", "near", None), ("second", "far", [options.computes])]))
    far = built(options.takt, plant, relayed, work / "relayed")
    print("| one way held back, ms | round trip of UDP, ms | wall time per macro-step, ms | in round trips |\n| --- | ---: | ---: | ---: |")
    for delay in options.delays:
        if delay == 0:
            wall, _ = medians(near, ["lead", "second"], options)
            print(f"| loopback | | {wall:.2f} | |", flush=True)
            continue
        relay = Relay(loss=0.0, delay_s=delay * 1e-3, seed=1)
        trip = round_trip_ms(relay.other)
        wall, _ = medians(far, ["lead", "second"], options, {"second": relay.other})
        relay.close()
        print(f"| {delay:g} | {trip:.2f} | {wall:.2f} | {wall / trip:.2f} |", flush=True)


def fleet(options):
    import scale

    work = options.work
    folder = work / "fleet"
    folder.mkdir(exist_ok=True)
    (folder / "plant.toml").write_text(scale.copies(options.plant, options.vehicles))
    checked = json.loads(subprocess.run([options.takt, "check", folder, "--json"], capture_output=True, text=True).stdout)
    names = [s["name"] for s in checked["subsystems"]]
    print(f"{options.vehicles} vehicles, {len(names)} subsystems\n\n| hosts | wall time, ms | CPU time of all, ms | KB over the network | packets |\n| --- | ---: | ---: | ---: | ---: |")
    for count in options.hosts:
        shares = {k: [] for k in range(count)}
        for name in names:
            number = int(name.split("fleet[")[1].split("]")[0]) if "fleet[" in name else 0
            shares[number * count // options.vehicles].append(name)
        hosts = [(f"h{k}", "lo", shares.get(k) if k > 0 else None) for k in range(max(count, 2))]
        if count == 1:
            hosts[1] = ("h1", "lo", [names[-1]])  # a rig has two hosts at least; it is run with --one-host
        rig = work / f"fleet_{count}.toml"
        rig.write_text(rig_text(hosts))
        executable = built(options.takt, folder, rig, work / "build")  # one after the other: only the rig is compiled again
        wall, summary = medians(executable, [name for name, _, _ in hosts][:count], options)
        steps = summary["macro_steps"]
        size, packets = summary["crossed"]
        print(f"| {count} | {wall:.3f} | {1e3 * summary['cpu_s'] / steps:.3f} | {size / 1e3 / steps:.2f} | {packets / steps:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("latency", "fleet"))
    parser.add_argument("--takt", default=ROOT / "build/release/bin/takt")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--for", dest="duration", default="4 s")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--computes", default="fluid.*")
    parser.add_argument("--delays", type=lambda text: [float(part) for part in text.split(",")], default=[0, 1, 5, 20])
    parser.add_argument("--plant", default="ev")
    parser.add_argument("--vehicles", type=int, default=100)
    parser.add_argument("--hosts", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2, 4])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        options.work = options.work or pathlib.Path(scratch)
        options.work.mkdir(exist_ok=True)
        {"latency": latency, "fleet": fleet}[options.what](options)


if __name__ == "__main__":
    main()
