#!/usr/bin/env python3
"""What several cores gain, free and as fast as possible, by interleaved rounds of three runs: the plant on one core, two such
runs at once (the ceiling: what the machine itself allows), and the plant on all cores given.

    cores.py bev inverter:12 bev:20 --takt build/release/bin/takt --work DIR --cores 0,1 --rounds 15

NAME is a plant of config/plants, NAME:N so many copies of it in one plant that know nothing of each other. With --paced, instead, each
plant runs in real time on the cores given, so many rounds: how much of each core it takes, and what came too late."""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from scale import ROOT, copies  # noqa: E402

RECORD = {"bev": "translational.fleet[0].car.speed", "inverter": "gas.fleet[0].interior.t"}


def plant_file(name, work):
    name, _, count = name.partition(":")
    if not count:
        return ROOT / "config/plants" / name
    if name not in RECORD:
        sys.exit(f"cores.py: no copies of {name} yet: add a signal of it to RECORD")
    folder = work / f"{name}{count}"
    folder.mkdir(parents=True, exist_ok=True)
    text = copies(name, int(count)).replace(RECORD["bev"], RECORD[name])
    (folder / "plant.toml").write_text(text)
    return folder


def start(executable, duration, cores):
    options = ["--json", "--no-results", "--audit", "off", "--pace", "free", "--for", duration, "--cores", cores]
    return subprocess.Popen([executable, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def result(process):
    return json.loads(process.communicate()[0])


def measure(executable, arguments):
    cores = arguments.cores.split(",")
    rounds, digests = [], set()
    for _ in range(arguments.rounds):
        alone = result(start(executable, arguments.duration, cores[-1]))
        both = [start(executable, arguments.duration, core) for core in cores]
        slowest = max(result(process)["wall_s"] for process in both)
        shared = result(start(executable, arguments.duration, arguments.cores))
        digests |= {alone["digest"], shared["digest"]}
        ceiling = len(cores) * alone["wall_s"] / slowest
        gained = alone["wall_s"] / shared["wall_s"]
        rounds.append((alone["wall_s"], shared["wall_s"], gained, ceiling, gained / ceiling))
    return [statistics.median(column) for column in zip(*rounds)], shared["concurrency"], digests


def hold(executable, arguments):
    """-> cells of a row: paced runs, one after another"""
    options = ["--json", "--no-results", "--quiet", "--audit", "off", "--pace", "real", "--late", "any", "--for", arguments.duration, "--cores", arguments.cores]
    shares, tails, releases, causes = [], [], 0, collections.Counter()
    for _ in range(arguments.rounds):
        run = result(subprocess.Popen([executable, *options], stdout=subprocess.PIPE, text=True))
        shares.append([core["rtf"]["mean"] for core in run["cores"]])
        tails.append(max(rate["response_us"]["p999"] / (rate["period_s"] * 1e6) for rate in run["rates"]))
        releases += sum(rate["releases"] for rate in run["rates"])
        causes.update(run["overruns"]["causes"])
    late = ", ".join(f"{count} {cause}" for cause, count in causes.items() if count) or "none"
    return [", ".join(f"{statistics.median(share):.2f}" for share in zip(*shares)), f"{statistics.median(tails):.2f}", f"{releases}", late]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plants", nargs="+", metavar="NAME[:N]")
    parser.add_argument("--takt", default="build/release/bin/takt")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--cores", default="0,1")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--duration", default="60 s")
    parser.add_argument("--paced", action="store_true")
    arguments = parser.parse_args()
    if arguments.paced:
        print("| plant | share of each core | response p99.9 over period | releases | overruns |\n| --- | ---: | ---: | ---: | --- |")
    else:
        print("| plant | one core, s | all, s | gained | ceiling | of the ceiling | bound by work and critical path |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in arguments.plants:
        command = [arguments.takt, "build", plant_file(name, arguments.work), "--out", arguments.work / f"built_{name.replace(':', '')}"]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(built.stderr)
        if arguments.paced:
            print(f"| {' | '.join([name, *hold(built.stdout.strip().splitlines()[-1], arguments)])} |", flush=True)
            continue
        (one, several, gained, ceiling, share), planned, digests = measure(built.stdout.strip().splitlines()[-1], arguments)
        bound = planned["work_s"] / planned["bound_s"]
        print(f"| {name} | {one:.3f} | {several:.3f} | {gained:.2f} | {ceiling:.2f} | {share:.3f} | {bound:.2f} |", flush=True)
        if len(digests) != 1:
            sys.exit(f"cores.py: {name}: digests differ: {digests}")


if __name__ == "__main__":
    main()
