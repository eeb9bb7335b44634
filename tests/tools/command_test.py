#!/usr/bin/env python3
"""command_test.py TAKT SOURCE_DIR   the takt command as a user meets it: help, exit codes, explain, check --json."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

TAKT = sys.argv[1]
SOURCE = pathlib.Path(sys.argv[2])
PLANTS = sorted((SOURCE / "config/plants").glob("*/plant.toml"))


def takt(*arguments):
    return subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def commands():
    listing = takt("--help").stdout.split("commands:")[1].split("`takt COMMAND")[0]
    return re.findall(r"^  (\w+)", listing, re.MULTILINE)


class Dispatch(unittest.TestCase):
    def test_without_a_command_is_a_usage_error(self):
        self.assertEqual(takt().returncode, 2)

    def test_unknown_command_is_a_usage_error(self):
        result = takt("simulate")
        self.assertEqual(result.returncode, 2)
        self.assertIn("unknown command 'simulate'", result.stderr)

    def test_every_command_has_help_with_an_example(self):
        self.assertGreaterEqual(len(commands()), 3)
        for name in commands():
            with self.subTest(command=name):
                result = takt(name, "--help")
                self.assertEqual(result.returncode, 0)
                self.assertRegex(result.stdout, rf"(?i)example[s]?:\s+.*takt {name}")

    def test_unknown_option_is_a_usage_error_everywhere(self):
        for name in commands():
            with self.subTest(command=name):
                self.assertEqual(takt(name, "--no-such-option").returncode, 2)


class Output(unittest.TestCase):
    def test_what_cannot_be_printed_fails_and_says_so(self):
        rc = SOURCE / "config/plants/rc"
        for arguments in (["--help"], ["--version"], ["check", rc], ["check", rc, "--json"], ["check", rc, "--show", "sources"], ["explain", "resistor"], ["explain", "--help"], ["host"]):
            for target in ("/dev/full", None):
                with self.subTest(arguments=arguments, target=target), open(target or "/dev/null", "w") as out:
                    closed = None if target else lambda: os.close(1)
                    result = subprocess.run([TAKT, *map(str, arguments)], stdout=out, stderr=subprocess.PIPE, text=True, timeout=120, preexec_fn=closed)
                    self.assertEqual(result.returncode, 1)
                    self.assertRegex(result.stderr, "cannot write to (standard output|file): (No space left on device|Bad file descriptor)")


class Explain(unittest.TestCase):
    def test_every_listed_entry_can_be_explained(self):
        lines = takt("explain", "--list").stdout.splitlines()
        names = [line.split()[0] for line in lines if line.strip()]
        self.assertGreater(len(names), 50)
        for name in names:
            with self.subTest(name=name):
                result = takt("explain", name)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertGreater(len(result.stdout), len(name) + 20)

    def test_switched_element_tells_gates_modes_and_energies_at_edges(self):
        text = takt("explain", "mosfet").stdout
        self.assertRegex(text, r"(?m)^  gate +gate$")
        self.assertRegex(text, r"(?m)^  body_on +1 +on where .* > 0$")
        self.assertRegex(text, r"(?m)^  switching +J +where gate turns on: .*before\.v")
        self.assertIn('gate = "control.pwm.high"', text)
        self.assertRegex(takt("explain", "diode_exponential").stdout, r"(?m)^  s +V +next = ")

    def test_gate_block_tells_its_words_and_needs_no_period(self):
        text = takt("explain", "pwm_leg").stdout
        self.assertRegex(text, r"(?m)^  carrier +text +one of triangle \| sawtooth, default triangle$")
        self.assertNotIn("every =", text)
        self.assertRegex(text, r"(?m)^  high +1$")

    def test_element_tells_parameters_with_units_and_laws(self):
        text = takt("explain", "resistor").stdout
        self.assertRegex(text, r"r\s+Ohm\s+> 0")
        self.assertIn("v = ", text)

    def test_medium_tells_its_properties(self):
        text = takt("explain", "water").stdout
        self.assertRegex(text, r"(?m)^  cp +J/kg/K +heat capacity: 4186 J/kg/K$")
        self.assertIn('[fluid]\nmedium = "water"', text)
        self.assertRegex(takt("explain", "medium.air").stdout, r"(?m)^  r +J/kg/K +gas constant: ")
        self.assertIn("water", takt("explain", "watr").stderr)

    def test_misspelt_element_gets_a_proposal(self):
        result = takt("explain", "resistr")
        self.assertEqual(result.returncode, 2)
        self.assertIn("resistor", result.stderr)

    def test_unknown_code(self):
        self.assertEqual(takt("explain", "Z999").returncode, 2)


class Check(unittest.TestCase):
    def test_plants_of_the_project_are_accepted(self):
        self.assertTrue(PLANTS)
        for plant in PLANTS:
            with self.subTest(plant=plant.parent.name):
                result = takt("check", plant)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_json_has_what_machines_need(self):
        for plant in PLANTS:
            with self.subTest(plant=plant.parent.name):
                report = json.loads(takt("check", plant, "--json").stdout)
                self.assertTrue(report["ok"])
                self.assertGreater(report["equations"], 0)
                for circuit in report["circuits"]:
                    self.assertEqual(circuit["equations"], circuit["differential"] + circuit["algebraic"])
                    self.assertIn(circuit["index"], (0, 1, 2))
                    self.assertTrue(circuit["cause"] if circuit["index"] == 2 else not circuit["cause"])
                self.assertEqual(sorted(report["order"]), sorted(s["name"] for s in report["subsystems"]))
                for coupling in report["couplings"]:
                    self.assertIn(coupling["kind"], ("potential", "flux"))

    def test_plant_in_the_working_directory_has_the_folder_s_name(self):
        for name in (".", "./plant.toml", "plant.toml"):
            with self.subTest(argument=name):
                result = subprocess.run([TAKT, "check", name, "--json"], cwd=PLANTS[0].parent, capture_output=True, text=True)
                self.assertEqual(json.loads(result.stdout)["model"], PLANTS[0].parent.name)

    def test_every_stage_can_be_shown(self):
        for stage in ("network", "tree", "dae", "plan", "sources"):
            with self.subTest(stage=stage):
                result = takt("check", PLANTS[0], "--show", stage)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertGreater(len(result.stdout.splitlines()), 3)

    def test_missing_file_is_a_usage_error(self):
        self.assertEqual(takt("check", "no_such_plant.toml").returncode, 2)

    def test_wrong_plant_is_refused_with_a_place_and_a_code(self):
        plant = pathlib.Path(self.id().replace(".", "_") + ".toml")
        plant.write_text('[plant]\ntitle = "wrong"\n[electric]\nr = { is = "resistr", at = ["a", "gnd"], r = "1 Ohm" }\n')
        self.addCleanup(plant.unlink)
        result = takt("check", plant)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"\.toml:4:\d+: error\[[A-Z]\d{3}\]")
        report = json.loads(takt("check", plant, "--json").stdout)
        self.assertFalse(report["ok"])
        finding = report["findings"][0]
        self.assertEqual((finding["severity"], finding["line"]), ("error", 4))
        self.assertIn("resistor", finding["hint"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
