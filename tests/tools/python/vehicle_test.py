#!/usr/bin/env python3
"""ev_drift.py, a test as a team would write it: with its ECU it passes, with the sign of the fault changed it fails with a picture, and
what came over the bus, replayed, gives the same digest each time.

    vehicle_test.py TAKT WORK"""
import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

from common import ROOT, WORK, main

import takt

TEXT = pathlib.Path(__file__).with_name("ev_drift.py").read_text()
REPLAYS = 20


@unittest.skipUnless(all(map(importlib.util.find_spec, ("pytest", "can", "cantools", "pandas"))), "no pytest, python-can or cantools")
class Vehicle(unittest.TestCase):
    def pytest(self, name, text):
        """-> exit code, output"""
        folder = WORK / name
        folder.mkdir()
        (folder / "config").symlink_to(ROOT / "config")
        (folder / "test_drift.py").write_text(text)
        command = [sys.executable, "-m", "pytest", "-p", "takt.pytest_plugin", "-p", "no:cacheprovider", "-q", "test_drift.py", f"--basetemp={folder}/tmp"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_the_fan_comes_on_and_a_replay_gives_the_same(self):
        self.assertLessEqual(len(TEXT.splitlines()), 25)
        code, text = self.pytest("drifts", TEXT)
        self.assertEqual(code, 0, text)
        self.assertIn("solid.pack[0].core.t", (WORK / "drifts/drift.svg").read_text())
        recorded = next((WORK / "drifts/tmp").glob("*/ev-1/summary.json")).parent
        plant = takt.Plant(ROOT / "config/plants/ev", rig=ROOT / "config/rigs/ev.toml")
        digests = {takt.read(recorded).digest}
        for number in range(REPLAYS):
            with plant.run(lock_step=False, replay=recorded, out=WORK / f"replay-{number}") as run:
                digests.add(run.finish().digest)
        self.assertEqual(len(digests), 1, digests)

    def test_a_fault_of_the_other_sign_fails_with_a_picture(self):
        code, text = self.pytest("other", TEXT.replace("drift 1 K/s", "drift -1 K/s"))
        self.assertEqual(code, 1, text)
        self.assertIn("WaitTimeout", text)
        picture = re.search(r"picture of its last 5 s: (\S+)", text)[1]
        self.assertIn("solid.pack[0].core.t", pathlib.Path(picture).read_text())
        self.assertIn("not recorded, so not in it: fan_duty", text)


if __name__ == "__main__":
    main()
