#!/usr/bin/env python3
"""Traces of whole plants: what they hold agrees with the summary, on one core and on two, paced and free; what lies around overruns is kept.

    trace_test.py --takt build/release/bin/takt --work DIR"""
import collections
import json
import os
import subprocess
import sys

import perfetto_trace
from built_plants import build, takt_and_work

failures = []


def check(holds, text):
    print(("ok    " if holds else "FAIL  ") + text, flush=True)
    if not holds:
        failures.append(text)


def run(executable, out, *arguments):
    done = subprocess.run([str(executable), "--json", "--quiet", "--audit", "off", "--no-report", "--out", str(out), *arguments],
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return json.loads(done.stdout), perfetto_trace.read(out / "trace.pftrace") if (out / "trace.pftrace").exists() else None


def named(tracks, name):
    return [s for track in tracks.values() for s in track.slices + track.instants if s.name == name]


def well_nested(track):
    """Windows and waits for others lie in macro-steps, nothing overlaps."""
    ends = [0]
    for s in sorted(track.slices, key=lambda s: (s.begin, -s.end)):
        while len(ends) > 1 and s.begin >= ends[-1]:
            ends.pop()
        if len(ends) > 1 and s.end > ends[-1]:
            return False
        ends.append(s.end)
    return True


def check_whole(summary, tracks, name):
    """Nothing was lost: every number must agree."""
    trace = summary["trace"]
    check(trace["lost"] == 0 and trace["from_s"] == 0 and trace["overruns_before"] == 0, f"{name}: {trace['events']} events, none lost")
    workers = [track for text, track in tracks.items() if text.startswith("worker")]
    check(len(workers) == len(summary["cores"]), f"  {len(workers)} workers")
    counts = collections.Counter(s.name for track in workers for s in track.slices)
    check(all(counts[s["name"]] == s["windows"] for s in summary["subsystems"]), "  every window of every subsystem")
    check(all(sum(s.name == "macro-step" for s in track.slices) == summary["macro_steps"] for track in workers), "  every macro-step of every worker")
    check(all(len(tracks["RTF of " + track.name].counts) == summary["macro_steps"] for track in workers), "  its real-time factor")
    check(all(map(well_nested, workers)), "  slices that nest")
    seen_s = sum(s.end - s.begin for s in named(tracks, summary["subsystems"][0]["name"])) * 1e-9
    told_s = summary["subsystems"][0]["compute_s"]
    check(abs(seen_s - told_s) < 0.02 * told_s + 2e-9 * summary["subsystems"][0]["windows"], f"  the computing time of a subsystem: {seen_s:.6f} s, summary {told_s:.6f} s")
    late = [s for track in workers for s in track.instants if s.name.startswith("overrun")]
    check(len(late) == summary["overruns"]["count"] + summary["overruns"]["in_grace"], f"  {len(late)} overruns")
    releases = named(tracks, "release")
    if summary["pace"] == "real":
        check(len(releases) >= summary["macro_steps"] and all(s.arguments["deadline_us"] > 0 for s in releases), f"  {len(releases)} releases")
        check(sum(s.end - s.begin for s in named(tracks, "wait for release")) > 0, "  waits for releases")
    else:
        check(not releases, "  no releases in a free run")


def main():
    takt, work = takt_and_work()
    bev = build(takt, work, "bev")

    plain, nothing = run(bev, work / "off", "--pace", "free", "--for", "20 s")
    check(nothing is None and plain["trace"] is None, "no trace where none is asked for")
    free, tracks = run(bev, work / "free", "--pace", "free", "--for", "20 s", "--trace", "60 s")
    check(free["digest"] == plain["digest"], "the same digest with a trace")
    check_whole(free, tracks, "free")
    check_whole(*run(bev, work / "paced", "--pace", "real", "--late", "any", "--for", "2 s", "--trace", "10 s"), "paced")

    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) == 2:
        names = [s["name"] for s in free["subsystems"]]
        placement = work / "dealt.csv"
        placement.write_text("# takt placement 1\nsubsystem,worker\n" + "".join(f"{name},{i % 2}\n" for i, name in enumerate(names)))
        two = ("--cores", f"{cpus[0]},{cpus[1]}", "--placement", str(placement), "--trace", "60 s")
        both, tracks = run(bev, work / "two_free", "--pace", "free", "--for", "20 s", *two)
        check(both["digest"] == plain["digest"], "the same digest on two cores with a trace")
        check_whole(both, tracks, "two cores, free")
        check(all(f"worker {i}, CPU {cpu}" in tracks for i, cpu in enumerate(cpus)), "  threads are named by worker and CPU")
        both, tracks = run(bev, work / "two_paced", "--pace", "real", "--late", "any", "--for", "2 s", *two)
        check_whole(both, tracks, "two cores, paced")
        check(any(s.name.startswith("wait for worker") for track in tracks.values() for s in track.slices), "  waits of one for the other")

    # 20 ms each: an overrun in the 10th of 250 macro-steps, of which the last 5 are asked for. What the machine adds may be there, too.
    late, tracks = run(bev, work / "late", "--pace", "real", "--late", "any", "--for", "5 s", "--trace", "100 ms", "--inject", "long:10:45000")
    trace = late["trace"]
    check(trace["lost"] > 0 and trace["overruns_before"] >= 1 and trace["from_s"] <= 4.9, f"a ring that wraps: {trace}")
    there = collections.Counter(s.arguments["macro_step"] for s in named(tracks, late["subsystems"][0]["name"]))
    per_step = late["subsystems"][0]["windows"] // late["macro_steps"]
    check(all(there[k] == per_step for k in [*range(5, 16), *range(245, 250)]), "  holds the surroundings of the overrun and the end")
    check(there[100] == 0 or trace["overruns_before"] > 1, "  not what lies between")
    overruns = [s for track in tracks.values() for s in track.instants if s.name.startswith("overrun") and s.arguments["macro_step"] == 10]
    told = late["overruns"]["list"][0]
    check(len(overruns) >= 1 and overruns[0].name == f"overrun: {told['cause']}" and abs(overruns[0].arguments["late_us"] - told["late_us"]) < 1,
          f"  {overruns[0].name if overruns else 'no overrun'}, as the summary says: {told['cause']}")
    check(named(tracks, "not kept"), "  and says where something is missing")

    done = subprocess.run([bev, "--pace", "free", "--no-results", "--trace", "1 s"], capture_output=True, text=True)
    check(done.returncode == 2 and "--no-results leaves no place for it" in done.stderr, done.stderr.strip())
    done = subprocess.run([bev, "--pace", "free", "--trace", "1 m"], capture_output=True, text=True)
    check(done.returncode == 2, done.stderr.strip())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
