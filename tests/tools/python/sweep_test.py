#!/usr/bin/env python3
"""Sweeps: as a table, over what is compiled in, on a cluster of Dask with workers that are lost and workers that see no file of ours.

sweep_test.py TAKT WORK"""

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import termios
import threading
import time
import unittest

import numpy as np
from common import RC, TAKT, WORK, main

import takt

try:
    from distributed import Client, LocalCluster
except ImportError:
    Client = None
MAX = "electric.smooth.v:max"
SHORT = {"duration": "10 ms", "results": [MAX]}


def rc(**options):
    return takt.Plant(RC, build_directory=WORK / "rc", **options)


def digests(sweep):
    return [point.digest for point in sweep]


class Here(unittest.TestCase):
    def test_a_table_of_single_runs(self):
        sweep = rc().sweep(
            {"amplitude": [5.0, "12 V"], "frequency": "50 Hz .. 150 Hz / 3"},
            out=WORK / "grid",
            **SHORT,
        )
        self.assertEqual((len(sweep), sweep.failed), (6, []))
        self.assertEqual(sweep.units, {"amplitude": "V", "frequency": "1/s"})
        np.testing.assert_array_equal(sweep["amplitude"], [5, 5, 5, 12, 12, 12])
        np.testing.assert_array_equal(sweep["frequency"], [50, 100, 150] * 2)
        for point in sweep:
            with rc(
                set={
                    name: f"{value!r} {sweep.units[name]}"
                    for name, value in point.values.items()
                }
            ).run(duration="10 ms") as run:
                results = run.finish()
            self.assertEqual(results.summary["digest"], point.digest)
            self.assertEqual(
                max(results.signals["electric.smooth.v"]), point.results[MAX]
            )
            self.assertEqual(point.read().summary["digest"], point.digest)
        with self.assertRaises(KeyError):
            sweep["nothing"]

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "no tqdm")
    def test_whoever_looks_sees_a_bar(self):
        code = f"import takt; takt.Plant({str(RC)!r}, build_directory='rc').sweep({{'amplitude': '1 V .. 5 V / 7'}}, out='seen', duration='10 ms')"
        told, end = os.openpty()
        termios.tcsetwinsize(end, (24, 80))
        with open(told, "rb", closefd=True) as reads:
            subprocess.run([sys.executable, "-c", code], cwd=WORK, stderr=end, check=True)
            os.close(end)
            shown = os.read(reads.fileno(), 1 << 16).decode()
        self.assertIn("seen: 7run", shown)
        quiet = subprocess.run([sys.executable, "-c", code], cwd=WORK, stderr=subprocess.PIPE, text=True, check=True)
        self.assertEqual(quiet.stderr, "")

    def test_points_one_by_one(self):
        points = [
            {"amplitude": 5.0, "offset": "1 V"},
            {"offset": 2.0, "amplitude": "7 V"},
        ]
        sweep = rc().sweep(points=points, out=WORK / "points", **SHORT)
        np.testing.assert_array_equal(sweep["offset"], [1, 2])
        np.testing.assert_array_equal(sweep["amplitude"], [5, 7])
        frame = sweep.frame()
        self.assertEqual(
            (list(frame.index), frame.attrs["units"]["offset"]), ([1, 2], "V")
        )

    def test_what_is_compiled_in_is_swept_too(self):
        folder = WORK / "geared"
        folder.mkdir()
        (folder / "plant.toml").write_text(GEARED)
        sweep = takt.Plant(folder).sweep(
            {"ratio": [2.0, "4"], "torque": [1.0, 3.0]},
            out=WORK / "compiled",
            results=["rotational.load.w"],
        )
        self.assertEqual(len(sweep.directories), 2)
        self.assertEqual([point.number for point in sweep], [1, 2, 3, 4])
        np.testing.assert_array_equal(sweep["ratio"], [2, 2, 4, 4])
        # From rest: w = ratio*torque/(ratio^2*j_motor + j_load)*t, both moments 1 kg*m^2, t = 1 s
        closed = sweep["ratio"] * sweep["torque"] / (sweep["ratio"] ** 2 + 1.0)
        np.testing.assert_allclose(sweep["rotational.load.w:last"], closed, rtol=1e-9)

    def test_what_is_wrong_is_said_before_anything_runs(self):
        for wrong, said in (
            ({"vary": {"amplitud": [1.0]}}, "amplitud"),
            ({"vary": {"amplitude": "5 K, 6 K"}}, "amplitude"),
            ({"vary": {"amplitude": []}}, "no values"),
            ({}, "vary or points"),
            ({"points": [{"amplitude": 1.0}, {"offset": 1.0}]}, "same names"),
            ({"vary": {"amplitude": [1.0]}, "options": ["--nonsense"]}, "nonsense"),
        ):
            with self.subTest(said), self.assertRaisesRegex(takt.PlantError, said):
                rc().sweep(out=WORK / "wrong", **wrong)
        with self.assertRaisesRegex(takt.PlantError, "another executable"):
            folder = WORK / "geared_range"
            folder.mkdir()
            (folder / "plant.toml").write_text(GEARED)
            takt.Plant(folder).sweep({"ratio": "1 .. 2 / 3"}, out=WORK / "range")

    def test_runs_that_fail_raise_with_the_table(self):
        with self.assertRaises(takt.SweepFailed) as caught:
            rc(solve=coarse()).sweep(
                {"electric.smooth.c": ["10 uF", "1 pF"]}, out=WORK / "failing", **SHORT
            )
        sweep = caught.exception.sweep
        self.assertEqual([point.ok for point in sweep], [True, False])
        self.assertTrue(sweep.failed[0].cause)
        self.assertEqual(
            len(
                rc(solve=coarse()).sweep(
                    {"electric.smooth.c": ["10 uF", "1 pF"]},
                    out=WORK / "failing",
                    check=False,
                    **SHORT,
                )
            ),
            2,
        )


