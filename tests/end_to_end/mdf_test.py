#!/usr/bin/env python3
"""signals.mf4, plain and compressed, read by asammdf and by takt: the same numbers as signals.csv, whole after kill -9 at any moment.

    mdf_test.py --takt build/release/bin/takt --work DIR [--kills 50]

Ends with 0, 1 or 77 (asammdf is missing)."""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

from recordings import MDF, begins_as, build, command, equal, events, expect, failures, read_csv, read_mdf, run


def check_same(program, work):
    both = run(program, work / "both", "--record", "both", "--pace", "free")
    expect("a run that writes both", both.returncode == 0, both.stderr)
    mdf, text = read_mdf(work / "both/signals.mf4"), read_csv(work / "both/signals.csv")
    expect("every time, value and unit is the same, to the last bit", equal(mdf, text) and len(mdf) > 4, sorted(set(mdf) ^ set(text)))
    expect("each at its own rate", [len(mdf[name][0]) for name in ("electric.c.v", "electric.r.v", "solid.body.t")] == [2001, 286, 101], len(mdf["electric.r.v"][0]))
    with MDF(work / "both/signals.mf4") as file:
        expect("version and start time", file.version == "4.10" and abs(file.header.start_time.timestamp() - time.time()) < 600, file.header.start_time)
        summary = json.loads((work / "both/summary.json").read_text())
        expect("the comment says what ran, where, how and to which end", all(part in file.header.comment for part in ("Three rates", 'name="plant"', "--record both", 'name="host"', summary["digest"])), file.header.comment)
        attached = [(one.file_name, bytes(one.extract())) for one in file.attachments]
        expect("the summary is attached", ("summary.json", (work / "both/summary.json").read_bytes()) in attached, [name for name, _ in attached])
    only = run(program, work / "only", "--record", "mdf", "--pace", "free")
    expect("MDF alone: no CSV, the same digest", only.returncode == 0 and not (work / "only/signals.csv").exists()
           and json.loads((work / "only/summary.json").read_text())["digest"] == summary["digest"])
    again = run(program, work / "both", "--record", "csv", "--pace", "free")
    expect("what an earlier run left in the folder goes", again.returncode == 0 and not (work / "both/signals.mf4").exists())
    packed = run(program, work / "packed", "--record", "both", "--compress", "--pace", "free")
    expect("compressed: the same to the last bit", packed.returncode == 0 and equal(read_mdf(work / "packed/signals.mf4"), text), packed.stderr)
    sizes = [(work / name / "signals.mf4").stat().st_size for name in ("only", "packed")]
    expect("compressed: smaller", sizes[1] < 0.6 * sizes[0], sizes)
    for options, said in ((("--compress",), "needs --record mdf"), (("--attach", work / "plant.toml"), "needs --record mdf"), (("--record", "mdf", "--attach", work / "none"), "no such file")):
        refused = run(program, work / "refused", *options)
        expect(f"{options} are refused", refused.returncode == 2 and said in refused.stderr and not (work / "refused").exists(), refused.stderr)


