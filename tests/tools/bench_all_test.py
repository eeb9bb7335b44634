#!/usr/bin/env python3
"""bench_all_test.py ROOT FOLDER   tools/bench_all.sh: its statistics on made samples, whose truth is known; files, page and exit codes with
programs that only say what they took."""

import html.parser
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys
import unittest

ROOT, FOLDER = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools/bench/all"))
import history  # noqa: E402
import machine  # noqa: E402
import page  # noqa: E402
import pairs  # noqa: E402


class Machine:
    """Times of two programs of which one takes `ratio` times the other. Both suffer from the same: noise, a drift of the clock rate by
    20 %, and sometimes somebody else, who doubles a time and stays for a while."""

    def __init__(self, seed, ratio, noise):
        self.chance, self.ratio, self.noise = random.Random(seed), ratio, noise
        self.runs, self.disturbed = 0, 0

    def time(self, work):
        self.runs += 1
        if self.chance.random() < 0.02:
            self.disturbed = self.chance.randrange(1, 8)
        self.disturbed = max(0, self.disturbed - 1)
        return work * (1 + 0.1 * math.sin(self.runs / 40)) * (2 if self.disturbed else 1) * math.exp(self.chance.gauss(0, self.noise))

    def pair(self):
        return pairs.in_turn(lambda: self.time(1), lambda: self.time(self.ratio), self.chance)


def verdicts(ratio, noise, count=150):
    return [pairs.compare(Machine(seed, ratio, noise).pair, 3)[1] for seed in range(count)]


class Statistics(unittest.TestCase):
    def test_ranks_are_those_of_the_tables(self):
        """Of the sign test at 5 %, e.g. W. J. Conover, Practical Nonparametric Statistics: the 2nd of 10, the 6th of 20, the 18th of 50."""
        for count, rank in ((10, 2), (20, 6), (50, 18)):
            found = pairs.ratio_of([math.log(k) for k in range(1, count + 1)], 0.05)
            self.assertAlmostEqual(found.low, rank)
            self.assertAlmostEqual(found.high, count + 1 - rank)

    def test_an_interval_misses_as_often_as_it_says(self):
        """Skewed noise: 1 % is allowed, and the ranks of 24 pairs give 0.66 %. In 4000 trials 27 +- 5."""
        chance = random.Random(1)
        missed = 0
        for _ in range(4000):
            found = pairs.ratio_of([0.3 + chance.expovariate(1) - math.log(2) for _ in range(24)])
            missed += not found.low <= math.exp(0.3) <= found.high
        self.assertLess(missed, 27 + 4 * 5)
        self.assertGreater(missed, 27 - 4 * 5)

    def test_too_few_pairs_say_nothing(self):
        self.assertEqual(pairs.verdict_of(pairs.ratio_of([1.0] * 5), 3), "undecided")

    def test_what_takes_3_percent_longer_is_found(self):
        self.assertGreaterEqual(verdicts(1.03, 0.015).count("loss"), 147)
        self.assertGreaterEqual(verdicts(1 / 1.03, 0.015).count("gain"), 147)

    def test_the_same_is_not_called_slower(self):
        found = verdicts(1.0, 0.015)
        self.assertEqual(found.count("loss") + found.count("gain"), 0)
        self.assertGreaterEqual(found.count("same"), 147)

    def test_what_cannot_be_told_is_undecided(self):
        """On the threshold and in noise of 30 %, a loss may be claimed in half a percent of the cases."""
        for ratio, noise in ((1.015, 0.01), (1.0, 0.3)):
            found = verdicts(ratio, noise)
            self.assertLessEqual(found.count("loss"), 4)
            self.assertGreaterEqual(found.count("undecided"), 130)

    def test_whoever_runs_second_is_not_taken_for_slower(self):
        for seed in range(20):
            chance, place = random.Random(seed), [0]

            def timed(chance=chance, place=place):
                place[0] += 1
                return (1.0 if place[0] % 2 else 1.05) * math.exp(chance.gauss(0, 0.002))

            self.assertNotIn(pairs.compare(lambda: pairs.in_turn(timed, timed, chance), 3)[1], ("loss", "gain"))

    def test_a_change_between_runs_needs_both_intervals(self):
        narrow = [pairs.Ratio(value, value * 0.998, value * 1.002, 0.99, 48) for value in (2.0, 2.08, 2.0)]
        wide = pairs.Ratio(2.08, 1.9, 2.2, 0.99, 48)
        self.assertEqual(pairs.change(narrow[0], narrow[1], 3)[1], "loss")
        self.assertEqual(pairs.change(narrow[1], narrow[2], 3)[1], "gain")
        self.assertEqual(pairs.change(narrow[0], narrow[2], 3)[1], "same")
        self.assertEqual(pairs.change(narrow[0], wide, 3)[1], "undecided")


