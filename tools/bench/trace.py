#!/usr/bin/env python3
"""What a trace costs: built plants run free, in turn without and with `--trace`, on one CPU. Lower quartiles of ns per
window: where others use the machine, medians say more about them.

    trace.py build/bev/bin/bev:120s build/inverter/bin/inverter:1s --rounds 15 --cpu 1

--before DIR holds executables of the same names from before a change: they run in turn, too."""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile


def run(executable, duration, cpu, out, *trace):
    """@return ns of busy time per window, and the digest"""
    command = [executable, "--json", "--quiet", "--no-report", "--audit", "off", "--pace", "free", "--for", duration, "--cpu", cpu, "--out", out, *trace]
    summary = json.loads(subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True).stdout)
    windows = sum(subsystem["windows"] for subsystem in summary["subsystems"])
    return summary["busy_s"] * 1e9 / windows, summary["digest"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plants", nargs="+", metavar="EXECUTABLE:TIME")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--cpu", default="1")
    parser.add_argument("--before", type=pathlib.Path)
    arguments = parser.parse_args()
    print("| plant | without, ns per window | with | difference | before, against without |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for plant in arguments.plants:
        executable, _, duration = plant.rpartition(":")
        duration = duration.replace("s", " s")
        name = pathlib.Path(executable).name
        kinds = {"off": (executable,), "on": (executable, "--trace", "3600 s")}
        if arguments.before:
            kinds["before"] = (arguments.before / name,)
        rounds, digests = [], set()
        with tempfile.TemporaryDirectory() as folder:
            for number in range(arguments.rounds):
                order = list(kinds) if number % 2 == 0 else list(reversed(kinds))
                figures = {}
                for kind in order:
                    path, *trace = kinds[kind]
                    figures[kind], digest = run(path, duration, arguments.cpu, f"{folder}/{kind}", *trace)
                    digests.add(digest)
                rounds.append(figures)

        def quartile(of):
            return statistics.quantiles([figures[of] for figures in rounds], n=4)[0]

        before = f"{quartile('off') - quartile('before'):+.1f}" if arguments.before else ""
        print(f"| `{name}`, {duration} | {quartile('off'):.0f} | {quartile('on'):.0f} | {quartile('on') - quartile('off'):+.1f} | {before} |"
              + ("" if len(digests) == 1 else " DIGESTS DIFFER"), flush=True)


if __name__ == "__main__":
    main()
