#!/usr/bin/env python3
"""The package as others get it: a wheel, built without a network and installed into a new environment; types and style of its sources.

    package_test.py TAKT WORK"""
import importlib.util
import os
import subprocess
import sys
import textwrap
import unittest
import zipfile

from common import PACKAGE, RC, TAKT, WORK, main

USE = '''
import pathlib

import takt

WORK = pathlib.Path(__file__).parent


def charge(plant: takt.Plant) -> float:
    with plant.run(duration="100 ms", out=WORK / "typed") as run:
        run["offset"] = "10 V"
        seen: takt.Row = run.wait_until("electric.smooth.v > 8 V", timeout="50 ms")
        table: takt.Table = run.capture(["electric.*"], "10 ms")
    return seen.time_s + float(table["electric.smooth.v"][-1])
'''


def has(name):
    return importlib.util.find_spec(name) is not None


class Wheel(unittest.TestCase):
    @unittest.skipUnless(has("hatchling"), "no hatchling")
    def test_it_is_built_and_runs_in_a_new_environment(self):
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", WORK / "dist"], cwd=PACKAGE, check=True, capture_output=True)
        (wheel,) = (WORK / "dist").glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            self.assertIn("takt/py.typed", names)
            self.assertIn("[pytest11]", archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode())
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        new = WORK / "new/bin/python"
        subprocess.run([sys.executable, "-m", "venv", WORK / "new"], check=True, env=environment)
        subprocess.run([new, "-m", "pip", "-q", "--disable-pip-version-check", "install", "--no-index", "--no-deps", wheel], check=True, env=environment)
        import numpy
        (WORK / "numpy").mkdir()  # the wheel of numpy that is installed here, in place of a download
        for folder in ("numpy", "numpy.libs"):
            beside = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), folder)
            if os.path.isdir(beside):
                os.symlink(beside, WORK / "numpy" / folder)
        code = textwrap.dedent("""
            import sys, takt
            with takt.Plant(sys.argv[1], takt=sys.argv[2]).run(duration="20 ms") as run:
                run.advance("10 ms")
            print(takt.__file__, run.results.outcome)""")
        done = subprocess.run([new, "-c", code, RC, TAKT], capture_output=True, text=True, cwd=WORK, env={**environment, "PYTHONPATH": str(WORK / "numpy")})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(str(WORK / "new/lib"), done.stdout)
        self.assertIn("interrupted", done.stdout)


class Sources(unittest.TestCase):
    @unittest.skipUnless(has("mypy"), "no mypy")
    def test_types_are_right_of_the_package_and_of_what_uses_it(self):
        (WORK / "use.py").write_text(USE)
        for file in (PACKAGE / "takt", WORK / "use.py"):
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", PACKAGE / "pyproject.toml", "--cache-dir", WORK / "mypy", file],
                                  capture_output=True, text=True, cwd=WORK, env={**os.environ, "MYPYPATH": str(PACKAGE)})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(has("ruff"), "no ruff")
    def test_style(self):
        for command in (["check"], ["format", "--check"]):
            done = subprocess.run([sys.executable, "-m", "ruff", *command, "--no-cache", PACKAGE], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_no_file_is_longer_than_400_lines(self):
        long = [file.name for file in PACKAGE.rglob("*.py") if len(file.read_text().splitlines()) > 400]
        self.assertEqual(long, [])


if __name__ == "__main__":
    main()
