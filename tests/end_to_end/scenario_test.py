#!/usr/bin/env python3
"""Scenarios: every example passes, and fails when what it does to the plant is left out; the same decisions at any pace, on two cores and in a
replay; what is not decided, expects nothing or is wrong never passes.

    scenario_test.py --takt build/release/bin/takt --work DIR"""
import json
import pathlib
import re
import shutil
import subprocess

import built_plants
import junitparser

SCENARIOS = built_plants.PLANTS.parent / "scenarios"
PLANT_OF = {"ev": "ev", "buck": "buck", "inverter": "inverter", "bev": "bev", "hybrid": "hybrid"}
DOES = re.compile(r"^(tune|inject|override)\s*=.*\n", re.MULTILINE)
SETS = re.compile(r"^(set|ramp)\s*=.*\n", re.MULTILINE)

takt, work = built_plants.takt_and_work()


def examples(plant):
    return [file for file in sorted(SCENARIOS.glob(f"{plant}_*.toml")) if "[scenario]" in file.read_text()]


def scenario(plant, files, out, *options, code=0):
    """-> output, testsuites by name of the file"""
    xml = work / f"{out}.xml"
    done = subprocess.run([takt, "scenario", built_plants.PLANTS / plant, *map(str, files), "--build-dir", work / plant, "--out", work / out,
                           "--junit", xml, "--audit", "off", *options], capture_output=True, text=True, timeout=600)
    assert done.returncode == code, (plant, out, done.returncode, done.stdout, done.stderr)
    return done.stdout, {pathlib.Path(suite.name).stem: suite for suite in junitparser.JUnitXml.fromfile(str(xml))}


def executable(plant):
    """That takt scenario has built."""
    return next(path for path in (work / plant / "bin").rglob(plant) if path.is_file())


def decisions(folder):
    found = json.loads((folder / "summary.json").read_text())
    return found["digest"], [(e["name"], e["verdict"], e["time_s"], e["values"]) for e in found["scenario"]["expectations"]]


