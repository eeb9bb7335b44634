"""Plena joined by nozzles and resistances, fans into closed and open boxes, cylinders that fill and drain, heat to walls."""
import math

import numpy as np

from equations import solve
from flows import opening
from plant_text import Oracle, Plant, nice, some, spread
from waves import wave

R_GAS, CP = 287.0, 1004.5
CV, KAPPA = CP - R_GAS, CP / (CP - R_GAS)


def gas(duration, **more):
    plant = Plant("gas", duration, **more)
    plant.media["gas"] = "ideal_air"
    plant.traits.add("tanks")
    return plant


def nozzle_flow(p_a, t_a, p_b, t_b, area, linear=0.001):
    high, temperature, sign = (p_a, t_a, 1.0) if p_a >= p_b else (p_b, t_b, -1.0)
    ratio = min(p_a, p_b) / high
    x = max(min(ratio, 1 - linear), (2 / (KAPPA + 1)) ** (KAPPA / (KAPPA - 1)))
    psi = math.sqrt(2 * KAPPA / ((KAPPA - 1) * R_GAS * temperature) * (x ** (2 / KAPPA) - x ** ((KAPPA + 1) / KAPPA)))
    return sign * area * high * min(1.0, (1 - ratio) / linear) * psi


def vessels(rng):
    """Plena of different pressures joined in a row by nozzles; they equalise and must then stand still."""
    count = rng.randint(2, 4)
    volumes = [some(rng, 1e-4, 0.05) for _ in range(count)]
    pressures = [nice(rng.uniform(0.8, 8)) * 1e5 for _ in range(count)]
    temperatures = [nice(rng.uniform(270, 350), 3) for _ in range(count)]
    areas = [some(rng, 1e-6, 3e-4) for _ in range(count - 1)]
    slowest = max(v / (a * 200) for v, a in zip(volumes, areas))
    plant = gas(slowest * rng.uniform(2, 12))
    ambient = rng.random() < 0.4
    for k in range(count):
        if ambient and k == count - 1:
            plant.add("gas", f"b{k}", "boundary", p=f"{pressures[k]:g} Pa", t=f"{temperatures[k]:g} K")
            continue
        plant.add("gas", f"b{k}", "plenum", v=f"{volumes[k]:g} m^3", start={"p": f"{pressures[k]:g} Pa", "t": f"{temperatures[k]:g} K"})
        plant.record(f"gas.b{k}.p", f"gas.b{k}.t")
        plant.bounds[f"gas.b{k}.p"] = (0.95 * min(pressures), 1.05 * max(pressures))
    for k in range(count - 1):
        plant.add("gas", f"o{k}", "orifice", [f"b{k}", f"b{k + 1}"], area=f"{areas[k]:g} m^2")
        plant.record(f"gas.o{k}.q")
        plant.time_constant("gas", min(volumes[k], volumes[k + 1]) / (areas[k] * 200) / 5)
    plant.traits.add("nonlinear")
    plant.oracle = Oracle("equations", lambda times: vessels_answer(times, volumes, pressures, temperatures, areas, ambient, plant))
    return plant


def vessels_answer(times, volumes, pressures, temperatures, areas, ambient, plant):
    count = len(volumes)
    live = count - 1 if ambient else count

    def state(y):
        p, t = list(pressures), list(temperatures)
        for k in range(live):
            m, u = y[2 * k], y[2 * k + 1]
            t[k] = u / (m * CV)
            p[k] = m * R_GAS * t[k] / volumes[k]
        return p, t

    def rates(_, y):
        p, t = state(y)
        change = np.zeros(len(y))
        for k, area in enumerate(areas):
            q = nozzle_flow(p[k], t[k], p[k + 1], t[k + 1], area)
            h = q * CP * (t[k] if q > 0 else t[k + 1])
            for node, sign in ((k, -1), (k + 1, 1)):
                if node < live:
                    change[2 * node] += sign * q
                    change[2 * node + 1] += sign * h
        return change

    start = []
    for k in range(live):
        m = pressures[k] * volumes[k] / (R_GAS * temperatures[k])
        start += [m, m * CV * temperatures[k]]
    rows = solve(rates, start, times, [0.1 * s for s in start], tolerance=1e-5, longest=plant.duration / 200)
    if rows is None:
        return None
    answers = {}
    for k in range(live):
        t = rows[:, 2 * k + 1] / (rows[:, 2 * k] * CV)
        answers[f"gas.b{k}.t"] = t
        answers[f"gas.b{k}.p"] = rows[:, 2 * k] * R_GAS * t / volumes[k]
    return answers


