#!/usr/bin/env python3
"""Makes reference.csv with ngspice from circuit.cir."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests" / "end_to_end"))
import make_references  # noqa: E402

SIGNALS = {
    "electric.l.i [A]": "i(l1)",
    "electric.c.v [V]": "v(out)",
}
make_references.make_plant(HERE, SIGNALS, stop=20e-3, grid=10e-6, max_step=40e-9, signs=7)
