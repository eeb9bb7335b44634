#!/usr/bin/env python3
"""command_test.py TAKT SOURCE_DIR   the takt command as a user meets it: help, exit codes, explain, check --json."""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
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


class Words(unittest.TestCase):
    """What goes wrong is told in words: the file or option, what is wrong, how to mend it; never as the bare text of a library."""
    BARE = r"json\.exception|bad_alloc|filesystem error|std::|basic_string|vector::|what\(\)|stod|stoi|Resource temporarily|control characters other"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.rc = SOURCE / "config/plants/rc"
        for name, content in {"empty": b"", "binary": bytes(range(256)) * 8, "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1", "list.json": b"[1, 2]", "shape.json": b'{"format": 1, "outputs": 5, "failed": "x"}',
                              "deep.json": b"[" * 300_000, "README.md": b'# Title\n\nThis "is no TOML.\n', "one.csv": b"x\n"}.items():
            (self.folder / name).write_bytes(content)
        (self.folder / "folder").mkdir()
        self.files = [*sorted(self.folder.iterdir()), self.folder / "missing", pathlib.Path("/dev/full")]

    def told(self, codes, *arguments, words=""):
        with self.subTest(arguments=[str(a) for a in arguments]):
            result = takt(*arguments)
            text = result.stdout + result.stderr
            self.assertIn(result.returncode, codes, text[:500])
            self.assertNotRegex(text, self.BARE)
            self.assertRegex(text, words)
            self.assertLess(len(text), 5000)

    def test_wrong_kinds_of_files(self):
        commands = (["check", "F"], ["check", self.rc, "--rig", "F"], ["check", self.rc, "--solve", "F"], ["plan", "F"], ["reference", "F"], ["reference", self.rc, "--start", "F"], ["sweep", self.rc, "--points", "F", "--out", self.folder / "s"],
                    ["can", "replay", "F"], ["can", "stats", "F"], ["can", "encode", "--dbc", "F", "x"], ["fmu", "info", "F"], ["fmu", "check", "F"], ["fmu", "run", "F"], ["fmu", "export", "F", "--out", self.folder / "o.fmu"],
                    ["ssp", "import", "F", "--out", self.folder / "o"], ["tap", "F", "status"], ["top", "F"], ["fit", "--read", "F"], ["fit", "--compare", "F"], ["compare", "F", "F"], ["explain", "F"])
        for command in commands:
            for file in self.files:
                if file.name == "empty" and command[-2] in ("--rig", "--solve"):
                    continue  # neither has to say anything
                self.told((1, 2), *[file if word == "F" else word for word in command], words=re.escape(file.name))

    def test_a_pack_of_another_shape(self):
        for text in ("[" * 300_000, "[]", '{"format": 1}', '{"format": 2, "id": 5}', '{"format": 3, "id": "x", "variants": 5}'):
            pack = self.folder / "pack"
            (pack / "results").mkdir(parents=True, exist_ok=True)
            (pack / "pack.json").write_text(text)
            (pack / "results" / "board.txt").write_text("id=x\ndone=1\ncpus=0\n")
            (pack / "results" / "free.json").write_text('{"failed": "x"}')
            self.told((1,), "fit", "--read", pack, words="pack")

    def test_a_text_that_is_not_closed_is_told_where_it_begins(self):
        plant = self.folder / "unclosed.toml"
        for text, place, words in (('[plant]\ntitle = "rc\nduration = "1 s"\n', "2:9", "this text is not closed"), ("[plant]\ntitle = 'rc\n", "2:9", "this text is not closed"), ('[plant]\ntitle = """rc\n', "2:9", "several lines is not closed")):
            plant.write_text(text)
            self.told((1,), "check", plant, words=rf"unclosed\.toml:{place}: error\[M001\]: .*{words}")

    def test_misspelt_options_and_commands_are_named_with_what_was_meant(self):
        self.told((2,), "chek", words="unknown command 'chek'; did you mean \"check\"")
        self.told((2,), "--helpp", words="unknown option '--helpp'; did you mean \"--help\"")
        self.told((2,), "fmu", "inof", words="unknown command 'inof'; did you mean \"info\"")
        for command in (["check"], ["run"], ["plan"], ["fit"], ["bench"], ["compare"], ["reference"], ["fmu", "info"], ["ssp", "import"], ["can", "encode"], ["tap"], ["host"]):
            self.told((2,), *command, "--helpp", words='unknown option --helpp; did you mean "--help"')

    def test_what_is_no_number_is_no_limit(self):
        self.told((2,), "reference", self.rc, "--rtol", "nan", words="--rtol: nan is no finite number")
        self.told((2,), "can", "replay", self.folder / "empty", "--speed", "nan", words="--speed: nan is no finite number")

    def test_too_little_memory_is_told(self):
        result = subprocess.run([TAKT, "check", self.rc], capture_output=True, text=True, timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (60_000_000, 60_000_000)))
        if result.returncode >= 0 and result.returncode != 127:  # the loader itself found room
            self.assertNotRegex(result.stderr, self.BARE)


class OtherMachines(unittest.TestCase):
    """What is given as a machine is one, or never reaches ssh; and what reaches it stands behind `--`."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.heard = self.folder / "heard"
        ssh = self.folder / "ssh"
        ssh.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>{self.heard}\nexit 255\n')
        ssh.chmod(0o755)
        (self.folder / "rig.toml").write_text('[host.a]\ninterface = "lo"\n[host.b]\ninterface = "lo"\ncomputes = ["electric"]\nssh = "SSH"\n')
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        self.environment.pop("TAKT_SSH", None)

    def say(self, *arguments):
        return subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, timeout=300, env=self.environment)

    def test_what_is_no_machine_is_refused(self):
        rc, rig = SOURCE / "config/plants/rc", self.folder / "rig.toml"
        text = rig.read_text()
        for name in ("-V", "-oProxyCommand=touch x", "ssh://-V", "ssh://root@-V", "root@-V", "a b", "a;b", "$(id)", ""):
            for command in (["host", f"--on={name}"], ["fit", rc, f"--on={name}"], *([["host", "--on", name]] if name else [])):
                with self.subTest(command=command):
                    result = self.say(*command)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertRegex(result.stderr, r"--on.*(is no machine: .*user@machine|required)")
            if name:
                rig.write_text(text.replace("SSH", name))
                with self.subTest(rig=name):
                    result = self.say("check", rc, "--rig", rig)
                    self.assertEqual(result.returncode, 1)
                    self.assertRegex(result.stderr, r"rig\.toml:6:8: error\[B004\]: 'ssh' of \[host\.b\] is no machine")
        self.assertFalse(self.heard.exists(), "ssh was called")

    def test_a_machine_stands_behind_two_dashes(self):
        for command in (["host", "--on", "ssh://root@board:22"], ["fit", SOURCE / "config/plants/rc", "--on", "root@board"]):
            self.heard.unlink(missing_ok=True)
            result = self.say(*command)
            self.assertEqual(result.returncode, 1, result.stderr)
            words = self.heard.read_text().splitlines()
            self.assertEqual(words[words.index("--") + 1], command[-1])


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
        for stage in ("network", "tree", "dae", "plan", "sources", "fmu-cs", "fmu-me"):
            with self.subTest(stage=stage):
                result = takt("check", SOURCE / "config/plants/rc" if stage.startswith("fmu") else PLANTS[0], "--show", stage)
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
