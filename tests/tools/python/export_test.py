#!/usr/bin/env python3
"""Recorded signals in the formats of others, read back by the libraries of these: every value, path and unit.

    export_test.py TAKT WORK"""
import importlib.util
import json
import sys
import unittest
from unittest import mock

import numpy as np
from common import RC, WORK, main

import takt

RATES = """[solve]
electric = { step = "100 us", method = "rk4" }
[sync]
plant = { members = ["electric"], every = "1 ms" }
[record]
"1 ms" = ["electric.smooth.v", "electric.load.i"]
"5 ms" = ["electric.source.v"]
"""


def has(*names):
    return unittest.skipUnless(all(importlib.util.find_spec(name) for name in names), f"no {' or '.join(names)}")


class Exported(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (WORK / "rates.toml").write_text(RATES)
        with takt.Plant(RC, solve=WORK / "rates.toml", build_directory=WORK / "rc").run(duration="50 ms", out=WORK / "run") as run:
            cls.results = run.finish()
        assert len(cls.results.tables) == 2

    @has("pandas", "fastparquet")
    def test_parquet(self):
        import pandas

        file = self.results.to_parquet(WORK / "signals.parquet", resampled="5 ms")
        frame, expected = pandas.read_parquet(file), self.results.table(resampled="5 ms")
        self.assertEqual(list(frame.columns), ["time [s]", "electric.load.i [A]", "electric.smooth.v [V]", "electric.source.v [V]"])
        np.testing.assert_array_equal(frame.to_numpy()[:, 1:], expected.values)
        np.testing.assert_array_equal(frame["time [s]"], expected.time_s)
        with self.assertRaisesRegex(takt.PlantError, "2 rates"):
            self.results.to_parquet(WORK / "no.parquet")

    @has("scipy")
    def test_mat(self):
        from scipy.io import loadmat

        found = loadmat(self.results.to_mat(WORK / "signals.mat"), simplify_cells=True)
        for number, table in enumerate(self.results.tables, 1):
            rate = found[f"rate{number}"]
            np.testing.assert_array_equal(np.reshape(rate["values"], table.values.shape), table.values)
            np.testing.assert_array_equal(rate["time"], table.time_s)
            self.assertEqual(list(np.atleast_1d(rate["paths"])), table.paths)
            self.assertEqual(list(np.atleast_1d(rate["units"])), [table.units[path] for path in table.paths])

    @has("h5py")
    def test_hdf5(self):
        import h5py

        with h5py.File(self.results.to_hdf5(WORK / "signals.h5")) as found:
            for number, table in enumerate(self.results.tables, 1):
                group = found[f"rate{number}"]
                np.testing.assert_array_equal(group["time"][:], table.time_s)
                for path in table.paths:
                    np.testing.assert_array_equal(group[path][:], table[path])
                    self.assertEqual(group[path].attrs["unit"], table.units[path])

    @has("mcap")
    def test_mcap(self):
        from mcap.reader import make_reader

        with self.results.to_mcap(WORK / "signals.mcap").open("rb") as file:
            reader = make_reader(file)
            found = [(channel.topic, message.log_time, json.loads(message.data)) for _, channel, message in reader.iter_messages()]
            units = {name: each["description"] for schema in reader.get_summary().schemas.values()
                     for name, each in json.loads(schema.data)["properties"].items()}
        for number, table in enumerate(self.results.tables, 1):
            mine = [(time, values) for topic, time, values in found if topic == f"/takt/rate{number}"]
            self.assertEqual([time for time, _ in mine], table.time_ns.tolist())
            np.testing.assert_array_equal([[values[path] for path in table.paths] for _, values in mine], table.values)
            self.assertTrue(all(units[path] == table.units[path] for path in table.paths))

    def test_what_is_missing_is_named_and_nothing_is_left(self):
        (WORK / "kept.mat").write_text("before")
        with mock.patch.dict(sys.modules, {"scipy.io": None, "scipy": None, "h5py": None, "mcap.writer": None, "mcap": None}):
            for write, name, package in ((self.results.to_mat, "kept.mat", "scipy"), (self.results.to_hdf5, "new.h5", "h5py"), (self.results.to_mcap, "new.mcap", "mcap")):
                with self.assertRaisesRegex(takt.PlantError, f"pip install {package}"):
                    write(WORK / name)
        self.assertEqual((WORK / "kept.mat").read_text(), "before")
        self.assertEqual([path.name for path in WORK.iterdir() if "new." in path.name or path.name.endswith(".part")], [])


if __name__ == "__main__":
    main()
