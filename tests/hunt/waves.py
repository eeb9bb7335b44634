"""What sources do over time: the expression of the plant file, the source of a netlist, and the same as a function."""
import dataclasses
import math

import numpy as np

from plant_text import nice, quantity, some, spread


@dataclasses.dataclass
class Wave:
    value: object          # of the plant file: text or table
    spice: str             # after the nodes of a V or I source
    at: object             # time -> value
    jumps: bool = False


def constant(amplitude, unit):
    return Wave(quantity(amplitude, unit), f"DC {amplitude:.12g}", lambda t: amplitude)


def sine(rng, duration, amplitude, unit):
    frequency = nice(spread(rng, 1.5, 30) / duration)
    offset = nice(rng.choice([0, 0, 0.5, 1]) * amplitude)
    text = f"{quantity(amplitude, unit)}*sin(2*pi*{quantity(frequency, 'Hz')}*time)"
    if offset:
        text = f"{quantity(offset, unit)} + {text}"
    return Wave(text, f"SIN({offset:.12g} {amplitude:.12g} {frequency:.12g})", lambda t: offset + amplitude * np.sin(2 * np.pi * frequency * t))


def step(rng, duration, amplitude, unit):
    when = nice(duration * rng.uniform(0.05, 0.5), 3)
    edge = duration * 1e-7
    return Wave(f"if(time > {quantity(when, 's')}, {quantity(amplitude, unit)}, {quantity(0, unit)})",
                f"PWL(0 0 {when:.12g} 0 {when + edge:.12g} {amplitude:.12g})", lambda t: np.where(np.asarray(t) > when, amplitude, 0.0), True)


def pulse(rng, duration, amplitude, unit):
    first, last = sorted(nice(duration * rng.uniform(0.05, 0.9), 3) for _ in range(2))
    last += nice(duration * 0.03, 3)
    edge = duration * 1e-7
    return Wave(f"if(time > {quantity(first, 's')} and time < {quantity(last, 's')}, {quantity(amplitude, unit)}, {quantity(0, unit)})",
                f"PWL(0 0 {first:.12g} 0 {first + edge:.12g} {amplitude:.12g} {last:.12g} {amplitude:.12g} {last + edge:.12g} 0)",
                lambda t: np.where((np.asarray(t) > first) & (np.asarray(t) < last), amplitude, 0.0), True)


def square(rng, duration, amplitude, unit):
    period = nice(duration / rng.uniform(3, 25), 3)
    duty = nice(rng.uniform(0.2, 0.8))
    low = nice(rng.choice([0, 0, -1, 0.3]) * amplitude)
    edge = duration * 1e-7
    points = [(0.0, amplitude)]
    for k in range(math.ceil(duration / period)):
        points += [(k * period + duty * period, amplitude), (k * period + duty * period + edge, low), ((k + 1) * period, low), ((k + 1) * period + edge, amplitude)]
    return Wave(f"if(mod(time, {quantity(period, 's')}) < {quantity(duty * period, 's')}, {quantity(amplitude, unit)}, {quantity(low, unit)})",
                "PWL(" + " ".join(f"{t:.12g} {v:.12g}" for t, v in points) + ")",
                lambda t: np.where(np.mod(t, period) < duty * period, amplitude, low), True)


def ramp(rng, duration, amplitude, unit):
    begin, length = nice(duration * rng.uniform(0.02, 0.4)), nice(duration * rng.uniform(0.02, 0.4))
    return Wave(f"{quantity(amplitude, unit)}*clamp((time - {quantity(begin, 's')})/({quantity(length, 's')}), 0, 1)",
                f"PWL(0 0 {begin:.12g} 0 {begin + length:.12g} {amplitude:.12g})", lambda t: amplitude * np.clip((np.asarray(t) - begin) / length, 0, 1))


def table(rng, duration, amplitude, unit):
    times = sorted({nice(duration * rng.random(), 3) for _ in range(rng.randint(2, 7))} | {0.0})
    values = [nice(amplitude * rng.uniform(-0.5, 1), 3) for _ in times]
    return Wave({"points": [[t, v] for t, v in zip(times, values)], "x_unit": "s", "y_unit": unit, "of": "time"},
                "PWL(" + " ".join(f"{t:.12g} {v:.12g}" for t, v in zip(times, values)) + ")", lambda t: np.interp(t, times, values))


def wave(rng, duration, amplitude, unit, positive=False):
    """A random one. Positive ones never change sign."""
    kinds = [constant, step, pulse, ramp] if positive else [constant, sine, sine, step, pulse, square, ramp, table]
    kind = rng.choice(kinds)
    return constant(amplitude, unit) if kind is constant else kind(rng, duration, amplitude, unit)


def amplitude(rng, low, high):
    return some(rng, low, high)
