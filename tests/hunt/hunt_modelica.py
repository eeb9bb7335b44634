#!/usr/bin/env python3
"""Random flat Modelica models against an integration of what they were made from.

    hunt_modelica.py --takt build/release/bin/takt --work DIR [--count N] [--seed S] [--only K] [--imports-only]

Each model begins as explicit differential equations, which SciPy integrates (DOP853 or Radau, 1e-10, from instant to instant), and becomes what a front
end would flatten: aliases with signs, linear and nonlinear loops, functions with loops and branches, arrays, tables, algorithms, parameters of
parameters, initial equations, rates as unknowns, constraints of index 2 and 3, relations of the time, sides and orders mixed. It is imported as JSON
and as Base Modelica text, which must give the same plant, run by the default plan, and compared in all its variables.

Every model should be right: refused, or wrong and said, is listed with its code. Ends with 1 where one is
refused, silently wrong or broken, or has two plants; with 77 where SciPy is missing."""
import argparse
import collections
import csv
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys

try:
    import numpy as np
    from scipy.integrate import solve_ivp
    from scipy.optimize import brentq
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "end_to_end"))
from base_modelica import base_modelica
from flat_models import function, model

DURATION, EVERY, ROWS = 2.0, 0.02, 101
RIGHT, WRONG = 3e-3, 1e-2  # RMS over the range; the default plan promises 1e-3 by its own estimate
DOTTED = re.compile(r"([A-Za-z_]\w*)\.([A-Za-z_]\w*)")


class Array(list):
    """Subscripts from 1, as in Modelica."""

    def __getitem__(self, k):
        return list.__getitem__(self, k - 1)


def root(f):
    return brentq(f, -1e3, 1e3, xtol=1e-14, rtol=1e-14, maxiter=500)


def bilinear(table, u, v, extrapolates):
    rows, columns = [row[0] for row in table[1:]], table[0][1:]
    values = np.array([row[1:] for row in table[1:]])
    if not extrapolates:
        u, v = min(max(u, rows[0]), rows[-1]), min(max(v, columns[0]), columns[-1])
    i = min(max(np.searchsorted(rows, u) - 1, 0), len(rows) - 2)
    j = min(max(np.searchsorted(columns, v) - 1, 0), len(columns) - 2)
    a, b = (u - rows[i]) / (rows[i + 1] - rows[i]), (v - columns[j]) / (columns[j + 1] - columns[j])
    return float((1 - a) * (1 - b) * values[i, j] + a * (1 - b) * values[i + 1, j] + (1 - a) * b * values[i, j + 1] + a * b * values[i + 1, j + 1])


WORDS = {name: getattr(math, name) for name in ("sin", "cos", "tanh", "exp", "sqrt", "log", "atan", "atan2", "sinh", "cosh")}
WORDS |= {"abs": abs, "min": min, "max": max, "noEvent": lambda value: value, "Array": Array, "root": root, "np": np, "bilinear": bilinear,
          "range": lambda a, b: __builtins__.range(a, b + 1) if not isinstance(__builtins__, dict) else __builtins__["range"](a, b + 1)}


def python(text):
    """Of a text of flat_models.py: names with dots are none of Python, and relations of the time are those of the segment that is integrated."""
    return DOTTED.sub(r"\1__\2", text).replace("time <", "clock <").replace("time >", "clock >")


