#!/usr/bin/env python3
"""Events of models in Modelica: when-equations, reinit, samples, truth values with memory and relations at which equations jump, against closed
solutions; what a plant would do otherwise than the model is refused.

Solutions come from `takt reference`, which knows events of plants and compiles nothing; one plant is run.
"""
import math

from flat_models import model
from modelica_checks import do, expect, failed, holds, imported, named, refused, signals, work


def bounces(t):
    """-> height, speed, number of bounces of a ball that falls from 0.2 m"""
    h, v, at, count = 0.2, 0.0, 0.0, 0
    while True:
        falls = (v + math.sqrt(v * v + 2 * 9.81 * h)) / 9.81
        if at + falls > t:
            return h + v * (t - at) - 9.81 * (t - at) ** 2 / 2, v - 9.81 * (t - at), count
        h, v, at, count = 0.0, -0.7 * (v - 9.81 * falls), at + falls, count + 1


def sampled(t, first=0.05, period=0.1, start=(0.0, 0.0)):
    """-> x, u of der(x) = u - x, where u becomes u + 0.5*(1 - x) at samples"""
    (x, u), at, k = start, 0.0, 0
    while first + k * period <= t:
        due = first + k * period
        x = u + (x - u) * math.exp(at - due)
        u, at, k = u + 0.5 * (1 - x), due, k + 1
    return u + (x - u) * math.exp(at - t), u


def triangle(t, low, high, at):
    """-> value and slope of what rises and falls with the slope 1 between two levels"""
    way = (t + at - low) % (2 * (high - low))
    return (low + way, 1) if way < high - low else (2 * high - low - way, -1)


def swings(t):
    """-> x of der(x) = 30*(on - x) between 0.25 and 0.55, from 0.4 upwards"""
    up, down = math.log(0.75 / 0.45) / 30, math.log(0.55 / 0.25) / 30
    way = (t + math.log(0.75 / 0.6) / 30) % (up + down)
    return 1 - 0.75 * math.exp(-30 * way) if way < up else 0.55 * math.exp(-30 * (way - up))


def slides(t, v=0.0):
    """-> speed, friction of a mass of 1 kg under 3*sin(8 t) N, friction 1 N while it moves, 1.2 N at rest"""
    def force(at):
        return 3 * math.sin(8 * at)

    def speed(at, since, began, way):
        return began + 3 / 8 * (math.cos(8 * since) - math.cos(8 * at)) - way * (at - since)

    def first(from_, holds_):
        step = 1e-4
        at = from_ + step
        while at <= t and not holds_(at):
            at += step
        low, high = at - step, at
        for _ in range(50):
            low, high = (low, (low + high) / 2) if holds_((low + high) / 2) else ((low + high) / 2, high)
        return high
    since, way = 0.0, (v > 0) - (v < 0)
    while True:
        if way == 0:
            until = first(since, lambda at: abs(force(at)) > 1.2)
            if until >= t:
                return 0.0, force(t)
            since, v, way = until, 0.0, math.copysign(1, force(until))
        begin, began = since, v
        until = first(since, lambda at: way * speed(at, begin, began, way) < 0)
        if until >= t:
            return speed(t, begin, began, way), way
        since, v = until, 0.0
        way = math.copysign(1, force(until)) if abs(force(until)) > 1.2 else 0


def stair_sum(t, first, period):
    """-> the integral of what counts the ticks"""
    return sum(max(0.0, t - first - k * period) for k in range(1 + int(max(0.0, t) / period)))


