#!/usr/bin/env python3
"""tools/bench_all.sh [--quick] [--only NAME]... [--history DIR]         ratios of all works to their peers
tools/bench_all.sh --against COMMIT|DIR [--only NAME]... [--find 3]    this version beside an earlier one: is anything slower?

Every work is run in turn with its peer, in an order thrown for each pair; the result is the median of their ratios with an interval. Each run
leaves a JSON file in the folder of --history and writes its page, index.html, anew.

With --against, each plant is built by both versions (of a commit: its takt is built first, which takes minutes; DIR: executables, NAME or
NAME/bin/NAME). Pairs are measured until the interval says a loss, a gain or neither; what stays unclear is called undecided."""

import argparse
import collections
import os
import pathlib
import random
import shlex
import signal
import sys
import time

import against
import history
import machine
import page
import pairs
import works
from machine import ROOT, Failed

FAILED, WRONG_OPTIONS, LOSS, UNDECIDED = 1, 2, 3, 4
FOOTER = """exit codes: 0 in order, 1 something failed, 2 wrong options, 3 a loss was found, 4 none was found, but something stayed undecided

examples:
  tools/bench_all.sh --quick
  tools/bench_all.sh --against HEAD~1 --only bev --only inverter_power
  tools/bench_all.sh --plant-slow-down 3 --only inverter_power   # does the comparison find 3 %?"""


class Interrupted(Exception):
    """Somebody has had enough: what has been measured so far is kept."""


def interrupt(*_):
    raise Interrupted


def percent(text):
    value = float(text)
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100 percent")
    return value


def loss(text):
    value = percent(text)
    if value < 0.5:
        raise argparse.ArgumentTypeError(f"{text}: a loss of less than 0.5 % cannot be told from where a program lies in memory")
    return value


def command_line(words):
    parser = argparse.ArgumentParser(prog="tools/bench_all.sh", description=__doc__, epilog=FOOTER, formatter_class=argparse.RawDescriptionHelpFormatter)
    versions = parser.add_mutually_exclusive_group()
    versions.add_argument("--against", metavar="COMMIT|DIR", help="compare with an earlier version")
    versions.add_argument("--plant-slow-down", dest="planted", type=percent, metavar="PERCENT",
                          help="compare with a plant that has so much more to do, to test the comparison; 0: with itself")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this work (may be repeated; see --list)")
    parser.add_argument("--quick", action="store_true", help="a few minutes: fewer works, fewer pairs")
    parser.add_argument("--no-count", action="store_true", help="count no instructions (valgrind)")
    parser.add_argument("--list", action="store_true", help="name the works and end")
    parser.add_argument("--find", type=loss, default=3.0, metavar="PERCENT", help="the loss that must be found (default: 3)")
    parser.add_argument("--repeat", type=int, default=1, choices=range(1, 101), metavar="N", help="compare N times, and count the verdicts")
    parser.add_argument("--history", type=pathlib.Path, default=ROOT / "build/bench_all/history", metavar="DIR", help="of JSON files and page (default: build/bench_all/history)")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/bench_all/work", metavar="DIR", help="of builds (default: build/bench_all/work)")
    parser.add_argument("--takt", type=pathlib.Path, default=ROOT / "build/release/bin/takt")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="CPU to measure on (default: the last one allowed)")
    arguments = parser.parse_args(words)
    comparing = arguments.against is not None or arguments.planted is not None
    if arguments.repeat > 1 and not comparing:
        parser.error("--repeat is for comparisons: --against or --plant-slow-down")
    names = [name.replace(":", "_x") for name in against.COMPARED] if comparing else [work.name for work in works.WORKS]
    if arguments.list:
        print("\n".join(names) if comparing else "\n".join(f"{work.name:<18} {work.what}" for work in works.WORKS))
        sys.exit(0)
    for name in arguments.only or []:
        if name not in names:
            parser.error(f"no work '{name}'; there are {', '.join(names)}")
    if arguments.cpu not in os.sched_getaffinity(0):
        parser.error(f"CPU {arguments.cpu} is not one of those allowed: {sorted(os.sched_getaffinity(0))}")
    if not arguments.takt.is_file():
        parser.error(f"{arguments.takt} is missing: build it, or name another by --takt")
    arguments.takt = arguments.takt.resolve()
    arguments.work = arguments.work.resolve()
    return arguments


