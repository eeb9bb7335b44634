#!/usr/bin/env python3
"""What a stranger tries on the port of takt view: other names, pages of other sites, paths, frames, slowness, numbers. None of it reaches a
run, and an honest client is served at the same time.

    view_attacks_test.py --takt build/release/bin/takt --work DIR"""
import re
import socket
import sys
import time

import tap_test
from built_plants import build, takt_and_work
from tap_test import PATIENCE, Run, expect
from web_socket import CLOSE, PING, TEXT, HandshakeRefused, Talk, View, WebSocket


def refused(view, headers, target="/talk"):
    """-> status of a handshake that must not succeed"""
    try:
        WebSocket(view.port, target, headers).close()
    except HandshakeRefused as error:
        return error.status
    return 101


def check_names(view):
    for host in ("evil.example", "evil.example:8800", "localhost.evil.example", "127.0.0.1.evil.example", "", "2130706433x", "[::1].evil.example"[5:]):
        expect(f"Host '{host}' is refused (DNS rebinding)", view.get("/", {"Host": host})[0] in (400, 403), host)
        expect(f"Host '{host}' opens no WebSocket", refused(view, {"Host": host}) in (400, 403), host)
    for host in (f"127.0.0.1:{view.port}", f"localhost:{view.port}", "localhost", f"[::1]:{view.port}"):
        expect(f"Host '{host}' is served", view.get("/", {"Host": host})[0] == 200, host)
    own = f"http://127.0.0.1:{view.port}"
    for origin in ("http://evil.example", "null", f"http://localhost:{view.port}", "http://127.0.0.1:1", own + ".evil.example", own + "0", "file://", "https://app.foxglove.dev"):
        expect(f"a page of {origin} opens no WebSocket", refused(view, {"Origin": origin}) == 403)
        expect(f"a page of {origin} reads nothing", view.get("/api/runs", {"Origin": origin})[0] == 403)
    WebSocket(view.port, "/talk", {"Origin": own}).close()
    expect("our own page does", True)


def check_paths(view, run):
    for path in ("/../../../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/page/../app.js", "/app.js/..", "/%2e%2e/app.js", "/index.html%00.js", "/style.css?/../x/y/../../../a", "*"):
        status, _, body = view.get(path)
        expect(f"{path} leads nowhere", status in (400, 404) or (status == 200 and b"root:" not in body and path.startswith("/style.css")), status)
    for directory in ("/etc", str(run.directory) + "/..", str(run.directory) + "/", "../../etc", "", str(run.directory)):
        status, _, body = view.get("/report?run=" + directory)
        expect(f"no report of '{directory}'", status == 404, status)
        if directory and directory != str(run.directory):
            expect(f"no talk with '{directory}'", refused(view, {}, "/talk?run=" + directory) == 404)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "HEAD"):
        expect(f"{method} is not served", view.get("/", method=method)[0] in (200, 405) and (method == "HEAD" or view.get("/", method=method)[0] == 405))


def raw(view, data, patience=PATIENCE):
    """-> what is answered to these bytes until the end of the stream"""
    with socket.create_connection(("127.0.0.1", view.port), timeout=patience) as connection:
        answer = b""
        try:
            connection.sendall(data)
            while piece := connection.recv(65536):
                answer += piece
        except ConnectionError:
            pass
        return answer


