"""Shafts and masses: chains of inertias with springs, gears, friction, brakes, clutches, stops and play."""
import math

import numpy as np

from equations import solve
from plant_text import Oracle, Plant, nice, some, spread
from waves import wave

WORDS = {
    "rotational": dict(mass="inertia", m="j", m_unit="kg*m^2", c_unit="N*m/rad", d_unit="N*m*s/rad", force="N*m", source="torque_source", given="torque", speed="w", through="tau", v_unit="rad/s",
                       friction="tau_c", reg="w_reg", brake="torque"),
    "translational": dict(mass="mass", m="m", m_unit="kg", c_unit="N/m", d_unit="N*s/m", force="N", source="force_source", given="force", speed="v", through="f", v_unit="m/s",
                          friction="f_c", reg="v_reg", brake="force"),
}


def chain(rng, section=None):
    """Masses in a row, each tied to the one before by a spring and damper; friction or a drag here and there; a force that varies."""
    section = section or rng.choice(list(WORDS))
    words = WORDS[section]
    count = rng.randint(1, 4)
    omega = spread(rng, 5, 500)
    plant = Plant(section, rng.uniform(4, 25) * 2 * math.pi / omega)
    m0 = some(rng, 1e-3, 10)
    masses, ties, rubs = [], [], []
    for k in range(count):
        masses.append(nice(m0 * spread(rng, 0.3, 3)))
        plant.add(section, f"m{k}", words["mass"], [f"n{k}"], **{words["m"]: f"{masses[k]:g} {words['m_unit']}"})
        before = f"n{k - 1}" if k else "frame"
        c = nice(masses[k] * omega**2 * spread(rng, 0.3, 3))
        d = nice(2 * rng.uniform(0.01, 0.4) * math.sqrt(c * masses[k]))
        plant.add(section, f"s{k}", "spring_damper", [f"n{k}", before], c=f"{c:g} {words['c_unit']}", d=f"{d:g} {words['d_unit']}")
        ties.append((c, d))
        plant.record(f"{section}.m{k}.{words['speed']}", f"{section}.s{k}.spring.{words['through']}")
        plant.time_constant("mechanical", math.sqrt(masses[k] / c))
    force = nice(masses[-1] * omega * rng.uniform(0.5, 5))
    form = wave(rng, plant.duration, force, words["force"])
    plant.add(section, "drive", words["source"], [f"n{count - 1}"], **{words["given"]: form.value})
    v_scale = force / (masses[-1] * omega)
    for k in range(count):
        if rng.random() < 0.45:
            coulomb, reg = nice(force * rng.uniform(0.05, 0.5)), nice(v_scale * spread(rng, 1e-3, 0.05))
            plant.add(section, f"f{k}", "friction", [f"n{k}", "frame"], **{words["friction"]: f"{coulomb:g} {words['force']}", words["reg"]: f"{reg:g} {words['v_unit']}"})
            rubs.append((k, coulomb, reg))
            plant.traits.add("nonlinear")
    plant.oracle = Oracle("equations", lambda times: chain_answer(times, section, words, masses, ties, rubs, form, force, omega))
    return plant


def chain_answer(times, section, words, masses, ties, rubs, form, force, omega):
    count = len(masses)

    def rates(t, y):
        speed, spring = y[:count], y[count:]
        push = np.zeros(count)
        push[-1] += float(form.at(t))
        slip = np.zeros(count)
        for k, (c, d) in enumerate(ties):
            slip[k] = speed[k] - (speed[k - 1] if k else 0.0)
            f = spring[k] + d * slip[k]
            push[k] -= f
            if k:
                push[k - 1] += f
        for k, coulomb, reg in rubs:
            push[k] -= coulomb * math.tanh(speed[k] / reg)
        return np.concatenate([push / masses, [c * s for (c, _), s in zip(ties, slip)]])

    scale = [0.1 * force / (masses[-1] * omega)] * count + [0.1 * force] * count
    rows = solve(rates, [0.0] * (2 * count), times, scale, tolerance=1e-4, longest=times[-1] / 400)
    if rows is None:
        return None
    return {**{f"{section}.m{k}.{words['speed']}": rows[:, k] for k in range(count)}, **{f"{section}.s{k}.spring.{words['through']}": rows[:, count + k] for k in range(count)}}


