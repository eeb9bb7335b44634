#!/usr/bin/env python3
"""Makes reference.csv: an independent simulation of the equations in README.md by RK4 in pieces of at most 25 ns between the exact edges.

    reference.py [--piece 25]        # ns"""
import argparse
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
V_IN, L, C, R_LOAD, I_STEP, T_STEP = 24.0, 47e-6, 220e-6, 1.0, 5.0, 10e-3
R_ON, ALPHA, R_OFF, V_F, R_D = 5e-3, 0.006, 1e6, 0.7, 1e-3
PERIOD, DEAD, STOP = 50e-6, 200e-9, 20e-3
KP, KI, V_REF = 0.02, 40.0, 12.0
AMPS, E_ON, E_OFF = [0.0, 10.0, 20.0, 40.0], [0.0, 4e-6, 9e-6, 22e-6], [0.0, 3e-6, 8e-6, 24e-6]
CHIP, PLATE, PASTE, TO_WATER, T0 = 2e-3 * 700, 0.4 * 900, 4.0, 20.0, 298.15


def devices(v, gate, r_on):
    """(conductance, current at v = 0) of a MOSFET with voltage v from drain to source."""
    g, i = (1 / r_on if gate else 1 / R_OFF), 0.0
    if -v > V_F / (1 - R_D / R_OFF):
        return g + 1 / R_D, V_F / R_D
    return g + 1 / R_OFF, i


def switch_node(i, high, low, r_on):
    """Voltage of the switching node that carries the choke current i: Newton on a monotone piecewise linear balance."""
    v = V_IN if high else 0.0
    for _ in range(20):
        g1, i1 = devices(V_IN - v, high, r_on)
        g2, i2 = devices(v, low, r_on)
        new = (g1 * V_IN + i1 - i2 - i) / (g1 + g2)
        if abs(new - v) < 1e-12:
            return new
        v = new
    return v


def current(v, gate, r_on):
    g, i = devices(v, gate, r_on)
    return g * v + i


class Plant:
    def __init__(self):
        self.i, self.v, self.heat, self.switching = 0.0, 0.0, 0.0, 0.0
        self.gates, self.r_on = (True, False), R_ON

    def rates(self, time, i, v):
        node = switch_node(i, *self.gates, self.r_on)
        drawn = v / R_LOAD + (I_STEP if time > T_STEP else 0.0)
        loss = (V_IN - node) * current(V_IN - node, self.gates[0], self.r_on) + node * current(node, self.gates[1], self.r_on)
        return (node - v) / L, (i - drawn) / C, loss

    def advance(self, begin, end, piece):
        n = max(1, int(np.ceil((end - begin) / piece)))
        h = (end - begin) / n
        for k in range(n):
            t = begin + (k + 0.5) * h  # the load step stands between pieces
            a = self.rates(t, self.i, self.v)
            b = self.rates(t, self.i + 0.5 * h * a[0], self.v + 0.5 * h * a[1])
            c = self.rates(t, self.i + 0.5 * h * b[0], self.v + 0.5 * h * b[1])
            d = self.rates(t, self.i + h * c[0], self.v + h * c[1])
            di, dv, dq = (h / 6 * (a[j] + 2 * b[j] + 2 * c[j] + d[j]) for j in range(3))
            self.i, self.v, self.heat = self.i + di, self.v + dv, self.heat + dq

    def switch(self, gates):
        """Edges of the upper gate cost energy: its current and its voltage on the two sides of the edge."""
        before = V_IN - switch_node(self.i, *self.gates, self.r_on)
        i_before = current(before, self.gates[0], self.r_on)
        old, self.gates = self.gates, gates
        after = V_IN - switch_node(self.i, *gates, self.r_on)
        if gates[0] and not old[0]:
            lost = np.interp(max(current(after, True, self.r_on), 0.0), AMPS, E_ON) * max(before, 0.0) / V_IN
        elif old[0] and not gates[0]:
            lost = np.interp(max(i_before, 0.0), AMPS, E_OFF) * max(after, 0.0) / V_IN
        else:
            return
        self.switching += lost
        self.heat += lost


def edges(start, duty):
    """[(time, (high, low))] of one period, whose carrier is 0 at its start and 1 in its middle; high before and after."""
    down, up = start + 0.5 * duty * PERIOD, start + PERIOD - 0.5 * duty * PERIOD
    return [(down, (False, False)), (down + DEAD, (False, True)), (up, (False, False)), (up + DEAD, (True, False))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--piece", type=float, default=25.0)
    piece = parser.parse_args().piece * 1e-9
    plant, integral, chip, plate = Plant(), 0.0, T0, T0
    rows, periods, pending = [], round(STOP / PERIOD), []
    for k in range(periods):
        start, end = k * PERIOD, (k + 1) * PERIOD
        error = V_REF - plant.v
        raw = KP * error + integral
        duty = min(max(raw, 0.0), 0.95)
        if not ((raw > 0.95 and error > 0) or (raw < 0.0 and error < 0)):
            integral += KI * error * PERIOD
        plant.r_on = R_ON * (1 + ALPHA * (chip - T0))
        plant.heat = 0.0
        time = start
        for at, gates in pending + edges(start, duty):
            if at >= end:
                continue
            plant.advance(time, at, piece)
            plant.switch(gates)
            time = at
        plant.advance(time, end, piece)
        pending = [(at, gates) for at, gates in edges(start, duty) if at >= end]
        power = plant.heat / PERIOD
        for _ in range(5):
            h = PERIOD / 5
            flow = PASTE * (chip - plate)
            chip, plate = chip + h * (power - flow) / CHIP, plate + h * (flow - TO_WATER * (plate - T0)) / PLATE
        rows.append([end, plant.v, plant.i, duty, chip, plant.switching])
    head = "time [s],electric.smooth.v [V],electric.choke.i [A],control.regulator.out [1],solid.chip.t [K],electric.high.switching [J]"
    lines = [",".join(f"{value:.9g}" for value in row) for row in rows[1::2]]
    (HERE / "reference.csv").write_text("# within 1e-2: electric.high.switching\n" + head + "\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
