#!/usr/bin/env python3
"""Runs on another machine, an sshd of the test's own: as here, and nothing of them stays there, however they end.

    board_test.py TAKT WORK"""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from common import PATIENCE, RC, WORK, main

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from fit_boards import Board, left, missing  # noqa: E402

import takt  # noqa: E402

if missing():
    print(f"skipped: {missing()} is missing (tools/install_packages.sh test)")
    sys.exit(77)
SCENARIO = '[scenario]\ntitle = "It follows"\n[[step]]\nexpect = "electric.smooth.v > 6 V"\nwithin = "20 ms"\n'
WITH_FMU = """
[plant]
duration = "100 ms"
[solid]
wall = { is = "wall", m = "2 g", cp = "1000 J/kg/K", start = { t = "320 K" } }
loss = { is = "thermal_resistance", at = ["wall", "room"], r = "0.2 K/W" }
room = { is = "temperature_boundary", t = "290 K" }
[fmu]
filter = { file = "rc.fmu", step = "1 ms", inputs = { offset = "1 V*(solid.wall.t - 300 K)/20 K" }, outputs = { v = "electric.smooth.v" } }
[record]
"2 ms" = ["fmu.*", "solid.wall.t"]
"""
OWNER = """
import sys, time, takt
run = takt.Plant(sys.argv[1], build_directory=sys.argv[2]).run(pace="real", late="any", duration="1000 s", host=sys.argv[3], out=sys.argv[4]).start()
run.wait_until("electric.source.v > 9 V")
print("runs", flush=True)
time.sleep(1000)
"""


def rc(**options):
    return takt.Plant(RC, build_directory=WORK / "rc", **options)