def braked(rng):
    """A spinning disk or a sliding mass that a brake or dry friction stops; its energy in a pad."""
    section = rng.choice(list(WORDS))
    words = WORDS[section]
    m, v = some(rng, 1e-3, 10), some(rng, 1, 100)
    stop = spread(rng, 0.05, 5)
    force = nice(m * v / stop)
    plant = Plant(section, stop * rng.uniform(2, 6))
    begin = nice(plant.duration * rng.uniform(0.02, 0.3))
    plant.add(section, "body", words["mass"], ["s"], **{words["m"]: f"{m:g} {words['m_unit']}", "start": {words["speed"]: f"{v:g} {words['v_unit']}"}})
    if rng.random() < 0.6:
        plant.add(section, "brake", "brake", ["s", "frame"], **{words["brake"]: f"if(time > {begin:g} s, {force:g} {words['force']}, 0)", "heat": "solid.pad"})
    else:
        plant.add(section, "brake", "friction", ["s", "frame"], **{words["friction"]: f"{force:g} {words['force']}", "heat": "solid.pad"})
    capacity = nice(0.5 * m * v * v / rng.uniform(2, 40))
    plant.add("solid", "pad", "wall", m=f"{capacity / 500:g} kg", cp="500 J/kg/K")
    plant.record(f"{section}.body.{words['speed']}", "solid.pad.t")
    plant.record(f"{section}.brake.{words['through']}", jumping=True)
    heat = 0.5 * m * v * v / (float(f"{capacity / 500:g}") * 500)
    plant.bounds["solid.pad.t"] = (298.15 - 1e-3 * heat, 298.15 + 1.005 * heat)
    plant.bounds[f"{section}.body.{words['speed']}"] = (-0.05 * v, 1.001 * v)
    plant.time_constant("mechanical", stop / 20)
    plant.time_constant("solid", stop)
    plant.traits.add("nonlinear")
    by_time = "brake = { is = \"brake\"" in plant.lines[section][-1]
    reg = 0.01 if section == "translational" and not by_time else 0.1
    pad = float(f"{capacity / 500:g}") * 500
    plant.oracle = Oracle("equations", lambda times: braked_answer(times, section, words, (m, v, force, begin if by_time else 0.0, reg, pad)))
    return plant


def braked_answer(times, section, words, numbers):
    m, v, force, begin, reg, pad = numbers

    def rates(t, y):
        friction = force * math.tanh(y[0] / reg) if t >= begin else 0.0
        return np.array([-friction / m, friction * y[0] / pad])

    rows = solve(rates, [v, 298.15], times, [1e-3 * v, 0.1], tolerance=1e-4, breaks=[begin])
    return None if rows is None else {f"{section}.body.{words['speed']}": rows[:, 0], "solid.pad.t": rows[:, 1]}


