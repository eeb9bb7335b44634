#!/usr/bin/env python3
"""`takt fmu run` and `takt fmu test` with FMUs made here from tests/runtime/fmu/toy2.c, toy3.c, stiff2.c and rod2.c.

fmu_toys_test.py TAKT TOY2.so TOY3.so STIFF2.so ROD2.so FOLDER    1 where a verdict, message or number is not what is expected

No time is judged but that of a step that sleeps.
"""
import csv
import json
import math
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile

takt, folder = sys.argv[1], pathlib.Path(sys.argv[6])
failures = []

TOY2 = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="toy2" guid="{toy2}" numberOfEventIndicators="0">
 <ModelExchange modelIdentifier="toy2" canGetAndSetFMUstate="true" canSerializeFMUstate="true" providesDirectionalDerivative="true"/>
 <CoSimulation modelIdentifier="toy2" canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
 <UnitDefinitions><Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit><Unit name="1/s"><BaseUnit s="-1"/></Unit></UnitDefinitions>
 <TypeDefinitions><SimpleType name="Fault"><Enumeration>%s</Enumeration></SimpleType></TypeDefinitions>
 <DefaultExperiment startTime="0" stopTime="1" stepSize="0.001"/>
 <ModelVariables>
  <ScalarVariable name="x" valueReference="0" causality="output" initial="exact"><Real start="1" unit="degC"/></ScalarVariable>
  <ScalarVariable name="der(x)" valueReference="1"><Real derivative="1"/></ScalarVariable>
  <ScalarVariable name="u" valueReference="2" causality="input"><Real start="0" unit="degC"/></ScalarVariable>
  <ScalarVariable name="k" valueReference="3" causality="parameter" variability="tunable"><Real start="1" unit="1/s" min="0"/></ScalarVariable>
  <ScalarVariable name="count" valueReference="0" variability="discrete" causality="output"><Integer/></ScalarVariable>
  <ScalarVariable name="fault" valueReference="1" variability="fixed" causality="parameter"><Enumeration declaredType="Fault" start="1"/></ScalarVariable>
  <ScalarVariable name="positive" valueReference="0" variability="discrete" causality="output"><Boolean/></ScalarVariable>
  <ScalarVariable name="name" valueReference="0" variability="fixed" causality="parameter"><String start="toy"/></ScalarVariable>
 </ModelVariables>
 <ModelStructure><Outputs><Unknown index="1"/><Unknown index="5"/><Unknown index="7"/></Outputs><Derivatives><Unknown index="2"/></Derivatives>
 <InitialUnknowns><Unknown index="2"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>
