"""The same circuit for ngspice: an oracle that knows neither our laws nor our solvers."""
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy as np

THERMAL_VOLTAGE = 0.025864917       # of ngspice (CODATA 2014) at 27 degC; 3e-5 more than of older ones, which a constant signal shows


class Netlist:
    def __init__(self, plant):
        self.plant, self.cards = plant, []

    @staticmethod
    def node(name):
        return "0" if name == "gnd" else name

    def card(self, letter, name, p, n, rest):
        self.cards.append(f"{letter}{name} {self.node(p)} {self.node(n)} {rest}")

    def source(self, letter, name, p, n, wave):
        self.card(letter, name, p, n, wave)

    def resistor(self, name, p, n, r):
        self.card("R", name, p, n, f"{r:.12g}")

    def capacitor(self, name, p, n, c, start=0.0):
        self.card("C", name, p, n, f"{c:.12g} IC={start:.12g}")

    def inductor(self, name, p, n, inductance, start=0.0):
        self.card("L", name, p, n, f"{inductance:.12g} IC={start:.12g}")

    def behavioural(self, name, p, n, current):
        self.card("B", name, p, n, f"I={current.replace('^', '**')}")

    def exponential(self, name, p, n, i_s, v_t):
        self.cards += [f"D{name} {self.node(p)} {self.node(n)} d{name}", f".model d{name} D(IS={i_s:.12g} N={v_t / THERMAL_VOLTAGE:.12g})"]

    def switch(self, name, p, n, control, r_on, r_off):
        """Closed where V(control) > 0.5."""
        self.cards += [f"S{name} {self.node(p)} {self.node(n)} {control} 0 m{name}", f".model m{name} SW(vt=0.5 vh=0.01 ron={r_on:.12g} roff={r_off:.12g})"]

    def answer(self, times):
        """-> {signal: values at the times}, or None where ngspice does not solve it."""
        ngspice = shutil.which("ngspice")
        if not ngspice:
            return None
        probes = {}
        for signal in self.plant.records:
            _, element, variable = signal.split(".")
            if variable == "v":
                if not any(f" {element} " in card for card in self.cards):
                    continue
                probes[signal] = f"v({element})"
            elif variable == "i" and any(card.startswith(f"L{element} ") for card in self.cards):
                probes[signal] = f"i(l{element})"
        duration = self.plant.duration
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.txt"
            deck = ["* generated", *self.cards, ".options reltol=1e-6 abstol=1e-14 vntol=1e-9 chgtol=1e-18 method=gear",
                    f".tran {self.plant.period / 4:.9g} {duration:.9g} 0 {self.plant.period / 10:.9g} uic", ".control", "set wr_singlescale", "set numdgt=12", "run",
                    f"wrdata {out} " + " ".join(probes.values()), "quit", ".endc", ".end"]
            (pathlib.Path(folder) / "deck.cir").write_text("\n".join(deck) + "\n")
            try:
                done = subprocess.run([ngspice, "-b", str(pathlib.Path(folder) / "deck.cir")], capture_output=True, text=True, timeout=120)
            except subprocess.TimeoutExpired:
                return None
            if not out.exists() or re.search(r"timestep too small|aborted|singular matrix", done.stdout + done.stderr, re.IGNORECASE):
                return None
            rows = np.loadtxt(out, ndmin=2)
        if rows[-1, 0] < duration * 0.999:
            return None
        return {signal: np.interp(times, rows[:, 0], rows[:, 1 + k]) for k, signal in enumerate(probes)}
