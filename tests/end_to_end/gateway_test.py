#!/usr/bin/env python3
"""Gateways between the buses of a rig: every kind of frame, both directions at once, no echo, other ids, what the plant sends and receives, more
frames than leave, faults of the buses, and a signal that the plant hands from one bus to the other.

    gateway_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can, cantools or pyserial is missing)."""
import json
import pathlib
import random
import subprocess
import sys
import threading
import time

from built_plants import build_with_rig, takt_and_work
from can_client import FD_TIMING, can, cantools, connect, free_port

try:
    import serial  # noqa: F401  python-can's slcan interface needs it
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FOLDER = pathlib.Path(__file__).parent
PLANT, BODY = (cantools.database.load_file(FOLDER / file) for file in ("virtual_bus/plant.dbc", "gateway/body.dbc"))
OWN = {16, 17, 18, 80}  # of the plant, on either bus
failures = []


def expect(what, condition, found=""):
    print("ok  " if condition else "FAIL", what, str(found)[:400], flush=True)
    if not condition:
        failures.append(what)


def key(message):
    return (message.arbitration_id, message.is_extended_id, message.is_remote_frame, message.is_fd, message.bitrate_switch, message.dlc, bytes(message.data))


class Listener:
    """Hears all on a bus, in a thread, until the plant has closed it and nothing is left."""

    def __init__(self, port):
        self.bus, self.heard = connect(port, interface="slcan", timing=FD_TIMING), []
        while self.bus.recv(0.2) is None:  # it is there once the plant speaks
            pass
        self.plant_is_over = False
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self):
        while True:
            try:
                message = self.bus.recv(0.2)
            except (OSError, can.CanError):
                return
            if message is not None:
                self.heard.append(message)
            elif self.plant_is_over:
                return

    def of(self, ids):
        return [key(m) for m in self.heard if m.arbitration_id in ids]

    def foreign(self):
        return [key(m) for m in self.heard if m.arbitration_id not in OWN]

    def end(self):
        self.plant_is_over = True
        self.thread.join()
        try:
            self.bus.shutdown()
        except (OSError, can.CanError):
            pass


