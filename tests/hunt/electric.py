"""Circuits without switches: ladders of R, L, C, nonlinear resistors and storages, loads of constant power; each also as a netlist."""
import math

import numpy as np

from equations import solve
from netlist import Netlist
from plant_text import Cycle, Oracle, Plant, nice, some, spread
from waves import wave

LAWS = {  # name -> parameters with ranges, the law, and the current of a B source between nodes {p} and {n}
    "cubic": ({"g": ("S", 0.0, 0.0), "k": ("A/V^3", 0.0, 0.0)}, "i = g*v + k*v^3", "{g}*V({p},{n}) + {k}*V({p},{n})*V({p},{n})*V({p},{n})"),
    "expo": ({"i_s": ("A", 1e-14, 1e-6), "v_t": ("V", 0.0259, 0.06)}, "i = i_s*(exp(v/v_t) - 1)", None),
    "saturates": ({"i_m": ("A", 0.0, 0.0), "v_0": ("V", 0.1, 3.0)}, "i = i_m*tanh(v/v_0)", "{i_m}*tanh(V({p},{n})/{v_0})"),
    "square": ({"k": ("A/V^2", 0.0, 0.0)}, "i = k*v*abs(v)", "{k}*V({p},{n})*abs(V({p},{n}))"),
}


def define_law(plant, name):
    parameters, law, _ = LAWS[name]
    listed = ", ".join(f'{key} = "{unit} > 0"' for key, (unit, _, _) in parameters.items())
    plant.define(f'[element.electric.{name}]\ndoc = "own law"\nsource = "test"\nparam = {{ {listed} }}\nbranch = {{ kind = "R", law = "{law}" }}')


def nonlinear(rng, plant, net, name, p, n, r, v):
    """A nonlinear resistor that draws about v/r at v."""
    kind = rng.choice(list(LAWS))
    define_law(plant, kind)
    values = {"cubic": lambda: {"g": nice(0.1 / r), "k": nice(0.9 / r / v**2)}, "saturates": lambda: {"i_m": nice(v / r), "v_0": some(rng, 0.05 * v, v)},
              "square": lambda: {"k": nice(1 / (r * v))}, "expo": lambda: {"i_s": some(rng, 1e-14, 1e-6), "v_t": nice(rng.uniform(0.0259, 0.06), 3)}}[kind]()
    units = LAWS[kind][0]
    plant.add("electric", name, kind, [p, n], **{key: f"{value:.12g} {units[key][0]}" for key, value in values.items()})
    plant.traits.add("nonlinear")
    if kind == "expo":
        return net.exponential(name, p, n, values["i_s"], values["v_t"])
    net.behavioural(name, p, n, LAWS[kind][2].format(p=net.node(p), n=net.node(n), **{key: f"{value:.12g}" for key, value in values.items()}))
    return None


def ladder(rng, tau, bends):
    """Source, then stages of a series R, L or RL and a shunt C; `bends` of them with a nonlinear resistor, load or storage."""
    duration = tau * spread(rng, 8, 60)
    plant = Plant("electric", duration)
    net = Netlist(plant)
    r0, v0 = some(rng, 1, 1e4), some(rng, 1, 50)
    form = wave(rng, plant.duration, v0, "V")
    if rng.random() < 0.8:
        plant.add("electric", "source", "voltage_source", ["n0", "gnd"], v=form.value)
        net.source("V", "source", "n0", "gnd", form.spice)
    else:
        form = wave(rng, plant.duration, nice(v0 / r0), "A")
        plant.add("electric", "source", "current_source", ["gnd", "n0"], i=form.value)
        plant.add("electric", "shunt", "resistor", ["n0", "gnd"], r=f"{r0:g} Ohm")
        net.source("I", "source", "gnd", "n0", form.spice)
        net.resistor("shunt", "n0", "gnd", r0)
    stages = rng.randint(1, 4)
    bent = set(rng.sample(range(stages), min(stages, bends)))
    for k in range(stages):
        a, b = f"n{k}", f"n{k + 1}"
        r = nice(r0 * spread(rng, 0.3, 3))
        here = tau * spread(rng, 0.1, 3)
        if rng.random() < 0.35:
            inductor = nice(r * here * spread(rng, 0.05, 1))
            plant.add("electric", f"r{k}", "resistor", [a, f"m{k}"], r=f"{r:g} Ohm")
            plant.add("electric", f"l{k}", "inductor", [f"m{k}", b], l=f"{inductor:g} H")
            net.resistor(f"r{k}", a, f"m{k}", r)
            net.inductor(f"l{k}", f"m{k}", b, inductor)
            plant.record(f"electric.l{k}.i")
            plant.time_constant("electric", inductor / r)
        else:
            plant.add("electric", f"r{k}", "resistor", [a, b], r=f"{r:g} Ohm")
            net.resistor(f"r{k}", a, b, r)
        storage = k not in bent or rng.random() < 0.75
        if storage:
            c = nice(here / r)
            plant.add("electric", f"c{k}", "capacitor", [b, "gnd"], c=f"{c:g} F")
            net.capacitor(f"c{k}", b, "gnd", c)
            plant.time_constant("electric", r * c)
        elif rng.random() < 0.5:
            plant.add("electric", f"p{k}", "resistor", [b, "gnd"], r=f"{nice(3 * r):g} Ohm")
            net.resistor(f"p{k}", b, "gnd", nice(3 * r))
        if k in bent:
            nonlinear(rng, plant, net, f"x{k}", b, "gnd", r * spread(rng, 0.2, 5), v0)
        elif rng.random() < 0.3:
            plant.add("electric", f"g{k}", "resistor", [b, "gnd"], r=f"{nice(5 * r):g} Ohm")
            net.resistor(f"g{k}", b, "gnd", nice(5 * r))
        plant.record(f"electric.{b}.v", jumping=not storage and form.jumps)
    plant.time_constant("electric", tau * 3)
    plant.oracle = Oracle("ngspice", net.answer)
    return plant


