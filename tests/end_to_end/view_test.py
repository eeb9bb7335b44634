#!/usr/bin/env python3
"""takt view: what its page is told of a run and does to it, by a client that speaks as the page does.

    view_test.py --takt build/release/bin/takt --work DIR"""
import csv
import json
import os
import re
import signal
import sys

import tap_test
from built_plants import build, takt_and_work
from tap_test import PATIENCE, Run, eventually, expect
from web_socket import HandshakeRefused, Talk, View

RECORDED = ["electric.c_a.v", "electric.c_b.v", "electric.c_c.v"]


def begun(program, work, name, *options):
    run = Run(program, work / name, "--pace", "real", "--late", "any", "--for", "300 s", *options)
    run.client().close()  # its tap is there
    return run


def actions_of(run):
    """-> [(author, verb, path, argument)]"""
    file = run.directory / "actions.csv"
    rows = list(csv.reader(file.open())) if file.exists() else []
    return [tuple(row[1:5]) for row in rows if len(row) == 5 and row[0].isdigit()]


def check_pages(view):
    status, headers, body = view.get("/")
    expect("the page is there", status == 200 and b"<title>Takt</title>" in body, status)
    expect("the page loads nothing from elsewhere", "default-src 'self'" in headers["Content-Security-Policy"] and b"http" not in body.replace(b"http-equiv", b""), headers)
    wanted, seen = set(re.findall(r'(?:src|href)="([\w.]+)"', body.decode())), set()
    while wanted - seen:
        name = (wanted - seen).pop()
        seen.add(name)
        status, headers, body = view.get("/" + name)
        expect(f"{name} is there", status == 200 and headers["X-Content-Type-Options"] == "nosniff", status)
        wanted |= set(re.findall(r'from "\./([\w.]+)"', body.decode()))
    expect("all modules were seen", {"app.js", "store.js", "style.css"} <= seen, seen)


def check_values(view, run):
    """Rows of a watch are those of signals.csv, at the same times, to the last bit that it has."""
    talk = Talk(view.port, str(run.directory))
    expect("it says which plant this is", talk.hello["plant"] == "a_plant" and talk.hello["right"] == "steer", talk.hello)
    inputs = [row for row in talk.ask("list", pattern="a")["rows"] if row["role"] == "plant_input"]
    expect("inputs have a start and a safe value", {"path": "a", "unit": "V", "role": "plant_input", "start": 1.0, "safe": 0.0} in inputs, inputs)
    begun = talk.ask("watch", paths=RECORDED, every="10 ms")
    expect("a watch begins", begun["ok"] and begun["every_ns"] == 10_000_000, begun)
    expect("an input is set", talk.ask("set", path="a", value=5.0)["ok"])
    while len(talk.rows.get(begun["watch"], [])) < 40:
        talk.step()
    talk.ask("stop")
    while talk.step() is not None:
        pass
    run.finish()
    with (run.directory / "signals.csv").open() as file:
        rows = list(csv.reader(file))
    recorded = {round(float(row[0]) * 1e9): [float(cell) for cell in row[1:]] for row in rows[1:]}
    order = [next(k for k, head in enumerate(rows[0][1:]) if head.startswith(path)) for path in begun["paths"]]
    rows = talk.rows[begun["watch"]]
    wrong = [(time, values) for time, values in rows if [recorded[time][k] for k in order] != list(values)]
    expect("the page has the values of signals.csv", not wrong, wrong[:3])
    expect("and its last words", talk.messages[-1].get("view") == "lost" and any(message.get("ended") and message["phase"] == "ended" for message in talk.messages), talk.messages[-3:])