"""
FAULTS = ["none", "leak", "sleep", "crash", "discard", "error", "fatal", "hang", "random", "not_a_number", "round_up", "open_file", "quit", "fork", "detach", "stray_logger", "finish", "own_names", "resource", "where"]

ITEMS = "".join(f'<Item name="{name}" value="{k + 1}"/>' for k, name in enumerate(FAULTS))

TOY3 = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="toy3" instantiationToken="{toy3}">
 <ModelExchange modelIdentifier="toy3" canGetAndSetFMUState="true" canSerializeFMUState="true" needsCompletedIntegratorStep="true"/>
 <CoSimulation modelIdentifier="toy3" canHandleVariableCommunicationStepSize="true" hasEventMode="true" mightReturnEarlyFromDoStep="true" canReturnEarlyAfterIntermediateUpdate="true" canGetAndSetFMUState="true" canSerializeFMUState="true"/>
 <UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit></UnitDefinitions>
 <TypeDefinitions><EnumerationType name="Surface"><Item name="ice" value="1"/><Item name="wood" value="2"/></EnumerationType></TypeDefinitions>
 <DefaultExperiment startTime="0" stopTime="1" stepSize="0.01"/>
 <ModelVariables>
  <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
  <Float64 name="h" valueReference="1" causality="output" variability="continuous" initial="exact" start="1" unit="m"/>
  <Float64 name="v" valueReference="2" causality="output" variability="continuous" initial="exact" start="0"/>
  <Float64 name="der(h)" valueReference="3" variability="continuous" initial="calculated" derivative="1"/>
  <Float64 name="der(v)" valueReference="4" variability="continuous" initial="calculated" derivative="2"/>
  <Float64 name="e" valueReference="5" causality="parameter" variability="fixed" start="0.7"/>
  <Float64 name="gains" valueReference="6" causality="parameter" variability="fixed" start="1 2 3"><Dimension start="3"/></Float64>
  <Float64 name="scaled" valueReference="7" causality="output" variability="continuous"><Dimension start="3"/></Float64>
  <Int32 name="ticks" valueReference="8" causality="output" variability="discrete"/>
  <Boolean name="marked" valueReference="9" causality="output" variability="discrete"/>
  <Enumeration name="surface" valueReference="10" causality="parameter" variability="fixed" declaredType="Surface" start="2"/>
  <String name="name" valueReference="11" causality="parameter" variability="fixed"><Start value="ball"/></String>
  <Int8 name="small" valueReference="12" causality="parameter" variability="fixed" start="-3"/>
 </ModelVariables>
 <ModelStructure>
  <Output valueReference="1"/><Output valueReference="2"/><Output valueReference="7"/><Output valueReference="8"/><Output valueReference="9"/>
  <ContinuousStateDerivative valueReference="3"/><ContinuousStateDerivative valueReference="4"/>
  <InitialUnknown valueReference="3"/><InitialUnknown valueReference="4"/><InitialUnknown valueReference="7"/>
  <EventIndicator valueReference="1"/>
 </ModelStructure>
</fmiModelDescription>
"""

STIFF2 = (pathlib.Path(__file__).resolve().parents[1] / "runtime/fmu/stiff2.xml").read_text()


def make(name, library, description, file=None):
    two = name.endswith("2")
    place = "linux64" if two and platform.machine() == "x86_64" else f"{platform.machine()}-linux"
    path = folder / f"{file or name}.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, f"binaries/{place}/{name}.so")
        archive.writestr("resources/value.txt", "42.5\n")
    return str(path)


def run(*arguments):
    return subprocess.run([takt, "fmu", *arguments], capture_output=True, text=True, timeout=300)


def check(what, condition, seen=""):
    if not condition:
        failures.append(f"{what}: {seen}")


def signals(fmu, *arguments):
    """-> {name with unit, where it has one: values} of a run"""
    out = folder / "run"
    done = run("run", fmu, "--out", str(out), *arguments)
    check(f"run {arguments}", done.returncode == 0, done.stderr)
    with open(out / "signals.csv", newline="") as lines:
        rows = list(csv.reader(lines))
    return {head.removesuffix(" [1]"): [float(row[k]) for row in rows[1:]] for k, head in enumerate(rows[0])}


