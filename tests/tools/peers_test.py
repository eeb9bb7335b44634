#!/usr/bin/env python3
"""peers_test.py TAKT SOURCE_DIR   takt bench --peers: a plant beside ngspice. Skipped (77) without ngspice."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TAKT = sys.argv[1]
RC = pathlib.Path(sys.argv[2]) / "config/plants/rc"


def bench(folder, *arguments, environment=None):
    return subprocess.run([TAKT, "bench", str(folder), *(arguments if "--peer" in arguments else ["--peer", "ngspice", *arguments])], capture_output=True, text=True, timeout=170,
                          cwd=WORK, env=environment)


def copy_of_rc(name):
    folder = pathlib.Path(WORK) / name / "rc"
    shutil.copytree(RC, folder)
    return folder


def edit(file, old, new):
    text = file.read_text()
    assert old in text, f"{old} is not in {file}"
    file.write_text(text.replace(old, new))


class Peers(unittest.TestCase):
    def test_both_solve_the_same_circuit(self):
        result = bench(RC, "--runs", "2", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["runs"], 2)
        self.assertIn("reference.csv", report["reference"])
        (signal,) = report["normalised_rms_difference"]
        self.assertLess(signal["takt"], 1e-6)   # rk4 at 100 us, tau 10 ms: h^5/120 of tau each step
        self.assertLess(signal["peer"], 1e-3)   # reltol of ngspice
        (rms,) = report["rms"]
        self.assertAlmostEqual(rms["takt"] / rms["reference"], 1.0, delta=1e-6)
        for who in ("takt", "peer"):
            cost = report["cpu_s_per_simulated_s"][who]["process"]
            self.assertLessEqual(0.0, cost["min"])
            self.assertLessEqual(cost["min"], cost["median"])
            self.assertLessEqual(cost["median"], cost["max"])
            self.assertEqual((len(cost["each"]), min(cost["each"]), max(cost["each"])), (2, cost["min"], cost["max"]))
        table = bench(RC, "--runs", "1", "--for", "1 s").stdout
        self.assertRegex(table, r"1 s and 100 ms simulated")
        self.assertRegex(table, r"electric\.smooth\.v = v\(out\)")

    def test_without_a_reference_ngspice_with_small_steps_is_the_reference(self):
        folder = copy_of_rc("tight")
        (folder / "reference.csv").unlink()
        report = json.loads(bench(folder, "--runs", "1", "--json").stdout)
        self.assertRegex(report["reference"], r"ngspice-\d+ with steps up to 5000 ns")
        self.assertLess(report["normalised_rms_difference"][0]["takt"], 1e-5)

    def test_sundials_is_as_accurate_as_the_plant_at_the_tolerance_it_is_timed_with(self):
        text = RC.joinpath("plant.toml").read_text()
        folder = pathlib.Path(WORK) / "sundials" / "rc"
        folder.mkdir(parents=True)
        (folder / "plant.toml").write_text(re.sub(r'step = "100 us", method = "rk4"', 'step = "500 us", method = "heun"', text))  # no netlist beside it
        result = bench(folder, "--peer", "sundials", "--runs", "2", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        own, *peers = json.loads(result.stdout)["sundials"]["rows"]
        self.assertEqual([row["name"] for row in peers], ["CVODE, BDF", "ARKODE, ERK of order 5"])
        self.assertAlmostEqual(own["ratio"], 1.0)
        self.assertGreater(own["error"], 1e-7)  # heun with a twentieth of the time constant
        for row in peers:
            self.assertEqual(len(row["cpu_s_per_simulated_s"]["each"]), 2)
            self.assertLessEqual(row["error"], own["error"])
            self.assertGreater(row["cpu_s_per_simulated_s"]["min"], 0.0)
            self.assertLess(row["tolerance"], 1e-3 + 1e-9)

    def test_circuit_with_switches_has_no_sundials_peer(self):
        result = bench(RC.parent / "boost", "--peer", "sundials")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "switches")

    def test_another_circuit_is_seen(self):
        folder = copy_of_rc("other")
        edit(folder / "peer.cir", "Rload in out 1k", "Rload in out 1.1k")
        report = json.loads(bench(folder, "--runs", "1", "--json").stdout)
        self.assertGreater(report["normalised_rms_difference"][0]["peer"], 1e-2)
        self.assertLess(report["normalised_rms_difference"][0]["takt"], 1e-6)

    def test_signal_that_is_not_recorded_is_located(self):
        folder = copy_of_rc("unrecorded")
        edit(folder / "plant.toml", 'electric.*"', 'electric.load.*"')
        result = bench(folder, "--runs", "1")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"peer\.toml:3:1: error\[N003\]")

    def test_netlist_that_ngspice_refuses_fails_with_its_words(self):
        folder = copy_of_rc("refused")
        edit(folder / "peer.cir", "Csmooth out 0 10u ic=5", "Xsmooth out 0 nosuchpart")
        result = bench(folder, "--runs", "1")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"(?s)ngspice .*nosuchpart")

    def test_plant_without_a_peer_is_a_usage_error(self):
        folder = copy_of_rc("alone")
        (folder / "peer.cir").unlink()
        result = bench(folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("peer.cir", result.stderr)

    def test_missing_ngspice_says_how_to_install_it(self):
        result = bench(RC, environment={**os.environ, "PATH": "/nonexistent"})
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"apt-get install ngspice")


if shutil.which("ngspice") is None:
    print("ngspice is not installed")
    sys.exit(77)
with tempfile.TemporaryDirectory() as WORK:
    unittest.main(argv=sys.argv[:1])