class There(unittest.TestCase):
    def setUp(self):
        self.board = Board(WORK / "ssh")
        self.addCleanup(self.board.close)
        os.environ.update(self.board.client())

    def assert_nothing_runs(self):
        until = time.monotonic() + PATIENCE
        while left(str(self.board.temporary)) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(left(str(self.board.temporary)), [])

    def assert_nothing_stays(self, folders=0):
        until = time.monotonic() + PATIENCE
        while (left(str(self.board.temporary)) or len(list(self.board.temporary.iterdir())) > folders) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual((left(str(self.board.temporary)), len(list(self.board.temporary.iterdir()))), ([], folders))

    def play(self, out, **options):
        with rc(set={"amplitude": "12 V"}).run(duration="200 ms", out=WORK / out, **options) as run:
            seen = run.wait_until("electric.source.v > 11 V", "50 ms", then={"offset": "2 V"})
            with run.inject("electric.smooth", "aged"):
                table = run.capture(["electric.*"], "50 ms")
            return seen.time_ns, table.values.tolist(), run.finish()

    def test_a_run_there_is_one_of_here(self):
        *here, results = self.play("here")
        *there, fetched = self.play("there", host=self.board.address)
        self.assertEqual(here, there)
        self.assertEqual((results.digest, results.outcome), (fetched.digest, fetched.outcome))
        # takt run has the plant's file here and draws its network; the executable that went to the board has neither.
        here = {path.name for path in results.directory.iterdir()} - {"network.html"}
        self.assertEqual(here, {path.name for path in fetched.directory.iterdir()})
        self.assertEqual(results.table().values.tolist(), fetched.table().values.tolist())
        self.assert_nothing_stays()

    def test_fmus_of_a_plant_go_there(self):
        rc().export_fmu(WORK / "rc.fmu", version=2)
        (WORK / "with_fmu.toml").write_text(WITH_FMU)
        plant = takt.Plant(WORK / "with_fmu.toml", build_directory=WORK / "with_fmu")
        digests = []
        for out, options in (("fmu_here", {}), ("fmu_there", {"host": self.board.address})):
            with plant.run(lock_step=False, out=WORK / out, **options) as run:
                digests.append(run.finish().digest)
        self.assertEqual(digests[0], digests[1])
        self.assert_nothing_stays()

    def test_files_that_options_name_go_there(self):
        (WORK / "follows.toml").write_text(SCENARIO)
        with rc().run(host=self.board.address, scenario=WORK / "follows.toml", lock_step=False, out=WORK / "judged") as run:
            self.assertEqual(run.finish().summary["scenario"]["verdict"], "passed")
        self.assert_nothing_stays()

    def test_in_real_time_and_stopped_in_order(self):
        with rc().run(host=self.board.address, pace="real", late="any", duration="1000 s", out=WORK / "real") as run:
            run.wait_until("electric.source.v > 9 V")
            self.assertGreater(run.stop().summary["simulated_s"], 0.0)
        self.assert_nothing_stays()
        with self.assertRaises(takt.Interrupted), rc().run(host=self.board.address, pace="real", late="any", duration="1000 s", out=WORK / "ended") as run:
            run.wait_until("electric.source.v > 9 V")
            run._child.terminate()
            run.finish()
        self.assertEqual(takt.read(WORK / "ended").outcome, "interrupted")
        self.assert_nothing_stays()

    def test_where_the_connection_is_lost_it_ends_in_order(self):
        with self.assertRaises(takt.TaktError) as caught, rc().run(host=self.board.address, pace="real", late="any", duration="1000 s", out=WORK / "lost") as run:
            run.wait_until("electric.source.v > 9 V")
            self.board.disconnect()
            run.wait_until("electric.source.v > 1000 V", "900 s")
        self.assertNotIsInstance(caught.exception, takt.WaitTimeout)
        self.assert_nothing_stays(folders=1)
        (kept,) = self.board.temporary.glob("*/run")
        self.assertEqual(takt.read(kept).outcome, "interrupted")

    def test_where_python_is_killed_it_ends_in_order(self):
        command = [sys.executable, "-c", OWNER, RC, WORK / "rc", self.board.address, WORK / "owned"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "runs\n")
            process.send_signal(signal.SIGKILL)
        self.assert_nothing_runs()
        # Its guard waits 5 s for what the run has left to come; of a slow machine it stays where it is.
        there = [path for path in self.board.temporary.glob("*/run/summary.json") if path.stat().st_size > 0]
        until = time.monotonic() + PATIENCE
        while not there and left(str(WORK / "owned")) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(takt.read(there[0].parent if there else WORK / "owned").outcome, "interrupted")

    def test_a_plant_that_is_killed_there_is_told_as_one(self):
        with self.assertRaisesRegex(takt.RunEnded, "SIGKILL"), rc().run(host=self.board.address, pace="real", late="any", duration="1000 s", out=WORK / "killed") as run:
            run.wait_until("electric.source.v > 9 V")
            for pid in left(str(self.board.temporary)):
                if "plant" in pathlib.Path(f"/proc/{pid}/comm").read_text():
                    os.kill(pid, signal.SIGKILL)
            run.wait_until("electric.source.v > 1000 V", "900 s")
        self.assert_nothing_stays()

    def started(self, out):
        """A run that knows nothing of ssh, as somebody started it at the board."""
        run = rc().run(pace="real", late="any", duration="1000 s", out=WORK / out).start()
        self.addCleanup(self.end, run)
        return run

    def end(self, run):
        with contextlib.suppress(takt.TaktError):
            run.__exit__(None, None, None)
        until = time.monotonic() + PATIENCE
        while left("/proc/$p ]; do case") and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(left("/proc/$p ]; do case"), [], "what watches the plant there stays")

    def test_a_run_there_that_somebody_started(self):
        own = self.started("by_somebody")
        with takt.attach(own.directory, host=self.board.address, out=WORK / "unused") as run:
            self.assertEqual(run.pid, own.pid)
            run["offset"] = "2 V"
            run.wait_until("electric.source.v > 11.5 V")
            with run.inject("electric.smooth", "aged"):
                self.assertEqual(len(run.capture(["electric.*"], "50 ms").values), 50)
            self.assertFalse(run.is_over)
        own.wait_until("electric.source.v > 11.5 V")  # it goes on, with what was done to it
        self.assertFalse((WORK / "unused").exists())
        self.assert_nothing_stays()
        results = takt.attach(own.directory, host=self.board.address, out=WORK / "fetched").stop()
        self.assertEqual(results.directory, WORK / "fetched")
        kept = takt.read(own.directory)
        self.assertEqual((results.digest, results.outcome), (kept.digest, kept.outcome))
        self.assertEqual(results.table().values.tolist(), kept.table().values.tolist())
        self.assertEqual({path.name for path in results.directory.iterdir()}, {path.name for path in kept.directory.iterdir() if path.is_file()})
        with self.assertRaisesRegex(takt.PlantError, "has ended"):
            takt.attach(own.directory, host=self.board.address)
        self.assert_nothing_stays()

    def test_a_run_there_that_is_killed_or_out_of_reach(self):
        own = self.started("goes_on")
        run = takt.attach(own.directory, host=self.board.address)
        self.board.disconnect()
        with self.assertRaisesRegex(takt.TapLost, "goes on"):
            run.status()
        run.close()
        own.wait_until("electric.source.v > 9 V")
        run = takt.attach(own.directory, host=self.board.address)
        os.kill(own.pid, signal.SIGKILL)
        with self.assertRaisesRegex(takt.RunEnded, "killed"):
            run.wait_until("electric.source.v > 1000 V", "900 s")
        self.assertTrue(run.is_over)
        run.close()
        with self.assertRaises(takt.PlantError):
            takt.attach("no_such_run", host=self.board.address)
        with self.assertRaises(takt.PlantError):
            takt.attach(own.directory, host="-V")
        with self.assertRaises(takt.PlantError):
            takt.attach(own.directory, out=WORK / "here")

    def test_a_machine_that_is_not_there(self):
        for host in ("ssh://root@127.0.0.1:1", "-V", ""):
            with self.subTest(host), self.assertRaises(takt.PlantError) as caught:
                rc().run(host=host, out=WORK / "nowhere")
            self.assertIn(host, str(caught.exception))


if __name__ == "__main__":
    main()
