#!/usr/bin/env python3
"""Makes reference.csv of the switched cases from their circuit.cir with ngspice, and says in its head how far the step matters.

    make_references.py [CASE ...]          # default: every case with a circuit.cir; needs ngspice, numpy, scipy

circuit.cir is a SPICE netlist (first line: title) in which these lines are replaced:

    .include devices.cir                                             the devices of this folder
    *pulse NODE period=50u start=0 length=20u [after=0]              1 for `length` from `start` on, every `period`; no edge before `after`
    *pwm HIGH LOW duty=EXPR frequency=20k [dead_time=1u] [carrier=triangle|sawtooth] [phase=0] [update=continuous|valley|peak|both]

A pulse or PWM leg becomes a source of gate voltages 0 and 1 whose edges, 1 ns long, stand where control.pwm_leg puts them: crossings of the duty
(an expression of t) with the carrier, found as roots. Stop time and grid of the reference are those of plant.toml ([plant] duration, [record]).
`max_step` of case.toml is the largest step of the reference; the same run with another is the check of convergence."""
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import numpy as np
from scipy.optimize import brentq

import judge

HERE = pathlib.Path(__file__).resolve().parent
EDGE = 1e-9
OPTIONS = {"method": "gear", "maxord": "2", "reltol": "1e-6", "abstol": "1e-9", "vntol": "1e-7", "chgtol": "1e-16", "itl4": "100"}
SUFFIXES = {"meg": 1e6, "k": 1e3, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12, "": 1.0}
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}


def number(text):
    value, suffix = re.fullmatch(r"([-+\d.e]+?)(meg|[kmunp])?", text).groups()
    return float(value) * SUFFIXES[suffix or ""]


def seconds(text):
    value, unit = text.split()
    return float(value) * UNITS[unit]


def source(node, level, edges):
    """PWL source of a gate: `level` from 0 on, toggled at each edge; a rising ramp starts, a falling one ends there (see devices.cir)."""
    points = [(0.0, level)]
    for time in edges:
        points += [(time - level * EDGE, level), (time + (1 - level) * EDGE, 1 - level)]
        level = 1 - level
    text = "\n".join(f"+ {max(time, 0.0):.12e} {value}" for time, value in points)
    return f"V_{node} {node} 0 PWL(\n{text}\n+ )"


def pulse(words, settings, stop):
    period, start, length = (number(settings[key]) for key in ("period", "start", "length"))
    on = start - period * math.ceil(start / period)
    edges = []
    while on < stop:
        edges += [on, on + length]
        on += period
    edges = [edge for edge in edges if edge > number(settings.get("after", "-1"))]
    level = sum(edge <= 0 for edge in edges) % 2
    return source(words[0], level, [edge for edge in edges if 0 < edge < stop])


def carrier_pieces(settings, stop):
    """(start, end, value at start, value at end) of the carrier's straight pieces, from before 0 to after `stop`."""
    period, shape = 1 / number(settings["frequency"]), settings.get("carrier", "triangle")
    start = -float(settings.get("phase", "0")) * period
    for k in range(-1, int(stop / period) + 2):
        begin = start + k * period
        if shape == "triangle":
            yield begin, begin + period / 2, 0.0, 1.0
            yield begin + period / 2, begin + period, 1.0, 0.0
        else:
            yield begin, begin + period, 0.0, 1.0


def comparator(settings, stop):
    """(level at 0, times of flips) of duty > carrier; piece by piece, in each of which the carrier crosses the duty once at most."""
    code = compile(settings["duty"], "duty", "eval")
    duty = lambda t: eval(code, {"t": t, "sin": math.sin, "cos": math.cos, "pi": math.pi})  # our own files
    update, held = settings.get("update", "continuous"), None
    level, flips = None, []
    for begin, end, first, last in carrier_pieces(settings, stop):
        if held is None or update == "both" or (update == "valley" and first == 0) or (update == "peak" and first == 1):
            held = duty(max(begin, 0.0))
        value = duty if update == "continuous" else (lambda t, d=held: d)
        above = lambda t: value(max(t, 0.0)) - (first + (last - first) * (t - begin) / (end - begin))
        at_begin, at_end = above(begin) > 0 or (above(begin) == 0 and first > last), above(end) > 0 or (above(end) == 0 and last < first)
        if level is not None and at_begin != level:
            flips.append(begin)
        if at_begin != at_end:
            flips.append(brentq(above, begin, end, xtol=1e-15))
        level = at_end
    at_zero = level ^ bool(len(flips) % 2) ^ bool(sum(flip <= 0 for flip in flips) % 2)
    return at_zero, [flip for flip in flips if 0 < flip < stop]


def pwm(words, settings, stop):
    level, flips = comparator(settings, stop)
    dead = number(settings.get("dead_time", "0"))
    gates = {True: [], False: []}  # edges of the high and of the low gate
    state, on = level, {True: level, False: not level}
    for index, flip in enumerate(flips):
        if on[state]:
            gates[state].append(flip)
            on[state] = False
        state = not state
        if flip + dead < (flips[index + 1] if index + 1 < len(flips) else math.inf):
            gates[state].append(flip + dead)
            on[state] = True
    return "\n".join(source(node, int(start), gates[side]) for node, side, start in ((words[0], True, level), (words[1], False, not level)))


