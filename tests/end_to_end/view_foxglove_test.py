#!/usr/bin/env python3
"""takt view speaks Foxglove's WebSocket protocol: channels with the values of signals.csv, parameters, services, what a client publishes.

    view_foxglove_test.py --takt build/release/bin/takt --work DIR"""
import csv
import json
import os
import struct
import sys
import time

import tap_test
from built_plants import build, takt_and_work
from tap_test import Run, expect
from view_test import actions_of
from web_socket import PATIENCE, View, WebSocket

COUNT = 34  # circuits of the plant, three values of each are channels at least
TEXT = """
[plant]
title = "many circuits"
duration = "60 s"
error = "off"
[input]
a = { unit = "V", start = "1 V", safe = "0 V" }
[parameters]
gain = "2"
[electric]
""" + "".join(f"""source_{k} = {{ is = "voltage_source", at = ["in_{k}", "gnd"], v = "gain*a" }}
r_{k} = {{ is = "resistor", at = ["in_{k}", "out_{k}"], r = "{k + 1} kOhm" }}
c_{k} = {{ is = "capacitor", at = ["out_{k}", "gnd"], c = "10 uF" }}
""" for k in range(COUNT)) + """
[solve]
electric = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["electric"], every = "1 ms" }
[record]
"10 ms" = ["electric.*.v"]
"""


class Client(WebSocket):
    def __init__(self, port, language, token=""):
        super().__init__(port, "/" + (f"?token={token}" if token else ""), {"Sec-WebSocket-Protocol": language})
        self.data, self.texts, self.responses, self.times = [], [], [], []

    def step(self):
        message = self.receive()
        if message is None:
            raise EOFError(f"the conversation has ended: {self.closed_with}; last {self.texts[-3:]}")
        if isinstance(message, str):
            self.texts.append(json.loads(message))
            return self.texts[-1]
        if message[0] == 1:
            subscription, moment = struct.unpack_from("<IQ", message, 1)
            self.data.append((subscription, moment, json.loads(message[13:])["value"]))
        elif message[0] == 2:
            self.times.append(struct.unpack_from("<Q", message, 1)[0])
        elif message[0] == 3:
            service, call, length = struct.unpack_from("<III", message, 1)
            self.responses.append((service, call, message[13:13 + length].decode(), json.loads(message[13 + length:])))
        return {}

    def until(self, condition):
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            if time.monotonic() > end:
                raise EOFError(f"what was waited for has not come: {self.texts[-3:]}")
            self.step()
        return found

    def say(self, op, **fields):
        self.send(json.dumps({"op": op, **fields}))

    def told(self, op, condition=lambda message: True):
        """The next text of this kind, or one that is there already."""
        return self.until(lambda: next((message for message in self.texts if message.get("op") == op and condition(message)), None))

    def channels(self):
        return {channel["topic"]: channel for text in self.texts if text["op"] == "advertise" for channel in text["channels"]}

    def call(self, name, call, **request):
        """-> what it answers: an object, or why it failed"""
        service = next(one["id"] for one in self.told("advertiseServices")["services"] if one["name"] == name)
        self.send_frame(2, b"\x02" + struct.pack("<III", service, call, 4) + b"json" + json.dumps(request).encode())
        def answers():
            done = [one[3] for one in self.responses if one[1] == call]
            return done + [text for text in self.texts if text["op"] == "serviceCallFailure" and text["callId"] == call]
        return self.until(answers)[0]



