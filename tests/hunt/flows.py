"""Liquids and gases: tanks that drain and fill, valves that close, pipes, elastic volumes, loops with heat, plena, nozzles and fans."""
import math

import numpy as np

from equations import solve
from plant_text import Oracle, Plant, nice, some, spread
from waves import wave

LIQUID = '[medium.liquid]\ndoc = "constant properties"\nsource = "test"\ncp = "4000 J/kg/K"\nrho = "1000 kg/m^3"\nmu = "0.001 Pa*s"'
G, RHO = 9.80665, 1000.0
P_0 = 101325.0


def fluid(duration, medium="liquid", **more):
    plant = Plant("fluid", duration, **more)
    plant.media["fluid"] = medium
    if medium == "liquid":
        plant.define(LIQUID)
    plant.traits.add("tanks")
    return plant


def opening(rng, plant):
    """A valve's: closes, opens, throttles, now and then all the way."""
    shut = rng.choice([0, 0, 0.1, 0.3])
    first, length = nice(plant.duration * rng.uniform(0.1, 0.5)), nice(plant.duration * rng.uniform(0.01, 0.3))
    return rng.choice([f"if(time < {first:g} s, 1, {shut})", f"if(time < {first:g} s, {shut}, 1)", f"1 - {1 - shut:g}*clamp((time - {first:g} s)/({length:g} s), 0, 1)",
                       f"{shut} + {1 - shut:g}*clamp((time - {first:g} s)/({length:g} s), 0, 1)"])


def orifice_flow(dp, area, cd=0.6, p_linear=100.0, rho=RHO):
    return cd * area * dp * math.sqrt(2 * rho) / (dp * dp + p_linear**2) ** 0.25


def tanks(rng):
    """Open tanks in a row with orifices or valves, the last to a reservoir; filled by a flow. Stays within the tanks."""
    count = rng.randint(1, 3)
    areas = [some(rng, 0.01, 2) for _ in range(count)]
    levels = [nice(rng.uniform(0.5, 3)) for _ in range(count)]
    drain = spread(rng, 20, 500)
    holes = [nice(a * math.sqrt(h) / drain / math.sqrt(2 * G) / 0.6) for a, h in zip(areas, levels)]
    plant = fluid(drain * rng.uniform(0.5, 3))
    kinds = []
    for k in range(count):
        plant.add("fluid", f"tank{k}", "tank", area=f"{areas[k]:g} m^2", start={"p": f"{P_0 + RHO * G * levels[k]:.9g} Pa"})
        plant.record(f"fluid.tank{k}.m")
        plant.bounds[f"fluid.tank{k}.m"] = (-1e-3 * RHO * areas[k], math.inf)
    for k in range(count):
        to = f"tank{k + 1}" if k + 1 < count else "out"
        if rng.random() < 0.5:
            plant.add("fluid", f"hole{k}", "orifice", [f"tank{k}", to], area=f"{holes[k]:g} m^2")
            kinds.append("orifice")
        elif rng.random() < 0.5:
            plant.add("fluid", f"hole{k}", "valve", [f"tank{k}", to], area=f"{holes[k]:g} m^2", opening=opening(rng, plant))
            kinds.append("valve")
        else:
            plant.add("fluid", f"hole{k}", "pipe", [f"tank{k}", to], length=f"{some(rng, 0.5, 20):g} m", diameter=f"{nice(math.sqrt(holes[k] * 4 / math.pi)):g} m")
            kinds.append("pipe")
        plant.time_constant("fluid", drain / 20)
    plant.add("fluid", "out", "reservoir", p=f"{P_0} Pa")
    inflow = None
    if rng.random() < 0.5:
        inflow = wave(rng, plant.duration, nice(RHO * areas[0] * levels[0] / drain * rng.uniform(0.2, 1)), "kg/s", positive=True)
        plant.add("fluid", "fill", "demand", ["tank0"], flow=f"-1*({inflow.value})")
    if all(kind == "orifice" for kind in kinds):
        plant.oracle = Oracle("equations", lambda times: tanks_answer(times, areas, levels, holes, inflow, plant))
    return plant