def linear(rng):
    return ladder(rng, spread(rng, 1e-5, 0.1), 0)


def bent(rng):
    return ladder(rng, spread(rng, 1e-5, 0.1), rng.randint(1, 3))


def rectifier_pair(rng):
    """A current source, or a source behind a resistor, into nonlinear resistors without any storage: every step is an algebraic solve."""
    duration = spread(rng, 1e-3, 0.1)
    plant = Plant("electric", duration)
    net = Netlist(plant)
    i0 = some(rng, 1e-3, 10)
    define_law(plant, "expo")
    form = wave(rng, plant.duration, i0, "A")
    plant.add("electric", "source", "current_source", ["gnd", "a"], i=form.value)
    net.source("I", "source", "gnd", "a", form.spice)
    for k, (p, n) in enumerate([("a", "gnd"), ("gnd", "a")]):
        i_s, v_t = some(rng, 1e-13, 1e-7), nice(rng.uniform(0.0259, 0.05), 3)
        if rng.random() < 0.4:
            middle, r = f"m{k}", some(rng, 0.01, 1)
            plant.add("electric", f"s{k}", "resistor", [p, middle], r=f"{r:g} Ohm")
            net.resistor(f"s{k}", p, middle, r)
            p = middle
        plant.add("electric", f"d{k}", "expo", [p, n], i_s=f"{i_s:g} A", v_t=f"{v_t:g} V")
        net.exponential(f"d{k}", p, n, i_s, v_t)
    plant.add("electric", "r", "resistor", ["a", "gnd"], r="1 MOhm")
    net.resistor("r", "a", "gnd", 1e6)
    plant.record("electric.a.v", jumping=form.jumps)
    plant.time_constant("electric", duration / 20)
    plant.traits.add("nonlinear")
    plant.oracle = Oracle("ngspice", net.answer)
    return plant


def own_storage(rng):
    """A saturating core or a varactor, stored quantity over the other variable or the other way round."""
    tau = spread(rng, 1e-4, 0.1)
    plant = Plant("electric", tau * spread(rng, 8, 40))
    v0, r = some(rng, 1, 50), some(rng, 0.5, 1e3)
    form = wave(rng, plant.duration, v0, "V")
    plant.add("electric", "source", "voltage_source", ["a", "gnd"], v=form.value)
    plant.add("electric", "r", "resistor", ["a", "b"], r=f"{r:g} Ohm")
    if rng.random() < 0.5:
        inductance, i_s = nice(tau * r), nice(v0 / r * rng.uniform(0.3, 2))
        law, parameters = rng.choice([
            ("i = lambda/l*(1 + (lambda/(l*i_s))^2)", 'l = "H > 0", i_s = "A > 0"'),
            ("lambda = l*i_s*tanh(i/i_s) + 0.05*l*i", 'l = "H > 0", i_s = "A > 0"')])
        plant.define(f'[element.electric.core]\ndoc = "saturates"\nsource = "test"\nparam = {{ {parameters} }}\nbranch = {{ kind = "L", law = "{law}" }}')
        plant.add("electric", "x", "core", ["b", "gnd"], l=f"{inductance:g} H", i_s=f"{i_s:g} A")
        plant.record("electric.x.i")
    else:
        c, v_s = nice(tau / r), nice(v0 * rng.uniform(0.3, 2))
        law = rng.choice(["v = q/c*(1 + (q/(c*v_s))^2)", "q = c*v_s*tanh(v/v_s) + 0.05*c*v"])
        plant.define(f'[element.electric.core]\ndoc = "varactor"\nsource = "test"\nparam = {{ c = "F > 0", v_s = "V > 0" }}\nbranch = {{ kind = "C", law = "{law}" }}')
        plant.add("electric", "x", "core", ["b", "gnd"], c=f"{c:g} F", v_s=f"{v_s:g} V")
        plant.record("electric.x.v")
    plant.record("electric.b.v", jumping=form.jumps)
    plant.time_constant("electric", tau / 4)
    plant.traits.add("nonlinear")
    return plant


