#!/usr/bin/env python3
"""The network of a plant in chromium: parts unfold without overlap, boxes tell what they are, keys and search, contrast; the values in a report are those of
the recording. Pictures of it are left in the work folder.

    picture_browser_test.py --takt build/release/bin/takt --work DIR"""
import csv
import pathlib
import subprocess
import sys

from browser import Browser
from built_plants import takt_and_work

PLANTS = pathlib.Path(__file__).resolve().parents[2] / "config/plants"
NETWORK = "document.querySelector('.picture').network"
# Boxes that hold no open part, as they are on the screen.
OVERLAPS = """const found = [], boxes = [...document.querySelectorAll('.frame:not([hidden]) > .box:not(.open)')].map((box) => [box, box.querySelector('rect').getBoundingClientRect()]);
for (let a = 0; a < boxes.length; ++a) for (let b = a + 1; b < boxes.length; ++b) {
  const [, one] = boxes[a], [, other] = boxes[b];
  if (one.left < other.right - 0.1 && other.left < one.right - 0.1 && one.top < other.bottom - 0.1 && other.top < one.bottom - 0.1) found.push(boxes[a][0].textContent + ' / ' + boxes[b][0].textContent);
}
return [boxes.length, found]"""
# Smallest contrast of text to what is behind it, by the formula of WCAG 2.
CONTRAST = """const numbers = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
const light = (colour) => { const [r, g, b] = numbers(colour).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
let least = [100, ''];
for (const text of document.querySelectorAll('.network .box text:not(.now), .network .head, .network .w')) {
  const rect = text.parentElement.querySelector(':scope > rect'), port = text.closest('.port, .input');
  const behind = text.closest('.box') && !port ? getComputedStyle(rect).fill : getComputedStyle(document.querySelector('.network .edge')).fill;
  const [low, high] = [light(behind), light(getComputedStyle(text).fill)].sort((a, b) => a - b), ratio = (high + 0.05) / (low + 0.05);
  if (ratio < least[0]) least = [ratio, text.textContent];
}
return least"""
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:300], flush=True)
    if not condition:
        failures.append(what)


def check_unfolding(browser, work):
    count, found = browser.run(OVERLAPS)
    expect("folded: no box lies on another", not found and count > 150, (count, found[:3]))
    browser.picture(work / "folded.png")
    browser.run("[...document.querySelectorAll('.box.part')].find((box) => box.getAttribute('aria-label').startsWith('solid.pack[2]')).focus()")
    browser.press("\ue007")  # Enter
    more, found = browser.run(OVERLAPS)
    expect("Enter unfolds the part that has the focus", not found and more > count, (more, found[:3]))
    expect("and says so", browser.run("return document.activeElement.getAttribute('aria-expanded')") == "true")
    browser.run(f"{NETWORK}.fold_all(true)")
    all_of_them, found = browser.run(OVERLAPS)
    expect("all parts unfolded: no box lies on another", not found and all_of_them > more, (all_of_them, found[:3]))
    ends = browser.run(f"""const far = []; const net = {NETWORK};
        net.frames.forEach((frame) => frame.diagram.wires.forEach((wire, w) => {{ const path = frame.nets[w].querySelector('path'), length = path.getTotalLength();
          if (!(length > 0)) far.push(frame.diagram.name); }}));
        return far""")
    expect("every wire is still there", not ends, ends)
    browser.picture(work / "unfolded.png")
    browser.run(f"{NETWORK}.fold_all(false)")
    expect("folded again", browser.run(OVERLAPS)[0] == count)


def check_telling(browser):
    browser.run(f"{NETWORK}.go_to('electric.motor')")
    told = browser.run("return document.querySelector('.picture aside').textContent")
    expect("a box tells its type, line, signals, faults, what belongs to it",
           all(text in told for text in ("electric.pmsm_quasi_stationary", "plant.toml, line", "[electric.motor]", "electric.motor.torque", "solid.slots")), told)
    expect("what belongs to it is marked", browser.run("return document.querySelectorAll('.box.tied').length") >= 3)
    browser.run("const search = document.querySelector('.picture input[type=search]'); search.value = 'pack heat_transfer'; search.dispatchEvent(new Event('input'))")
    found = int(browser.run("return document.querySelector('.picture .found').textContent").split()[0])
    expect("the search finds words of paths and types", found == 4 * 6, found)
    browser.run("document.querySelector('.picture input[type=search]').focus()")
    browser.press("\ue007")
    expect("Enter goes to the first, in its unfolded part", "heat_transfer" in browser.run("return document.querySelector('.picture aside').textContent"))
    browser.press("escape")


def check_values(browser, work):
    """What stands in the boxes of a report are the last recorded values; at a cursor, those of its time."""
    browser.open(work / "run" / "report.html")
    browser.settle()
    with (work / "run" / "signals.csv").open() as file:
        rows = list(csv.reader(file))
    for cursor, row in ((None, rows[-1]), (float(rows[len(rows) // 2][0]), rows[len(rows) // 2])):
        if cursor is not None:
            browser.run("page.view.a = arguments[0]; page.view.draw()", cursor)
            browser.settle()
            browser.settle()
        shown = dict(browser.run(f"return [...{NETWORK}.values].map(([path, [value, unit]]) => [path, [value, unit]])"))
        for head, text in zip(rows[0][1:], row[1:]):
            path, unit = head.removesuffix("]").split(" [")
            value, shown_unit = shown.get(path, (None, ""))
            scale = 1e-3 if shown_unit == "m" + unit else 1.0
            expect(f"{path} at {cursor or 'the end'}", value is not None and abs(value * scale - float(text)) <= 2e-6 * max(abs(float(text)), 1e-3), (value, shown_unit, text))
    expect("they stand in the boxes", browser.run("return document.querySelectorAll('.picture .box .now').length") >= 2)
    expect("the report is below 2 MB", (work / "run" / "report.html").stat().st_size < 2_000_000)


def main():
    takt, work = takt_and_work()
    work = work.resolve()
    Browser(work).__exit__()  # says so where there is none
    subprocess.run([takt, "check", PLANTS / "bev", "--graph", work / "bev.html"], check=True, capture_output=True)
    subprocess.run([takt, "run", PLANTS / "rc", "--pace", "free", "--for", "100 ms", "--audit", "off", "--build-dir", work / "built", "--out", work / "run"], check=True, capture_output=True)
    for name, width, height, dark in (("light", 1440, 900, False), ("dark", 1440, 900, True), ("phone", 500, 844, False)):
        with Browser(work, width, height, dark) as browser:
            browser.visit((work / "bev.html").as_uri())
            least, text = browser.run(CONTRAST)
            expect(f"{name}: text has the contrast of WCAG AA", least >= 4.5, (least, text))
            expect(f"{name}: nothing is wider than the window", browser.run("return document.documentElement.scrollWidth <= window.innerWidth"))
            browser.picture(work / f"{name}.png")
            if name == "light":
                check_unfolding(browser, work)
                check_telling(browser)
                check_values(browser, work)
                browser.picture(work / "report.png")
                browser.printed(work / "report.pdf")
            expect(f"{name}: the browser complains of nothing", not browser.errors(), browser.errors())
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
