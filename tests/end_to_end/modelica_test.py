#!/usr/bin/env python3
"""`takt import modelica`: models of our own, one for each construct, against closed solutions; what must be refused is refused, and nothing is written then.

Solutions come from `takt reference`, which compiles nothing; some plants are run: what the generator chooses shows in them alone.
"""
import json
import math
import re
import resource
import subprocess

import numpy as np
from base_modelica import base_modelica
from flat_models import equation, function, model
from modelica_checks import as_text, do, expect, failed, holds, imported, named, refused, runs, signals, solved, takt, work

decay = math.exp
holds("a decay", model(x="real start=1 fixed", k="parameter=2", equations=["der(x) == -k*x"]), x=lambda t: decay(-2 * t))
holds("aliases with signs", model(a="real start=-1 fixed", b="real", c="real", equations=["0 == a + b", "b == c", "der(c) == -c"]),
      a=lambda t: -decay(-t), b=lambda t: decay(-t), c=lambda t: decay(-t))
holds("constants", model(a="real", b="real", x="real start=0 fixed", equations=["a == 3", "b == -a", "der(x) == b"]), x=lambda t: -3 * t, a=lambda t: 3)
holds("a sum that is an output", model(x="real start=1 fixed", y="real", z="real", equations=["der(x) == -x", "y == x + z", "z == 2*x"]), y=lambda t: 3 * decay(-t))
holds("a binding", model(x="real start=1 fixed", y="real =2*x", equations=["der(x) == -x"]), y=lambda t: 2 * decay(-t))
holds("an algebraic loop", model(x="real start=1 fixed", y="real start=1", equations=["der(x) == -y", "y*y == x*x"]), x=lambda t: decay(-t))
holds("states that a constraint ties", model(a="real start=2 fixed", b="real", f="real", equations=["der(a) == -a + f", "der(b) == -f", "a == 2*b"]),
      a=lambda t: 2 * decay(-2 * t / 3), b=lambda t: decay(-2 * t / 3))
ring = ["der(x) == vx", "der(y) == vy", "der(vx) == -s*x", "der(vy) == -s*y", "x*x + y*y == 1"]
holds("a bead on a ring, of index 3, past the points at which neither x nor y tells where it is",
      model(x="real start=1", y="real start=0 fixed", vx="real", vy="real start=4 fixed", s="real", equations=ring),
      x=lambda t: math.cos(4 * t), y=lambda t: math.sin(4 * t), s=lambda t: 16)
code, said = imported("bead", model(x="real start=1", y="real start=0 fixed", vx="real", vy="real start=4 fixed", s="real", equations=ring))
code, said = do("check", work / "bead") if code == 0 else (code, said)
expect("its plant begins with the speed that is given, where a rate is the state", code == 0 and "T024" not in said, said)
row = [f"v{k}" for k in range(1, 5)]
code, said = imported("row", model(x1="real start=0 fixed", **{f"x{k}": "real" for k in (2, 3, 4)}, **{v: "real" for v in row} | {"v3": "real start=2 fixed"}, **{f"f{k}": "real" for k in (1, 2, 3)},
                      equations=[*[f"der(x{k}) == v{k}" for k in range(1, 5)], *[f"x{k} - x{k + 1} == 1" for k in (1, 2, 3)],
                                 "der(v1) == f1", "der(v2) == f2 - f1", "der(v3) == f3 - f2", "der(v4) == -f3"]))
code, said = do("check", work / "row") if code == 0 else (code, said)
starts = dict(re.findall(r'^state\.(v\d) = .*start = "([\d.]+)', (work / "row/plant.toml").read_text(), re.M)) if code == 0 else {}
expect("rods that tie masses move as the one mass that is given a speed", code == 0 and len(starts) == 4 and all(abs(float(v) - 2) < 1e-9 for v in starts.values()) and "T024" not in said, (starts, said))
# Where a factor of what is not integrated passes zero, the history of the steps is of no use; and where a rate has no bound, the solution ends.
code, said = imported("pole", model(x="real start=1 fixed", y="real", equations=["der(x) == -x", "(time - 0.503)*y == x"]),
                      "--duration", "2 s", "--every", "10 ms", "--record", "x", "--record", "y")
code, said = do("reference", work / "pole", "--out", work / "pole/reference") if code == 0 else (code, said)
found = named("pole", signals(work / "pole/reference")) if code == 0 else {}
worst = max((abs(y - x / (t - 0.503)) for t, x, y in zip(found["time"], found["x"], found["y"])), default=9) if found else said
expect("a pole is passed", found and worst < 1e-9, worst)
code, said = imported("ends", model(x="real start=1 fixed", y="real", equations=["der(x) == y", "(x - 0.5)*y == -1"]))
code, said = do("reference", work / "ends", "--out", work / "ends/reference", "--at-most", "20") if code == 0 else (code, said)
expect("a solution that ends is said, with its time", code == 1 and "does not get beyond 0.12" in said, said)
holds("arrays", model(x="real dims=2 start=[1,2] fixed", A="parameter dims=2,2 =[[-1,0],[0,-2]]", equations=["der(x) == A*x"], counts={0: 2}),
      "x[2]", **{"x[1]": lambda t: decay(-t), "x[2]": lambda t: 2 * decay(-2 * t)}, name="arrays")
holds("a cross product", model(w="parameter dims=3 =[0,0,2]", r="real dims=3 start=[1,0,0] fixed", equations=["der(r) == cross(w, r)"], counts={0: 3}),
      **{"r[1]": lambda t: math.cos(2 * t), "r[2]": lambda t: math.sin(2 * t)}, name="cross")
holds("a function with a loop", model(x="real start=0 fixed", equations=["der(x) == power(2.0, 3)"],
      functions={"power": function(["u", "n"], ["y"], "y = 1\nfor k in range(1, n):\n  y = y*u")}), x=lambda t: 8 * t)
