#!/usr/bin/env python3
"""takt plan: what it estimates is what a run is off a closed solution; what it finds meets the error asked for.

    plan_test.py --takt build/release/bin/takt --work DIR"""
import argparse
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

TAU, W = 1e-3, 2 * math.pi * 300.0
RC = """[plant]
title    = "A low-pass at a sine"
duration = "50 ms"
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin({w} rad/s*time)" }}
r      = {{ is = "resistor", at = ["in", "out"], r = "1 kOhm" }}
c      = {{ is = "capacitor", at = ["out", "gnd"], c = "1 uF" }}
[record]
"1 ms" = ["electric.c.v"]
{settings}
"""
# Two bodies and a stream that carries heat from one to the other: two domains, so values cross.
WARM = """[plant]
title    = "A warm wall in a stream"
duration = "2 s"
[fluid]
medium = "water_glycol_50"
inlet  = { is = "reservoir", p = "1 bar", t = "300 K" }
pump   = { is = "flow_pump", at = ["inlet", "jacket"], flow = "0.02 kg/s" }
jacket = { is = "volume", v = "2 ml", start = { t = "300 K" } }
out    = { is = "resistance", at = ["jacket", "end"], r = "1e6 Pa*s/kg" }
end    = { is = "reservoir", p = "1 bar" }
[solid]
heater = { is = "heat_source", at = "wall", power = "200 W*(1 + sin(6 rad/s*time))" }
wall   = { is = "wall", m = "0.02 kg", cp = "900 J/kg/K", start = { t = "300 K" } }
wet    = { is = "heat_transfer", at = ["wall", "fluid.jacket"], c = "30 W/K" }
[record]
"20 ms" = ["solid.wall.t", "fluid.jacket.t"]
"""
# Nothing says how fast this is but its duration; nothing is recorded but what Takt proposes.
DAYS = """[plant]
title    = "A wall that follows the days"
duration = "{duration}"
[solid]
w   = {{ is = "wall", m = "1e5 kg", cp = "1000 J/kg/K", start = {{ t = "283.15 K" }} }}
k   = {{ is = "heat_transfer", at = ["w", "amb"], c = "1000 W/K" }}
amb = {{ is = "temperature_boundary", t = "283.15 K + 10 K*sin(2*pi*time/(86400 s))" }}
"""
RECTIFIER = """[plant]
title    = "A diode, a capacitor and a load"
duration = "60 ms"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "20 V*sin(314 rad/s*time)" }
choke  = { is = "inductor", at = ["in", "mid"], l = "1 mH" }
diode  = { is = "diode", at = ["mid", "out"] }
c      = { is = "capacitor", at = ["out", "gnd"], c = "100 uF" }
load   = { is = "resistor", at = ["out", "gnd"], r = "50 Ohm" }
[record]
"1 ms" = ["electric.c.v"]
"""

parser = argparse.ArgumentParser()
parser.add_argument("--takt", required=True)
parser.add_argument("--work", required=True)
arguments = parser.parse_args()
work = pathlib.Path(arguments.work)
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
failures = []


def check(what, holds):
    print(("ok   " if holds else "WRONG"), what, flush=True)
    if not holds:
        failures.append(what)


def takt(*words):
    return subprocess.run([arguments.takt, *map(str, words)], capture_output=True, text=True, timeout=300, cwd=work)


def plan(name, text, *words):
    (work / f"{name}.toml").write_text(text)
    done = takt("plan", f"{name}.toml", "--json", *words)
    if not done.stdout:
        print(done.stderr)
    return done.returncode, json.loads(done.stdout or "{}")


def recorded(name, *words):
    done = takt("run", f"{name}.toml", "--pace", "free", "--out", f"{name}_run", "--no-report", "--audit", "off", "--quiet", *words)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
    with open(work / f"{name}_run" / "signals.csv") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    shutil.rmtree(work / f"{name}_run")
    return [[float(cell) for cell in row] for row in rows[1:]]


def lowpass(t):
    x = W * TAU
    return 10.0 / (1 + x * x) * (math.sin(W * t) - x * math.cos(W * t) + x * math.exp(-t / TAU))


def off(rows, truth):
    """RMS over the range."""
    right = [truth(row[0]) for row in rows]
    return math.sqrt(sum((row[1] - v) ** 2 for row, v in zip(rows, right)) / len(rows)) / (max(right) - min(right))


def rc(settings=""):
    return RC.format(w=W, settings=settings)


