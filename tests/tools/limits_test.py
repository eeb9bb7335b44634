#!/usr/bin/env python3
"""limits_test.py TAKT SOURCE_DIR   inputs larger, deeper or stranger than anybody writes: refused by name, or done in reasonable time; never a crash, never for ever."""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

TAKT, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
CPU_S = 200  # where the work grew with the square of the size these plants took an hour
CIRCUIT = '[plant]\nduration = "10 ms"\n[electric]\ns = { is = "voltage_source", at = ["a", "gnd"], v = "1 V" }\nr = { is = "resistor", at = ["a", "b"], r = "%s" }\n' \
          'c = { is = "capacitor", at = ["b", "gnd"], c = "1 uF" }\n'


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def check(self, text, *arguments):
        (self.folder / "plant.toml").write_text(text)
        limits = lambda: (resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S)), resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        return subprocess.run([TAKT, "check", "plant.toml", *arguments], cwd=self.folder, capture_output=True, text=True, preexec_fn=limits)

    def refused(self, text, said, code=1):
        result = self.check(text)
        self.assertEqual(result.returncode, code, result.stderr[-2000:])
        self.assertIn(said, result.stderr)

    def accepted(self, text, *arguments):
        result = self.check(text, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        return result.stdout

    def test_parts_nested_without_end(self):
        parts = "".join(f'[part.p{k}.parts]\ny = {{ of = "p{k + 1}" }}\n' for k in range(8000))
        self.refused(CIRCUIT % "1 Ohm" + '[parts]\nx = { of = "p0" }\n' + parts + '[part.p8000.electric]\nr = { is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }\n',
                     "parts nest more than 100 deep")

    def test_keys_of_very_many_parts(self):
        for key in (".".join(["a"] * 32000), '"a" . ' * 32000 + "a", "[" + ".".join(["a"] * 32000) + "]\nb", "b = { " + ".".join(["a"] * 32000)):
            self.refused(key + " = 1\n", "error[M001]: a key has more than 16 parts")
        self.refused("a = " + "{ a = " * 8000 + "1" + "}" * 8000, "error[M001]")
        self.accepted(CIRCUIT % "1 Ohm" + "# " + "a." * 100 + '\n[parameters]\nx = "1 Ohm"  # ' + "." * 100 + "\n")
        self.accepted('[plant]\ntitle = "' + "a." * 100 + '"\n' + (CIRCUIT % "1 Ohm").removeprefix("[plant]\n"))

    def test_tables_that_are_no_files(self):
        os.mkfifo(self.folder / "pipe.csv")
        (self.folder / "folder.csv").mkdir()
        with open(self.folder / "huge.csv", "wb") as huge:
            huge.truncate(1 << 40)
        for name, said in (("pipe.csv", "it is not a regular file"), ("/dev/zero", "it is not a regular file"), ("folder.csv", "it is not a regular file"), ("huge.csv", "it has more than 1 GiB"),
                           ("missing.csv", "No such file")):
            self.refused('[plant]\nduration = "1 s"\n[parameters]\n[rotational]\nm = { is = "torque_source", at = ["a"], torque = { csv = "%s", x = "x", y = "y", of = "time" } }\n'
                         'j = { is = "inertia", at = ["a"], j = "1 kg*m^2" }\n' % name, f"cannot read the table '{name}': {said}")

    def test_operating_range_and_rig_that_are_no_files(self):
        os.mkfifo(self.folder / "pipe")
        for option in ("--operating", "--rig", "--solve"):
            (self.folder / "plant.toml").write_text(CIRCUIT % "1 Ohm")
            result = subprocess.run([TAKT, "check", "plant.toml", option, "pipe"], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 2)

    def test_parameters_in_a_long_chain(self):
        parameters = '[parameters]\np0 = "1 Ohm"\n' + "".join(f'p{k} = "p{k - 1} + 1e-6 Ohm"\n' for k in range(1, 50_000))
        sources = self.accepted(parameters + CIRCUIT % "p49999", "--show", "sources")
        self.assertLess(len(sources), 50_000_000)

    def test_parameters_in_a_chain_deeper_than_a_usual_stack(self):
        parameters = '[parameters]\np0 = "1 Ohm"\n' + "".join(f'p{k} = "p{k - 1} + 1e-9 Ohm"\n' for k in range(1, 300_000))
        self.accepted(parameters + CIRCUIT % "p299999", "--show", "sources")

    def test_limits_of_a_chain_hold_in_the_built_plant(self):
        chain = '[parameters]\np0 = "1 kOhm"\n' + "".join(f'p{k} = "p{k - 1}*1.0001 + 1e-6 Ohm"\n' for k in range(1, 200))
        (self.folder / "plant.toml").write_text(CIRCUIT % "p199" + chain + '[solve]\nelectric = { step = "10 us", method = "rk4" }\n')
        subprocess.run([TAKT, "build", "plant.toml", "--out", "build"], cwd=self.folder, capture_output=True, check=True)
        (plant,) = (found for found in (self.folder / "build/bin").iterdir() if found.is_file() and os.access(found, os.X_OK))
        run = lambda value: subprocess.run([plant, "--set", f"p0={value}", "--no-results", "--for", "10 ms"], capture_output=True, text=True)
        self.assertEqual(run("2e3").returncode, 0)
        for value, first in (("9.95e299", "p51"), ("9.9999e299", "p1")):  # 1e300 is reached after so many factors
            result = run(value)
            self.assertEqual((result.returncode, result.stderr.split(": ")[-1]), (2, f"{first} is not a finite number\n"))

    def test_very_many_sync_groups(self):
        count = 6000
        text = '[plant]\nduration = "10 ms"\n[electric]\n'
        for k in range(count):
            text += (f's{k} = {{ is = "voltage_source", at = ["a{k}", "gnd"], v = "1 V" }}\nr{k} = {{ is = "resistor", at = ["a{k}", "b{k}"], r = "1 kOhm" }}\n'
                     f'c{k} = {{ is = "capacitor", at = ["b{k}", "gnd"], c = "1 uF" }}\n')
        text += "[sync]\n" + "".join(f'g{k} = {{ members = ["electric.c{k}"], every = "1 ms" }}\n' for k in range(count))
        text += "all = { members = [" + ", ".join(f'"g{k}"' for k in range(count)) + '], every = "10 ms" }\n'
        self.accepted(text)

    def test_groups_nested_without_end(self):
        text = CIRCUIT % "1 Ohm" + '[sync]\ng0 = { members = ["electric"], every = "1 ms" }\n'
        text += "".join(f'g{k} = {{ members = ["g{k - 1}"], every = "{k + 1} ms" }}\n' for k in range(1, 8000))
        self.refused(text, "error[S030]")


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()