holds("a function with a branch", model(x="real start=1 fixed", equations=["der(x) == limited(x)"],
      functions={"limited": function(["u"], ["y"], "if u > 10:\n  y = -10\nelse:\n  y = -u")}), x=lambda t: decay(-t))
holds("a relation of the time", model(x="real start=0 fixed", equations=["der(x) == (1 if time < 0.33 else 0)"]), x=lambda t: min(t, 0.33), tolerance=1e-5)
holds("a truth value of the time", model(x="real start=0 fixed", on="boolean", equations=["on == (time < 0.33)", "der(x) == (1 if on else 0)"]),
      x=lambda t: min(t, 0.33), tolerance=1e-5)
holds("a continuous relation", model(x="real start=1 fixed", y="real", equations=["der(x) == -2", "y == (x if x > 0 else 3*x)"]),
      y=lambda t: 1 - 2 * t if t < 0.5 else 3 * (1 - 2 * t), tolerance=1e-5)
holds("a diode that is continuous", model(s="real", x="real start=-1 fixed", v="real", off="boolean",
      equations=["off == (s < 0)", "v == s*(1 if off else 0.5)", "v == x", "der(x) == 2"]), s=lambda t: -1 + 2 * t if t < 0.5 else 2 * (-1 + 2 * t), tolerance=1e-5)
holds("a branch that is never taken", model(x="real start=0.5 fixed", z="real start=0.5 fixed", y="real", q="real start=0 fixed", equations=["der(x) == -x", "der(z) == -z", "der(q) == y"],
      algorithms=[["y = -1.2*exp(-x*x)", "y = y - 0.6*log(2 + z*z)", "if y > 0.183:\n  y = 2*y - 0.183\nelse:\n  y = y + 0"]]),
      y=lambda t: -1.2 * math.exp(-0.25 * math.exp(-2 * t)) - 0.6 * math.log(2 + 0.25 * math.exp(-2 * t)))
holds("noEvent", model(x="real start=1 fixed", equations=["der(x) == noEvent(-x if x > 0 else 0)"]), x=lambda t: decay(-t))
holds("a parameter of parameters", model(x="real start=x0 fixed", x0="parameter =2*k", k="parameter=2", equations=["der(x) == -k*x"]), x=lambda t: 4 * decay(-2 * t))
holds("an initial equation", model(x="real", equations=["der(x) == 2 - x"], initial=["der(x) == 1"]), x=lambda t: 2 - decay(-t))
holds("an initial equation of a sum", model(x="real start=1 fixed", z="real", equations=["der(x) == -x", "der(z) == -2*z"], initial=["x + z == 3"]),
      z=lambda t: 2 * decay(-2 * t))
holds("an algorithm", model(x="real start=1 fixed", y="real", z="real", equations=["der(x) == -z"], algorithms=[["y = 2*x", "y = y + x", "if y > 100:\n  z = 100*y - 9900\nelse:\n  z = y"]]),
      x=lambda t: decay(-3 * t))
holds("an initial algorithm with branches", model(x="real", y="real", k="parameter=2", equations=["der(x) == -x", "der(y) == 0*x"],
      initial_algorithms=[["x = 1", "x = x + k", "if k > 1:\n  y = 2*x\nelse:\n  y = 0"]]), x=lambda t: 3 * decay(-t), y=lambda t: 6)
holds("a fixed start that depends on a variable", model(x="real start=1 fixed", y="real start=2*x fixed", equations=["der(x) == -x", "der(y) == -2*y"]), y=lambda t: 2 * decay(-2 * t))
code, said = imported("follows", model(x="real start=1 fixed", y="real start=-5 select=Prefer", z="real", equations=["der(x) == -x", "y == 2*x", "der(y) == z"]))
plant = (work / "follows/plant.toml").read_text() if code == 0 else said
expect("a state that is not fixed follows from those that are", abs(float(plant.partition('der = "der_y", start = "')[2].partition('"')[0] or 0) - 2) < 1e-9 and plant.find("state.x") < plant.find("state.y"), plant)
held = model(x="real start=3 fixed", p="parameter", equations=["der(x) == p - x"], initial=["p == 2*x"])
held["variables"]["p"]["fixed"] = [False]
started = ["z + z**3 == 2"]
holds("an initial equation beside what is small", model(x="real start=1e-9 fixed", w="real", z="real", initial=started,
      equations=["der(x) == -x", "w + w**3 == x/1e-9 + (x/1e-9)**3", "der(z) == -z"]), w=lambda t: decay(-t), z=lambda t: decay(-t))
holds("an initial equation beside what is large", model(x="real start=1 fixed", p="real start=2e8 fixed", u="real", v="real", z="real", initial=started,
      equations=["der(x) == -x", "der(p) == 1e8*(tanh(u) + log(2 + v*v)) - p", "u + 0.4*tanh(v) == x + 0.4*tanh(x)", "v - 0.4*sin(u) == x - 0.4*sin(x)", "der(z) == -z"]),
      u=lambda t: decay(-t), v=lambda t: decay(-t), z=lambda t: decay(-t))
far = model(x="real start=1 fixed", w="real", equations=["der(x) == -x", "1.95*tanh(w) - w == 0.5 + 0.2*x"])
code, said = imported("far", far, "--duration", "1 s", "--every", "100 ms")
expect("no start value is blamed for an unknown that is far", code == 0 or "x" not in said.partition("D025")[2], said)
holds("a parameter that the start determines", held, x=lambda t: 6 - 3 * decay(-t))
table_of_two = {"table2": function(["tableName", "fileName", "table:3,3", "smoothness", "extrapolation"], ["object"], "", external="ModelicaStandardTables_CombiTable2D_init2"),
                "value2": function(["tableID", "u1", "u2"], ["y"], "", external="ModelicaStandardTables_CombiTable2D_getValue")}
