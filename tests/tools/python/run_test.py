#!/usr/bin/env python3
"""Runs that Python starts and steers: in lock-step and by themselves, values, actions and their undoing, waits, captures, verdicts, results.

    run_test.py TAKT WORK"""
import csv
import math
import subprocess
import sys
import unittest

import numpy as np
from common import RC, ROOT, TAKT, WORK, main

import takt

H = 1_000_000  # ns, macro-step
R, C = 1000.0, 1e-5
RATES = """[plant]
title    = "Two rates"
duration = "100 ms"
error    = "off"
[input]
u = { unit = "V", start = "1 V", safe = "0 V" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "u" }
r      = { is = "resistor", at = ["in", "out"], r = "1 kOhm", heat = "solid.body" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "10 uF" }
[solid]
body   = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "300 K" } }
[solve]
electric = { step = "250 us", method = "rk4" }
solid    = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["electric", "solid"], every = "1 ms" }
[record]
"1 ms" = ["electric.c.v"]
"5 ms" = ["electric.r.i", "solid.body.t"]
"""
FAILS = """[scenario]
title = "It cannot hold"
[[step]]
name = "more than there is"
expect = "electric.smooth.v > 1000 V"
within = "20 ms"
"""


def rc(**options):
    return takt.Plant(RC, build_directory=WORK / "rc", **options)


def rates():
    folder = WORK / "rates"
    folder.mkdir(exist_ok=True)
    (folder / "plant.toml").write_text(RATES)
    return takt.Plant(folder, build_directory=WORK / "rates_built")


class LockStep(unittest.TestCase):
    def test_time_passes_only_when_python_says_so(self):
        with rc().run(duration="1 s") as run:
            self.assertTrue(run.stands)
            self.assertEqual((run.time_s, run.read(["offset"]).time_ns), (0.0, 0))
            self.assertEqual((run.step(3), run.advance("7 ms"), run.advance(0.01)), (0.003, 0.01, 0.02))
            self.assertEqual(run.read(["electric.smooth.v"]).time_ns, 20 * H)
            with self.assertRaisesRegex(takt.PlantError, "macro-step"):
                run.advance("2.5 ms")
            self.assertEqual(run.status()["phase"], "paused")
        self.assertEqual((run.results.outcome, run.results.summary["macro_steps"]), ("interrupted", 20))

    def test_results_do_not_depend_on_when_python_looks(self):
        def digest(look):
            with rc().run(duration="300 ms") as run:
                for _ in range(10):
                    run.advance("10 ms")
                    look(run)
                run["offset"] = "5 V"
                run.wait_until("electric.smooth.v > 5 V", "100 ms")
                run["offset"] = run["electric.smooth.v"]
                run.finish()
            return run.results.digest

        digests = {digest(lambda run: None), digest(lambda run: run.read(["electric.*"])), digest(lambda run: run.events())}
        self.assertEqual(len(digests), 1, digests)

    def test_it_ends_where_it_ends(self):
        with rc().run(duration="20 ms") as run:
            run.advance("20 ms")
            self.assertEqual(run.time_s, 0.02)
            with self.assertRaisesRegex(takt.RunEnded, "has ended"):
                run.step()
            self.assertEqual(run.finish().outcome, "passed")
        with rc().run(duration="20 ms") as run, self.assertRaisesRegex(takt.RunEnded, "before .*1000 V"):
            run.wait_until("electric.smooth.v > 1000 V", "1 s")


