"""Curves over time as SVG, without a library."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np

from .table import Column, Table

WIDTH, PANEL, LEFT, RIGHT, GAP = 900, 190, 80, 16, 34
POINTS = 1500  # of one curve; more are drawn as the smallest and largest of each stretch
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f")


class Picture:
    """One panel for each unit, the time below. Jupyter shows it by itself."""

    def __init__(self, table: Table, title: str = "") -> None:
        self.table, self.title = table, title

    def svg(self) -> str:
        panels: dict[str, list[str]] = {}
        for path in self.table.paths:
            panels.setdefault(self.table.units.get(path, ""), []).append(path)
        height = 40 + len(panels) * (PANEL + GAP)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            'font-family="sans-serif" font-size="11">',
            f'<rect width="{WIDTH}" height="{height}" fill="white"/><text x="{LEFT}" y="18" font-size="13">{escape(self.title)}</text>',
        ]
        for number, (unit, paths) in enumerate(panels.items()):
            parts += self._panel(32 + number * (PANEL + GAP), unit, paths)
        return "\n".join([*parts, "</svg>\n"])

    def save(self, file: str | Path) -> Path:
        path = Path(file)
        path.write_text(self.svg())
        return path

    def _repr_svg_(self) -> str:
        return self.svg()

    def _panel(self, top: float, unit: str, paths: list[str]) -> list[str]:
        time = self.table.time_s
        finite = np.concatenate([self.table[path][np.isfinite(self.table[path])] for path in paths])
        low, high = span(finite, 0.05)
        begin, end = span(time, 0.0)
        parts = [f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - RIGHT}" height="{PANEL}" fill="none" stroke="#999"/>']

        def x_of(seconds: float) -> float:
            return LEFT + (WIDTH - LEFT - RIGHT) * (seconds - begin) / (end - begin)

        def y_of(value: float) -> float:
            return top + PANEL * (high - value) / (high - low)

        for value in ticks(low, high):
            parts.append(f'<path d="M{LEFT} {y_of(value):.1f}H{WIDTH - RIGHT}" stroke="#eee"/>')
            parts.append(f'<text x="{LEFT - 4}" y="{y_of(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
        for seconds in ticks(begin, end):
            parts.append(f'<text x="{x_of(seconds):.1f}" y="{top + PANEL + 14}" text-anchor="middle">{seconds:g} s</text>')
        if self.table.trigger_ns is not None:
            parts.append(f'<path d="M{x_of(self.table.trigger_ns / 1e9):.1f} {top}v{PANEL}" stroke="#444" stroke-dasharray="4 3"/>')
        for number, path in enumerate(paths):
            colour = COLOURS[number % len(COLOURS)]
            line = " ".join(f"{x_of(t):.1f},{y_of(v):.1f}" for t, v in thinned(time, self.table[path]))
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}"/>')
            label = f"{path} [{unit}]" if unit else path
            parts.append(f'<text x="{LEFT + 6}" y="{top + 14 + 13 * number}" fill="{colour}">{escape(label)}</text>')
        return parts


def span(values: Column, margin: float) -> tuple[float, float]:
    """Of an axis; never empty."""
    if len(values) == 0:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    more = margin * (high - low) if high > low else 0.05 * abs(high) or 1.0
    return low - more, high + more


def ticks(low: float, high: float) -> list[float]:
    step = 10.0 ** np.floor(np.log10((high - low) / 3))
    step *= next(factor for factor in (1.0, 2.0, 5.0, 10.0) if (high - low) / (step * factor) <= 6)
    return [float(round(k * step, 12)) for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def thinned(time: Column, values: Column) -> list[tuple[float, float]]:
    """What is finite; of long curves the smallest and the largest value of each stretch, so that no peak is lost."""
    finite = np.isfinite(values)
    time, values = time[finite], values[finite]
    if len(values) <= POINTS:
        return list(zip(time.tolist(), values.tolist(), strict=True))
    points: list[tuple[float, float]] = []
    for stretch in np.array_split(np.arange(len(values)), POINTS // 2):
        ends = sorted({int(stretch[values[stretch].argmin()]), int(stretch[values[stretch].argmax()])})
        points += [(float(time[k]), float(values[k])) for k in ends]
    return points