for ends, y in ((1, lambda t: 1.5 + 3.5 * min(max(3 - 5 * t, 0), 1)), (2, lambda t: 12 - 17.5 * t)):
    holds(f"a table of two arguments, ends {ends}", model(u="real start=3 fixed", y="real", m=f'parameter =table2("NoName","NoName",[[0,0,1],[0,1,2],[1,3,7]],1,{ends})',
          equations=["der(u) == -5", "y == value2(m, u, 0.5)"], functions=table_of_two), y=y)
refused("a table with splines", model(u="real start=3 fixed", m='parameter =table2("NoName","NoName",[[0,0,1],[0,1,2],[1,3,7]],2,1)',
        equations=["der(u) == value2(m, u, 0.5)"], functions=table_of_two), "D005", "smoothness 2")
refused("a table in a file", model(u="real start=3 fixed", m='parameter =table2("map","map.txt",[[0,0,1],[0,1,2],[1,3,7]],1,1)',
        equations=["der(u) == value2(m, u, 0.5)"], functions=table_of_two), "D005", "map")
holds("elementary functions", model(x="real start=0 fixed", y="real", equations=["der(x) == 1", "y == cosh(x) + log10(1 + x) + atan2(x, 2) + max(x, 0.2)*sqrt(1 + x)"]),
      y=lambda t: math.cosh(t) + math.log10(1 + t) + math.atan2(t, 2) + max(t, 0.2) * math.sqrt(1 + t), tolerance=1e-5)
holds("semiLinear", model(x="real start=-1 fixed", y="real", equations=["der(x) == 2", "y == semiLinear(x, 2, 5)"]),
      y=lambda t: 5 * (2 * t - 1) if t < 0.5 else 2 * (2 * t - 1), tolerance=1e-5)
holds("semiLinear in an expression and its rate", model(x="real start=-0.9 fixed", y="real", v="real", equations=["der(x) == 2", "y == 1 - 2*semiLinear(x, 2, 5)", "v == der(semiLinear(x, 2, 5))"]),
      y=lambda t: 1 - 2 * (5 if t < 0.45 else 2) * (2 * t - 0.9), v=lambda t: 10 if t < 0.45 else 4, tolerance=1e-5)

# What flows, where nothing flows: the slopes of semiLinear are known by the rules of the language, not by its equations.
pipe = ["m == max(0.5 - time, 0) - max(time - 0.72, 0)", "der(x) == h"]
flow = lambda t: max(0.5 - t, 0) - max(t - 0.72, 0)
holds("a chain at rest", model(m="real", s="real", h="real", x="real start=0 fixed", a="parameter=3", b="parameter=5",
      equations=[*pipe, "h == semiLinear(m, a, s)", "-h == semiLinear(-m, b, s)"]), s=lambda t: 3 if flow(t) >= 0 else 5, h=lambda t: flow(t) * (3 if flow(t) >= 0 else 5))
holds("a chain of three at rest", model(m="real", s="real", s2="real", p="real", h="real", g="real", x="real start=0 fixed", a="parameter=3", b="parameter=5",
      equations=[*pipe, "h == semiLinear(m, a, s)", "h + g == 0", "p == -m", "g == semiLinear(p, s2, s)", "h == semiLinear(m, s2, b)"]),
      s=lambda t: 3 if flow(t) >= 0 else 5, s2=lambda t: 3 if flow(t) >= 0 else 5, h=lambda t: flow(t) * (3 if flow(t) >= 0 else 5))
holds("a closed end", model(m="real", h="real", s="real", x="real start=1 fixed", equations=["m == 0", "h == 0", "h == semiLinear(m, s, 4*x)", "der(x) == -x"]), s=lambda t: 4 * decay(-t))
junction = ["h1 == semiLinear(m, s, 3)", "h2 == semiLinear(2*m, s, 6)", "h3 == semiLinear(-3*m, s, 9)", "h1 + h2 + h3 == 0"]
holds("a junction at rest", model(m="real", s="real", h="real", h1="real", h2="real", h3="real", x="real start=0 fixed", equations=[*pipe, *junction, "h == h3"]),
      s=lambda t: 9 if flow(t) > 0 else 5 if flow(t) < 0 else 6, h=lambda t: -27 * flow(t) if flow(t) > 0 else -15 * flow(t))
holds("a junction without names", model(m="real", s="real", h="real", x="real start=0 fixed",
      equations=[*pipe, "semiLinear(m, s, 3) + semiLinear(2*m, s, 6) + semiLinear(-3*m, s, 9) == 0", "h == semiLinear(m, s, 3)"]),
      s=lambda t: 9 if flow(t) > 0 else 5 if flow(t) < 0 else 6, h=lambda t: flow(t) * (9 if flow(t) > 0 else 3))
holds("a volume at rest", model(m="real", s="real", h="real", h2="real", x="real start=0 fixed", c="real start=1 fixed",
      equations=[*pipe, "h == semiLinear(m, 10, s)", "h2 == semiLinear(-m, 20, s)", "der(c) == h + h2", "s == c"]),
      c=lambda t: 10 - 9 * math.exp(t * (t - 1) / 2) if t <= 0.5 else 10 - 9 * math.exp(-0.125) if t < 0.72 else 20 - (10 + 9 * math.exp(-0.125)) * math.exp(-(t - 0.72) ** 2 / 2))
holds("a comprehension", model(x="real start=0 fixed", equations=["der(x) == sum([k*k for k in range(1, 3)])"]), x=lambda t: 14 * t)

# A parameter that is a factor 0, and one that chooses, are numbers; the others can be tuned.
code, said = imported("tuned", model(x="real start=1 fixed", y="real", k="parameter=2", zero="parameter=0", n="integer parameter=1",
                                     equations=["der(x) == -k*x + zero*y", "y == (x if n > 0 else 2*x)"]))