# An estimate is what the run is off the closed solution, with methods of three orders and a step that is far too long.
for method, step in ((("heun", "100 us"), ("rk4", "200 us"), ("euler", "20 us"), ("heun", "1 ms"))):
    settings = f'[solve]\nelectric = {{ step = "{step}", method = "{method}" }}'
    code, found = plan("given", rc(settings), "--keep")
    real = off(recorded("given"), lowpass)
    estimated = found["given"]["error"]
    print(f"     {method} {step}: estimated {estimated:.3e}, is {real:.3e}")
    check(f"{method} with {step} is off by what was estimated", real / 1.5 < estimated < 1.5 * real)
    check("the exit code says whether the error is met", (code == 0) == (found["met"] and estimated <= 1e-3 and not found["given"]["verdict"]))

for error in (1e-2, 1e-3, 1e-5):
    code, found = plan("free", rc(), "--error", error, "--out", "free_plan.toml")
    check(f"an error of {error} is met", code == 0 and found["met"])
    real = off(recorded("free", "--solve", "free_plan.toml"), lowpass)
    print(f"     estimated {found['found']['error']:.3e}, is {real:.3e}, {found['rounds']} rounds")
    check("and the run is as near", real <= 1.2 * error)
    check("about as much as was estimated", real / 3 <= found["found"]["error"] <= 10 * real)
    check("without wasting work", real > error / 100)

# Where values cross, and where a diode switches: the plan for a thousandth of the error is the truth.
for name, text in (("warm", WARM), ("rectifier", RECTIFIER)):
    code, fine = plan(name, text, "--error", 1e-6, "--out", "fine.toml")
    check(f"{name}: an error of 1e-6 is met", code == 0)
    code, found = plan(name, text, "--error", 1e-3, "--out", "coarse.toml")
    check(f"{name}: an error of 1e-3 is met, with less work", code == 0 and found["found_work"] < fine["found_work"])
    truth, rows = recorded(name, "--solve", "fine.toml"), recorded(name, "--solve", "coarse.toml")
    real = max(off([[row[0], row[k]] for row in rows], dict((row[0], row[k]) for row in truth).get) for k in range(1, len(truth[0])))
    print(f"     estimated {found['found']['error']:.3e}, is {real:.3e}")
    check(f"{name}: the run is as near as was estimated", found["found"]["error"] / 3 <= real * 3.34 and real <= 3 * max(found["found"]["error"], 1e-5))

# A plant that says which error it wants is built by the plan for it; the search is made once.
(work / "wants.toml").write_text(rc().replace("[electric]", "error = 1e-4\n[electric]", 1))
check("check says that its plan is not the one that is built", "where the search begins" in takt("check", "wants.toml").stdout)
first = takt("build", "wants.toml")
check("a plant with an error is planned for it", first.returncode == 0 and "planned for an error of 0.0001" in first.stderr)
plans = list(work.glob(".takt/wants-*/plans/*.toml"))
stamps = [file.stat().st_mtime_ns for file in plans]
real = off(recorded("wants"), lowpass)
print(f"     is {real:.3e}")
check("its run is as near", real <= 1.2e-4)
check("and no second search was made", len(plans) == 1 and [file.stat().st_mtime_ns for file in work.glob(".takt/wants-*/plans/*.toml")] == stamps)
check("--error goes before it", off(recorded("wants", "--error", "1e-2"), lowpass) > 1.2e-4)
(work / "stuck.toml").write_text(rc('[solve]\nelectric = { step = "500 us", method = "heun" }').replace("[electric]", "error = 1e-4\n[electric]", 1))
stuck = takt("build", "stuck.toml")
check("where a given step is in the way it says so and builds", stuck.returncode == 0 and "warning[S046]" in stuck.stderr and "is not met" in stuck.stderr)
check("nor is it called sensitive", "sensitive" not in stuck.stderr)
# By RK45 with a tolerance of 1e-11, starts 1e-9 apart end 3e-3 of the range apart, 1e-7 apart 5e-2.
(work / "bounces.toml").write_text("""[plant]
duration = "0.67 s"
[rotational]
motor = { is = "inertia", at = ["a"], j = "0.014 kg*m^2" }
drive = { is = "torque_source", at = ["a"], torque = "3.3 N*m + 6.6 N*m*sin(2*pi*16 Hz*time)" }
play = { is = "backlash", at = ["a", "b"], play = "0.079 rad", c = "6900 N*m/rad", d = "0.98 N*m*s/rad" }
load = { is = "inertia", at = ["b"], j = "0.022 kg*m^2" }
d = { is = "damper", at = ["b", "frame"], d = "0.24 N*m*s/rad" }
[record]
"0.002 s" = ["rotational.motor.w", "rotational.load.w"]
""")
bounces = takt("build", "bounces.toml")
check("of chaotic motion it is said that no steps can meet an error", "warning[S046]" in bounces.stderr and "the plant is sensitive" in bounces.stderr and "no steps can meet it" in bounces.stderr)
(work / "wrong.toml").write_text(rc().replace("[electric]", "error = 3\n[electric]", 1))
wrong = takt("check", "wrong.toml")
check("an error of 3 is refused with its line", wrong.returncode == 1 and "wrong.toml:4" in wrong.stderr and "S046" in wrong.stderr)