def main():
    takt, work = takt_and_work()
    program = build(takt, work, "many", TEXT)
    os.environ["USER"] = "ana"
    run = Run(program, work / "run", "--pace", "real", "--late", "any", "--for", "600 s")
    run.client().close()
    with View(takt, str(run.directory)) as view:
        old = Client(view.port, "foxglove.websocket.v1")
        expect("older clients are answered in their language", old.protocol == "foxglove.websocket.v1")
        client = Client(view.port, "foxglove.sdk.v1, foxglove.websocket.v1")
        expect("newer ones in theirs", client.protocol == "foxglove.sdk.v1", client.protocol)
        first = client.step()
        expect("first comes the server's info", first["op"] == "serverInfo" and {"time", "parameters", "services", "clientPublish"} <= set(first["capabilities"]) and first["supportedEncodings"] == ["json"], first)
        client.told("advertiseServices")
        channels = client.channels()
        wanted = [f"/electric/c_{k}/v" for k in range(COUNT)] + [f"/electric/r_{k}/i" for k in range(COUNT)] + [f"/electric/c_{k}/i" for k in range(COUNT)]
        expect("each value is a channel", set(wanted) <= set(channels), sorted(channels)[:20])
        channel = channels["/electric/c_0/v"]
        expect("with encoding and schema", channel["encoding"] == "json" and channel["schemaEncoding"] == "jsonschema" and json.loads(channel["schema"])["properties"]["value"]["description"] == "V" and "[V]" in channel["schemaName"], channel)

        client.say("subscribe", subscriptions=[{"id": 1000 + k, "channelId": channels[topic]["id"]} for k, topic in enumerate(wanted)])
        expect(f"{len(wanted)} channels are read", len(wanted) >= 100 and client.until(lambda: len({subscription for subscription, _, _ in client.data}) == len(wanted)))
        client.say("setParameters", parameters=[{"name": "a", "value": 3.0}], id="mine")
        values = client.told("parameterValues", lambda message: message.get("id") == "mine")["parameters"]
        expect("a parameter that is an input is set", values == [{"name": "a", "value": 3.0, "type": "float64"}], values)
        client.say("subscribeParameterUpdates", parameterNames=["gain", "a"])
        old.say("setParameters", parameters=[{"name": "gain", "value": 4.0}])
        client.told("parameterValues", lambda message: "id" not in message and message["parameters"][0]["name"] == "gain")
        client.say("getParameters", parameterNames=[], id="all")
        names = [one["name"] for one in client.told("parameterValues", lambda message: message.get("id") == "all")["parameters"]]
        expect("all parameters are told", {"a", "gain"} <= set(names), names[:5])
        client.say("advertise", channels=[{"id": 5, "topic": "/a", "encoding": "json", "schemaName": ""}, {"id": 6, "topic": "/no", "encoding": "json", "schemaName": ""}])
        expect("a topic that is no input is told so", "/no" in client.told("status")["message"])
        client.send_frame(2, b"\x01" + struct.pack("<I", 5) + b'{"value": 6}')
        client.told("parameterValues", lambda message: "id" not in message and message["parameters"] == [{"name": "a", "value": 6.0, "type": "float64"}])
        expect("what a client publishes is what the input has", True)

        expect("a service acts", "effective_s" in client.call("/takt/override", 1, path="a", value="7 V"))
        refused = client.call("/takt/inject", 2, path="electric.c_1", value="melts")
        expect("and says why it does not", refused.get("op") == "serviceCallFailure" and "melts" in refused["message"], refused)
        expect("all is released", "effective_s" in client.call("/takt/release_all", 3) and client.call("/takt/release_all", 4) == {})
        count = len(client.data)
        client.say("unsubscribe", subscriptionIds=[1000 + k for k in range(1, len(wanted))])
        client.until(lambda: len(client.data) > count + 3 * len(wanted))
        for attack in (lambda: client.send("{"), lambda: client.send('{"op":5}'), lambda: client.say("subscribe", subscriptions=[{"id": 1, "channelId": 10**6}]), lambda: client.say("subscribe"),
                       lambda: client.send_frame(2, b"\x02\x00"), lambda: client.send_frame(2, b"\x09" * 50), lambda: client.send_frame(2, b"\x02" + struct.pack("<III", 1, 1, 10**9)), lambda: client.say("setParameters", parameters=[{"name": "no", "value": 1}])):
            client.texts.clear()
            attack()
            expect("what is wrong is told", client.told("status")["level"] == 2)
        expect("time is told, too", client.times == sorted(client.times) and len(client.times) > 3)
        client.texts.clear()
        client.call_stop = client.send_frame(2, b"\x02" + struct.pack("<III", 9, 9, 4) + b"json{}")
        try:
            while True:
                client.step()
        except EOFError:
            expect("the end of the run is told", any("ended" in text.get("message", "") for text in client.texts), client.texts)
    run.finish()
    with (run.directory / "signals.csv").open() as file:
        rows = list(csv.reader(file))
    heads = [head.split(" ")[0] for head in rows[0]]
    recorded = {round(float(row[0]) * 1e9): row for row in rows[1:]}
    wrong, compared = [], 0
    for subscription, time, value in client.data:
        path = wanted[subscription - 1000].strip("/").replace("/", ".") if 1000 <= subscription < 1000 + len(wanted) else ""
        if path in heads and time in recorded:
            compared += 1
            wrong += [(path, time, value)] if float(recorded[time][heads.index(path)]) != value else []
    expect("messages have the values and times of signals.csv", not wrong and compared > 100, (compared, wrong[:3]))
    done = {row[1:3] for row in actions_of(run)}
    expect("all of it is in actions.csv", {("tune", "gain"), ("override", "a"), ("release", "a")} <= done, done)
    print(f"{len(tap_test.failures)} failures")
    return 1 if tap_test.failures else 0


sys.exit(main())