told = json.loads((work / "tuned/import.json").read_text()) if code == 0 else {}
expect("parameters that are numbers are told with the reason", set(told.get("parameters_that_are_numbers", [])) == {"zero", "n"} and "k" in told["variables"], told or said)

# A plant that is run, with an input, a tuned parameter and names of Modelica.
flat = model(motor__w="output real start=0 fixed unit=rad/s", u="input real start=1", J="parameter=0.5 unit=kg.m2", equations=["J*der(motor.w) == u - motor.w"])
code, said = imported("driven", flat, "--duration", "1 s", "--every", "100 ms")
expect("a model with an input becomes a plant", code == 0, said)
code, said = do("run", work / "driven", "--pace", "free", "--build-dir", work / "build", "--out", work / "driven/run", "--input", "u=2", "--set", "rotational.model.j=1")
found = named("driven", signals(work / "driven/run")) if code == 0 else {}
worst = max((abs(w - 2 * (1 - decay(-t))) for t, w in zip(found["time"], found["motor.w"])), default=9) if found else said
expect("it runs, driven and tuned", found and worst < 1e-3, worst)
reasons = [one.get("energy_left_out", "") for one in json.loads((work / "driven/run/summary.json").read_text())["subsystems"]] if code == 0 else said
expect("its energy is not judged, with the reason", reasons == ["its free equations may store energy"], reasons)

refused("pre of what changes between events", model(x="real start=1 fixed", y="real", equations=["der(x) == -x", "y == pre(x)"]), "D021", "'pre'")
refused("sample", model(x="real start=1 fixed", equations=["der(x) == (1 if sample(0, 0.1) else 0)"]), "D021", "'sample'")
refused("delay", model(x="real start=1 fixed", equations=["der(x) == delay(x, 0.1)"]), "D021", "'delay'")
refused("initial()", model(x="real start=1 fixed", b="boolean", equations=["der(x) == (1 if b else 0)", "b == (initial() or x > 2)"]), "D021", "'initial'")
refused("floor of a state", model(x="real start=1 fixed", equations=["der(x) == floor(x)"]), "D022", "floor")
pull = dict(x1="real start=0 fixed", v1="real start=0 fixed", x2="real", v2="real", s="real", w="real start=0 fixed", f="real",
            equations=["der(x1) == v1", "der(v1) == f", "der(x2) == v2", "der(v2) == 10 - f", "s == x2 - x1", "w == der(s)", "f == 100*s"])
holds("a start at which a distance is at rest that others make", model(**{**pull, "a": "real", "equations": [*pull["equations"], "a == der(w)"]}, initial=["der(w) == 0"]),
      x1=lambda t: 2.5 * t * t, s=lambda t: 0.05, f=lambda t: 5)
holds("a start that follows from a fixed one of what is no state, by derivatives of equations that share a rate",
      model(x="real start=1 fixed", y="real", z="real", g="real", u="real start=2 fixed",
            equations=["der(x) == y - x + g", "g == 0.5*x", "der(x) == z - x", "der(y) == -y", "der(z) == -u"]),
      x=lambda t: 8 * decay(-t / 2) - 7 * decay(-t), z=lambda t: 4 * decay(-t / 2), u=lambda t: 2 * decay(-t / 2))
holds("a start value that nobody gives and something is divided by",
      model(x="real start=2 fixed", v="real start=0 fixed", s="real", w="real", e="real", equations=["der(x) == v", "s == sqrt(x*x)", "w == der(s)", "e == x/s", "der(v) == -e - w"]),
      x=lambda t: 3 - t - decay(-t), s=lambda t: 3 - t - decay(-t), e=lambda t: 1)
holds("a start that wishes which do not fit hide", model(r="real start=1 fixed", z="real start=0 fixed", x="real start=-1", v="real", y="real", w="real",
      equations=["der(r) == -r", "x == 2*r*r", "v == der(x)", "y == sqrt(x - 0.2)", "w == y*y + v", "der(z) == w + y"]),
      x=lambda t: 2 * decay(-2 * t), y=lambda t: math.sqrt(2 * decay(-2 * t) - 0.2))
holds("what is zero at the start but for rounding is zero", model(x="real start=0 fixed", y="real", u="real", y1="real", y2="real", y3="real", fn="real", free="boolean start=0 fixed", z="real start=0 fixed",
      equations=["der(x) == 1 - x", "y == 3 - x*x", "der(y) == u", "y1 == 0.37*u + y + fn", "y2 == 0.37*u + y - 0.7*fn + 0.1*y3", "y3 == 0.3*(y1 - y2)", "fn == 2*(y1 - y2) + 0.3*y3 - 0.1*fn",
                 "free == (fn <= 0 or (pre(free) and fn < 0.1))", "der(z) == (1 if free else 0)"]), z=lambda t: t)
# A knife with its mass before the edge: where it goes across, the rate of x says nothing of its speed.
a = 0.02 * 49
runs("a state that the modeller wants always",
     model(x="real start=0 fixed", y="real start=0 fixed", phi="real start=0 fixed", u="real start=1 fixed select=Always", bx="real", by="real", vx="real", vy="real", c="real", s="real", f="real", l="real",
           equations=["der(phi) == 7", "c == cos(phi)", "s == sin(phi)", "bx == x + 0.02*c", "by == y + 0.02*s", "vx == der(bx)", "vy == der(by)", "der(x) == u*c", "der(y) == u*s",
                      "der(vx) == f*c - l*s", "der(vy) == f*s + l*c", "f == 0"]),
     x=lambda t: (1 + a * t) * math.sin(7 * t) / 7 + a * (math.cos(7 * t) - 1) / 49, u=lambda t: 1 + a * t)