# A plant that says nothing is planned for 1e-3; what it gives is kept, and judged.
(work / "silent.toml").write_text(rc())
silent = takt("build", "silent.toml")
check("a plant without steps and synchronisation times is planned", silent.returncode == 0 and "planned for an error of 0.001" in silent.stderr)
check("and its run is as near", off(recorded("silent"), lowpass) <= 1.2e-3)
check("check says so", "where the search begins" in takt("check", "silent.toml").stdout)
for name, text, words in (("silent", rc(), ["--error", "off"]), ("plain", rc().replace("[electric]", 'error = "off"\n[electric]', 1), [])):
    (work / f"{name}.toml").write_text(text)
    said = takt("build", f"{name}.toml", *words)
    check(f"{name} {words}: off is off", said.returncode == 0 and "planned" not in said.stderr and "warning" not in said.stderr)
for step, warned in (("1 ms", True), ("50 us", False)):
    (work / "typed.toml").write_text(rc(f'[solve]\nelectric = {{ step = "{step}", method = "heun" }}'))
    said = takt("build", "typed.toml")
    check(f"a step of {step} is built as it is", said.returncode == 0)
    number = re.search(r"warning\[S046\]: .*is not met: estimated ([0-9.e+-]+)", said.stderr)
    check(f"a step of {step} is {'' if warned else 'not '}warned of", (number is not None) == warned)
    real = off(recorded("typed"), lowpass)
    check(f"with the right number: {number[1] if number else 'none'} for {real:.2e}", real <= 1.2e-3 if number is None else real / 1.5 < float(number[1]) < 1.5 * real)
# Where trials see a part of the run this is noted, with what is known of the rest; so it is of a plan that is kept.
late = rc('[solve]\nelectric = { step = "1 us", method = "heun" }').replace("50 ms", "1000 s").replace("*time)", "*time) + if(time > 500 s and time < 501 s, 1 V, 0 V)")
(work / "late.toml").write_text(late)
said = takt("build", "late.toml")
check("what trials do not reach of a long run is warned of", said.returncode == 0 and "warning[S046]: late: trials saw the first" in said.stderr and "of 1000 s" in said.stderr)
check("with the instants that are known there", "2 known instants" in said.stderr and "the first at 500 s" in said.stderr)
check("and told by check", "2 known instants" in takt("check", "late.toml").stdout)
(work / "late.toml").write_text(late.replace(" + if(time > 500 s and time < 501 s, 1 V, 0 V)", ""))
said = takt("build", "late.toml")
check("where nothing is known there it is noted", said.returncode == 0 and "note[S046]: late: trials saw the first" in said.stderr and "warning" not in said.stderr)
check("a run that is seen whole has no such note", "note" not in takt("build", "typed.toml").stderr)
# Stages are part of what was tried; a source of which samples see nothing is seen by the generator.
for name, words in (("diode_clipper", "stages = "), ("source_of_2kHz", "step = ")):
    shutil.copy(pathlib.Path(__file__).parent / "trust" / f"{name}.toml", work)
    said = takt("run", f"{name}.toml", "--pace", "free", "--out", "run")
    file = next(iter(work.glob(f".takt/{name.lower()}-*/plans/*.toml")), None)
    check(f"{name} is planned and runs by its plan", said.returncode == 0 and "planned for" in said.stderr and file is not None and words in file.read_text())
    if name == "source_of_2kHz":
        last = recorded(name)[-1]
        check("and ends where SUNDIALS does", abs(last[1] - 0.98167469) < 1e-4 and abs(last[2] - 0.98067190) < 1e-4)

