#!/usr/bin/env python3
"""Circuits of more than 500 branches go other ways through the generator (potentials along the tree, functions in pieces, loops over tables): a small
circuit that ends in a ladder of 521 resistors has the signals of the same one with the ladder's resistance, which is a continued fraction.

    large_circuits_test.py --takt build/release/bin/takt --work DIR"""
import csv
import subprocess

import built_plants

RUNGS = 260
SWITCHED = """
source = { is = "voltage_source", at = ["in", "gnd"], v = "34 V*sin(2*pi*50 Hz*time)" }
rs     = { is = "resistor", at = ["in", "s"], r = "0.2 Ohm" }
d      = { is = "diode", at = ["s", "end"], v_f = "0.7 V", r_on = "20 mOhm", r_off = "100 kOhm" }
c      = { is = "capacitor", at = ["end", "gnd"], c = "1 mF" }
r      = { is = "resistor", at = ["end", "gnd"], r = "50 Ohm" }
"""
LOOPS = """
source = { is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin(2*pi*50 Hz*time)" }
rs     = { is = "resistor", at = ["in", "end"], r = "20 Ohm" }
c_end  = { is = "capacitor", at = ["end", "gnd"], c = "0.1 mF", start = { v = "2 V" } }
c_1    = { is = "capacitor", at = ["p", "q"], c = "0.1 mF", start = { v = "1 V" } }
c_2    = { is = "capacitor", at = ["q", "w"], c = "0.2 mF", start = { v = "0.5 V" } }
c_3    = { is = "capacitor", at = ["w", "p"], c = "0.3 mF", start = { v = "-1.5 V" } }
r_p    = { is = "resistor", at = ["p", "end"], r = "30 Ohm" }
r_q    = { is = "resistor", at = ["q", "x"], r = "40 Ohm" }
r_w    = { is = "resistor", at = ["w", "gnd"], r = "50 Ohm" }
l_1    = { is = "inductor", at = ["z", "end"], l = "0.1 H", start = { i = "0.05 A" } }
l_2    = { is = "inductor", at = ["z", "x"], l = "0.2 H", start = { i = "-0.025 A" } }
l_3    = { is = "inductor", at = ["gnd", "z"], l = "0.15 H", start = { i = "0.025 A" } }
r_x    = { is = "resistor", at = ["x", "gnd"], r = "10 Ohm" }
"""
LADDER = f"""
first = {{ is = "resistor", at = ["end", "n[0]"], r = "100 Ohm" }}
along = {{ is = "resistor", at = ["n[i]", "n[i+1]"], r = "100 Ohm", n = {RUNGS} }}
down  = {{ is = "resistor", at = ["n[i]", "gnd"], r = "100 Ohm", n = {RUNGS + 1} }}
"""
PLANT = """[plant]
title = "{title}"
duration = "20 ms"
[electric]{circuit}
[solve]
electric = {{ step = "10 us"{method} }}
[sync]
plant = {{ members = ["electric"], every = "100 us" }}
[record]
"100 us" = [{names}]
"""


def resistance():
    """Of the ladder, from its far end on."""
    seen = 100.0
    for _ in range(RUNGS):
        seen = 1 / (1 / 100 + 1 / (100 + seen))
    return 100.0 + seen


def signals(takt, work, name, circuit, method, names):
    title = name.replace("_", " ")
    text = PLANT.format(title=title, circuit=circuit, method=method, names=", ".join(f'"electric.{each}"' for each in names))
    program = built_plants.build(takt, work, name, text)
    done = subprocess.run([program, "--quiet", "--no-report", "--audit", "off", "--pace", "free", "--out", work / f"{name}_run"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (name, done.stdout, done.stderr)
    with (work / f"{name}_run" / "signals.csv").open() as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    return rows[0][1:], [[float(cell) for cell in row[1:]] for row in rows[1:]]


def main():
    takt, work = built_plants.takt_and_work()
    for name, circuit, method, names in (
            ("rectifier", SWITCHED, "", ["c.v", "rs.i", "d.v"]),
            ("loops", LOOPS, ', method = "rk4"', ["c_end.v", "c_1.v", "c_2.v", "c_3.v", "l_1.i", "l_2.i", "l_3.i"])):
        one = f'\nladder = {{ is = "resistor", at = ["end", "gnd"], r = "{resistance()!r} Ohm" }}\n'
        titles, small = signals(takt, work, f"{name}_small", circuit + one, method, names)
        _, large = signals(takt, work, f"{name}_large", circuit + LADDER, method, names)
        assert len(small) == len(large) == 201, (len(small), len(large))
        for column, title in enumerate(titles):
            most = max(abs(row[column]) for row in small)
            off = max(abs(a[column] - b[column]) for a, b in zip(small, large)) / most
            print(f"{name}: {title} off by {off:.1e} of the largest value", flush=True)
            assert most > 0.0 and off <= 1e-10, (name, title, off)


if __name__ == "__main__":
    main()
