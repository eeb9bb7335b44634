"""The page of a run, report.html, against its recording.

Without --browser: what the page holds for its script. Every point of every signal equals signals.csv to the printed digits, smallest and largest value of the
samples it stands for; one sample far from its neighbours is there; what happened stands on the axis of time; the page fetches nothing.
With --browser: chromium opens pages from disk, zooms with mouse and keys, and what it shows at the cursors and saves as CSV equals the recording.
"""
import argparse
import base64
import csv
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import zlib

PLANT = """[plant]
title    = "A spike of one sample"
duration = "8 s"
error    = "off"
[input]
more = { unit = "V", start = "0 V", safe = "0 V" }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time) + 40 V*max(0, 1 - abs(time - 3.0005 s)/0.0004 s) + more" }
r      = { is = "resistor", at = ["in", "out"], r = "100 Ohm", heat = "solid.body" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "100 uF" }
[solid]
body   = { is = "wall", m = "1 g", cp = "400 J/kg/K", start = { t = "300 K" } }
[solve]
electric = { step = "100 us", method = "rk4" }
solid    = { step = "500 us", method = "exact" }
[sync]
plant = { members = ["electric", "solid"], every = "500 us" }
[record]
"500 us" = ["electric.source.*", "electric.c.v"]
"20 ms"  = ["solid.body.t"]
"""
SCENARIO = """[scenario]
title = "Steps on the axis of time"
[[step]]
at     = "1 s"
set    = { more = "2 V" }
[[step]]
at     = "2 s"
expect = "electric.c.v > 2.5 V"
within = "1 s"
[[step]]
at     = "5 s"
inject = { "electric.r" = "high_resistance" }
[[step]]
at     = "7 s"
set    = { more = "0 V" }
"""
PLANTS = pathlib.Path(__file__).resolve().parents[2] / "config/plants"
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


def recorded(file):
    """-> {path: (times, values)}"""
    with file.open() as text:
        rows = list(csv.reader(text))
    found = {}
    for k, name in enumerate(rows[0][1:], 1):
        have = [(float(row[0]), float(row[k])) for row in rows[1:] if row[k]]
        found[name.split(" [")[0]] = ([at for at, _ in have], [value for _, value in have])
    return found


def figures(page):
    """-> (figures, events) that the script finds"""
    found = [json.loads(text) for text in re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)]
    events = re.search(r'<script type="application/json" id="events">(.*?)</script>', page, re.S)
    return found, json.loads(events.group(1)) if events else None