def runs(toy2, toy3):
    # x_n = (1 - k h)^n by Euler in the FMU; by our methods to their order
    x = signals(toy2, "--kind", "cs", "--set", "k=2", "--for", "0.5")["x [degC]"]
    check("co-simulation", abs(x[-1] - 0.998 ** 500) < 1e-12, x[-1])
    x = signals(toy2, "--kind", "me", "--set", "k=2 1/s", "--for", "0.5", "--step", "0.01")["x [degC]"]
    check("model exchange, rk4", abs(x[-1] - math.exp(-1)) < 1e-9, x[-1])
    x = signals(toy2, "--set", "x=300 K", "--for", "0.001")["x [degC]"]
    check("a start value in another unit", abs(x[0] - 26.85) < 1e-9, x[0])
    table = folder / "u.csv"
    table.write_text("time [s],u\n0,0\n0.5,0\n0.5,1\n1,1\n")
    for step in ("0.01", "0.03"):
        found = signals(toy2, "--kind", "me", "--input", str(table), "--step", step, "--set", "x=0")
        want = 1 - math.exp(-0.5)
        check(f"a jump of an input, step {step}", abs(found["x [degC]"][-1] - want) < 1e-8, found["x [degC]"][-1] - want)

    for kind in ("me", "cs"):
        found = signals(toy3, "--kind", kind, "--set", "gains[2]=5", "--set", "surface=ice", "--set", "name=rubber")
        t1 = math.sqrt(2 / 9.81)
        t, v = t1, 9.81 * t1
        while True:
            v *= 0.7
            if t + 2 * v / 9.81 > 1:
                break
            t += 2 * v / 9.81
        h = v * (1 - t) - 0.5 * 9.81 * (1 - t) ** 2
        check(f"height of the ball, {kind}", abs(found["h [m]"][-1] - h) < 1e-9, found["h [m]"][-1] - h)
        check(f"an element of an array, {kind}", abs(found["scaled[2]"][-1] - 5 * h) < 1e-8 and abs(found["scaled[3]"][-1] - 3 * h) < 1e-8, found["scaled[2]"][-1])
        if kind == "me":
            check("ticks", found["ticks"][-1] == 10 and found["marked"][-1] == 1, found["ticks"][-1])
    compare = subprocess.run([takt, "compare", str(folder / "run"), str(folder / "run"), "--limit", "1e-12"], capture_output=True, text=True)
    check("takt compare reads a run", compare.returncode == 0, compare.stderr)


def refusals(toy2, toy3):
    """Wrong use: exit code 2 or 1, a message that says what would do, nothing written."""
    out = folder / "nothing"
    wrong = [
        (toy2, ["--set", "nothing=1"], 2, "no such variable"), (toy2, ["--set", "k=5 kg"], 2, "measures something else"),
        (toy2, ["--set", "k=-1"], 2, "not between"), (toy2, ["--set", "fault=fire"], 2, "one of none, leak"),
        (toy2, ["--set", "count=1"], 2, "calculates it"), (toy2, ["--set", "k"], 2, "name=value"),
        (toy2, ["--output", "zzz"], 2, "no such variable"), (toy2, ["--output", "name"], 2, "not recorded"),
        (toy2, ["--kind", "cs", "--method", "rk4"], 2, "its own solver"), (toy2, ["--step", "0"], 2, "above 0"),
        (toy3, ["--set", "small=300"], 1, "setting small"), (toy3, ["--set", "small=1.5"], 1, "not a whole number"),
        (toy3, ["--set", "gains=1,2"], 2, "2 values for 3"), (toy2, ["--input", "nothing.csv"], 2, "nothing.csv"),
    ]
    for fmu, arguments, code, message in wrong:
        done = run("run", fmu, "--out", str(out), *arguments)
        check(f"run {arguments}", done.returncode == code and message in done.stderr, f"{done.returncode} {done.stderr}")
    check("nothing is written", not out.exists(), list(out.glob("*")) if out.exists() else "")
    for text, message in (("u\n1\n", "must be 'time"), ("time,zz\n0,1\n", "no input"), ("time,u\n0,one\n", ":2:3: 'one' is not"), ("time,u\n1,1\n0,1\n", ":3:1: time goes back")):
        (folder / "wrong.csv").write_text(text)
        done = run("run", toy2, "--out", str(out), "--input", str(folder / "wrong.csv"))
        check(f"input {text!r}", done.returncode == 1 and message in done.stderr, done.stderr)


