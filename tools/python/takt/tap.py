"""One connection to the tap of a run: runtime/tap/README.md has the language. A thread of its own reads, so that nothing is dropped
because a test is busy with something else."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
from collections import deque
from pathlib import Path
from typing import Any

from .errors import Event, Refused

KEPT_EVENTS = 1000


class Closed(Exception):
    """The connection is no more; Tap.phase tells whether the run has said good-bye."""


class Watch:
    """Rows of one subscription, as they come; Tap guards them."""

    def __init__(self, answer: dict[str, Any]) -> None:
        self.number: int = answer["watch"]
        self.paths: list[str] = answer["paths"]
        self.units: list[str] = answer["units"]
        self.every_ns: int = answer["every_ns"]
        self.from_ns: int = answer["from_ns"]
        self.rows: deque[tuple[int, bytes]] = deque()  # time, doubles
        self.seen_ns = -1  # time of the last one
        self.tap: Tap | None = None


class Tap:
    """@raise OSError: nobody answers in this directory"""

    def __init__(self, directory: Path, name: str) -> None:
        self._socket = connected(directory)
        self._input = self._socket.makefile("rb", buffering=1 << 20)
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._watches: dict[int, Watch] = {}
        self._awaited: dict[int, dict[str, Any]] = {}  # what has come of conditions, by their numbers
        self._scoped: deque[tuple[dict[str, Any], bytes]] = deque()  # what the scope has found, as it comes
        self._name = name
        self.events: deque[Event] = deque(maxlen=KEPT_EVENTS)
        self.refused: list[Event] = []  # actions that were taken up, and could not be done later
        self._noted = 0  # number of the last one
        self.closed = False
        self.phase = ""  # "ended": in order; another: the plant's process was killed; "": nobody said so
        threading.Thread(target=self._read, name="takt tap", daemon=True).start()
        try:
            self.plant = self.ask("hello", name=name)
            self.ask("events", follow=True)
        except (Closed, Refused) as error:
            self.close()
            raise ConnectionError(str(error)) from None

    def ask(self, verb: str, **fields: object) -> dict[str, Any]:
        """@raise Refused, Closed"""
        return self.answer(self.send(verb, **fields))

    def send(self, verb: str, **fields: object) -> int:
        """-> number of the request, for answer()"""
        with self._sending:
            self._number += 1
            number = self._number
            with contextlib.suppress(OSError):  # what has come before says why
                self._socket.sendall(json.dumps({"id": number, "verb": verb, **fields}).encode() + b"\n")
        return number

    def answer(self, number: int, timeout: float | None = None) -> dict[str, Any]:
        """@raise Refused, Closed: none comes any more, or none came so many seconds long"""
        with self._changed:
            self._changed.wait_for(lambda: number in self._answers or self.closed, timeout)
            if number not in self._answers:
                raise Closed("the tap has closed the connection, or does not answer")
            answer = self._answers.pop(number)
        if not answer["ok"]:
            raise Refused(answer["error"])
        return answer

    def watch(self, paths: list[str], every_ns: int) -> Watch:
        answer = self.ask("watch", **{"paths": paths, "every_ns": every_ns, "as": "doubles"})
        with self._changed:
            watch = self._watches[answer["watch"]]
            watch.tap = self
            return watch

    def scoped(self, number: int, timeout: float | None) -> tuple[dict[str, Any], bytes] | None:
        """The next that this scope has found; waits so many seconds for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._scoped or self.closed, timeout)
            while self._scoped:
                found = self._scoped.popleft()
                if found[0]["scope"] == number:
                    return found
            return None

    def awaited(self, number: int, timeout: float | None) -> dict[str, Any] | None:
        """What has come of this condition; waits so many seconds for it."""
        with self._changed:
            self._changed.wait_for(lambda: number in self._awaited or self.closed, timeout)
            return self._awaited.pop(number, None)

    def unwatch(self, watch: Watch) -> None:
        with contextlib.suppress(Refused, Closed):
            self.ask("unwatch", watch=watch.number)
        with self._changed:
            self._watches.pop(watch.number, None)

    def row(self, watch: Watch, timeout: float = 0.0) -> tuple[int, bytes] | None:
        """The next one; waits so many seconds for it."""
        with self._changed:
            self._changed.wait_for(lambda: watch.rows or self.closed, timeout)
            return watch.rows.popleft() if watch.rows else None

    def rows(self, watch: Watch) -> list[tuple[int, bytes]]:
        """All that have come."""
        with self._changed:
            rows = list(watch.rows)
            watch.rows.clear()
        return rows

    def wait_for_rows(self, time_ns: int) -> None:
        """Of all watches up to this time."""
        with self._changed:
            for watch in self._watches.values():
                due = time_ns - (time_ns - watch.from_ns) % watch.every_ns
                if due >= watch.from_ns:
                    self._changed.wait_for(lambda watch=watch, due=due: watch.seen_ns >= due or self.closed)  # type: ignore[misc]

    def doubles_a_step(self, macro_step_ns: int) -> float:
        """That are sent to all watches."""
        with self._changed:
            return sum((len(watch.paths) + 4) * macro_step_ns / watch.every_ns for watch in self._watches.values())

    def wait_for_end(self, timeout: float | None) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.closed, timeout)

    def last_events(self) -> list[Event]:
        with self._changed:
            return list(self.events)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _read(self) -> None:
        try:
            for line in iter(self._input.readline, b""):
                message = json.loads(line)
                rest = self._input.read(message.get("bytes", 0))
                if len(rest) < message.get("bytes", 0):
                    break  # who sent it died in the middle
                with self._changed:
                    self._take(message, rest)
                    self._changed.notify_all()
        except (OSError, ValueError):
            pass  # broken off in the middle of a line
        finally:
            self._input.close()
            with self._changed:
                self.closed = True
                self._changed.notify_all()

    def _take(self, message: dict[str, Any], rest: bytes) -> None:
        if "await" in message and "id" not in message:
            self._awaited[message["await"]] = message
        elif "scope" in message and "id" not in message:
            self._scoped.append((message, rest))
        elif "bytes" in message:
            watch = self._watches.get(message["watch"])
            if watch is not None:
                watch.rows.append((message["time_ns"], rest))
                watch.seen_ns = message["time_ns"]
        elif "id" in message:
            if message["ok"] and "watch" in message and "paths" in message:
                self._watches[message["watch"]] = Watch(message)  # before its first row
            told = message.get("events")
            for event in told if isinstance(told, list) else []:  # of status: their number
                self._note(event)
            self._answers[message["id"]] = message
        elif message.get("ended"):
            self.phase = message["phase"]
        elif "event" in message:
            self._note(message)

    def _note(self, told: dict[str, Any]) -> None:
        if told["number"] <= self._noted:
            return
        self._noted = told["number"]
        event = Event(told["time_ns"] / 1e9, told["event"])
        if event.text.startswith("refused: "):
            self.refused.append(event)
        # In lock-step there would be little else.
        if not (event.text.startswith("paused after ") and event.text.endswith(f" by {self._name}")):
            self.events.append(event)


def connected(directory: Path) -> socket.socket:
    """By the descriptor of the directory: its path may be longer than the address of a socket."""
    folder = os.open(directory, os.O_PATH | os.O_DIRECTORY)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(f"/proc/self/fd/{folder}/tap")
    except OSError:
        connection.close()
        raise
    finally:
        os.close(folder)
    return connection
