#!/usr/bin/env python3
"""The page of takt view in chromium: what it shows is what is recorded, what is clicked is done, layouts stay, a death is told. Pictures of it
are left in the work folder.

    view_browser_test.py --takt build/release/bin/takt --work DIR"""
import csv
import os
import signal
import sys
import time

import tap_test
from browser import Browser
from built_plants import build, takt_and_work
from tap_test import Run, eventually, expect
from view_test import RECORDED, actions_of
from web_socket import View

TEXT = tap_test.TEXT.replace('v = "a"', 'v = "a + 4 V*sin(2*pi*5 Hz*time)"')
READY = "return window.takt?.store.count > arguments[0]"


def begun(program, work, name):
    run = Run(program, work / name, "--pace", "real", "--late", "any", "--for", "600 s")
    run.client().close()
    return run


def address(view, run):
    return f"http://127.0.0.1:{view.port}/#{run.directory.resolve()}"


def click_text(browser, place, text):
    """The button with this text."""
    browser.run("[...document.querySelector(arguments[0]).querySelectorAll('button')].find((one) => one.textContent === arguments[1]).click()", place, text)


def check_values(browser, view, program, work):
    run = begun(program, work, "shown")
    browser.visit(address(view, run))
    browser.wait(READY, 100)
    expect("panels are there of what is recorded", set(RECORDED) <= set(browser.run("return takt.panels.flatMap((panel) => panel.paths)")))
    browser.wait("return takt.store.newest - takt.store.oldest > 4")
    browser.picture(work / "light.png")
    frames = browser.run("return new Promise((done) => { let count = 0; const begin = performance.now(); const step = () => { ++count; if (performance.now() - begin > 2000) done(count / 2); else requestAnimationFrame(step); }; step(); })")
    print(f"     {frames} frames a second")
    browser.run("takt.view.freeze()")
    seen = browser.run("""const rows = [], {store} = takt;
        for (let row = store.first; row < store.count; ++row) rows.push([store.time(row), ...arguments[0].map((path) => store.value(path, row))]);
        return rows""", RECORDED)
    shown = browser.run("return [...document.querySelectorAll('.number')].map((tile) => [tile.querySelector('.name').textContent, tile.querySelector('b').textContent])")
    at_end = browser.run("return arguments[0].map((path) => takt.store.value(path, takt.store.row_at(takt.view.end)))", RECORDED)
    for path, value in zip(RECORDED, at_end):
        text = dict(shown).get(path, "")
        expect(f"the number of {path} is that of its time", text and abs(float(text.split()[0]) - value) <= 1e-5 * abs(value), (text, value))
    browser.run("document.querySelector('canvas.plot').focus()")
    browser.run("takt.view.place('a', takt.view.end - 1); takt.view.place('b', takt.view.end - 0.5)")
    browser.settle()
    table = browser.run("return [...document.querySelectorAll('table.readout tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    expect("cursors have both values and the difference", any(row[0].startswith(RECORDED[0]) and abs(float(row[2]) - float(row[1]) - float(row[3])) < 1e-6 for row in table if len(row) == 4 and row[1]), table)
    browser.click('nav [data-tab="steer"]')
    click_text(browser, "#steer", "checkpoint")
    expect("a checkpoint is taken", eventually(lambda: any(run.directory.glob("checkpoint*"))), list(run.directory.iterdir()))
    run.client().ask("stop")
    run.finish()
    with (run.directory / "signals.csv").open() as file:
        rows = list(csv.reader(file))
    order = [next(k for k, head in enumerate(rows[0]) if head.startswith(path)) for path in RECORDED]
    recorded = {round(float(row[0]) * 1e9): [float(row[k]) for k in order] for row in rows[1:]}
    both = [(row, recorded[round(row[0] * 1e9)]) for row in seen if round(row[0] * 1e9) in recorded]
    expect("the page holds the values of signals.csv at the same times", len(both) > 100 and all(row[1:] == values for row, values in both), len(both))
    expect("the page says that it has ended", browser.wait("return document.getElementById('phase').textContent.includes('ended in order')"))
    expect("and offers the report", browser.wait("return !document.getElementById('report').hidden"))


def check_spike(browser):
    """One sample of a million is in every picture."""
    found = browser.run("""const store = new takt.store.constructor(1 << 18); store.keep(['x']);
        const rows = new Float64Array(2 * 200000); for (let k = 0; k < 200000; ++k) rows[2 * k] = k * 1e6, rows[2 * k + 1] = k === 123457 ? 1 : 0;
        store.push(['x'], 200000, 2, rows);
        return [10, 100, 1000, 7777, 100000].map((width) => { let seen = 0; for (let at = 0; at < 200000; at += width) if (store.extremes('x', at, at + width)[1] === 1) ++seen; return seen; })""")
    expect("a spike of one sample is seen at every zoom, in one pixel", found == [1, 1, 1, 1, 1], found)


def check_steering(browser, view, program, work):
    run = begun(program, work, "steered")
    browser.visit(address(view, run))
    browser.wait(READY, 20)
    browser.click('nav [data-tab="steer"]')
    browser.wait("return document.querySelectorAll('#steer .input').length === 3")
    browser.run("const slider = document.querySelector('#steer .input input[type=range]'); slider.value = 1.5; slider.dispatchEvent(new Event('input'))")
    expect("a slider acts", eventually(lambda: 1.5 in [value for _, value in run.inputs().get("a", [])]), run.inputs())
    browser.run("""const path = document.querySelector('[aria-label="path of a fault"]'), value = document.querySelector('[aria-label="what goes wrong"]');
        path.value = 'electric.c_a'; value.value = 'aged'; value.parentElement.querySelector('button').click()""")
    expect("a fault is injected", eventually(lambda: any(row[1:3] == ("inject", "electric.c_a") for row in actions_of(run))), actions_of(run))
    browser.wait("return document.querySelectorAll('#active li').length === 2")
    browser.picture(work / "steer.png")
    browser.click("#release_all")
    browser.wait("return document.getElementById('active').hidden")
    expect("all is released", eventually(lambda: {("release", "a"), ("clear", "electric.c_a")} <= {row[1:3] for row in actions_of(run)}), actions_of(run))

    browser.click('nav [data-tab="signals"]')
    browser.click("#add")
    browser.run("const filter = document.getElementById('filter'); filter.value = 'r_a.i'; filter.dispatchEvent(new Event('input')); document.querySelector('#signals button').click()")
    browser.run("const kind = [...document.querySelectorAll('.panel select')].at(-1); kind.value = 'spectrum'; kind.dispatchEvent(new Event('change'))")
    layout = browser.run("return takt.panels.map((panel) => panel.json())")
    browser.visit("about:blank")
    browser.visit(address(view, run))
    browser.wait(READY, 20)
    expect("a layout is there again after a reload", browser.run("return takt.panels.map((panel) => panel.json())") == layout and layout[-1] == {"kind": "spectrum", "paths": ["electric.r_a.i"]}, layout)
    browser.wait(READY, 600)
    browser.picture(work / "spectrum.png")
    browser.click('nav [data-tab="time"]')
    browser.wait("return takt.status.history.length > 3")
    browser.picture(work / "time.png")

    at = time.monotonic()
    run.process.send_signal(signal.SIGKILL)
    browser.wait("return document.getElementById('phase').textContent.includes('killed')")
    print(f"     a death was told after {time.monotonic() - at:.2f} s")
    run.process.communicate()


def check_stop(browser, view, program, work):
    run = begun(program, work, "stopped")
    browser.visit(address(view, run))
    browser.wait(READY, 20)
    browser.click('nav [data-tab="steer"]')
    browser.run("window.confirm = () => true")
    browser.wait("return document.getElementById('stop')")
    browser.click("#stop")
    code, _ = run.finish()
    expect("stop ends the run in order, before its time", code == 4, code)


def main():
    takt, work = takt_and_work()
    program = build(takt, work, "a", TEXT)
    os.environ["USER"] = "ana"
    with View(takt) as view:
        with Browser(work.resolve()) as browser:
            check_values(browser, view, program, work)
            check_spike(browser)
            check_steering(browser, view, program, work)
            check_stop(browser, view, program, work)
            problems = [one for one in browser.errors() if "WebSocket" not in one]
            expect("the browser complains of nothing", not problems, problems)
        run = begun(program, work, "pictures")
        for name, width, height, dark in (("dark", 1440, 900, True), ("phone", 390, 844, False)):
            with Browser(work.resolve(), width, height, dark) as browser:
                browser.visit(address(view, run))
                browser.wait(READY, 2000)
                browser.picture(work / f"{name}.png")
                expect(f"nothing is wider than the window ({name})", browser.run("return document.documentElement.scrollWidth <= window.innerWidth"))
                browser.click('nav [data-tab="steer"]')
                browser.picture(work / f"{name}_steer.png")
        run.client().ask("stop")
        run.finish()
    print(f"{len(tap_test.failures)} failures")
    return 1 if tap_test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