def kinds():
    """What dimensions do not tell apart: turns and radians, a temperature and a difference of two."""
    text = TOY2.replace('<Unit name="1/s"><BaseUnit s="-1"/>', '<Unit name="rad/s"><BaseUnit s="-1" rad="1"/>').replace('unit="1/s"', 'unit="rad/s"') \
        .replace('causality="input"><Real start="0" unit="degC"/>', 'causality="input"><Real start="0" unit="degC" relativeQuantity="true"/>')
    fmu = make("toy2", sys.argv[2], text % ITEMS, "kinds")
    for given, message in (("k=50 Hz", "its unit is rad/s; "), ("u=5 degC", "it is a difference of temperatures; ")):
        done = run("run", fmu, "--kind", "cs", "--set", given, "--out", str(folder / "nothing"))
        check(f"--set {given}", done.returncode == 2 and message in done.stderr, f"{done.returncode} {done.stderr}")
    x = signals(fmu, "--kind", "cs", "--set", "k=3000 rpm", "--for", "0.002")["x [degC]"]
    check("rpm of an angular velocity", abs(x[1] - (1 - math.pi / 10)) < 1e-12, x)
    x = signals(fmu, "--kind", "cs", "--set", "x=0", "--set", "u=5 K")["x [degC]"]
    check("K of a difference", abs(x[-1] - 5 * (1 - 0.999 ** 1000)) < 1e-9, x[-1])


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def becomes(condition):
    """Within 10 s."""
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


