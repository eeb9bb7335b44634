#!/usr/bin/env python3
"""Plants as Python sees them: diagnostics, what a plant has, executables, plans, FMUs; numbers and conditions as the plant reads them.

    plant_test.py TAKT WORK"""
import os
import pathlib
import subprocess
import sys
import unittest
import zipfile

from common import PACKAGE, RC, ROOT, TAKT, WORK, main

import takt
from takt.condition import Condition
from takt.errors import diagnostics_in
from takt.units import in_si, nanoseconds

WRONG = '[plant]\ntitle = "wrong"\n[electric]\nr = { is = "resistr", at = ["a", "gnd"], r = "1 Ohm" }\n'


def wrong_plant():
    folder = WORK / "wrong"
    folder.mkdir(exist_ok=True)
    (folder / "plant.toml").write_text(WRONG)
    return folder


class Plants(unittest.TestCase):
    def test_a_wrong_plant_has_diagnostics_with_place_and_cure(self):
        checked = takt.Plant(wrong_plant()).check()
        self.assertFalse(checked.ok)
        (error,) = [error for error in checked.errors if error.code == "M010"]
        self.assertEqual((error.code, error.line, pathlib.Path(error.file).name), ("M010", 4, "plant.toml"))
        self.assertIn("resistor", error.cure)
        with self.assertRaises(takt.PlantError) as caught:
            takt.Plant(wrong_plant()).signals()
        self.assertIn(error, caught.exception.diagnostics)

    def test_what_a_command_prints_has_the_same_diagnostics(self):
        with self.assertRaises(takt.PlantError) as caught:
            takt.Plant(wrong_plant()).build(out=WORK / "never")
        self.assertEqual(set(caught.exception.diagnostics), set(takt.Plant(wrong_plant()).check().errors))
        self.assertEqual(caught.exception.exit_code, 1)

    def test_diagnostics_of_several_lines_and_without_a_place(self):
        found = diagnostics_in("--set bla: error[M032]: there is no parameter 'bla' to set\n  hint: known: a,\n        b\n"
                               "p.toml:3:1: warning[S046]: first\n  second\n    3 | x\n      | ^\nnote: no code\nsomething else\n")
        self.assertEqual([(d.file, d.line, d.severity, d.code) for d in found],
                         [("--set bla", 0, "error", "M032"), ("p.toml", 3, "warning", "S046"), ("", 0, "note", "")])
        self.assertEqual((found[0].cure, found[1].message), ("known: a,\nb", "first\nsecond"))

    def test_what_a_plant_has_is_what_its_executable_lists(self):
        plant = takt.Plant(RC, build_directory=WORK / "rc")
        listed = subprocess.run([plant.build(), "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
        table = [(quantity.role, quantity.path, quantity.unit) for quantity in plant.table()]
        self.assertEqual(table, [(line[:12].strip(), line[38:].split(" [")[0], line[38:].split(" [")[1][:-1]) for line in listed])
        values = {quantity.path: quantity.value for quantity in plant.parameters()}
        self.assertEqual((values["amplitude"], values["electric.load.r"]), (10.0, 1000.0))
        self.assertEqual([(i.path, i.unit, i.start, i.safe) for i in plant.inputs()], [("offset", "V", 0.0, 0.0)])
        self.assertIn(("electric.load", "short"), [(fault.element, fault.name) for fault in plant.faults()])
        self.assertEqual({signal.role for signal in plant.signals()}, {"signal", "state"})

    def test_a_parameter_that_is_set_is_that_of_the_plant(self):
        plant = takt.Plant(RC, set={"amplitude": "12 V", "frequency": "60 Hz"})
        self.assertEqual([p.value for p in plant.parameters() if p.path in ("amplitude", "frequency")], [12.0, 60.0])

    def test_plan_and_fmu(self):
        plant = takt.Plant(RC, build_directory=WORK / "rc")
        plan = plant.plan(error=1e-3, duration="20 ms", out=WORK / "plan.toml")
        self.assertTrue(plan["met"] and plan["found"]["error"] < 1e-3, plan)
        self.assertTrue(takt.Plant(RC, solve=WORK / "plan.toml").check())
        file = plant.export_fmu(WORK / "rc.fmu", version=2)
        with zipfile.ZipFile(file) as fmu:
            self.assertIn('fmiVersion="2.0"', fmu.read("modelDescription.xml").decode())

    def test_without_a_command_the_error_says_where_it_is_looked_for(self):
        with self.assertRaisesRegex(takt.CommandMissing, "nowhere"):
            takt.Plant(RC, takt="/nowhere/takt")
        code = "import takt.command as c; print(c.find_command())"
        beside = {**os.environ, "PATH": str(pathlib.Path(TAKT).parent) + ":/usr/bin:/bin"}
        del beside["TAKT"]
        found = subprocess.run([sys.executable, "-c", code], env=beside, capture_output=True, text=True, check=True).stdout.strip()
        self.assertEqual(found, str(pathlib.Path(TAKT).resolve()))


class Quantities(unittest.TestCase):
    def test_numbers_with_units(self):
        for text, unit, value in (("12 V", "V", 12.0), ("20 degC", "K", 293.15), ("36 km/h", "m/s", 10.0), ("5 %", "1", 0.05), ("1.5 mF", "F", 0.0015),
                                  ("60 rpm", "rad/s", 6.283185307179586), ("3", "V", 3.0), (7, "V", 7.0), ("1e3 Pa", "Pa", 1000.0), ("2 min", "s", 120.0)):
            self.assertAlmostEqual(in_si(text, unit), value, msg=text)
        for text, unit in (("12 A", "V"), ("12,5 V", "V"), ("twelve", "V"), ("1 km", "s")):
            with self.assertRaises(takt.PlantError, msg=text):
                in_si(text, unit)
        self.assertEqual((nanoseconds("65 us"), nanoseconds(0.01)), (65_000, 10_000_000))
        for wrong in ("0 s", "-1 s", "0.1 ns", "1 V"):
            with self.assertRaises(takt.PlantError, msg=wrong):
                nanoseconds(wrong)

    def test_the_units_are_those_of_the_runtime(self):
        source = (ROOT / "runtime/plant/quantity.cpp").read_text()
        table = source[source.index("scales[] = {"):source.index("struct Prefix")]
        names = [line.split('"')[1] for line in table.splitlines() if line.strip().startswith('{"')]
        from takt.units import SCALES
        self.assertEqual(names, list(SCALES))


UNITS = {"a.speed": "m/s", "b.w": "rad/s", "v": "V", "i": "A", "x": "1", "solid.pack[0].t": "K"}
VALUES = {"a.speed": 12.0, "b.w": 10.0, "v": 24.0, "i": -2.0, "x": 0.5, "solid.pack[0].t": 300.0}


class Conditions(unittest.TestCase):
    def judged(self, text):
        return Condition(text, UNITS.__getitem__).holds(VALUES)

    def test_they_are_judged_by_their_units(self):
        for text, holds in (("a.speed > 10 m/s", True), ("a.speed > 36 km/h", True), ("a.speed > 50 km/h", False), ("solid.pack[0].t < 30 degC", True),
                            ("abs(b.w - 12 rad/s) < 3 rad/s", True), ("x == 50 %", True), ("v > 20 V and i > 0", False), ("v > 20 V or i > 0", True),
                            ("not (v > 20 V and i < 0)", False), ("(v + 1 V) > 24500 mV", True), ("v*i < -40", True), ("v/v == x*2", True), ("10 V < v", True),
                            ("-i == 2 A", True), ("1.5*a.speed >= 18", True), ("v >= 23999 mV", True), ("v != 24 V", False), ("a.speed*2 > 23 m/s", True)):
            self.assertEqual(self.judged(text), holds, text)

    def test_what_is_wrong_is_refused(self):
        for text in ("v > 10 A", "v > a.speed", "v >", "v", "v > 1 V extra", "> 3", "v > (1 V", "v*i < 20 W", "", "v = 3", "2 V*x > 3"):
            with self.assertRaises(takt.PlantError, msg=text):
                self.judged(text)

    def test_nothing_that_is_no_number_holds(self):
        self.assertFalse(Condition("v > 1 V or v <= 1 V", UNITS.__getitem__).holds({"v": float("nan")}))


class Import(unittest.TestCase):
    def test_it_does_not_bring_what_is_optional(self):
        code = "import sys, takt; print([name for name in ('pandas', 'asammdf', 'pytest') if name in sys.modules])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGE)
        self.assertEqual((done.stdout.strip(), done.stderr), ("[]", ""))


if __name__ == "__main__":
    main()
