#!/usr/bin/env python3
"""`takt import modelica` and `takt run` of classes in Modelica, by way of the front end rumoca: classes of our own against closed solutions, tables among them; a
front end that is missing, refuses, fails or does not end is told by name, and nothing is written then."""
import csv
import json
import math
import os
import shutil
import subprocess
import sys

from built_plants import takt_and_work

takt, work = takt_and_work()
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "modelica")
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "", flush=True)


def do(*command, **environment):
    done = subprocess.run([takt, *map(str, command)], capture_output=True, text=True, env={**os.environ, **environment}, cwd=work)
    return done.returncode, done.stdout + done.stderr


def solved(name, *source, run=False):
    """-> values over time by the names of Modelica, by the reference solver, or by a run"""
    code, said = do("import", "modelica", *source, "--out", name, "--every", "50 ms")
    if code == 0:
        how = ["run", name, "--pace", "free"] if run else ["reference", name, "--rtol", "1e-10"]
        code, said = do(*how, "--out", f"{name}/results")
    if code:
        expect(name, False, said)
        return {"time": []}
    return named(name, "results")


def named(name, results):
    with open(work / name / results / "signals.csv", newline="") as file:
        rows = list(csv.reader(file))
    found = {title.split(" [")[0]: [float(row[k]) for row in rows[1:]] for k, title in enumerate(rows[0])}
    variables = json.loads((work / name / "import.json").read_text())["variables"]
    made = {variable: [entry.get("sign", 1) * value for value in found[entry["signal"]]] for variable, entry in variables.items() if entry.get("signal") in found}
    constants = {variable: [entry["value"]] * len(found["time"]) for variable, entry in variables.items() if "value" in entry}
    return {"time": found["time"], **made, **constants}


def holds(what, found, tolerance=1e-6, **wanted):
    for variable, function in wanted.items():
        values = found.get(variable, [])
        worst = max((abs(value - function(t)) for t, value in zip(found["time"], values)), default=math.nan)
        expect(f"{what}: {variable}", worst <= tolerance, worst)


heater, tables = os.path.join(MODELS, "Heater.mo"), os.path.join(MODELS, "Tables.mo")
code, said = do("import", "modelica", heater, "--class", "Heater.Room", "--out", "absent", TAKT_MODELICA_PYTHON=sys.executable)
if "[D041]" not in said:
    expect("a Python without rumoca is told", False, said)
expect("a front end that is not there is told, with its cure", code == 1 and "[D041]" in said and "install_packages.sh modelica" in said and not (work / "absent").exists(), said)
code, said = do("import", "modelica", heater, "--class", "Heater.Room", "--out", "absent", TAKT_MODELICA_PYTHON="/nowhere/python")
expect("a Python that is not there is told", code == 1 and "[D041]" in said, said)
for what, ends, wanted in (("that fails", "echo broken; exit 7", "[D044]"), ("that is killed", "kill -KILL $$", "[D044]"), ("that does not end", "kill -ALRM $$", "[D042]"),
                           ("of another version", "echo 0.9; exit 41", "0.9")):
    (work / "python").write_text(f"#!/bin/sh\n{ends}\n")
    os.chmod(work / "python", 0o755)
    code, said = do("import", "modelica", heater, "--class", "Heater.Room", "--out", "absent", TAKT_MODELICA_PYTHON=str(work / "python"))
    expect(f"a front end {what} is told", code == 1 and wanted in said and not (work / "absent").exists(), said)
code, said = do("import", "modelica", heater, "--class", "Heater.Room; end", "--out", "absent")
expect("what is no name of a class is refused", code == 2 and "--class" in said, said)

code, said = do("import", "modelica", heater, "--class", "Heater.Room", "--out", "room")
if "[D041]" in said:
    print("skipped: rumoca is not there (tools/install_packages.sh modelica)")
    sys.exit(1 if failures else 77)
expect("a class of a file is imported", code == 0, said)
plant = (work / "room/plant.toml").read_text() if code == 0 else ""
expect("its experiment says how long it runs", 'duration = "2 s"' in plant, plant[:400])
entry = json.loads((work / "room/import.json").read_text())["variables"]["T"] if plant else {}
expect("names and descriptions are kept", entry.get("description") == "temperature of the room", entry)
warms = {"T": lambda t: 300 + 20 * (1 - math.exp(-0.2 * t))}
holds("a class", solved("of_file", heater, "--class", "Heater.Room"), **warms)

library = work / "library/Heater"
library.mkdir(parents=True)
shutil.copy(heater, library / "package.mo")
holds("a class of a library", solved("of_library", "Heater.Room", "--path", library.parent), **warms)
code, said = do("import", "modelica", "Heater.Room", "--out", "by_environment", MODELICAPATH=str(library.parent))
expect("MODELICAPATH names libraries", code == 0, said)
code, said = do("import", "modelica", "Heater.Room", "--path", "nowhere")
expect("a library that is not there is told", code == 1 and "[D043]" in said and "nowhere" in said, said)

(work / "Decay.mo").write_text("model Decay\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\n  annotation (experiment(StopTime = 0.5));\nend Decay;\n")
code, said = do("run", "Decay.mo", "--pace", "free", "--out", "decay")
expect("takt run MODEL.mo", code == 0, said)
rows = list(csv.reader(open(work / "decay/signals.csv"))) if code == 0 else [["0", "0"]]
expect("it runs to the end of its experiment, and right", abs(float(rows[-1][0]) - 0.5) < 1e-9 and abs(float(rows[-1][1]) - math.exp(-0.5)) < 1e-4, rows[-1])

