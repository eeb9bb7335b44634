#!/usr/bin/env python3
"""Makes reference.csv with ngspice from circuit.cir."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests" / "end_to_end"))
import make_references  # noqa: E402

SIGNALS = {
    "electric.t.magnetising.i [A]": "i(l.xt.lm)",
    "electric.c.v [V]": "v(out)",
    "electric.c_clamp.v [V]": "v(k)-v(in)",
    "electric.leakage.i [A]": "i(lleak)",
}
make_references.make_plant(HERE, SIGNALS, stop=10e-3, grid=5e-6, max_step=10e-9, signs=7, options="reltol=1e-4 abstol=1e-6 vntol=1e-5 chgtol=1e-9 trtol=50")