code, kept = plan("kept", rc('[solve]\nelectric = { step = "1 ms", method = "heun" }'))
check("a step that is given stays, and the error is not met", code == 1 and not kept["met"] and kept["subsystems"][0]["step_ns"] == 1000000)
done = takt("plan", "kept.toml")
check("and that is said", "not met" in done.stdout and "step" in done.stdout)

# Where the exchange has to become frequent for some circuits, the others keep a group that exchanges seldom; warm bodies change little in one of the coil's periods.
MANY = "".join(f'body_{k} = {{ is = "wall", m = "20 g", cp = "500 J/kg/K", start = {{ t = "{300 + k} K" }} }}\n' for k in range(12)) + "".join(
    f'join_{k} = {{ is = "heat_transfer", at = ["body_{k}", "body_{k + 1}"], c = "0.05 W/K" }}\n' for k in range(11))
TWO_RATES = f"""[plant]
title = "A machine on a source of 50 Hz, and bodies that its loss warms"
duration = "0.2 s"
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "10 V*sin(2*pi*50 Hz*time)" }}
motor  = {{ is = "dc_machine", at = ["in", "gnd", "rotational.rotor"], r = "1 Ohm", l = "1 mH", k = "0.1 N*m/A", heat = "solid.body_0" }}
[rotational]
rotor  = {{ is = "inertia", at = "rotor", j = "1e-4 kg*m^2" }}
[solid]
{MANY}[record]
"10 ms" = ["electric.motor.armature.i", "rotational.rotor.w", "solid.body_0.t"]
"""
code, found = plan("two_rates", TWO_RATES, "--error", "1e-5", "--out", "two_rates_plan.toml")
check("two rates: the error is met", code == 0 and found["met"])
check("and no folder is left for each plan that was tried", len(list(work.glob(".takt/two_rates-*"))) == 1)
periods = {group["name"]: group["period_ns"] for group in found["groups"]}
check(f"fast circuits exchange more often than the bodies: {periods}", len(periods) == 2 and periods["fast"] < periods["plant"])
truth = recorded("two_rates", "--solve", "two_rates_fine.toml") if plan("two_rates", TWO_RATES, "--error", "1e-7", "--out", "two_rates_fine.toml")[0] == 0 else []
rows = recorded("two_rates", "--solve", "two_rates_plan.toml")
real = max((off([[row[0], row[k]] for row in rows], dict((row[0], row[k]) for row in truth).get) for k in range(1, len(rows[0]))), default=math.inf) if truth else math.inf
print(f"     estimated {found['found']['error']:.3e}, is {real:.3e}")
check("and the run is as near", real <= 1.2e-5)

# What is found says what to change next, and what that would be: measured, so it is so.
code, found = plan("next", rc(), "--error", "1e-4")
step = re.compile(r"the step of electric at (.*)")
for way in ("cheaper", "finer"):
    change = step.fullmatch(found[way]["change"])[1]
    (work / "next_step.toml").write_text(f'[solve]\nelectric = {{ step = "{change}", method = "{found["subsystems"][0]["method"]}" }}\n')
    real = off(recorded("next", "--solve", "next_step.toml"), lowpass)
    print(f"     {way}: {change}: said {found[way]['error']:.3e}, is {real:.3e}")
    check(f"the next {way} plan is off by what is said", real / 1.5 < found[way]["error"] < 1.5 * real)
check("cheaper is less work, finer less error", found["cheaper"]["work"] < 1 < found["finer"]["work"] and found["finer"]["error"] < found["found"]["error"])

# Methods change where that saves work: of many steps of order 2 a few of order 4 are made. Methods that are given stay.
code, found = plan("order", rc(), "--error", "1e-7", "--out", "order_plan.toml")
real = off(recorded("order", "--solve", "order_plan.toml"), lowpass)
print(f"     estimated {found['found']['error']:.3e}, is {real:.3e}, {found['subsystems'][0]['method']}")
check("an error of 1e-7 is met by rk4", code == 0 and found["subsystems"][0]["method"] == "rk4" and real <= 1.2e-7)
code, found = plan("order_given", rc('[solve]\nelectric = { method = "heun" }'), "--error", "1e-6")
check("a method that is given stays", code == 0 and found["subsystems"][0]["method"] == "heun")

