"""A flat Modelica model (JSON of rumoca) integrated without Takt: its equations as they stand, by Radau IIA of order 5 on F(t, x, x', y) = 0.

    times, values, doubt = integrated(json, stop=1.0, every=0.01, step=1e-3, index=3)

Nothing is differentiated to lower the index but for the start, which solves F = 0, F' = 0, F'' = 0 with the fixed values and initial equations by least change.
Relations of the time are held between the instants at which they change. doubt: the largest change of a signal, over its range, when the step is halved.
Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, IV.8 and VII.4 (Radau IIA, index 3: order 5, 3, 2).
"""
import math
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small

import casadi as ca  # noqa: E402
import numpy as np  # noqa: E402

from flat_oracle_values import Reader  # noqa: E402

ROOT6 = math.sqrt(6)
C = [(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1.0]
A = [[(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225],
     [(296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225],
     [(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1 / 9]]


class System:
    """Residuals without aliases x = y, x = -y, x = number; each name as an expression of what is left."""

    def __init__(self, json):
        self.reader = reader = Reader(json)
        self.residuals = [ca.SX(each) for each in reader.residuals()]
        self.initial = [ca.SX(each) for each in reader.initial_residuals()]
        self.names = dict(reader.symbols)
        self.known = {}  # symbol by name -> expression
        self.outputs = []  # each reads what comes after it
        while self.drop_aliases():
            pass
        count = len(self.residuals)
        resolved = reader.resolve_relations([*self.residuals, *self.initial])
        self.residuals, self.initial = resolved[:count], resolved[count:]
        while self.drop_outputs():
            pass
        every = ca.vertcat(*self.residuals)
        used = {each.name(): each for each in ca.symvar(every)}
        dots = {name: dot for name, dot in reader.dots.items() if dot.name() in used}
        self.x = [reader.symbols[name] for name in dots]
        self.dx = list(dots.values())
        self.y = [symbol for name, symbol in used.items() if name in reader.symbols and name not in dots]
        if len(self.residuals) != len(self.x) + len(self.y):
            raise ValueError(f"{len(self.residuals)} equations for {len(self.x)} + {len(self.y)} variables")

    def drop_aliases(self):
        reader, found, rest = self.reader, {}, []
        for residual in self.residuals:
            symbols = ca.symvar(residual)
            if not symbols and abs(float(residual)) < 1e-12:
                continue
            names = [each.name() for each in symbols]
            alone = len(symbols) in (1, 2) and all(name in reader.symbols and name not in found for name in names)
            slopes = [ca.jacobian(residual, each) for each in symbols] if alone else []
            if not alone or not all(slope.is_constant() for slope in slopes):
                rest.append(residual)
                continue
            at_zero = float(ca.substitute(residual, ca.vertcat(*symbols), ca.DM.zeros(len(symbols))))
            if len(symbols) == 1 and abs(float(slopes[0])) > 1e-12:
                found[names[0]] = ca.SX(-at_zero / float(slopes[0]))
            elif len(symbols) == 2 and at_zero == 0 and abs(abs(float(slopes[0])) - abs(float(slopes[1]))) < 1e-15 and float(slopes[0]) != 0:
                # What has a fixed start, or a rate, is kept.
                gone, kept = sorted((0, 1), key=lambda k: (names[k] in reader.fixed, names[k] in reader.dots, names[k] in reader.starts))
                found[names[gone]] = -float(slopes[kept]) / float(slopes[gone]) * symbols[kept]
            else:
                rest.append(residual)
        # One at a time where they hang together.
        chosen, kept_names = {}, set()
        for name, value in found.items():
            read = {each.name() for each in ca.symvar(value)}
            if name not in kept_names and not read & set(chosen):
                chosen[name] = value
                kept_names |= read
        old = [reader.symbols[name] for name in chosen]
        new = list(chosen.values())
        for name, value in chosen.items():
            if name in reader.dots:
                old.append(reader.dots[name])
                symbols = ca.symvar(value)
                new.append(ca.jacobian(value, symbols[0]) * reader.dot(symbols[0]) if symbols else ca.SX(0))
            if name in reader.fixed:
                self.initial.append(value - reader.starts[name])
        lost = [self.residual_of(name, value) for name, value in found.items() if name not in chosen]
        self.residuals = rest + lost
        if not chosen:
            return False
        put = lambda expressions: [each for each in ca.vertsplit(ca.substitute(ca.vertcat(*expressions), ca.vertcat(*old), ca.vertcat(*new)))] if expressions else []
        self.residuals, self.initial = put(self.residuals), put(self.initial)
        for relation in reader.relations.values():
            relation[2:] = put(relation[2:])
        self.known.update(chosen)
        names = list(self.known)
        self.known = dict(zip(names, put([self.known[name] for name in names])))
        return True

    def drop_outputs(self):
        """y = f(...) where nothing else reads y."""
        reader, reads = self.reader, {}
        symbols = [{each.name() for each in ca.symvar(residual)} for residual in self.residuals]
        for k, names in enumerate(symbols):
            for name in names:
                reads.setdefault(name, []).append(k)
        read_at_start = {each.name() for residual in self.initial for each in ca.symvar(residual)}
        gone = {}
        for name, places in reads.items():
            if len(places) > 1 or places[0] in gone or name not in reader.symbols or name in read_at_start | reader.fixed | set(reader.dots):
                continue
            symbol, residual = reader.symbols[name], self.residuals[places[0]]
            if any(each.name().startswith("der(") for each in ca.symvar(residual)):
                continue
            slope = ca.jacobian(residual, symbol)
            if slope.is_constant() and abs(float(slope)) == 1:
                gone[places[0]] = name
                self.outputs.append((name, -ca.substitute(residual, symbol, 0) / slope))
        self.residuals = [residual for k, residual in enumerate(self.residuals) if k not in gone]
        return bool(gone)

    def residual_of(self, name, value):
        return self.reader.symbols[name] - value

    def expressions(self, names):
        made = ca.vertcat(*[self.known.get(name, self.reader.symbols[name]) for name in names])
        for name, value in self.outputs:
            made = ca.substitute(made, self.reader.symbols[name], value)
        return made


class Integration:
    def __init__(self, system, index, singular):
        self.system, self.singular, reader = system, singular, system.reader
        self.t, self.b = reader.time, ca.vertcat(*reader.held) if reader.held else ca.SX(0, 1)
        self.x, self.dx, self.y = (ca.vertcat(*each) if each else ca.SX(0, 1) for each in (system.x, system.dx, system.y))
        self.index = index

    def held(self, t):
        return np.array([1.0 if each(t) else 0.0 for each in self.system.reader.held_values])

    def start(self):
        reader, system = self.system.reader, self.system
        x, dx, y = self.x, self.dx, self.y
        levels = [x, dx] + [ca.SX.sym(f"x{k}", x.numel()) for k in range(2, self.index + 1)]
        slopes = [y] + [ca.SX.sym(f"y{k}", y.numel()) for k in range(1, self.index)]
        equation = ca.vertcat(*system.residuals)
        total = [equation]
        for k in range(1, self.index):
            last = total[-1]
            made = ca.jacobian(last, self.t)
            for order in range(k + 1):
                made += ca.jtimes(last, levels[order], levels[order + 1])
            for order in range(k):
                made += ca.jtimes(last, slopes[order], slopes[order + 1])
            total.append(made)
        fixed = [symbol - reader.starts[symbol.name()] for symbol in system.x + system.y if symbol.name() in reader.fixed]
        # A rate that only the initial equations ask for is one of the differentiated equations.
        initial = ca.vertcat(*system.initial)
        for k, symbol in enumerate(system.y):
            if symbol.name() in reader.dots and self.index > 1:
                initial = ca.substitute(initial, reader.dots[symbol.name()], slopes[1][k])
        total += [*fixed, initial]
        unknown = ca.vertcat(*levels, *slopes)
        solve = ca.Function("start", [unknown, self.t, self.b], [ca.vertcat(*total), ca.jacobian(ca.vertcat(*total), unknown)])
        at = np.zeros(unknown.numel())
        guess = lambda symbols: [reader.starts.get(symbol.name(), 0.0) for symbol in symbols]
        at[:x.numel()] = guess(system.x)
        first = sum(each.numel() for each in levels)
        at[first:first + y.numel()] = guess(system.y)
        held = self.held(1e-9)
        for _ in range(100):
            scale = np.maximum(np.abs(at), 1.0)
            value, slope = (each.full() for each in solve(at, 0.0, held))
            rows = np.maximum(np.linalg.norm(slope * scale, axis=1), 1e-300)
            change = np.linalg.lstsq(slope * scale / rows[:, None], -value.ravel() / rows, rcond=1e-11)[0] * scale
            at = at + change
            if np.max(np.abs(change) / scale) < 1e-12:
                break
        left = np.max(np.abs(solve(at, 0.0, held)[0].full().ravel()) / rows)
        if not left < 1e-9:
            raise ValueError(f"no consistent start, {left} is left")
        return at[:x.numel()], at[x.numel():2 * x.numel()], at[first:first + y.numel()]

    def prepare_step(self):
        of = [self.x, self.dx, self.y]
        residual = ca.vertcat(*self.system.residuals)
        self.slopes = ca.Function("slopes", [self.t, *of, self.b], [residual, *[ca.jacobian(residual, each) for each in of]])

    def stages(self, unknown, x, t, h, held):
        """-> residuals of the three stages, their slopes"""
        n, m = self.x.numel(), self.y.numel()
        value, slope = np.zeros((3, n + m)), np.zeros((3, n + m, 3, n + m))
        parts = unknown.reshape(3, n + m)
        for i in range(3):
            at = x + h * sum(A[i][j] * parts[j, :n] for j in range(3))
            found, by_x, by_dx, by_y = (each.full() for each in self.slopes(t + C[i] * h, at, parts[i, :n], parts[i, n:], held))
            value[i] = found.ravel()
            for j in range(3):
                slope[i, :, j, :n] = h * A[i][j] * by_x
            slope[i, :, i, :n] += by_dx
            slope[i, :, i, n:] = by_y
        return value.ravel(), slope.reshape(3 * (n + m), 3 * (n + m))

    def step(self, unknown, x, t, h, held):
        for _ in range(40):
            value, slope = self.stages(unknown, x, t, h, held)
            scale = np.maximum(np.abs(unknown), 1.0)
            slope = slope * scale
            rows = np.maximum(np.linalg.norm(slope, axis=1), 1e-300)
            slope, value = slope / rows[:, None], value / rows
            change = (np.linalg.lstsq(slope, -value, rcond=1e-10)[0] if self.singular else np.linalg.solve(slope, -value)) * scale
            unknown = unknown + change
            if np.max(np.abs(change) / scale) < 1e-11 or np.max(np.abs(value)) < 1e-14:
                return unknown
        if np.max(np.abs(value)) > 1e-9:
            raise ValueError(f"a step at {t} does not converge: {np.max(np.abs(change) / scale)}, {np.max(np.abs(value))}")
        return unknown

    def run(self, stop, every, step):
        self.prepare_step()
        x, dx, y = self.start()
        n, m = len(x), len(y)
        times = np.arange(int(round(stop / every)) + 1) * every
        cuts = sorted(set(times.tolist()) | set(self.system.reader.instants(stop)))
        rows = [(0.0, x, y, dx)]
        unknown = np.concatenate([part for _ in C for part in (dx, y)])
        for begin, end in zip(cuts[:-1], cuts[1:]):
            if end - begin < 1e-12:
                continue
            held = self.held(0.5 * (begin + end))
            count = max(1, math.ceil((end - begin) / step - 1e-9))
            h = (end - begin) / count
            for k in range(count):
                unknown = self.step(unknown, x, begin + k * h, h, held)
                slopes = unknown.reshape(3, n + m)[:, :n]
                x = x + h * sum(A[2][j] * slopes[j] for j in range(3))
                y = unknown.reshape(3, n + m)[2, n:]
            rows.append((end, x, y, slopes[2]))
        wanted = set(times.tolist())
        return times, [row[1:] for row in rows if row[0] in wanted]

    def named(self, times, rows):
        reader, system = self.system.reader, self.system
        names = list(reader.symbols)
        out = ca.Function("out", [self.t, self.x, self.y, self.dx, self.b], [system.expressions(names)])
        values = np.array([out(t, *row, self.held(t)).full().ravel() for t, row in zip(times, rows)])
        return {name: values[:, k] for k, name in enumerate(names)}


def integrated(json, stop, every, step, index=3, singular=False):
    """-> times, values by name, doubt"""
    system = System(json)
    integration = Integration(system, index, singular)
    coarse = integration.named(*integration.run(stop, every, step))
    times, rows = integration.run(stop, every, step / 2)
    fine = integration.named(times, rows)
    states = [symbol.name() for symbol in system.x]
    doubt = 0.0
    for name in states:
        span = max(np.ptp(fine[name]), 1e-3 * np.max(np.abs(fine[name])), 1e-9)
        doubt = max(doubt, float(np.max(np.abs(fine[name] - coarse[name])) / span))
    return times, fine, doubt

