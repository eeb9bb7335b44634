"""Networks without storages as plants, for tools/bench/scale.py: resistors in several shapes, and looped pipes without inertia."""
import math
import random


def pairs(shape, elements):
    """Ends of each element; node 0 is fed, -1 is ground."""
    if shape == "series":
        return [(k, k + 1) for k in range(elements - 1)] + [(elements - 1, -1)]
    if shape == "rungs":
        return [pair for k in range(elements // 2) for pair in ((k, k + 1), (k + 1, -1))]
    if shape == "tree":
        return [((k - 1) // 2, k) for k in range(1, elements * 2 // 3)] + [(k, -1) for k in range(elements // 3, elements * 2 // 3)]
    side = max(2, round(math.sqrt(elements / 2)))
    grid = [(y * side + x, y * side + x + 1) for y in range(side) for x in range(side - 1)]
    grid += [(y * side + x, y * side + side + x) for y in range(side - 1) for x in range(side)]
    chance, last = random.Random(1), side * side - 1
    if shape == "chords":  # one more element for every twentieth node
        grid += [(a, min(last, a + chance.randrange(2, 2 * side))) for a in chance.sample(range(max(1, last - 2)), side * side // 20)]
    return grid + [(last, -1)]


SHAPES = ("series", "rungs", "tree", "grid", "chords", "pipes")


def reduced(shape, elements):
    """(node, node, conductance) of the network without its fed node, which is a ground to the others; -1 is ground. Of pipes, whose
    conductances follow their flows, of the same pattern."""
    chance = random.Random(2)
    links = pairs("grid", elements)[:-1] if shape == "pipes" else pairs(shape, elements)
    for a, b in links:
        conductance = 1 / chance.uniform(1, 10)
        a, b = sorted((-1 if node <= 0 else node - 1) for node in (a, b))
        if b >= 0:
            yield a, b, conductance


TAIL = ['[solve]', '"*" = { method = "euler", step = "1 ms" }', '[sync]', 'plant = { members = ["*"], every = "1 ms" }', '[record]']


def resistors(shape, elements):
    chance = random.Random(2)
    lines = ["[plant]", f'title = "{shape}"', "[electric]", 'source = { is = "voltage_source", at = ["n0", "gnd"], v = "10 V*sin(2*pi*50 Hz*time)" }']
    for k, (a, b) in enumerate(pairs(shape, elements)):
        end = "gnd" if b < 0 else f"n{b}"
        lines.append(f'r{k} = {{ is = "resistor", at = ["n{a}", "{end}"], r = "{chance.uniform(1, 10):.6g} Ohm" }}')
    return "\n".join(lines + TAIL + ['"1 ms" = ["electric.r0.i"]']) + "\n"


def pipes(elements):
    """A grid of pipes from a reservoir; water is drawn at half of its nodes."""
    chance = random.Random(2)
    lines = ["[plant]", 'title = "looped pipes"', "[medium.m]", 'doc = "constant"', 'cp = "4000 J/kg/K"', 'rho = "1000 kg/m^3"', "[element.fluid.friction]",
             'doc = "r*|q|*q"', 'source = "tools/bench"', 'terminals = ["a", "b"]', 'param = { r = "1/kg/m > 0" }',
             'branch = { kind = "R", law = "p = r*abs(q)*q" }', 'stream = { q = "q" }', "[fluid]", 'medium = "m"', 'n0 = { is = "reservoir", p = "5 bar" }']
    links = pairs("grid", elements)[:-1]
    lines += [f'r{k} = {{ is = "friction", at = ["n{a}", "n{b}"], r = "{chance.uniform(1e3, 1e5):.6g} 1/kg/m" }}' for k, (a, b) in enumerate(links)]
    lines += [f'd{k} = {{ is = "demand", at = ["n{k}"], flow = "{chance.uniform(0.01, 0.1):.4g} kg/s" }}'
              for k in range(1, 1 + max(b for _, b in links)) if chance.random() < 0.5]
    return "\n".join(lines + TAIL + ['"1 ms" = ["fluid.r0.q"]']) + "\n"
