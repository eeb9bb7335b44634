"""A client of the tap of a run: lines of JSON over the socket in its directory."""
import json
import os
import pathlib
import socket
import time


class Refused(Exception):
    pass


class TapClient:
    def __init__(self, directory, name="test", patience=30.0):
        """Waits for the socket to be there."""
        until = time.monotonic() + patience
        while True:
            try:
                self.socket = self.connected(directory)
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.005)
        self.socket.settimeout(patience)
        self.input, self.number, self.kept, self.ended = b"", 0, [], False
        self.plant = self.ask("hello", name=name)

    @staticmethod
    def connected(directory):
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

    def close(self):
        self.socket.close()

    def send(self, verb=None, **fields):
        self.number += 1
        request = {"id": self.number, **({"verb": verb} if verb else {}), **fields}
        self.socket.sendall((json.dumps(request) + "\n").encode())
        return self.number

    def more(self):
        """-> not at the end"""
        try:
            piece = self.socket.recv(1 << 16)
        except ConnectionError:
            piece = b""
        self.input += piece
        return bool(piece)

    def line(self):
        """The next line; None at the end. What follows a line that counts bytes is its "data"."""
        while b"\n" not in self.input:
            if not self.more():
                return None
        text, _, self.input = self.input.partition(b"\n")
        line = json.loads(text)
        if "bytes" in line and "id" not in line:
            while len(self.input) < line["bytes"]:
                if not self.more():
                    return None
            line["data"], self.input = self.input[:line["bytes"]], self.input[line["bytes"]:]
        self.ended = self.ended or line.get("ended", False)
        return line

    def answer(self, number):
        """Of the request with this number; rows and events that come before it are kept."""
        while True:
            line = self.line()
            if line is None:
                raise Refused("the end of the connection")
            if line.get("id") != number:
                self.kept.append(line)
                continue
            if not line["ok"]:
                raise Refused(line["error"])
            return line

    def ask(self, verb=None, **fields):
        return self.answer(self.send(verb, **fields))

    def outcome(self, number):
        """What came of the await of this number."""
        while True:
            for line in self.kept:
                if line.get("await") == number:
                    self.kept.remove(line)
                    return line
            line = self.line()
            if line is None:
                raise Refused("the end of the connection")
            self.kept.append(line)

    def rest(self):
        """All lines to the end."""
        lines, self.kept = self.kept, []
        while (line := self.line()) is not None:
            lines.append(line)
        return lines


def processes_of(plant):
    """-> keeper, service; 0: none"""
    def children(process):
        try:
            return [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
        except OSError:
            return []

    def name(process):
        try:
            return pathlib.Path(f"/proc/{process}/comm").read_text().strip()
        except OSError:
            return ""
    keepers = [child for child in children(plant) if name(child) == "takt-tap-keeper"]
    services = [child for keeper in keepers for child in children(keeper) if name(child) == "takt-tap"]
    return (keepers or [0])[0], (services or [0])[0]
