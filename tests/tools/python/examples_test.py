#!/usr/bin/env python3
"""Every example of the manual's chapter on Python runs as it stands there.

    examples_test.py TAKT WORK"""
import importlib.util
import os
import re
import subprocess
import sys
import textwrap
import unittest

from common import ROOT, WORK, main

CHAPTER = ROOT / "config/manual/python.md"


def has(*names):
    return all(importlib.util.find_spec(name) for name in names)


def blocks():
    """Indented blocks, lines of the chapter that belong together."""
    text = re.sub(r"\n\n(?=    )", "\n    \n", CHAPTER.read_text())
    found = [textwrap.dedent(block) for block in re.findall(r"(?m)(?:^ {4}.*\n)+", text)]
    return [block for block in found if "import" in block or "def " in block]


class Examples(unittest.TestCase):
    def folder(self, name, code):
        folder = WORK / name
        folder.mkdir()
        (folder / "config").symlink_to(ROOT / "config")
        (folder / "test_example.py").write_text(code)
        return folder

    def run_in(self, folder, *command):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        done = subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_scripts(self):
        scripts = [block for block in blocks() if "def test_" not in block]
        self.assertEqual(len(scripts), 5)
        for number, code in enumerate(scripts):
            with self.subTest(code=code):
                self.run_in(self.folder(f"script_{number}", code), "test_example.py")

    @unittest.skipUnless(has("pytest", "can", "cantools"), "no pytest, python-can or cantools")
    def test_tests(self):
        tests = [block for block in blocks() if "def test_" in block]
        self.assertEqual(len(tests), 2)
        for number, code in enumerate(tests):
            with self.subTest(code=code):
                folder = self.folder(f"test_{number}", code)
                self.run_in(folder, "-m", "pytest", "-q", "-p", "takt.pytest_plugin", "-p", "no:cacheprovider", "--rootdir", folder,
                            f"--basetemp={folder}/tmp", "test_example.py")


if __name__ == "__main__":
    main()
