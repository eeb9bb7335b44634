#!/usr/bin/env python3
"""An exported FMU against `takt run`: the same bits at recorded instants."""
import csv
import os
import struct
import subprocess
import sys

import numpy as np
from fmpy import simulate_fmu, read_model_description
from fmpy.validation import validate_fmu


def exported(takt, plant, version, folder, kind="cs", *more):
    file = os.path.join(folder, f"{os.path.basename(plant)}-{version}{kind}.fmu")
    done = subprocess.run([takt, "fmu", "export", plant, "--fmi", str(version), "--kind", kind, "--out", file,
                           "--build-dir", os.path.join(folder, os.path.basename(plant)), *more],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return file


def recorded(takt, plant, duration, folder, *more):
    """{signal: values} of a run, and the times."""
    out = os.path.join(folder, "run-" + os.path.basename(plant))
    subprocess.run([takt, "run", plant, "--for", f"{duration!r} s", "--out", out, "--build-dir",
                    os.path.join(folder, os.path.basename(plant) + "-run"), "--record", "csv", *more],
                   check=True, capture_output=True, text=True)
    with open(os.path.join(out, "signals.csv"), encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return rows
