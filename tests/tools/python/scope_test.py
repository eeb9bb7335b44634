#!/usr/bin/env python3
"""The scope: values at every micro-step, in lock-step and by themselves, against the closed solution of a circuit and against recordings.

    scope_test.py TAKT WORK"""
import unittest

import numpy as np
from common import WORK, main

import takt

STEP = 250_000  # ns, micro-step
R, C = 100.0, 1e-5
# The circuit exchanges with itself every 2 ms, with the wall every 10 ms: five windows in a macro-step.
NESTED = """[plant]
title    = "A circuit in a slow group"
duration = "1 s"
error    = "off"
[input]
u = { unit = "V", start = "0 V", safe = "0 V" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "u" }
r      = { is = "resistor", at = ["in", "out"], r = "100 Ohm", heat = "solid.body" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "10 uF" }
[solid]
body   = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "300 K" } }
[solve]
electric = { step = "250 us", method = "rk4" }
solid    = { step = "1 ms", method = "rk4" }
[sync]
fast = { members = ["electric"], every = "2 ms" }
slow = { members = ["fast", "solid"], every = "10 ms", order = 1 }
[record]
"10 ms" = ["electric.c.v", "electric.r.i"]
"""


def nested():
    folder = WORK / "nested"
    folder.mkdir(exist_ok=True)
    (folder / "plant.toml").write_text(NESTED)
    return takt.Plant(folder, build_directory=WORK / "nested_built")


def charged(passed_s):
    """From 0 V by 10 V; RK4 with steps of a quarter of the time constant is 1.5e-4 V off at most."""
    return 10.0 * (1.0 - np.exp(-np.asarray(passed_s) / (R * C)))


class LockStep(unittest.TestCase):
    def test_every_micro_step_is_there(self):
        with nested().run() as run:
            run["u"] = 10.0
            seen = run.scope(["electric.c.v", "electric.r.i", "electric.source.v"], "30 ms")
            first = int(seen.time_ns[0]) - STEP
            self.assertEqual((len(seen), seen.lost, seen.deviation < 1e-12), (120, 0, True))
            np.testing.assert_array_equal(seen.time_ns, first + STEP * np.arange(1, 121))
            begin = int(seen.time_ns[np.argmax(seen["electric.source.v"] > 0)]) - STEP
            self.assertEqual(begin % 2_000_000, 0)  # when inputs are taken
            np.testing.assert_allclose(seen["electric.c.v"], charged(np.maximum(seen.time_ns - begin, 0) / 1e9), atol=2e-4)
            np.testing.assert_allclose(seen["electric.r.i"] * R + seen["electric.c.v"], seen["electric.source.v"], atol=1e-9)
            self.assertEqual(seen.units, {"electric.c.v": "V", "electric.r.i": "A", "electric.source.v": "V"})

    def test_a_trigger_and_what_was_before_it(self):
        with nested().run() as run:
            run["u"] = 10.0
            seen = run.scope(["electric.c.v"], "1 ms", pre="500 us", trigger="electric.c.v > 5 V")
            volts = seen["electric.c.v"]
            self.assertEqual((len(seen), int(seen.time_ns[2])), (6, seen.trigger_ns))
            self.assertTrue(volts[1] <= 5.0 < volts[2])
            with self.assertRaises(takt.WaitTimeout):
                run.scope(["electric.c.v"], "1 ms", trigger="electric.c.v > 50 V", timeout="100 ms")
            self.assertEqual(len(run.scope(["electric.c.v"], "1 ms")), 4)  # the one before is over

    def test_the_least_and_the_largest(self):
        with nested().run() as run:
            run["u"] = 10.0
            seen = run.scope(["electric.c.v"], "40 ms", every="2 ms")
            self.assertEqual(seen.paths, ["electric.c.v (min)", "electric.c.v (max)"])
            least, most = seen["electric.c.v (min)"], seen["electric.c.v (max)"]
            self.assertTrue((least <= most).all() and (least[1:] >= most[:-1]).all() and least[1] < most[1])

    def test_what_cannot_be_seen_is_refused(self):
        with nested().run() as run:
            for paths, words, cause in (
                (["electric.c.v", "solid.body.t"], {}, "one subsystem"),
                (["u"], {}, "micro-steps"),
                (["electric.c.v"], {"trigger": "solid.body.t > 300 K"}, "another subsystem"),
                (["electric.c.v"], {"trigger": "electric.c.v > 3 K"}, "V and K"),
            ):
                with self.assertRaisesRegex(takt.Refused, cause):
                    run.scope(paths, "1 ms", **words)
            with self.assertRaisesRegex(takt.Refused, "1048576"):
                run.scope(["electric.c.v"], "1000 s")

    def test_the_run_ends_before(self):
        with self.assertRaises(takt.RunEnded) as caught:
            with nested().run(duration="20 ms", check=False) as run:
                run.scope(["electric.c.v"], "10 s")
        self.assertEqual(len(caught.exception.captured), 80)


class ByItself(unittest.TestCase):
    def test_a_paced_run_goes_on(self):
        with nested().run(pace="real") as run:
            run["u"] = 10.0
            seen = run.scope(["electric.c.v"], "100 ms")
            self.assertEqual(len(seen), 400)
            self.assertTrue((np.diff(seen.time_ns) == STEP).all() or seen.lost > 0)
            self.assertLess(abs(seen["electric.c.v"][-1] - 10.0), 1e-6)

    def test_results_are_the_same(self):
        digests = set()
        for looks in (False, True):
            with nested().run(duration="200 ms") as run:
                if looks:
                    run.scope(["electric.c.v"], "50 ms")
                run.advance(0.2 - run.time_s)
            digests.add(run.results.summary["digest"])
        self.assertEqual(len(digests), 1)


if __name__ == "__main__":
    main()