code, said = do("import", "modelica", heater, "--out", "absent")
expect("of several classes one must be named", code == 1 and "[D043]" in said and "--class" in said, said)
(work / "Broken.mo").write_text("model Broken\n  Real x;\nequation\n  der(x) = y;\nend Broken;\n")
code, said = do("import", "modelica", "Broken.mo", "--out", "absent")
expect("what the front end refuses is told in its words", code == 1 and "[D043]" in said and "y" in said and not (work / "absent").exists(), said)
code, said = do("import", "modelica", heater, "--class", "Heater.Jumps", "--out", "absent")
line = open(heater).read().split("\n").index("    y = floor(x);") + 1
expect("what the import refuses is told with the line in Modelica", code == 1 and f"Heater.mo:{line}:5: error[D022]" in said, said)

saw = lambda t: (t // 0.3) * 0.15 + (t % 0.3)**2 / 0.6
late = lambda t: 2 * max(t - 0.37, 0)
stairs = lambda t: min(t, 0.21) + 4 * min(max(t - 0.21, 0), 0.34) + 2 * max(t - 0.55, 0)
line = lambda t: t + t * t / 0.6 if t < 0.3 else 0.45 + (2 * (t - 0.3) - 5 * (t - 0.3)**2 if t < 0.5 else 0.2)
found = solved("of_time", tables, "--class", "Tables.OfTime", run=True)
holds("a table of the time", found, 1e-5, **{"x[1]": line, "x[2]": lambda t: t + t * t, "x[3]": lambda t: t + 2 * max(t - 0.25, 0), "x[4]": stairs, "x[5]": saw, "x[6]": late})
inner = lambda u: 1 + 2 * u if u < 1 else 2 + u
found = solved("of_variables", tables, "--class", "Tables.OfVariables", "--record", "y[1]", "--record", "y[2]")
holds("a table of a variable", found, **{"y[1]": lambda t: inner(min(max(3 - 5 * t, 0), 2)), "y[2]": lambda t: inner(3 - 5 * t), "y[3]": lambda t: 2})
code, said = do("import", "modelica", tables, "--class", "Tables.OfFile", "--out", "absent")
expect("a table in a file is refused", code == 1 and "file" in said and not (work / "absent").exists(), said)

# A class that is no plant by itself: its connector is open.
code, said = do("import", "modelica", heater, "--class", "Heater.Body", "--flat", "body.flat.json")
expect("--flat without --out writes the flat model alone", code == 0 and (work / "body.flat.json").exists() and not (work / "Body").exists(), said)
(work / "joined.toml").write_text("""
[plant]
duration = "2 s"
[model]
body.file = "body.flat.json"
body.at   = { port = "solid.core" }
[solid]
air  = { is = "temperature_boundary", t = "280 K" }
skin = { is = "thermal_resistance", at = ["core", "air"], r = "0.5 K/W" }
[record]
"50 ms" = ["solid.skin.h"]
""")
code, said = do("reference", "joined.toml", "--rtol", "1e-10", "--out", "joined")
rows = list(csv.reader(open(work / "joined/signals.csv", newline=""))) if code == 0 else [[], ["nan", "nan"]]
worst = max(abs(float(row[1]) - 40 * math.exp(-float(row[0]) / 5)) for row in rows[1:])
expect("a class in Modelica joins a circuit of Takt at its connector", worst < 1e-6, (worst, said))

# A library whose search by a while loop the front end does not take: it is given one with a loop over segments. The interface is that of the standard library.
math_package = work / "library/Modelica/Math/package.mo"
os.makedirs(math_package.parent)
(math_package.parents[1] / "package.mo").write_text("package Modelica\nend Modelica;\n")
math_package.write_text("""within Modelica;
package Math
  package Vectors
    function interpolate
      input Real x[:];
      input Real y[size(x, 1)];
      input Real xi;
      input Integer iLast = 1;
      output Real yi;
      output Integer iNew = 1;
    protected
      Integer i;
      Integer nx = size(x, 1);
    algorithm
      if nx == 1 then
        yi := y[1];
      else
        i := 1;
        while i < nx and xi >= x[i] loop
          i := i + 1;
        end while;
        i := max(1, i - 1);
        yi := y[i] + (y[i + 1] - y[i])*(xi - x[i])/(x[i + 1] - x[i]);
        iNew := i;
      end if;
    end interpolate;
  end Vectors;
end Math;
""")
(work / "Curve.mo").write_text("""model Curve
  Real x(start = 0, fixed = true);
  Real y;
equation
  der(x) = 5;
  y = Modelica.Math.Vectors.interpolate({0, 1, 3}, {1, 2, 0}, x - 0.5, 1);
end Curve;
""")
curve = solved("curve", "Curve.mo", "--path", work / "library", "--record", "y")
holds("a search by while", curve, y=lambda t: 1 + (5 * t - 0.5) if 5 * t - 0.5 < 1 else 2 - (5 * t - 1.5))
expect("the library is as it was", "while i < nx" in math_package.read_text() and sorted(os.listdir(math_package.parents[1])) == ["Math", "package.mo"])
(work / "Bad.mo").write_text("model Bad\n  Real y = Modelica.Math.Vectors.interpolate({0, 1}, {1, 2}, missing, 1);\nend Bad;\n")
code, said = do("import", "modelica", "Bad.mo", "--path", work / "library", "--out", "bad")
expect("a refusal names files of the library that was given", code != 0 and "library0" not in said, said)

raise SystemExit(failures > 0)