class Making:
    """One model and its oracle: `steps` compute what is algebraic in order, `rates` the derivatives of `states`."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.variables, self.equations, self.sizes, self.initial, self.functions, self.algorithms = {}, [], [], [], {}, []
        self.states, self.starts, self.rates, self.steps, self.code, self.instants = [], {}, {}, [], [], set()
        self.atoms, self.names, self.traits = [], [], set()
        self.parameters = {}
        for k in range(self.chance.randint(2, 6)):
            self.add_state(k)
        makers = [self.alias, self.explicit, self.linear, self.nonlinear, self.coupled, self.loop_function, self.branch_function, self.bent, self.switched,
                  self.algorithm, self.array, self.index_2, self.index_3, self.table, self.rate, self.oscillator, self.initialised, self.array_function,
                  self.implicit_rate, self.masses, self.scaled, self.fast, self.truth, self.pendulum, self.chain, self.nested, self.listed]
        for maker in self.chance.sample(makers, self.chance.randint(2, 7)):
            self.traits.add(maker.__name__)
            maker()
        self.close()

    # Texts

    def number(self, low, high):
        return round(self.chance.uniform(low, high), 3)

    def atom(self):
        return self.chance.choice(self.atoms)

    def term(self):
        a, b, c = self.atom(), self.atom(), self.number(-1.5, 1.5)
        return self.chance.choice([f"{c}*sin({a})", f"{c}*cos({abs(c)}*{a})", f"{c}*tanh({a})", f"{c}*{a}/(1 + ({b})**2)", f"{c}*exp(-({a})**2)", f"{c}*sqrt(1 + ({a})**2)",
                                   f"{c}*atan2({a}, 2 + ({b})**2)", f"{c}*log(2 + ({a})**2)", f"{c}*{a}*tanh({b})/(1 + abs({a}))", f"{c}*{a}",
                                   f"{c}*sin({self.number(0.5, 9)}*time)", f"{self.parameter(-1.2, 1.2)}*tanh({a})"])

    def terms(self, count=2):
        return " + ".join(self.term() for _ in range(self.chance.randint(1, count)))

    def parameter(self, low, high):
        name, value = f"p{len(self.parameters) + 1}", self.number(low, high)
        known = list(self.parameters)
        if known and self.chance.random() < 0.4:
            other = self.chance.choice(known)
            text, value = f"parameter ={value}*{other}+{value}", value * self.parameters[other] + value
        else:
            text = f"parameter={value}"
        self.variables[name], self.parameters[name] = text, value
        return name

    def name(self, letter):
        taken = len(self.names) + 1
        name = self.chance.choice([f"{letter}{taken}", f"part{taken}.{letter}", f"a_{letter}{taken}"])
        self.names.append(name)
        return name

    def equate(self, left, right, size=1):
        form = self.chance.randrange(5) if size == 1 else 0
        factor = self.number(0.5, 4)
        text = [f"{left} == {right}", f"{right} == {left}", f"0 == {left} - ({right})", f"{factor}*({left}) == {factor}*({right})", f"({right}) - ({left}) == 0"][form]
        self.equations.append((text, size))

    def declare(self, name, text="real"):
        self.variables[name.replace(".", "__")] = text

    def known(self, name, text):
        """An unknown that the oracle computes by this text."""
        self.declare(name)
        self.steps.append(f"{python(name)} = {python(text)}")
        self.atoms.append(name)

    # Parts

    def add_state(self, k):
        name, start = self.name("x"), self.number(-2, 2)
        self.states.append(name)
        self.starts[name] = start
        self.declare(name, f"real start={start} fixed")
        self.rates[name] = f"-{self.number(0.3, 4)}*{name}"
        self.atoms.append(name)

    def alias(self):
        for _ in range(self.chance.randint(1, 3)):
            name, of, sign = self.name("y"), self.atom(), self.chance.choice(["", "-"])
            self.known(name, f"{sign}({of})")
            self.equate(name, f"{sign}{of}")

    def explicit(self):
        name, text = self.name("y"), self.terms()
        self.known(name, text)
        self.equate(name, text)

    def linear(self):
        size = self.chance.randint(2, 4)
        names, texts = [self.name("u") for _ in range(size)], [self.terms() for _ in range(size)]
        matrix = [[self.number(-1, 1) + (3 if i == j else 0) for j in range(size)] for i in range(size)]
        for row, text in zip(matrix, texts):
            self.equate(" + ".join(f"({factor})*{name}" for factor, name in zip(row, names)), text)
        self.steps.append(f"{', '.join(map(python, names))} = np.linalg.solve({matrix}, [{', '.join(map(python, texts))}])")
        for name in names:
            self.declare(name)
        self.atoms += names

    def nonlinear(self):
        name, text, c = self.name("w"), self.terms(), self.number(0.2, 2)
        form = self.chance.choice(["{w} + {c}*{w}**3", "{w}*sqrt(1 + {c}*{w}**2) + {w}", "{w} + {c}*tanh({w})", "{w} + {c}*exp(0.3*{w})", "{w} + {c}*abs({w})*{w}"])
        self.declare(name)
        self.steps.append(f"{python(name)} = root(lambda w_: {form.format(w='w_', c=c)} - ({python(text)}))")
        self.equate(form.format(w=name, c=c), text)
        self.atoms.append(name)

    def coupled(self):
        p, q, e, f = self.name("c"), self.name("c"), self.terms(), self.terms()
        self.declare(p), self.declare(q)
        self.equate(f"{p} + 0.4*tanh({q})", e)
        self.equate(f"{q} - 0.4*sin({p})", f)
        self.steps.append(f"{python(p)} = root(lambda p_: p_ + 0.4*tanh({python(f)} + 0.4*sin(p_)) - ({python(e)}))")
        self.steps.append(f"{python(q)} = {python(f)} + 0.4*sin({python(p)})")
        self.atoms += [p, q]

    def of_function(self, inputs, body, arguments):
        called = f"f{len(self.functions) + 1}"
        self.functions[called] = function(inputs, ["y"], body)
        plain = ", ".join(each.partition(":")[0] for each in inputs)
        self.code.append(f"def {called}({plain}):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "    return y\n")
        name, listed = self.name("g"), ", ".join(arguments)
        self.equate(name, f"{called}([{listed}])" if ":" in inputs[0] else f"{called}({listed})")
        self.declare(name)
        self.steps.append(f"{python(name)} = {called}(Array([{python(listed)}]))" if ":" in inputs[0] else f"{python(name)} = {called}({python(listed)})")
        self.atoms.append(name)

    def loop_function(self):
        self.of_function(["u"], f"y = 0\nfor k in range(1, {self.chance.randint(2, 5)}):\n  y = 0.3*y*u + {self.number(-1, 1)}/k", [f"tanh({self.atom()})"])

    def branch_function(self):
        c, s = self.number(-1, 1), self.number(0.1, 2)
        self.of_function(["u"], f"if u > {c}:\n  y = {s}*(u - {c})\nelse:\n  y = tanh(u - {c})", [self.atom()])

    def array_function(self):
        self.of_function(["v:3"], "y = 0\nfor k in range(1, 3):\n  y = y + k*v[k]*v[k]/(1 + v[k]*v[k])", [self.term() for _ in range(3)])

    def bent(self):
        name, x, c, s = self.name("b"), self.atom(), self.number(-0.5, 0.5), self.number(0.1, 0.9)
        text = self.chance.choice([f"({x} - {c} if {x} > {c} else {s}*({x} - {c}))", f"max({x}, {c})", f"abs({x} - {c})", f"noEvent({s}*{x} if {x} < 0 else {x})",
                                   f"min({c}, max({x}, {c} - {s}))"])
        self.known(name, text)
        self.equate(name, text)

    def switched(self):
        name, instant = self.name("s"), round(self.number(0.2, 1.8) + 0.0037, 4)
        self.instants.add(instant)
        text = f"({self.number(-2, 2)} if time {self.chance.choice(['<', '>='])} {instant} else {self.number(-2, 2)})"
        self.known(name, text)
        self.equate(name, text)

    def algorithm(self):
        name, first, second = self.name("h"), self.term(), self.term()
        c = self.number(-0.5, 0.5)
        self.declare(name)
        self.algorithms.append([f"{name} = {first}", f"{name} = {name} + {second}", f"if {name} > {c}:\n  {name} = 2*{name} - {c}\nelse:\n  {name} = {name} + 0"])
        plain = python(name)
        self.steps.append(f"{plain} = {python(first)}\n{plain} = {plain} + {python(second)}\nif {plain} > {c}:\n    {plain} = 2*{plain} - {c}")
        self.atoms.append(name)

    def array(self):
        name, size = self.name("v").replace(".", "_"), self.chance.randint(2, 4)
        starts = [self.number(-1, 1) for _ in range(size)]
        matrix = [[self.number(-0.7, 0.7) - (2 if i == j else 0) for j in range(size)] for i in range(size)]
        self.declare(name, f"real dims={size} start={starts} fixed".replace(", ", ","))
        self.declare(f"{name}_m", f"parameter dims={size},{size} ={matrix}".replace(", ", ","))
        driven = [self.term() for _ in range(size)]
        if self.chance.random() < 0.5:
            self.equations.append((f"der({name}) == {name}_m*{name} + [{', '.join(driven)}]", size))
        else:
            for i in range(1, size + 1):
                self.equate(f"der({name}[{i}])", " + ".join(f"({factor})*{name}[{j + 1}]" for j, factor in enumerate(matrix[i - 1])) + f" + {driven[i - 1]}")
        for i in range(1, size + 1):
            element = f"{name}[{i}]"
            self.states.append(element)
            self.starts[element] = starts[i - 1]
            self.rates[element] = ("done", " + ".join(f"({factor})*{name}[{j + 1}]" for j, factor in enumerate(matrix[i - 1])) + f" + {driven[i - 1]}")
            self.atoms.append(element)

    def index_2(self):
        a, b, f = self.name("x"), self.name("x"), self.name("f")
        k, c, start = self.number(0.5, 3), self.number(0, 0.4), self.number(-1, 1)
        fa, fb = f"-{self.number(0.3, 3)}*{a} + {self.term()}", f"-{self.number(0.3, 3)}*{b} + {self.term()}"
        self.declare(a), self.declare(f), self.declare(b, f"real start={start} fixed")
        self.equate(f"der({a})", f"{fa} + {f}")
        self.equate(f"der({b})", f"{fb} - {f}")
        self.equate(a, f"{k}*{b} + {c}*sin({b})")
        self.states.append(b)
        self.starts[b] = start
        self.steps.append(f"{python(a)} = {python(f'{k}*{b} + {c}*sin({b})')}")
        slope = f"({k} + {c}*cos({b}))"
        self.steps.append(f"{python(f)} = {python(f'({slope}*({fb}) - ({fa}))/(1 + {slope})')}")
        self.rates[b] = ("done", f"{fb} - {f}")
        self.atoms += [a, b, f]

    def index_3(self):
        x1, x2, v1, v2, force = self.name("x"), self.name("x"), self.name("v"), self.name("v"), self.name("f")
        m1, m2, k, c = self.number(0.5, 2), self.number(0.5, 2), self.number(0.5, 2), self.number(0, 0.3)
        s2, w2 = self.number(-1, 1), self.number(-1, 1)
        f1, f2 = f"-{self.number(0.5, 9)}*{x1} + {self.term()}", f"-{self.number(0.2, 2)}*{v2} + {self.term()}"
        for name in (x1, v1, force):
            self.declare(name)
        self.declare(x2, f"real start={s2} fixed"), self.declare(v2, f"real start={w2} fixed")
        self.equate(f"der({x1})", v1), self.equate(f"der({x2})", v2)
        self.equate(f"{m1}*der({v1})", f"{f1} + {force}")
        g, slope, bend = f"({k}*{x2} + {c}*sin({x2}))", f"({k} + {c}*cos({x2}))", f"(-{c}*sin({x2}))"
        self.equate(f"{m2}*der({v2})", f"{f2} - {slope}*{force}")
        self.equate(x1, g)
        self.states += [x2, v2]
        self.starts |= {x2: s2, v2: w2}
        self.steps.append(f"{python(x1)} = {python(g)}\n{python(v1)} = {python(slope)}*{python(v2)}")
        speed_up = f"(({f2}) + {slope}*({f1}) - {slope}*{m1}*{bend}*{v2}**2)/({m2} + {m1}*{slope}**2)"
        self.steps.append(f"{python(force)} = {python(f'{m1}*({slope}*({speed_up}) + {bend}*{v2}**2) - ({f1})')}")
        self.rates |= {x2: ("done", v2), v2: ("done", speed_up)}
        self.atoms += [x1, x2, v1, v2, force]

    def table(self):
        rows, columns = sorted({self.number(-2, 2) for _ in range(3)}), sorted({self.number(-2, 2) for _ in range(3)})
        table = [[0, *columns], *([row, *(self.number(-1, 1) for _ in columns)] for row in rows)]
        size, ends = f"{len(rows) + 1},{len(columns) + 1}", self.chance.choice([1, 2])
        self.functions |= {"table2": function(["tableName", "fileName", f"table:{size}", "smoothness", "extrapolation"], ["object"], "", external="ModelicaStandardTables_CombiTable2D_init2"),
                           "value2": function(["tableID", "u1", "u2"], ["y"], "", external="ModelicaStandardTables_CombiTable2D_getValue")}
        name, made, u, v = self.name("t"), self.name("m").replace(".", "_"), self.atom(), self.atom()
        self.declare(made, f'parameter =table2("NoName","NoName",{table},1,{ends})'.replace(", ", ","))
        self.declare(name)
        self.equate(name, f"value2({made}, tanh({u}), tanh({v}))")
        self.steps.append(f"{python(name)} = bilinear({table}, tanh({python(u)}), tanh({python(v)}), {ends == 2})")
        self.atoms.append(name)

    def rate(self):
        """The derivative of a state as an unknown; the rate of that state gets no more terms."""
        of = self.chance.choice([name for name in self.states if isinstance(self.rates[name], str)] or [None])
        if of is None:
            return
        text = f"{self.rates[of]} + {self.terms()}"
        name = self.name("d")
        self.known(name, text)
        self.rates[of] = ("done", text)
        if self.chance.random() < 0.5:
            self.equate(f"der({of})", text), self.equate(name, f"der({of})")
        else:
            self.equate(f"der({of})", name), self.equate(name, text)

    def oscillator(self):
        x, v, start = self.name("x"), self.name("v"), self.number(-1, 1)
        self.declare(x, f"real start={start} fixed"), self.declare(v, "real start=0.5 fixed")
        text = f"-{self.number(1, 60)}*{x} - {self.number(0, 1)}*{v} + {self.term()}"
        self.equate(f"der({x})", v), self.equate(f"der({v})", text)
        self.states += [x, v]
        self.starts |= {x: start, v: 0.5}
        self.rates |= {x: ("done", v), v: ("done", text)}
        self.atoms += [x, v]

    def initialised(self):
        """A start that an equation gives: of the state itself, or of its sum with others."""
        name = next((each for each in self.states if isinstance(self.rates[each], str) and self.variables[each.replace(".", "__")].endswith("fixed")), None)
        if name is None:
            return
        self.declare(name)
        c = self.number(-2, 2)
        others = [each for each in self.states if each != name and "[" not in each and self.variables.get(each.replace(".", "__"), "").endswith("fixed")]
        if others and self.chance.random() < 0.5:
            other = self.chance.choice(others)
            self.initial.append(f"{name} + 2*{other} == {c}")
            self.starts[name] = c - 2 * self.starts[other]
        else:
            self.initial.append(f"{name} + 0.5*{name}**3 == {c}")
            self.starts[name] = root(lambda x: x + 0.5 * x**3 - c)

    def open_states(self):
        """Whose rates may still become anything."""
        return [name for name in self.states if isinstance(self.rates[name], str)]

    def implicit_rate(self):
        for name in self.open_states()[:1]:
            text, c = f"{self.rates[name]} + {self.terms()}", self.number(0.1, 2)
            self.equate(f"der({name}) + {c}*tanh(der({name}))", text)
            self.rates[name] = ("done", f"root(lambda r_: r_ + {c}*tanh(r_) - ({text}))")

    def masses(self):
        """Two rates in two equations."""
        if len(names := self.open_states()[:2]) < 2:
            return
        one, two = (f"{self.rates[name]} + {self.terms()}" for name in names)
        (a, b), (c, d) = [[self.number(1, 2), self.number(-0.9, 0.9)], [self.number(-0.9, 0.9), self.number(1, 2)]]
        self.equate(f"{a}*der({names[0]}) + ({b})*der({names[1]})", one)
        self.equate(f"({c})*der({names[0]}) + {d}*der({names[1]})", two)
        self.rates[names[0]] = ("done", f"({d}*({one}) - ({b})*({two}))/{a * d - b * c}")
        self.rates[names[1]] = ("done", f"({a}*({two}) - ({c})*({one}))/{a * d - b * c}")

    def scaled(self):
        """A pressure beside a volume."""
        name, size, start = self.name("x"), self.chance.choice([1e5, 1e-6, 1e8, 1e-9]), self.number(0.5, 2)
        text = f"{size}*({self.terms()}) - {self.number(0.5, 3)}*{name}"
        self.declare(name, f"real start={start * size} fixed")
        self.equate(f"der({name})", text)
        self.states.append(name)
        self.starts[name], self.rates[name] = start * size, ("done", text)
        self.atoms.append(f"({name}/{size})")

    def fast(self):
        name, start = self.name("x"), self.number(-1, 1)
        text = f"{self.chance.choice([300, 5e3, 1e5])}*({self.terms()} - {name})"
        self.declare(name, f"real start={start} fixed")
        self.equate(f"der({name})", text)
        self.states.append(name)
        self.starts[name], self.rates[name] = start, ("done", text)
        self.atoms.append(name)

    def truth(self):
        truth, name, x, c, s = self.name("on"), self.name("b"), self.atom(), self.number(-0.5, 0.5), self.number(0.1, 0.9)
        self.declare(truth, "boolean")
        self.equations.append((f"{truth} == ({x} > {c})", 1))
        self.known(name, f"({x} - {c} if {x} > {c} else {s}*({x} - {c}))")
        self.equate(name, f"({x} - {c} if {truth} else {s}*({x} - {c}))")

    def pendulum(self):
        x, y, vx, vy, s = (self.name(letter) for letter in ("x", "y", "v", "v", "s"))
        length, g, angle, speed = self.number(0.5, 2), self.number(2, 10), self.number(-1, 1), self.number(-1, 1)
        phi, omega = f"phi_{len(self.names)}", f"omega_{len(self.names)}"
        self.states += [phi, omega]
        self.starts |= {phi: angle, omega: speed}
        self.rates |= {phi: ("done", omega), omega: ("done", f"-{g / length}*sin({phi})")}
        self.declare(x, f"real start={length * math.sin(angle)!r} fixed"), self.declare(vx, f"real start={length * speed * math.cos(angle)!r} fixed")
        self.declare(y, f"real start={-length * math.cos(angle)!r}"), self.declare(vy), self.declare(s)
        for rate, text in ((x, vx), (y, vy), (vx, f"-{s}*{x}"), (vy, f"-{s}*{y} - {g}")):
            self.equate(f"der({rate})", text)
        self.equate(f"{x}**2 + {y}**2", repr(length * length))
        for name, text in ((x, f"{length}*sin({phi})"), (y, f"-{length}*cos({phi})"), (vx, f"{length}*{omega}*cos({phi})"), (vy, f"{length}*{omega}*sin({phi})"),
                           (s, f"({length}**2*{omega}**2 + {g * length}*cos({phi}))/{length * length}")):
            self.steps.append(f"{python(name)} = {python(text)}")
        self.atoms += [x, vy, s]

    def chain(self):
        """Three of which one moves: two constraints, two forces."""
        a, b, c, f, g = (self.name(letter) for letter in ("x", "x", "x", "f", "f"))
        k, n, start = self.number(0.5, 2), self.number(0.5, 2), self.number(-1, 1)
        ea, eb, ec = (f"-{self.number(0.3, 2)}*{name} + {self.term()}" for name in (a, b, c))
        for name in (a, b, f, g):
            self.declare(name)
        self.declare(c, f"real start={start} fixed")
        self.equate(f"der({a})", f"{ea} + {f}"), self.equate(f"der({b})", f"{eb} - {k}*{f} + {g}"), self.equate(f"der({c})", f"{ec} - {n}*{g}")
        self.equate(f"{a} - {k}*{b}", "0"), self.equate(b, f"{n}*{c}")
        self.steps.append(f"{python(b)} = {n}*{python(c)}\n{python(a)} = {k}*{python(b)}")
        rate = f"(({ec}) + {n}*({eb}) + {n * k}*({ea}))/{1 + n * n + n * n * k * k}"
        self.steps.append(f"{python(f)} = {python(f'{k * n}*{rate} - ({ea})')}\n{python(g)} = {python(f'(({ec}) - {rate})/{n}')}")
        self.states.append(c)
        self.starts[c], self.rates[c] = start, ("done", rate)
        self.atoms += [a, b, f, g]

    def nested(self):
        """A function that calls another, with a local variable."""
        inner, outer = f"f{len(self.functions) + 1}", f"f{len(self.functions) + 2}"
        c, text = self.number(0.2, 2), "y = tanh(u)/(1 + u*u)"
        body = f"s = {inner}(u)\ny = s + {c}*{inner}(v*s)\nif u > v:\n  y = y + (u - v)\nelse:\n  y = y - 0.5*(v - u)"
        self.functions |= {inner: function(["u"], ["y"], text), outer: function(["u", "v"], ["y"], body, ["s"])}
        self.code.append(f"def {inner}(u):\n    {text}\n    return y\ndef {outer}(u, v):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "    return y\n")
        name, text = self.name("g"), f"{outer}({self.atom()}, {self.term()})"
        self.known(name, text)
        self.equate(name, text)

    def listed(self):
        """An array by a comprehension, and what is summed over it."""
        name, size, text, total = self.name("l").replace(".", "_"), self.chance.randint(2, 4), self.term(), self.name("y")
        self.declare(name, f"real dims={size}")
        self.equations.append((f"{name} == [k_*({text})/(1 + k_*k_) for k_ in range(1, {size})]", size))
        self.steps.append(f"{name} = Array([k_*({python(text)})/(1 + k_*k_) for k_ in range(1, {size})])")
        self.atoms += [f"{name}[{k}]" for k in range(1, size + 1)]
        self.known(total, f"{self.number(0.2, 1)}*sum({name})")
        self.equate(total, self.steps[-1].partition(" = ")[2])

    def close(self):
        for name in self.states:
            if isinstance(self.rates[name], str):
                text = f"{self.rates[name]} + {self.terms(3)}"
                self.rates[name] = ("done", text)
                self.equate(f"der({name})", text)
        self.chance.shuffle(self.equations)

    def flat(self):
        return model(equations=[text for text, _ in self.equations], counts={k: size for k, (_, size) in enumerate(self.equations)}, initial=self.initial, functions=self.functions,
                     algorithms=self.algorithms, **self.variables)

    # The oracle

    def compiled(self):
        arrays = collections.defaultdict(list)
        for k, name in enumerate(self.states):
            if "[" in name:
                arrays[name.partition("[")[0]].append(k)
        unpack = [f"{python(name)} = z_[{k}]" for k, name in enumerate(self.states) if "[" not in name] + [f"{name} = Array([{', '.join(f'z_[{k}]' for k in places)}])" for name, places in arrays.items()]
        steps = [line for step in self.steps for line in step.splitlines()]
        rates = ", ".join(python(self.rates[name][1]) for name in self.states)
        variables = [name.replace("__", ".") for name, text in self.variables.items() if not any(word in text for word in ("parameter", "dims", "boolean"))]
        variables += [name for name in self.atoms if name.endswith("]")]
        told = ", ".join(f'"{name}": {python(name)}' for name in variables)
        body = "".join(f"    {line}\n" for line in [*unpack, *steps])
        code = "".join(self.code) + f"def rates_(time, z_, clock):\n{body}    return [{rates}]\ndef values_(time, z_, clock):\n{body}    return {{{told}}}\n"
        room = {**WORDS, **self.parameters}
        exec(code, room)
        return room["rates_"], room["values_"], variables

    def solved(self):
        """-> {variable: values at the rows}"""
        rates, values, variables = self.compiled()
        grid = [min(k * EVERY, DURATION) for k in range(ROWS)]
        ends = [*sorted(self.instants), DURATION]
        begin, z = 0.0, [self.starts[name] for name in self.states]
        found = {name: [] for name in variables}
        for end in ends:
            clock = 0.5 * (begin + end)
            at = [t for t in grid if begin <= t < end or (t == end == DURATION)]
            absolute = [1e-12 * max(1.0, abs(self.starts[name])) if abs(self.starts[name]) > 1e-5 else 1e-18 for name in self.states]
            solution = solve_ivp(lambda t, y, clock=clock: rates(t, y, clock), (begin, end), z, method="Radau" if "fast" in self.traits else "DOP853", rtol=1e-10, atol=absolute, t_eval=[*at, end] if not at or at[-1] < end else at)
            if not solution.success:
                return None
            for t, column in zip(at, solution.y.T):
                for name, value in values(t, column, clock).items():
                    found[name].append(float(value))
            begin, z = end, solution.y[:, -1]
        return found


class Hunt:
    def __init__(self, takt, work):
        self.takt, self.work = takt, work

    def do(self, *command):
        done = subprocess.run([self.takt, *map(str, command)], capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout + done.stderr

    def imported(self, source, folder, records):
        shutil.rmtree(folder, ignore_errors=True)
        return self.do("import", "modelica", source, "--out", folder, "--duration", f"{DURATION} s", "--every", f"{EVERY} s", *(word for name in records for word in ("--record", name)))

    def same_plant(self, *folders):
        lines = [[line for line in (each / "plant.toml").read_text().splitlines() if not line.startswith(("# Made by", "title =", "source ="))] for each in folders]
        return lines[0] == lines[1]

    def one(self, name, making, runs):
        """-> class, what is told of it"""
        flat, folder = making.flat(), self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        right = making.solved()
        if right is None or any(not math.isfinite(value) or abs(value) > 1e12 for values in right.values() for value in values):
            return "no oracle", ""
        (folder / "model.flat.json").write_text(json.dumps(flat))
        (folder / "model.bmo").write_text(base_modelica(flat))
        code, said = self.imported(folder / "model.flat.json", folder / "plant", right)
        text_code, text_said = self.imported(folder / "model.bmo", folder / "of_text", right)
        if code != 0 or text_code != 0:
            return "refused", " ".join(sorted(set(re.findall(r"error\[(\w+)\]", said + text_said)))) or (said + text_said).strip()[:200]
        if not self.same_plant(folder / "plant", folder / "of_text"):
            return "two plants", "of JSON and of text"
        if not runs:
            return "imported", ""
        code, said = self.do("run", folder / "plant", "--pace", "free", "--no-report", "--build-dir", self.work / "build", "--out", folder / "run")
        (folder / "run.log").write_text(said)
        codes = " ".join(sorted(set(re.findall(r"\b([SX]0\d\d)\b", said)) - {"X001"}))
        if not (folder / "run" / "signals.csv").exists():
            return ("wrong and said", codes) if code else ("broken", said[-300:])
        worst = max((off(values, right[variable]), variable) for variable, values in self.recorded(folder).items() if variable in right)
        told = f"{worst[0]:.1e} {worst[1]} {codes}"
        if worst[0] <= (RIGHT if code == 0 else WRONG):
            return ("right" if code == 0 else "right but failed"), told
        if code != 0 or "S046" in codes:
            return "wrong and said", told
        return ("near" if worst[0] <= WRONG else "SILENTLY WRONG"), told

    def recorded(self, folder):
        with open(folder / "run" / "signals.csv", newline="") as file:
            rows = list(csv.reader(file))
        columns = {name.split(" [")[0]: [float(row[k]) if row[k] else math.nan for row in rows[1:]] for k, name in enumerate(rows[0])}
        found = {}
        for variable, entry in json.loads((folder / "plant" / "import.json").read_text())["variables"].items():
            if "value" in entry:
                found[variable] = [entry["value"]] * (len(rows) - 1)
            elif entry.get("signal") in columns:
                found[variable] = [entry.get("sign", 1) * value for value in columns[entry["signal"]]]
        return found


def off(values, right):
    """RMS over the range, or over the size where it hardly moves. Of another number of rows: all off."""
    if len(values) != len(right):
        return math.inf
    scale = max(max(right) - min(right), 1e-3 * max(map(abs, right)), 1e-6)
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(values, right)) / len(right)) / scale


def main(description=__doc__, making_of=Making):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=52)
    parser.add_argument("--first", type=int, default=0, help="to go on with a hunt")
    parser.add_argument("--only", type=int, help="this one, and its folder is kept")
    parser.add_argument("--imports-only", action="store_true", help="the two plants are compared, nothing is run")
    arguments = parser.parse_args()
    hunt = Hunt(arguments.takt.resolve(), arguments.work.resolve())
    classes, by_trait, worst = collections.Counter(), collections.defaultdict(collections.Counter), []
    for k in [arguments.only] if arguments.only is not None else range(arguments.first, arguments.count):
        name = f"{arguments.seed}_{k}"
        making = making_of(name)
        found, told = hunt.one(name, making, not arguments.imports_only)
        classes[found] += 1
        for trait in making.traits:
            by_trait[trait][found] += 1
        if found not in ("right", "imported") or arguments.only is not None:
            print(f"{found:16} {name:14} {told:60} {' '.join(sorted(making.traits))}", flush=True)
        if found in ("right", "imported", "no oracle") and arguments.only is None:
            shutil.rmtree(hunt.work / name)
    print(f"{sum(classes.values())} models: " + ", ".join(f"{found} {count}" for found, count in classes.most_common()))
    for trait, counts in sorted(by_trait.items()):
        print(f"  {trait:16} " + ", ".join(f"{found} {count}" for found, count in counts.most_common()))
    return 1 if any(classes[defect] for defect in ("SILENTLY WRONG", "two plants", "broken", "refused")) else 0


if __name__ == "__main__":
    sys.exit(main())