class Steering(unittest.TestCase):
    def test_what_is_set_acts_at_once_and_is_undone(self):
        with rc(set={"amplitude": 0}).run(duration="1 s") as run:
            start = run["electric.smooth.v"]
            run.step()  # the first macro-step keeps what the plant began with
            with run.set("offset", "8 V") as acted:
                self.assertEqual(acted.effective_s, 0.001)
                with run.set({"offset": 2}):
                    run.step()
                    self.assertEqual(run["offset"], 2.0)
                run.step()
                self.assertEqual(run["offset"], 8.0)  # the one before holds again
                run.advance("100 ms")
            run.step()
            self.assertEqual(run["offset"], 0.0)
            first = start * math.exp(-0.001 / (R * C))
            second = 2 + (first - 2) * math.exp(-0.001 / (R * C))
            last = 8 + (second - 8) * math.exp(-0.101 / (R * C))
            self.assertAlmostEqual(run["electric.smooth.v"], last * math.exp(-0.001 / (R * C)), places=4)

    def test_what_is_assigned_is_what_the_path_is(self):
        with rc().run(duration="1 s") as run:
            run["offset"] = "1500 mV"
            run["electric.load.r"] = "2 kOhm"
            run.advance("20 ms")
            self.assertEqual((run["offset"], run["electric.load.r"]), (1.5, 2000.0))
            with self.assertRaisesRegex(takt.Refused, "cannot be overridden"):
                run["electric.smooth.v"] = "1 V"
            with self.assertRaisesRegex(takt.Refused, "did you mean \"electric.smooth.v\""):
                run["electric.smoth.v"]
            with self.assertRaisesRegex(takt.Refused, "V"):
                run["offset"] = "5 A"
            self.assertEqual((run.unit("offset"), run.unit("electric.load.r")), ("V", "Ohm"))
            self.assertEqual(len(run.paths("electric.smooth.*")), 6)

    def test_tuning_and_faults_of_elements_are_undone(self):
        with rc().run(duration="1 s") as run:
            with run.tune("electric.load.r", "2 kOhm"):
                run.advance("20 ms")
                self.assertEqual(run["electric.load.r"], 2000.0)
            run.advance("20 ms")
            self.assertEqual(run["electric.load.r"], 1000.0)
            with run.inject("electric.smooth", "aged"), run.inject("electric.load", "high_resistance"):
                run.advance("20 ms")
                self.assertAlmostEqual(run["electric.smooth.c"], 0.667e-5, places=12)
                self.assertEqual(run["electric.load.r"], 10000.0)
            run.advance("20 ms")
            self.assertEqual((run["electric.smooth.c"], run["electric.load.r"]), (1e-5, 1000.0))

    def test_an_action_that_is_refused_later_raises(self):
        with self.assertRaisesRegex(takt.Refused, "unstable"):
            with rc().run(duration="1 s") as run:
                run.inject("electric.load", "short")  # its steps would be unstable: coefficients are computed after the answer
                run.finish()

    def test_overrides_and_faults_of_values_reach_readers(self):
        with rates().run(duration="1 s") as run:
            before = run["solid.body.t"]
            with run.override("electric.r.heat.h", "400 W"):  # on 0.4 J/K: 1000 K/s
                run.advance("10 ms")
            heated = run["solid.body.t"] - before
            self.assertTrue(8.0 < heated < 12.0, heated)