def expand(text, stop):
    """The netlist with devices and gates put in."""
    lines = []
    for line in text.splitlines():
        directive = re.match(r"\*(pulse|pwm)\s", line)
        if line.strip() == ".include devices.cir":
            lines.append((HERE / "devices.cir").read_text())
        elif directive:
            settings = dict(re.findall(r"(\w+)=(\"[^\"]*\"|\S+)", line))
            settings = {key: value.strip('"') for key, value in settings.items()}
            words = [word for word in line.split()[1:3] if "=" not in word]
            lines.append((pulse if directive[1] == "pulse" else pwm)(words, settings, stop))
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def run(netlist, case, grid, stop, step):
    """One run of ngspice -> {"time": .., signal: ..} on the grid."""
    names = list(case["signals"])
    options = OPTIONS | dict(word.split("=") for word in case.get("options", "").split())
    lets = "".join(f"let out{index} = {case['signals'][name]}\n" for index, name in enumerate(names))
    vectors = " ".join(f"out{index}" for index in range(len(names)))
    with tempfile.TemporaryDirectory() as work:
        output = pathlib.Path(work) / "out.txt"
        deck = pathlib.Path(work) / "deck.cir"
        deck.write_text(netlist + f".options interp {' '.join(f'{key}={value}' for key, value in options.items())}\n.tran {grid:g} {stop + grid:g} 0 {step:g} uic\n"
                        f".control\nrun\nset wr_singlescale\nset numdgt=12\n{lets}wrdata {output} {vectors}\nquit 0\n.endc\n.end\n")
        done = subprocess.run(["ngspice", "-b", str(deck)], capture_output=True, text=True, timeout=240)
        if not output.exists():
            raise RuntimeError("ngspice gave no result:\n" + done.stdout[-2000:] + done.stderr[-2000:])
        table = np.loadtxt(output, ndmin=2)
    if table[-1, 0] < stop * (1 - 1e-9):
        raise RuntimeError(f"ngspice ended at {table[-1, 0]} s:\n" + done.stdout[-1000:] + done.stderr[-2000:])
    times = np.arange(1, round(stop / grid) + 1) * grid
    return {"time": times, **{name: np.interp(times, table[:, 0], table[:, index + 1]) for index, name in enumerate(names)}}


def other_step(netlist, case, grid, stop):
    """(factor, result) with another step; ngspice does not come through with every one."""
    for factor in (2, 1.5, 0.7):
        try:
            return factor, run(netlist, case, grid, stop, case["max_step"] * factor)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"  with {factor} times the step: {str(error)[-60:]!r}", flush=True)
    raise RuntimeError("no second run for the check of convergence")


def make(folder):
    case = tomllib.loads((folder / "case.toml").read_text())
    plant = tomllib.loads((folder / "plant.toml").read_text())
    stop, grid = seconds(plant["plant"]["duration"]), seconds(next(iter(plant["record"])))
    netlist = expand((folder / "circuit.cir").read_text(), stop)
    fine = run(netlist, case, grid, stop, case["max_step"])
    factor, coarse = other_step(netlist, case, grid, stop)
    shape, cycles = (max(values.values(), default=0.0) for values in (judge.shape(case, coarse, fine), judge.cycles(case, coarse, fine)))
    version = re.search(r"ngspice-\d+", subprocess.run(["ngspice", "--version"], capture_output=True, text=True).stdout)[0]
    head = (f"# {version}, method gear 2, steps <= {case['max_step'] * 1e9:g} ns, by make_references.py from circuit.cir; with {factor} times the step: "
            f"shape {shape:.1e}, cycles {cycles:.1e}\n")
    rows = "".join(",".join([f"{fine['time'][k]:.9g}"] + [f"{fine[name][k]:.7g}" for name in case["signals"]]) + "\n" for k in range(len(fine["time"])))
    (folder / "reference.csv").write_text(head + ",".join(fine) + "\n" + rows)
    size = (folder / "reference.csv").stat().st_size
    return f"{folder.name:28} with {factor} times the step: shape {shape:.1e}, cycles {cycles:.1e}; {size / 1000:.0f} kB"


def make_plant(folder, signals, stop, grid, max_step, options="", signs=9):
    """reference.csv of a plant of config/plants from its circuit.cir; signals: {"path [unit]": expression of ngspice}."""
    case = {"signals": signals, "options": options, "max_step": max_step}
    netlist = expand((folder / "circuit.cir").read_text(), stop)
    fine = run(netlist, case, grid, stop, max_step)
    factor, coarse = other_step(netlist, case, grid, stop)
    worst = max(judge.shape({}, coarse, fine).values())
    rows = "".join(",".join([f"{time:.9g}"] + [f"{fine[name][k]:.{signs}g}" for name in signals]) + "\n" for k, time in enumerate(fine["time"]))
    head = f"# ngspice, method gear 2, steps <= {max_step * 1e9:g} ns, from circuit.cir; with {factor} times the step: {worst:.1e}\n"
    (folder / "reference.csv").write_text(head + "time [s]," + ",".join(signals) + "\n" + rows)
    print(f"{folder.name}: with {factor} times the step {worst:.1e}")


def main():
    folders = [HERE / "cases" / name for name in sys.argv[1:]] or sorted(path.parent for path in HERE.glob("cases/*/circuit.cir"))
    if shutil.which("ngspice") is None:
        sys.exit("ngspice is not installed")
    for folder in folders:
        print(make(folder), flush=True)


if __name__ == "__main__":
    main()