def chosen(arguments, everything, name_of, is_quick):
    if arguments.only:
        return [item for item in everything if name_of(item) in arguments.only]
    return [item for item in everything if not arguments.quick or is_quick(item)]


def measure_all(arguments, bench):
    """-> rows, exit code. A work that fails is told, and the others are measured."""
    rows, code = [], 0
    for work in chosen(arguments, works.WORKS, lambda work: work.name, lambda work: work.quick):
        print(work.name, file=sys.stderr, flush=True)
        begin = time.monotonic()
        try:
            row = works.measure(work, bench, 16 if arguments.quick else 48)
        except Failed as error:
            print(f"bench_all: {work.name}: {error}", file=sys.stderr)
            code = FAILED
            continue
        except Interrupted:
            if not rows:
                raise
            print(f"bench_all: interrupted in {work.name}; the works before it are kept", file=sys.stderr)
            return rows, FAILED
        rows.append(row)
        share = f", instructions {row['instructions'] / row['peer_instructions']:.4g}" if row["instructions"] else ""
        print(f"{row['name']:<22} {row['ratio']:>11.4g}  ({row['low']:.4g} to {row['high']:.4g}){share}   {row['what']}", flush=True)
        print(f"  {row['pairs']} pairs, {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return rows, code


def compare_all(arguments, bench, other):
    """-> rows, exit code"""
    looks = pairs.LOOKS[:-1] if arguments.quick else pairs.LOOKS
    everything = [name for name in against.COMPARED if name != "check" or arguments.planted is None]
    names = chosen(arguments, everything, lambda name: name.replace(":", "_x"), lambda name: name not in works.PLANTS or works.PLANTS[name].quick)
    rows = []
    for name in names:
        print(name, file=sys.stderr, flush=True)
        comparison = against.Comparison(name, bench, other)
        comparison.count()
        for _ in range(arguments.repeat):
            begin = time.monotonic()
            rows.append(comparison.result(arguments.find, looks))
            print(verdict_line(rows[-1]), flush=True)
            print(f"  {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    verdicts = [row["verdict"] for row in rows]
    if arguments.repeat > 1:
        for name in dict.fromkeys(row["name"] for row in rows):
            seen = collections.Counter(row["verdict"] for row in rows if row["name"] == name)
            print(f"{name}: of {arguments.repeat} comparisons " + ", ".join(f"{count} {verdict}" for verdict, count in seen.items()))
    return rows, LOSS if "loss" in verdicts else UNDECIDED if "undecided" in verdicts else 0


def verdict_line(row):
    share = f", instructions {100 * (row['instructions'] / row['peer_instructions'] - 1):+.2f} %" if row["instructions"] else ""
    differ = ", results differ" if row["same_results"] is False else ""
    return f"{row['name']:<18} {row['verdict']:<10} time {history.as_ratio(row).percent()}, {row['pairs']} pairs{share}{differ}"


def main(words):
    arguments = command_line(words)
    bench = works.Bench(arguments.takt, machine.Cpu(arguments.cpu, arguments.work), arguments.work, not arguments.no_count)
    seed = random.SystemRandom().randrange(2**32)
    random.seed(seed)
    for wish in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wish, interrupt)
    run = {"kind": "ratios", **machine.description(bench.cpu, bench.takt), "command": shlex.join(["tools/bench_all.sh", *words]), "find": arguments.find, "seed": seed}
    try:
        if arguments.against is None and arguments.planted is None:
            rows, code = measure_all(arguments, bench)
        else:
            other = against.other_version(bench, arguments)
            run.update(kind="against", against=other.text)
            rows, code = compare_all(arguments, bench, other)
        file = history.write(arguments.history, {**run, "finished": machine.now(), "load_after": machine.load(), "results": rows})
        print(f"{file}\n{page.write(arguments.history)}", file=sys.stderr)
    except Failed as error:
        print(f"bench_all: {error}", file=sys.stderr)
        return FAILED
    except Interrupted:
        print("bench_all: interrupted", file=sys.stderr)
        return FAILED
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
