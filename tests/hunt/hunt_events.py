#!/usr/bin/env python3
"""Random flat Modelica models with events against an integration that finds every event.

    hunt_events.py --takt build/release/bin/takt --work DIR [--count N] [--seed S] [--only K] [--imports-only]

Bouncing masses, sampled controllers with and without a first sample at the start, two-point controllers, valves that jump, resets with elsewhen,
counters of changes, stairs of the time, latches, dry friction, clocks made of one another, and nonlinear loops with what events set, coupled by
smooth terms. SciPy integrates the explicit
equations between events (DOP853, 1e-11, crossings by its own root finding); the rest is as in hunt_modelica.py."""
import math
import random
import sys

from hunt_modelica import DURATION, EVERY, ROWS, main, model, root, solve_ivp

MOMENT = 1e-9
WORDS = {name: getattr(math, name) for name in ("sin", "cos", "tanh", "exp", "sqrt")} | {"root": root, "abs": abs}


class Event:
    """Where `above` comes above 0: then `sets`, pairs of a name and a text of what was before."""

    def __init__(self, above, sets):
        self.above, self.sets = above, sets


class Making:
    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.variables, self.equations, self.whens, self.steps = {}, [], [], []
        self.states, self.rates, self.starts, self.held, self.events, self.ticks = [], {}, {}, {}, [], []
        self.traits, self.known, self.hidden = set(), ["sin(3*time)"], set()
        makers = [self.bounce, self.sampled, self.two_point, self.jump, self.triangle, self.stairs, self.latch, self.loop, self.counter, self.friction, self.clocks]
        for k, maker in enumerate(self.chance.sample(makers, self.chance.randint(1, 4))):
            self.traits.add(maker.__name__)
            maker(f"_{k}")
        self.chance.shuffle(self.equations)
        self.chance.shuffle(self.whens)

    def number(self, low, high):
        return round(self.chance.uniform(low, high), 4) + 0.00003  # no event is at the instant of a row

    def add_state(self, name, start, rate):
        self.states.append(name)
        self.starts[name], self.rates[name] = start, rate
        self.variables[name] = f"real start={start} fixed"
        self.equations.append(f"der({name}) == {rate}")

    def add_held(self, name, start, kind="real"):
        self.held[name] = start
        self.variables[name] = f"discrete {kind} start={start} fixed"

    def drive(self):
        """Something smooth of what is there"""
        return f"{self.number(0.05, 0.3)}*tanh({self.chance.choice(self.known)})"

    def bounce(self, k):
        h, v, n, e = f"h{k}", f"v{k}", f"n{k}", self.number(0.8, 0.95)
        self.add_state(h, self.number(0.5, 1.5), v)
        self.add_state(v, self.number(-1, 1), f"-9.81 - {self.number(0.01, 0.2)}*{v} + {self.drive()}")
        self.add_held(n, 0)
        self.whens.append([(f"{h} <= 0", [f"reinit({v}, -{e}*pre({v}))", f"{n} = pre({n}) + 1"])])
        self.events.append(Event(f"-({h})", [(v, f"-{e}*{v}"), (n, f"{n} + 1")]))
        self.known.append(h)

    def sampled(self, k):
        x, u, s, period = f"x{k}", f"u{k}", f"s{k}", self.number(0.05, 0.4)
        first = self.chance.choice([0, self.number(0.001, 0.2)])
        self.add_state(x, self.number(-1, 1), f"{u} - {self.number(0.5, 3)}*{x} + {self.drive()}")
        self.add_held(u, 0), self.add_held(s, self.number(-1, 1))
        gain, slow = self.number(0.2, 1), self.number(0.05, 0.3)
        texts = [f"{u} = {gain}*(1 - {x}) + {s}", f"{s} = pre({s}) + {slow}*(1 - {x})"]
        self.chance.shuffle(texts)
        condition = f"sample({first}, {period})"
        if first == 0 and self.chance.random() < 0.5:
            condition = f"[initial(), {condition}]"
        if self.chance.random() < 0.5:
            self.variables[f"due{k}"] = "boolean"
            self.equations.append(f"due{k} == sample({first}, {period})")
            condition = condition.replace(f"sample({first}, {period})", f"due{k}")
        self.whens.append([(condition, texts)])
        self.ticks.append((first, period, [(s, f"{s} + {slow}*(1 - {x})"), (u, f"{gain}*(1 - {x}) + ({s} + {slow}*(1 - {x}))")]))
        self.known.append(x)

    def two_point(self, k):
        t, on, low, high = f"t{k}", f"on{k}", self.number(0.2, 0.4), self.number(0.6, 0.8)
        self.variables[on] = "boolean start=1 fixed"
        self.held[on] = 1
        self.add_state(t, 0.5, f"(2 if {on} else 0) - {t} + {self.drive()}")
        self.equations.append(f"{on} == (pre({on}) and {t} < {high} or {t} < {low})")
        self.events += [Event(f"{low} - {t}", [(on, "1")]), Event(f"{t} - {high}", [(on, "0")])]
        if self.chance.random() < 0.5:
            self.add_held(f"c{k}", 0)
            self.whens.append([(f"{on}", [f"c{k} = pre(c{k}) + 1"])])
            self.events[-2].sets.append((f"c{k}", f"c{k} + (1 - {on})"))
        self.known.append(t)

    def jump(self, k):
        x, level = f"x{k}", self.number(0.2, 0.9)
        a, b = self.number(0.5, 1.5), self.number(0.2, 0.45)
        self.add_state(x, 0, f"({a} if {x} < {level} else {b}) + 0.1*sin(5*time)")
        self.events.append(Event(f"{x} - {level}", []))
        self.known.append(x)

    def triangle(self, k):
        x, v, n = f"x{k}", f"v{k}", f"n{k}"
        low, high = self.number(-0.5, -0.2), self.number(0.2, 0.5)
        self.add_state(x, 0, v)
        self.add_state(v, self.number(1, 3), "0")
        self.add_held(n, 0, "integer")
        self.whens.append([(f"{x} > {high}", [f"reinit({v}, -pre({v}))", f"{n} = pre({n}) + 1"]), (f"{x} < {low}", [f"reinit({v}, -1.1*{v})", f"{n} = pre({n}) + 10"])])
        self.events += [Event(f"{x} - {high}", [(v, f"-{v}"), (n, f"{n} + 1")]), Event(f"{low} - {x}", [(v, f"-1.1*{v}"), (n, f"{n} + 10")])]
        self.known.append(x)

    def stairs(self, k):
        n, at, step, x = f"n{k}", self.number(0.1, 0.5), self.number(0.1, 0.4), f"x{k}"
        self.add_held(n, 0)
        self.whens.append([(f"time >= {at} + {step}*pre({n})", [f"{n} = pre({n}) + 1"])])
        self.ticks.append((at, step, [(n, f"{n} + 1")]))
        self.add_state(x, 0, f"{self.number(0.2, 1)}*{n} - {x} + {self.drive()}")
        self.known.append(x)

    def latch(self, k):
        x, b, level = f"x{k}", f"b{k}", self.number(0.2, 0.6)
        self.add_state(x, 0, f"(cos(6*time) if {b} else 1) + {self.drive()}")
        self.add_held(b, 0, "boolean")
        self.whens.append([(f"{x} > {level} and time > 0.1", [f"{b} = not pre({b})"])])
        self.events.append(Event(f"min({x} - {level}, time - 0.1)", [(b, f"1 - {b}")]))
        self.known.append(x)

    def loop(self, k):
        x, y, g, m = f"x{k}", f"y{k}", f"g{k}", f"m{k}"
        level, gain = self.number(0.3, 0.7), self.number(0.1, 0.5)
        self.variables[y] = "real"
        self.add_state(x, 1, f"-{y} + {self.drive()}")
        self.add_held(g, 1), self.add_held(m, 0)
        self.equations.append(f"{y} + {gain}*{y}*{y}*{y} == {g}*{x}")
        self.steps.append(f"{y} = root(lambda y_: y_ + {gain}*y_*y_*y_ - {g}*{x})")
        self.whens.append([(f"{x} < {level}", [f"{g} = 2", f"{m} = pre({y}) + {x}"])])
        self.events.append(Event(f"{level} - {x}", [(m, f"{y} + {x}"), (g, "2")]))
        self.known.append(x)

    def counter(self, k):
        x, b, n = f"x{k}", f"b{k}", f"n{k}"
        level = self.number(-0.5, 0.5)
        self.variables[b] = "boolean"
        self.add_state(x, 0, f"cos({self.number(4, 9)}*time)*4 + {self.drive()}")
        self.equations.append(f"{b} == ({x} > {level})")
        self.add_held(n, 0)
        self.whens.append([(f"change({b})", [f"{n} = pre({n}) + 1"])])
        self.events += [Event(f"{x} - {level}", [(n, f"{n} + 1")]), Event(f"{level} - {x}", [(n, f"{n} + 1")])]
        self.known.append(x)

    def friction(self, k):
        v, m, a, sa, ahead, back, locked = (f"{each}{k}" for each in ("v", "m", "a", "sa", "ahead", "back", "locked"))
        slide, start = self.number(0.4, 0.8), self.chance.choice([0, self.number(-0.5, -0.1), self.number(0.1, 0.5)])
        peak = round(slide * self.chance.choice([1, 1.2, 1.5]), 6)
        force = f"{self.number(0.5, 2.5)}*sin({self.number(3, 12)}*time) + {self.drive()}"
        self.add_state(v, start, f"({force} - {slide}*{m} if {m} else 0)")
        self.equations[-1] = f"der({v}) == {a}"
        self.variables |= {a: "real", sa: "real", locked: "boolean", m: "integer start=3 fixed", ahead: "boolean start=0 fixed", back: "boolean start=0 fixed"}
        self.equations += [
            f"{locked} == (not (pre({m}) == 1 or {ahead} or pre({m}) == -1 or {back}))",
            f"{ahead} == (pre({m}) == 0 and ({sa} > {peak} or pre({ahead}) and {sa} > {slide}) or initial() and {v} > 0)",
            f"{back} == (pre({m}) == 0 and ({sa} < -{peak} or pre({back}) and {sa} < -{slide}) or initial() and {v} < 0)",
            f"{a} == (0 if {locked} else ({sa} - {peak} if {ahead} else ({sa} + {peak} if {back} else ({sa} - {peak} if pre({m}) == 1 else {sa} + {peak}))))",
            f"{a} == {force} - ({sa} if {locked} else ({slide} if {ahead} else (-{slide} if {back} else ({slide} if pre({m}) == 1 else -{slide}))))",
            f"{m} == (1 if (pre({m}) == 1 or {ahead}) and {v} > 0 else (-1 if (pre({m}) == -1 or {back}) and {v} < 0 else 0))"]
        self.hidden |= {a, sa}
        self.held[m] = (start > 0) - (start < 0)
        self.events += [Event(f"(-{v}*{m} if {m} else -1)", [(v, "0"), (m, f"((({force}) > {peak}) - (({force}) < -{peak}))")]),
                        Event(f"({force} - {peak} if {m} == 0 else -1)", [(m, "1")]), Event(f"(-({force}) - {peak} if {m} == 0 else -1)", [(m, "-1")])]
        self.known.append(v)

    def clocks(self, k):
        x, u, s, w, z, j = (f"{each}{k}" for each in ("x", "u", "s", "w", "z", "_j"))
        ticks, slow, fast = self.chance.choice([37, 53, 71, 101]), self.chance.randint(2, 4), self.chance.choice([2, 4])
        gain, less = self.number(0.2, 0.8), self.number(0.02, 0.1)
        self.add_state(x, self.number(-1, 1), f"{u} - {x} + 0.1*{z} + {self.drive()}")
        self.equations[-1] = self.equations[-1].replace(f"{u} - ", f"hold({u}) - ").replace(f"0.1*{z}", f"0.1*hold({z})")
        self.variables |= {each: "real start=0" for each in (u, s, w, z)}
        self.held |= {u: 0, s: 0, w: 0, z: 0, j: 0}
        self.equations += [f"{u} == previous({u}) + {gain}*(1 - sample({x}, shiftSample(Clock({ticks}, 1024), 1, 2)))",
                           f"{s} == subSample({u}, {slow})", f"{w} == superSample({s}, {fast})", f"{z} == previous({z}) + {less}*{w}"]
        period, new = ticks / 1024, f"({u} + {gain}*(1 - {x}))"
        last = f"({new} if {j} == 0 else {s})"
        self.ticks += [(period / 2, period, [(u, new)]), (period / 2, slow * period, [(s, new)]),
                       (period / 2, slow * period / fast, [(w, last), (z, f"{z} + {less}*{last}"), (j, f"({j} + 1) % {fast}")])]
        self.known.append(x)

    def flat(self):
        return model(equations=self.equations, whens=self.whens, **self.variables)

    # The oracle

    def compiled(self):
        names = ", ".join(self.states)
        room = dict(WORDS) | {"min": min}
        told = [*self.states, *(name for name in self.held if name[0] != "_"), *(name for name, text in self.variables.items() if text == "real" and name not in self.hidden)]
        head = f"    ({names},) = z_\n    ({', '.join(self.held)},) = h_\n" if self.held else f"    ({names},) = z_\n"
        head += "".join(f"    {step}\n" for step in self.steps)
        code = f"def rates(time, z_, h_):\n{head}    return [{', '.join(self.rates[name] for name in self.states)}]\n"
        code += f"def values(time, z_, h_):\n{head}    return {{{', '.join(f'{name!r}: {name}' for name in told)}}}\n"
        for k, event in enumerate(self.events):
            code += f"def above_{k}(time, z_, h_):\n{head}    return {event.above}\n"
        for k, sets in enumerate([*(event.sets for event in self.events), *(sets for *_, sets in self.ticks)]):
            code += f"def sets_{k}(time, z_, h_):\n{head}    return {{{', '.join(f'{name!r}: {text}' for name, text in sets)}}}\n"
        exec(code, room)
        return room, told

    def solved(self):
        room, told = self.compiled()
        rows = [k * EVERY for k in range(ROWS)]
        found = {name: [] for name in told}
        z, h, time = [float(self.starts[name]) for name in self.states], [float(each) for each in self.held.values()], 0.0
        due = [first for first, *_ in self.ticks]

        def happen(sets, z, h):
            new = {}
            for each in sets:
                new |= room[f"sets_{each}"](time, z, h)
            return ([new.get(name, old) for name, old in zip(self.states, z)], [float(new.get(name, old)) for name, old in zip(self.held, h)])

        begun = [k for k, at in enumerate(due) if at == 0]
        z, h = happen([len(self.events) + k for k in begun], z, h)
        counts = [1 if k in begun else 0 for k in range(len(due))]
        truths = [room[f"above_{k}"](0.0, z, h) > 0 for k in range(len(self.events))]
        for _ in range(5000):
            due = [first + counts[k] * period for k, (first, period, _) in enumerate(self.ticks)]
            end = min([*due, DURATION])

            def crossing(k):
                def g(t, y):
                    return room[f"above_{k}"](t, y, h)
                g.terminal, g.direction = True, -1 if truths[k] else 1
                return g

            at = [row for row in rows if time <= row < end or row == end == DURATION]
            made = solve_ivp(lambda t, y: room["rates"](t, y, h), (time, end), z, method="DOP853", rtol=1e-11, atol=1e-12, max_step=0.01, events=[crossing(k) for k in range(len(self.events))], dense_output=True)
            if not made.success:
                return None
            stop = made.t[-1]
            for row in at:
                if row < stop or row == stop == DURATION:
                    for name, value in room["values"](row, made.sol(row), h).items():
                        found[name].append(float(value))
            rows = [row for row in rows if row >= stop and not row == stop == DURATION]
            time, z = stop, [float(each) for each in made.y[:, -1]]
            if time >= DURATION:
                return found
            if made.status == 1:
                # A moment later, so that the crossing is left behind.
                rates = room["rates"](time, z, h)
                later = [each + MOMENT * rate for each, rate in zip(z, rates)]
                crossed = [k for k, each in enumerate(made.t_events) if len(each) or (room[f"above_{k}"](time, later, h) > 0) != truths[k]]
                z, h = happen([k for k in crossed if not truths[k]], later, h)
                time += MOMENT
                for k in range(len(self.events)):
                    above = room[f"above_{k}"](time, z, h) > 0
                    if k not in crossed and above != truths[k]:
                        return None
                    truths[k] = above
            else:
                reached = [k for k in range(len(due)) if due[k] == end]
                z, h = happen([len(self.events) + k for k in reached], z, h)
                for k in reached:
                    counts[k] += 1
        return None


if __name__ == "__main__":
    sys.exit(main(__doc__, Making))