def rates(t):
    """-> the integral of every second value of 1, 2, 3, ... at each third of a second, and of the sum of what a clock four times as fast has seen"""
    def slow(at):
        return 1 + 2 * math.floor(at * 3 / 2 + 1e-12)

    def fast(at):
        return sum(1 + k // 4 for k in range(1 + math.floor(12 * at + 1e-12)))
    steps = [k / 12 for k in range(1 + math.floor(12 * t + 1e-12))] + [t]
    return sum((slow(a) + fast(a)) * (b - a) for a, b in zip(steps, steps[1:]))


def conducted(t):
    """-> time for which a thyristor has conducted that is fired 0.05 s after each wave of sin(20 t) begins; its first is at 0"""
    period, half = math.pi / 10, math.pi / 20
    whole, rest = divmod(t, period)
    return whole * (half - 0.05) + max(0.0, min(rest, half) - 0.05)


BALL = dict(h="real start=0.2 fixed", v="real start=0 fixed", n="discrete integer start=0 fixed", e="parameter=0.7", equations=["der(h) == v", "der(v) == -9.81"])
holds("a ball", model(**BALL, whens=[[("h <= 0", ["reinit(v, -e*pre(v))", "n = pre(n) + 1"])]]), h=lambda t: bounces(t)[0], v=lambda t: bounces(t)[1], n=lambda t: bounces(t)[2])
holds("a condition with a name", model(**{**BALL, "hit": "boolean", "equations": [*BALL["equations"], "hit == (h <= 0)"]}, whens=[[("edge(hit)", ["reinit(v, -e*v)", "n = pre(n) + 1"])]]),
      h=lambda t: bounces(t)[0], n=lambda t: bounces(t)[2])
holds("a state by another name", model(h="real start=0.2 fixed", v="real start=0 fixed", down="real", equations=["der(h) == v", "der(v) == -9.81", "down == -v"], whens=[[("h <= 0", ["reinit(down, -0.7*down)"])]]),
      h=lambda t: bounces(t)[0])
LOOP = dict(x="real start=0 fixed", equations=["der(x) == u - x"])
holds("a sampled controller", model(**LOOP, u="discrete real start=0 fixed", whens=[[("sample(0.05, 0.1)", ["u = pre(u) + 0.5*(1 - x)"])]]), x=lambda t: sampled(t)[0], u=lambda t: sampled(t)[1])
holds("a sample with a name", model(**{**LOOP, "equations": [*LOOP["equations"], "due == sample(0.05, 0.1)"]}, due="boolean", u="discrete real start=0 fixed", whens=[[("due", ["u = pre(u) + 0.5*(1 - x)"])]]),
      x=lambda t: sampled(t)[0])
holds("a sample at the start", model(**LOOP, u="discrete real start=0 fixed", whens=[[("[initial(), sample(0, 0.25)]", ["u = pre(u) + 0.5*(1 - x)"])]]), x=lambda t: sampled(t, 0.25, 0.25, (0.0, 0.5))[0])
holds("a sample under a condition", model(**LOOP, u="discrete real start=0 fixed", whens=[[("sample(0.05, 0.1) and time > 0.3", ["u = pre(u) + 0.5*(1 - x)"])]]),
      x=lambda t: sampled(t - 0.3)[0] if t > 0.3 else 0.0)
holds("what follows within an event", model(**{**LOOP, "equations": ["der(x) == 1"]}, a="discrete real start=0 fixed", b="discrete real start=0 fixed", c="discrete real start=0 fixed",
                                            whens=[[("sample(0.05, 0.2)", ["b = 2*a + x", "a = pre(a) + 1"])], [("sample(0.05, 0.2)", ["c = b - pre(b)"])]]),
      a=lambda t: math.floor((t + 0.15) / 0.2), b=lambda t: 2 * k + 0.2 * k - 0.15 if (k := math.floor((t + 0.15) / 0.2)) else 0.0, c=lambda t: [0.0, 2.05, 2.2][min(2, math.floor((t + 0.15) / 0.2))])
HEATER = dict(x="real start=0.4 fixed", on="boolean start=1 fixed", n="discrete integer start=0 fixed", equations=["der(x) == (1 if on else -1)", "on == (pre(on) and x < 0.55 or x < 0.25)"])
holds("a truth value with memory", model(**HEATER, whens=[[("change(on)", ["n = pre(n) + 1"])]]), x=lambda t: triangle(t, 0.25, 0.55, 0.4)[0], on=lambda t: triangle(t, 0.25, 0.55, 0.4)[1] > 0,
      n=lambda t: math.floor((t + 0.15) / 0.3))
holds("many turns in one run", model(x="real start=0.4 fixed", on="boolean start=1 fixed", equations=["der(x) == 30*((1 if on else 0) - x)", "on == (pre(on) and x < 0.55 or x < 0.25)"]), tolerance=1e-5, x=swings)
holds("elsewhen", model(x="real start=0.4 fixed", v="real start=1 fixed", n="discrete real start=0 fixed", equations=["der(x) == v", "der(v) == 0"],
                        whens=[[("x > 0.55", ["reinit(v, -1)", "n = pre(n) + 1"]), ("x < 0.25", ["reinit(v, -v)", "n = pre(n) + 10"])]]),
      x=lambda t: triangle(t, 0.25, 0.55, 0.4)[0], n=lambda t: [0, 1, 11, 12][math.floor((t + 0.15) / 0.3)])
holds("one of two conditions", model(x="real start=0 fixed", n="discrete real start=0 fixed", equations=["der(x) == 1"], whens=[[("[x > 0.35, time >= 0.75]", ["n = pre(n) + 1"])]]), n=lambda t: (t > 0.35) + (t > 0.75))
holds("an unknown before the event", model(x="real start=1 fixed", y="real", k="discrete real start=1 fixed", m="discrete real start=0 fixed", equations=["der(x) == -1", "y + y*y*y == k*x + x*x*x"],
                                           whens=[[("x < 0.55", ["k = 2", "m = pre(y)"])]]), m=lambda t: 0.55 if t > 0.45 else 0.0)
holds("a jump of a rate", model(x="real start=0 fixed", equations=["der(x) == (1 if x < 0.55 else 0.5)"]), x=lambda t: min(t, 0.275 + t / 2))
holds("a small jump", model(x="real start=1 fixed", equations=["der(x) == -1 + (0.01 if x < 0.45 else 0)"]), x=lambda t: 1 - t + 0.01 * max(0.0, t - 0.55))
holds("a jump by a truth value", model(x="real start=0 fixed", b="boolean", equations=["b == (x > 0.35)", "der(x) == (2 if b else 1)"]), x=lambda t: max(t, 0.35 + 2 * (t - 0.35)))
holds("a jump at the start", model(x="real start=1 fixed", y="real", equations=["y == (3 if x > 0.55 else 1) + 0*der(x)", "der(x) == -1"]), y=lambda t: 3 if t < 0.45 else 1)
holds("sign of a state", model(x="real start=0.35 fixed", y="real start=0 fixed", equations=["der(x) == -1", "der(y) == sign(x)"]), y=lambda t: min(t, 0.7 - t))
holds("a valve with memory", model(i="real start=0 fixed", s="real", u="real", off="boolean start=1 fixed", equations=[
    "off == (s < 0 or pre(off) and not time > 0.25)", "u == s*(1 if off else 1e-3)", "i == s*(1e-9 if off else 1)", "der(i) == (1 if time < 0.45 else -4) - u"]), tolerance=2e-3, i=lambda t: max(0.0, min(t - 0.25, 0.2 - 4 * (t - 0.45))))

WAY = dict(x="real start=0 fixed", z="real start=0 fixed")
holds("a jump that makes another", model(**WAY, y="real", equations=["der(x) == 1", "y + y*y*y == (2 if x > 0.55 else 0)", "der(z) == (3 if y > 0.5 else 1)"]), z=lambda t: t + 2 * max(0.0, t - 0.55))
holds("opposite relations", model(**WAY, equations=["der(x) == 1", "der(z) == (5 if x > 0.55 else 0) + (1 if x <= 0.55 else 0)"]), z=lambda t: t + 4 * max(0.0, t - 0.55))
holds("truth values that are compared", model(**WAY, a="boolean start=0 fixed", b="boolean start=0 fixed", equations=["der(x) == 1", "der(z) == (1 if a == b else 3)"],
                                              whens=[[("x > 0.25", ["a = True"])], [("x > 0.55", ["b = True"])]]), z=lambda t: t + 2 * min(max(0.0, t - 0.25), 0.3))
holds("an event at a whole number", model(**WAY, k="discrete integer start=1 fixed", m="discrete real start=0 fixed", equations=["der(x) == 1", "der(z) == (10 if k == 3 else 1)"],
                                          whens=[[("sample(0.25, 0.2)", ["k = pre(k) + 1"])], [("k >= 3", ["m = pre(m) + x"])], [("k > 1", ["x2 = x"])]], x2="discrete real start=0 fixed"),
      m=lambda t: 0.45 if t > 0.45 else 0.0, x2=lambda t: 0.25 if t > 0.25 else 0.0, z=lambda t: t + 9 * min(max(0.0, t - 0.45), 0.2))
holds("events that bring others about", model(**{**WAY, "equations": ["der(x) == 1", "der(z) == m"]}, a="boolean start=0 fixed", b="boolean start=0 fixed", m="discrete real start=0 fixed",
                                              whens=[[("x > 0.35", ["a = True"])], [("a", ["b = True"])], [("b", ["m = pre(m) + x"])]]), m=lambda t: 0.35 if t > 0.35 else 0.0)

holds("a value of the start alone", model(**LOOP, p="parameter=3", u="discrete real start=0 fixed", whens=[[("initial()", ["u = p"])]]), x=lambda t: 3 - 3 * math.exp(-t))
holds("a first sample before the start", model(**{**WAY, "equations": ["der(x) == 1", "der(z) == n"]}, n="discrete real start=0 fixed", whens=[[("sample(-0.15, 0.2)", ["n = pre(n) + 1"])]]), n=lambda t: math.floor((t + 0.15) / 0.2))
holds("an unknown in a condition", model(x="real start=0 fixed", y="real", n="discrete real start=0 fixed", equations=["der(x) == 1", "y + y*y*y == 3*x"], whens=[[("y > 0.55", ["n = x"])]]),
      n=lambda t: (0.55 + 0.55**3) / 3 if t > (0.55 + 0.55**3) / 3 else 0.0)
holds("two states at once", model(x="real start=0 fixed", y="real start=1 fixed", equations=["der(x) == 1", "der(y) == -x"], whens=[[("x > 0.55", ["reinit(y, y + x)", "reinit(x, 0)"])]]),
      x=lambda t: t if t < 0.55 else t - 0.55, y=lambda t: 1 - t * t / 2 if t < 0.55 else 1.55 - 0.55**2 / 2 - (t - 0.55)**2 / 2)

refused("a constraint that changes", model(x="real start=1 fixed", v="real start=0", f="real", k="discrete real start=0 fixed", equations=["der(x) == v", "der(v) == f", "v == (1 + k)*cos(time) - 1"],
                                           whens=[[("time > 0.55", ["k = 1"])]]), "D020", "ties states", "'k'")
refused("a constraint that jumps", model(x="real start=0 fixed", v="real start=1", f="real", equations=["der(x) == v", "der(v) == f", "v == (1 if x < 0.5 else 2)"]), "D020", "ties states")
holds("what holds already is no event", model(**WAY, n="discrete real start=0 fixed", equations=["der(x) == 1", "der(z) == 2"], whens=[[("x > 0.55 or z > 0.5", ["n = pre(n) + 1"])]]), n=lambda t: t > 0.25)
holds("one of several that come true", model(**WAY, n="discrete real start=0 fixed", equations=["der(x) == 1", "der(z) == 2"], whens=[[("[x > 0.55, z > 0.5]", ["n = pre(n) + 1"])]]), n=lambda t: (t > 0.25) + (t > 0.55))
HOLD = dict(**WAY, s="discrete real start=0 fixed", q="discrete real start=0 fixed", y="real", equations=["der(x) == 1", "y == pre(s)", "der(z) == y"])
steps = lambda t: math.floor((t + 0.15) / 0.2)
holds("a hold before a sampler", model(**HOLD, whens=[[("sample(0.05, 0.2)", ["s = x"])], [("sample(0.05, 0.2)", ["q = y"])]]), y=lambda t: 0.2 * steps(t) - 0.15 if steps(t) > 0 else 0.0, q=lambda t: 0.2 * steps(t) - 0.35 if steps(t) > 1 else 0.0)
holds("a hold that is not looked at", model(**HOLD, whens=[[("sample(0.05, 0.2)", ["s = x", "q = y + 10*s"])]]), q=lambda t: max(0.0, 0.2 * steps(t) - 0.35) + 10 * (0.2 * steps(t) - 0.15) if steps(t) > 0 else 0.0)
holds("truth values of a step before", model(**WAY, a="boolean start=0 fixed", b="boolean", n="discrete real start=0 fixed", equations=["der(x) == 1", "b == pre(a)", "der(z) == (2 if b else 1)"],
                                            whens=[[("x > 0.35", ["a = not pre(a)", "n = 1 if b else 2"])]]), z=lambda t: t + max(0.0, t - 0.35), n=lambda t: 2 if t > 0.35 else 0)

refused("an output of the same instant", model(**WAY, y="real", a="discrete real start=0 fixed", b="discrete real start=0 fixed", equations=["der(x) == 1", "y == 2*x", "der(z) == a"], whens=[[("x > 0.35", ["a = 3"])], [("y > 0.7", ["b = a"])]]), "D020", "'a'")
refused("a sample or something else", model(**WAY, n="discrete real start=0 fixed", equations=["der(x) == 1", "der(z) == n"], whens=[[("sample(0, 1) or x > 1", ["n = 1"])]]), "D021")
refused("what was before another event", model(**WAY, a="boolean start=0 fixed", m="discrete real start=0 fixed", equations=["der(x) == 1", "der(z) == a"], whens=[[("x > 0.35", ["a = not pre(a)"])], [("a", ["m = 1 if pre(a) else 2"])]]),
        "D020", "pre(a)")
refused("one instant in other words", model(**WAY, a="discrete real start=0 fixed", b="discrete real start=0 fixed", equations=["der(x) == 1", "der(z) == a"], whens=[[("x > 0.35", ["a = 3"])], [("2*x > 0.7", ["b = a"])]]), "D020", "'a'")
refused("another that may be set at once", model(**LOOP, u="discrete real start=0 fixed", v="discrete real start=0 fixed", whens=[[("sample(0.1, 0.1)", ["u = 1 - x"])], [("sample(0.1, 0.2)", ["v = 2*u"])]]), "D020", "'u'", "pre(u)")
refused("an unknown that the event changes", model(x="real start=1 fixed", y="real", k="discrete real start=1 fixed", m="discrete real start=0 fixed", equations=["der(x) == -1", "y + y*y*y == k*x"],
                                                   whens=[[("x < 0.5", ["k = 2", "m = y"])]]), "D020", "'y'")
refused("a circle within an event", model(**LOOP, u="discrete real start=0 fixed", v="discrete real start=0 fixed", whens=[[("x < 0.5", ["u = v", "v = u + 1"])]]), "D020", "itself")
refused("two when-equations of a variable", model(**LOOP, u="discrete real start=0 fixed", whens=[[("x < 0.5", ["u = 1"])], [("x < 0.2", ["u = 2"])]]), "D020", "'u'")
refused("a new value of what is no state", model(x="real start=1 fixed", u="real", equations=["der(x) == -u", "u == 2*x + x*x"], whens=[[("x < 0.5", ["reinit(u, 1)"])]]), "D020", "no state")
code, said = imported("end", model(x="real start=1 fixed", equations=["der(x) == -x"], whens=[[("x < 0.5", ["terminate(1)"])]]))
expect("the end of a run is said to be left out", code == 0 and "D030" in said and "1 assertions and ends (terminate)" in said, said)
refused("a sample among conditions", model(**LOOP, u="discrete real start=0 fixed", whens=[[("sample(0, 1) or x > 1 and sample(0, 2)", ["u = 1"])]]), "D021")
refused("a whole number with memory and a value that is no number",
        model(x="real start=1 fixed", k="integer start=0 fixed", n="discrete integer start=0 fixed", equations=["der(x) == -k", "k == (n if x > 0.5 else pre(k))"], whens=[[("x < 0.7", ["n = 2"])]]), "D021", "no plain numbers")

# State machines: whole numbers and truth values that read what each other was.
holds("a whole number with memory", model(x="real start=0.31 fixed", k="integer start=1 fixed", equations=["der(x) == 4*k", "k == (-1 if x > 0.6 else (1 if x < 0.1 else pre(k)))"]),
      x=lambda t: triangle(4 * t, 0.1, 0.6, 0.31)[0], k=lambda t: triangle(4 * t, 0.1, 0.6, 0.31)[1])
holds("a whole number with memory that is compared", model(x="real start=0.31 fixed", k="integer start=1 fixed", y="real",
                                                           equations=["der(x) == (4 if k > 0 else -4)", "y == 2*k + x", "k == (-1 if x > 0.6 else (1 if x < 0.1 else pre(k)))"]),
      x=lambda t: triangle(4 * t, 0.1, 0.6, 0.31)[0], y=lambda t: triangle(4 * t, 0.1, 0.6, 0.31)[0] + 2 * triangle(4 * t, 0.1, 0.6, 0.31)[1])
holds("a whole number that begins by an initial equation", model(x="real start=0.31 fixed", k="integer", equations=["der(x) == 4*k", "k == (-1 if x > 0.6 else (1 if x < 0.1 else pre(k)))"], initial=["pre(k) == -1"]),
      x=lambda t: triangle(4 * t, 0.1, 0.6, 0.89)[0])
refused("a whole number that begins with none of its numbers", model(x="real start=0.31 fixed", k="integer", equations=["der(x) == 4*k", "k == (-1 if x > 0.6 else (1 if x < 0.1 else pre(k)))"], initial=["pre(k) == 7"]), "D021", "none of the numbers")
# As Modelica.Mechanics.Rotational.Interfaces.PartialFriction.
FRICTION = dict(v="real start=0 fixed", a="real", sa="real", tau="real", locked="boolean", mode="integer start=3 fixed", forward="boolean start=0 fixed", backward="boolean start=0 fixed",
                equations=["der(v) == a", "a == 3*sin(8*time) - tau",
                           "locked == (not (pre(mode) == 1 or forward or pre(mode) == -1 or backward))",
                           "forward == (pre(mode) == 0 and (sa > 1.2 or pre(forward) and sa > 1) or initial() and v > 0)",
                           "backward == (pre(mode) == 0 and (sa < -1.2 or pre(backward) and sa < -1) or initial() and v < 0)",
                           "a == (0 if locked else (sa - 1.2 if forward else (sa + 1.2 if backward else (sa - 1.2 if pre(mode) == 1 else sa + 1.2))))",
                           "tau == (sa if locked else (1 if forward else (-1 if backward else (1 if pre(mode) == 1 else -1))))",
                           "mode == (1 if (pre(mode) == 1 or forward) and v > 0 else (-1 if (pre(mode) == -1 or backward) and v < 0 else 0))"])
holds("dry friction from rest", model(**FRICTION), v=lambda t: slides(t)[0], tau=lambda t: slides(t)[1], tolerance=1e-5)
holds("dry friction that slides at the start", model(**{**FRICTION, "v": "real start=-0.2 fixed"}), v=lambda t: slides(t, -0.2)[0], tau=lambda t: slides(t, -0.2)[1], tolerance=1e-5)
holds("a branch for the start", model(x="real start=1 fixed", y="real", equations=["der(x) == -y", "y == (5*x if initial() else 2*x)"]), x=lambda t: math.exp(-2 * t), y=lambda t: 2 * math.exp(-2 * t))
holds("a branch for the start that is solved for", model(x="real start=1", y="real", equations=["der(x) == 1 - y", "y == (5*x if initial() else 2*x)"], initial=["der(x) == 0"]), x=lambda t: 0.5 - 0.3 * math.exp(-2 * t))
# A truth value that reads what an event sets, while both may change at the same instant.
holds("a latch that reads when a wave began", model(x="real start=0 fixed", s="real", began="discrete real start=0 fixed", u="boolean", off="boolean start=1 fixed",
                                                    equations=["s == sin(20*time)", "u == (s > 0)", "off == (s < 0 or pre(off) and not (u and time - began > 0.05))", "der(x) == (0 if off else 1)"],
                                                    whens=[[("u", ["began = time"])]]),
      x=lambda t: conducted(t))
TIMERS = dict(x="real start=1 fixed", p="boolean start=0 fixed", q="boolean start=0 fixed", a="discrete real start=0 fixed", b="discrete real start=0 fixed")
holds("a latch that reads when another came on", model(**TIMERS, equations=["der(x) == (1 if q else 0)", "p == (time > 0.23 or pre(p))", "q == (p and time - a > 0.1 or pre(q))"], whens=[[("p", ["a = time", "b = 1"])]]),
      x=lambda t: 1 + max(0.0, t - 0.33))
refused("a latch that reads what two events may set in one round", model(**TIMERS, equations=["der(x) == (1 if q else 0)", "p == (time > 0.23 or pre(p))", "q == (p and time - a > 0.1 and time - b > 0.1 or pre(q))"],
                                                                        whens=[[("p and x > 0", ["a = time"])], [("p and x < 5", ["b = time"])]]), "D020", "another when-equation")

# Clocks: controllers at ticks.
CLOCKED = dict(x="real start=0 fixed", c="clock", y="real", u="real start=0")
holds("a clocked controller", model(**CLOCKED, equations=["c == Clock(0.1)", "y == sample(x, c)", "u == previous(u) + 0.5*(1 - y)", "der(x) == hold(u) - x"]),
      x=lambda t: sampled(t, 0.0, 0.1, (0.0, 0.0))[0], tolerance=1e-6)
holds("a clock of whole numbers, shifted", model(**CLOCKED, equations=["c == shiftSample(Clock(1, 10), 1, 2)", "y == sample(x, c)", "u == previous(u) + 0.5*(1 - y)", "der(x) == hold(u) - x"]),
      x=lambda t: sampled(t)[0])
holds("a clock that is inferred, its interval and first tick", model(x="real start=0 fixed", n="real start=0", k="real start=0", equations=["n == (1 if firstTick(k) else previous(n) + 1)", "k == subSample(sample(time, shiftSample(Clock(0.05), 1, 1)), 3)",
                                                                                                                                          "der(x) == hold(n)*hold(d)", "d == interval(n)"], d="real start=0"),
      x=lambda t: stair_sum(t, 0.05, 0.15) * 0.15)
holds("the first tick is at the start", model(x="real start=0 fixed", n="real start=0", k="real start=0", equations=["n == (10 if firstTick(k) else previous(n) + 1)", "k == sample(time, Clock(0.15))", "der(x) == hold(n)"]),
      x=lambda t: sum((10 + k) * (min(t, (k + 1) * 0.15) - k * 0.15) for k in range(10) if t > k * 0.15))
holds("slower and faster clocks at one instant", model(x="real start=0 fixed", b="real start=0", s="real start=0", f="real start=0", z="real start=0",
                                                       equations=["b == previous(b) + sample(1, Clock(1, 3))", "s == subSample(b, 2)", "f == superSample(b, 4)", "z == previous(z) + f", "der(x) == hold(s) + hold(z)"]),
      x=lambda t: rates(t))
holds("a clocked when-equation", model(**{**CLOCKED, "equations": ["c == Clock(0.1)", "y == sample(x, c)", "der(x) == hold(u) - x"]}, whens=[[("c", ["u = previous(u) + 0.5*(1 - y)"])]]),
      x=lambda t: sampled(t, 0.0, 0.1, (0.0, 0.0))[0])
STEPPED = dict(a="real start=0 fixed", b="real start=0 fixed", c="real start=0 fixed", s="boolean", u="discrete real start=0 fixed", w="discrete real start=0 fixed", y="real start=0",
               equations=["s == (time >= 0.25)", "der(a) == u", "der(b) == w", "der(c) == hold(y)", "y == sample(1 if s else 0, shiftSample(Clock(1, 10), 1, 2))"])
holds("a step at the instant of a sample", model(**STEPPED, whens=[[("sample(0.05, 0.1)", ["u = 1 if pre(s) else 0", "w = 1 if s else 0"])]]),
      a=lambda t: max(0.0, t - 0.35), b=lambda t: max(0.0, t - 0.25), c=lambda t: max(0.0, t - 0.35))
refused("a clock that nothing tells", model(**CLOCKED, equations=["c == Clock()", "y == sample(x, c)", "u == previous(u) + y", "der(x) == hold(u) - x"]), "D021", "which clock")
refused("two clocks", model(**CLOCKED, z="real", equations=["c == Clock(0.1)", "y == sample(x, c)", "z == sample(x, Clock(0.3))", "u == y + z", "der(x) == hold(u) - x"]), "D021", "two clocks")
refused("a circle at a tick", model(**CLOCKED, equations=["c == Clock(0.1)", "y == sample(x, c) - u", "u == 0.5*(1 - y)", "der(x) == hold(u) - x"]), "D021", "depends on itself")
refused("a clock of a condition", model(**CLOCKED, equations=["c == Clock(x > 0.5)", "y == sample(x, c)", "u == y", "der(x) == hold(u) - x"]), "D021", "condition")

# One that is run: counts and instants are those of the model, whatever the steps of its plan.
code, said = imported("run", model(**BALL, whens=[[("h <= 0", ["reinit(v, -e*pre(v))", "n = pre(n) + 1"])]]), "--duration", "1 s", "--every", "100 ms", "--record", "h", "--record", "n")
code, said = do("run", work / "run", "--pace", "free", "--build-dir", work / "build", "--out", work / "run/out", "--set", "rotational.model.e=0.7") if code == 0 else (code, said)
found = named("run", signals(work / "run/out")) if code == 0 else {"time": []}
worst = max((max(abs(h - bounces(t)[0]), abs(n - bounces(t)[2])) for t, h, n in zip(found["time"], found.get("h", ()), found.get("n", ()))), default=9)
expect("a ball that is run", code == 0 and worst < 1e-6, (worst, said))

raise SystemExit(len(failed) > 0)