def clutched(rng):
    """An engine and a load joined by a clutch that closes and opens, through a gear."""
    j = some(rng, 1e-3, 1)
    w = some(rng, 20, 300)
    sync = spread(rng, 0.05, 2)
    plant = Plant("rotational", sync * rng.uniform(4, 10))
    capacity = nice(j * w / sync)
    plant.add("rotational", "engine", "inertia", ["a"], j=f"{j:g} kg*m^2", start={"w": f"{w:g} rad/s"})
    form = wave(rng, plant.duration, nice(capacity * rng.uniform(0.05, 0.4)), "N*m", positive=True)
    plant.add("rotational", "drive", "torque_source", ["a"], torque=form.value)
    begin, length = nice(plant.duration * 0.1), nice(plant.duration * rng.uniform(0.02, 0.2))
    close = f"{capacity:g} N*m*clamp((time - {begin:g} s)/({length:g} s), 0, 1)"
    if rng.random() < 0.4:
        close = f"if(time < {nice(plant.duration * 0.7):g} s, {close}, 0 N*m)"
    plant.add("rotational", "clutch", "clutch", ["a", "b"], capacity=close)
    out = "b"
    plant.add("rotational", "hub", "inertia", ["b"], j=f"{nice(j * 0.1):g} kg*m^2")
    if rng.random() < 0.5:
        plant.add("rotational", "gear", "gear", ["b", "c"], ratio=nice(rng.uniform(0.5, 5)))
        out = "c"
    plant.add("rotational", "load", "inertia", [out], j=f"{nice(j * spread(rng, 0.3, 5)):g} kg*m^2")
    kind = rng.choice(["damper", "drag", "friction"])
    if kind == "damper":
        plant.add("rotational", "d", "damper", [out, "frame"], d=f"{nice(capacity / w * 0.2):g} N*m*s/rad")
    elif kind == "drag":
        plant.add("rotational", "d", "drag", [out, "frame"], tau_n=f"{nice(capacity * 0.3):g} N*m", w_n=f"{w:g} rad/s")
    else:
        plant.add("rotational", "d", "friction", [out, "frame"], tau_c=f"{nice(capacity * 0.1):g} N*m")
    plant.record("rotational.engine.w", "rotational.load.w")
    plant.record("rotational.clutch.tau", jumping=True)
    plant.time_constant("mechanical", sync / 20)
    plant.traits.add("nonlinear")
    return plant


def bouncing(rng):
    """A mass against an end stop, or two shafts with play, driven back and forth."""
    if rng.random() < 0.5:
        m, c = some(rng, 0.1, 10), some(rng, 1e3, 1e6)
        d = nice(2 * rng.uniform(0.02, 0.3) * math.sqrt(m * c))
        period = 2 * math.pi * math.sqrt(m / c)
        plant = Plant("translational", period * rng.uniform(40, 100))
        force = nice(some(rng, 1, 100))
        form = wave(rng, plant.duration, force, "N")
        plant.add("translational", "body", "mass", ["x"], m=f"{m:g} kg")
        reach = force / m * (plant.duration / 6) ** 2 / 2
        plant.add("translational", "right", "end_stop", ["x", "frame"], s_stop=f"{nice(reach * 0.5):g} m", c=f"{c:g} N/m", d=f"{d:g} N*s/m", soft=f"{nice(reach * 0.01):g} m")
        plant.add("translational", "left", "end_stop", ["frame", "x"], s_stop=f"{nice(reach * 0.5):g} m", c=f"{c:g} N/m", d=f"{d:g} N*s/m", soft=f"{nice(reach * 0.01):g} m")
        plant.add("translational", "push", "force_source", ["x"], force=form.value)
        plant.add("translational", "slow", "damper", ["x", "frame"], d=f"{nice(m / plant.duration * rng.uniform(2, 20)):g} N*s/m")
        plant.record("translational.body.v", "translational.body.s")
    else:
        j = some(rng, 1e-3, 1)
        play = nice(rng.uniform(0.005, 0.1))
        torque = nice(j * some(rng, 50, 2000))
        c = nice(torque / play * spread(rng, 3, 100))
        period = 2 * math.pi * math.sqrt(j / c)
        plant = Plant("rotational", period * rng.uniform(30, 100))
        form = wave(rng, plant.duration, torque, "N*m")
        plant.add("rotational", "motor", "inertia", ["a"], j=f"{j:g} kg*m^2")
        plant.add("rotational", "drive", "torque_source", ["a"], torque=form.value)
        plant.add("rotational", "play", "backlash", ["a", "b"], play=f"{play:g} rad", c=f"{c:g} N*m/rad", d=f"{nice(0.1 * math.sqrt(j * c)):g} N*m*s/rad")
        plant.add("rotational", "load", "inertia", ["b"], j=f"{nice(j * spread(rng, 0.3, 5)):g} kg*m^2")
        plant.add("rotational", "d", "damper", ["b", "frame"], d=f"{nice(j / plant.duration * rng.uniform(1, 20)):g} N*m*s/rad")
        plant.record("rotational.motor.w", "rotational.load.w")
    plant.time_constant("mechanical", period / 6)
    plant.traits.add("nonlinear")
    return plant


GENERATORS = [(chain, 4), (braked, 2), (clutched, 2), (bouncing, 1.5)]
