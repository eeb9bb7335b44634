#!/usr/bin/env python3
"""Who dies while Python, a guard and a plant are at work: Python is told, and no plant stays behind that was not asked to.

    deaths_test.py TAKT WORK"""
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from common import PACKAGE, PATIENCE, RC, ROOT, WORK, main

import takt
from takt.session import is_alive

sys.path.insert(0, str(ROOT / "tests/end_to_end"))
from tap_client import processes_of  # noqa: E402

OWNER = """
import sys, threading, time
import takt
run = takt.Plant(sys.argv[1], build_directory=sys.argv[2]).run(duration="1000 s", out=sys.argv[3], **eval(sys.argv[4]))
def begin():  # by a thread that ends: the plant does not end with it
    run.start()
starter = threading.Thread(target=begin)
starter.start()
starter.join()
print(run.pid, run._child._guard.pid, flush=True)
if len(sys.argv) > 5:
    exec(sys.argv[5])
time.sleep(1000)
"""
REAL = {"pace": "real", "late": "any"}


def rc(**options):
    return takt.Plant(RC, build_directory=WORK / "rc").run(duration="1000 s", **options)


def gone(*pids):
    until = time.monotonic() + PATIENCE
    while any(is_alive(pid) for pid in pids):
        if time.monotonic() > until:
            return False
        time.sleep(0.005)
    return True


def later(seconds, act):
    timer = threading.Timer(seconds, act)
    timer.start()
    return timer


class ThePlantDies(unittest.TestCase):
    def test_a_wait_ends_with_what_has_killed_it(self):
        for options in ({}, {"lock_step": False}, REAL):
            with self.subTest(**options), self.assertRaises(takt.RunEnded) as caught, rc(**options) as run:
                pid, directory = run.pid, run.directory
                run.inject("electric.smooth", "aged")
                later(0.1, lambda pid=pid: os.kill(pid, signal.SIGKILL))
                run.wait_until("electric.smooth.v > 1000 V", "900 s")
            self.assertIn("SIGKILL", str(caught.exception))
            self.assertEqual((caught.exception.exit_code, caught.exception.run_directory), (-signal.SIGKILL, directory))
            self.assertIn("aged", "".join(event.text for event in caught.exception.events))

    def test_so_does_one_for_its_end(self):
        with self.assertRaises(takt.RunEnded), rc(**REAL) as run:
            pid = run.pid
            later(0.1, lambda: os.kill(pid, signal.SIGKILL))
            run.finish()

    def test_one_that_somebody_ends_in_order_was_interrupted(self):
        with self.assertRaises(takt.Interrupted) as caught, rc(**REAL) as run:
            os.kill(run.pid, signal.SIGTERM)
            run.finish()
        self.assertEqual(caught.exception.exit_code, 4)

    def test_one_that_hangs_is_ended_all_the_same(self):
        with self.assertRaisesRegex(takt.RunEnded, "SIGKILL"), rc() as run:
            pid, run.patience_s = run.pid, 0.5
            run.step()
            os.kill(pid, signal.SIGSTOP)
        self.assertTrue(gone(pid))


class TheServiceDies(unittest.TestCase):
    def test_the_run_goes_on_and_is_asked_again(self):
        with rc(**REAL) as run:
            before = run.time_s
            _, service = processes_of(run.pid)
            os.kill(service, signal.SIGKILL)
            seen = None
            while seen is None:
                try:
                    seen = run["electric.smooth.v"]
                except takt.TapLost:
                    pass  # it was being asked
            self.assertGreater(run.time_s, before)
            self.assertNotEqual(processes_of(run.pid)[1], service)

    def test_what_was_captured_until_then_is_not_taken_for_all(self):
        with rc(**REAL) as run:
            _, service = processes_of(run.pid)
            later(0.1, lambda: os.kill(service, signal.SIGKILL))
            with self.assertRaises(takt.TapLost):
                run.capture(["electric.smooth.v"], "900 s")