def check_tools(takt, program, work):
    def compare(*words):
        return subprocess.run([takt, "compare", *words, "--json"], capture_output=True, text=True)
    run(program, work / "text", "--pace", "free")
    done = subprocess.run([takt, "run", work / "plant.toml", "--build-dir", work / "built", *command(program, work / "by_takt", "--record", "mdf", "--pace", "free", "--attach", __file__)[1:]], capture_output=True, text=True)
    with MDF(work / "by_takt/signals.mf4") as file:
        attached = {one.file_name: bytes(one.extract()) for one in file.attachments}
    expect("takt run: the plant file is attached, and what --attach names", done.returncode == 0 and attached["plant.toml"] == (work / "plant.toml").read_bytes()
           and attached["mdf_test.py"] == pathlib.Path(__file__).read_bytes() and "summary.json" in attached, (done.stderr, list(attached)))
    for name in ("only", "packed/signals.mf4"):
        done = compare(work / name, work / "text")
        signals = json.loads(done.stdout)["signals"] if done.returncode == 0 else []
        expect(f"takt compare reads {name}", len(signals) > 4 and all(one["max"] == 0.0 and one["samples"] > 100 for one in signals), done.stderr or signals)
    whole = (work / "packed/signals.mf4").read_bytes()
    damaged = work / "damaged.mf4"
    for what, content, said in (("cut short", whole[:len(whole) * 2 // 3], "ends before"), ("not closed", b"UnFinMF " + whole[8:], "no MDF file that was closed"),
                                ("of another program", whole[:16] + b"other   " + whole[24:], "by 'other': only files that Takt has recorded"),
                                ("damaged", whole.replace(b"DT\1", b"DT\7", 1), "compressed in another way"), ("without its blocks", whole.replace(b"##DL", b"##XL"), "no block DL begins here")):
        damaged.write_bytes(content)
        done = compare(damaged, work / "text")
        expect(f"takt compare refuses one that is {what}", done.returncode == 1 and "damaged.mf4: byte " in done.stderr and said in done.stderr, done.stderr)
    states = run(program, work / "states", "--record", "mdf", "--record-states", "100 ms", "--pace", "free")
    checks = [subprocess.run([takt, "check", work / "plant.toml", "--operating", given], capture_output=True, text=True) for given in (work / "states", work / "states/signals.mf4", damaged)]
    expect("takt check --operating takes a run that left MDF", states.returncode == 0 and [one.returncode for one in checks] == [0, 0, 1] and "no block DL" in checks[2].stderr, [one.stderr for one in checks])


def check_events(program, work):
    late = run(program, work / "late", "--record", "mdf", "--pace", "real", "--late", "any", "--for", "300 ms", "--inject", "long:100:30000")
    found = [text for time_s, kind, text in events(work / "late/signals.mf4") if abs(time_s - 0.1) < 1e-9]
    expect("an overrun is an event at its time", late.returncode == 0 and any("overrun: " in text for text in found), events(work / "late/signals.mf4"))


def check_kills(program, work, options, more):
    chance = random.Random(options.seed)
    name = " ".join(("MDF", *more))
    run(program, work / "long", "--record", "mdf", "--pace", "free", "--for", "20 s")
    text = read_mdf(work / "long/signals.mf4")
    opened = right = kept = full = 0
    for begin in range(0, options.kills, 10):
        running = []
        for k in range(begin, min(begin + 10, options.kills)):
            out = work / f"killed_{k}"
            process = subprocess.Popen(command(program, out, "--record", "mdf", *more, "--pace", "real", "--late", "any", "--for", "20 s"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            running.append((out, process, chance.uniform(0.3, 1.9)))
        start = time.monotonic()
        for out, process, moment in sorted(running, key=lambda one: one[2]):
            time.sleep(max(0.0, start + moment - time.monotonic()))
            # Also a file that is being written is whole. In a copy: asammdf looks at the size but once, and then meets newer blocks.
            before = len(read_mdf(shutil.copy(out / "signals.mf4", out / "copy.mf4"))["electric.c.v"][0])
            process.kill()
            process.wait()
            found = read_mdf(out / "signals.mf4")
            opened += set(found) == set(text)
            right += begins_as(found, text)
            kept += len(found["electric.c.v"][0]) >= before
            full += len(found["electric.c.v"][0]) > 0
    expect(f"{name}: kill -9 at {options.kills} random moments: asammdf opens each file", opened == options.kills, opened)
    expect(f"{name}: what it finds is what the run computed", right == options.kills and full > options.kills / 2, (right, full))
    expect(f"{name}: nothing that was there before the kill is lost", kept == options.kills, kept)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", default="mdf")
    options = parser.parse_args()
    work = options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    program = build(options.takt, work)
    check_same(program, work)
    check_tools(options.takt, program, work)
    check_events(program, work)
    check_kills(program, work, options, ())
    check_kills(program, work, options, ("--compress",))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