runs("rates that are integrated in place of states begin as the states say", model(a="real start=0.3 fixed", b="real start=0.2 fixed", p="real start=1 fixed", q="real start=2 fixed",
     r1="real", r2="real", v1="real", v2="real", t1="real", t2="real", f1="real", f2="real",
     equations=["r1 == a + 0.3*sin(b)", "r2 == b + 0.3*sin(a)", "v1 == der(r1)", "v2 == der(r2)", "p == der(a) + 0.3*der(b)*cos(a)", "q == der(b) + 0.3*der(a)*cos(b)", "der(v1) == f1", "der(v2) == f2",
                "der(p) == t1", "der(q) == t2", "0 == f1 + 0.3*cos(a)*f2 + a + t1", "0 == f2 + 0.3*cos(b)*f1 + 2*b + t2"]), tolerance=2e-3, a=None, b=None, v1=None)
folder = work / "rates_that_are_integrated_in_place_of_states_begin_as_the_states_say"
text = (folder / "plant.toml").read_text() if folder.exists() else ""
(work / "bare").mkdir()
(work / "bare/plant.toml").write_text(re.sub(r'(unknown\.der_\w+ = \{ unit = "[^"]*"), start = "[^"]*" \}', r"\1 }", text))
code, said = do("check", work / "bare")
expect("rates that nobody starts are told", "warning[T024]" in said and "begins at 0" in said, said)
# Ten equations with entries that are 0 at the start: s, among those that cost least to divide by.
SPARSE = [{2: "c", 8: "-s", 5: "1"}, {1: "2", 0: "c", 7: "c", 6: "s"}, {4: "s", 1: "s", 8: "2"}, {4: "2", 7: "-s", 2: "2", 1: "s"}, {2: "s", 6: "s", 3: "1", 7: "2"},
          {3: "1", 8: "1", 4: "s", 2: "2"}, {0: "-s", 9: "1", 6: "2"}, {1: "2", 8: "c", 2: "s"}, {9: "c", 0: "c", 8: "s", 1: "c"}, {5: "-s", 7: "2", 6: "c", 4: "s"}]


def sum_of_unknowns(phi):
    words = {"s": math.sin(phi), "-s": -math.sin(phi), "c": math.cos(phi), "1": 1.0, "2": 2.0}
    matrix = np.zeros((10, 10))
    for row, entries in enumerate(SPARSE):
        for column, word in entries.items():
            matrix[row, column] = words[word]
    return np.linalg.solve(matrix, np.arange(1.0, 11.0)).sum()


PLACES, WEIGHTS = np.polynomial.legendre.leggauss(20)
runs("pivots that are zero at the start", model(phi="real start=0 fixed", z="real start=0 fixed", c="real", s="real", **{f"u{k}": "real" for k in range(10)},
     equations=["der(phi) == 1", "s == sin(phi)", "c == cos(phi)", "der(z) == " + " + ".join(f"u{k}" for k in range(10)),
                *[" + ".join(f"({word})*u{column}" for column, word in entries.items()) + f" == {row + 1}" for row, entries in enumerate(SPARSE)]]),
     tolerance=2e-3, z=lambda t: 0.5 * t * sum(weight * sum_of_unknowns(0.5 * t * (1 + place)) for place, weight in zip(PLACES, WEIGHTS)))
for fixed in ("", " fixed"):
    code, said = imported(f"open_start_{fixed.strip()}", model(x="real start=0.25" + fixed, y="real start=0", f="real", equations=["der(x) == -x", "der(y) == f", "x + y == 1"]))
    expect("a start that constraints leave open is told, one that is fixed is not", code == 0 and ("D034" in said) == (fixed == ""), said)
holds("a rate that stands in an initial equation alone", model(**pull, initial=["der(w) == 0"]), x1=lambda t: 2.5 * t * t, s=lambda t: 0.05)
left_open = dict(x="real start=1 fixed", p="parameter real start=2 fixed=false", equations=["der(x) == -p*x"])
holds("a parameter that an initial equation ties to itself", model(**left_open, initial=["p*p*p == 8 + 0*p"]), x=lambda t: decay(-2 * t))
holds("a parameter that a rate at the start determines", model(**left_open, initial=["der(x) == -0.5"]), x=lambda t: decay(-t / 2))
holds("a truth value that the start determines", model(x="real start=2 fixed", up="parameter boolean final fixed=false", equations=["der(x) == (-x if up else x)"], initial=["up == (x > 1)"]),
      x=lambda t: 2 * decay(-t))
tied = dict(x="real start=0.25 fixed", y="real", f="real", up="parameter boolean final fixed=false")
holds("a truth value of the start in what ties states", model(**tied, equations=["der(x) == -x", "der(y) == f", "x + y == (1 if up else 2)"], initial=["up == (x > 0.1)"]), y=lambda t: 1 - 0.25 * decay(-t))
refused("a parameter that nothing determines", model(**left_open), "D008", "nothing there determines it")
for sign, told in ((1, True), (-1, False)):
    code, said = imported(f"feedback_{told}", model(x="real start=0 fixed", y="real", g="real", equations=["der(x) == y - x", f"g == 1000*({sign}*0.5*y + sin(time))", "y == (15 if g > 15 else (-15 if g < -15 else g))"]))
    expect("positive feedback is told, negative is not", code == 0 and ("D033" in said) == told, said)
# Loops of which the front end lists the first and the last equation, and the rest as a pattern.
looped = model(x="real dims=5 start=1", equations=["der(x[1]) == -1*x[1]", "der(x[5]) == -5*x[5]"])
looped["structured_equations"] = [{"first_equation_index": 0, "interiors_materialized": False, "domain": {"binders": [{"id": 0, "display_name": "i", "lower": 1, "upper": 5, "step": 1}]},
                                   "template": {"body": [equation("der(x[i]) == -i*x[i]")["residual"]]}}]
