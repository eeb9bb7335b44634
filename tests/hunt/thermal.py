"""Walls: chains and stars with boundaries, sources, radiation, lumped walls; with the same balance written down as rates."""
import numpy as np

from equations import solve
from plant_text import Oracle, Plant, nice, some, spread
from waves import wave

SIGMA = 5.670374419e-8


def network(rng):
    tau = spread(rng, 1, 1000)
    plant = Plant("solid", tau * spread(rng, 2, 20))
    count = rng.randint(2, 6)
    ambient = rng.choice([283.15, 293.15, 298.15])
    capacity = [some(rng, 10, 1e4) for _ in range(count)]
    start = [ambient + nice(rng.uniform(-10, 60)) if rng.random() < 0.5 else ambient for _ in range(count)]
    for k in range(count):
        plant.add("solid", f"w{k}", "wall", m=f"{capacity[k] / 1000:.12g} kg", cp="1000 J/kg/K", start={"t": f"{start[k]:g} K"})
        plant.record(f"solid.w{k}.t")
    plant.add("solid", "air", "temperature_boundary", t=f"{ambient:g} K")
    ties = []                            # from, to (None: air), conductance(t_a, t_b, time)
    for k in range(count):
        to = rng.choice([None, *range(k)]) if k else None
        conductance = nice(capacity[k] / tau * spread(rng, 0.3, 5))
        ends = [f"w{k}", "air" if to is None else f"w{to}"]
        kind = rng.random()
        if kind < 0.2:
            area = nice(conductance / (4 * SIGMA * ambient**3))
            plant.add("solid", f"c{k}", "heat_transfer", ends, c=f"{SIGMA * area:.9g} W/K^4*(solid.{ends[0]}.t^2 + solid.{ends[1]}.t^2)*(solid.{ends[0]}.t + solid.{ends[1]}.t)")
            ties.append((k, to, lambda a, b, t, s=SIGMA * area: s * (a * a + b * b) * (a + b)))
            plant.traits.add("nonlinear")
        elif kind < 0.35:
            plant.add("solid", f"c{k}", "heat_transfer", ends, c=f"{conductance:g} W/K*(1 + abs(solid.{ends[0]}.t - solid.{ends[1]}.t)/(10 K))^0.25")
            ties.append((k, to, lambda a, b, t, c=conductance: c * (1 + abs(a - b) / 10) ** 0.25))
            plant.traits.add("nonlinear")
        elif kind < 0.5:
            when = nice(plant.duration * rng.uniform(0.2, 0.6), 3)
            low = nice(conductance * rng.choice([0.01, 0.1]))
            plant.add("solid", f"c{k}", "heat_transfer", ends, c=f"if(time > {when:g} s, {conductance:g} W/K, {low:g} W/K)")
            ties.append((k, to, lambda a, b, t, w=when, c=conductance, z=low: c if t > w else z))
        elif kind < 0.65:
            plant.add("solid", f"node{k}", "lumped_wall")
            plant.add("solid", f"c{k}", "heat_transfer", [ends[0], f"node{k}"], c=f"{2 * conductance:g} W/K")
            plant.add("solid", f"e{k}", "thermal_resistance", [f"node{k}", ends[1]], r=f"{1 / (2 * conductance):.12g} K/W")
            plant.record(f"solid.node{k}.t")
            ties.append((k, to, lambda a, b, t, c=conductance: c))
        else:
            plant.add("solid", f"c{k}", "heat_transfer", ends, c=f"{conductance:g} W/K")
            ties.append((k, to, lambda a, b, t, c=conductance: c))
        plant.time_constant("solid", capacity[k] / conductance)
    heats = {}
    for k in rng.sample(range(count), rng.randint(1, min(2, count))):
        form = wave(rng, plant.duration, nice(capacity[k] / tau * rng.uniform(5, 60)), "W")
        plant.add("solid", f"source{k}", "heat_source", [f"w{k}"], power=form.value)
        heats[k] = form
    plant.oracle = Oracle("equations", lambda times: answer(times, capacity, start, ambient, ties, heats, plant))
    return plant


def answer(times, capacity, start, ambient, ties, heats, plant):
    def rates(t, y):
        flow = np.zeros(len(y))
        for k, to, conductance in ties:
            other = ambient if to is None else y[to]
            h = conductance(y[k], other, t) * (y[k] - other)
            flow[k] -= h
            if to is not None:
                flow[to] += h
        for k, form in heats.items():
            flow[k] += float(form.at(t))
        return flow / capacity

    rows = solve(rates, start, times, [1.0] * len(start), tolerance=1e-4, longest=plant.duration / 400)
    return None if rows is None else {f"solid.w{k}.t": rows[:, k] for k in range(len(start))}


def thermostat(rng):
    """A heater switched by a sampled two-point controller: a limit cycle."""
    from plant_text import Cycle
    tau = spread(rng, 20, 500)
    plant = Plant("solid", tau * rng.uniform(15, 40), samples=800)
    capacity, ambient = some(rng, 100, 1e4), 293.15
    conductance = nice(capacity / tau)
    rise = nice(rng.uniform(30, 80))
    middle = ambient + rise * rng.uniform(0.3, 0.7)
    band = nice(rise * rng.uniform(0.03, 0.1))
    plant.add("solid", "room", "wall", m=f"{capacity / 1000:.12g} kg", cp="1000 J/kg/K", start={"t": f"{ambient} K"})
    plant.add("solid", "air", "temperature_boundary", t=f"{ambient} K")
    plant.add("solid", "loss", "heat_transfer", ["room", "air"], c=f"{conductance:g} W/K")
    sensor = nice(capacity * 0.05)
    plant.add("solid", "sensor", "wall", m=f"{sensor / 1000:.12g} kg", cp="1000 J/kg/K", start={"t": f"{ambient} K"})
    plant.add("solid", "contact", "heat_transfer", ["sensor", "room"], c=f"{nice(sensor / tau * 20):g} W/K")
    plant.add("solid", "heater", "heat_source", ["room"], power=f"{nice(conductance * rise):g} W*control.relay")
    plant.add("control", "relay", "hysteresis", of=f"{middle:.6g} K - solid.sensor.t", low=f"-{band:g} K", high=f"{band:g} K", every=plant.every(tau * spread(rng, 0.002, 0.02)))
    plant.record("solid.room.t", "solid.sensor.t")
    plant.cycle = Cycle("solid.room.t", middle)
    plant.bounds["solid.room.t"] = (ambient - 0.01, ambient + rise + 0.01)
    plant.time_constant("solid", tau / 20)
    return plant


GENERATORS = [(network, 4), (thermostat, 1)]
