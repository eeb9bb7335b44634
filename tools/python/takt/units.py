"""Numbers with units, as Takt reads them in options, scenarios and at its tap."""

from __future__ import annotations

import math
import re

from .errors import PlantError

SCALES = {
    "degC": ("K", 1.0, 273.15),
    "km/h": ("m/s", 1.0 / 3.6, 0.0),
    "rpm": ("rad/s", math.pi / 30.0, 0.0),
    "1/min": ("rad/s", math.pi / 30.0, 0.0),
    "deg": ("rad", math.pi / 180.0, 0.0),
    "%": ("1", 0.01, 0.0),
    "min": ("s", 60.0, 0.0),
    "h": ("s", 3600.0, 0.0),
    "bar": ("Pa", 1e5, 0.0),
    "g": ("kg", 1e-3, 0.0),
    "Ah": ("C", 3600.0, 0.0),
    "Wh": ("J", 3600.0, 0.0),
    "kWh": ("J", 3.6e6, 0.0),
    "l": ("m^3", 1e-3, 0.0),
    "l/min": ("m^3/s", 1e-3 / 60.0, 0.0),
}
PREFIXES = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9}
NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$", re.S)


def in_si(value: float | str, unit: str) -> float:
    """`value`, a number in SI or a text such as "12 V", in the SI unit `unit`."""
    if not isinstance(value, str):
        return float(value)
    found = NUMBER.match(value)
    if not found:
        raise PlantError(f'"{value}" is not a number, nor a number with its unit, as "12 V"')
    number, given = float(found[1]), found[2]
    plain = unit in ("", "1")
    if given in ("", unit) or (plain and given == "1"):
        return number
    si, factor, offset = SCALES.get(given, ("", 1.0, 0.0))
    if si and (si == unit or (plain and si == "1")):
        return number * factor + offset
    if given[:1] in PREFIXES and given[1:] == unit:
        return number * PREFIXES[given[0]]
    raise PlantError(f'"{value}": the unit {given} does not fit, give it in {"plain numbers" if plain else unit}')


def nanoseconds(duration: float | str) -> int:
    """Of "10 ms", or of seconds."""
    seconds = in_si(duration, "s")
    if not 0.0 < seconds <= 9e9:
        raise PlantError(f'"{duration}" is not a duration above zero')
    count = round(seconds * 1e9)
    if count == 0:
        raise PlantError(f'"{duration}" is shorter than a nanosecond')
    return count


def option_text(value: float | str) -> str:
    """For the command line: numbers with all digits, in SI."""
    return value if isinstance(value, str) else repr(float(value))


def duration_text(duration: float | str) -> str:
    return duration if isinstance(duration, str) else f"{float(duration)!r} s"
