"""Random coupled networks of all domains, each written as lines of a plant and as one differential-algebraic system
E x' = A x + b(t) + products of two unknowns, and its solution by Radau IIA of order 5. For random_coupling.py."""
import collections
import math

import numpy as np

FINE_STEPS = 200   # of the reference, over the whole time
LEAK = 1e-9        # kg/s of enthalpy exchange in every stream
ZERO_C = 273.15


class Network:
    """Plant lines and equations of one network. Expressions are dicts: unknown, pair of unknowns, "one" or ("sin", w) -> factor."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.lines = collections.defaultdict(list)
        self.start, self.rows, self.balance, self.compared = [], [], {}, {}
        self.count = 0

    def around(self, low):
        return round(low * self.rng.uniform(1, 4), 4)

    def fresh(self, stem):
        self.count += 1
        return f"{self.name}_{stem}{self.count}"

    def element(self, section, kind, at, text, name=None):
        name = name or self.fresh(kind)
        ends = "at = [" + ", ".join(f'"{end}"' for end in at) + "], " if at else ""
        rest = (ends + text).rstrip(", ")
        self.lines[section].append(f'{name} = {{ is = "{kind}"{", " if rest else ""}{rest} }}')
        return f"{section}.{name}"

    def unknown(self, start=0.0):
        self.start.append(start)
        return len(self.start) - 1

    def row(self, rates, value):
        """sum of rates = value"""
        self.rows.append((rates, value))

    def node(self, start=0.0):
        """An unknown potential with a balance: sum of rates = sum of what flows in."""
        unknown = self.unknown(start)
        self.balance[unknown] = ({}, {})
        return unknown

    def flow(self, into, value, sign=1.0):
        if into is None:
            return
        for term, factor in value.items():
            self.balance[into][1][term] = self.balance[into][1].get(term, 0.0) + sign * factor

    def between(self, a, b, factor=1.0):
        """factor*(potential a - potential b); None is the reference"""
        return {node: sign * factor for node, sign in ((a, 1.0), (b, -1.0)) if node is not None}

    def finished(self):
        return self.rows + [self.balance[node] for node in sorted(self.balance)]


def electric(net, heat_to):
    """A tree of capacitors and resistors with a source; some resistors heat walls and feel their temperature."""
    rng = net.rng
    nodes = [("gnd", None)]

    def resistor(a, b, heated):
        r, i = net.around(2), net.unknown()
        text = f'r = "{r} Ohm"'
        law = {**net.between(a[1], b[1]), i: -r}
        if heated and heat_to:
            path, t = rng.choice(heat_to)
            text += f', alpha = "0.004 1/K", heat = "{path}"'
            law[i] += r * 0.004 * 298.15
            law[(i, t)] = -r * 0.004
            for node, sign in ((a[1], 1.0), (b[1], -1.0)):
                if node is not None:
                    net.flow(t, {(node, i): sign})
        net.element("electric", "resistor", (a[0], b[0]), text)
        net.row({}, law)
        net.flow(a[1], {i: -1.0}), net.flow(b[1], {i: 1.0})

    def new_node():
        nodes.append((net.fresh("n"), net.node()))
        return nodes[-1]

    source = new_node()
    v, w, i = net.around(5), net.around(3), net.unknown()
    net.element("electric", "voltage_source", (source[0], "gnd"), f'v = "{v} V*sin({w} rad/s*time)"')
    net.row({}, {source[1]: 1.0, ("sin", w): -v})
    net.flow(source[1], {i: -1.0})
    for k in range(rng.randint(2, 4)):
        above, node = rng.choice(nodes[1:]), new_node()
        resistor(above, node, k == 0 or rng.random() < 0.5)
        if rng.random() < 0.7:
            c, j = net.around(0.05), net.unknown()
            path = net.element("electric", "capacitor", (node[0], "gnd"), f'c = "{c} F"')
            net.row({node[1]: c}, {j: 1.0})
            net.flow(node[1], {j: -1.0})
            net.compared[path + ".v"] = node[1]
        else:
            resistor(node, nodes[0], False)
    if rng.random() < 0.4:  # a capacitor across the source: index 2
        c, j = net.around(0.05), net.unknown()
        net.element("electric", "capacitor", (source[0], "gnd"), f'c = "{c} F"')
        net.row({source[1]: c}, {j: 1.0})
        net.flow(source[1], {j: -1.0})
    if rng.random() < 0.5:
        (a, b), l, j = rng.sample(nodes, 2), net.around(0.5), net.unknown()
        path = net.element("electric", "inductor", (a[0], b[0]), f'l = "{l} H"')
        net.row({j: l}, net.between(a[1], b[1]))
        net.flow(a[1], {j: -1.0}), net.flow(b[1], {j: 1.0})
        net.compared[path + ".i"] = j
    return nodes


def mechanical(net, heat_to):
    """Inertias on dampers, springs and gears; some dampers heat walls."""
    rng = net.rng
    shafts = [("frame", None)]

    def damper(a, b, heated):
        d = net.around(0.3)
        text = f'd = "{d} N*m*s/rad"'
        if heated and heat_to:
            path, t = rng.choice(heat_to)
            text += f', heat = "{path}"'
            across = net.between(a[1], b[1])
            for one, x in across.items():
                for other, y in across.items():
                    net.flow(t, {(one, other): d * x * y})
        net.element("rotational", "damper", (a[0], b[0]), text)
        net.flow(a[1], net.between(a[1], b[1], -d)), net.flow(b[1], net.between(a[1], b[1], d))

    def inertia(shaft):
        j = net.around(0.1)
        path = net.element("rotational", "inertia", (shaft[0],), f'j = "{j} kg*m^2"')
        net.balance[shaft[1]][0][shaft[1]] = net.balance[shaft[1]][0].get(shaft[1], 0.0) + j
        net.compared[path + ".w"] = shaft[1]

    for k in range(rng.randint(2, 3)):
        shaft, above = (net.fresh("x"), net.node()), rng.choice(shafts)
        damper(shaft, above, k == 0 or rng.random() < 0.5)
        inertia(shaft)
        shafts.append(shaft)
    torque = net.around(2)
    net.element("rotational", "torque_source", (shafts[1][0],), f'torque = "{torque} N*m"')
    net.flow(shafts[1][1], {"one": torque})
    if rng.random() < 0.6:
        a, b = rng.sample(shafts, 2)
        c, f = net.around(2), net.unknown()
        net.element("rotational", "spring", (a[0], b[0]), f'c = "{c} N*m/rad"')
        net.row({f: 1.0}, net.between(a[1], b[1], c))
        net.flow(a[1], {f: -1.0}), net.flow(b[1], {f: 1.0})
    if rng.random() < 0.5:  # inertias joined by a gear: index 2
        above, shaft = rng.choice(shafts[1:]), (net.fresh("x"), net.node())
        f = net.unknown()
        net.element("rotational", "gear", (above[0], shaft[0]), "ratio = 2")
        net.row({}, {above[1]: 1.0, shaft[1]: -2.0})
        net.flow(above[1], {f: -1.0}), net.flow(shaft[1], {f: 2.0})
        inertia(shaft)
        shafts.append(shaft)
    return shafts


def solid(net):
    """-> walls, lumped walls; each a path and an unknown"""
    rng, walls, lumped, all_of_them = net.rng, [], [], []
    for k in range(rng.randint(2, 4)):
        stores = k == 0 or rng.random() < 0.6
        name, t = net.fresh("w"), net.node(round(rng.uniform(290, 350), 1) if stores else 300.0)
        if stores:
            m = net.around(0.02)
            net.element("solid", "wall", (), f'm = "{m} kg", cp = "1 kJ/kg/K", start = {{ t = "{net.start[t]} K" }}', name)
            net.balance[t][0][t] = m * 1000.0
            net.compared[f"solid.{name}.t"] = t
        else:
            net.element("solid", "lumped_wall", (), "", name)
        if all_of_them:
            other, c = rng.choice(all_of_them), net.around(5)
            net.element("solid", "heat_transfer", (name, other[0]), f'c = "{c} W/K"')
            net.flow(t, net.between(t, other[1], -c)), net.flow(other[1], net.between(t, other[1], c))
        all_of_them.append((name, t))
        (walls if stores else lumped).append((f"solid.{name}", t))
    if rng.random() < 0.5:
        wall, power = rng.choice(all_of_them), net.around(20)
        net.element("solid", "heat_source", (wall[0],), f'power = "{power} W"')
        net.flow(wall[1], {"one": power})
    return walls, lumped


def fluid(net):
    """A line of nodes with a given flow. -> nodes that store, lumped ones"""
    rng, stores, lumped = net.rng, [], []
    q, cp, t_in = net.around(0.02), 4000.0, 300.0
    inlet, end = net.fresh("in"), net.fresh("out")
    net.element("fluid", "reservoir", (), f'p = "1 bar", t = "{t_in} K"', inlet)
    before, t_before, first = inlet, {"one": t_in}, True
    for _ in range(rng.randint(2, 3)):
        name, full = net.fresh("j"), rng.random() < 0.6
        t = net.node(round(rng.uniform(290, 330), 1) if full else 300.0)
        if full:
            litres = net.around(2)
            net.element("fluid", "volume", (), f'v = "{litres} l", t_fill = "300 K", start = {{ t = "{net.start[t]} K" }}', name)
            net.balance[t][0][t] = litres * cp
            net.compared[f"fluid.{name}.t"] = t
        if first:
            net.element("fluid", "flow_pump", (before, name), f'flow = "{q} kg/s"')
        else:
            net.element("fluid", "resistance", (before, name), 'r = "1e5 Pa*s/kg"')
        net.flow(t, t_before, (q + LEAK) * cp), net.flow(t, {t: 1.0}, -LEAK * cp)
        if not first:
            net.flow(previous, {previous: 1.0}, -(q + LEAK) * cp), net.flow(previous, {t: 1.0}, LEAK * cp)
        (stores if full else lumped).append((f"fluid.{name}", t))
        before, t_before, first, previous = name, {t: 1.0}, False, t
    net.element("fluid", "resistance", (before, end), 'r = "1e5 Pa*s/kg"')
    net.element("fluid", "reservoir", (), f'p = "1 bar", t = "{t_in} K"', end)
    net.flow(previous, {previous: 1.0}, -(q + LEAK) * cp), net.flow(previous, {"one": t_in}, LEAK * cp)
    return stores, lumped


def gas(net):
    """boundary - resistance - plenum - resistance - boundary, of falling pressure. -> the plenum"""
    cp, r, t_in, t_out, p_in, p_out = 1004.5, 287.0, 300.0, 310.0, 1.3e5, 1.0e5
    v, r_in, r_out, p_start, t_start = net.around(0.02), net.around(5e5), net.around(5e5), 1.15e5, 320.0
    inlet, name, end = net.fresh("in"), net.fresh("j"), net.fresh("out")
    net.element("gas", "boundary", (), f'p = "{p_in} Pa", t = "{t_in} K"', inlet)
    net.element("gas", "plenum", (), f'v = "{v} m^3", start = {{ p = "{p_start} Pa", t = "{t_start} K" }}', name)
    net.element("gas", "boundary", (), f'p = "{p_out} Pa", t = "{t_out} K"', end)
    net.element("gas", "resistance", (inlet, name), f'r = "{r_in} Pa*s/kg"')
    net.element("gas", "resistance", (name, end), f'r = "{r_out} Pa*s/kg"')
    mass = p_start * v / (r * t_start)
    t = net.node(t_start)
    m, p, e = net.unknown(mass), net.unknown(p_start), net.unknown(mass * (cp * (t_start - ZERO_C) - r * t_start))
    q_in, q_out = net.unknown((p_in - p_start) / r_in), net.unknown((p_start - p_out) / r_out)
    net.row({}, {q_in: r_in, "one": -p_in, p: 1.0})
    net.row({}, {q_out: r_out, p: -1.0, "one": p_out})
    net.row({m: 1.0}, {q_in: 1.0, q_out: -1.0})
    net.row({}, {p: v, (m, t): -r})
    net.row({}, {e: 1.0, (m, t): -(cp - r), m: cp * ZERO_C})
    net.balance[t][0][e] = 1.0  # e' = enthalpy and heat that flow in
    net.flow(t, {q_in: cp * (t_in - ZERO_C), (q_out, t): -cp, q_out: cp * ZERO_C, "one": LEAK * cp * (t_in + t_out), t: -2 * LEAK * cp})
    net.compared[f"gas.{name}.t"] = t
    return (f"gas.{name}", t)


def machine(net, nodes, shafts, heat_to):
    (a, b), shaft = net.rng.sample(nodes, 2), net.rng.choice(shafts[1:])
    r, l, k, i = net.around(2), net.around(0.3), net.around(0.2), net.unknown()
    text = f'r = "{r} Ohm", l = "{l} H", k = "{k} N*m/A"'
    if heat_to:
        path, t = net.rng.choice(heat_to)
        text += f', heat = "{path}"'
        net.flow(t, {(i, i): r})
    net.element("electric", "dc_machine", (a[0], b[0], "rotational." + shaft[0]), text)
    net.row({i: l}, {**net.between(a[1], b[1]), i: -r, shaft[1]: -k})
    net.flow(a[1], {i: -1.0}), net.flow(b[1], {i: 1.0}), net.flow(shaft[1], {i: k})


def join(net, wall, node, paradigm):
    c = net.around(5)
    text = f'c = "{c} W/K"' + (f", paradigm = {paradigm}" if paradigm else "")
    net.element("solid", "heat_transfer", (wall[0].split(".")[1], node[0]), text)
    net.flow(wall[1], net.between(wall[1], node[1], -c)), net.flow(node[1], net.between(wall[1], node[1], c))


def random_network(rng, name, kind):
    net = Network(rng, name)
    walls, lumped_walls, volumes, junctions = [], [], [], []
    if kind != "electric, mechanical":
        walls, lumped_walls = solid(net)
    if "fluid" in kind or kind == "all":
        volumes, junctions = fluid(net)
    if "gas" in kind or kind == "all":
        volumes = volumes + [gas(net)]
    heat_to = walls + ([v for v in volumes if v[0].startswith("fluid")] if "electric" in kind else [])
    shafts = mechanical(net, walls) if "mechanical" in kind or kind == "all" else []
    nodes = electric(net, heat_to) if "electric" in kind or kind == "all" else []
    if nodes and shafts:
        machine(net, nodes, shafts, walls)
    joined = set()
    for node in volumes + junctions:
        for wall in rng.sample(walls + (lumped_walls if node in volumes else []), 1):
            if (wall, node) not in joined:
                join(net, wall, node, rng.choice([0, 0, 1, 2, 3]) if node in volumes and wall in walls else 0)
                joined.add((wall, node))
    return net


def solve(net, times):
    """Values of all unknowns at the times (equidistant, from 0) by Radau IIA of order 5."""
    rows, n = net.finished(), len(net.start)
    if len(rows) != n:
        raise AssertionError(f"{net.name}: {len(rows)} equations for {n} unknowns")
    e, a, one, products, sines = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n), [], []
    for k, (rates, value) in enumerate(rows):
        for unknown, factor in rates.items():
            e[k, unknown] += factor
        for term, factor in value.items():
            if term == "one":
                one[k] += factor
            elif isinstance(term, tuple) and term[0] == "sin":
                sines.append((k, term[1], factor))
            elif isinstance(term, tuple):
                products.append((k, *term, factor))
            else:
                a[k, term] += factor
    s6 = math.sqrt(6.0)
    nodes = np.array([(4 - s6) / 10, (4 + s6) / 10, 1.0])
    tableau = np.array([[(88 - 7 * s6) / 360, (296 - 169 * s6) / 1800, (-2 + 3 * s6) / 225],
                        [(296 + 169 * s6) / 1800, (88 + 7 * s6) / 360, (-2 - 3 * s6) / 225], [(16 - s6) / 36, (16 + s6) / 36, 1 / 9]])
    inverse = np.linalg.inv(tableau)

    def right(t, x):
        value = a @ x + one
        for k, w, factor in sines:
            value[k] += factor * math.sin(w * t)
        for k, i, j, factor in products:
            value[k] += factor * x[i] * x[j]
        return value

    def jacobian(x):
        value = a.copy()
        for k, i, j, factor in products:
            value[k, i] += factor * x[j]
            value[k, j] += factor * x[i]
        return value

    per_sample = max(1, round(FINE_STEPS / (len(times) - 1)))
    h = (times[1] - times[0]) / per_sample
    x, out = np.array(net.start, dtype=float), [np.array(net.start, dtype=float)]
    scale = np.maximum(np.abs(x), 1.0)
    for step in range((len(times) - 1) * per_sample):
        stages = np.tile(x, (3, 1))
        for iteration in range(30):
            left = np.concatenate([e @ (inverse[s] @ (stages - x)) / h - right((step + nodes[s]) * h, stages[s]) for s in range(3)])
            matrix = np.kron(inverse / h, e)
            for s in range(3):
                matrix[s * n:(s + 1) * n, s * n:(s + 1) * n] -= jacobian(stages[s])
            change = np.linalg.solve(matrix, left).reshape(3, n)
            stages = stages - change
            if (np.abs(change) / np.maximum(scale, np.abs(stages).max(axis=0))).max() < 1e-12:
                break
        else:
            raise AssertionError(f"{net.name}: the reference does not converge")
        x = stages[2]
        if (step + 1) % per_sample == 0:
            out.append(x)
    return np.array(out)