# `takt check` says what is known, and seeks nothing.
(work / "checked.toml").write_text(rc())
before = takt("check", "checked.toml")
check("before it is built, the error is not known", before.returncode == 0 and "not known yet" in before.stdout)
takt("build", "checked.toml")
after = takt("check", "checked.toml")
check("then it is, with costs and what limits", all(words in after.stdout for words in ("planned for an error of 0.001: estimated", "% of the work", "limiting", "next cheaper", "next more accurate")))
(work / "checked.toml").write_text(rc().replace("1 uF", "2 uF"))
check("of another plant it is not", "not known yet" in takt("check", "checked.toml").stdout)
(work / "silent.toml").write_text(rc().replace("[electric]", 'error = "off"\n[electric]', 1))
check("where no error is asked for nothing is said", "not known yet" not in takt("check", "silent.toml").stdout)

# What a plant input does is in the trials, though at its start value nothing happens.
COIL = """[plant]
title    = "A coil at a source that is set from outside"
duration = "50 ms"
[input]
drive = {{ unit = "V", start = "{start}", safe = "0 V" }}
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "drive" }}
l      = {{ is = "inductor", at = ["in", "out"], l = "10 mH" }}
r      = {{ is = "resistor", at = ["out", "gnd"], r = "{r}" }}
[record]
"1 ms" = ["electric.l.i"]
"""


def current(t):
    return 0.5 * -math.expm1(-max(0.0, t - 2e-3) / 1e-3)


(work / "coil.toml").write_text(COIL.format(start="0 V", r="10 Ohm"))
said = takt("build", "coil.toml")
check("a plant with an input is planned with it moved", said.returncode == 0 and "with its inputs moved" in said.stderr and "warning" not in said.stderr)
real = off(recorded("coil", "--input", "drive=5@2ms"), current)
print(f"     is {real:.3e}")
check("so it is right when the input moves", real <= 1.2e-3)
takt("run", "coil.toml", "--pace", "free", "--out", "driven", "--no-report", "--input", "drive=5@2ms")
for words in (["--input", "drive=5@2ms"], ["--replay", "driven"]):
    code, found = plan("coil", COIL.format(start="0 V", r="10 Ohm"), "--error", "1e-4", "--out", "coil_plan.toml", *words)
    real = off(recorded("coil", "--solve", "coil_plan.toml", "--input", "drive=5@2ms"), current)
    print(f"     {words[0]}: estimated {found['found']['error']:.3e}, is {real:.3e}")
    check(f"with {words[0]} the error is that of these inputs", code == 0 and real <= 1.2e-4 and real / 3 <= found["found"]["error"] <= 10 * real)
wrong = takt("plan", "coil.toml", "--input", "drvie=5")
check("an input that is not there is named, with those that are", wrong.returncode == 1 and "drvie" in wrong.stderr and "drive" in wrong.stderr)
check("so is a log that is not there", takt("plan", "coil.toml", "--replay", "nowhere").returncode == 1)
# Where inputs are moved to what the plant cannot do, the plan is that of start values, and this is said.
(work / "coil.toml").write_text(COIL.format(start="10 V", r="105 Ohm - 10 Ohm/V*drive"))
said = takt("build", "coil.toml")
check("what cannot be tried is said", said.returncode == 0 and "warning[S046]" in said.stderr and "with its inputs moved the error is unknown" in said.stderr and "X014" in said.stderr)

# A control block that runs every 2.5 ms is named by [sync] as by the plan.
code, found = plan("odd_rate", COIL.format(start="0 V", r="10 Ohm + 1 Ohm*duty.out").replace("[input]", "[control]\nduty = { is = \"expression\", of = \"electric.l.i/(1 A)\", every = \"2.5 ms\" }\n[input]").replace("duty.out", "control.duty.out").replace('"1 ms" =', '"500 us" ='), "--out", "odd_plan.toml")
check("a block of 2.5 ms is planned", code == 0 and "control.2500us" in (work / "odd_plan.toml").read_text() and takt("check", "odd_rate.toml", "--solve", "odd_plan.toml").returncode == 0)

# The other way round: what a budget allows. How fast this machine is decides which plan holds, not whether the answer is consistent.
(work / "budget.toml").write_text(rc())
done = takt("plan", "budget.toml", "--budget", "0.5", "--json")
answer = json.loads(done.stdout)
for tried in answer["plans"]:
    within = "rtf" in tried and tried["rtf"]["p99"] <= 0.5 and tried["met"]
    check(f"the plan for {tried['error']:g} holds if its macro-steps do: {tried.get('rtf')}", tried["holds"] == within)
