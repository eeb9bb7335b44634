#!/usr/bin/env python3
"""`takt fmu run` and `takt fmu test` with FMUs made here from tests/runtime/fmu/toy2.c and toy3.c.

fmu_toys_test.py TAKT TOY2.so TOY3.so FOLDER    1 where a verdict, message or number is not what is expected

No time is judged but that of a step that sleeps.
"""
import csv
import json
import math
import pathlib
import platform
import subprocess
import sys
import zipfile

takt, folder = sys.argv[1], pathlib.Path(sys.argv[4])
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
FAULTS = ["none", "leak", "sleep", "crash", "discard", "error", "fatal", "hang", "random", "not_a_number", "round_up", "open_file"]

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


def make(name, library, description):
    two = name == "toy2"
    place = "linux64" if two and platform.machine() == "x86_64" else f"{platform.machine()}-linux"
    path = folder / f"{name}.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, f"binaries/{place}/{name}.so")
    return str(path)


def run(*arguments):
    return subprocess.run([takt, "fmu", *arguments], capture_output=True, text=True, timeout=300)


def check(what, condition, seen=""):
    if not condition:
        failures.append(f"{what}: {seen}")


def signals(fmu, *arguments):
    """-> {name with unit: values} of a run"""
    out = folder / "run"
    done = run("run", fmu, "--out", str(out), *arguments)
    check(f"run {arguments}", done.returncode == 0, done.stderr)
    with open(out / "signals.csv", newline="") as lines:
        rows = list(csv.reader(lines))
    return {head: [float(row[k]) for row in rows[1:]] for k, head in enumerate(rows[0])}


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
        (toy2, ["--for", "2", "--set", "fault=discard"], 1, "cannot go on at step 1000"), (toy2, ["--for", "2", "--set", "fault=error"], 1, "has an error"),
        (toy2, ["--for", "2", "--set", "fault=fatal"], 1, "is broken"),
    ]
    for fmu, arguments, code, message in wrong:
        done = run("run", fmu, "--out", str(out), *arguments)
        check(f"run {arguments}", done.returncode == code and message in done.stderr, f"{done.returncode} {done.stderr}")
    check("nothing is written", not out.exists(), list(out.glob("*")) if out.exists() else "")
    for text, message in (("u\n1\n", "must be 'time"), ("time,zz\n0,1\n", "no input"), ("time,u\n0,one\n", ":2:3: 'one' is not"), ("time,u\n1,1\n0,1\n", ":3:1: time goes back")):
        (folder / "wrong.csv").write_text(text)
        done = run("run", toy2, "--out", str(out), "--input", str(folder / "wrong.csv"))
        check(f"input {text!r}", done.returncode == 1 and message in done.stderr, done.stderr)


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
                "open_file": ("fit with care", ["/etc/hostname"]), "sleep": ("not fit", ["it waits in its steps"])}
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
    toy2 = make("toy2", sys.argv[2], TOY2 % "".join(f'<Item name="{name}" value="{k + 1}"/>' for k, name in enumerate(FAULTS)))
    toy3 = make("toy3", sys.argv[3], TOY3)
    runs(toy2, toy3)
    refusals(toy2, toy3)
    tests(toy2, toy3)
    print("\n".join(failures) or "all as expected")
    return 1 if failures else 0


sys.exit(main())