code, said = imported("looped", looped, "--duration", "1 s", "--every", "100 ms", *[word for k in range(1, 6) for word in ("--record", f"x[{k}]")])
code, said = do("reference", work / "looped", "--out", work / "looped/reference", "--rtol", "1e-10") if code == 0 else (code, said)
found = named("looped", signals(work / "looped/reference")) if code == 0 else {}
expect("a loop whose ends alone are listed", code == 0 and all(abs(value - decay(-k * t)) < 1e-6 for k in range(1, 6) for t, value in zip(found["time"], found[f"x[{k}]"])), said)
looped["structured_equations"][0]["domain"]["binders"] *= 2
code, said = imported("looped_twice", looped)
expect("a loop in a loop whose ends alone are listed is refused", code != 0 and "D002" in said, said)
functions = {"s": function(["u"], ["y"], "", external="builtin y = sin(u)"), "a": function(["u1", "u2"], ["y"], "", external="C y = atan2(u2, u1)"), "p": function(["b", "e"], ["y"], "", external="C y = pow(b, e)")}
holds("mathematics outside of Modelica", model(x="real start=0 fixed", y="real", z="real", equations=["der(x) == s(3*time)", "y == a(x + 1, 2)", "z == p(x + 1, 2)"], functions=functions),
      x=lambda t: (1 - math.cos(3 * t)) / 3, y=lambda t: math.atan2(2, 1 + (1 - math.cos(3 * t)) / 3), z=lambda t: (1 + (1 - math.cos(3 * t)) / 3) ** 2)
words = {f"Modelica.Utilities.Strings.{name}": function(inputs, ["y"], "", external=f"ModelicaStrings_{name}") for name, inputs in (("substring", ["s", "from", "to"]), ("isEqual", ["a", "b"]))}
holds("a part of a text", model(x="real start=1 fixed", equations=["der(x) == (-2*x if Modelica.Utilities.Strings.isEqual(Modelica.Utilities.Strings.substring('Y-D', 3, 3), 'D') else -x)"], functions=words),
      x=lambda t: math.exp(-2 * t))
refused("a part that a text does not have", model(x="real start=1 fixed", equations=["der(x) == (x if Modelica.Utilities.Strings.isEqual(Modelica.Utilities.Strings.substring('Y-D', 3, 4), 'D') else -x)"], functions=words),
        "D004", "part of a text")
refused("whole numbers of C", model(x="real start=1 fixed", equations=["der(x) == f(x)"], functions={"f": function(["u"], ["y"], "", external="C y = abs(u)")}), "D005", "abs")
refused("an external function", model(x="real start=1 fixed", equations=["der(x) == f(x)"], functions={"f": function(["u"], ["y"], "", external="f_in_c")}), "D005", "f_in_c")
refused("a function without a body", model(x="real start=1 fixed", equations=["der(x) == f(x)"], functions={"f": function(["u"], ["y"], "")}), "D005", "'f'")
refused("a function that is not there", model(x="real start=1 fixed", equations=["der(x) == f(x)"]), "D005", "'f'")
refused("a while loop", model(x="real start=1 fixed", equations=["der(x) == f(x)"], functions={"f": function(["u"], ["y"], "while u > 1:\n  y = 1")}), "D006", "while")
refused("a function that calls itself", model(x="real start=1 fixed", equations=["der(x) == f(x)"], functions={"f": function(["u"], ["y"], "y = f(u)")}), "D006", "'f'")
refused("a parameter without a value", model(x="real start=1 fixed", k="parameter", equations=["der(x) == k*x"]), "D008", "'k'")
refused("a name that is not declared", model(x="real start=1 fixed", equations=["der(x) == y"]), "D003", "'y'")
refused("too few equations", model(x="real start=1 fixed", y="real", equations=["der(x) == -x"]), "D010", "y")
refused("too many equations", model(x="real start=1 fixed", equations=["der(x) == -x", "x*x == 2"]), "D010")
refused("a contradiction", model(x="real", equations=["x == 1", "x == 2"]), "D026")
refused("starts that contradict", model(x="real start=1 fixed", y="real start=2 fixed", equations=["der(x) == -x", "y == x"]), "D026", "'y'")
refused("equations that are lost", model(x="real dims=2", equations=["x == [1, 2]"], counts={0: 3}), "D009", "3")
refused("sizes that differ", model(x="real dims=2", equations=["x == [1, 2, 3]"], counts={0: 2}), "D004")
refused("a truth value by itself", model(x="real start=1 fixed", b="boolean", equations=["der(x) == (1 if b else 0)", "b == (not b)"]), "D023", "'b'")
refused("an algorithm with memory", model(x="real start=1 fixed", y="real", equations=["der(x) == -x"], algorithms=[["y = y + x"]]), "D024", "'y'")
refused("an algorithm with memory in a branch", model(x="real start=1 fixed", y="real", equations=["der(x) == -x"], algorithms=[["if x > 0.5:\n  y = x"]]), "D024", "'y'")
refused("fixed starts that contradict", model(x="real start=1 fixed", y="real start=3 fixed", equations=["der(x) == -x", "y == 2*x", "der(y) == z"], z="real"), "D025", "'y'")
refused("a rate of an input", model(u="input real", y="real", equations=["y == der(u)"]), "D029", "'u'")
refused("a start without solution", model(x="real start=1 fixed", equations=["der(x) == -x"], initial=["der(x) == 5"]), "D025")
refused("a division by zero", model(x="real start=1 fixed", p="parameter=0", equations=["der(x) == x/p"]), "D007")

# Base Modelica as OpenModelica writes it: what the JSON of our models cannot say, and hostile texts.
HEAD, TAIL = "//! base 0.1.0\npackage 'P'\n", "end 'P';\nend 'P';\n"


