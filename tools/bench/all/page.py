"""One page of all runs in a folder: a picture for each ratio over the runs, and the comparisons. No script, nothing from the network."""

import html
import math

import history
import pairs

STYLE = """body { font: 15px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222 }
h2 { margin: 1.6em 0 0 } p.what { margin: 0; color: #555 } table { border-collapse: collapse; margin: .6em 0 }
td, th { padding: .15em .7em; border-bottom: 1px solid #ddd; text-align: right } td:first-child, th:first-child { text-align: left }
svg { display: block; width: 100% } .loss { color: #b00020; fill: #b00020 } .gain { color: #00713a; fill: #00713a } .axis { fill: #555; font-size: 11px }
.undecided { color: #8a6100 }"""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 180, 70, 12, 26, 26
VERDICT = {"loss": "▲", "gain": "▼"}


def number(value):
    return f"{value:.4g}" if value and math.isfinite(value) else "-"


def text(value):
    return html.escape(str(value))


def of_run(run):
    return f"{run['started']}, {run['commit'][:10]}{' with changes' if run['dirty'] else ''}: {run['subject']}"


def tooltip(point):
    row, run = point["row"], point["run"]
    lines = [of_run(run), f"{number(row['ratio'])} ({number(row['low'])} to {number(row['high'])}), {row['pairs']} pairs", f"{run['cpu']}, {run['machine']}, load {run['load_before'][0]}"]
    if row["instructions"]:
        lines.append(f"{row['instructions']} instructions")
    if point["change"]:
        lines.append(f"since the run before on this machine: {point['change'].percent()}")
    return text("\n".join(lines))


def picture(points):
    """Ratio and interval of each run, on a logarithmic scale; what is clearly slower or faster than the run before is marked."""
    low = min(point["row"]["low"] or point["row"]["ratio"] for point in points) / 1.02
    high = max(point["row"]["high"] if math.isfinite(point["row"]["high"]) else point["row"]["ratio"] for point in points) * 1.02

    def y(value):
        place = (math.log(min(max(value, low), high)) - math.log(low)) / (math.log(high) - math.log(low))
        return HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM)

    def x(index):
        return LEFT + (index + 0.5) * (WIDTH - LEFT - RIGHT) / len(points)

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    for value in (low, math.sqrt(low * high), high):
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
                     f'<text class="axis" x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{number(value)}</text>')
    line = " ".join(f"{x(index):.1f},{y(point['row']['ratio']):.1f}" for index, point in enumerate(points))
    parts.append(f'<polyline points="{line}" fill="none" stroke="#9ab"/>')
    for index, point in enumerate(points):
        row, mark = point["row"], point["verdict"] if point["verdict"] in VERDICT else None
        parts.append(f'<g><title>{tooltip(point)}</title><line x1="{x(index):.1f}" x2="{x(index):.1f}" y1="{y(row["low"] or low):.1f}" y2="{y(row["high"]):.1f}" stroke="#357"/>'
                     f'<circle cx="{x(index):.1f}" cy="{y(row["ratio"]):.1f}" r="3.5" fill="#357"/>')
        if mark:
            parts.append(f'<text class="{mark}" text-anchor="middle" x="{x(index):.1f}" y="{max(y(row["high"]) - 5, TOP):.1f}">{VERDICT[mark]} {100 * (point["change"].ratio - 1):+.1f} %</text>')
        parts.append("</g>")
        if index in (0, len(points) - 1):
            parts.append(f'<text class="axis" x="{x(index):.1f}" y="{HEIGHT - 8}" text-anchor="{"start" if index == 0 and len(points) > 1 else "end"}">'
                         f'{text(point["run"]["started"][:10])} {text(point["run"]["commit"][:10])}</text>')
    return "".join(parts) + "</svg>"


def since_first(points):
    """Against creeping: the last run beside the first that its machine has measured."""
    first = next(point for point in points if history.same_machine(point["run"], points[-1]["run"]))
    if first is points[-1]:
        return ""
    change, verdict = pairs.change(history.as_ratio(first["row"]), history.as_ratio(points[-1]["row"]), points[-1]["run"]["find"])
    return f"; since {first['run']['started'][:10]} {change.percent()}, {verdict}"


def latest(points):
    row = points[-1]["row"]
    instructions = ""
    if row["instructions"]:
        counted = [point["row"]["instructions"] for point in points if point["row"]["instructions"]]
        changed = f", {100 * (counted[-1] / counted[-2] - 1):+.2f} % since the run before" if len(counted) > 1 else ""
        instructions = f"; {number(row['instructions'])} instructions{changed}"
        instructions += f" ({number(row['instructions'] / row['peer_instructions'])} times the other's)" if row["peer_instructions"] else ""
    return (f"{number(row['ratio'])} ({number(row['low'])} to {number(row['high'])}, {100 * row['confidence']:.1f} %, {row['pairs']} pairs): "
            f"{number(row['ns'])} ns and {number(row['peer_ns'])} ns{instructions}{since_first(points)}")


def comparisons(runs):
    rows = []
    for run in reversed(runs):
        for row in run["results"]:
            share = f"{100 * (row['instructions'] / row['peer_instructions'] - 1):+.2f} %" if row["instructions"] and row["peer_instructions"] else ""
            same = {True: "same", False: "differ", None: ""}[row["same_results"]]
            rows.append(f"<tr><td>{text(of_run(run))}</td><td>{text(run['against'])}</td><td>{text(row['name'])}</td><td>{text(history.as_ratio(row).percent())}</td>"
                        f"<td class='{text(row['verdict'])}'>{text(row['verdict'])}</td><td>{row['pairs']}</td><td>{share}</td><td>{same}</td></tr>")
    head = "".join(f"<th>{name}</th>" for name in ("new", "old", "work", "time, new over old", "verdict", "pairs", "instructions", "results"))
    return f"<h2>Comparisons</h2><table><tr>{head}</tr>{''.join(rows)}</table>" if rows else ""


def page(runs):
    parts = ["<!DOCTYPE html><html lang='en'><meta charset='utf-8'><title>Takt: benchmarks over time</title>", f"<style>{STYLE}</style><h1>Takt: benchmarks over time</h1>",
             "<p>Each point is one run: the median of pairs that were measured in turn, with an interval that holds the true ratio with the confidence stated. "
             "▲ slower, ▼ faster than the run before on the same machine, beyond both intervals and half of the loss looked for. "
             "Runs of different days share neither neighbours nor placement in memory: a mark is a reason for a comparison (<code>--against</code>), which decides.</p>"]
    for name, points in history.series(runs).items():
        parts.append(f"<h2>{text(name)}</h2><p class='what'>{text(points[-1]['row']['what'])}: {text(latest(points))}</p>{picture(points)}")
    parts.append(comparisons([run for run in runs if run["kind"] == "against"]))
    return "".join(parts) + "</html>\n"


def write(folder):
    path = folder / "index.html"
    path.write_text(page(history.read(folder)))
    return path
