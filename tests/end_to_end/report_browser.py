"""Pages of runs in chromium, opened from disk: what it shows against the recording. Pictures of them are left in the work folder."""
import csv
import io
import re
import subprocess
import time

from browser import Browser
from report_page_test import PLANT, PLANTS, SCENARIO, expect, printed, recorded, run

SVG = "figure.plot[data-try] svg.live"


def mark(browser, label):
    """The figure with this signal is the one that is tried. -> its number among the figures"""
    number = browser.run("return page.figures.findIndex((figure) => figure.lines.some((line) => line.label === arguments[0]))", label)
    browser.run("document.querySelectorAll('[data-try]').forEach((one) => one.removeAttribute('data-try')); page.figures[arguments[0]].still.setAttribute('data-try', '')", number)
    return number


def readout(browser):
    """-> {column head: cell} of each line, by label"""
    rows = browser.run("return [...document.querySelectorAll('figure[data-try] table.readout tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    return {row[0]: dict(zip(rows[0], row)) for row in rows[1:]}


def samples_between(recording, label, begin, end):
    return [value for at, value in zip(*recording[label]) if begin - 1e-9 <= at < end - 1e-9]


def check_cursor(browser, number, recording, label, what):
    """What stands at cursor A is what the recording has in the point there."""
    at, end, count, digits = browser.run("""const figure = page.figures[arguments[0]], line = figure.lines.find((one) => one.label === arguments[1]);
        const i = line.index_at(figure.view.a), next = i + 1 < line.x.length ? line.x[i + 1] : Infinity;
        return [line.x[i], Math.min(next, 1e9), line.samples(i), line.digits]""", number, label)
    row = readout(browser)[label]
    cell = next(value for head, value in row.items() if head.startswith("A at"))
    values = samples_between(recording, label, at, end)[:count]
    shown = [float(text) for text in re.sub(r"\(.*", "", cell).split("\u2026")]
    wanted = sorted({printed(min(values), digits), printed(max(values), digits)})
    expect(f"{what}: cursor at {at:.6g} s shows {cell}", shown == wanted and (count == 1 or f"({count} samples)" in cell), wanted)


def top_of(browser, number, label):
    """How far up the line reaches: 0 at the top of the plot, 1 at its bottom."""
    return browser.run("""const figure = page.figures[arguments[0]], line = figure.lines.find((one) => one.label === arguments[1]);
        const path = figure.picture.querySelector(`g[data-line="${line.number}"] path.line`).getAttribute('d');
        const ys = [...path.matchAll(/[ML]\\S+ (\\S+?)(?=[ML]|$)/g)].map((found) => Number(found[1])), {y} = figure.drawn;
        return (Math.min(...ys) - y.to) / (y.from - y.to)""", number, label)


def check_zoom(browser, recording):
    label = "electric.source.v"
    number = mark(browser, label)
    browser.drag(SVG, 0.3, 0.3)  # a click
    check_cursor(browser, number, recording, label, "all in sight")
    expect("the spike of one sample is seen where all is in sight", top_of(browser, number, label) < 0.1)
    for length in (4.0, 1.0, 0.1, 0.01):
        browser.run("page.view.show(3.0005 - arguments[0] / 2, 3.0005 + arguments[0] / 2)", length)
        browser.settle()
        expect(f"and in {length} s around it", top_of(browser, number, label) < 0.1, top_of(browser, number, label))
    browser.run("page.view.show(page.view.low, page.view.high)")
    browser.settle()
    before = browser.run("return [page.view.from, page.view.to]")
    browser.drag(SVG, 0.3, 0.5)
    after = browser.run("return [page.view.from, page.view.to]")
    expect("a mouse drawn across zooms there", before[0] < after[0] < after[1] < before[1], (before, after))
    expect("figures over time are zoomed together", browser.run("return page.figures.filter((figure) => figure.json.time).every((figure) => figure.drawn.x.low === page.view.from)"))
    for share in (0.2, 0.55, 0.9):
        browser.drag(SVG, share, share)
        check_cursor(browser, number, recording, label, "zoomed")
    check_csv(browser, number, recording, label)


def check_csv(browser, number, recording, label):
    text = browser.run("return page.figures[arguments[0]].csv()", number)
    rows = list(csv.reader(io.StringIO(text)))
    sides = [k for k, head in enumerate(rows[0]) if head.startswith(label + " ")]
    begin, end = browser.run("return [page.view.from, page.view.to]")
    own = [row for row in rows[1:] if row[sides[0]]]
    low, high = float(own[0][0]), float(own[-1][0])
    values = samples_between(recording, label, low, high)
    least, most = min(float(row[sides[0]]) for row in own[:-1]), max(float(row[sides[-1]]) for row in own[:-1])
    expect("CSV of what is shown begins and ends with the view", low <= begin < low + 0.01 and high <= end < high + 0.01, (low, begin, high, end))
    expect("its bounds are those of the recording there", (least, most) == (printed(min(values), 6), printed(max(values), 6)), (least, most, min(values), max(values)))


def check_keys(browser, recording):
    """Without a mouse: by Tab to a plot, then by its keys."""
    label = "electric.source.v"
    number = mark(browser, label)
    browser.run("page.view.show(page.view.low, page.view.high); page.view.a = page.view.b = null; document.activeElement.blur()")
    for _ in range(200):
        browser.press("\ue004")
        if browser.run("return document.activeElement === document.querySelector(arguments[0])", SVG):
            break
    expect("Tab reaches the plot", browser.run("return document.activeElement === document.querySelector(arguments[0])", SVG))
    browser.press("right", "right", "shift+right")
    check_cursor(browser, number, recording, label, "by keys")
    one = browser.run("return page.view.a")
    browser.press("+", "+", "b", "shift+right", "right")
    view = browser.run("return [page.view.from, page.view.to, page.view.a, page.view.b]")
    expect("plus zooms, b takes the other cursor", view[2] == one and view[3] is not None and view[1] - view[0] < 3, view)
    browser.press("0", "n")
    said = browser.run("return document.querySelector('figure[data-try] .status').textContent")
    expect("n goes to the next event and says it", "scenario: " in said and said.startswith("1 s"), said)


def check_layout(takt, work, name, page):
    """Wide, phone, dark, print."""
    expect(f"{name}: below 2 MB", page.stat().st_size < 2_000_000, page.stat().st_size)
    for width, height, dark in ((1440, 900, False), (500, 800, True)):
        with Browser(work, width, height, dark) as browser:
            begun = time.monotonic()
            browser.open(page)
            print(f"     {name}: {page.stat().st_size} bytes, there after {time.monotonic() - begun:.1f} s", flush=True)
            inside = browser.run("return [document.documentElement.scrollWidth, window.innerWidth]")
            expect(f"{name}, {width} wide: nothing has to be scrolled sideways", inside[0] <= inside[1], inside)
            expect(f"{name}: nothing is wrong, nothing fetched", not browser.errors() and browser.run("return performance.getEntriesByType('resource').length") == 0, browser.errors())
            browser.picture(work / f"{name}_{width}.png")
            browser.printed(work / f"{name}_{width}.pdf")
            browser.ask("POST", browser.session + "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"media": "print"}})
            shown = browser.run("""return [...document.querySelectorAll('figure.has-live')].every((one) =>
                getComputedStyle(one.querySelector('svg.live')).display === 'none' && getComputedStyle(one.querySelector('svg:not(.live)')).display !== 'none')""")
            expect(f"{name}: the picture is what prints", shown)


def check_in_browser(takt, work):
    Browser(work).__exit__()  # says so where there is none, before anything is built
    plant = work / "plant"
    plant.mkdir()
    (plant / "plant.toml").write_text(PLANT)
    (work / "steps.toml").write_text(SCENARIO)
    run(takt, work, plant, "spike", "--scenario", work / "steps.toml")
    recording = recorded(work / "spike" / "signals.csv")
    with Browser(work) as browser:
        browser.open(work / "spike" / "report.html")
        check_zoom(browser, recording)
        check_keys(browser, recording)
        mark(browser, "electric.source.v")
        browser.run("[...document.querySelectorAll('figure[data-try] button')].find((one) => one.textContent === 'CSV').click()")
        for _ in range(100):
            if list(work.glob("*.csv")):
                break
            time.sleep(0.1)
        expect("the button saves a file", [file.name for file in work.glob("*.csv")] and next(work.glob("*.csv")).read_text().startswith("time [s],"))
        expect("nothing went wrong in the browser", not browser.errors(), browser.errors())
    run(takt, work, plant, "other", "--set", "electric.r.r=200 Ohm")
    subprocess.run([takt, "report", work / "spike", work / "other", "--out", work / "both.html"], check=True)
    check_layout(takt, work, "spike", work / "spike" / "report.html")
    check_layout(takt, work, "both", work / "both.html")
    run(takt, work, PLANTS / "ev", "ev", "--for", "60 s", "--set", "solo=1")
    check_layout(takt, work, "ev", work / "ev" / "report.html")
    run(takt, work, PLANTS / "bev", "bev", "--for", "20 s")
    check_layout(takt, work, "bev", work / "bev" / "report.html")
