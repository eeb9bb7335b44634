#!/usr/bin/env python3
"""FMUs as parts of a plant: values against the FMU's closed form and against fmpy, units, failures, refusals.

The FMU is fmu_plant/lag.c, compiled here; further ones from TAKT_SHARED_DATA where it is there. Needs build/venv."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

from built_plants import takt_and_work
from compiled_fmus import HERE, compile_fmu, compile_lag, signals

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "")


def plant(name, change=lambda text: text):
    folder = work / name
    folder.mkdir()
    compile_lag(folder / "lag.fmu")
    (folder / "plant.toml").write_text(change((HERE / "fmu_plant/plant.toml").read_text()))
    return folder


def run(folder, *arguments, out="run"):
    done = subprocess.run([takt, "run", folder, "--build-dir", work / "build", "--out", folder / out, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def digest(folder, out="run"):
    return json.loads((folder / out / "summary.json").read_text())["digest"]


# Against the closed form: the input is held over each step of 1 ms, as it is at its beginning. With lag 0 what is recorded is what it takes.
sound = plant("sound", lambda text: text.replace('every = "2 ms"', 'every = "1 ms"').replace('"2 ms" =', '"1 ms" =').replace('step = "1 ms", inputs', 'lag = 0, step = "1 ms", inputs'))
code, said = run(sound)
expect("a plant with an FMU runs", code == 0, said)
got = signals(sound / "run")
checked = subprocess.run([takt, "check", plant("unrecorded", lambda text: text[:text.index("[record]")])], capture_output=True, text=True).stdout
expect("without [record] its outputs are recorded", "fmu.lag.t" in checked and "fmu.lag.steps" in checked, checked)
y, worst = 300.0, 0.0
for k, u in enumerate(got["fmu.lag.u"]):
    worst = max(worst, abs(got["fmu.lag.t"][k] - y))
    y += (u - y) * (1.0 - math.exp(-1e-3 / 0.02))
expect("its output is that of its closed form, degC to K", worst < 1e-9, worst)
wall = max(abs(t - 290.0 - 30.0 * math.exp(-time / 0.4)) for time, t in zip(got["time"], got["solid.wall.t"]))
expect("the circuit beside it is not disturbed", wall < 1e-6, wall)
expect("a whole number comes out", got["fmu.lag.steps"][-1] == 200, got["fmu.lag.steps"][-1])
expect("every run has the same digest", run(sound, out="again")[0] == 0 and digest(sound) == digest(sound, "again"))
expect("a parameter is set", run(sound, "--set", "tau=40 ms", out="slow")[0] == 0 and digest(sound) != digest(sound, "slow"))
y = 300.0
for u in signals(sound / "slow")["fmu.lag.u"][:-1]:
    y += (u - y) * (1.0 - math.exp(-1e-3 / 0.04))
expect("and reaches the FMU", abs(signals(sound / "slow")["fmu.lag.t"][-1] - y) < 1e-9, y)
for order in (2, 3):  # histories before the start are computed without the FMU
    folder = plant(f"order_{order}", lambda text: text.replace('every = "2 ms"', f'every = "1 ms", order = {order}').replace('"2 ms" =', '"1 ms" =').replace(
        "[sync]", '[electric]\nsource = { is = "voltage_source", at = ["a", "gnd"], v = "1 V/K*fmu.lag.t" }\nload = { is = "resistor", at = ["a", "b"], r = "1 kOhm" }\n'
        'store = { is = "capacitor", at = ["b", "gnd"], c = "1 uF" }\n[sync]').replace('"solid", "fmu"]', '"solid", "fmu", "electric"]').replace("[solve]", '[solve]\nelectric = { step = "100 us", method = "rk4" }'))
    code, said = run(folder)
    expect(f"order {order}: it runs", code == 0, said)
    got, z, worst = signals(folder / "run"), 300.0, 0.0
    for k, held in enumerate(got["fmu.lag.t"]):
        worst = max(worst, abs(held - z))
        u = got["solid.wall.t"][k] + 10 * math.sin(2 * math.pi * 20 * got["time"][k])
        z += (u - z) * (1.0 - math.exp(-1e-3 / 0.02))
    expect(f"order {order}: the FMU has taken as many steps as the plant, from its start", got["fmu.lag.steps"][-1] == 200 and worst < 0.01, (got["fmu.lag.steps"][-1], worst))

# An FMU that interpolates its inputs (canInterpolateInputs) is told their slopes: order 2 in its step; a jump at a communication point stays one.
def followed(t):
    tau, slow, w = 0.02, 0.4, 2 * math.pi * 20
    swing = lambda t: 10 * (math.sin(w * t) - w * tau * math.cos(w * t)) / (1 + (w * tau) ** 2)
    forced = lambda t: 290 + 30 / (1 - tau / slow) * math.exp(-t / slow) + swing(t)
    return forced(t) + (300 - forced(0)) * math.exp(-t / tau)


errors = {}
for able in (False, True):
    for ms in (2, 1):
        folder = work / f"slopes_{able}_{ms}"
        folder.mkdir()
        compile_lag(folder / "lag.fmu", lambda text: text.replace("<CoSimulation ", '<CoSimulation canInterpolateInputs="true" ') if able else text)
        (folder / "plant.toml").write_text((HERE / "fmu_plant/plant.toml").read_text().replace('step = "1 ms", inputs', f'step = "{ms} ms", inputs').replace(
            'every = "2 ms"', f'every = "{ms} ms"').replace('step = "1 ms", method', f'step = "{ms} ms", method'))
        code, said = run(folder)
        got = signals(folder / "run")
        errors[able, ms] = max(abs(value - followed(t)) for t, value in zip(got["time"], got["fmu.lag.t"]))
expect("inputs held: order 1; with slopes: order 2, and closer", 1.7 < errors[False, 2] / errors[False, 1] < 2.3 and 3.4 < errors[True, 2] / errors[True, 1] < 6
       and errors[True, 1] < 0.05 * errors[False, 1], errors)
folder = work / "slopes_jump"
folder.mkdir()
compile_lag(folder / "lag.fmu", lambda text: text.replace("<CoSimulation ", '<CoSimulation canInterpolateInputs="true" '))
(folder / "plant.toml").write_text((HERE / "fmu_plant/plant.toml").read_text().replace("solid.wall.t + 10 K*sin(2*pi*20/1 s*time)", "300 K + 10 K*(time >= 0.1 s)"))
code, said = run(folder)
got = signals(folder / "run")
jumped = max(abs(value - (300 if t <= 0.1 else 310 - 10 * math.exp(-(t - 0.1) / 0.02))) for t, value in zip(got["time"], got["fmu.lag.t"]))
expect("a jump of an input is not a slope", code == 0 and jumped < 1e-9, (said, jumped))

# The FMU feeds the circuit: a wall cooled to what the FMU says, whose lag is that of the wall. tau dy/dt = T - y, C dT/dt = (y - T)/R:
# T - y decays with 1/tau + 1/(R C), C T + C' y stays with C' = tau/R. First order in H.
errors = []
for step in ("1 ms", "0.5 ms"):
    looped = plant("loop_" + step.split()[0].replace(".", "_"), lambda text: text.replace('t = "290 K"', 't = "fmu.lag.t"').replace("0.2 K/W", "0.05 K/W")
                   .replace(" + 10 K*sin(2*pi*20/1 s*time)", "").replace('step = "1 ms", inputs', f'step = "{step}", inputs')
                   .replace('every = "2 ms"', f'every = "{step}"').replace('step = "1 ms", method', f'step = "{step}", method'))
    code, said = run(looped)
    expect(f"an FMU in a loop runs at {step}", code == 0, said)
    got = signals(looped / "run")
    rate = 1 / 0.02 + 1 / (0.05 * 2.0)
    share = 0.02 / 0.05 / (2.0 + 0.02 / 0.05)  # of the difference that the wall gives up
    exact = [320.0 - 20.0 * share * (1 - math.exp(-rate * time)) for time in got["time"]]
    errors.append(max(abs(a - b) for a, b in zip(got["solid.wall.t"], exact)))
expect("the loop follows the exact solution, in first order of H", errors[0] < 0.1 and 1.6 < errors[0] / errors[1] < 2.6, errors)

# Whoever reads an output can be given another value; what only goes to the FMU when it starts cannot be tuned.
code, said = run(work / "loop_1", "--action", "50 ms: override fmu.lag.t 310 K", out="overridden")
got = signals(work / "loop_1" / "overridden")
at = got["time"].index(0.05)
decay = 310 + (got["solid.wall.t"][at] - 310) * math.exp(-(0.2 - 0.05) / 0.1)
expect("an output is overridden", code == 0 and abs(got["solid.wall.t"][-1] - decay) < 0.2, (said, got["solid.wall.t"][-1], decay))
code, said = run(work / "loop_1", "--action", "50 ms: tune tau 80 ms", out="tuned")
expect("a parameter of an FMU is not tuned while it runs", code != 0 and "set it before the run" in said, said)
code, said = run(work / "loop_1", "--start", "steady", out="steady")
expect("a steady start is refused", code != 0 and "steady state" in said, said)

# A whole number that may be set at events only, arrays, booleans; both kinds. x' = 2, from 0.1 s on 5.
for kind in ("cs", "me"):
    folder = work / f"count_{kind}"
    folder.mkdir()
    compile_fmu(folder / "count.fmu", HERE / "fmu_plant/count.c", (HERE / "fmu_plant/count.xml").read_text(), "x86_64-linux")
    (folder / "plant.toml").write_text(f"""[plant]
