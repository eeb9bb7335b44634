#!/usr/bin/env python3
"""Makes reference.csv with ngspice from circuit.cir."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests" / "end_to_end"))
import make_references  # noqa: E402

SIGNALS = {
    "electric.c.v [V]": "v(m)-v(n)",
    "electric.l.i [A]": "i(ldc)",
    "electric.l_a.i [A]": "i(la)",
    "electric.l_b.i [A]": "i(lb)",
    "electric.l_c.i [A]": "i(lc)",
    "solid.bridge.t [K]": "298.15+v(bridge)",
    "solid.sink.t [K]": "298.15+v(sink)",
}
make_references.make_plant(HERE, SIGNALS, stop=60e-3, grid=200e-6, max_step=250e-9, options="cshunt=1e-13")
