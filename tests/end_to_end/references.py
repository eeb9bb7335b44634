"""Reference solutions of the end-to-end cases: ngspice (run here or stored), results of the Modelica Standard Library, closed solutions.

solve(case, folder, times, work) -> {signal: values at times} (with "time" where it has times of its own); raises Missing where the material is not there."""
import csv
import os
import pathlib
import re
import shutil
import subprocess

import numpy as np

import closed
import closed_events
import closed_flows


class Missing(Exception):
    """ngspice or the reference results are not on this machine: skip, do not pass."""


def columns(path):
    """CSV with one header line -> {name: values}; empty cells become NaN, lines with # are left out."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    values = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows[1:]])
    return {name: values[:, index] for index, name in enumerate(rows[0])}


def ngspice(case, folder, times, work):
    """Runs netlist.cir with tight tolerances; its own small step bounds the error of the linear interpolation."""
    program = shutil.which("ngspice")
    if program is None:
        raise Missing("ngspice is not installed")
    names = list(case["signals"])
    lets = "".join(f"let out{index} = {case['signals'][name]}\n" for index, name in enumerate(names))
    vectors = " ".join(f"out{index}" for index in range(len(names)))
    output = work / "ngspice.txt"
    netlist = (folder / "netlist.cir").read_text()
    netlist += (".options reltol=1e-7 abstol=1e-13 vntol=1e-10 chgtol=1e-18 method=trap\n.control\nrun\nset wr_singlescale\nset numdgt=15\n"
                f"{lets}wrdata {output} {vectors}\nquit 0\n.endc\n.end\n")
    deck = work / "deck.cir"
    deck.write_text(netlist)
    done = subprocess.run([program, "-b", str(deck)], capture_output=True, text=True, timeout=300, cwd=work)
    if not output.exists():
        raise RuntimeError("ngspice gave no result:\n" + done.stdout[-2000:] + done.stderr[-2000:])
    table = np.loadtxt(output)
    return {name: np.interp(times, table[:, 0], table[:, index + 1]) for index, name in enumerate(names)}


def unwrapped(table, block):
    """Integral from 0 on of the input of a Modelica.Blocks.Math.Mean, whose own integral `x` starts anew each period, at rows with two values."""
    x = table[block + ".x"]
    resets = (np.diff(table["time"]) == 0) & (np.diff(x) != 0)
    return x + np.concatenate([[0.0], np.cumsum(np.where(resets, -np.diff(x), 0.0))])


def msl(case, _folder, times, _work):
    """Results of the Modelica Association's reference runs. A signal is [number](+|-)column, or integral:block of a Mean."""
    shared = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", ""))
    model = case["model"]
    path = shared / "modelica" / "msl" / model / (model.rsplit(".", 1)[1] + ".csv")
    if not os.environ.get("TAKT_SHARED_DATA") or not path.exists():
        raise Missing("no Modelica reference results (TAKT_SHARED_DATA)")
    table = columns(path)
    result = {}
    for name, text in case["signals"].items():
        if text.startswith("integral:"):
            result[name] = np.interp(times, table["time"], unwrapped(table, text.removeprefix("integral:")))
            continue
        number, sign, column = re.fullmatch(r"([\d.]+)?([+-])?([A-Za-z_].*)", text).groups()
        values = np.interp(times, table["time"], table[column])
        result[name] = float(number or 0) + (-values if sign == "-" else values)
    return result


def stored(folder):
    """reference.csv of the case, made by make_references.py; its own times."""
    return columns(folder / "reference.csv")


def solve(case, folder, times, work):
    if case["reference"] == "file":
        return stored(folder)
    if case["reference"] == "ngspice":
        return ngspice(case, folder, times, work)
    if case["reference"] == "msl":
        return msl(case, folder, times, work)
    module = next(module for module in (closed, closed_events, closed_flows) if hasattr(module, folder.name))
    return getattr(module, folder.name)(times)
