#!/usr/bin/env python3
"""Recording around triggers, and on disks that are full or hang: what is written is right, what is not is counted and said, the run goes on.

    recording_test.py --takt build/release/bin/takt --work DIR

Disks that hang need root and a loop device. Ends with 0, 1 or 77 (asammdf is missing)."""
import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

from recordings import begins_as, build, command, equal, events, expect, failures, np, read_csv, read_jsonl, read_mdf, run

FORMATS = {"CSV": ("--record", "csv"), "MDF": ("--record", "mdf"), "compressed": ("--record", "mdf", "--compress"), "JSON Lines": ("--record", "jsonl")}
# More than the 8 MB that the recorder holds in half a second.
MANY = """[plant]
title    = "Many signals"
duration = "2 s"
error    = "off"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time)" }
%s
[solve]
electric = { step = "100 us", method = "euler" }
[sync]
plant = { members = ["electric"], every = "100 us" }
[record]
"100 us"  = ["electric.*"]
"""


def recorded(folder):
    return next(read(folder / name) for name, read in (("signals.csv", read_csv), ("signals.mf4", read_mdf), ("signals.jsonl", read_jsonl)) if (folder / name).exists())


def summary_of(folder):
    return json.loads((folder / "summary.json").read_text())


def instants(folder):
    return sorted({float(t) for times, _, _ in recorded(folder).values() for t in times})


def check_files(program, work):
    """What a run leaves, by name, for each word of --record; its first rows; what is refused."""
    names = {"csv": ["signals.csv"], "mdf": ["signals.mf4"], "both": ["signals.csv", "signals.mf4"], "jsonl": ["signals.jsonl"], "jsonl,both": ["signals.csv", "signals.mf4", "signals.jsonl"]}
    for options, signals in (((), names["csv"]), *((("--record", word), files) for word, files in names.items())):
        out = work / "files"
        done = run(program, out, *options, "--pace", "free")
        left = sorted(file.name for file in out.iterdir())
        expect(f"files of a run with {options}", done.returncode == 0 and left == sorted([".files", ".lock", "inputs.csv", "summary.json", *signals]), left)
        listed = (out / ".files").read_text().split()
        expect(f"its list, {options}: in the order in which they are made", [name for name in listed if name != "tap"] == ["summary.json", *signals, "inputs.csv"], listed)
        expect(f"counts, {options}", summary_of(out)["recording"]["rows"] == 2001 and summary_of(out)["recording"]["lost"] == 0, summary_of(out)["recording"])
        if "signals.csv" in signals:
            rows = (out / "signals.csv").read_text().splitlines()
            expect(f"rows, {options}: a head, all rates at time 0, then each at its own", rows[0].startswith("time [s],electric.c.i [A],electric.c.q [C],electric.c.v [V],electric.in.v [V],") and rows[0].endswith(",solid.body.t [K]")
                   and len(rows) == 2002 and rows[1].startswith("0,") and ",," not in rows[1] and rows[2].startswith("0.001,") and rows[2].endswith(",,,,,,") and rows[8].count(",,") == 0 and rows[8].endswith(",") and rows[-1].startswith("2,"), rows[:3])
    nothing = run(program, work / "nothing", "--no-results", "--record", "both", "--pace", "free")
    expect("--no-results: no file of any format", nothing.returncode == 0 and not (work / "nothing").exists(), nothing.stderr)
    wrong = run(program, work / "wrong", "--record", "xml")
    expect("a format that is none: exit code 2, nothing is made", wrong.returncode == 2 and "--record" in wrong.stderr and "csv" in wrong.stderr and not (work / "wrong").exists(), wrong.stderr)


def lines_with(folder, key):
    """Times of the lines that have it."""
    return [line["time [s]"] for line in map(json.loads, (folder / "signals.jsonl").read_text().splitlines()) if key in line]