def run(program, *options, code):
    done = subprocess.run([program, "--quiet", "--no-report", "--audit", "off", *map(str, options)], capture_output=True, text=True, timeout=300)
    assert done.returncode == code, (options, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def examples_pass_and_fail_without_what_they_do():
    copies = work / "without"
    shutil.copytree(SCENARIOS, copies)
    for plant in PLANT_OF.values():
        files = examples(plant)
        assert files, plant
        _, suites = scenario(plant, files, f"{plant}_runs")
        assert set(suites) == {file.stem for file in files}
        for suite in suites.values():
            assert suite.tests > 0 and suite.failures == 0 and suite.errors == 0, suite
        for file in files:
            text = file.read_text()
            less = DOES.sub("", text) if DOES.search(text) else SETS.sub("", text)
            if less == text:  # it acts by what it includes
                less = re.sub(r"^include.*\n", "", text, flags=re.MULTILINE)
                less = less.replace("charged*", "0.95*").replace("[[step]]", "[[step]]\nafter = \"100 ms\"", 1)
            (copies / file.name).write_text(less)
        _, suites = scenario(plant, [copies / file.name for file in files], f"{plant}_without", code=1)
        for file in files:
            suite = suites[file.stem]
            assert suite.failures > 0 and suite.errors == 0, (file, suite)
            page = (work / f"{plant}_without" / file.stem / "scenario.html").read_text()
            assert "failed" in page and "<svg" in page and 'href="report.html"' in page, file
            assert "Scenario" in (work / f"{plant}_without" / file.stem / "report.html").read_text().split('class="headline"')[1][:40], file
            assert not (work / f"{plant}_runs" / file.stem / "scenario.html").exists()
    print("examples:", sum(len(examples(plant)) for plant in PLANT_OF.values()))


def the_same_at_any_pace_on_two_cores_and_in_a_replay():
    program = executable("buck")
    file = SCENARIOS / "buck_load_step.toml"
    for name, options in {"free": ["--pace", "free"], "real": ["--pace", "real", "--late", "any"]}.items():
        run(program, "--scenario", file, "--out", work / name, *options, code=0)
    free = decisions(work / "free")
    assert free == decisions(work / "real") and len(free[1]) == 4, free
    run(program, "--replay", work / "free", "--scenario", file, "--out", work / "again", code=0)
    assert decisions(work / "again") == free
    judged = json.loads((work / "again/summary.json").read_text())["scenario"]
    assert judged["judged_only"] and not judged["actions"]
    # The same run judged by tighter limits.
    tight = work / "tight.toml"
    tight.write_text(file.read_text().replace('tolerance = "0.3 V"', 'tolerance = "1 mV"'))
    assert "in regulation: outside the band" in run(program, "--replay", work / "free", "--scenario", tight, "--out", work / "judged", code=1)
    scenario("buck", [tight], "buck_tight", code=1)
    page = (work / "buck_tight/tight/scenario.html").read_text()
    assert "upper limit" in page and "electric.smooth.v in band" in page
    program = executable("bev")
    file = SCENARIOS / "bev_pump_off.toml"
    run(program, "--scenario", file, "--out", work / "one", "--pace", "free", code=0)
    two = built_plants.two_cores(json.loads((work / "one/summary.json").read_text()), work)
    if two:
        run(program, "--scenario", file, "--out", work / "two", "--pace", "free", *two, code=0)
        assert decisions(work / "one") == decisions(work / "two")
        assert built_plants.used_cores(json.loads((work / "two/summary.json").read_text())) == 2


def what_is_not_decided_or_wrong_never_passes():
    program = executable("buck")
    file = SCENARIOS / "buck_load_step.toml"
    said = run(program, "--scenario", file, "--out", work / "short", "--for", "10 ms", "--pace", "free", code=1)
    assert "did not begin before the run ended at 0.01 s" in said or "not decided" in said, said
    nothing = work / "nothing.toml"
    nothing.write_text('[[step]]\nat = "1 ms"\nset = { v_ref = "13 V" }\n')
    assert "no expectation" in run(program, "--scenario", nothing, "--out", work / "nothing", "--pace", "free", code=1)
    run(program, "--scenario", nothing, "--out", work / "nothing", "--pace", "free", "--allow-no-expectation", code=0)
    wrong = work / "wrong.toml"
    wrong.write_text('[[step]]\nexpect = "electric.smooth.v > 5 A"\n')
    said = run(program, "--scenario", wrong, "--out", work / "wrong", code=2)
    assert said.strip().endswith(f"{wrong}:2:29: V and A do not fit together"), said
    assert not (work / "wrong").exists()
    wrong.write_text('[[step]]\nset = { v_rf = "5 V" }\n')
    said = run(program, "--scenario", wrong, "--out", work / "wrong", code=2)
    assert 'nothing is called "v_rf"; did you mean "v_ref"?' in said, said
    for options, part in ((["--scenario=x.toml"], "is not for the runs"), (["--no-results"], "is not for the runs")):
        done = subprocess.run([takt, "scenario", built_plants.PLANTS / "buck", file, *options], capture_output=True, text=True)
        assert done.returncode == 2 and part in done.stderr, done.stderr
    done = subprocess.run([takt, "scenario", built_plants.PLANTS / "buck"], capture_output=True, text=True)
    assert done.returncode == 2 and "no scenario" in done.stderr, done.stderr


def what_was_not_real_time_or_not_tested_has_not_passed():
    """By the pace of the rig. Nobody sends on its bus; 60 ms too long is late on any machine."""
    folder = pathlib.Path(__file__).resolve().parent / "driven_rc"
    rig = work / "rig.toml"
    shutil.copy(folder / "plant.dbc", work)
    rig.write_text(re.sub(r"^(late|grace).*\n", "", (folder / "rig.toml").read_text(), flags=re.MULTILINE))
    steps = '[[step]]\nat = "500 ms"\nexpect = "electric.c.v > 0 V"\n'

    def tested(name, judge, *options, code):
        file, xml, out = work / f"{name}.toml", work / f"{name}.xml", work / f"{name}_out"
        file.write_text(judge + steps)
        done = subprocess.run([takt, "scenario", folder / "plant.toml", file, "--rig", rig, "--build-dir", work / "driven_rc", "--out", out, "--junit", xml, "--audit", "off",
                               "--bus", "can0.port=0", *options], capture_output=True, text=True, timeout=300)
        assert done.returncode == code, (name, done.returncode, done.stdout, done.stderr)
        summary = out / name / "summary.json"
        return done.stdout, next(iter(junitparser.JUnitXml.fromfile(str(xml)))), json.loads(summary.read_text()) if summary.exists() else {}

    said, suite, summary = tested("nobody", '[judge]\nlate = "any"\n', code=1)
    assert said.startswith("FAILED") and "X044: not tested: nothing came of Answer on" not in said and "nothing came of Answer" in said, said
    assert suite.errors == 1 and summary["outcome"] == "failed" and summary["exit_code"] == 1 and not summary["trusted"]
    said, suite, summary = tested("without", '[judge]\nlate = "any"\nneeds = []\n', code=0)
    assert said.startswith("passed") and summary["pace"] == "real" and summary["wall_s"] > 0.4 and suite.errors == 0 and summary["outcome"] == "passed", (said, summary["wall_s"])
    _, _, summary = tested("free", "", "--pace", "free", code=0)
    assert summary["pace"] == "free"
    said, suite, summary = tested("late", '[judge]\nneeds = []\nlate = "2"\n', "--inject", "long:20:60000", code=3)
    assert said.startswith("LATE") and "X043: missed " in said and "(tolerated: 2)" in said, said
    assert suite.errors == 1 and 'type="late"' in (work / "late.xml").read_text() and summary["outcome"] == "late" and not summary["trusted"]
    assert "X043" in (work / "late_out/late/report.html").read_text()
    _, _, summary = tested("option", '[judge]\nneeds = []\nlate = "2"\n', "--inject", "long:20:60000", "--late", "any", code=0)
    assert summary["overruns"]["count"] > 2
    for judge, part in (('needs = ["can0.Anser"]\n', "did you mean \"can0.Answer\"?"), ('late = "few"\n', "late says how many deadlines"), ("lte = 3\n", "lte")):
        said, _, summary = tested("wrong", f"[judge]\n{judge}", code=2)
        assert said.startswith("NOT RUN") and part in said and not summary, (judge, said)


examples_pass_and_fail_without_what_they_do()
what_was_not_real_time_or_not_tested_has_not_passed()
the_same_at_any_pace_on_two_cores_and_in_a_replay()
what_is_not_decided_or_wrong_never_passes()
print("scenarios: in order")