def power_bus(rng):
    """A supply with line inductance, a buffer and loads of constant power that come and go."""
    tau = spread(rng, 1e-4, 1e-2)
    plant = Plant("electric", tau * spread(rng, 20, 60))
    v0, r = some(rng, 5, 400), some(rng, 0.05, 2)
    p0 = nice(v0**2 / r * rng.uniform(0.02, 0.12))
    c = nice(tau / r * 2)
    inductance = nice(r * tau * rng.uniform(0.05, 0.4))
    plant.add("electric", "source", "voltage_source", ["a", "gnd"], v=f"{v0:g} V")
    plant.add("electric", "r", "resistor", ["a", "b"], r=f"{r:g} Ohm")
    plant.add("electric", "l", "inductor", ["b", "c"], l=f"{inductance:g} H")
    plant.add("electric", "c", "capacitor", ["c", "gnd"], c=f"{c:g} F", start={"v": f"{v0:g} V"})
    form = wave(rng, plant.duration, p0, "W", positive=True)
    plant.add("electric", "load", "power_load", ["c", "gnd"], power=form.value, v_min=f"{nice(v0 / 4):g} V")
    plant.record("electric.c.v", "electric.l.i")
    plant.record("electric.load.i", jumping=True)
    numbers = v0, r, inductance, c, nice(v0 / 4)
    plant.oracle = Oracle("equations", lambda times: bus_answer(times, numbers, form))
    plant.time_constant("electric", min(r * c, inductance / r))
    plant.traits.add("nonlinear")
    return plant


def bus_answer(times, numbers, form):
    v0, r, inductance, c, low = numbers

    def rates(t, y):
        load = float(form.at(t)) * (1 / y[1] if y[1] > low else y[1] / low**2)
        return np.array([(v0 - r * y[0] - y[1]) / inductance, (y[0] - load) / c])

    rows = solve(rates, [0.0, v0], times, [1e-2 * v0 / r, 1e-2 * v0], tolerance=1e-4, longest=times[-1] / 400)
    return None if rows is None else {"electric.l.i": rows[:, 0], "electric.c.v": rows[:, 1]}


def van_der_pol(rng):
    """A tank circuit with a cubic negative resistance: a limit cycle."""
    w0 = spread(rng, 10, 1e5)
    periods = rng.uniform(20, 60)
    plant = Plant("electric", periods * 2 * math.pi / w0, samples=int(periods * 25))
    z, mu, v0 = some(rng, 1, 1e3), nice(rng.uniform(0.3, 3)), some(rng, 0.5, 10)
    plant.add("electric", "c", "capacitor", ["a", "gnd"], c=f"{nice(1 / (w0 * z), 3):g} F", start={"v": f"{nice(v0 / 10):g} V"})
    plant.add("electric", "l", "inductor", ["a", "gnd"], l=f"{nice(z / w0, 3):g} H")
    plant.add("electric", "x", "negative", ["a", "gnd"], g=f"{nice(mu / z):g} S", v_0=f"{v0:g} V")
    plant.define('[element.electric.negative]\ndoc = "negative for small voltages"\nsource = "van der Pol"\nparam = { g = "S > 0", v_0 = "V > 0" }\n'
                 'branch = { kind = "R", law = "i = g*v*((v/v_0)^2/3 - 1)" }')
    plant.record("electric.a.v", "electric.l.i")
    plant.cycle = Cycle("electric.a.v", 0.0)
    plant.time_constant("electric", 1 / w0 / max(1, mu))
    plant.traits.add("nonlinear")
    return plant


GENERATORS = [(linear, 3), (bent, 5), (rectifier_pair, 1.5), (own_storage, 1.5), (power_bus, 1.5), (van_der_pol, 1)]
