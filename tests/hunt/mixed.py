"""Several domains, and controllers: Joule heat, motors, current loops, cruise control, state machines, self-heating."""
import math

import numpy as np

from plant_text import Oracle, Plant, nice, some, spread
from waves import wave


def current_loop(rng):
    """An RL or RLC load behind a commanded source, a sampled PI: the controller is faster than anything else in the plant."""
    r = some(rng, 0.1, 20)
    tau = spread(rng, 2e-4, 5e-2)
    inductance = nice(r * tau)
    every = tau * spread(rng, 0.01, 0.3)
    plant = Plant("mixed", tau * rng.uniform(8, 40))
    period = plant.every(every)
    seconds = float(period.split()[0])
    form = wave(rng, plant.duration, some(rng, 1, 50), "A", positive=True)
    target = form.value
    plant.add("electric", "s", "voltage_source", ["a", "gnd"], v="control.regulator")
    plant.add("electric", "r", "resistor", ["a", "b"], r=f"{r:g} Ohm")
    plant.add("electric", "l", "inductor", ["b", "c"], l=f"{inductance:g} H")
    plant.add("electric", "x", "resistor", ["c", "gnd"], r=f"{nice(r * spread(rng, 0.1, 1)):g} Ohm")
    band = rng.uniform(0.05, 0.35) / seconds
    plant.add("control", "regulator", "pi", every=period, of=f"({target}) - electric.l.i", kp=f"{nice(inductance * band):g} V/A", ki=f"{nice(r * band):g} V/A/s")
    if rng.random() < 0.5:
        plant.add("control", "slow", "filter", every=plant.every(seconds * 20), of="electric.l.i", tau=f"{nice(seconds * 100):g} s")
        plant.record("control.slow", jumping=True)
    plant.record("electric.l.i")
    plant.record("control.regulator", jumping=True)
    plant.time_constant("electric", tau / 2)
    total = r + float(plant.lines["electric"][-1].split('r = "')[1].split(" ")[0])
    gains = nice(inductance * band), nice(r * band)
    plant.oracle = Oracle("closed form", lambda times: sampled_answer(times, inductance, total, gains, form, seconds))
    return plant


def sampled_answer(times, inductance, resistance, gains, form, every):
    """A PI over an RL circuit in discrete time: the voltage is held from sample to sample, so each step is exact."""
    period = times[1] - times[0]
    inner = max(1, round(every / period)) if every > period else 1
    step = min(period, every)
    decay = math.exp(-resistance / inductance * step)
    current, integral, volts, rows = 0.0, 0.0, 0.0, [0.0]
    for k in range(round(times[-1] / step)):
        if k % inner == 0:
            error = float(form.at(float(f"{k * step:.12g}"))) - current
            volts = gains[0] * error + integral
            integral += gains[1] * error * every
        current = decay * current + (1 - decay) * volts / resistance
        if (k + 1) % max(1, round(period / step)) == 0:
            rows.append(current)
    return {"electric.l.i": np.array(rows)}