duration = "200 ms"
[electric]
source = {{ is = "voltage_source", at = ["a", "gnd"], v = "1 V*fmu.count.high" }}
load = {{ is = "resistor", at = ["a", "b"], r = "1 kOhm" }}
store = {{ is = "capacitor", at = ["b", "gnd"], c = "1 uF" }}
[fmu]
count = {{ file = "count.fmu", kind = "{kind}", step = "1 ms", inputs = {{ n = "2 + 3*(time >= 0.1 s)" }} }}
[solve]
electric = {{ step = "100 us", method = "rk4" }}
[sync]
plant = {{ members = ["electric", "fmu"], every = "2 ms" }}
[record]
"2 ms" = ["fmu.*", "electric.source.v"]
""")
    code, said = run(folder)
    expect(f"{kind}: an FMU with a whole number as input runs", code == 0, said)
    got = signals(folder / "run")
    expect(f"{kind}: the input reaches it when it changes", abs(got["fmu.count.x"][-1] - 0.7) < 1e-9, got["fmu.count.x"][-1])
    expect(f"{kind}: an array comes out by its elements", abs(got["fmu.count.xs_2"][-1] - 1.4) < 1e-9 and got["fmu.count.xs_1"] == got["fmu.count.x"], list(got))
    expect(f"{kind}: a boolean is never in between", set(got["electric.source.v"]) == {0.0, 1.0}, set(got["electric.source.v"]))
    checked = subprocess.run([takt, "check", folder], capture_output=True, text=True).stdout
    expect(f"{kind}: exchanged as it is", "fmu.count.high: fmu.count -> electric" in checked and "order 0" in checked.split("fmu.count.high: ")[1].splitlines()[0], checked)
    expect(f"{kind}: the stability of what goes through it is not claimed", "through an FMU is not judged" in checked, checked)

    # A checkpoint holds the FMU: its state, what it last took, and its time events to come.
    expect(f"{kind}: time events come at their times", [got["fmu.count.ticks"][int(t / 2e-3 + 0.5)] for t in (0.028, 0.032, 0.088, 0.092)] == [0, 1, 2, 3], got["fmu.count.ticks"])
    for cut in ("90 ms", "160 ms"):  # in the midst of its ticks, n = 2 and n = 5
        code, said = run(folder, "--action", f"{cut}: checkpoint", out="whole_" + cut[:2])
        point = next((folder / ("whole_" + cut[:2])).glob("checkpoint*"), None)
        expect(f"{kind}: a checkpoint at {cut} is written", code == 0 and point is not None, said)
        code, said = run(folder, "--resume", point, out="rest_" + cut[:2])
        expect(f"{kind}: resumed there, it ends with the same digest", code == 0 and digest(folder) == digest(folder, "rest_" + cut[:2]), said)
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        code, said = run(folder, "--cores", f"{cores[0]},{cores[1]}", "--action", "90 ms: checkpoint", out="two")
        code, said = run(folder, "--resume", next((folder / "two").glob("checkpoint*")), out="rest_two")
        expect(f"{kind}: a checkpoint of two cores, too", code == 0 and digest(folder) == digest(folder, "rest_two"), said)
    damaged = folder / "damaged.takt"
    damaged.write_bytes(point.read_bytes()[:-40])
    code, said = run(folder, "--resume", damaged, out="damaged")
    expect(f"{kind}: a damaged checkpoint is refused", code == 2 and "damaged.takt" in said, (code, said))
    code, said = run(folder, "--pace", "real", "--late", "any", "--resume", point, out="paced")
    expect(f"{kind}: not in a paced run", code == 2 and "--pace free" in said, (code, said))

# Model exchange that is stiff: p = cos t, whose neighbours decay with 1e6 1/s. A step that is not stable is refused before the run; `auto` carries it.
for method, words in (("", "stiff2 is integrated by ros2: rk4 is not stable with a step of 0.01 s"), ("ros2", ""), ("ros1", ""), ("rk4", "rk4 is not stable with a step of 0.01 s"), ("euler", "euler is not stable")):
    folder = work / ("stiff_" + method)
    folder.mkdir()
    compile_fmu(folder / "stiff.fmu", HERE.parent / "runtime/fmu/stiff2.c", (HERE.parent / "runtime/fmu/stiff2.xml").read_text())
    given = f'method = "{method}", ' if method else ""
    (folder / "plant.toml").write_text(f'''[plant]
duration = "700 ms"
[fmu]
stiff = {{ file = "stiff.fmu", {given}step = "10 ms", outputs = ["p", "a", "b"] }}
[sync]
plant = {{ members = ["fmu"], every = "10 ms" }}
[record]
"10 ms" = ["fmu.*"]
''')
    code, said = run(folder)
    if method in ("rk4", "euler"):
        expect(f"stiff, {method}: refused by name", code != 0 and words in said and "up to" in said and "ros2 with any" in said, (code, said))
        continue
    got = signals(folder / "run")
    worst = max(abs(p - math.cos(t)) for t, p in zip(got["time"], got["fmu.stiff.p"]))
    kept = math.log(got["fmu.stiff.a"][50]) - 0.5 * got["fmu.stiff.a"][50] ** 2 - (math.log(2.0) - 2.0)  # t, on the slow branch of van der Pol's equation
    expect(f"stiff, {method or 'auto'}: it is carried", code == 0 and worst < 0.2 * 0.01 ** 2 and abs(kept - got["time"][50]) < 0.02 and words in said, (code, worst, kept, said))

# What dimensions do not tell apart: a temperature and a difference of two, turns and radians.
RELATIVE = lambda text: text.replace('causality="input" variability="continuous"><Real unit="degC"', 'causality="input" variability="continuous"><Real relativeQuantity="true" unit="degC"')
TURNING = lambda text: text.replace('<Unit name="degC">', '<Unit name="rad/s"><BaseUnit s="-1" rad="1"/></Unit><Unit name="degC">').replace('initial="calculated"><Real unit="degC"/>', 'initial="calculated"><Real unit="rad/s"/>')
FED = 'u = "solid.wall.t + 10 K*sin(2*pi*20/1 s*time)"'
for name, description, change, words in (
        ("difference", RELATIVE, lambda text: text.replace(FED, 'u = "20 degC"'), "U007"),
        ("difference_right", RELATIVE, lambda text: text.replace(FED, 'u = "solid.wall.t - 290 K"'), ""),
        ("turns", TURNING, lambda text: text.replace('step = "1 ms", inputs', 'on_error = { t = "50 Hz" }, step = "1 ms", inputs'), "U007"),
        ("turns_right", TURNING, lambda text: text.replace('step = "1 ms", inputs', 'on_error = { t = "3000 rpm" }, step = "1 ms", inputs'), "")):
    folder = plant("kind_" + name, change)
    compile_lag(folder / "lag.fmu", description)
    done = subprocess.run([takt, "check", folder], capture_output=True, text=True)
    expect(f"{name} of an FMU: {words or 'taken'}", (done.returncode == 0) == (words == "") and f"error[{words}]" in (done.stdout + done.stderr) + "error[]", done.stdout + done.stderr)

# Directional derivatives that crash: asked for by ros2, not by rk4, and not where differences are wanted.
for method, key, words in (("ros2", "", "the FMU crashed"), ("ros2", "directional_derivatives = false, ", ""), ("rk4", "", ""), ("rk4", "directional_derivatives = 0, ", "true or false")):
    folder = work / f"partials_{method}_{len(key)}"
    folder.mkdir()
    compile_fmu(folder / "stiff.fmu", HERE.parent / "runtime/fmu/stiff2.c", (HERE.parent / "runtime/fmu/stiff2.xml").read_text()
                .replace('modelIdentifier="stiff2"', 'modelIdentifier="stiff2" providesDirectionalDerivative="true"'))
    (folder / "plant.toml").write_text(f'''[plant]
duration = "100 ms"
[fmu]
stiff = {{ file = "stiff.fmu", method = "{method}", {key}step = "10 ms", outputs = ["p"], parameters = {{ relay = -1, l = {1e6 if method == "ros2" else 1}, mu = 1 }} }}
[sync]
plant = {{ members = ["fmu"], every = "10 ms" }}
[record]
"10 ms" = ["fmu.*"]
''')
    code, said = run(folder)
    if words:
        expect(f"directional derivatives, {method}, {key}: ends by name", code != 0 and words in said, (code, said))
        continue
    got = signals(folder / "run")
    worst = max(abs(p - math.cos(t)) for t, p in zip(got["time"], got["fmu.stiff.p"]))
    expect(f"directional derivatives, {method}, {key}: not asked for", code == 0 and worst < 0.2 * 0.01 ** 2, (code, worst, said))

# Failures.
for fault, policy, words in ((1, "stop", ["fmu.lag", "the lag has had enough at 0.049 s"]), (1, "hold", ["outputs are held", "the lag has had enough"]),
                             (2, "stop", ["fmu.lag", "crashed"]), (3, "stop", ["fmu.lag", "exit()"]), (5, "stop", ["fmu.lag.t", "no longer finite"]),
                             (4, "stop", ["fmu.lag", "has not answered for 10 s"]), (10, "stop", ["fmu.lag", "copies the process it runs in (fork)"])):
    broken = plant(f"fault_{fault}_{policy}", lambda text: text.replace('fault = "0"', f'fault = "{fault}"')
                   .replace('step = "1 ms", inputs', f'on_error = "{policy}", step = "1 ms", inputs'))
    code, said = run(broken)
    expect(f"fault {fault}, {policy}: exit code 1 and the cause", code == 1 and all(word in said for word in words), (code, said))
    if policy == "hold":
        got = signals(broken / "run")
        expect("on_error hold: to its end, outputs held", got["time"][-1] == 0.2 and len(set(got["fmu.lag.t"][26:])) == 1, got["fmu.lag.t"][24:30])
for policy in ("stop", "hold"):
    ended = plant(f"ended_{policy}", lambda text: text.replace('fault = "0"', 'fault = "9"').replace('step = "1 ms", inputs', f'on_error = "{policy}", step = "1 ms", inputs'))
    code, said = run(ended)
    found = json.loads((ended / "run/summary.json").read_text())
    expect(f"an FMU that ends the simulation, on_error = {policy}: an end by name, no failure", code == 0 and "fmu.lag: the FMU ended the simulation at 0.049 s: the lag has seen enough" in said
           and "no longer finite" not in said and "failed" not in said.lower() and found["stopped_because"].startswith("fmu.lag: ") and found["simulated_s"] < 0.06, (code, said))
code, said = run(plant("astray", lambda text: text.replace('fault = "0"', 'fault = "12"')))
expect("a logger's pointer is not trusted", code == 0 and said.count("not the environment it was given") == 1, (code, said))
stays = plant("stays", lambda text: text.replace('fault = "0"', 'fault = "11"'))
code, said = run(stays)
pid = int(said.split("the process that stays: ")[1].split()[0])
expect("what an FMU has started ends with it", code == 0 and not pathlib.Path(f"/proc/{pid}").exists(), (code, said))
# Letters that CMake, make, the shell or a URI have for themselves.
folder = work / "a b;c\"d'e\\f$g#h?i%41j\u00fc&k"
folder.mkdir()
compile_lag(folder / "lag.fmu")
(folder / "plant.toml").write_text((HERE / "fmu_plant/plant.toml").read_text().replace('fault = "0"', 'fault = "13"'))
done = subprocess.run([takt, "run", folder, "--build-dir", folder / "build", "--out", folder / "run"], capture_output=True, text=True, env=os.environ | {"XDG_CACHE_HOME": str(work / "cache")})
expect("a folder of any name", done.returncode == 0 and abs(signals(folder / "run")["fmu.lag.t"][-1] - 42.5 - 273.15) < 1e-9, done.stdout + done.stderr)
limited = work / "limited"
limited.mkdir()
compile_lag(limited / "lag.fmu", lambda text: text.replace('initial="calculated"><Real unit="degC"/>', 'initial="calculated"><Real unit="degC" max="30"/>'))
(limited / "plant.toml").write_text((HERE / "fmu_plant/plant.toml").read_text())
code, said = run(limited)
expect("an output beyond what its FMU declares is not to be trusted", code == 1 and "X014" in said and "fmu.lag.t leaves the range that its FMU declares: at most 30 degC" in said, (code, said))
safe = plant("safe", lambda text: text.replace('fault = "0"', 'fault = "1"').replace('step = "1 ms", inputs', 'on_error = { t = "15 degC" }, step = "1 ms", inputs'))
code, said = run(safe)
got = signals(safe / "run")
expect("on_error with safe values: they hold from the failure on", code == 1 and set(got["fmu.lag.t"][26:]) == {288.15} and got["fmu.lag.t"][24] > 300 and len(set(got["fmu.lag.steps"][26:])) == 1,
       (code, said, got["fmu.lag.t"][24:28]))
left = subprocess.run(["pgrep", "-f", f"takt-fmu-host.*{work}"], capture_output=True, text=True).stdout
expect("no host process stays", left == "", left)

# What cannot be done is refused.
code, said = run(sound, "--action", "50 ms: checkpoint", out="kept")
expect("no checkpoint with an FMU that gives no state", code == 2 and "fmu.lag" in said and "canGetAndSetFMUstate" in said, (code, said))
reference = subprocess.run([takt, "reference", sound, "--out", sound / "tight"], capture_output=True, text=True)
expect("takt reference: F005", reference.returncode != 0 and "F005" in reference.stderr, reference.stderr)
for name, code, old, new in (("variable", "Y108", "{ u =", "{ w ="), ("causality", "Y109", "{ u =", '{ "heat.Y" ='), ("dimension", "U004", '"300 K"', '"300 V"'),
                             ("input_dimension", "U004", "solid.wall.t + 10 K", "solid.loss.h + 10 W"), ("kind", "Y103", 'step = "1 ms", inputs', 'kind = "me", step = "1 ms", inputs'),
                             ("key", "M005", 'step = "1 ms", inputs', 'stepp = "1 ms", step = "1 ms", inputs'), ("file", "M002", "lag.fmu", "gone.fmu"),
                             ("step", "S001", 'step = "1 ms", inputs', 'step = "0.3 ms", inputs'), ("no_step", "M007", 'step = "1 ms", inputs', "inputs"),
                             ("method", "Y106", 'step = "1 ms", inputs', 'method = "rk4", step = "1 ms", inputs'),
                             ("policy", "Y107", 'step = "1 ms", inputs', 'on_error = "pray", step = "1 ms", inputs'),
                             ("safe_name", "Y108", 'step = "1 ms", inputs', 'on_error = { torque = 0 }, step = "1 ms", inputs'),
                             ("safe_unit", "U004", 'step = "1 ms", inputs', 'on_error = { t = "1 V" }, step = "1 ms", inputs'),
                             ("safe_value", "Y107", 'step = "1 ms", inputs', 'on_error = { t = "tau" }, step = "1 ms", inputs'),
                             ("twice", "M019", 'steps = "steps"', 'u = "steps"')):
    wrong = plant("wrong_" + name, lambda text: text.replace(old, new))
    done = subprocess.run([takt, "check", wrong], capture_output=True, text=True)
    expect(f"{name}: {code} with its line", done.returncode == 1 and f"error[{code}]" in done.stderr and "plant.toml:" in done.stderr, done.stderr)
(sound / "lag.fmu").write_bytes(b"PK but no archive")
done = subprocess.run([takt, "check", sound], capture_output=True, text=True)
expect("a broken archive: Y101", done.returncode == 1 and "error[Y101]" in done.stderr, done.stderr)


def against_fmpy():
    shared = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "fmu/maplesim2024/FMI2_CS_ControlledTemperature/ControlledTemperature.fmu"
    try:
        import fmpy
    except ImportError:
        return print("skipped: fmpy is not there")
    if not shared.exists():
        return print("skipped: no TAKT_SHARED_DATA")
    description = fmpy.read_model_description(shared)
    names = [v.name for v in description.modelVariables if v.causality == "output"]
    folder = work / "maplesim"
    folder.mkdir()
    shutil.copy(shared, folder / "foreign.fmu")
    outputs = ", ".join(f'y{i} = "{name}"' for i, name in enumerate(names))
    (folder / "plant.toml").write_text('[plant]\nduration = "1 s"\n[fmu]\nforeign = { file = "foreign.fmu", kind = "cs", step = "1 ms", outputs = { '
                                       + outputs + ' } }\n[sync]\nplant = { members = ["fmu"], every = "10 ms" }\n[record]\n"10 ms" = ["fmu.*"]\n')
    code, said = run(folder)
    expect("an FMU of another tool runs alone", code == 0, said)
    got = signals(folder / "run")
    result = fmpy.simulate_fmu(str(shared), stop_time=1.0, step_size=1e-3, output_interval=1e-3, output=names, fmi_type="CoSimulation", apply_default_start_values=False)
    for i, name in enumerate(names):
        celsius = next(v for v in description.modelVariables if v.name == name).unit == "degC"  # K in a plant
        theirs = [float(value) + (273.15 if celsius else 0.0) for value in result[name][::10]]
        ours = got[f"fmu.foreign.y{i}"]
        worst = max(abs(a - b) / max(1e-12, abs(b)) for a, b in zip(ours, theirs))
        expect(f"{name} as fmpy computes it", len(ours) == len(theirs) and worst < 1e-9, worst)


against_fmpy()
print(f"{failures} failures")
sys.exit(failures > 0)