class PythonDies(unittest.TestCase):
    def owner(self, name, options, *more):
        """-> process, pid of its plant, of its guard, run directory"""
        directory = WORK / name
        process = subprocess.Popen([sys.executable, "-c", OWNER, RC, WORK / "rc", directory, repr(options), *more], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        plant, guard = map(int, process.stdout.readline().split())
        return process, plant, guard, directory

    def test_killed_at_any_moment_it_leaves_no_plant_and_whole_files(self):
        rc().start().stop()  # built
        for number, options in enumerate(({}, REAL, {"lock_step": False})):
            for moment in (0.0, 0.07):
                with self.subTest(moment=moment, **options):
                    process, plant, guard, directory = self.owner(f"killed_{number}_{moment}", options)
                    time.sleep(moment)
                    process.kill()
                    process.wait()
                    self.assertTrue(gone(plant, guard))
                    summary = json.loads((directory / "summary.json").read_text())
                    self.assertEqual(summary["outcome"], "interrupted")
                    self.assertFalse((directory / "tap").exists())

    def test_killed_while_it_builds_it_leaves_no_compiler(self):
        code = "import sys, takt\ntakt.Plant(sys.argv[1], build_directory=sys.argv[2], set={'amplitude': '7 V'}).run(out=sys.argv[3]).start()"
        before = time.monotonic()
        subprocess.run([sys.executable, "-c", code, ROOT / "config/plants/buck", WORK / "never", WORK / "never_run"], capture_output=True)
        process = subprocess.Popen([sys.executable, "-c", code.replace("'7 V'", "'8 V'").replace("amplitude", "v_in"), ROOT / "config/plants/buck",
                                    WORK / "half", WORK / "half_run"], env={**os.environ, "CCACHE_DISABLE": "1"})
        until = time.monotonic() + PATIENCE
        while not (WORK / "half/build").is_dir() and time.monotonic() < until:
            time.sleep(0.01)
        process.kill()
        process.wait()
        mine = [pid for pid in os.listdir("/proc") if pid.isdigit() and str(WORK / "half") in command_of(pid)]
        self.assertTrue(gone(*map(int, mine)), (mine, time.monotonic() - before))

    def test_without_its_guard_the_plant_ends_too(self):
        process, plant, guard, _ = self.owner("unguarded", REAL)
        os.kill(guard, signal.SIGKILL)
        self.assertTrue(gone(plant))
        process.kill()
        process.wait()

    def test_without_its_guard_and_a_python_that_acts_the_kernel_ends_it(self):
        process, plant, guard, _ = self.owner("alone", REAL)
        process.send_signal(signal.SIGSTOP)
        os.kill(guard, signal.SIGKILL)
        self.assertTrue(gone(plant))
        process.kill()
        process.wait()

    def test_a_plant_that_is_detached_stays_until_it_is_stopped(self):
        process, plant, guard, directory = self.owner("detached", REAL, "run.detach(); print('detached', flush=True)")
        self.assertEqual(process.stdout.readline(), "detached\n")
        process.kill()
        process.wait()
        with takt.attach(directory) as run:
            run.advance("50 ms")
            self.assertTrue(is_alive(plant))
            self.assertEqual(run.stop().outcome, "interrupted")
        self.assertTrue(gone(plant, guard))

    def test_ctrl_c_ends_the_run_in_order(self):
        process, plant, guard, directory = self.owner("interrupted", REAL, "import contextlib\nwith contextlib.suppress(KeyboardInterrupt), run: "
                                                      "print('in', flush=True), time.sleep(1000)\nsys.exit(5)")
        self.assertEqual(process.stdout.readline(), "in\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), 5)
        self.assertTrue(gone(plant, guard))
        self.assertEqual(takt.read(directory).outcome, "interrupted")


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            return file.read()
    except OSError:
        return ""


if __name__ == "__main__":
    assert PACKAGE.is_dir()
    main()