def text_model(name, body, *more, before=""):
    (work / f"{name}.bmo").write_text(HEAD + before + "model 'P'\n" + body + TAIL)
    return do("import", "modelica", work / f"{name}.bmo", "--out", work / name, "--duration", "1 s", "--every", "100 ms", *more)


def text_holds(what, body, before="", **wanted):
    name = "text_" + what.replace(" ", "_").replace(",", "")
    code, said = text_model(name, body, *[word for variable in wanted for word in ("--record", variable.replace("__", "."))], before=before)
    if code == 0:
        code, said = do("reference", work / name, "--out", work / name / "reference", "--rtol", "1e-10")
    found = named(name, signals(work / name / "reference")) if code == 0 else {}
    worst = max((abs(value - function_(t)), variable, t) for variable, function_ in wanted.items()
                for t, value in zip(found["time"], found.get(variable.replace("__", "."), [math.nan] * 99))) if found else (9, said)
    expect("text: " + what, worst[0] <= 1e-5, worst)


text_holds("an unary minus binds less than a power", "Real 'x'(start = 2.0, fixed = true); Real 'y'; equation der('x') = 0.0*'x'; 'y' = -'x'^2 + 2.0*'x'^(-1);", y=lambda t: -3)
text_holds("division from the left, of whole numbers too", "Real 'y'; Real 'x'(start = 1.0, fixed = true); equation der('x') = -'x'; 'y' = 'x'*(7/2/2 - 1/2) + 8 - 4 - 2;",
           y=lambda t: 1.25 * decay(-t) + 2)
text_holds("matrices by rows", "parameter Real[2, 2] 'A' = [1.0, 2.0; 3.0, 4.0]; Real[2] 'x'(start = {1.0, 0.0}, each fixed = true); Real[2] 'z' = 'A'*'x'; Real 'y'; equation der('x') = zeros(2); 'y' = 'z'[2] + 10.0*'A'[1, 2];",
           y=lambda t: 23)
text_holds("a record", "'R' 'r'; equation der('r'.'x') = 'r'.'k'; 'r'.'k' = 2.0;", before="record 'R' Real 'x'(start = 1.0, fixed = true); Real 'k'; end 'R';\n", **{"r__x": lambda t: 1 + 2 * t})
text_holds("a function with several outputs", "Real 'x'(start = 0.0, fixed = true); Real 'a'; Real 'b'; equation ('a', 'b') = 'f'('x'); der('x') = 'a' - 'b';",
           before="function 'f' input Real 'u'; output Real 'y'; output Real 'z'; algorithm 'y' := 3.0; 'z' := 'u'; end 'f';\n", x=lambda t: 3 * (1 - decay(-t)))
text_holds("an enumeration", "parameter 'E' 'e' = 'E'.'b'; Real 'x'(start = 0.0, fixed = true); equation der('x') = if 'e' == 'E'.'b' then 5.0 else 1.0;",
           before="type 'E' = enumeration('a', 'b');\n", x=lambda t: 5 * t)
text_holds("a loop of equations", "Real[3] 'x'(each start = 1.0, each fixed = true); equation for 'k' in 1:3 loop der('x'['k']) = -'k'*'x'['k']; end for;", **{"x[3]": lambda t: decay(-3 * t)})
text_holds("branches of equations", "Real 'x'(start = 0.0, fixed = true); equation if time < 0.33 then der('x') = 1.0; elseif time < 0.66 then der('x') = 0.0; else der('x') = -1.0; end if;",
           x=lambda t: min(t, 0.33) - max(t - 0.66, 0))
text_holds("a type with a unit, and initial equations", "'Angle' 'x'; equation der('x') = -'x'; initial equation 'x' = 2.0;", before="type 'Angle' = Real(unit = \"rad\");\n", x=lambda t: 2 * decay(-t))

