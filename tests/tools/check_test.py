#!/usr/bin/env python3
"""check_test.py TAKT SOURCE_DIR   what `takt check` says of a plant: counts, JSON, picture."""

import collections
import importlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TAKT = sys.argv[1]
SOURCE = pathlib.Path(sys.argv[2])
PLANTS = sorted((SOURCE / "config/plants").glob("*/plant.toml"))
COUPLED = SOURCE / "config/plants/ev/plant.toml"


def takt(*arguments, **settings):
    return subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, timeout=600, **settings)


def report_of(plant):
    return json.loads(takt("check", plant, "--json").stdout)


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def plant(self, text):
        file = self.folder / "plant.toml"
        file.write_text('[plant]\ntitle = "test"\n' + text)
        return file

    def dot_of(self, plant):
        file = self.folder / "plant.dot"
        done = takt("check", plant, "--graph", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        return file.read_text()


class Counts(Folder):
    def test_circuits_and_control_add_up_to_the_domains_and_to_the_plant(self):
        for plant in PLANTS:
            with self.subTest(plant=plant.parent.name):
                report = report_of(plant)
                rows = collections.Counter()
                for circuit in report["circuits"]:
                    rows[circuit["domain"]] += circuit["equations"]
                for subsystem in report["subsystems"]:
                    if subsystem["domain"] == "control":
                        rows["control"] += subsystem["equations"]
                self.assertEqual({d["domain"]: d["equations"] for d in report["domains"]}, dict(rows))
                control = rows.pop("control", None)
                self.assertEqual(report["equations"], sum(rows.values()))
                words = takt("check", plant).stdout.splitlines()[1]
                self.assertEqual(words, f"{report['equations']} equations: " + ", ".join(f"{n} {d}" for d, n in rows.items()) + (f"; and {control} of control" if control else ""))

    def test_rows_of_a_small_circuit_are_those_counted_by_hand(self):
        # Two node balances, one law each of source, resistor and capacitor; the capacitor's is differential.
        plant = self.plant('[electric]\ns = { is = "voltage_source", at = ["a", "gnd"], v = "1 V" }\n'
                           'r = { is = "resistor", at = ["a", "b"], r = "1 Ohm" }\nc = { is = "capacitor", at = ["b", "gnd"], c = "1 F" }\n')
        circuit = report_of(plant)["circuits"][0]
        self.assertEqual((circuit["equations"], circuit["differential"], circuit["algebraic"]), (5, 1, 4))
        self.assertEqual((circuit["index"], circuit["reduced_index"], circuit["cause"]), (1, 1, ""))

    def test_elements_that_raise_the_index_are_named(self):
        plant = self.plant('[electric]\ns = { is = "voltage_source", at = ["a", "gnd"], v = "1 V" }\n'
                           'c = { is = "capacitor", at = ["a", "gnd"], c = "1 F" }\nr = { is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }\n')
        circuit = report_of(plant)["circuits"][0]
        self.assertEqual((circuit["index"], circuit["reduced_index"], circuit["index_causes"]), (2, 1, ["electric.c"]))
        self.assertRegex(takt("check", plant).stdout, r"(?m)^electric .* 2 -> 1 \(.*electric\.c\)$")

    def test_refused_circuit_has_no_counts(self):
        plant = self.plant('[electric]\ns = { is = "voltage_source", at = ["a", "gnd"], v = "1 V" }\n'
                           'o = { is = "voltage_source", at = ["a", "gnd"], v = "2 V" }\n')
        report = report_of(plant)
        self.assertFalse(report["ok"])
        self.assertEqual([c["equations"] for c in report["circuits"]], [None])
        self.assertEqual([f["code"] for f in report["findings"]], ["T001"])

    def test_couplings_name_both_ends(self):
        report = report_of(COUPLED)
        names = {s["name"] for s in report["subsystems"]}
        self.assertTrue(report["couplings"])
        for coupling in report["couplings"]:
            self.assertLessEqual({coupling["producer"], coupling["consumer"]}, names)
            self.assertNotEqual(coupling["producer"], coupling["consumer"])
            self.assertLessEqual({"from", "to", "kind", "paradigm", "quantity"}, coupling.keys())


# j*w' = torque - k*w^2: the mode -2*k*w/j appears with speed. 100 N*m, k = 0.01: w = 100 rad/s, where Euler holds to 1 s.
FAN = """duration = "20 s"
[rotational]
motor = { is = "torque_source", at = ["shaft"], torque = "100 N*m" }
rotor = { is = "inertia", at = ["shaft"], j = "1 kg*m^2" }
air   = { is = "drag", at = ["shaft", "frame"], tau_n = "100 N*m", w_n = "100 rad/s" }
[solve]
rotational = { step = "1250 ms", method = "euler" }
[sync]
plant = { members = ["*"], every = "2500 ms" }
"""


class OperatingRange(Folder):
    def range(self, text, name="range.csv"):
        (self.folder / name).write_text(text)
        return self.folder / name

    def test_a_step_that_is_stable_at_the_start_is_refused_where_the_plant_works(self):
        plant = self.plant(FAN)
        self.assertEqual(takt("check", plant).returncode, 0)
        done = takt("check", plant, "--operating", self.range("time [s],rotational.rotor.l [N*m*s]\n0,0\n8,100\n"))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"error\[S040\].* unstable with euler: it multiplies the mode -2 1/s \(time constant 500 ms\), mostly \S+ at 8 s of the operating range")
        # Beside the plant it needs no option. A column in another unit is converted, an empty cell is as at the start.
        self.range("time [s],rotational.rotor.l [kg*m^2*rpm]\n4,\n8,954.93\n", "operating.csv")
        self.assertIn("error[S040]", takt("check", plant).stderr)

    def test_a_run_writes_what_check_reads(self):
        plant = self.plant(FAN.replace("1250 ms", "500 ms"))
        done = takt("run", plant, "--pace", "free", "--record-states", "5 s", "--audit", "off", "--tolerate", "X008", "--out", self.folder / "run", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = (self.folder / "run/signals.csv").read_text().splitlines()
        self.assertIn("rotational.rotor.l [N*m*s]", rows[0])
        self.assertEqual([float(row.split(",")[0]) for row in rows[1:]], [0, 5, 10, 15, 20])
        report = takt("check", plant, "--operating", self.folder / "run/signals.csv", "--show", "plan")
        self.assertRegex(report.stdout, r"linearised at the start and 5 points of signals\.csv[^\n]*\n.* euler 1 s .*fastest mode -2 1/s")
        done = takt("check", self.plant(FAN), "--operating", self.folder / "run/signals.csv")
        self.assertIn("error[S040]", done.stderr)

    def test_mistakes_in_the_file_are_located(self):
        plant = self.plant(FAN)
        for text, code, place in [("time [s],rotational.rotor.q [N*m*s]\n0,1\n", "warning[S043]", "1:1"),
                                  ("time [s],rotational.rotor.l [N*m*s]\n0,1\n1,fast\n", "error[M028]", "3:3"),
                                  ("time [s],rotational.rotor.l [bar]\n0,1\n", "error[U004]", "1:1"),
                                  ("time [s],rotational.rotor.l\n0,1\n", "error[U005]", "2:3")]:
            with self.subTest(code=code):
                done = takt("check", plant, "--operating", self.range(text))
                self.assertIn(f"range.csv:{place}: {code}", done.stderr)
                self.assertEqual(done.returncode, 0 if code.startswith("warning") else 1)
        self.assertEqual(takt("check", plant, "--operating", self.folder / "none.csv").returncode, 2)


class Scale(Folder):
    """The plants of tools/bench/scale.py; what they cost is no matter of a test."""

    def test_every_part_adds_the_same_rows(self):
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(SOURCE / "tools/bench"))
        bench = importlib.import_module("scale")
        for kind in ("fleet", "ladder", "drives"):
            rows = []
            for count in (1, 2, 6):
                file = self.folder / f"{kind}.toml"
                file.write_text(bench.KINDS[kind](count))
                report = report_of(file)
                self.assertTrue(report["ok"], report["findings"])
                rows.append((report["equations"], len(report["circuits"])))
            with self.subTest(kind=kind):
                for one, two, six in zip(*rows):
                    self.assertEqual(six - two, 4 * (two - one))