def hosted(toy2):
    """However an FMU ends, `takt fmu run` says how, ends itself with exit code 1, and keeps what was recorded before."""
    for fault, message in (("crash", "crashed (SIGSEGV) at step 1000"), ("quit", "ended the process it runs in (exit code 0) at step 1000"), ("hang", "hung at step 1000"),
                           ("not_a_number", "at 1.001 s: x is not finite"), ("discard", "at 1 s: DoStep: Discard: the FMU says: cannot go on at step 1000"),
                           ("error", "DoStep: Error: the FMU says: has an error"), ("fatal", "DoStep: Fatal: the FMU says: is broken"), ("fork", "copies the process it runs in (fork)")):
        out = folder / f"run_{fault}"
        shutil.rmtree(out, ignore_errors=True)
        done = run("run", toy2, "--kind", "cs", "--for", "2", "--patience", "2s", "--set", f"fault={fault}", "--out", str(out))
        check(f"{fault}: exit code 1 by name", done.returncode == 1 and message in done.stderr, f"{done.returncode} {done.stderr}")
        rows = list(csv.reader((out / "signals.csv").open())) if (out / "signals.csv").exists() else []
        finite = [row for row in rows[1:] if not math.isnan(float(row[1]))]
        least, most = (2, 2002) if fault == "fork" else (1001, 1001)  # when a copy is seen is up to the system
        check(f"{fault}: what was recorded is kept", least <= len(finite) <= most and all(len(row) == len(rows[0]) for row in rows), len(rows))
        check(f"{fault}: and nothing else is there", sorted(one.name for one in out.iterdir() if not one.name.startswith(".")) == ["report.html", "signals.csv"], list(out.iterdir()))
    done = run("run", toy2, "--kind", "cs", "--for", "2", "--json", "--set", "fault=crash", "--out", str(folder / "run"))
    found = json.loads(done.stdout)
    check("a crash for machines", found["ok"] is False and "SIGSEGV" in found["problem"] and abs(found["reached_s"] - 1) < 1e-9, found)

    done = run("run", toy2, "--kind", "cs", "--for", "2", "--set", "fault=finish", "--out", str(folder / "run"))
    check("an FMU that ends the simulation", done.returncode == 0 and "the FMU ended the simulation at 1 s: has reached its goal at step 1000" in done.stdout, done.stdout + done.stderr)
    done = run("run", toy2, "--kind", "cs", "--set", "fault=stray_logger", "--logging", "--out", str(folder / "run"))
    check("a logger's pointer is not trusted", done.returncode == 0 and done.stderr.count("not the environment it was given") == 1 and "Warning: astray at step 20" in done.stderr, done.stderr)
    x = signals(toy2, "--kind", "cs", "--for", "0.01", "--set", "fault=own_names")["x [degC]"]
    check("an FMU finds its own names before those of the C library", abs(x[-1] - 42) < 1, x)
    where = folder / "where"
    signals(toy2, "--kind", "cs", "--for", "0.01", "--set", "fault=where", "--set", f"name={where}")
    check("an FMU runs in the host", where.read_text().endswith("/takt-fmu-host"), where.read_text())

    nasty = folder / "a b;c\"d'e\\f$g#h?i%41j\u00fc&k"
    nasty.mkdir(exist_ok=True)
    done = subprocess.run([takt, "fmu", "run", toy2, "--kind", "cs", "--for", "0.01", "--set", "fault=resource", "--set", "k=0", "--out", str(nasty / "run")], capture_output=True,
                          text=True, env=os.environ | {"TMPDIR": str(nasty)})
    check("resources are found below any folder", done.returncode == 0 and "x = 42.5 degC" in done.stdout, done.stdout + done.stderr)

    limited = make("toy2", sys.argv[2], TOY2.replace('<Real start="1" unit="degC"/>', '<Real start="1" max="1.5" unit="degC"/>') % ITEMS, "limited")
    table = folder / "high.csv"
    table.write_text("time [s],u\n0,2\n1,2\n")
    for fmu, code in ((toy2, 0), (limited, 1)):
        done = run("run", fmu, "--kind", "cs", "--set", "k=5", "--input", str(table), "--out", str(folder / "run"))
        check(f"ranges that an FMU declares: {code}", done.returncode == code and ("leaves the range that the FMU declares: at most 1.5 degC" in done.stderr) == (code == 1), done.stderr)

    said = " ".join(run("run", "--help").stdout.split())
    check("the help tells of it", "leave the range (min, max) that it declares" in said, said)

    # What an FMU starts ends with it, and with takt, however that ends.
    child = folder / "child"
    for how in ("its end", "kill -9"):
        child.unlink(missing_ok=True)
        duration = "1" if how == "its end" else "1e6"
        started = subprocess.Popen([takt, "fmu", "run", toy2, "--kind", "cs", "--for", duration, "--step", "1ms", "--set", "fault=detach", "--set", f"name={child}", "--out", str(folder / "run")],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check(f"{how}: the FMU has started a process", becomes(lambda: child.exists() and child.read_text().endswith("\n")))
        pid = int(child.read_text())
        if how == "kill -9":
            started.send_signal(signal.SIGKILL)
        said = started.communicate()[0]
        check(f"{how}: as usual", (started.returncode == 0) == (how == "its end"), said)
        check(f"{how}: no process of the FMU stays", becomes(lambda: not is_alive(pid)), pid)


def stiff():
    """A step that is not stable is refused with the largest that is; an implicit method carries it, and is what auto takes."""
    for can in ("", 'providesDirectionalDerivative="true"'):
        fmu = make("stiff2", sys.argv[4], STIFF2.replace('modelIdentifier="stiff2"', 'modelIdentifier="stiff2" ' + can))
        out = folder / "run"
        done = run("run", fmu, "--method", "rk4", "--out", str(out))
        limit = 2.785293563405282 / 1e6  # of rk4 on the negative axis, by the rate l
        said = re.search(r"rk4 is not stable with a step of 0.001 s: a mode of the FMU decays at 1e\+06 1/s; up to (\S+) s it is, ros2 with any", done.stderr)
        check("rk4 with a stiff FMU", done.returncode == 1 and said is not None and abs(float(said[1]) / limit - 1) < 2e-3, f"{done.returncode} {done.stderr}")
        check("rk4 with that step", run("run", fmu, "--method", "rk4", "--step", "2.7e-6", "--for", "5.4e-4", "--out", str(out)).returncode == 0)
        check("and a little above", run("run", fmu, "--method", "rk4", "--step", "2.9e-6", "--for", "5.8e-4", "--out", str(out)).returncode == 1)
        for method in ((), ("--method", "auto"), ("--method", "ros2"), ("--method", "ros1")):
            done = run("run", fmu, "--out", str(out), *method)
            with open(out / "signals.csv", newline="") as lines:
                p = float(list(csv.reader(lines))[-1][1])
            check(f"a stiff FMU by {method}", done.returncode == 0 and abs(p - math.cos(1)) < 1e-6 and ("ros2 from there on" in done.stdout) == (len(method) == 0 or method[1] == "auto"),
                  f"{p - math.cos(1)} {done.stdout} {done.stderr}")
        check("auto takes rk4 where that is stable", "ros2 from there on" not in run("run", fmu, "--set", "l=1", "--set", "mu=1", "--out", str(out)).stdout)
        table = folder / "l.csv"  # it becomes stiff on its way
        table.write_text("time [s],l\n0,1\n0.5,1\n0.5,5000\n1,5000\n")
        done = run("run", fmu, "--set", "mu=1", "--input", str(table), "--method", "rk4", "--out", str(out))
        check("it becomes stiff", done.returncode == 1 and re.search(r"at 0\.5[0-9]* s rk4 is not stable .* up to 0.00055[0-9]* s it is, ros2 with any", done.stderr), done.stderr)
        done = run("run", fmu, "--set", "mu=1", "--input", str(table), "--out", str(out))
        check("and auto changes over", done.returncode == 0 and re.search(r"ros2 from there on: at 0\.5[0-9]* s", done.stdout) and "steps were too long for rk4: taken by ros2" in done.stdout, done.stdout + done.stderr)
    done = run("run", fmu, "--set", "l=1", "--set", "mu=1", "--set", "relay=1", "--out", str(out))
    check("a relay that chatters", done.returncode == 1 and "state events come without end" in done.stderr, done.stderr)
    found = verdict(fmu, "--method", "rk4")
    check("takt fmu test refuses it, too", found["verdict"] == "not fit" and any("not stable" in reason["text"] for reason in found["reasons"]), found["reasons"])
    check("and has a verdict with auto", verdict(fmu, "--step", "1e-3")["verdict"].startswith("fit"), "")


def rod(cells):
    variables = [f'<ScalarVariable name="x[{k + 1}]" valueReference="{k}" causality="{"output" if k == cells // 2 else "local"}" initial="exact"><Real start="{math.sin(math.pi * (k + 1) / (cells + 1))!r}"/></ScalarVariable>' for k in range(cells)]
    variables += [f'<ScalarVariable name="der(x[{k + 1}])" valueReference="{10001 + k}"><Real derivative="{k + 1}"/></ScalarVariable>' for k in range(cells)]
    rates = "".join(f'<Unknown index="{cells + k + 1}"/>' for k in range(cells))
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="rod2" guid="{{rod2}}" numberOfEventIndicators="0">
 <ModelExchange modelIdentifier="rod2"/>
 <DefaultExperiment startTime="0" stopTime="0.02" stepSize="0.001"/>
 <ModelVariables>{"".join(variables)}</ModelVariables>
 <ModelStructure><Outputs><Unknown index="{cells // 2 + 1}"/></Outputs><Derivatives>{rates}</Derivatives><InitialUnknowns>{rates}</InitialUnknowns></ModelStructure>
</fmiModelDescription>
"""
    return make("rod2", sys.argv[5], text, f"rod{cells}_2")


def many_states():
    """More states than all eigenvalues are taken of: an explicit method that is not stable is refused all the same, and what carries it stays right."""
    cells, out = 400, folder / "run"
    fmu = rod(cells)
    angle = math.pi / 2 / (cells + 1)
    fastest, slowest = 1e6 * math.cos(angle) ** 2, 1e6 * math.sin(angle) ** 2
    for method, reach in (("euler", 2), ("heun", 2), ("rk3", 2.5127), ("rk4", 2.7853)):
        done = run("run", fmu, "--method", method, "--step", "2.9e-6", "--for", "1.16e-4", "--out", str(out))
        said = re.search(method + r" is not stable with a step of 2.9e-06 s: a mode of the FMU decays at (\S+) 1/s; up to (\S+) s it is, ros2 with any", done.stderr)
        check(f"{method} with a rod", done.returncode == 1 and said is not None and abs(float(said[1]) / fastest - 1) < 0.02 and abs(float(said[2]) * fastest / reach - 1) < 0.05, f"{done.returncode} {done.stderr}")
        step = f"{0.9 * reach / fastest:.3g}"
        done = run("run", fmu, "--method", method, "--step", step, "--for", f"{40 * float(step):.4g}", "--out", str(out))
        check(f"{method} with a step that holds", done.returncode == 0, done.stderr)
    for method in ("auto", "ros2"):
        x = signals(fmu, "--method", method)["x[201]"]
        want = math.sin(math.pi * 201 / (cells + 1)) * math.exp(-slowest * 0.02)
        check(f"a rod by {method}", abs(x[-1] - want) < 1e-4, x[-1] - want)
    fmu = rod(2100)
    for method in ("auto", "ros1", "ros2"):
        done = run("run", fmu, "--method", method, "--out", str(out))
        check(f"{method} with more states than it takes", done.returncode == 1 and "of 2000 states at most" in done.stderr, f"{done.returncode} {done.stderr}")
    done = run("run", fmu, "--step", "2.5e-6", "--for", "5e-4", "--out", str(out))
    check("an explicit method takes them", done.returncode == 0, done.stderr)


def differences():
    """Directional derivatives are asked for by implicit methods alone, and by none where differences are wanted."""
    fmu = make("stiff2", sys.argv[4], STIFF2.replace('modelIdentifier="stiff2"', 'modelIdentifier="stiff2" providesDirectionalDerivative="true"'), "crashing2")
    out, crashing, slow = folder / "run", ("--set", "relay=-1"), ("--set", "l=1", "--set", "mu=1")
    for method in ("euler", "heun", "rk3", "rk4", "auto"):
        done = run("run", fmu, "--out", str(out), *crashing, *slow, "--method", method)
        check(f"{method} does not ask for directional derivatives", done.returncode == 0, done.stderr)
    for method in ("ros1", "ros2", "auto"):
        done = run("run", fmu, "--out", str(out), *crashing, "--method", method)
        check(f"{method} does", done.returncode == 1 and "crashed (SIGABRT)" in done.stderr, f"{done.returncode} {done.stderr}")
        done = run("run", fmu, "--out", str(out), *crashing, "--method", method, "--no-directional-derivatives")
        with open(out / "signals.csv", newline="") as lines:
            p = float(list(csv.reader(lines))[-1][1])
        check(f"{method} by differences", done.returncode == 0 and abs(p - math.cos(1)) < 1e-6, f"{p - math.cos(1)} {done.stderr}")
    check("takt fmu test finds the crash", verdict(fmu, *crashing)["verdict"] == "not fit")
    check("and none by differences", verdict(fmu, *crashing, "--no-directional-derivatives")["verdict"].startswith("fit"))


def aliases(toy2):
    """Names of one value with units that differ: run as by other tools, told once; --strict refuses it."""
    other = "".join(f'<ScalarVariable name="y{k}" valueReference="0" causality="local"><Real unit="{unit}"/></ScalarVariable>'.replace(' unit=""', "")
                    for k, unit in enumerate(["K"] * 5 + [""] * 5 + ["1/s"] * 4))
    text = (TOY2 % ITEMS).replace(" </ModelVariables>", other + " </ModelVariables>").replace('<UnitDefinitions>', '<UnitDefinitions><Unit name="K"><BaseUnit K="1"/></Unit>')
    fmu = make("toy2", sys.argv[2], text, "aliases")
    for command in (("info", fmu), ("run", fmu, "--out", str(folder / "run"), "--output", "x", "--output", "y0", "--output", "y5"), ("test", fmu, "--steps", "100", "--short-steps", "20", "--budget", "1s")):
        done = run(*command)
        check(f"{command[0]} of aliases", done.returncode == 0 and done.stderr.count("warning[Y031]") == 1 and "(and 13 more of Y031" in done.stderr, done.stderr)
    with open(folder / "run/signals.csv", newline="") as lines:
        rows = list(csv.reader(lines))
    check("each has its own unit", rows[0] == ["time [s]", "x [degC]", "y0 [K]", "y5 [1]"] and all(row[1] == row[2] == row[3] for row in rows[1:]), rows[:2])
    done = run("check", fmu)
    check("check tells of each", done.returncode == 0 and done.stdout.count("warning[Y031]") == 14, done.stdout)
    for command in (("check", fmu), ("run", fmu, "--out", str(folder / "run")), ("test", fmu)):
        done = run(*command, "--strict")
        check(f"{command[0]} --strict", done.returncode == 1 and (done.stdout + done.stderr).count("error[Y031]") == 14, done.stderr)


def verdict(fmu, *arguments, steps=3000):
    done = run("test", fmu, "--json", "--steps", str(steps), "--short-steps", "1100", "--budget", "1s", *arguments)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        failures.append(f"test {arguments}: {done.stdout} {done.stderr}")
        return {"verdict": "", "reasons": [], "found": {}}


def tests(toy2, toy3):
    expected = {"none": ("fit with care", []), "leak": ("not fit", ["its memory grows"]), "crash": ("not fit", ["crashed (SIGSEGV) at step 1000"]),
                "error": ("not fit", ["Error: the FMU says: has an error at step 1000"]), "fatal": ("not fit", ["Fatal: the FMU says: is broken"]),
                "discard": ("not fit", ["Discard: the FMU says: cannot go on"]), "hang": ("not fit", ["hung at step 1000"]),
                "random": ("not fit", ["other bits"]), "not_a_number": ("not fit", ["NaN"]), "round_up": ("fit with care", ["changed rounding"]),
                "open_file": ("fit with care", ["/etc/hostname"]), "quit": ("not fit", ["ended the process it runs in"]), "fork": ("not fit", ["copies the process it runs in"]), "sleep": ("not fit", ["it waits in its steps"])}
    for fault, (want, texts) in expected.items():
        found = verdict(toy2, "--kind", "cs", "--set", f"fault={fault}", "--patience", "2s", steps=1200 if fault in ("leak", "sleep") else 3000)
        said = "\n".join(reason["text"] for reason in found["reasons"])
        check(f"verdict of {fault}", found["verdict"] == want and all(text in said for text in texts), f"{found['verdict']}\n{said}")
        if fault == "none":
            check("huge inputs kill it", "huge inputs: crashed (SIGABRT) at step 0" in said, said)
            check("NaN inputs are refused", "NaN inputs: in initialisation: Set: Discard: the FMU says: not a number" in said, said)
    for kind in ("cs", "me"):
        found = verdict(toy3, "--kind", kind, "--step", "1e-4")
        check(f"toy3 {kind}", found["verdict"] == "fit" and "from_bytes" in found["found"]["state"], found["reasons"])


def main():
    folder.mkdir(parents=True, exist_ok=True)
    toy2 = make("toy2", sys.argv[2], TOY2 % ITEMS)
    toy3 = make("toy3", sys.argv[3], TOY3)
    runs(toy2, toy3)
    refusals(toy2, toy3)
    kinds()
    hosted(toy2)
    stiff()
    differences()
    many_states()
    aliases(toy2)
    tests(toy2, toy3)
    print("\n".join(failures) or "all as expected")
    return 1 if failures else 0


sys.exit(main())