def motor(rng):
    """A DC machine with a load: voltage given, or a sampled speed controller; its loss heats a wall, which may heat its copper."""
    r, k = some(rng, 0.1, 5), some(rng, 0.01, 0.5)
    j = some(rng, 1e-5, 1e-2)
    tau_m = r * j / k**2
    plant = Plant("mixed", tau_m * rng.uniform(4, 15))
    v = some(rng, 6, 100)
    controlled = rng.random() < 0.55
    volts = "control.speed" if controlled else wave(rng, plant.duration, v, "V").value
    plant.add("electric", "s", "voltage_source", ["a", "gnd"], v=volts)
    more = {"heat": "solid.winding"}
    if rng.random() < 0.5:
        more["alpha"] = "0.0039 1/K"
    tau_e = tau_m * spread(rng, 0.01, 0.3)
    plant.add("electric", "m", "dc_machine", ["a", "gnd", "rotational.shaft"], r=f"{r:g} Ohm", l=f"{nice(r * tau_e):g} H", k=f"{k:g} N*m/A", **more)
    plant.add("rotational", "rotor", "inertia", ["shaft"], j=f"{j:g} kg*m^2")
    torque = k * v / r
    kind = rng.choice(["friction", "drag", "damper", "step"])
    if kind == "friction":
        plant.add("rotational", "load", "friction", ["shaft", "frame"], tau_c=f"{nice(torque * 0.1):g} N*m", w_reg=f"{nice(v / k * 0.01):g} rad/s")
        plant.traits.add("nonlinear")
    elif kind == "drag":
        plant.add("rotational", "load", "drag", ["shaft", "frame"], tau_n=f"{nice(torque * 0.2):g} N*m", w_n=f"{nice(v / k):g} rad/s")
        plant.traits.add("nonlinear")
    elif kind == "damper":
        plant.add("rotational", "load", "damper", ["shaft", "frame"], d=f"{nice(torque * 0.2 * k / v):g} N*m*s/rad")
    else:
        plant.add("rotational", "load", "torque_source", ["shaft"], torque=f"if(time > {nice(plant.duration / 2):g} s, -{nice(torque * 0.2):g} N*m, 0)")
    loss = v * v / r
    plant.add("solid", "winding", "wall", m=f"{nice(loss * plant.duration / 400 / rng.uniform(10, 60)):g} kg", cp="400 J/kg/K")
    plant.add("solid", "air", "temperature_boundary", t="298.15 K")
    plant.add("solid", "cooling", "heat_transfer", ["winding", "air"], c=f"{nice(loss / 50 * spread(rng, 0.2, 3)):g} W/K")
    if controlled:
        band = 1 / tau_m * rng.uniform(0.5, 3)
        plant.add("control", "speed", "pi", of=f"{nice(v / k * rng.uniform(0.2, 0.7)):g} rad/s - rotational.rotor.w", kp=f"{nice(k * tau_m * band):g} V*s/rad",
                  ki=f"{nice(k * band):g} V/rad", min=f"-{v:g} V", max=f"{v:g} V", every=plant.every(1 / band * spread(rng, 0.01, 0.1)))
        plant.record("control.speed", jumping=True)
    plant.record("electric.m.armature.i", "rotational.rotor.w", "solid.winding.t")
    plant.time_constant("electric", tau_e)
    plant.time_constant("mechanical", tau_m)
    plant.time_constant("solid", tau_m)
    return plant


def self_heating(rng):
    """Resistors whose loss heats walls that change their resistance; the supply steps or swings slowly."""
    tau = spread(rng, 1, 100)
    plant = Plant("mixed", tau * rng.uniform(2, 10))
    v, r = some(rng, 5, 200), some(rng, 1, 100)
    form = wave(rng, plant.duration, v, "V")
    plant.add("electric", "s", "voltage_source", ["a", "gnd"], v=form.value)
    plant.add("electric", "r1", "resistor", ["a", "b"], r=f"{r:g} Ohm", alpha=f"{rng.choice([0.0039, 0.006, -0.002])} 1/K", heat="solid.w1")
    plant.add("electric", "r2", "resistor", ["b", "gnd"], r=f"{nice(r * spread(rng, 0.3, 3)):g} Ohm", heat="solid.w2")
    if rng.random() < 0.6:
        c = nice(tau * spread(rng, 1e-4, 0.1) / r)
        plant.add("electric", "c", "capacitor", ["b", "gnd"], c=f"{c:g} F")
        plant.time_constant("electric", r * c)
    power = v * v / (2 * r)
    capacity = nice(power * tau / rng.uniform(20, 80))
    for k in (1, 2):
        plant.add("solid", f"w{k}", "wall", m=f"{nice(capacity / 400):g} kg", cp="400 J/kg/K")
    plant.add("solid", "air", "temperature_boundary", t="298.15 K")
    plant.add("solid", "t1", "heat_transfer", ["w1", "air"], c=f"{nice(capacity / tau):g} W/K")
    plant.add("solid", "t2", "heat_transfer", ["w2", "w1"], c=f"{nice(capacity / tau * spread(rng, 0.3, 5)):g} W/K")
    plant.record("solid.w1.t", "solid.w2.t")
    plant.record("electric.b.v", jumping=form.jumps)
    plant.time_constant("solid", tau / 5)
    plant.traits.add("nonlinear")
    return plant