def check_http(view):
    for what, data in (("noise", bytes(range(256)) * 4), ("endless header", b"GET / HTTP/1.1\r\nX: " + b"a" * 100_000), ("many headers", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000),
                       ("endless target", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n"), ("a body", b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n" + b"x" * 1000),
                       ("two requests in one", b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n"),
                       ("another version", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")):
        answer = raw(view, data)
        expect(f"{what}: the connection ends, with {answer[:12]}", b"<title>" not in answer and not answer.startswith(b"HTTP/1.1 101"))


def check_frames(view):
    """Each ends its own conversation, in order or not, and no other."""
    for what, attack in (("a frame of 2^62 bytes", lambda talk: talk.send_frame(TEXT, b"x" * 10, length=1 << 62)), ("a frame of 1 MiB", lambda talk: talk.send_frame(TEXT, b"[" * (1 << 20))),
                         ("a message of endless fragments", lambda talk: [talk.send_frame(TEXT if k == 0 else 0, b"x" * 1000, is_last=False) for k in range(100)]),
                         ("text that is no UTF-8", lambda talk: talk.send_frame(TEXT, b"\xff\xfe")), ("an opcode that is none", lambda talk: talk.send_frame(5, b"x")),
                         ("a ping of 200 bytes", lambda talk: talk.send_frame(PING, b"x" * 200)), ("a close of one byte", lambda talk: talk.send_frame(CLOSE, b"x"))):
        talk = Talk(view.port)
        try:
            attack(talk)
            while talk.step() is not None:
                pass
        except OSError:
            pass
        expect(f"{what} ends the conversation", True)
        talk.close()
    talk = Talk(view.port)
    for what, text in (("no JSON", "{"), ("no object", "[]"), ("depth", "[" * 60_000), ("another's id", '{"id":"view:release","verb":"stop"}'), ("two lines", '{"id":1,"verb":"hello\\n{\\"verb\\":\\"stop\\"}"}'),
                       ("a verb of the tap that is not for pages", '{"id":1,"verb":"hello","name":"root"}'), ("no verb", '{"id":1}'), ("many members", '{"id":1,' + ",".join(f'"m{k}":0' for k in range(3000)) + "}")):
        talk.send(text)
        answer = talk.until(lambda message: "ok" in message)
        expect(f"{what} is refused, and the conversation goes on", answer["ok"] is False, answer)
    talk.send_frame(2, b"\x01\x02\x03")
    expect("bytes are refused", talk.until(lambda message: "ok" in message)["ok"] is False)
    expect("it can still ask", talk.ask("status")["phase"] == "running")
    talk.close()


def check_slow(view):
    """One that asks for much and reads nothing is dropped; what the plant does is not held up."""
    honest = Talk(view.port)
    before = honest.ask("status")["macro_steps"]
    slow = Talk(view.port)
    slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    for number in range(8):
        slow.send(f'{{"id":{number + 10},"verb":"watch","paths":["*"],"every_ns":1000000}}')
    until, gone = time.monotonic() + PATIENCE, False
    while not gone and time.monotonic() < until:
        time.sleep(0.1)
        honest.ask("status")
        try:  # it never reads: that it is gone is seen in what it sends
            slow.send('{"id":1,"verb":"status"}')
        except OSError:
            gone = True
    expect("a client that reads nothing is dropped", gone)
    status = honest.ask("status")
    expect("the run went on", status["macro_steps"] > before, status)
    honest.close()


def check_numbers(view):
    """Connections that say nothing give way to those that ask."""
    honest = Talk(view.port)
    held = []
    for _ in range(600):
        held.append(socket.create_connection(("127.0.0.1", view.port), timeout=PATIENCE))
    expect("with 600 silent connections a page is served", view.get("/")[0] == 200)
    expect("and a conversation goes on", honest.ask("status")["ok"])
    for one in held:
        one.close()
    talks, status = [], None
    while status is None and len(talks) < 60:
        try:
            talks.append(Talk(view.port))
        except HandshakeRefused as error:
            status = error.status
    expect("conversations have a limit, too", status == 503 and len(talks) >= 10, (status, len(talks)))
    for one in talks:
        one.close()
    expect("after which there is room again", honest.ask("status")["ok"])
    honest.close()


def main():
    takt, work = takt_and_work()
    program = build(takt, work, "a", tap_test.TEXT)
    run = Run(program, work / "attacked", "--pace", "real", "--late", "any", "--for", "600 s")
    client = run.client()
    with View(takt, str(run.directory)) as view:
        check_names(view)
        check_paths(view, run)
        check_http(view)
        check_frames(view)
        check_numbers(view)
        check_slow(view)
        expect("takt view ends in order", view.stop() == 0)
        refused, slow, silent = (int(one) for one in re.findall(r"(\d+) (?:clients|closed|that)", view.errors))
        expect("and has counted them", refused > 10 and slow >= 1 and silent > 100, view.errors)
    expect("nothing was done to the run", not (run.directory / "actions.csv").exists() or "takt view" not in (run.directory / "actions.csv").read_text())
    client.ask("stop")
    run.finish()
    print(f"{len(tap_test.failures)} failures")
    return 1 if tap_test.failures else 0


sys.exit(main())
