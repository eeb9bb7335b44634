#!/usr/bin/env python3
"""[model] in a plant file: models in Modelica whose connectors join circuits, against closed solutions; what cannot join is refused by its code.

Solutions come from `takt reference`, which compiles nothing; one plant of a motor, whose flange lies in another circuit than its pins, is run.
"""
import csv
import json
import math
import subprocess

import numpy as np
from built_plants import takt_and_work
from flat_models import model

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "", flush=True)


def open_model(name, connectors, **of):
    """A flat model whose connectors are left open: each `flow` is zero, as a front end writes it."""
    flat = model(**of)
    for flow in connectors:
        flat["variables"][flow]["flow"] = True
        flat["equations"].append({"residual": {"VarRef": {"name": {"name": flow, "resolved_function": None}, "subscripts": []}},
                                  "origin": {"UnconnectedFlow": {"variable": flow}}, "scalar_count": 1})
    (work / f"{name}.flat.json").write_text(json.dumps(flat))


BODY = {"C": "parameter=10", "port__T": "real", "port__Q": "real", "T": "real start=300 fixed unit=K", "equations": ["C*der(T) == port.Q", "port.T == T"]}
PIN = {f"{pin}__{word}": "real" for pin in "pn" for word in "vi"}
open_model("body", ["port.Q"], **BODY)
open_model("resistor", ["p.i", "n.i"], R="parameter=2", **PIN, equations=["p.v - n.v == R*p.i", "p.i + n.i == 0"])
open_model("capacitor", ["p.i", "n.i"], C="parameter=0.1", v="real start=0 fixed", **PIN, equations=["v == p.v - n.v", "C*der(v) == p.i", "p.i + n.i == 0"])
open_model("source", ["p.i", "n.i"], V="input", **PIN, equations=["p.v - n.v == V", "p.i + n.i == 0"])
FLANGE = {"flange__phi": "real", "flange__tau": "real"}
open_model("wheel", ["flange.tau"], J="parameter=2", w="real start=3 fixed", phi="real start=0 fixed", **FLANGE,
           equations=["phi == flange.phi", "der(phi) == w", "J*der(w) == flange.tau"])
open_model("twist", ["flange.tau"], c="parameter=8", **FLANGE, equations=["flange.tau == c*flange.phi"])
SLIDES = {"flange__s": "real unit=m", "flange__f": "real unit=N"}
open_model("slider", ["flange.f"], m="parameter=2", place="parameter=0.5", v="real start=0 fixed unit=m/s", s="real start=place fixed unit=m", **SLIDES,
           equations=["s == flange.s", "der(s) == v", "m*der(v) == flange.f"])
open_model("hook", ["flange.f"], c="parameter=8", longer="parameter=0.3", whole="integer parameter=1", **SLIDES | {"flange__s": "real start=0.5 unit=m"},
           equations=["flange.f == c*(flange.s - longer)*whole"])
open_model("rod", ["a.f", "b.f"], m="parameter=2", l="parameter=0.4", s="real start=0.3 fixed unit=m", v="real start=0 fixed unit=m/s",
           **{f"{end}__{word}": f"real unit={unit}" for end in "ab" for word, unit in (("s", "m"), ("f", "N"))},
           equations=["s == a.s + l/2", "b.s == s + l/2", "der(s) == v", "m*der(v) == a.f + b.f"])
open_model("gear", ["a.tau", "b.tau"], ratio="parameter=3", **{f"{end}__{word}": f"real unit={unit}" for end in "ab" for word, unit in (("phi", "rad"), ("tau", "N.m"))},
           equations=["a.phi == ratio*b.phi", "0 == ratio*a.tau + b.tau"])
open_model("celsius", ["port.Q"], **BODY | {"port__T": "real unit=degC"})
open_model("in_kelvin", ["port.Q"], **BODY | {"port__T": "real unit=K", "port__Q": "real unit=W"})
open_model("kilowatt", ["port.Q"], **BODY | {"port__Q": "real unit=kW"})
open_model("chooser", ["p.i", "n.i"], **PIN, equations=["p.v - n.v == (2*p.i if p.i > 1 else 5*p.i)", "p.i + n.i == 0"])
open_model("motor", ["p.i", "n.i", "flange.tau"], R="parameter=1", L="parameter=0.05", k="parameter=0.5", i="real start=0 fixed", w="real", **PIN, **FLANGE,
           equations=["p.v - n.v == R*i + L*der(i) + k*w", "p.i == i", "p.i + n.i == 0", "der(flange.phi) == w", "flange.tau == -k*i"])


