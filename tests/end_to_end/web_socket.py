"""A WebSocket (RFC 6455) by the standard library alone, so that it can also say what no honest client says; and a client of takt view."""
import base64
import hashlib
import http.client
import json
import os
import socket
import struct
import subprocess
import time
import urllib.parse

PATIENCE = 60.0  # s; a slow machine may need them
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class HandshakeRefused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status, self.body = status, body


class WebSocket:
    def __init__(self, port, target, headers=None, address="127.0.0.1", patience=60.0):
        """@raise HandshakeRefused"""
        self.socket = socket.create_connection((address, port), timeout=patience)
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {"Host": f"{address}:{port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13", **(headers or {})}
        self.socket.sendall((f"GET {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n").encode())
        response = http.client.HTTPResponse(self.socket, method="GET")
        response.begin()
        if response.status != 101:
            body = response.read().decode(errors="replace")
            self.socket.close()
            raise HandshakeRefused(response.status, body)
        wanted = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        assert response.headers["Sec-WebSocket-Accept"] == wanted
        self.protocol = response.headers["Sec-WebSocket-Protocol"]
        self.response, self.input = response, response.fp  # which a response takes with it
        self.closed_with = None

    def send_frame(self, opcode, payload=b"", is_last=True, length=None):
        """@param length  that the frame claims to have"""
        size, mask = len(payload) if length is None else length, os.urandom(4)
        head = bytes([(0x80 if is_last else 0) | opcode])
        head += bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size) if size < 65536 else bytes([0x80 | 127]) + struct.pack(">Q", size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[k % 4] for k, byte in enumerate(payload)))

    def send(self, text):
        self.send_frame(TEXT, text.encode())

    def receive(self):
        """-> text, bytes, or None at the end"""
        whole, kind = b"", 0
        try:
            while True:
                first, second = self._exactly(2)
                size = second & 0x7F
                size = struct.unpack(">H", self._exactly(2))[0] if size == 126 else struct.unpack(">Q", self._exactly(8))[0] if size == 127 else size
                payload, opcode = self._exactly(size), first & 0x0F
                if opcode == CLOSE:
                    self.closed_with = (struct.unpack(">H", payload[:2])[0], payload[2:].decode()) if payload else (0, "")
                    return None
                if opcode == PING:
                    self.send_frame(PONG, payload)
                elif opcode in (0, TEXT, BINARY):
                    whole, kind = whole + payload, opcode or kind
                    if first & 0x80:
                        return whole.decode() if kind == TEXT else whole
        except (EOFError, ConnectionError):
            return None

    def _exactly(self, count):
        found = self.input.read(count)
        if len(found) < count:
            raise EOFError
        return found

    def close(self):
        self.input.close()
        self.socket.close()


class Talk(WebSocket):
    """The language of the page (tools/view/README.md). Rows of watches: self.rows, by number, as (time_ns, values)."""

    def __init__(self, port, run="", token="", **more):
        query = urllib.parse.urlencode({name: value for name, value in (("run", run), ("token", token)) if value})
        super().__init__(port, "/talk?" + query, **more)
        self.number, self.rows, self.messages, self.active = 0, {}, [], []
        self.hello = self.until(lambda message: message.get("view") == "hello")

    def step(self):
        """One message. -> it, where it is a text; None at the end"""
        message = self.receive()
        if isinstance(message, bytes):
            kind, number, count, columns = struct.unpack_from("<4I", message)
            rows = list(struct.iter_unpack(f"<{columns}d", message[16:])) if kind == 1 else []
            self.rows.setdefault(number, []).extend((round(row[0]), row[1:]) for row in rows)
            return {"block": kind, "number": number, "rows": count, "columns": columns}
        if message is None:
            return None
        found = json.loads(message)
        if found.get("view") == "active":
            self.active = found["active"]
        self.messages.append(found)
        return found

    def until(self, condition):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and (message := self.step()) is not None:
            if condition(message):
                return message
        raise EOFError(f"what was waited for has not come: {self.closed_with}; last {self.messages[-3:]}")

    def ask(self, verb=None, **fields):
        """-> the answer, whether it is good or not"""
        self.number += 1
        self.send(json.dumps({"id": self.number, **({"verb": verb} if verb else {}), **fields}))
        return self.until(lambda message: message.get("id") == self.number)


class View:
    """takt view as a process. @param runs  directories"""

    def __init__(self, takt, *options, cwd=None):
        self.process = subprocess.Popen([takt, "view", "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd)
        self.said = self.process.stdout.readline()
        if not self.said.startswith("http://"):
            raise RuntimeError(self.process.stderr.read())
        self.port = int(self.said.split("/")[2].rsplit(":", 1)[1])
        self.token = self.said.split("?token=")[1].split()[0] if "?token=" in self.said else ""
        self.look_token = self.process.stdout.readline().split("?token=")[1].split()[0] if self.token else ""

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.stop()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.errors = self.process.communicate(timeout=60)[1]
        return self.process.returncode

    def get(self, target, headers=None, method="GET"):
        """-> status, headers, body"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, target, skip_host=bool(headers and "Host" in headers))
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body