def tanks_answer(times, areas, levels, holes, inflow, plant):
    def rates(t, m):
        p = [RHO * 0 + G * m[k] / areas[k] for k in range(len(m))] + [0.0]
        change = np.zeros(len(m))
        if inflow:
            change[0] += float(inflow.at(t))
        for k in range(len(m)):
            q = orifice_flow(p[k] - p[k + 1], holes[k])
            change[k] -= q
            if k + 1 < len(m):
                change[k + 1] += q
        return change

    start = [RHO * a * h for a, h in zip(areas, levels)]
    rows = solve(rates, start, times, [0.01 * s for s in start], tolerance=1e-5, longest=plant.duration / 200)
    return None if rows is None else {f"fluid.tank{k}.m": rows[:, k] for k in range(len(start))}


def emptied(rng):
    """A tank or an expansion tank from which more is taken than it holds, or into which more is pumped."""
    plant = fluid(some(rng, 5, 100))
    if rng.random() < 0.6:
        area, level = some(rng, 0.02, 1), nice(rng.uniform(0.05, 1))
        rate = nice(RHO * area * level / plant.duration * rng.uniform(0.5, 3))
        form = wave(rng, plant.duration, rate, "kg/s", positive=True)
        plant.add("fluid", "tank", "tank", area=f"{area:g} m^2", start={"p": f"{P_0 + RHO * G * level:.9g} Pa"})
        plant.add("fluid", "take", "demand", ["tank"], flow=form.value)
        plant.record("fluid.tank.m")
        plant.bounds["fluid.tank.m"] = (-1e-3 * RHO * area * level, math.inf)
    else:
        volume, gas = 2e-3, nice(rng.uniform(0.5, 1.5)) * 1e-3
        rate = nice(rng.choice([-1, 1]) * rng.uniform(0.2, 1.5) * 1.0 / plant.duration)
        form = wave(rng, plant.duration, rate, "kg/s", positive=True)
        plant.add("fluid", "tank", "expansion_tank", v="2 l", v_gas=f"{gas * 1000:g} l")
        plant.add("fluid", "take", "demand", ["tank"], flow=form.value)
        plant.record("fluid.tank.m", "fluid.tank.p")
        plant.bounds["fluid.tank.m"] = (-1e-3, 2.0 + 1e-3)
        plant.bounds["fluid.tank.p"] = (0.0, 1e9)
    plant.time_constant("fluid", plant.duration / 20)
    return plant


def level_control(rng):
    """A tank that runs out through a hole, refilled by a pump under a two-point or PI controller."""
    area, level = some(rng, 0.05, 2), nice(rng.uniform(0.5, 2))
    drain = spread(rng, 30, 300)
    hole = nice(area * math.sqrt(level) / drain / math.sqrt(2 * G) / 0.6)
    plant = fluid(drain * rng.uniform(2, 6), samples=400)
    flow = nice(0.6 * hole * RHO * math.sqrt(2 * G * level) * rng.uniform(1.2, 3))
    plant.add("fluid", "tank", "tank", area=f"{area:g} m^2", start={"p": f"{P_0 + RHO * G * level * 0.7:.9g} Pa"})
    plant.add("fluid", "hole", "valve", ["tank", "out"], area=f"{hole:g} m^2", opening=opening(rng, plant) if rng.random() < 0.3 else 1)
    plant.add("fluid", "out", "reservoir", p=f"{P_0} Pa")
    plant.add("fluid", "fill", "demand", ["tank"], flow=f"-{flow:g} kg/s*control.level")
    wanted = RHO * area * level
    every = plant.every(drain * spread(rng, 0.001, 0.02))
    if rng.random() < 0.5:
        from plant_text import Cycle
        plant.add("control", "level", "hysteresis", of=f"{wanted:.6g} kg - fluid.tank.m", low=f"-{wanted * 0.05:.4g} kg", high=f"{wanted * 0.05:.4g} kg", every=every)
        plant.cycle = Cycle("fluid.tank.m", wanted)
    else:
        plant.add("control", "level", "pi", of=f"{wanted:.6g} kg - fluid.tank.m", kp=f"{nice(5 / wanted):g} 1/kg", ki=f"{nice(1 / wanted / drain):g} 1/kg/s", min=0, max=1, every=every)
        plant.record("control.level", jumping=True)
    plant.record("fluid.tank.m")
    plant.bounds["fluid.tank.m"] = (0.0, 3 * wanted)
    plant.time_constant("fluid", drain / 10)
    return plant


