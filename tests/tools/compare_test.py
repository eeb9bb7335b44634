#!/usr/bin/env python3
"""takt compare on tables written by hand: errors computed by hand, different grids, limits, and what it refuses.

    compare_test.py TAKT"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TAKT = sys.argv.pop(1)


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def table(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return str(path)

    def call(self, *words):
        return subprocess.run([TAKT, "compare", *words], capture_output=True, text=True)

    def result(self, *words, code=0):
        done = self.call(*words, "--json")
        self.assertEqual(done.returncode, code, done.stderr)
        found = json.loads(done.stdout)
        return {signal["name"]: signal for signal in found["signals"]}, found

    def test_errors_at_the_runs_times_with_the_reference_interpolated(self):
        run = self.table("run.csv", "time [s],a.v [V],b.i [A]\n0,0,5\n0.5,2,5\n1,2,5.5\n")
        reference = self.table("ref.csv", "time [s],b.i [A],a.v [V],c.t [K]\n0,5,0,300\n1,5,2,300\n2,5,4,300\n")
        signals, found = self.result(run, reference)
        v, i = signals["a.v"], signals["b.i"]
        self.assertEqual((v["samples"], v["max"], v["at_s"], v["scale"]), (3, 1.0, 0.5, 2.0))   # 0 1 2 in the reference
        self.assertAlmostEqual(v["rms_normalised"], (1 / 3) ** 0.5 / 2)
        self.assertEqual((i["max"], i["scale"]), (0.5, 5.0))                                     # constant: its magnitude
        self.assertEqual((found["only_run"], found["only_reference"]), ([], ["c.t"]))

    def test_rounding_of_differences_is_judged_by_their_unit(self):
        run = self.table("run.csv", "time [s],wall.t [K],paste.t [K]\n0,300,1e-14\n1,300,0\n")
        reference = self.table("ref.csv", "time [s],wall.t [K],paste.t [K]\n0,300,0\n1,300,1e-20\n")
        self.assertLess(self.result(run, reference)[0]["paste.t"]["max_normalised"], 1e-6)

    def test_signals_at_several_periods_leave_cells_empty(self):
        run = self.table("run.csv", "time [s],a [1],b [1]\n0,1,1\n1,2,\n2,3,3\n")
        signals, _ = self.result(run, run)
        self.assertEqual((signals["a"]["samples"], signals["b"]["samples"]), (3, 2))

    def test_names_with_commas_quotes_and_brackets_are_names(self):
        names = ["fmu.y[1,2]", 'say "v"', "a;b"]
        heads = ",".join('"' + name.replace('"', '""') + ' [V]"' for name in names)
        run = self.table("run.csv", f"time [s],{heads}\n0,1,2,3\n1,1,2,3\n")
        reference = self.table("ref.csv", f"time [s],{heads}\n0,1,2,3\n1,1,3,3\n")
        signals, _ = self.result(run, reference)
        self.assertEqual({name: (signal["unit"], signal["max"]) for name, signal in signals.items()}, {names[0]: ("V", 0.0), names[1]: ("V", 1.0), names[2]: ("V", 0.0)})

    def test_limits_decide_the_exit_code(self):
        run = self.table("run.csv", "time [s],a [1]\n0,0\n1,1.1\n")
        reference = self.table("ref.csv", "time [s],a [1]\n0,0\n1,1\n")
        self.result(run, reference, "--limit", "0.08")
        self.assertFalse(self.result(run, reference, "--limit", "0.07", code=1)[1]["ok"])
        self.result(run, reference, "--limit", "0.08", "--limit-max", "0.09", code=1)
        self.assertIn("ABOVE THE LIMIT", self.call(run, reference, "--limit", "0.07").stdout)

    def test_a_run_that_was_not_finished_fails(self):
        run = pathlib.Path(self.folder.name) / "run"
        run.mkdir()
        for name, text in (("run/signals.csv", "time [s],a [1]\n0,0\n1,1\n"), ("run/inputs.csv", "# takt inputs 2\n")):
            self.table(name, text)
        part = self.call(str(run), str(run))
        self.assertEqual(part.returncode, 1)
        self.assertIn("was not finished: what it has was compared", part.stderr)
        self.table("run/summary.json", "{}")
        self.assertEqual(self.call(str(run), str(run)).returncode, 0)

    def test_what_a_limit_cannot_judge_fails_by_name(self):
        run = self.table("run.csv", "time [s],a [1],b [V],d [1],extra [1]\n0,0,0,0,0\n1,1,1,,0\n")
        reference = self.table("ref.csv", "time [s],a [1],b [A],c [1],d [1]\n0,0,0,0,\n1,1,1,1,1\n")
        self.assertEqual(sorted(self.result(run, reference, "--limit", "0.1", code=1)[1]["not_judged"]), ["b", "c", "d"])
        self.assertIn("NOT JUDGED by the limit: c, b, d", self.call(run, reference, "--limit", "0.1").stdout)
        self.result(run, reference)
        self.result(run, reference, "--limit", "0.1", "--only", "a")
        for missing in ("b", "c", "d", "extra", "nothing"):
            self.assertEqual(self.result(run, reference, "--limit-max", "0.1", "--only", "a", "--only", missing, code=1)[1]["not_judged"], [missing])

    def test_not_a_number_is_above_every_limit(self):
        run = self.table("run.csv", "time [s],a [1]\n0,0\n1,nan\n")
        reference = self.table("ref.csv", "time [s],a [1]\n0,0\n1,1\n")
        self.assertEqual(self.call(run, reference, "--limit", "10").returncode, 1)

    def test_plot_shows_both(self):
        run = self.table("run.csv", "time [s],a [1]\n0,0\n1,1\n")
        out = pathlib.Path(self.folder.name) / "plot.html"
        self.assertEqual(self.call(run, run, "--plot", str(out)).returncode, 0)
        self.assertIn("run - reference", out.read_text())

    def test_mistakes_are_named(self):
        good = self.table("run.csv", "time [s],a [1]\n0,0\n")
        for text, code, said in [("time [s],b [1]\n0,0\n", 1, "no signal"), ("time [s],a [V]\n0,0\n", 1, "no signal"), ("time [s],a [1]\n5,0\n", 1, "no signal"),
                                 ("time [s],a [1]\n0,x\n", 1, ":2: 'x' is not a number"), ("time [s],a [1]\n0\n", 1, ":2: 1 values for 2 columns"),
                                 ("time [s],a [1]\n0,\"0\n", 1, ":2: a quote is not closed"), ("a [1],b [1]\n0,0\n", 1, "first column"), ("", 1, "no samples")]:
            done = self.call(good, self.table("ref.csv", text))
            self.assertEqual(done.returncode, code, text)
            self.assertIn(said, done.stderr, text)
        done = self.call(good, good + ".missing")
        self.assertEqual((done.returncode, "no recording" in done.stderr), (2, True))


if __name__ == "__main__":
    unittest.main()