def fan_box(rng):
    """A fan into a box that is closed, leaks or has a valve."""
    dp, q0 = some(rng, 100, 8000), some(rng, 1e-3, 0.2)
    volume = some(rng, 3e-4, 0.5)
    fill = volume * dp / (R_GAS * 293 * q0)
    plant = gas(max(fill * rng.uniform(5, 30), 0.02))
    plant.add("gas", "amb", "boundary")
    form = rng.choice(["1", opening(rng, plant)])
    plant.add("gas", "fan", "fan", ["amb", "box"], dp_0=f"{dp:g} Pa", q_0=f"{q0:g} kg/s", speed=form)
    plant.add("gas", "box", "plenum", v=f"{volume:g} m^3", start={"t": "293.15 K"})
    kind = rng.random()
    if kind < 0.4:
        plant.add("gas", "leak", "resistance", ["box", "amb"], r=f"{nice(dp / q0 * spread(rng, 0.5, 50)):g} Pa*s/kg")
    elif kind < 0.7:
        plant.add("gas", "leak", "orifice", ["box", "amb"], area=f"{nice(q0 / math.sqrt(2 * 1.2 * dp) * spread(rng, 0.01, 2)):g} m^2")
    plant.record("gas.box.p", "gas.box.t")
    plant.record("gas.fan.q", jumping="if" in form)
    plant.bounds["gas.box.p"] = (101325 - 0.1 * dp, 101325 + 1.02 * dp + 10)
    if form == "1" and kind >= 0.7:
        plant.oracle = Oracle("equations", lambda times: fan_answer(times, dp, q0, volume))
    plant.time_constant("gas", fill)
    plant.traits.add("nonlinear")
    return plant


def fan_answer(times, dp, q0, volume):
    ambient = 293.15

    def rates(_, y):
        pressure = (KAPPA - 1) * y[1] / volume
        drive = 1.0 + (101325 - pressure) / dp
        q = q0 * drive / (drive * drive + 1e-6) ** 0.25
        return np.array([q, q * CP * (ambient if q > 0 else y[1] / (y[0] * CV))])

    mass = 101325 * volume / (R_GAS * 293.15)
    rows = solve(rates, [mass, mass * CV * 293.15], times, [1e-3 * mass, 1e-3 * mass * CV * 293], tolerance=1e-5)
    return None if rows is None else {"gas.box.p": (KAPPA - 1) * rows[:, 1] / volume, "gas.box.t": rows[:, 1] / (rows[:, 0] * CV)}


def cylinder(rng):
    """A vessel that is filled and drained by given flows, with a wall around it."""
    plant = gas(some(rng, 1, 50))
    volume = some(rng, 1e-3, 0.1)
    start = nice(rng.uniform(1, 5))
    mass = start * 1e5 * volume / (R_GAS * 300)
    plant.add("gas", "b", "plenum", v=f"{volume:g} m^3", start={"p": f"{start:g} bar", "t": "300 K"})
    form = wave(rng, plant.duration, nice(mass / plant.duration * rng.choice([-0.5, -1.5, 0.5, 2])), "kg/s", positive=True)
    plant.add("gas", "s", "mass_flow_source", ["b"], flow=form.value, t="300 K")
    if rng.random() < 0.6:
        plant.add("solid", "shell", "wall", m=f"{nice(mass * spread(rng, 2, 50)):g} kg", cp="500 J/kg/K", start={"t": "300 K"})
        plant.add("solid", "film", "heat_transfer", ["shell", "gas.b"], c=f"{nice(mass * CV / plant.duration * spread(rng, 0.3, 20)):g} W/K")
        plant.record("solid.shell.t")
        plant.time_constant("solid", plant.duration / 10)
    else:
        plant.oracle = Oracle("equations", lambda times: cylinder_answer(times, volume, start * 1e5, form))
    plant.record("gas.b.m", "gas.b.p", "gas.b.t")
    plant.bounds["gas.b.m"] = (0.0, 10 * mass)
    plant.bounds["gas.b.t"] = (1.0, 3000.0)
    plant.time_constant("gas", plant.duration / 20)
    return plant


def cylinder_answer(times, volume, pressure, form):
    def rates(t, y):
        q = float(form.at(t))
        return np.array([q, q * CP * (300.0 if q > 0 else y[1] / (y[0] * CV))])

    mass = pressure * volume / (R_GAS * 300)
    if mass + min(0.0, float(form.at(times[-1] * 0.999)) * times[-1]) < 0.05 * mass:
        return None                      # emptied: what then is right is another matter
    rows = solve(rates, [mass, mass * CV * 300], times, [1e-3 * mass, mass * CV], tolerance=1e-5, longest=times[-1] / 400)
    return None if rows is None else {"gas.b.m": rows[:, 0], "gas.b.p": (KAPPA - 1) * rows[:, 1] / volume, "gas.b.t": rows[:, 1] / (rows[:, 0] * CV)}


GENERATORS = [(vessels, 3), (fan_box, 2), (cylinder, 1.5)]
