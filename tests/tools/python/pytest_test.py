#!/usr/bin/env python3
"""The pytest plug-in: its fixtures, scenarios as tests, what a failed test leaves, two workers with nothing in common.

    pytest_test.py TAKT WORK"""
import os
import re
import subprocess
import sys
import textwrap
import unittest

from common import ROOT, WORK, main

try:
    import pytest  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (tools/install_packages.sh python)")
    sys.exit(77)
try:
    import xdist  # noqa: F401
    WORKERS = True
except ImportError:
    WORKERS = False

TESTS = """
def test_charges(takt_plant, takt_run):
    run = takt_run(takt_plant("config/plants/rc"), duration="1 s")
    run["offset"] = "20 V"
    run.wait_until("electric.smooth.v > 15 V", timeout="50 ms")

def test_never(takt_plant, takt_run):
    run = takt_run(takt_plant("config/plants/rc"), duration="1 s")
    run.advance("30 ms")
    assert run["electric.smooth.v"] > 1000

def test_pace(takt_plant, takt_run, request):
    run = takt_run(takt_plant("config/plants/rc"), duration="1 s", late="any")
    assert run.paced == (request.config.getoption("--takt-pace") == "real")

def test_a_run_that_is_refused_later_fails(takt_plant, takt_run):
    run = takt_run(takt_plant("config/plants/rc"), duration="1 s")
    run.inject("electric.load", "short")
    run.finish()
"""
SCENARIO = """[scenario]
title = "The filter follows"
[[step]]
expect = "electric.smooth.v > {limit} V"
within = "20 ms"
"""


class Plugin(unittest.TestCase):
    def folder(self, name, **files):
        folder = WORK / name
        folder.mkdir()
        (folder / "config").symlink_to(ROOT / "config")
        (folder / "pytest.ini").write_text("[pytest]\nnorecursedirs = config\ntakt_plant = config/plants/rc\n")
        for file, text in files.items():
            (folder / file.replace("_toml", ".scenario.toml").replace("_py", ".py")).write_text(textwrap.dedent(text))
        return folder

    def pytest(self, folder, *options):
        """-> exit code, output"""
        command = [sys.executable, "-m", "pytest", "-p", "takt.pytest_plugin", "-p", "no:cacheprovider", "-rA", "-v", f"--basetemp={folder}/tmp", *options]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout + done.stderr

    def verdicts(self, text):
        return {name: verdict for verdict, name in re.findall(r"^(PASSED|FAILED|ERROR) \S+::(\S+)", text, re.M)}

    def test_fixtures_and_what_a_failure_leaves(self):
        folder = self.folder("fixtures", test_rc_py=TESTS)
        code, text = self.pytest(folder)
        self.assertEqual((code, self.verdicts(text)), (1, {"test_charges": "PASSED", "test_never": "FAILED", "test_pace": "PASSED",
                                                           "test_a_run_that_is_refused_later_fails": "FAILED"}), text)
        picture = re.search(r"picture of its last 5 s: (\S+)", text)[1]
        with open(picture) as file:
            self.assertIn("electric.smooth.v [V]", file.read())
        self.assertIn("run directory: ", text)
        self.assertIn("X021", text)

    def test_the_pace_is_that_of_the_command_line(self):
        folder = self.folder("pace", test_rc_py=TESTS)
        code, text = self.pytest(folder, "--takt-pace", "real", "-k", "test_pace")
        self.assertEqual((code, self.verdicts(text)), (0, {"test_pace": "PASSED"}), text)

    def test_scenarios_are_tests(self):
        folder = self.folder("scenarios", holds_toml=SCENARIO.format(limit=6), fails_toml=SCENARIO.format(limit=600))
        code, text = self.pytest(folder)
        self.assertEqual((code, self.verdicts(text)), (1, {"holds": "PASSED", "fails": "FAILED"}), text)
        self.assertRegex(text, "(?m)^failed: .*electric.smooth.v > 600 V")

    @unittest.skipUnless(WORKERS, "no pytest-xdist")
    def test_two_workers_have_nothing_in_common(self):
        one = '''
        import pathlib, time
        def test_together(takt_plant, takt_run, takt_port, tmp_path):
            here = pathlib.Path(__file__).parent
            mine, other = here / "at_{mine}", here / "at_{other}"
            run = takt_run(takt_plant("config/manual/your_ecu", rig="config/manual/your_ecu/rig.toml"), pace="real", duration="100 s",
                           buses={{"can0.port": takt_port()}})
            mine.write_text(str(run.directory))
            until = time.monotonic() + 60
            while not other.exists() and time.monotonic() < until:
                time.sleep(0.02)
            run.advance("50 ms")
            assert other.exists() and other.read_text() != str(run.directory)
        '''
        folder = self.folder("workers", test_a_py=one.format(mine="a", other="b"), test_b_py=one.format(mine="b", other="a"))
        code, text = self.pytest(folder, "-n", "2")
        self.assertEqual(code, 0, text)


if __name__ == "__main__":
    main()