def made_run(day, ratio, machine_name="one", subject="a <b>change</b> & more"):
    row = {"name": "rc", "what": "this over that", "ns": ratio, "peer_ns": 1.0, "ratio": ratio, "low": ratio * 0.998, "high": ratio * 1.002, "confidence": 0.99,
           "pairs": 48, "instructions": 100.0 * ratio, "peer_instructions": 100.0, "taken_ns": []}
    return {"kind": "ratios", "started": f"2026-01-{day:02d}T00:00:00Z", "machine": machine_name, "cpu": "c", "cpus": 2, "load_before": [0, 0, 0], "commit": "0" * 40,
            "dirty": False, "subject": subject, "find": 3.0, "results": [row]}


class Tags(html.parser.HTMLParser):
    """Every tag that is opened is closed, in order."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class History(unittest.TestCase):
    def setUp(self):
        self.folder = FOLDER / "history"
        shutil.rmtree(self.folder, ignore_errors=True)

    def test_a_loss_between_runs_of_one_machine_is_marked(self):
        for run in (made_run(1, 2.0), made_run(2, 3.0, "another"), made_run(3, 2.08), made_run(4, 2.08)):
            history.write(self.folder, run)
        points = history.series(history.read(self.folder))["rc"]
        self.assertEqual([point["verdict"] for point in points], [None, None, "loss", "same"])
        text = page.write(self.folder).read_text()
        self.assertEqual(len(re.findall('<text class="loss"', text)), 1)
        self.assertIn("+4.0 %", text)
        self.assertRegex(text, r"since 2026-01-01 \+4\.00 % \(.*\), loss")

    def test_the_page_stands_alone(self):
        history.write(self.folder, made_run(1, 2.0))
        text = page.write(self.folder).read_text()
        tags = Tags()
        tags.feed(text)
        self.assertEqual(tags.open, [])
        names = {tag for tag, _ in tags.seen}
        self.assertTrue({"svg", "circle"} <= names)
        self.assertFalse(names & {"script", "link", "img", "iframe", "b"}, "a page with parts from elsewhere, or text that became markup")
        self.assertFalse([attributes for _, attributes in tags.seen if set(attributes) & {"src", "href"}])
        self.assertNotIn("url(", text)

    def test_runs_of_one_second_do_not_overwrite_each_other(self):
        for _ in range(3):
            history.write(self.folder, made_run(1, 2.0))
        self.assertEqual(len(history.read(self.folder)), 3)

    def test_a_file_that_is_no_run_is_named(self):
        self.folder.mkdir(parents=True)
        for text in ("{", "{}", "[]", '{"format": 99}'):
            (self.folder / "odd.json").write_text(text)
            with self.assertRaisesRegex(machine.Failed, "odd.json"):
                history.read(self.folder)


PLANT = """#!/bin/sh
echo '{"busy_s": %s, "wall_s": 1, "simulated_s": 60, "executive_ns_per_window": 5, "digest": "%s"}'
"""
TAKT = """#!/bin/sh
case $1 in --version) echo takt test;; build) echo %s;; *) exit 1;; esac
"""

PRESETS = """{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}],
 "buildPresets": [{"name": "release", "configurePreset": "release"}]}"""
MADE_BY_COPYING = """cmake_minimum_required(VERSION 3.25)
project(made LANGUAGES NONE)
add_custom_target(takt COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/takt ${CMAKE_SOURCE_DIR}/plant ${CMAKE_BINARY_DIR}/bin)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_subdirectory(tools/bench/all runtime)
"""


def program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


class Command(unittest.TestCase):
    """With a takt that builds nothing and plants that only say what they took."""

    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER / "command", ignore_errors=True)
        plant = program(FOLDER / "command/plant", PLANT % ("1.03", "a"))
        cls.takt = program(FOLDER / "command/takt", TAKT % plant)

    def run_it(self, *words):
        command = [ROOT / "tools/bench_all.sh", "--takt", self.takt, "--work", FOLDER / "command/work", "--history", FOLDER / "command/history", "--no-count", *words]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)

    def test_wrong_options_are_refused(self):
        for words, complaint in ((["--only", "rcc"], "no work 'rcc'"), (["--find", "0.1"], "cannot be told"), (["--plant-slow-down", "-1"], "between 0 and 100"),
                                 (["--against", ".", "--plant-slow-down", "3"], "not allowed with"), (["--repeat", "2"], "for comparisons"), (["--cpu", "99999"], "not one of those"),
                                 (["--takt", "nowhere"], "nowhere is missing"), (["--against", ".", "--only", "trace_ev"], "no work 'trace_ev'"), (["--fnd", "3"], "unrecognized")):
            with self.subTest(words=words):
                done = self.run_it(*words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(complaint, done.stderr)

    def test_what_fails_is_told(self):
        for words, complaint in ((["--against", "no-such-commit", "--only", "rc"], "neither a folder nor a commit"), (["--against", FOLDER, "--only", "rc"], "holds neither rc"),
                                 (["--only", "check"], "check")):
            with self.subTest(words=words):
                done = self.run_it(*words)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(complaint, done.stderr)

    def test_a_run_leaves_ratios_and_a_page(self):
        done = self.run_it("--quick", "--only", "rc")
        self.assertEqual(done.returncode, 0, done.stderr)
        file, written = (pathlib.Path(line) for line in done.stderr.splitlines()[-2:])
        run = json.loads(file.read_text())
        [row] = run["results"]
        self.assertEqual((row["name"], row["pairs"]), ("rc", 16))
        self.assertAlmostEqual(row["ns"], 1.03e9 / 60e3)  # of a unit of 1 ms
        self.assertGreater(row["peer_ns"], 0)
        self.assertAlmostEqual(row["ratio"], row["ns"] / row["peer_ns"], delta=0.2 * row["ratio"])
        for key in ("machine", "cpu", "load_before", "load_after", "started", "commit", "dirty", "compiler", "command"):
            self.assertIn(key, run)
        self.assertIn("<h2>rc</h2>", written.read_text())

    def test_exit_code_tells_a_loss(self):
        for old, digest, verdict, code in (("1", "a", "loss", 3), ("1.03", "a", "same", 0), ("1.06", "b", "gain", 0)):
            with self.subTest(verdict=verdict):
                program(FOLDER / "command/old/rc/bin/rc", PLANT % (old, digest))
                done = self.run_it("--against", FOLDER / "command/old", "--only", "rc")
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertRegex(done.stdout, rf"rc +{verdict} ")
                self.assertEqual("results differ" in done.stdout, digest == "b")
        done = self.run_it("--plant-slow-down", "0", "--only", "rc", "--repeat", "3")
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "rc: of 3 comparisons 3 same"))
        self.assertIn("<td class='loss'>loss</td>", (FOLDER / "command/history/index.html").read_text())

    def test_a_commit_is_built_and_compared(self):
        """In a repository whose takt is a script: its plant takes 3 % more than that of the commit before."""
        tree = FOLDER / "command/tree"
        shutil.copytree(ROOT / "tools", tree / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        (tree / "CMakePresets.json").write_text(PRESETS)
        (tree / "CMakeLists.txt").write_text(MADE_BY_COPYING)
        program(tree / "takt", TAKT % "$(dirname $0)/plant")
        (tree / "tools/bench/all/CMakeLists.txt").write_text("")
        git = ["git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b"]
        program(tree / "plant", PLANT % ("1.00", "a"))
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "before"]):
            subprocess.run([*git, *words], check=True)
        slower = program(FOLDER / "command/slower/plant", PLANT % ("1.03", "a"))
        takt = program(FOLDER / "command/slower/takt", TAKT % slower)
        for repetition in range(2):  # the second finds what the first has built
            done = subprocess.run([tree / "tools/bench_all.sh", "--against", "HEAD", "--takt", takt, "--only", "rc", "--no-count", "--history", FOLDER / "command/history"],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertRegex(done.stdout, r"rc +loss +time \+3\.00 %")
            self.assertEqual("building takt of commit" in done.stderr, repetition == 0)


unittest.main()