def check_steering(view, program, work):
    run = begun(program, work, "steered")
    talk, other = Talk(view.port, str(run.directory)), Talk(view.port, str(run.directory))
    me = talk.hello["name"]
    expect("the author is a page", me.endswith("(takt view)"), me)
    for verb, path, value in (("set", "a", "5 V"), ("override", "b", "7 V"), ("inject", "electric.c_a", "aged")):
        expect(f"{verb}", talk.ask(verb, path=path, value=value)["ok"])
    other.until(lambda message: message.get("view") == "active" and len(message["active"]) == 3)
    expect("other pages see what is active, and by whom", {(one["verb"], one["path"], one["author"]) for one in other.active} == {("set", "a", me), ("override", "b", me), ("inject", "electric.c_a", me)}, other.active)
    answer = other.ask("release_all")
    expect("all is released by one", answer["ok"] and "effective_s" in answer, answer)
    expect("and nothing is active", other.active == [] or other.until(lambda message: message.get("view") == "active" and message["active"] == []), other.active)
    expect("a release of nothing is good", other.ask("release_all")["ok"])
    late = Talk(view.port, str(run.directory))
    late.until(lambda message: message.get("view") == "active")
    expect("who comes later sees the same", late.active == [], late.active)
    refused = talk.ask("set", path="nothing", value=1.0)
    expect("what is wrong is told", not refused["ok"] and "nothing" in refused["error"], refused)
    expect("a fault of an element is refused in the plant's own words", "error" in talk.ask("inject", path="electric.c_a", value="melts"))
    talk.ask("set", path="c", value="3 V", lease=True)
    talk.close()
    other.until(lambda message: "is lost" in message.get("event", "") or "connection is lost" in message.get("event", ""))
    expect("what was leased ends with the page", eventually(lambda: any(row[1:3] == ("release", "c") for row in actions_of(run))), actions_of(run))
    expect("stop", other.ask("stop")["ok"])
    code, _ = run.finish()
    expect("the run ended in order, before its time", code == 4, (code, run.errors))
    expect("inputs are in their log", [value for _, value in run.inputs()["a"]] == [1.0, 5.0], run.inputs())
    done = {row[:3] for row in actions_of(run)}
    wanted = {(me, "override", "b"), (me, "inject", "electric.c_a"), (me, "release", "a"), (me, "release", "b"), (me, "clear", "electric.c_a")}
    expect("all of it stands in actions.csv with its author", wanted <= done, done)
    status, _, body = view.get("/report?run=" + str(run.directory))
    expect("the report is offered", status == 200 and b"<!DOCTYPE html>" in body, status)


def check_death(view, program, work):
    run = begun(program, work, "killed")
    talk = Talk(view.port, str(run.directory))
    run.process.send_signal(signal.SIGKILL)
    end = talk.until(lambda message: message.get("ended"))
    expect("a plant that was killed is told apart from one that has ended", end["phase"] != "ended", end)
    run.process.communicate()


def check_rights(takt, program, work):
    run = begun(program, work, "looked_at")
    with View(takt, "--always-token") as view:
        expect("the tokens are different", len(view.token) == 32 and len(view.look_token) == 32 and view.token != view.look_token)
        expect("no token, no page", view.get("/")[0] == 403)
        for wrong in ("x" * 32, view.token[:-1], view.token + "0", ""):
            try:
                Talk(view.port, str(run.directory), wrong)
                expect(f"token '{wrong}' is refused", False)
            except HandshakeRefused as refused:
                expect("a wrong token is refused", refused.status == 403)
        status, headers, _ = view.get("/?token=" + view.look_token)
        cookie = headers["Set-Cookie"]
        expect("a token becomes a cookie, and leaves the address", status == 303 and headers["Location"] == "/" and "HttpOnly" in cookie and "SameSite=Strict" in cookie, headers)
        expect("the cookie is let in", view.get("/", {"Cookie": cookie.split(";")[0]})[0] == 200)
        look = Talk(view.port, str(run.directory), headers={"Cookie": cookie.split(";")[0]})
        for verb, fields in (("set", {"path": "a", "value": 2.0}), ("stop", {}), ("release_all", {}), ("lease", {}), ("tune", {"path": "x", "value": 1}), ("pause", {})):
            answer = look.ask(verb, **fields)
            expect(f"the token for looking does not let {verb}", not answer["ok"] and "token" in answer["error"], answer)
        answer = look.ask(actions=[{"verb": "set", "path": "a", "value": 2.0}])
        expect("nor a list of actions", not answer["ok"] and "token" in answer["error"], answer)
        expect("it lets read", look.ask("read", paths=["a"])["values"] == [1.0])
        steer = Talk(view.port, str(run.directory), view.token)
        expect("the other token lets steer", steer.ask("stop")["ok"])
    run.finish()


def main():
    takt, work = takt_and_work()
    program = build(takt, work, "a", tap_test.TEXT)
    os.environ["USER"] = "ana"
    run = begun(program, work, "watched")
    with View(takt, cwd=work) as view:
        listed = json.loads(view.get("/api/runs")[2])
        expect("a run of this machine is found", {"run": str(run.directory.resolve()), "name": "watched", "open": True, "report": False} in listed["runs"], listed)
        check_pages(view)
        check_values(view, run)
        check_steering(view, program, work)
        check_death(view, program, work)
        expect("takt view ends in order", view.stop() == 0)
    check_rights(takt, program, work)
    print(f"{len(tap_test.failures)} failures")
    return 1 if tap_test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