held = [k for k, tried in enumerate(answer["plans"]) if tried["holds"]]
check("the best is the most accurate that holds", answer.get("best") == (min(held, key=lambda k: answer["plans"][k]["error"]) if held else None))
check("the exit code says whether one holds", done.returncode == (0 if held else 1))
none = takt("plan", "budget.toml", "--budget", "1e-6", "--out", "none.toml")
check("no plan takes a millionth: that is said, with what it takes", none.returncode == 1 and "none holds" in none.stdout and "electric" in none.stdout and "RTF" in none.stdout)
check("and no plan is written", not (work / "none.toml").exists())
check("a budget of 2 is wrong usage, so is one beside an error", all(takt("plan", "budget.toml", "--budget", *words).returncode == 2 for words in (["2"], ["0.5", "--error", "1e-3"])))

# A run of any duration is planned by times that suit it.
for duration in ("1e6 s", "31536000 s", "1e9 s"):
    (work / "days.toml").write_text(DAYS.format(duration=duration))
    done = takt("run", "days.toml", "--pace", "free", "--out", "days_run", "--no-report")
    check(f"{duration} are run by a plan of their own", done.returncode == 0 and "planned for an error of 0.001" in done.stderr and "warning" not in done.stderr)
    print(done.stderr)
    with open(work / "days_run" / "signals.csv", newline="") as file:
        rows = [row for row in csv.reader(file)]
    column, tau, x = rows[0].index("solid.w.potential [K]"), 1e5, 2 * math.pi / 86400 * 1e5
    rows = [[float(row[0]), float(row[column])] for row in rows[1:]]
    real = off(rows, lambda t: 283.15 + 10.0 / (1 + x * x) * (math.sin(x * t / tau) - x * math.cos(x * t / tau) + x * math.exp(-t / tau)))
    print(f"     {len(rows)} rows, is {real:.3e}")
    check("and right", rows[-1][0] == float(duration[:-2]) and 1000 < len(rows) < 200_000 and real <= 1.2e-3)

# What is too long for its steps is refused by name, before it is run; whoever wants it all the same says so.
driven = DAYS.format(duration="1e9 s").replace("[solid]", '[input]\nextra = { unit = "K", start = "0 K", safe = "0 K" }\n[solid]').replace("10 K*sin", "extra + 10 K*sin")
(work / "driven.toml").write_text(driven)
for words in (("plan", "driven.toml"), ("run", "driven.toml", "--pace", "free", "--out", "driven_run")):
    done = takt(*words)
    check(f"{words[0]}: 1e9 s of steps of 1 ms are too long, with what to do", done.returncode == 1 and "error[S056]: driven:" in done.stderr and "--for" in done.stderr)
check("and nothing was run", not (work / "driven_run").exists())
for words in ((), ("--error", "off")):
    done = takt("run", "driven.toml", "--pace", "free", "--for", "10 s", "--out", "driven_run", "--no-report", *words)
    check(f"10 s of it are run {words}", done.returncode == 0 and "S056" not in done.stderr)

# What the audit judges counts in the search: the reactive power of a loop of capacitors needs shorter steps than its recorded voltages.
(work / "loop.toml").write_text("""[plant]
title = "two capacitors and a source in a loop"
duration = "20 ms"
[electric]
s = { is = "voltage_source", at = ["a", "gnd"], v = "10 V*sin(2*pi*50 Hz*time)" }
c = { is = "capacitor", at = ["a", "gnd"], c = "10 uF" }
c2 = { is = "capacitor", at = ["a", "b"], c = "2 uF" }
c3 = { is = "capacitor", at = ["b", "gnd"], c = "3 uF", start = { v = "0 V" } }
r = { is = "resistor", at = ["b", "gnd"], r = "10 kOhm" }
[record]
"1 ms" = ["electric.s.i", "electric.c.i", "electric.c3.v", "electric.c2.v"]
""")
loop = takt("run", "loop.toml", "--pace", "free", "--for", "200ms", "--audit", "60s")
check("a plan that was found passes the audit", loop.returncode == 0 and "planned for an error" in loop.stderr and "audited over the whole run" in loop.stdout and "X020" not in loop.stdout)

check("an error of nothing is wrong usage", takt("plan", "kept.toml", "--error", "0").returncode == 2)
check("so is a time that is none, and a folder that is not there", takt("plan", "kept.toml", "--for", "abc").returncode == 2 == takt("plan", "kept.toml", "--out", "nowhere/x.toml").returncode)
check("a plant that is wrong is refused as by check", takt("plan", "nowhere.toml").returncode == 2)

print("failed:" if failures else "all right", *failures, sep="\n  " if failures else "")
sys.exit(1 if failures else 0)
