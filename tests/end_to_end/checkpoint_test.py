#!/usr/bin/env python3
"""A checkpoint, resumed in another process, ends with the digest and the energy balance of the run without interruption: every example plant, and one
that is tuned, overridden and distorted at that time. Files of other plants, cut off and damaged ones are refused.

    checkpoint_test.py --takt build/release/bin/takt --work DIR [PLANT ...]"""
import json
import pathlib
import subprocess
import sys

import built_plants
import steering_test

#        plant          duration  checkpoint  options
PLANTS = [("rc", "60 ms", "31 ms", ()), ("buck", "5 ms", "2.3 ms", ()), ("boost", "5 ms", "2.1 ms", ()), ("drive", "100 ms", "41 ms", ()),
          ("flyback", "2 ms", "1.1 ms", ()), ("rectifier", "40 ms", "17 ms", ()), ("hybrid", "4 s", "1.9 s", ()),
          ("ev", "4 s", "2.2 s", ("--set", "solo=1")), ("bev", "20 s", "8.4 s", ()), ("inverter", "20 ms", "9 ms", ()),
          ("inverter_power", "20 ms", "9 ms", ())]
KEPT = ("digest", "macro_steps", "simulated_s", "energy", "trusted", "ledger_closes")


def run(program, out, *arguments, code=0):
    done = subprocess.run([program, "--quiet", "--no-report", "--audit", "off", "--out", out, *arguments], capture_output=True, text=True, timeout=600)
    assert done.returncode == code, (program, arguments, done.returncode, done.stdout, done.stderr)
    return json.loads((out / "summary.json").read_text()) if code != 2 else done.stderr


def check(program, work, name, duration, at, options):
    whole = run(program, work / f"{name}_whole", "--for", duration, *options)
    taken = run(program, work / f"{name}_taken", "--for", duration, *options, "--action", f"{at}: checkpoint")
    assert taken["digest"] == whole["digest"], "taking a checkpoint changes nothing"
    (file,) = (work / f"{name}_taken").glob("checkpoint-*.takt")
    resumed = run(program, work / f"{name}_resumed", "--for", duration, *options, "--resume", file)
    for key in KEPT:
        assert resumed[key] == whole[key], (name, key, resumed[key], whole[key])
    first = (work / f"{name}_resumed" / "signals.csv").read_text().splitlines()[1].split(",")[0]
    assert float(first) > 0, first
    return file


def check_acted_on(program, work):
    """Also with what has been asked for and has not taken effect yet, and on other paces and cores."""
    actions = ["5 ms: tune electric.cap.c 2 mF", "20 ms: override electric.load.heat.h 3 W", "25 ms: inject electric.cap.v noise 1 V seed 7",
               "30 ms: inject electric.cap.v delay 6 ms", "38 ms: tune solid.wall.cp 500 J/kg/K", "39 ms: set push 5 V", "40 ms: checkpoint",
               "60 ms: tune electric.cap.c 3 mF", "120 ms: release electric.load.heat.h"]
    options = [part for action in actions for part in ("--action", action)]
    whole = run(program, work / "acted_whole", *options)
    (file,) = (work / "acted_whole").glob("checkpoint-*.takt")
    for name, more in (("free", ()), ("real", ("--pace", "real", "--late", "any"))):
        resumed = run(program, work / f"acted_{name}", *options, "--resume", file, *more)
        assert resumed["tunings_late"] > 0 or resumed["digest"] == whole["digest"], (name, resumed["digest"], whole["digest"])
    two = built_plants.two_cores(whole, work)
    several = run(program, work / "acted_cores", *options, *two)
    assert several["digest"] == whole["digest"] and built_plants.used_cores(several) == (2 if two else 1)
    (from_several,) = (work / "acted_cores").glob("checkpoint-*.takt")
    assert run(program, work / "acted_again", *options, "--resume", from_several)["digest"] == whole["digest"]
    return file


def check_refusals(program, other, file, work):
    def refused(path, *parts):
        text = run(program, work / "refused", "--resume", path, code=2)
        for part in (str(path), *parts):
            assert part in text, (part, text)
        assert not (work / "refused").exists()

    refused(other, "another plant")
    refused(work / "nowhere.takt", "no such file")
    content = file.read_bytes()
    broken = work / "broken.takt"
    for damage, said in ((content[:-100], "cut off"), (content[: len(content) // 2] + b"\x55" + content[len(content) // 2 + 1:], "damaged"),
                         (b"hello\n" + content, "is no checkpoint"), (content[:25] + b"{" + content[26:], "head is damaged")):
        broken.write_bytes(damage)
        refused(broken, said)


def main():
    only = [argument for argument in sys.argv[1:] if argument in {row[0] for row in PLANTS}]
    sys.argv = [argument for argument in sys.argv if argument not in only]
    takt, work = built_plants.takt_and_work()
    files = {}
    for row in PLANTS:
        if only and row[0] not in only:
            continue
        files[row[0]] = check(built_plants.build(takt, work, row[0]), work, *row)
        print(row[0], "ok", flush=True)
    discharge = built_plants.build(takt, work, "discharge", steering_test.DISCHARGE)
    file = check_acted_on(discharge, work)
    check_refusals(discharge, next(iter(files.values())), file, work)
    print("acted on, refusals: ok")


if __name__ == "__main__":
    main()