def line(rng):
    """Reservoirs joined by pipes, a valve that closes, a pump, at rest or flowing; water, oil or glycol."""
    medium = rng.choice(["liquid", "liquid", "water", "gear_oil", "water_glycol_50"])
    diameter, length = some(rng, 4e-3, 0.1), some(rng, 0.5, 100)
    dp = some(rng, 2e3, 3e5)
    plant = fluid(length / math.sqrt(dp / 1000) * rng.uniform(3, 20), medium)
    plant.add("fluid", "a", "reservoir", p=f"{P_0 + dp:.9g} Pa", t=f"{nice(rng.uniform(265 if medium == 'gear_oil' else 280, 350), 3):g} K")
    plant.add("fluid", "b", "reservoir", p=f"{P_0:.9g} Pa", t="300 K")
    area = math.pi / 4 * diameter**2
    kind = rng.choice(["one", "valve", "valve_volume", "pump", "two"])
    if kind == "one":
        plant.add("fluid", "p1", "pipe", ["a", "b"], length=f"{length:g} m", diameter=f"{diameter:g} m", k=nice(rng.uniform(0, 3)))
        plant.record("fluid.p1.inertia.q")
    elif kind == "two":
        plant.add("fluid", "p1", "pipe", ["a", "j"], length=f"{length:g} m", diameter=f"{diameter:g} m")
        plant.add("fluid", "p2", "pipe", ["j", "b"], length=f"{nice(length * spread(rng, 0.1, 3)):g} m", diameter=f"{nice(diameter * spread(rng, 0.5, 2)):g} m")
        plant.add("fluid", "p3", "pipe", ["j", "b"], length=f"{nice(length * spread(rng, 0.1, 3)):g} m", diameter=f"{nice(diameter * spread(rng, 0.3, 1)):g} m")
        plant.record("fluid.p1.inertia.q", "fluid.p2.inertia.q", "fluid.p3.inertia.q")
    elif kind == "pump":
        plant.add("fluid", "pump", "pump", ["b", "x"], dp_0=f"{nice(dp * 1.5):g} Pa", q_0=f"{nice(area * 1000 * math.sqrt(2 * dp / 1000)):g} kg/s", speed=opening(rng, plant))
        plant.add("fluid", "p1", "pipe", ["x", "a"], length=f"{length:g} m", diameter=f"{diameter:g} m")
        plant.record("fluid.p1.inertia.q")
    else:
        plant.add("fluid", "v", "valve", ["a", "j"], area=f"{nice(area * spread(rng, 0.2, 2)):g} m^2", opening=opening(rng, plant))
        plant.add("fluid", "p1", "pipe", ["j", "b"], length=f"{length:g} m", diameter=f"{diameter:g} m")
        plant.record("fluid.p1.inertia.q")
        if kind == "valve_volume":
            plant.add("fluid", "j", "elastic_volume", v=f"{some(rng, 0.1, 10):g} l", bulk=f"{some(rng, 0.01, 2):g} GPa", start={"p": f"{P_0 + dp / 2:.9g} Pa"})
            plant.record("fluid.j.p")
    if kind == "valve":
        plant.record("fluid.j.p", jumping=True)
    plant.time_constant("fluid", plant.duration / 100)
    plant.traits.add("nonlinear")
    return plant


