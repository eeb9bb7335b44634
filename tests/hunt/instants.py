"""Plants whose functions of the time bend and jump at instants that no step divides: narrow pulses, corners of tables, duties and gates that step;
and loops of capacitors and cutsets of inductors. Each is a first-order lag between instants, so its answer is an integral over the source alone."""
import math

import numpy as np

from plant_text import Oracle, Plant, nice, quantity, some, spread

CELLS = 2_000_000  # of the integral; nothing here is narrower than 200 of them


def lag(at, duration, tau, times, start=0.0):
    """x' = (u(t) - x)/tau at the instants `times`; u is sampled amid cells that are longer than no feature of it by more than a 200th."""
    per_row = max(1, CELLS // (len(times) - 1))
    dt = duration / ((len(times) - 1) * per_row)
    weights = np.exp(-(per_row - 0.5 - np.arange(per_row)) * dt / tau) * (2.0 * np.sinh(0.5 * dt / tau))
    x, rows = start, [start]
    for row in range(len(times) - 1):
        t = times[row] + (np.arange(per_row) + 0.5) * dt
        x = x * math.exp(-per_row * dt / tau) + float(np.dot(weights, at(t)))
        rows.append(x)
    return np.array(rows)


def form(rng, duration, amplitude, unit):
    """-> value of a plant file, the same as a function"""
    period = float(f"{duration / rng.uniform(2.3, 19):.4g}")
    shift = float(f"{period * rng.random():.4g}")
    low, high = quantity(0, unit), quantity(amplitude, unit)
    kind = rng.choice(["train", "one", "abs", "clipped", "saw", "spike", "ramps", "nested", "square of a ramp"])
    if kind == "train":
        width = float(f"{period * spread(rng, 3e-3, 0.3):.4g}")
        return (f"if(mod(time + {quantity(shift, 's')}, {quantity(period, 's')}) < {quantity(width, 's')}, {high}, {low})",
                lambda t: np.where(np.mod(t + shift, period) < width, amplitude, 0.0))
    if kind == "one":
        begin = float(f"{duration * rng.uniform(0.05, 0.8):.5g}")
        width = float(f"{duration * spread(rng, 3e-4, 0.1):.3g}")
        return (f"if(time >= {quantity(begin, 's')} and time < {quantity(begin, 's')} + {quantity(width, 's')}, {high}, {low})",
                lambda t: np.where((t >= begin) & (t < begin + width), amplitude, 0.0))
    if kind == "abs":
        return (f"abs({high}*sin(2*pi*(time + {quantity(shift, 's')})/({quantity(period, 's')})))", lambda t: np.abs(amplitude * np.sin(2 * np.pi * (t + shift) / period)))
    if kind == "clipped":
        level = nice(amplitude * rng.uniform(0.05, 0.9))
        return (f"clamp({high}*cos(2*pi*(time + {quantity(shift, 's')})/({quantity(period, 's')})), {low}, {quantity(level, unit)})",
                lambda t: np.clip(amplitude * np.cos(2 * np.pi * (t + shift) / period), 0.0, level))
    if kind == "saw":
        return (f"{high}*mod(time + {quantity(shift, 's')}, {quantity(period, 's')})/({quantity(period, 's')})", lambda t: amplitude * np.mod(t + shift, period) / period)
    if kind == "spike":
        middle, width = float(f"{duration * rng.uniform(0.1, 0.8):.5g}"), float(f"{duration * spread(rng, 3e-4, 0.02):.3g}")
        points = [(0.0, 0.0), (middle - width, 0.0), (middle, amplitude), (middle + width, nice(amplitude * 0.1))]
        return ({"points": [[t, v] for t, v in points], "x_unit": "s", "y_unit": unit, "of": "time"}, lambda t: np.interp(t, *zip(*points)))
    if kind == "ramps":
        return (f"min({high}*time/({quantity(period, 's')}), max({low}, {quantity(2 * amplitude, unit)} - {high}*time/({quantity(period, 's')})))",
                lambda t: np.minimum(amplitude * t / period, np.maximum(0.0, 2 * amplitude - amplitude * t / period)))
    if kind == "nested":
        other = float(f"{period * rng.uniform(0.21, 0.77):.4g}")
        return (f"if(mod(time, {quantity(period, 's')}) < {quantity(0.5 * period, 's')}, if(mod(time, {quantity(other, 's')}) < {quantity(0.5 * other, 's')}, {high}, {quantity(-0.5 * amplitude, unit)}), {low})",
                lambda t: np.where(np.mod(t, period) < 0.5 * period, np.where(np.mod(t, other) < 0.5 * other, amplitude, -0.5 * amplitude), 0.0))
    return (f"{high}*max(time/({quantity(period, 's')}) - 1, 0)^2*(time/({quantity(period, 's')}) < 1.8)",
            lambda t: amplitude * np.maximum(t / period - 1, 0) ** 2 * (t / period < 1.8))


def driven(rng):
    """A lag of any domain."""
    tau = spread(rng, 1e-3, 100)
    plant = Plant("instants", tau * rng.uniform(3, 20))
    domain = rng.choice(["electric", "electric", "solid", "rotational", "translational"])
    if domain == "electric":
        r = some(rng, 1, 1e4)
        c = float(f"{tau / r:.4g}")
        amplitude = some(rng, 1, 100)
        value, at = form(rng, plant.duration, amplitude, "V")
        plant.add("electric", "source", "voltage_source", ["a", "gnd"], v=value)
        plant.add("electric", "r", "resistor", ["a", "b"], r=f"{r:g} Ohm")
        plant.add("electric", "c", "capacitor", ["b", "gnd"], c=f"{c:g} F")
        signal, tau, gain, base = "electric.c.v", r * c, 1.0, 0.0
    elif domain == "solid":
        g, amplitude, base = some(rng, 0.1, 50), some(rng, 1, 1e3), 293.15
        heat = float(f"{tau * g:.4g}")
        value, at = form(rng, plant.duration, amplitude, "W")
        plant.add("solid", "wall", "wall", m=f"{heat / 500:.12g} kg", cp="500 J/kg/K", start={"t": f"{base} K"})
        plant.add("solid", "air", "temperature_boundary", t=f"{base} K")
        plant.add("solid", "loss", "heat_transfer", ["wall", "air"], c=f"{g:g} W/K")
        plant.add("solid", "heater", "heat_source", ["wall"], power=value)
        signal, tau, gain = "solid.wall.t", heat / g, 1.0 / g
    else:
        d, amplitude, base = some(rng, 0.01, 10), some(rng, 0.1, 100), 0.0
        inert = float(f"{tau * d:.4g}")
        turning = domain == "rotational"
        value, at = form(rng, plant.duration, amplitude, "N*m" if turning else "N")
        plant.add(domain, "body", "inertia" if turning else "mass", ["s"], **({"j": f"{inert:g} kg*m^2"} if turning else {"m": f"{inert:g} kg"}))
        plant.add(domain, "brake", "damper", ["s", "frame"], d=f"{d:g} {'N*m*s' if turning else 'N*s/m'}")
        plant.add(domain, "push", "torque_source" if turning else "force_source", ["s"], **{"torque" if turning else "force": value})
        signal, tau, gain = f"{domain}.s.{'w' if turning else 'v'}", inert / d, 1.0 / d
    plant.record(signal)
    plant.time_constant(domain, tau)
    plant.oracle = Oracle("closed form", lambda times: {signal: base + gain * lag(at, plant.duration, tau, times)})
    return plant


def loops(rng):
    """A loop of capacitors behind a resistor, or a cutset of inductors: both are one lag."""
    tau = spread(rng, 1e-4, 1)
    plant = Plant("instants", tau * rng.uniform(4, 20))
    amplitude, r = some(rng, 1, 400), some(rng, 0.1, 1e4)
    value, at = form(rng, plant.duration, amplitude, "V")
    if rng.random() < 0.5:
        frequency = float(f"{rng.uniform(1.5, 12) / plant.duration:.3g}")
        value, at = f"{amplitude:g} V*sin(2*pi*{frequency:g} Hz*time)", lambda t: amplitude * np.sin(2 * np.pi * frequency * t)
    plant.add("electric", "source", "voltage_source", ["a", "gnd"], v=value)
    plant.add("electric", "r", "resistor", ["a", "b"], r=f"{r:g} Ohm")
    scale = tau / r if rng.random() < 0.5 else tau * r
    one, two, three = (float(f"{scale * rng.uniform(0.1, 1):.4g}") for _ in range(3))
    both = one + two * three / (two + three)
    if scale == tau / r:
        plant.add("electric", "c1", "capacitor", ["b", "gnd"], c=f"{one:g} F")
        plant.add("electric", "c2", "capacitor", ["b", "m"], c=f"{two:g} F")
        plant.add("electric", "c3", "capacitor", ["m", "gnd"], c=f"{three:g} F")
        lasting, names, gains = r * both, ["electric.c1.v", "electric.c3.v"], [1.0, two / (two + three)]
    else:
        plant.add("electric", "l1", "inductor", ["b", "m"], l=f"{one:g} H")
        plant.add("electric", "l2", "inductor", ["m", "gnd"], l=f"{two:g} H")
        plant.add("electric", "l3", "inductor", ["m", "gnd"], l=f"{three:g} H")
        lasting, names, gains = both / r, ["electric.l1.i", "electric.l2.i"], [1 / r, three / (two + three) / r]
    plant.record(*names)
    plant.time_constant("electric", lasting)

    def answer(times):
        x = lag(at, plant.duration, lasting, times)
        return {name: gain * x for name, gain in zip(names, gains)}
    plant.oracle = Oracle("closed form", answer)
    return plant


def leg(rng):
    """Two switches on an RL load: a carrier against a duty that steps, or gates that are functions of the time."""
    f = nice(some(rng, 1e3, 5e4))
    v, r, r_on = some(rng, 10, 800), some(rng, 0.5, 50), 1e-3
    inductance = nice(r / f * spread(rng, 1, 10))
    plant = Plant("instants", rng.uniform(40, 90) / f)
    period = float(f"{plant.duration / rng.uniform(2.3, 25):.4g}")
    shift = float(f"{period * rng.random():.4g}")
    if rng.random() < 0.6:
        first, second = nice(rng.uniform(0.1, 0.9)), nice(rng.choice([0, 1, rng.random()]))
        share = float(f"{period * rng.uniform(0.1, 0.9):.4g}")
        carrier, update = rng.choice(["triangle", "sawtooth"]), rng.choice(["continuous", "continuous", "valley"])
        plant.add("control", "pwm", "pwm_leg", duty=f"if(mod(time + {quantity(shift, 's')}, {quantity(period, 's')}) < {quantity(share, 's')}, {first:g}, {second:g})",
                  frequency=f"{f:g} Hz", carrier=carrier, update=update)
        gates = ["control.pwm.high", "control.pwm.low"]

        def high(t):
            phase = t * f
            ramp = phase - np.floor(phase)
            level = ramp if carrier == "sawtooth" else 1.0 - np.abs(1.0 - 2.0 * ramp)
            at = t if update == "continuous" else np.floor(phase) / f + 1e-6 / f
            return np.where(np.mod(at + shift, period) < share, first, second) > level
    else:
        share = float(f"{period * spread(rng, 4e-3, 0.5):.4g}")
        on = f"mod(time + {quantity(shift, 's')}, {quantity(period, 's')}) < {quantity(share, 's')}"
        gates = [on, f"not ({on})"]

        def high(t):
            return np.mod(t + shift, period) < share
    plant.add("electric", "bus", "voltage_source", ["p", "gnd"], v=f"{v:g} V")
    plant.add("electric", "s1", "switch", ["p", "sw"], gate=gates[0], r_on="1 mOhm", r_off="10 MOhm")
    plant.add("electric", "s2", "switch", ["sw", "gnd"], gate=gates[1], r_on="1 mOhm", r_off="10 MOhm")
    plant.add("electric", "l", "inductor", ["sw", "x"], l=f"{inductance:g} H")
    plant.add("electric", "r", "resistor", ["x", "gnd"], r=f"{r:g} Ohm")
    plant.record("electric.l.i")
    lasting = inductance / (r + r_on)
    plant.time_constant("electric", min(1 / f, lasting))
    plant.traits.update({"modes", "switches"})
    plant.oracle = Oracle("closed form", lambda times: {"electric.l.i": v / (r + r_on) * lag(lambda t: high(t).astype(float), plant.duration, lasting, times)})
    return plant


GENERATORS = [(driven, 4), (loops, 2), (leg, 3)]