def points(figure, line):
    """-> [(x, low, high, samples)], as page/series.js reads them"""
    grid = figure["grids"][line["grid"]]
    n = grid["count"]
    raw = base64.b64decode(line["values"])
    raw = zlib.decompress(raw) if figure["packed"] else raw
    words = [int.from_bytes(bytes(raw[plane * (len(raw) // 4) + i] for plane in range(4)), "big") for i in range(len(raw) // 4)]
    for i in range(1, n):
        words[i] ^= words[i - 1]
    for i in range(n, len(words)):
        words[i] ^= words[i - n]
    values = [float(f"%.{line['digits']}g" % (line["offset"] + line["scale"] * struct.unpack("<f", struct.pack("<I", word))[0])) for word in words]
    high = values[n:] if line["band"] else values
    samples = grid.get("samples", 1)
    each = samples if isinstance(samples, list) else [samples] * (n - 1) + [grid.get("last", samples)]
    x = grid.get("x") or [grid["from"] + (grid["to"] - grid["from"]) * i / max(1, n - 1) for i in range(n)]
    return list(zip(x, values[:n], high, each))


def printed(value, digits):
    return float(f"%.{digits}g" % value)


def shown_as(unit):
    """From the recording to what a figure shows, by the words of its axis."""
    prefixes = {"k": 1e3, "m": 1e-3, "\u00b5": 1e-6, "M": 1e6, "n": 1e-9}
    if unit == "\u00b0C":
        return lambda value: value - 273.15
    factor = prefixes.get(unit[0], 1.0) if len(unit) > 1 and unit not in ("m/s", "kg", "m\u00b2") else 1.0
    return lambda value: value / factor


def check_values(page, recording):
    """Every point against the samples that it stands for."""
    wrong, met, all_points = [], set(), 0
    for figure in figures(page)[0]:
        if not figure["time"]:
            continue
        shown = shown_as(figure["y"])
        for line in figure["lines"]:
            if line["label"] not in recording:
                continue
            times, values = recording[line["label"]]
            met.add(line["label"])
            first = 0
            for x, low, high, samples in points(figure, line):
                all_points += 1
                part = [shown(value) for value in values[first : first + samples]]
                zero = 1e-12 * max(map(abs, part))  # degC of K: what subtraction leaves
                right = abs(times[first] - x) <= 1e-9 * max(1.0, x) and abs(printed(min(part), line["digits"]) - low) <= zero and abs(printed(max(part), line["digits"]) - high) <= zero
                if not right:
                    wrong.append((line["label"], x, low, high, min(part), max(part), times[first]))
                first += samples
            if first != len(times):
                wrong.append((line["label"], first, len(times)))
    expect(f"{all_points} points of {len(met)} signals equal the recording to the printed digits", met == set(recording) and not wrong, wrong[:3] or set(recording) - met)


def run(takt, work, plant, name, *options):
    ran = subprocess.run([takt, "run", plant, "--pace", "free", "--out", work / name, *options], capture_output=True, text=True)
    expect(f"{name} ran", (work / name / "report.html").exists(), ran.stderr[-400:])
    return (work / name / "report.html").read_text()


def check_page(takt, work):
    plant = work / "plant"
    plant.mkdir()
    (plant / "plant.toml").write_text(PLANT)
    (work / "steps.toml").write_text(SCENARIO)
    page = run(takt, work, plant, "spike", "--scenario", work / "steps.toml")
    recording = recorded(work / "spike" / "signals.csv")
    times, values = recording["electric.source.v"]
    high = [value for value in values if abs(value) > 20]
    expect("the recording has one sample far from its neighbours", len(high) == 1, high)
    check_values(page, recording)
    found, events = figures(page)
    volts = next(figure for figure in found if any(line["label"] == "electric.source.v" for line in figure["lines"]))
    line = next(line for line in volts["lines"] if line["label"] == "electric.source.v")
    spiked = [point for point in points(volts, line) if max(abs(point[1]), abs(point[2])) > 20]
    expect("it is in the figure, where its samples are merged", len(spiked) == 1 and spiked[0][3] > 1, spiked)
    picture = re.search(r'<figcaption>[^<]*Voltage.*?</svg>', page, re.S).group()
    lowest = min(float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", picture))
    expect("and in the picture without scripts", lowest < 40, lowest)
    kinds = {event["kind"]: event["x"] for event in events["events"]}
    expect("scenario, expectation and injection stand on the axis of time", {"scenario", "expectation", "injection"} <= set(kinds), kinds)
    threshold = next((line for line in volts["lines"] if line["label"].endswith("threshold")), None)
    ends = points(volts, threshold) if threshold else []
    expect("the threshold stands in the plot of its signal, as long as it was judged", [(point[0], point[1]) for point in ends] == [(2.0, 2.5), (kinds["expectation"], 2.5)], ends)
    expect("nothing is fetched", not re.search(r'(src|href)="?http|url\((?!#)|@import|fetch\(|XMLHttpRequest', page))
    expect("below 2 MB", len(page) < 2_000_000, len(page))


def check_overlay(takt, work):
    run(takt, work, work / "plant", "other", "--set", "electric.r.r=200 Ohm")
    page = work / "both.html"
    said = subprocess.run([takt, "report", work / "spike", work / "other", "--out", page], capture_output=True, text=True)
    expect("takt report", said.returncode == 0, said.stderr)
    found, events = figures(page.read_text())
    done = [(round(event["x"], 9), event["kind"]) for event in events["events"]]
    expect("what happened in the runs is there once, with the run's name", done == [(1.0, "scenario"), (2.0275, "expectation"), (5.01, "injection"), (7.0, "scenario")] and all(event["text"].startswith("spike: ") for event in events["events"]), events)
    expect("what differs most comes first, and both runs are in it", found[0]["title"].startswith("electric.c.v: differs") and [line["label"] for line in found[0]["lines"]] == ["spike", "other"], [f["title"] for f in found])
    part = work / "part.html"
    subprocess.run([takt, "report", work / "spike", "--out", part, "--from", "2.9 s", "--to", "3.1 s"], check=True, capture_output=True)
    volts = next(figure for figure in figures(part.read_text())[0] if figure["title"] == "electric.source.v")
    got = [(round(x, 9), low) for x, low, _, samples in points(volts, volts["lines"][0]) if samples == 1]
    times, values = recorded(work / "spike" / "signals.csv")["electric.source.v"]
    wanted = [(at, printed(value, volts["lines"][0]["digits"])) for at, value in zip(times, values) if 2.9 <= at <= 3.1]
    expect("of a stretch each sample is there", got == wanted, (len(got), len(wanted)))
    late = subprocess.run([takt, "report", work / "spike", "--from", "9 s"], capture_output=True, text=True)
    expect("a stretch behind the end is told", late.returncode == 2 and "--from" in late.stderr and "7 s" in late.stderr, late.stderr)
    none = subprocess.run([takt, "report", work / "spike", "--only", "nothing.*"], capture_output=True, text=True)
    expect("a signal that is not there is told", none.returncode == 2 and "--only" in none.stderr, none.stderr)


def check_tables(takt, work):
    """What cannot be compared is said; a value that is no number is a gap that hides nothing."""
    rows = [(k, 2 + k % 2, "nan" if k == 5 else k, k) for k in range(9)]
    table = lambda heads, columns: "\n".join([heads, *(",".join(str(row[k]) for k in columns) for row in rows)]) + "\n"
    (work / "one").mkdir()
    (work / "one" / "<b>.csv").write_text(table("time [s],u [V],v [V],w [V]", (0, 1, 2, 3)))
    (work / "two.csv").write_text(table("time [s],u [V],w [A]", (0, 1, 3)))
    page = work / "tables.html"
    said = subprocess.run([takt, "report", work / "one" / "<b>.csv", work / "two.csv", "--out", page], capture_output=True, text=True)
    expect("takt report on tables", said.returncode == 0, said.stderr)
    found, _ = figures(page.read_text())
    titles = [figure["title"] for figure in found]
    expect("what was not compared is told", titles == ["u: differs by 0 of its range (RMS)", "v: not in two.csv", "w: in another unit in two.csv, not drawn there"], titles)
    got = points(found[1], found[1]["lines"][0])
    expect("a value that is no number is none, its neighbours are there", [k for k, low, _, _ in got if low != low] == [5.0] and [low for _, low, _, _ in got if low == low] == [0, 1, 2, 3, 4, 6, 7, 8], got)
    gap = re.search(r'<path class="line k0" d="(M[^"]*)"', page.read_text().split("<figcaption>v: ")[1]).group(1)
    expect("and a gap in the picture", gap.count("M") == 2, gap)
    expect("names of files are text", "<b>" not in page.read_text(), "")
    lone = work / "lone.csv"
    lone.write_text("time [s],a [V]\n0,1\n")
    subprocess.run([takt, "report", lone, "--out", page], check=True, capture_output=True)
    drawn = re.search(r'<path class="line k0" d="(M[^"]*)"', page.read_text()).group(1)
    expect("a lone sample is seen, and no duration is told of a table", drawn.endswith("m-2 0h4") and "0 s</td>" not in page.read_text(), drawn)
    lone.write_text("time [s],a [V]\n")
    none = subprocess.run([takt, "report", lone], capture_output=True, text=True)
    expect("a table without rows is told", none.returncode == 1 and "lone.csv has no samples" in none.stderr, none.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--browser", action="store_true")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    if arguments.browser:
        sys.modules["report_page_test"] = sys.modules["__main__"]  # one list of failures
        from report_browser import check_in_browser
        check_in_browser(arguments.takt, arguments.work)
    else:
        check_page(arguments.takt, arguments.work)
        check_overlay(arguments.takt, arguments.work)
        check_tables(arguments.takt, arguments.work)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