class Graph(Folder):
    def test_every_branch_is_drawn_once_and_the_tree_is_thick(self):
        for plant in PLANTS:
            with self.subTest(plant=plant.parent.name):
                dot, tree = self.dot_of(plant), takt("check", plant, "--show", "tree").stdout
                self.assertEqual(len(re.findall("penwidth=3", dot)), len(re.findall(r"(?m)^  tree ", tree)))
                thin = [line for line in dot.splitlines() if "penwidth=1" in line and "style=dotted" not in line]
                self.assertEqual(len(thin), len(re.findall(r"(?m)^  cotree ", tree)))
                self.assertEqual(len(re.findall(r"subgraph cluster_\d+ ", dot)), len(report_of(plant)["circuits"]))

    def test_edges_join_what_is_declared(self):
        dot = self.dot_of(COUPLED)
        declared = set(re.findall(r"(?m)^ +(\w+) \[", dot))
        for edge in re.findall(r"(?m)^ +(\w+) -> (\w+) \[", dot):
            self.assertLessEqual(set(edge), declared)
        self.assertEqual(dot.count("{"), dot.count("}"))

    def test_couplings_are_dashed_arrows_with_their_kind(self):
        dot, report = self.dot_of(COUPLED), report_of(COUPLED)
        arrows = re.findall(r"circuit\d+ -> circuit\d+ \[style=dashed.*label=\"(potential|flux)", dot)
        pairs = {(c["producer"], c["consumer"], c["kind"]) for c in report["couplings"]}
        self.assertEqual(collections.Counter(arrows), collections.Counter(kind for _, _, kind in pairs))

    def test_same_plant_same_bytes(self):
        self.assertEqual(self.dot_of(COUPLED), self.dot_of(COUPLED))

    def test_large_plant_is_one_box_per_circuit(self):
        plant = self.plant('[electric]\ns = { is = "voltage_source", at = ["n[0]", "gnd"], v = "1 V" }\n'
                           'r = { is = "resistor", at = ["n[i]", "n[i+1]"], r = "1 Ohm", n = 2000 }\n'
                           'c = { is = "capacitor", at = ["n[2000]", "gnd"], c = "1 F" }\n')
        dot = self.dot_of(plant)
        self.assertIn("2002 elements, 4003 equations", dot)
        self.assertNotIn("cluster", dot)

    def test_other_endings_are_refused(self):
        self.assertEqual(takt("check", COUPLED, "--graph", self.folder / "plant.png").returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