class Run:
    """A run with a listener and a client on each bus."""

    def __init__(self, program, out, *options):
        ports, self.out = [free_port(), free_port()], out
        arguments = [word for k in (0, 1) for word in ("--bus", f"can{k}.port={ports[k]}")]
        self.process = subprocess.Popen([program, "--quiet", "--out", out, *arguments, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.listeners = [Listener(port) for port in ports]
        self.clients = [connect(port, interface="slcan", timing=FD_TIMING) for port in ports]

    def end(self):
        """-> counts by (gateway, from)"""
        self.printed, self.said = self.process.communicate(timeout=60)
        for listener in self.listeners:
            listener.end()
        for client in self.clients:
            try:
                client.shutdown()
            except (OSError, can.CanError):
                pass
        self.code = self.process.returncode
        self.summary = json.loads((self.out / "summary.json").read_text())
        statistics = self.summary["io"]["statistics"]
        self.buses = {bus["name"]: bus for bus in statistics["buses"]}
        self.gateways = {(one["gateway"], one["from"]): one for one in statistics["gateways"]}
        for name, one in self.gateways.items():
            parts = [one[what] for what in ("forwarded", "dropped_queue_full", "refused_not_carried", "lost_by_cut", "waiting_at_the_end")]
            expect(f"{name}: no frame is unaccounted for", one["taken"] == sum(parts), one)
        return self.gateways


def random_frames(count, seed):
    """Of ids that `body` forwards, classic, remote and CAN FD, with 11 and 29 bits, of every length. No two are equal."""
    dice = random.Random(seed)
    frames = []
    for k in range(count):
        extended, fd = dice.random() < 0.5, k % 3 == 1
        options = {"arbitration_id": dice.randrange(0x10000000, 0x20000000) if extended else dice.randrange(0x100, 0x200), "is_extended_id": extended}
        if k % 3 == 2 and dice.random() < 0.3:
            frames.append(can.Message(**options, is_remote_frame=True, dlc=dice.randrange(9)))
            continue
        length = dice.choice((4, 7, 8, 12, 16, 20, 24, 32, 48, 64)) if fd else dice.choice((4, 5, 6, 7, 8))
        data = k.to_bytes(2, "big") + seed.to_bytes(1, "big") + dice.randbytes(length - 3)
        frames.append(can.Message(**options, is_fd=fd, bitrate_switch=fd and dice.random() < 0.5, data=data))
    return frames


def both_ways(program, work):
    run = Run(program, work / "both", "--for", "6 s")
    sent = [random_frames(600, 1), random_frames(600, 2)]
    passed_by = [can.Message(arbitration_id=0x0FF, is_extended_id=False, data=[1]), can.Message(arbitration_id=0x200, is_extended_id=False, data=[2]), can.Message(arbitration_id=0x100, is_extended_id=True, data=[3])]
    wide = can.Message(arbitration_id=33, is_extended_id=False, is_fd=True, bitrate_switch=True, data=PLANT.encode_message("WIDE", {"wide": 3.0}))
    command = can.Message(arbitration_id=32, is_extended_id=False, data=PLANT.encode_message("COMMAND", {"command": 5.0}))
    for pair in zip(*sent):
        for client, frame in zip(run.clients, pair):
            client.send(frame)
        time.sleep(0.002)
    for frame in [*passed_by, wide, command]:
        run.clients[0].send(frame)
    run.clients[1].send(can.Message(arbitration_id=0x300, is_extended_id=False, data=[7, 8]))
    gateways = run.end()
    wanted = [[key(frame) for frame in frames] for frames in sent]
    body = set(frame.arbitration_id for frames in sent for frame in frames)
    for here in (0, 1):
        there = 1 - here
        heard = [k for k in run.listeners[here].of(body) if k != key(passed_by[2])]
        for what, frames in (("what its own client has sent, once", wanted[here]), ("what comes from the other bus, as it was, in its order, once", wanted[there])):
            mine = set(frames)
            expect(f"on can{here}: {what}", [k for k in heard if k in mine] == frames, (len(heard), len(frames)))
        expect(f"on can{here}: and nothing else, no echo", len(heard) == len(wanted[0]) + len(wanted[1]), len(heard))
        counts = gateways["body", f"can{here}"]
        expect(f"from can{here}: all are counted", counts["taken"] == counts["forwarded"] == len(wanted[here]), counts)
        print(f"from can{here}: latency in the gateway p50 {counts['latency']['p50_us']} us, p99 {counts['latency']['p99_us']} us")
    expect("ids that no gateway has stay on their bus", not set(map(key, passed_by)) & set(run.listeners[1].foreign()) and set(map(key, passed_by)) <= set(run.listeners[0].foreign()))
    expect("another id, of another size", [k for k in run.listeners[0].foreign() if k[0] == 0x333] == [(0x333, True, False, False, False, 2, bytes([7, 8]))], [k for k in run.listeners[0].foreign() if k[0] in (0x300, 0x333)])
    own = {message["message"]: message["frames"] for message in run.buses["can0"]["sent"]}
    state = gateways["state", "can0"]
    expect("what the plant sends is forwarded, but for what has no gateway", state["forwarded"] + state["waiting_at_the_end"] == own["COUNT"] + own["BIG"] + 2 and not run.listeners[1].of({17}), (state, own))
    both = [[k for k in listener.of({18})] for listener in run.listeners]
    at = both[0].index(both[1][0]) if both[1] and both[1][0] in both[0] else None
    expect("and is the same on both buses", len(both[1]) > 300 and at is not None and both[0][at:][: len(both[1])] == both[1][: len(both[0]) - at], (len(both[0]), len(both[1]), at))
    heard_wide = next(message for message in run.buses["can1"]["received"] if message["message"] == "WIDE")
    expect("the plant hears on can1 what the gateway has sent there", heard_wide["frames"] == 1, heard_wide)
    levels = [BODY.decode_message("REPORT", m.data)["level"] for m in run.listeners[1].heard if m.arbitration_id == 80]
    expect("a signal goes from COMMAND (V, 0.001, low byte first) to REPORT (mV, 10, high byte first)", sorted(set(levels)) == [0, 5000] and levels == sorted(levels), sorted(set(levels)))
    voltage = PLANT.decode_message("BIG", bytes(16) + bytes(16))["voltage"]
    last = [PLANT.decode_message("BIG", k[6])["voltage"] for k in run.listeners[1].of({16})][-20:]
    expect("and both inputs act: 3 V by way of the gateway, 5 V without", abs(max(last) - 8.0) < 0.05 and voltage == 0, max(last))
    expect("the run ends well", run.code == 0, (run.code, run.said))
    return run


def flood(program, work):
    """2000 frames a second for 2 s into a gateway that lets 500 pass, and as many into one that lets all pass."""
    run = Run(program, work / "flood", "--for", "12 s", "--bus", "can1.trace=candump")
    count, sent = 0, 4000
    begin = time.time()
    while count < sent:
        for _ in range(10):
            for frame_id in (0x400, 0x123):
                run.clients[0].send(can.Message(arbitration_id=frame_id, is_extended_id=False, data=count.to_bytes(4, "big")))
            count += 1
        time.sleep(max(0.0, begin + count / 2000 - time.time()))
    took = time.time() - begin
    gateways = run.end()
    for frame_id, name in ((0x400, "slow"), (0x123, "body")):
        counts, numbers = gateways[name, "can0"], [int.from_bytes(k[6], "big") for k in run.listeners[1].of({frame_id})]
        expect(f"{name}: every frame was taken", counts["taken"] == sent, counts)
        expect(f"{name}: what was forwarded is on the other bus, in its order", len(numbers) == counts["forwarded"] and numbers == sorted(set(numbers)), (len(numbers), counts))
        print(f"{name}: {sent} frames in {took:.2f} s, {counts['forwarded']} forwarded, {counts['dropped_queue_full']} dropped; latency p50 {counts['latency']['p50_us']} us, p99 {counts['latency']['p99_us']} us, {run.buses['can1']['io_thread_real_time']=}")
    slow = gateways["slow", "can0"]
    expect("slow: what comes faster is dropped and counted, the first queue is not", 0 < slow["dropped_queue_full"] and slow["forwarded"] >= 33, slow)
    with can.LogReader(run.out / "bus_can1.log") as log:
        times = [m.timestamp for m in log if m.arbitration_id == 0x400]
    expect("slow: its spacing is kept on the average", len(times) == slow["forwarded"] and (times[-1] - times[0]) / (len(times) - 1) > 0.00199, (len(times), (times[-1] - times[0]) / (len(times) - 1)))
    expect("the summary and the report name what was dropped", f"gateway slow, can0 to can1: {slow['forwarded']} frames forwarded, {slow['dropped_queue_full']} dropped" in run.printed and f"Gateway slow has not forwarded {slow['dropped_queue_full']} frames" in (run.out / "report.html").read_text(), run.printed[-600:])
    expect("the plant has computed to its end", run.code == 0 and abs(run.summary["simulated_s"] - 12.0) < 1e-9, (run.code, run.summary["simulated_s"]))


def faults(program, work):
    for fault, what in (("can1.bus=cut", "cut"), ("can0.node.PLANT=stopped", "stopped"), ("can0.node.ECU=stopped", "other stopped"), ("can0.send.COUNT=drop", "drop"), ("can1.receive.WIDE=drop", "deaf"), ("can0.bus=babble 0x1FF 10 ms", "babble"), ("can0.gateway.body=stopped", "one stopped")):
        ports = [free_port(), free_port()]
        arguments = [word for k in (0, 1) for word in ("--bus", f"can{k}.port={ports[k]}")]
        process = subprocess.Popen([program, "--quiet", "--out", work / what, *arguments, "--bus", fault, "--for", "2 s"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        client = connect(ports[0], interface="slcan", timing=FD_TIMING)
        time.sleep(0.5)
        for _ in range(20):
            client.send(can.Message(arbitration_id=0x123, is_extended_id=False, data=[1]))
            client.send(can.Message(arbitration_id=32, is_extended_id=False, data=bytes(8)))
            client.send(can.Message(arbitration_id=33, is_extended_id=False, is_fd=True, data=bytes(20)))
            time.sleep(0.005)
        process.communicate(timeout=60)
        try:
            client.shutdown()
        except (OSError, can.CanError):
            pass
        statistics = json.loads((work / what / "summary.json").read_text())["io"]["statistics"]
        gateways = {(one["gateway"], one["from"]): one for one in statistics["gateways"]}
        body, state = gateways["body", "can0"], gateways["state", "can0"]
        own = {message["message"]: message["frames"] for message in statistics["buses"][0]["sent"]}
        heard = statistics["buses"][1]["received"][0]
        right = {
            "cut": body["forwarded"] == 0 and body["lost_by_cut"] == 20 and state["lost_by_cut"] == state["taken"] > 100 and heard["frames"] == 0,
            "stopped": state["taken"] == 40 and body["forwarded"] == 20 and heard["frames"] == 20,
            "other stopped": state["taken"] == own["BIG"] + own["COUNT"] + 20 and body["forwarded"] == 20,
            "drop": own["COUNT"] == 0 and state["taken"] == own["BIG"] + 40 and heard["frames"] == 20,
            "deaf": state["taken"] == own["BIG"] + own["COUNT"] + 40 and heard["frames"] == 0,
            "one stopped": body["taken"] == 0 and body["lost_while_stopped"] == 20 and state["forwarded"] > 100,
            "babble": body["taken"] == 20 + statistics["buses"][0].get("frames_babbled", 0) > 100,
        }[what]
        expect(f"{fault} keeps its meaning", right, (body, state, own, heard))


def main():
    takt, work = takt_and_work()
    rig = work / "rig.toml"
    rig.write_text((FOLDER / "gateway/rig.toml").read_text().replace('"../virtual_bus/plant.dbc"', json.dumps(str(FOLDER / "virtual_bus/plant.dbc"))).replace('"body.dbc"', json.dumps(str(FOLDER / "gateway/body.dbc"))))
    program = build_with_rig(takt, work, FOLDER / "virtual_bus/plant.toml", rig)
    both_ways(program, work)
    flood(program, work)
    faults(program, work)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