class Waiting(unittest.TestCase):
    def test_it_stands_where_the_condition_held_first(self):
        with rc().run(duration="1 s") as run:
            seen = run.wait_until("electric.source.v > 9.9 V", "100 ms")
            self.assertEqual((seen.time_ns, run.time_s), (5 * H, 0.005))  # the crest of 50 Hz
            self.assertEqual(run["electric.source.v"], seen["electric.source.v"])
            self.assertEqual(run.wait_until("electric.source.v > 9.9 V").time_ns, 5 * H)  # it holds already
            late = run.wait_until(lambda row: row["electric.source.v"] < 0, "100 ms", paths=["electric.source.v"], every="4 ms")
            self.assertEqual(late.time_ns, 12 * H)
            with self.assertRaises(takt.WaitTimeout) as caught:
                run.wait_until("electric.smooth.v > 1000 V", "8 ms")
            self.assertIsInstance(caught.exception, TimeoutError)
            self.assertEqual((run.time_s, list(caught.exception.values)), (0.02, ["electric.smooth.v"]))
            self.assertEqual(caught.exception.run_directory, run.directory)

    def test_a_run_that_goes_on_by_itself_is_waited_for(self):
        for options in ({"lock_step": False}, {"pace": "real", "late": "any"}):
            with rc().run(duration="1000 s", **options) as run:
                self.assertFalse(run.stands)
                began = run.time_s
                seen = run.wait_until("electric.source.v > 9 V", "20 s")
                self.assertTrue(seen.time_s >= began and seen["electric.source.v"] > 9.0, seen)

    def test_what_is_to_be_done_is_done_at_that_very_boundary(self):
        """Times from the closed form of the source; actions as the plant's own log has them."""
        for options in ({}, {"lock_step": False}, {"pace": "real", "late": "any"}):
            with self.subTest(**options), rc().run(duration="100000 s", **options) as run:
                held = []
                for number in range(25):
                    level = 9.0 * math.sin(number + 0.3)
                    seen = run.wait_until(f"electric.source.v - offset > {level!r} V", "1 s", then={"offset": number * 1e-3})
                    self.assertTrue(seen["electric.source.v"] - seen["offset"] > level)
                    self.assertEqual(seen.effective_s, seen.time_s)
                    held.append((seen.time_ns, level))
                    if run.stands:
                        self.assertEqual(run.time_s, seen.time_s)
                        run.step()
                run.stop()
                if not options:  # the first boundary from the one on at which it was asked
                    for (before, _), (time, level) in zip([(-H, 0.0), *held], held):
                        values = [10 * math.sin(2 * math.pi * 50 * k * 1e-3) for k in range(before // H + 1, time // H + 1)]
                        self.assertEqual([value > level for value in values], [False] * (len(values) - 1) + [True])
            lines = [line for line in (run.directory / "inputs.csv").read_text().splitlines() if not line.startswith("#")]
            taken = {float(row["value"]): int(row["time_ns"]) for row in csv.DictReader(lines) if row["input"] == "offset"}
            self.assertEqual([taken[number * 1e-3] for number in range(1, 25)], [time for time, _ in held[1:]])

    def test_a_time_that_macro_steps_do_not_divide_ends(self):
        with rc().run(duration="1 s") as run:
            for number, (timeout, end) in enumerate((("2.5 ms", 0.002), ("0.4 ms", 0.002), ("1 ms", 0.003)), 1):
                with self.assertRaises(takt.WaitTimeout):
                    run.wait_until("electric.smooth.v > 1000 V", timeout, then={"offset": float(number)} if number % 2 else ())
                self.assertEqual((round(run.time_s, 9), run["offset"]), (end, 0.0))

    def test_more_than_setting_may_be_done(self):
        with rc().run(duration="1 s") as run:
            run.wait_until("electric.source.v > 9.9 V", then=[takt.Do("inject", "electric.smooth", "aged")])
            run.step(2)
            run.wait_until("electric.source.v < -9.9 V", then=[takt.Do("checkpoint"), takt.Do("set", "offset", "0 V")])
            run.step(2)
            self.assertIn("aged", "".join(event.text for event in run.events()))
            self.assertEqual(len(list(run.directory.glob("checkpoint-*"))), 1)
            with self.assertRaisesRegex(takt.Refused, "nowhere"):
                run.wait_until("electric.source.v > 9.9 V", then={"nowhere": 1.0})
            with self.assertRaisesRegex(takt.PlantError, "needs a text"):
                run.wait_until(lambda row: True, paths=["electric.source.v"], then={"offset": 1.0})
            with self.assertRaises(takt.WaitTimeout):
                run.wait_until("electric.source.v > 1000 V", "50 ms", then={"offset": "3 V"})
            self.assertEqual((round(run.time_s, 9), run["offset"]), (0.067, 0.0))
            run.wait_until("electric.source.v > 9.9 V", then=[takt.Do("stop")])
            run.finish()
        self.assertEqual((round(run.results.summary["simulated_s"], 9), run.results.outcome), (0.085, "interrupted"))

    def test_a_free_run_is_held_and_goes_on(self):
        with rc().run(duration="1000 s", lock_step=False) as run:
            held = run.pause()
            self.assertEqual((run.time_s, round(1e3 * (run.step() - held), 6), run.stands), (held, 1.0, True))
            run.resume()
            run.wait_until("electric.source.v > 9 V", "20 s")


class Capturing(unittest.TestCase):
    def test_nothing_is_lost_of_a_run_that_stands(self):
        with rc().run(duration="20 s") as run:
            run.step(7)
            table = run.capture(["electric.*"], "3 s")
            self.assertEqual((len(table), table.lost, int(table.time_ns[0]), int(table.time_ns[-1])), (3000, 0, 8 * H, 3007 * H))
            expected = 10 * np.sin(2 * math.pi * 50 * table.time_s)
            self.assertLess(float(np.abs(table["electric.source.v"] - expected).max()), 1e-9)
            sparse = run.capture(["electric.smooth.v"], "100 ms", every="10 ms")
            self.assertEqual(sparse.time_ns.tolist(), [3_010 * H + 10 * H * k for k in range(10)])
            with run.capturing(["electric.smooth.v", "offset"], every="5 ms") as seen:
                run["offset"] = 3
                run.advance("20 ms")
            self.assertEqual((len(seen.table), seen.table["offset"].tolist()), (4, [3.0] * 4))
            with self.assertRaisesRegex(takt.PlantError, "macro-step"):
                run.capture(["offset"], "10 ms", every="1.5 ms")

    def test_a_trigger_and_what_was_before_it(self):
        with rc().run(duration="20 s") as run:
            table = run.capture(["electric.smooth.v"], "10 ms", trigger="electric.source.v > 9.9 V", pre="3 ms")
            self.assertEqual((table.trigger_ns, table.time_ns.tolist(), table.paths), (5 * H, [k * H for k in range(2, 16)], ["electric.smooth.v"]))
            with self.assertRaisesRegex(takt.WaitTimeout, "trigger"):
                run.capture(["offset"], "10 ms", trigger="electric.smooth.v > 1000 V", timeout="20 ms")

    def test_what_is_lost_in_real_time_is_what_is_missing(self):
        with rc().run(duration="1000 s", pace="real", late="any") as run:
            table = run.capture(["electric.*"], "500 ms")
            gaps = int((np.diff(table.time_ns) // H - 1).sum())
            self.assertTrue(gaps <= table.lost == 500 - len(table), (gaps, table))

    def test_a_run_that_ends_leaves_what_had_come(self):
        with rc().run(duration="50 ms") as run:
            with self.assertRaises(takt.RunEnded) as caught:
                run.capture(["offset"], "1 s")
            self.assertEqual(len(caught.exception.captured), 50)


class Ends(unittest.TestCase):
    def test_a_run_that_is_not_to_be_trusted_raises_unless_asked_not_to(self):
        wide = {"electric.smooth.c": "1e-9 F"}  # far too slow a step for it
        plant = takt.Plant(RC, build_directory=WORK / "rc", set=wide)
        with self.assertRaises(takt.TaktError) as caught, plant.run(duration="20 ms") as run:
            run.finish()
        self.assertIn(caught.exception.exit_code, (1, 2))
        self.assertIn("unstable", str(caught.exception))

    def test_a_scenario_that_fails_raises_with_the_run_directory(self):
        (WORK / "fails.toml").write_text(FAILS)
        with self.assertRaises(takt.ScenarioFailed) as caught, rc().run(scenario=WORK / "fails.toml", lock_step=False) as run:
            run.finish()
        self.assertEqual((caught.exception.exit_code, caught.exception.run_directory), (1, run.directory))
        with rc().run(scenario=WORK / "fails.toml", lock_step=False, check=False) as run:
            run.finish()
        self.assertEqual(run.results.outcome, "failed")

    def test_what_is_wrong_before_the_run_raises_with_diagnostics(self):
        with self.assertRaises(takt.PlantError) as caught:
            takt.Plant(RC, set={"bla": 3}).run().start()
        self.assertEqual([d.code for d in caught.exception.diagnostics], ["M032"])
        with self.assertRaisesRegex(takt.PlantError, "did you mean"):
            rc().run(options=["--fro", "3 s"]).start()

    def test_an_error_of_the_test_is_the_one_that_is_seen(self):
        with self.assertRaises(ZeroDivisionError) as caught, rc().run(duration="1 s") as run:
            run.step()
            1 / 0
        self.assertTrue(run.is_over)
        if sys.version_info >= (3, 11):
            self.assertIn(str(run.directory), "".join(caught.exception.__notes__))

    def test_runs_have_directories_of_their_own(self):
        with rc().run(duration="1 s") as one, rc().run(duration="1 s") as other:
            one["offset"] = 1
            other["offset"] = 2
            one.step(2), other.step(2)
            self.assertEqual((one["offset"], other["offset"]), (1.0, 2.0))
            self.assertNotEqual(one.directory, other.directory)
            self.assertTrue({one.directory, other.directory} <= set(takt.runs()))
            with takt.attach(one.directory) as again:
                self.assertTrue(again.stands)
                self.assertEqual(again["offset"], 1.0)
        with self.assertRaises(takt.PlantError):
            takt.attach(one.directory)


class Results(unittest.TestCase):
    def test_tables_are_what_the_run_has_recorded(self):
        with rates().run(duration="100 ms", record="both") as run:
            run["u"] = "2 V"
            run.finish()
        results = takt.read(run.directory)
        fast, slow = results.tables
        self.assertEqual((fast.paths, len(fast), slow.paths, len(slow)), (["electric.c.v"], 101, ["electric.r.i", "solid.body.t"], 21))
        self.assertEqual((fast.units, slow.units), ({"electric.c.v": "V"}, {"electric.r.i": "A", "solid.body.t": "K"}))
        all_of_them = results.table(resampled="5 ms")
        self.assertEqual(len(all_of_them), 21)
        self.assertLess(float(np.abs(all_of_them["electric.c.v"] - fast["electric.c.v"][::5]).max()), 1e-12)
        with self.assertRaisesRegex(takt.PlantError, "2 rates"):
            results.table()
        self.assertIn("set u 2", "".join(event.text for event in results.events))
        self.assertEqual((results.outcome, results.trusted, results.buses, results.overruns), ("passed", True, [], []))
        self.assertEqual(results.digest, results.summary["digest"])

    def test_two_runs_are_compared(self):
        with rc().run(duration="50 ms") as one:
            one.finish()
        with rc(set={"amplitude": "10.1 V"}).run(duration="50 ms") as other:
            other.finish()
        self.assertTrue(all(signal["max"] == 0 for signal in one.results.compare(one.directory).values()))
        found = one.results.compare(other.results, limit=1e-3)
        self.assertFalse(found["electric.source.v"]["within"])
        self.assertTrue(one.results.compare(other.results, limit=0.1, only=["electric.source.v"])["electric.source.v"]["within"])

    def test_a_picture_has_every_curve(self):
        with rc().run(duration="50 ms") as run:
            run.finish()
        text = run.results.plot(["electric.smooth.v", "electric.load.i"]).save(WORK / "picture.svg").read_text()
        self.assertEqual((text.count("<polyline"), text.count("electric.load.i [A]")), (2, 1))

    def test_a_frame_has_time_and_units(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("no pandas")
        with rc().run(duration="50 ms") as run:
            frame = run.capture(["electric.smooth.v"], "20 ms").frame()
            run.finish()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual((frame.shape, frame.index.name, frame.attrs["units"], frame.attrs["lost"]), ((20, 1), "time [s]", {"electric.smooth.v": "V"}, 0))
        self.assertEqual(run.results.signals.shape, (51, 10))

    def test_mdf_is_read_as_csv_is(self):
        try:
            import asammdf  # noqa: F401
        except ImportError:
            self.skipTest("no asammdf")
        with rates().run(duration="100 ms", record="mdf") as mdf, rates().run(duration="100 ms") as csv:
            mdf.finish(), csv.finish()
        found = {path: table for table in mdf.results.tables for path in table.paths}
        for table in csv.results.tables:
            for path in table.paths:
                self.assertEqual(found[path].units[path], table.units[path])
                np.testing.assert_array_equal(found[path].time_ns, table.time_ns)
                np.testing.assert_array_equal(found[path][path], table[path])

    def test_json_lines_are_read_as_csv_is(self):
        with rates().run(duration="100 ms", record=["csv", "jsonl"]) as run:
            run.finish()
        csv = run.results.tables
        (run.directory / "signals.csv").unlink()
        lines = takt.read(run.directory).tables
        self.assertEqual([(one.paths, one.units) for one in csv], [(one.paths, one.units) for one in lines])
        for one, other in zip(csv, lines):
            np.testing.assert_array_equal(one.time_ns, other.time_ns)
            for path in one.paths:
                np.testing.assert_array_equal(one[path], other[path])

    def test_no_results_are_told(self):
        with self.assertRaisesRegex(takt.PlantError, "no summary.json"):
            takt.read(WORK)


class Reading(unittest.TestCase):
    def test_the_command_and_the_package_say_the_same(self):
        with rc().run(duration="1 s") as run:
            run.advance("4 ms")
            told = subprocess.run([TAKT, "tap", run.directory, "read", "electric.smooth.v"], capture_output=True, text=True, check=True).stdout
            self.assertIn(f"electric.smooth.v = {run['electric.smooth.v']!r} V", told)
            self.assertTrue((ROOT / "config").is_dir())


if __name__ == "__main__":
    main()
