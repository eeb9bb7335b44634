#!/usr/bin/env python3
"""Whether the schedule sheet tells the truth: response times foretold before one paced run, judged on what was seen in five others.

    schedule.py build/bev/bin/bev build/ev/bin/ev --for "5 s" --cpu 1

R should be at least the largest response seen, and at most three times p99.9 of what was seen. Wake-ups later than those of the rehearsal,
and time stolen by the host, are not the plant's: p99.9 of the start of work after a release and stolen time (/proc/stat) stand beside."""

import argparse
import json
import pathlib
import subprocess


def stolen_s():
    """Of all CPUs together."""
    return int(pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[8]) / 100


def run(executable, arguments):
    command = [executable, "--json", "--quiet", "--no-results", "--audit", "off", "--pace", "real", "--late", "any", "--sheet", "--for", arguments.duration]
    command += ["--cores", arguments.cores] if arguments.cores else ["--cpu", arguments.cpu]
    before = stolen_s()
    done = subprocess.run(command, capture_output=True, text=True)
    summary = json.loads(done.stdout)
    return summary, stolen_s() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("executables", nargs="+")
    parser.add_argument("--for", dest="duration", default="5 s")
    parser.add_argument("--cpu", default="1")
    parser.add_argument("--cores", help="in place of --cpu")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    print("| plant, worker, period | R, us | seen: p99.9 of each run, us | max, us | R holds in | R / p99.9 | stolen, s | overruns |")
    print("| --- | ---: | --- | --- | ---: | ---: | --- | --- |")
    for executable in arguments.executables:
        first, _ = run(executable, arguments)
        others = [run(executable, arguments) for _ in range(arguments.runs)]
        for rate in first["schedule"]["rates"]:
            seen = [next(r["response_us"] for r in summary["rates"] if (r["worker"], r["period_s"]) == (rate["worker"], rate["period_s"])) for summary, _ in others]
            response = rate["response_us"]
            p999 = sorted(s["p999"] for s in seen)
            holds = sum(s["max"] <= response for s in seen)
            print(f"| `{pathlib.Path(executable).name}`, {rate['worker']}, {rate['period_s']:g} s | {response:.0f} | {' '.join(f'{s:.0f}' for s in p999)} "
                  f"| {' '.join(f'{m:.0f}' for m in sorted(s['max'] for s in seen))} | {holds} of {len(seen)} | {response / p999[len(p999) // 2]:.1f} "
                  f"| {' '.join(f'{stolen:.2f}' for _, stolen in others)} | {' '.join(str(summary['overruns']['count']) for summary, _ in others)} |", flush=True)


if __name__ == "__main__":
    main()