def check_json_lines(takt, program, work):
    """Beside CSV, to the last bit; head, begin, events and end; read by takt; damaged files are refused with their line."""
    out = work / "lines"
    done = run(program, out, "--record", "csv,jsonl", "--pace", "free", "--for", "1 s")
    expect("JSON Lines: every time, value and unit is that of CSV, to the last bit", done.returncode == 0 and equal(read_jsonl(out / "signals.jsonl"), read_csv(out / "signals.csv")), done.stderr)
    text = (out / "signals.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    head, summary = lines[0]["takt"], summary_of(out)
    expect("JSON Lines: the head says what ran", head["title"].startswith("Three rates <of") and [rate["period_ns"] for rate in head["rates"]] == [1_000_000, 7_000_000, 20_000_000] and "--record csv,jsonl" in head["properties"]["command"], head)
    expect("JSON Lines: begin and end", abs(lines[1]["begin"]["utc_ns"] * 1e-9 - time.time()) < 600 and lines[-1]["end"]["digest"] == summary["digest"] and lines[-1]["summary"] == summary, lines[-1].keys())
    expect("JSON Lines: a line for each time, beside head, begin and end", len(lines) == 1001 + 3, len(lines))
    late = run(program, work / "lines_late", "--record", "jsonl", "--pace", "real", "--late", "any", "--for", "300 ms", "--inject", "long:100:30000")
    expect("JSON Lines: an overrun is an event at its time", late.returncode == 0 and any(abs(t - 0.1) < 1e-9 for t in lines_with(work / "lines_late", "event")), late.stderr)
    run(program, work / "lines_only", "--record", "jsonl", "--pace", "free", "--for", "1 s")
    compared = subprocess.run([takt, "compare", work / "lines_only", out / "signals.csv", "--json"], capture_output=True, text=True)
    signals = json.loads(compared.stdout)["signals"] if compared.returncode == 0 else []
    expect("takt compare reads JSON Lines", len(signals) > 4 and all(one["max"] == 0.0 for one in signals), compared.stderr or signals)
    damaged = work / "damaged.jsonl"
    for what, wrong, said in (("no JSON", text.replace('"time [s]":0.005,', '"time [s]":0.005;', 1), "damaged.jsonl:8: "), ("a signal that is missing", text.replace('"electric.c.q [C]"', '"electric.c.x [C]"', 2), "damaged.jsonl:3: "),
                              ("no number", text.replace('{"time [s]":0.005,', '{"time [s]":"soon",', 1), "'soon' is not a number")):
        damaged.write_text(wrong)
        refused = subprocess.run([takt, "compare", damaged, out], capture_output=True, text=True)
        expect(f"takt compare refuses {what}", refused.returncode == 1 and said in refused.stderr, refused.stderr)
    damaged.write_text(text[:len(text) // 2])  # as it is while it is being written
    begun = subprocess.run([takt, "compare", damaged, out, "--json"], capture_output=True, text=True)
    expect("a file that is being written is read to its last whole line", begun.returncode == 0 and json.loads(begun.stdout)["signals"][0]["max"] == 0.0, begun.stderr)


def met_at(times, values, limit):
    """Where values get above it."""
    above = values > limit
    return [float(t) for t, now, before in zip(times, above, np.concatenate(([False], above[:-1]))) if now and not before]


def check_triggers(program, work):
    run(program, work / "all", "--pace", "free")
    whole = read_csv(work / "all/signals.csv")
    times, values, _ = whole["electric.c.v"]
    for what, limit, before, after, first in (("apart", 0.5, 0.002, 0.003, None), ("overlapping", 0.5, 0.15, 0.1, None), ("without a past", 0.9, 0.0, 0.01, None), ("from the first sample on", -1.0, 1.0, 0.02, 0.0)):
        moments = met_at(times, values, limit)
        expect(f"triggers {what}: there are some", len(moments) == (1 if first is not None else 10), moments)
        kept = {name: np.array([any(m - before - 1e-9 <= t <= m + after + 1e-9 for m in moments) for t in one[0]], dtype=bool) for name, one in whole.items()}
        wanted = {name: (one[0][kept[name]], one[1][kept[name]], one[2]) for name, one in whole.items()}
        for name, options in FORMATS.items():
            out = work / "triggered"
            done = run(program, out, *options, "--pace", "free", "--trigger", f"electric.c.v > {limit * 1000:g} mV", "--pre", f"{before:g} s", "--post", f"{after:g} s")
            expect(f"triggers {what}, {name}: what lies around them, at each rate", done.returncode == 0 and equal(recorded(out), wanted), (done.stderr, instants(out)[:20]))
            expect(f"triggers {what}, {name}: they are counted", summary_of(out)["recording"]["triggers"] == len(moments), summary_of(out)["recording"])
            if name != "CSV":
                found = [time_s for time_s, kind, text in events(out / "signals.mf4") if kind == 5] if name != "JSON Lines" else lines_with(out, "trigger")
                expect(f"triggers {what}, {name}: an event at each", np.allclose(found, moments, atol=1e-9) and len(found) == len(moments), found)
    for name, options in FORMATS.items():
        never = run(program, work / "never", *options, "--pace", "free", "--trigger", "electric.c.v >= 100 V")
        warnings = summary_of(work / "never")["warnings"]
        expect(f"never triggered, {name}: said, no rows, exit code 0", never.returncode == 0 and any("was never met" in one for one in warnings) and not instants(work / "never"), warnings)
    for wrong, said in (("electric.c.v 5 V", "expected a comparison"), ("electric.nothing > 5 V", "is not recorded; recorded are"), ("electric.c.v > 5 A", "does not fit"), ("electric.c.v > ", "electric.c.v")):
        done = run(program, work / "wrong", "--trigger", wrong)
        expect(f"--trigger '{wrong}' is refused", done.returncode == 2 and said in done.stderr and not (work / "wrong").exists(), done.stderr)
    for options, said in ((("--pre", "1 s"), "--trigger"), (("--trigger", "electric.c.v > 1 V", "--pre", "30 h"), "MB would be kept"), (("--trigger", "electric.c.v > 1 V", "--no-results"), "records nothing"),
                          (("--trigger", "electric.c.v > 1 V", "--post", "5 V"), "V")):
        done = run(program, work / "wrong", *options)
        expect(f"{' '.join(options)} is refused", done.returncode == 2 and said in done.stderr, done.stderr)


@contextlib.contextmanager
def mounted(folder, *words):
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", *words, folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def judge_full(what, done, folder, whole):
    """Of a run of 60 s for which there was no room."""
    name = next(name for name in ("signals.csv", "signals.mf4", "signals.jsonl") if (folder / name).exists())
    summary, found = summary_of(folder), recorded(folder)
    rows = len(found["electric.c.v"][0])
    expect(f"{what}: said, exit code 1, the summary is kept", done.returncode == 1 and any("cannot write" in line and name in line for line in summary["warnings"]), (done.returncode, summary["warnings"]))
    expect(f"{what}: what is there is right", 1000 < rows and sum(group_sizes(found)) < sum(group_sizes(whole)) and begins_as(found, whole), rows)
    expect(f"{what}: the run has computed to its end", abs(summary["simulated_s"] - 60.0) < 1e-9, summary["simulated_s"])
    # A row of CSV or JSON Lines holds all rates, MDF has a row for each.
    missing = len(instants_of(whole)) - len(instants_of(found)) if name != "signals.mf4" else sum(one - two for one, two in zip(group_sizes(whole), group_sizes(found)))
    expect(f"{what}: rows that are missing are counted", summary["recording"]["lost"] == missing and any(f"{missing} recorded rows are missing" in line for line in summary["warnings"]), (summary["recording"], missing))


def instants_of(signals):
    return {float(t) for times, _, _ in signals.values() for t in times}


def group_sizes(signals):
    return [len(signals[name][0]) for name in ("electric.c.v", "electric.r.v", "solid.body.t")]


def check_full_disks(program, work):
    def limit(size):  # room for what is reserved for the summary, not for the signals
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    long = ("--pace", "free", "--for", "60 s")
    run(program, work / "roomy", *long)
    whole = read_csv(work / "roomy/signals.csv")
    for name, options in FORMATS.items():
        judge_full(f"a file that may not grow, {name}", run(program, work / "limited", *options, *long, preexec_fn=lambda packed=name == "compressed": limit(400_000 if packed else 1_000_000)), work / "limited", whole)
    if os.geteuid() != 0:
        print("skipped: full file systems need root")
        return
    for name, options in FORMATS.items():
        with mounted(work / "small", "-t", "tmpfs", "-o", "size=2500k" if name in ("MDF", "JSON Lines") else "size=1500k", "none") as disk:
            judge_full(f"a full file system, {name}", run(program, disk / "run", *options, *long), disk / "run", whole)


def check_hanging_disk(takt, work):
    """A file system that is frozen takes nothing and answers nothing, as a network file system whose server is away."""
    image = work / "disk.img"
    with image.open("wb") as file:
        file.truncate(256 << 20)
    if os.geteuid() != 0 or not shutil.which("fsfreeze") or subprocess.run(["mkfs.ext4", "-q", image], stderr=subprocess.DEVNULL).returncode != 0:
        print("skipped: a disk that hangs needs root, fsfreeze and mkfs.ext4")
        return
    try:
        with mounted(work / "ext4", "-o", "loop", image) as disk:
            program = build(takt, work, MANY % "\n".join(f'r{k} = {{ is = "resistor", at = ["in", "gnd"], r = "{k + 1} Ohm" }}' for k in range(150)), "many")
            for name, options in list(FORMATS.items())[1:3]:
                hang(program, name, options, disk)
    except subprocess.CalledProcessError as error:
        print(f"skipped: no loop device here ({error})")


def wait_for_samples(process, file):
    while process.poll() is None and not (file.exists() and file.stat().st_size > 1_000_000):
        time.sleep(0.02)


def hang(program, name, options, disk):
    out = disk / name
    process = subprocess.Popen(command(program, out, *options, "--pace", "real", "--late", "any", "--for", "4 s"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        wait_for_samples(process, out / "signals.mf4")
        subprocess.run(["fsfreeze", "--freeze", disk], check=True)
        time.sleep(1.5)
    finally:
        subprocess.run(["fsfreeze", "--unfreeze", disk], check=False)
    said, _ = process.communicate(timeout=120)
    summary, found = summary_of(out), read_mdf(out / "signals.mf4", ["electric.source.v"])
    times = found["electric.source.v"][0]
    expect(f"a disk that hangs, {name}: the run has computed to its end", process.returncode == 0 and abs(summary["simulated_s"] - 4.0) < 1e-9, said[-400:])
    expect(f"a disk that hangs, {name}: rows were dropped, and counted", summary["recording"]["dropped"] > 1000 and len(times) + summary["recording"]["dropped"] == 40001, (len(times), summary["recording"]))
    expect(f"a disk that hangs, {name}: what is there is right, also after it", np.all(np.diff(times) > 0) and len(times) - np.argmax(np.diff(times) > 1.5e-4) > 100 and np.allclose(found["electric.source.v"][1], np.sin(2 * np.pi * 5 * times), atol=1e-9), times[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    work = options.work.resolve()
    for folder in ("small", "ext4"):  # of a test that was killed
        while os.path.ismount(work / folder):
            subprocess.run(["umount", "--lazy", work / folder], check=True)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    program = build(options.takt, work)
    check_files(program, work)
    check_json_lines(options.takt, program, work)
    check_triggers(program, work)
    check_full_disks(program, work)
    check_hanging_disk(options.takt, work)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