X = "Real 'x'(start = 1.0, fixed = true);\nequation\n"
HOSTILE = [("no end", HEAD + "model 'P'\n" + X, "D001", ":6:1"), ("another end", HEAD + "model 'P'\nend 'Q';\n", "D001", ":4:5"), ("a quote that stays open", HEAD + "model 'P\n", "D001", ":3:7"),
           ("a text that stays open", HEAD + "model 'P' \"a\n", "D001", ":3:11"), ("a comment that stays open", HEAD + "/* model", "D001", ":3:1"), ("a strange letter", HEAD + "m\u00f6del", "D001", ":3:2"),
           ("a number beyond all", HEAD + "model 'P'\nReal 'x' = 1e999;\n" + TAIL, "D001", ":4:12"), ("brackets without end", HEAD + "model 'P'\n" + X + "der('x') = " + "(" * 100000, "D001", "250"),
           ("branches without end", HEAD + "model 'P'\n" + X + "if true then " * 5000, "D001", "100"), ("signs without end", HEAD + "model 'P'\n" + X + "der('x') = 'x'" + " + 'x'" * 100000 + ";\n" + TAIL, "D001", "2000"),
           ("no semicolon", HEAD + "model 'P'\n" + X + "der('x') = 1.0\n" + TAIL, "D001", ":7:1"), ("an operator too many", HEAD + "model 'P'\n" + X + "der('x') = 1.0 * / 2.0;\n" + TAIL, "D001", ":6:18"),
           ("two of a name", HEAD + "model 'P'\nReal 'x';\nReal 'x';\n" + TAIL, "D001", ":5:6"), ("a type that is not there", HEAD + "model 'P'\n'Q' 'x';\n" + TAIL, "D003", ":4:1"),
           ("an attribute that is not there", HEAD + "model 'P'\nReal 'x'(colour = 1);\n" + TAIL, "D002", ":4:10"), ("connect", HEAD + "model 'P'\nconnect(a, b);\n" + TAIL, "D001", ":4:1"),
           ("two models", HEAD + "model 'P'\nend 'P';\nmodel 'Q'\nend 'Q';\nend 'P';", "D001", ":5:7"), ("a partial model", HEAD + "partial model 'P'\n" + TAIL, "D001", ":3:1"), ("words", "once upon a time", "D001", ":1:1"),
           ("a when in a branch", HEAD + "model 'P'\n" + X + "der('x') = -1.0;\nif true then\nwhen 'x' < 0.0 then\nreinit('x', 1.0);\nend when;\nend if;\n" + TAIL, "D020", ":8:1"),
           ("a function without a body", HEAD + "function 'f' input Real 'u'; output Real 'y'; end 'f';\nmodel 'P'\n" + X + "der('x') = 'f'('x');\n" + TAIL, "D005", "body"),
           ("terminate", HEAD + "model 'P'\n" + X + "der('x') = -1.0;\nterminate(\"now\");\n" + TAIL, "D021", ":7:1"), ("an impure function", HEAD + "impure function 'f' output Real 'y'; end 'f';\n" + TAIL, "D002", ":3:1"),
           ("loops in loops", HEAD + "model 'P'\n" + X + "der('x') = sum({1.0 for i in 1:100000, j in 1:100000});\n" + TAIL, "D006", "million"), ("an endless array", HEAD + "model 'P'\nReal[10000, 10000] 'x';\n" + TAIL, "D004", "million"),
           ("fill without end", HEAD + "model 'P'\n" + X + "der('x') = sum(fill(1.0, 100000, 100000));\n" + TAIL, "D004", "million"), ("a discrete variable alone", HEAD + "model 'P'\ndiscrete Real 'n';\n" + X + "der('x') = 'n';\n" + TAIL, "D010", "x"),
           ("a value left out", HEAD + "model 'P'\n" + X + "(, 'x') = 'f'(1.0);\n" + TAIL, "D002", ":6:2"), ("a size that depends on itself", HEAD + "record 'R' Real['r'] 'y'; end 'R';\nmodel 'P'\n'R' 'r';\n" + X + "der('x') = 1.0;\n" + TAIL, "D003", "itself"),
           ("a name of nothing", HEAD + "model ''\n" + TAIL, "D001", ":3:7")]
for what, text, code, word in HOSTILE:
    (work / "hostile.bmo").write_text(text)
    status, said = do("import", "modelica", work / "hostile.bmo", "--out", work / "hostile")
    expect("hostile text: " + what, status == 1 and f"error[{code}]" in said and word in said and not (work / "hostile").exists(), said[-600:])

(work / "no.json").write_text("{ \"variables\": ")
code, said = do("import", "modelica", work / "no.json", "--out", work / "no")
expect("what is no JSON is said to be none", code == 1 and "[D001]" in said, said)
(work / "no.json").write_text("[" * 100000)
code, said = do("import", "modelica", work / "no.json", "--out", work / "no")
expect("what nests without end is refused", code == 1 and "[D001]" in said, said)
code, said = do("import", "modelica", work / "a_decay.flat.json", "--out", work / "a_decay")
expect("a folder that is there is left alone", code == 1 and "[D040]" in said, said)

# What Modelica checks while it runs and the plant does not is said; what stands beside the new folder stays.
valid = model(x="real start=1 fixed min=0.5", equations=["der(x) == -x"])
valid["assert_equations"].append({"message": {"Literal": {"value": {"String": "x is small"}}}})
(work / "valid.part").mkdir()
(work / "valid.part" / "notes.txt").write_text("mine")
code, said = imported("valid", valid)
expect("assertions and ranges that are not checked are told", code == 0 and "warning[D030]" in said and "1 assertions" in said and "of 1 variables" in said, said)
expect("a folder of somebody else stays", (work / "valid.part" / "notes.txt").read_text() == "mine")
expect("a model without them has no warning", "D030" not in imported("plain", model(x="real start=1 fixed", equations=["der(x) == -x"]))[1])


def mesh(rows, columns):
    """A plate of cells with heat flows between them, as Base Modelica text. -> text, number of equations"""
    declared, equations = [], []
    for row in range(rows):
        for column in range(columns):
            flows = []
            declared.append(f"Real 'T_{row}_{column}'(start = {300 + (7 * row + 3 * column) % 11}.0, fixed = true);")
            for name, there, other in (("q", row + 1 < rows, (row + 1, column)), ("p", column + 1 < columns, (row, column + 1))):
                if there:
                    declared.append(f"Real '{name}_{row}_{column}';")
                    equations.append(f"'{name}_{row}_{column}' = 'G'*('T_{row}_{column}' - 'T_{other[0]}_{other[1]}');")
                    flows.append(f"- '{name}_{row}_{column}'")
            flows += [f"+ 'q_{row - 1}_{column}'"] * (row > 0) + [f"+ 'p_{row}_{column - 1}'"] * (column > 0)
            equations.append(f"'C'*der('T_{row}_{column}') = {' '.join(flows).removeprefix('+ ')};")
    return HEAD + "model 'P'\nparameter Real 'C' = 10.0;\nparameter Real 'G' = 2.0;\n" + "\n".join([*declared, "equation", *equations]) + "\n" + TAIL, len(equations)


# Ten thousand equations, in less than 2 GB of addresses.
text, count = mesh(60, 56)
(work / "mesh.bmo").write_text(text)
for command in (["import", "modelica", work / "mesh.bmo", "--out", work / "mesh"], ["check", work / "mesh"]):
    done = subprocess.run([takt, *map(str, command)], capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)))
    expect(f"takt {command[0]} of {count} equations", done.returncode == 0, done.stderr[-600:])
counts = json.loads((work / "mesh/import.json").read_text())["counts"] if (work / "mesh").exists() else {}
expect("none is lost", counts.get("scalar_equations") == count, counts)

raise SystemExit(len(failed) > 0)