def volumes(rng):
    """Elastic volumes joined by orifices between reservoirs, valves that open and close: they settle, and must stand still."""
    count = rng.randint(1, 3)
    plant = fluid(some(rng, 0.5, 5), rng.choice(["liquid", "water"]))
    high = nice(rng.uniform(2, 10))
    plant.add("fluid", "src", "reservoir", p=f"{high:g} bar")
    plant.add("fluid", "end", "reservoir", p="1 bar")
    bulk = some(rng, 0.005, 2)
    for k in range(count):
        plant.add("fluid", f"v{k}", "elastic_volume", v=f"{some(rng, 0.5, 20):g} l", bulk=f"{bulk:g} GPa", start={"p": f"{nice(rng.uniform(1, high)):g} bar"})
        plant.add("fluid", f"f{k}", "orifice", ["src" if k == 0 else rng.choice([f"v{j}" for j in range(k)]), f"v{k}"], area=f"{some(rng, 5, 300):g} mm^2")
        plant.record(f"fluid.v{k}.p")
        plant.bounds[f"fluid.v{k}.p"] = (0.9e5, high * 1.02e5)
        if rng.random() < 0.7 or k == count - 1:
            plant.add("fluid", f"o{k}", "valve", [f"v{k}", "end"], area=f"{some(rng, 5, 200):g} mm^2", opening=opening(rng, plant))
    plant.time_constant("fluid", plant.duration / 1000)
    plant.traits.add("nonlinear")
    return plant


def heated_loop(rng):
    """A pump drives a medium through a heated volume and back through a cooled one; walls, a heater that steps."""
    q = some(rng, 0.02, 1)
    plant = fluid(some(rng, 20, 300), rng.choice(["liquid", "water", "water_glycol_50"]))
    volume = nice(q * plant.duration / 1000 * spread(rng, 0.05, 0.5))
    plant.add("fluid", "tank", "expansion_tank", v="2 l", v_gas="1 l", p_fill="1.5 bar")
    plant.add("fluid", "pump", "pump", ["tank", "x"], dp_0="0.5 bar", q_0=f"{q:g} kg/s", speed=rng.choice(["1", opening(rng, plant)]))
    plant.add("fluid", "hose", "pipe", ["x", "hot"], length="2 m", diameter=f"{nice(math.sqrt(q) * 0.025):g} m")
    plant.add("fluid", "hot", "volume", v=f"{volume:g} m^3")
    plant.add("fluid", "back", "pipe", ["hot", "cold"], length="2 m", diameter=f"{nice(math.sqrt(q) * 0.025):g} m")
    plant.add("fluid", "cold", "volume", v=f"{nice(volume * spread(rng, 0.3, 3)):g} m^3")
    plant.add("fluid", "home", "pipe", ["cold", "tank"], length="1 m", diameter=f"{nice(math.sqrt(q) * 0.025):g} m")
    power = nice(4000 * q * rng.uniform(0.5, 10))
    form = wave(rng, plant.duration, power, "W", positive=True)
    plant.add("solid", "plate", "wall", m=f"{nice(volume * 1000 * rng.uniform(0.2, 3)):g} kg", cp="900 J/kg/K", start={"t": "293.15 K"})
    plant.add("solid", "heater", "heat_source", ["plate"], power=form.value)
    plant.add("solid", "in", "heat_transfer", ["plate", "fluid.hot"], c=f"{nice(power / 15):g} W/K")
    plant.add("solid", "air", "temperature_boundary", t="293.15 K")
    plant.add("solid", "out", "heat_transfer", ["fluid.cold", "air"], c=f"{nice(power / 20):g} W/K")
    plant.record("solid.plate.t", "fluid.hot.t", "fluid.cold.t", "fluid.hose.inertia.q")
    plant.bounds["solid.plate.t"] = (293.0, 1000.0)
    plant.time_constant("fluid", volume * 1000 / q / 5)
    plant.time_constant("solid", plant.duration / 50)
    return plant


GENERATORS = [(tanks, 4), (emptied, 2), (level_control, 2), (line, 3), (volumes, 2), (heated_loop, 2)]
