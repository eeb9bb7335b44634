#!/usr/bin/env python3
"""Makes reference.csv: the electric circuit by ngspice (circuit.cir, gate edges in their exact places), then losses and temperatures from its
waveforms: conduction by quadrature of v*i, switching energies at every gate edge from losses.csv, the thermal network by its matrix exponential.
The on-resistance is that of 25 degC in the circuit (it warms by less than 2 K: 1e-2 of 5 mOhm beside 10 Ohm); its own loss follows the temperature.

    reference.py [--step 50]        # largest step of ngspice, ns"""
import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.linalg import expm

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tests" / "end_to_end"))
import make_references  # noqa: E402

STOP, GRID = 40e-3, 1e-3
R_ON, R_OFF, V_F, R_D, ALPHA, V_REF = 5e-3, 100e3, 0.7, 5e-3, 0.005, 400.0
OPTIONS = "method=gear maxord=2 reltol=1e-5 abstol=1e-7 vntol=1e-6 chgtol=1e-10"
VECTORS = ["v(p)", "v(a)", "v(b)", "v(c)", "v(oa)", "v(ob)", "v(oc)", "v(st)", "v(x)", "i(ls)", "v(ha)", "v(la)", "v(hb)", "v(lb)", "v(hc)", "v(lc)"]


def waveforms(step):
    """{vector: values at ngspice's own times}"""
    with tempfile.TemporaryDirectory() as work:
        raw, deck = pathlib.Path(work) / "out.raw", pathlib.Path(work) / "deck.cir"
        deck.write_text(make_references.expand((HERE / "circuit.cir").read_text(), STOP + GRID)
                        + f".options {OPTIONS}\n.tran 1u {STOP + GRID / 100:g} 0 {step:g} uic\n.save {' '.join(VECTORS)}\n"
                        f".control\nrun\nwrite {raw} {' '.join(VECTORS)}\nquit 0\n.endc\n.end\n")
        subprocess.run(["ngspice", "-b", str(deck)], capture_output=True, check=True)
        head, body = raw.read_bytes().split(b"Binary:\n", 1)
        names = [line.split()[1] for line in head.decode().split("Variables:\n", 1)[1].splitlines()]
        table = np.frombuffer(body, float).reshape(-1, len(names))
    return {name.lower(): table[:, index] for index, name in enumerate(names)}


def tables():
    rows = list(csv.reader(open(HERE / "losses.csv")))
    return [np.array(column, float) for column in zip(*rows[1:])]


def losses(time, v, gate):
    """(conduction power of channel at 25 degC, of the rest, energies at edges as [(index, J)]) of one switch with voltage v."""
    knee = V_F / (1 - R_D / R_OFF)
    channel = v / np.where(gate > 0.5, R_ON, R_OFF)
    body = np.where(-v > knee, (-v - V_F) / R_D, -v / R_OFF)
    current = channel - body
    amps, on, off, _ = tables()
    energies = []
    for k in np.flatnonzero(np.diff(gate > 0.5)):
        before, after = np.searchsorted(time, time[k] - 3e-9), np.searchsorted(time, time[k] + 3e-9)
        rise = gate[k + 1] > 0.5
        i, u, table = (current[after], v[before], on) if rise else (current[before], v[after], off)
        energies.append((k, np.interp(max(i, 0.0), amps, table) * max(u, 0.0) / V_REF))
    return np.where(gate > 0.5, v * channel, 0.0), v * np.where(gate > 0.5, 0.0, channel) - v * body, energies


def temperatures(power):
    """Chips, cases, sink from the mean heat of each chip in each interval of GRID: exact for constant heat. power(k, t_chip) -> W"""
    chip, case, sink, die, pad, cooler, air = 0.07, 7.7, 540.0, 2.0, 4.0, 10.0, 298.15
    a = np.zeros((13, 13))
    for k in range(6):
        for one, c_one, other, c_other, g in ((k, chip, 6 + k, case, die), (6 + k, case, 12, sink, pad)):
            a[one, one] -= g / c_one
            a[one, other] += g / c_one
            a[other, other] -= g / c_other
            a[other, one] += g / c_other
    a[12, 12] -= cooler / sink
    whole = expm(np.block([[a, np.eye(13)], [np.zeros((13, 26))]]) * GRID)
    rise, rows = np.zeros(13), []
    for k in range(round(STOP / GRID)):
        heat = np.zeros(13)
        heat[:6] = power(k, rise[:6]) / chip
        rise = whole[:13, :13] @ rise + whole[:13, 13:] @ heat
        rows.append(rise + air)
    return np.array(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--step", type=float, default=50.0)
    wave = waveforms(parser.parse_args().step * 1e-9)
    time, edges = wave["time"], np.arange(round(STOP / GRID) + 1) * GRID
    grid = edges[1:]
    at = lambda values: np.interp(grid, time, values)
    names = [f"leg_{x}.{side}" for x in "abc" for side in ("high", "low")]
    heat, fixed, switching = [], [], []
    for x in "abc":
        for v, gate in ((wave["v(p)"] - wave[f"v({x})"], wave[f"v(h{x})"]), (wave[f"v({x})"], wave[f"v(l{x})"])):
            channel, rest, energies = losses(time, v, gate)
            integral = lambda p: np.diff(np.interp(edges, time, np.concatenate([[0.0], np.cumsum(0.5 * (p[1:] + p[:-1]) * np.diff(time))])))
            lost = np.zeros(len(edges))
            for k, joule in energies:
                lost[np.searchsorted(edges, time[k]):] += joule
            heat.append(integral(channel))
            fixed.append(integral(rest) + np.diff(lost))
            switching.append(lost[1:])
    heat, fixed = np.array(heat), np.array(fixed)
    chips = temperatures(lambda k, rise: (heat[:, k] * (1 + ALPHA * rise) + fixed[:, k]) / GRID)
    columns = {"time [s]": grid}
    columns |= {f"electric.c_{x}.v [V]": at(wave[f"v(o{x})"] - wave["v(st)"]) for x in "abc"}
    columns |= {"electric.link.v [V]": at(wave["v(x)"]), "electric.l_source.i [A]": at(wave["i(ls)"])}
    columns |= {f"electric.{name}.switching [J]": switching[k] for k, name in enumerate(names)}
    columns |= {f"solid.{name.replace('.', '.chip_')}.t [K]": chips[:, k] for k, name in enumerate(names)}
    lines = ["# within 5e-3: " + " ".join(f"electric.{name}.switching" for name in names), ",".join(columns)] + [",".join(f"{columns[name][k]:.9g}" for name in columns) for k in range(len(grid))]
    (HERE / "reference.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