def do(*command):
    done = subprocess.run([takt, *map(str, command)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def signals(folder):
    with open(folder / "signals.csv", newline="") as file:
        rows = list(csv.reader(file))
    names = [name.split(" [")[0] for name in rows[0]]
    return {name: np.array([float(row[k]) for row in rows[1:]]) for k, name in enumerate(names)}


def plant(name, text):
    file = work / f"{name}.toml"
    file.write_text("[plant]\nduration = \"2 s\"\n" + text)
    return file


def holds(what, text, tolerance=1e-6, **wanted):
    name = what.replace(" ", "_").replace(",", "")
    code, said = do("reference", plant(name, text), "--out", work / name, "--rtol", "1e-10")
    if code:
        return expect(what, False, said)
    found = signals(work / name)
    worst = max((float(np.max(np.abs(found[path.replace("__", ".")] - [right(t) for t in found["time"]]))), path) for path, right in wanted.items())
    return expect(what, worst[0] <= tolerance, worst)


def refused(what, text, code, words):
    name = "refused_" + what.replace(" ", "_")
    status, said = do("check", plant(name, text))
    expect("refused: " + what, status != 0 and f"error[{code}]" in said and words in said, said)


holds("a body in Modelica that a wall of Takt cools", """
[solid]
air  = { is = "temperature_boundary", t = "280 K" }
skin = { is = "thermal_resistance", at = ["core", "air"], r = "0.5 K/W" }
[model]
body.file = "body.flat.json"
body.at   = { port = "solid.core" }
[record]
"100 ms" = ["solid.body.t_2"]
""", solid__body__t_2=lambda t: 280 + 20 * math.exp(-t / 5))

holds("three models joined at nodes, tuned, one at the reference", """
[model]
u.file = "source.flat.json"
u.at   = { p = "electric.a", n = "electric.gnd" }
u.inputs = { V = "5 + 0*time/(1 s)" }
r.file = "resistor.flat.json"
r.at   = { p = "electric.a", n = "electric.b" }
r.parameters = { R = "4" }
c.file = "capacitor.flat.json"
c.at   = { p = "electric.b", n = "electric.gnd" }
[electric]
load = { is = "resistor", at = ["b", "gnd"], r = "4 Ohm" }
[record]
"100 ms" = ["electric.load.v"]
""", electric__load__v=lambda t: 2.5 * (1 - math.exp(-t / 0.2)))

holds("a wheel in Modelica on a shaft with an inertia and a damper of Takt", """
[model]
wheel.file = "wheel.flat.json"
wheel.at   = { flange = "rotational.shaft" }
[rotational]
hub  = { is = "inertia", at = ["shaft"], j = "1 kg*m^2", start = { w = "3 rad/s" } }
drag = { is = "damper", at = ["shaft", "frame"], d = "6 N*m*s/rad" }
[record]
"100 ms" = ["rotational.hub.w"]
""", rotational__hub__w=lambda t: 3 * math.exp(-2 * t))

holds("a flange whose angle no state of the model has", """
[model]
twist.file = "twist.flat.json"
twist.at   = { flange = "rotational.shaft" }
[rotational]
hub = { is = "inertia", at = ["shaft"], j = "2 kg*m^2", start = { w = "1 rad/s" } }
[record]
"100 ms" = ["rotational.hub.w"]
""", rotational__hub__w=lambda t: math.cos(2 * t))

SLIDER = """
[model]
slider.file = "slider.flat.json"
slider.at   = { flange = "translational.x" }
hook.file   = "hook.flat.json"
hook.at     = { flange = "translational.x" }
[record]
"100 ms" = ["translational.slider.s_2", "translational.hook.flange_s"]
"""
away = lambda t: 0.3 + 0.2 * math.cos(2 * t)
holds("two models at one flange, at one position", SLIDER, translational__slider__s_2=away, translational__hook__flange_s=away)

holds("the same, where the place follows from that of a rod's middle", SLIDER.replace("slider.flat", "rod.flat").replace("{ flange", "{ b", 1).replace("slider.s_2", "slider.b_s"),
      translational__slider__b_s=away, translational__hook__flange_s=away)

holds("a gear in Modelica between inertias of Takt, of which one is started", """
[model]
gear.file = "gear.flat.json"
gear.at   = { a = "rotational.fast", b = "rotational.slow" }
[rotational]
input  = { is = "inertia", at = ["fast"], j = "1 kg*m^2", start = { w = "6 rad/s" } }
output = { is = "inertia", at = ["slow"], j = "9 kg*m^2" }
drag   = { is = "damper", at = ["slow", "frame"], d = "2 N*m*s/rad" }
[record]
"100 ms" = ["rotational.input.w", "rotational.output.w"]
""", rotational__input__w=lambda t: 6 * math.exp(-t / 9), rotational__output__w=lambda t: 2 * math.exp(-t / 9))

MOTOR = """
[model]
motor.file = "motor.flat.json"
motor.at   = { p = "electric.a", n = "electric.gnd", flange = "rotational.shaft" }
[electric]
supply = { is = "voltage_source", at = ["a", "gnd"], v = "10 V" }
[rotational]
rotor = { is = "inertia", at = ["shaft"], j = "0.1 kg*m^2" }
[record]
"20 ms" = ["rotational.rotor.w", "electric.motor.i_2"]
"""


def motor(times):
    """i' = (10 - i - 0.5*w)/0.05, w' = 0.5*i/0.1, from rest: -> i, w"""
    a = np.array([[-1 / 0.05, -0.5 / 0.05], [0.5 / 0.1, 0.0]])
    rest = -np.linalg.solve(a, [10 / 0.05, 0.0])
    values, vectors = np.linalg.eig(a)
    shares = np.linalg.solve(vectors, -rest)
    return (rest[:, None] + ((vectors * shares) @ np.exp(np.outer(values, times))).real)


def motor_error(times):
    """of a run with this synchronisation time -> largest error of the speed over its range"""
    name = "motor_" + times.replace(" ", "")
    file = plant(name, MOTOR + f'[sync]\nplant = {{ members = ["*"], every = "{times}" }}\n')
    code, said = do("run", file, "--pace", "free", "--build-dir", work / "build", "--out", work / name)
    if code:
        expect("a motor runs at " + times, False, said)
        return math.inf
    found = signals(work / name)
    right = motor(found["time"])[1]
    return float(np.max(np.abs(found["rotational.rotor.w"] - right)) / np.ptp(right))


coarse, fine = motor_error("4 ms"), motor_error("2 ms")
expect("a motor in Modelica between a source and a rotor of Takt runs, of second order in the time of exchange", coarse < 1e-3 and fine < coarse / 3, (coarse, fine))

JOINED = '[model]\nbody.file = "body.flat.json"\nbody.at = {{ {} = "{}" }}\n{}'
refused("a connector that is not there", JOINED.format("prot", "solid.core", ""), "D031", 'did you mean "port"')
refused("a node of no section", JOINED.format("port", "core", ""), "D031", "solid.NODE")
refused("a parameter that is not there", JOINED.format("port", "solid.core", 'body.parameters = { CC = "2" }'), "D003", "parameter that can be set 'CC'")
refused("an input that is not there", JOINED.format("port", "solid.core", 'body.inputs = { u = "2" }'), "D003", "input 'u'")
refused("a key that is not known", JOINED.format("port", "solid.core", "body.fil = 1"), "M005", "fil")
refused("no connectors", '[model]\nbody.file = "body.flat.json"\n', "M007", "connectors")
refused("no file", '[model]\nbody.at = { port = "solid.core" }\n', "M007", "file")
refused("a file that is not there", '[model]\nbody.file = "no.flat.json"\nbody.at = { port = "solid.core" }\n', "M002", "no.flat.json")
(work / "body.bmo").write_text("package Body\nend Body;\n")
refused("text that does not say what flows", '[model]\nbody.file = "body.bmo"\nbody.at = { port = "solid.core" }\n', "D031", "flat JSON")
refused("a heat port at a node of electric", JOINED.format("port", "electric.a", "").replace("body.flat", "in_kelvin.flat"), "D031", "'port.T' is in K")
refused("another temperature scale", JOINED.format("port", "solid.core", "").replace("body.flat", "celsius.flat"), "D031", "'port.T' is in degC")
refused("a multiple of the unit", JOINED.format("port", "solid.core", "").replace("body.flat", "kilowatt.flat"), "D031", "'port.Q' is in kW")
refused("no name of a node", JOINED.format("port", "solid.", ""), "D031", "no name of a node")
refused("two positions at one node", SLIDER.replace("[record]", 'slider.parameters = { place = "0.7" }\n[record]'), "D032", "begins at 0.5 m and 'slider.flange' at 0.7:")
refused("an element of the same name", JOINED.format("port", "solid.core", '[solid]\nbody = { is = "lumped_wall" }'), "M019", "solid.body")
refused("a connector that jumps", JOINED.format("p", "electric.a", "").replace("body.flat", "chooser.flat").replace('"electric.a"', '"electric.a", n = "electric.gnd"'), "D022", "jumps where")
refused("a parameter that is a number", SLIDER.replace("[record]", 'hook.parameters = { whole = "2" }\n[record]'), "D003", "it is a whole number")
refused("a parameter with a unit", JOINED.format("port", "solid.core", 'body.parameters = { C = "3 J/K" }'), "U004", "parameter_with_a_unit.toml:6:")
closed = model(**BODY | {"equations": [*BODY["equations"], "port.Q == 0"]})
closed["variables"]["port.Q"]["flow"] = True
(work / "closed.flat.json").write_text(json.dumps(closed))
refused("a connector that the model itself connects", JOINED.format("port", "solid.core", "").replace("body.flat", "closed.flat"), "D031", "not left open")
begun = json.loads((work / "body.flat.json").read_text())
begun["variables"]["T"]["fixed"] = None
begun["initial_equations"] = model(equations=["T + port.T == 600"])["equations"]
(work / "begun.flat.json").write_text(json.dumps(begun))
refused("initial equations", JOINED.format("port", "solid.core", "").replace("body.flat", "begun.flat"), "D032", "initial equations")
open_model("undetermined", ["port.Q"], **BODY | {"C": "parameter start=10 fixed=false"})
refused("a parameter that the start would determine", JOINED.format("port", "solid.core", "").replace("body.flat", "undetermined.flat"), "D032", "parameters that the start determines")

raise SystemExit(failures > 0)
