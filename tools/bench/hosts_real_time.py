#!/usr/bin/env python3
"""tools/bench/hosts_real_time.py [--takt TAKT] [--for "10 s"] [--every 5,20] [--delays 0,2,...]

One plant (tools/bench/apart) on two hosts in real time, processes of this machine with a network namespace each, exchanging every 5 and every 20 ms,
through a relay that holds each packet back for so long (half to whole of the time given), loses some, and with a clock of the second host that
drifts or is set. For each: versions that came too late of those due, by host, the most that one window had to do without, and the largest error of
any recorded signal against the run on one host, as a share of that signal's range. Needs root."""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

if os.geteuid() == 0 and "TAKT_OWN_NETWORK" not in os.environ:
    os.environ["TAKT_OWN_NETWORK"] = "1"
    os.execvp("unshare", ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, *sys.argv])


def read(folder):
    with open(folder / "signals.csv") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    return {name.split(" ")[0]: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def error_of(folders, alone):
    worst, which = 0.0, ""
    for folder in folders:
        for name, values in read(folder).items():
            spread = max(alone[name]) - min(alone[name])
            if name == "time" or spread == 0.0:
                continue
            off = max(abs(a - b) for a, b in zip(values, alone[name])) / spread
            if off > worst:
                worst, which = off, name
    return worst, which


def main():
    from host_relay import Relay

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", default=ROOT / "build/release/bin/takt")
    parser.add_argument("--for", dest="duration", default="10 s")
    numbers = lambda text: [float(part) for part in text.split(",")]
    parser.add_argument("--every", type=numbers, default=[5, 20])
    parser.add_argument("--delays", type=numbers, default=[0, 2, 4, 8, 16, 32])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work, run = pathlib.Path(scratch), 0
        rig = work / "rig.toml"
        rig.write_text('[rig]\npace = "real"\n[hosts]\ndomain = 18\n[host.lead]\ninterface = "near"\n[host.second]\ninterface = "far"\ncomputes = ["near"]\n')
        print("| exchanged every, ms | held back up to, ms | lost | clock of the second host | late at the first | at the second | most at once | largest error | of |\n| ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |")
        for every in options.every:
            plant = work / f"every_{every:g}"
            plant.mkdir()
            text = (ROOT / "tools/bench/apart/plant.toml").read_text()
            (plant / "plant.toml").write_text(text.replace('every = "20 ms", scheme', f'every = "{every:g} ms", scheme'))
            built = subprocess.run([options.takt, "build", plant, "--rig", rig, "--out", work / "build"], capture_output=True, text=True)
            if built.returncode != 0:
                sys.exit(built.stderr)
            executable = built.stdout.strip().splitlines()[-1]
            subprocess.run([executable, "--one-host", "--pace", "free", "--audit", "off", "--quiet", "--for", options.duration, "--out", work / f"one_{every:g}"], check=True, capture_output=True)
            alone = read(work / f"one_{every:g}")
            cases = [(delay, 0.0, "", []) for delay in options.delays]
            cases += [(2, 0.01, "", []), (2, 0.05, "", []), (0, 0.0, "100 ppm fast", ["--distort-clock", "100:0:0"]), (0, 0.0, "100 ppm fast, set ahead by 5 ms", ["--distort-clock", "100:5000:4"]),
                      (0, 0.0, "100 ppm fast, set back by 5 ms", ["--distort-clock", "100:-5000:4"])]
            for delay, loss, clock, distortion in cases:
                run += 1
                relay = Relay(loss=loss, delay_s=delay * 1e-3, seed=run)
                folders = [work / f"lead_{run}", work / f"second_{run}"]
                other = subprocess.Popen([*relay.other, executable, "--host", "second", "--quiet", "--out", folders[1], *distortion], stdout=subprocess.DEVNULL)
                lead = subprocess.run([executable, "--accept-late", "--json", "--quiet", "--for", options.duration, "--out", folders[0]], capture_output=True, text=True)
                other.wait()
                relay.close()
                if lead.returncode != 0:
                    sys.exit(lead.stderr + lead.stdout[-2000:])
                hosts = json.loads(lead.stdout)["hosts"]
                shares = [f"{100.0 * host['late_versions'] / host['windows']:.2f} %" for host in hosts]
                worst, which = error_of(folders, alone)
                print(f"| {every:g} | {delay:g} | {100 * loss:g} % | {clock} | {shares[0]} | {shares[1]} | {max(host['most_missing'] for host in hosts)} | {worst:.2e} | {which} |", flush=True)


if __name__ == "__main__":
    main()
