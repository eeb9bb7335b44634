#!/usr/bin/env python3
"""Every example of the manual's chapter on Python runs as it stands there, and every cell of its notebook.

    examples_test.py TAKT WORK"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import textwrap
import unittest

from common import ROOT, WORK, main

CHAPTER = ROOT / "config/manual/python.md"
NOTEBOOK = ROOT / "config/manual/python_tour.ipynb"
CELLS = """
import ast, sys
space = {{}}
for source in {sources!r}:
    *lines, last = ast.parse(source).body
    exec(compile(ast.Module(lines, []), "cell", "exec"), space)
    shown = None
    if isinstance(last, ast.Expr):
        shown = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    else:
        exec(compile(ast.Module([last], []), "cell", "exec"), space)
    for form in ("_repr_html_", "_repr_svg_", "__repr__"):
        if shown is not None and hasattr(shown, form):
            print(form, len(getattr(shown, form)()))
            break
"""


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
        return done.stdout

    def test_scripts(self):
        scripts = [block for block in blocks() if "def test_" not in block]
        self.assertEqual(len(scripts), 5)
        for number, code in enumerate(scripts):
            with self.subTest(code=code):
                self.run_in(self.folder(f"script_{number}", code), "test_example.py")

    @unittest.skipUnless(has("pandas"), "no pandas")
    def test_the_notebook(self):
        """As a notebook would: each cell after the one before, what its last line gives is shown."""
        cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
        self.assertEqual([cell["outputs"] for cell in cells], [[]] * len(cells))
        sources = ["".join(cell["source"]) for cell in cells]
        shown = self.run_in(self.folder("notebook", CELLS.format(sources=sources)), "test_example.py").split()
        forms = dict.fromkeys(shown[::2], 0)
        self.assertEqual((set(forms), len(shown) // 2), ({"_repr_html_", "_repr_svg_", "__repr__"}, 7))
        self.assertTrue(all(int(size) > 30 for size in shown[1::2]), shown)

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