def vehicle(rng):
    """A mass on wheels under a driver's PI or a state machine that pushes and brakes."""
    m = some(rng, 200, 20000)
    plant = Plant("mixed", some(rng, 20, 120))
    force = nice(m * rng.uniform(0.5, 2))
    plant.add("translational", "car", "vehicle", ["x"], m=f"{m:g} kg", c_r=0.012, c_d=0.3, area="2.2 m^2", grade=rng.choice([0, 0, 0.03]))
    plant.add("translational", "push", "force_source", ["x"], force="control.push")
    plant.add("translational", "brake", "brake", ["x", "frame"], force="control.stop")
    every = plant.every(rng.choice([0.01, 0.05, 0.1, 0.5]))
    top = nice(rng.uniform(8, 30))
    plant.lines.setdefault("control", []).append(
        'gear = { is = "state_machine", every = "%s", start = "go", output = { push = "N", stop = "N" }, state = { go = { push = "%g N", stop = "0 N", to = { roll = "translational.car.speed > %g m/s" } }, '
        'roll = { push = "0 N", stop = "0 N", to = { halt = "time_in_state > %g s" } }, halt = { push = "0 N", stop = "%g N", to = { go = "translational.car.speed < %g m/s" } } } }'
        % (every, force, top, nice(plant.duration / 15), force, nice(top * 0.3)))
    plant.add("control", "push", "expression", of="control.gear.push", every=every)
    plant.add("control", "stop", "expression", of="control.gear.stop", every=every)
    plant.record("translational.car.speed", "translational.car.s")
    plant.time_constant("mechanical", plant.duration / 100)
    plant.traits.add("nonlinear")
    return plant


def heated_room(rng):
    """A resistor heats a wall and through it a flowing medium; a PI with a filter sets the voltage."""
    tau = spread(rng, 20, 200)
    plant = Plant("mixed", tau * rng.uniform(3, 10))
    power = some(rng, 50, 2000)
    v = nice(math.sqrt(power * 20))
    plant.add("electric", "s", "voltage_source", ["a", "gnd"], v=f"{v:g} V*control.power")
    plant.add("electric", "heater", "resistor", ["a", "gnd"], r="20 Ohm", heat="solid.plate")
    capacity = nice(power * tau / 60)
    plant.add("solid", "plate", "wall", m=f"{nice(capacity / 900):g} kg", cp="900 J/kg/K", start={"t": "293.15 K"})
    q = nice(power / 4000 / rng.uniform(5, 30))
    plant.media["fluid"] = "water"
    plant.add("fluid", "src", "reservoir", p="1.2 bar", t="293.15 K")
    plant.add("fluid", "pump", "flow_pump", ["src", "jacket"], flow=wave(rng, plant.duration, q, "kg/s", positive=True).value if rng.random() < 0.4 else f"{q:g} kg/s")
    plant.add("fluid", "jacket", "volume", v=f"{nice(q * tau / 1000 * spread(rng, 0.1, 1)):g} m^3")
    plant.add("fluid", "out", "pipe", ["jacket", "end"], length="1 m", diameter=f"{nice(0.03 * math.sqrt(q) + 0.002):g} m")
    plant.add("fluid", "end", "reservoir", p="1 bar")
    plant.add("solid", "film", "heat_transfer", ["plate", "fluid.jacket"], c=f"{nice(power / rng.uniform(10, 40)):g} W/K")
    every = plant.every(tau * spread(rng, 0.003, 0.05))
    plant.add("control", "power", "pi", of=f"{nice(293.15 + rng.uniform(5, 30), 4)} K - fluid.jacket.t", kp="0.1 1/K", ki=f"{nice(0.1 / tau):g} 1/K/s", min=0, max=1, every=every)
    plant.record("solid.plate.t", "fluid.jacket.t")
    plant.record("control.power", jumping=True)
    plant.time_constant("solid", tau / 5)
    plant.time_constant("fluid", tau / 10)
    plant.traits.add("tanks")
    return plant


GENERATORS = [(current_loop, 3), (motor, 3), (self_heating, 2), (vehicle, 1.5), (heated_room, 2)]
