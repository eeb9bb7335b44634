"""What the tests of `takt import modelica` share: a flat model is imported, as JSON and as text, and compared with closed solutions."""
import csv
import difflib
import json
import math
import subprocess

from base_modelica import base_modelica
from built_plants import takt_and_work

takt, work = takt_and_work()
failed = []


def expect(what, holds, seen=""):
    failed.extend([what] if not holds else [])
    print("ok  " if holds else "FAIL", what, seen if not holds else "", flush=True)


def do(*command):
    done = subprocess.run([takt, *map(str, command)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def imported(name, flat, *more):
    file = work / f"{name}.flat.json"
    file.write_text(json.dumps(flat))
    return do("import", "modelica", file, "--out", work / name, *more)


def as_text(name, flat, *more):
    """The same model as Base Modelica text. -> exit code, what was said, whether the plant is the same"""
    file, folder = work / f"{name}.bmo", work / f"{name}_of_text"
    file.write_text(base_modelica(flat))
    code, said = do("import", "modelica", file, "--out", folder, *more)
    if code:
        return code, said, False
    lines = [[line for line in (each / "plant.toml").read_text().splitlines() if not line.startswith(("# Made by", "title =", "source ="))] for each in (work / name, folder)]
    return code, said + "\n".join(difflib.unified_diff(*lines, lineterm="", n=0)), lines[0] == lines[1]


def signals(folder):
    with open(folder / "signals.csv", newline="") as file:
        rows = list(csv.reader(file))
    names = [name.split(" [")[0] for name in rows[0]]
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(names)}


def solved(name, flat, *more):
    """-> values over time by the names of Modelica, by the reference solver"""
    code, said = imported(name, flat, "--duration", "1 s", "--every", "100 ms", *more)
    if code:
        return None, said
    status, told, same = as_text(name, flat, "--duration", "1 s", "--every", "100 ms", *more)
    expect("as text: " + name, status == 0 and same, told)
    code, said = do("reference", work / name, "--out", work / name / "reference", "--rtol", "1e-10")
    if code:
        return None, said
    return named(name, signals(work / name / "reference")), said


def named(name, found):
    variables = json.loads((work / name / "import.json").read_text())["variables"]
    made = {"time": found["time"]}
    for variable, entry in variables.items():
        if "value" in entry:
            made[variable] = [entry["value"]] * len(found["time"])
        elif entry.get("signal") in found:
            made[variable] = [entry.get("sign", 1) * value for value in found[entry["signal"]]]
    return made


def holds(what, flat, *more, name=None, tolerance=1e-6, **wanted):
    """wanted: a function of time for each variable"""
    name = name or what.replace(" ", "_").replace(",", "")
    found, said = solved(name, flat, *[word for variable in [*wanted, *more] for word in ("--record", variable.replace("__", "."))])
    if found is None:
        return expect(what, False, said)
    worst = max((abs(value - function_(t)), variable, t) for variable, function_ in wanted.items()
                for t, value in zip(found["time"], found.get(variable.replace("__", "."), [math.nan] * len(found["time"]))))
    expect(what, worst[0] <= tolerance, worst)


def runs(what, flat, tolerance=1e-5, **wanted):
    """As holds, of the plant that is run; wanted: functions of time, or None where the reference solver tells."""
    name = what.replace(" ", "_").replace(",", "")
    found, said = solved(name, flat, *[word for variable in wanted for word in ("--record", variable)])
    if found is None:
        return expect(what, False, said)
    code, said = do("run", work / name, "--pace", "free", "--out", work / name / "run")
    rows = named(name, signals(work / name / "run")) if code == 0 else {"time": []}
    worst = max((abs(value - (function_(t) if function_ else found[variable][k])), variable, t) for variable, function_ in wanted.items()
                for k, (t, value) in enumerate(zip(rows["time"], rows[variable]))) if rows["time"] else (math.inf, said)
    expect(what, code == 0 and worst[0] <= tolerance, worst)


def refused(what, flat, code, *words):
    name = "refused_" + what.replace(" ", "_").replace(",", "")
    status, said = imported(name, flat)
    if code != "D009":  # the text does not count
        status_of_text, told, _ = as_text(name, flat)
        expect("refused as text: " + what, status_of_text == 1 and f"[{code}]" in told and not (work / f"{name}_of_text").exists(), told)
    expect("refused: " + what, status == 1 and f"[{code}]" in said and all(word in said for word in words) and not (work / name).exists(), said)