@unittest.skipIf(Client is None, "no dask (tools/install_packages.sh python)")
class OnACluster(unittest.TestCase):
    WISH = {"amplitude": "5 V .. 20 V / 40"}

    def setUp(self):
        self.expected = rc().sweep(self.WISH, out=WORK / "alone", **SHORT)
        self.held = contextlib.ExitStack()
        self.addCleanup(self.held.close)

    def client(self):
        cluster = self.held.enter_context(
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        )
        return self.held.enter_context(Client(cluster))

    def assert_same(self, sweep, folder):
        self.assertEqual(digests(sweep), digests(self.expected))
        np.testing.assert_array_equal(sweep[MAX], self.expected[MAX])
        self.assertEqual(
            {path.name for path in folder.iterdir()},
            {path.name for path in (WORK / "alone").iterdir()},
        )

    def test_a_worker_that_is_killed_loses_no_point_and_what_is_there_is_not_computed_again(
        self,
    ):
        client, folder = self.client(), WORK / "killed"
        killed = []

        def kill():
            while (
                not (folder / "sweep.csv").exists()
                or len((folder / "sweep.csv").read_text().splitlines()) < 5
            ):
                time.sleep(0.001)
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        self.assert_same(
            rc().sweep(self.WISH, out=folder, client=client, **SHORT), folder
        )
        killer.join()
        self.assertEqual(len(killed), 1)
        before = {
            path: path.stat().st_mtime_ns for path in folder.glob("run-*/summary.json")
        }
        self.assert_same(
            rc().sweep(self.WISH, out=folder, client=client, **SHORT), folder
        )
        self.assertEqual(
            {
                path: path.stat().st_mtime_ns
                for path in folder.glob("run-*/summary.json")
            },
            before,
        )

    def test_workers_that_see_no_file_of_ours(self):
        self.on_workers_without(WORK, "unseen")

    def test_workers_that_see_the_results_folder_alone(self):
        self.on_workers_without(WORK / "rc", "half_seen")

    def on_workers_without(self, hidden, name):
        hide = ["unshare", "--map-root-user", "--mount"]
        if (
            subprocess.run([*hide, "true"], capture_output=True, check=False).returncode
            != 0
        ):
            self.skipTest("no mount namespaces here")
        cluster = self.held.enter_context(
            LocalCluster(n_workers=0, dashboard_address=None)
        )
        client = self.held.enter_context(Client(cluster))
        worker = f"{sys.executable} -m distributed.cli.dask_worker {cluster.scheduler_address} --nthreads 2 --no-dashboard --local-directory {hidden}"
        script = f"mount -t tmpfs none {hidden} && cd / && TMPDIR={hidden} PYTHONPATH= exec {worker}"
        process = subprocess.Popen(
            [*hide, "sh", "-c", script],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.held.callback(process.wait)
        self.held.callback(os.killpg, process.pid, signal.SIGTERM)
        client.wait_for_workers(1, timeout=60)
        self.assert_same(
            rc().sweep(self.WISH, out=WORK / "unseen", client=client, **SHORT),
            WORK / "unseen",
        )

    def test_by_the_command(self):
        client, folder = self.client(), WORK / "by_command"
        command = [
            TAKT,
            "sweep",
            RC,
            "--build-dir",
            WORK / "rc",
            "--vary",
            "amplitude = 5 V .. 20 V / 40",
            "--for",
            "10 ms",
            "--result",
            MAX,
        ]
        environment = os.environ | {"TAKT_PYTHON": sys.executable}
        done = subprocess.run(
            [*command, f"--scheduler={client.scheduler.address}", "--out", folder],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("40 runs, 0 failed", done.stderr)
        digest_of = [
            line.split(",")[6]
            for line in (folder / "sweep.csv").read_text().splitlines()[1:]
        ]
        self.assertEqual(digest_of, digests(self.expected))
        done = subprocess.run(
            [*command, "--scheduler", "tcp://127.0.0.1:1", "--out", WORK / "nobody"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("tcp://127.0.0.1:1", done.stderr)
        done = subprocess.run(
            [*command, "--scheduler", "tcp://127.0.0.1:1", "--out", WORK / "nobody"],
            env=environment | {"TAKT_PYTHON": "/bin/false"},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("TAKT_PYTHON", done.stderr)


def coarse():
    """Steps that 10 uF bears and 1 pF does not."""
    file = WORK / "coarse.toml"
    file.write_text(
        '[solve]\nelectric = { step = "20 us", method = "rk4" }\n[sync]\nplant = { members = ["electric"], every = "1 ms" }\n[record]\n"1 ms" = ["electric.smooth.v"]\n'
    )
    return file


GEARED = """[plant]
title    = "A motor, a gear, a load"
duration = "1 s"
error    = "off"
[parameters]
ratio = 2
[input]
torque = { unit = "N*m", start = "1 N*m", safe = "0 N*m" }
[rotational]
drive = { is = "torque_source", at = ["motor"], torque = "torque" }
rotor = { is = "inertia", at = ["motor"], j = "1 kg*m^2" }
gear  = { is = "gear", at = ["motor", "out"], ratio = "ratio" }
load  = { is = "inertia", at = ["out"], j = "1 kg*m^2" }
[solve]
mechanical = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["mechanical"], every = "10 ms" }
[record]
"10 ms" = ["rotational.load.w"]
"""


if __name__ == "__main__":
    main()
