#!/usr/bin/env python3
"""A plant with a CAN bus and a UDP bus against peers in Python: numbers both ways, exact counts of what is lost, late and overtaken, peers
that are wrong in every way, and what the supervisor sends when the plant dies.

    udp_test.py --takt build/release/bin/takt --work DIR"""
import csv
import json
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import time

from built_plants import build_with_rig, takt_and_work

HERE = pathlib.Path(__file__).resolve().parent
QUESTION, ANSWER = struct.Struct(">Iqd"), struct.Struct(">HHqddf")
LATE_NS = 20_000_000  # of the rig
PLANT, PEER = ("127.0.0.1", 5005), ("127.0.0.1", 5006)


class Peer:
    def __init__(self, address=PEER):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.bind(address)
        self.socket.settimeout(20.0)
        self.answers = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def hear(self):
        """One frame of the plant."""
        self.answers.append(ANSWER.unpack(self.socket.recv(2048)))
        return self.answers[-1]

    def hear_all(self):
        """What is there."""
        self.socket.setblocking(False)
        try:
            while True:
                self.answers.append(ANSWER.unpack(self.socket.recv(2048)))
        except BlockingIOError:
            self.socket.settimeout(20.0)

    def ask(self, counter, millivolts, late_ns=0):
        """-> how much older than its stamp it was when it had left: a busy machine may hold this process up"""
        stamp = time.monotonic_ns() - late_ns
        self.socket.sendto(QUESTION.pack(counter % 2**32, stamp, millivolts), PLANT)
        return time.monotonic_ns() - stamp


class Run:
    """The plant, for so long."""

    def __init__(self, program, out, duration, *more):
        self.out = out
        self.process = subprocess.Popen([program, "--for", duration, "--quiet", "--audit", "off", "--bus", "can0.port=0", "--out", out, *more],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def end(self):
        self.said, _ = self.process.communicate(timeout=60)
        self.summary = json.loads((self.out / "summary.json").read_text())
        self.bus = next(bus for bus in self.summary["io"]["statistics"]["buses"] if bus["name"] == "lab")
        self.question = self.bus["received"][0]
        self.events = "\n".join(event["text"] for event in self.summary["io"]["events"])
        return self


failed = 0


def say(ok, text, *shown):
    global failed
    failed += not ok
    print(f"{text}   {'ok' if ok else 'FAILED'}", *(() if ok else shown), flush=True)


def channel(count):
    """(number, delayed) in the order of sending: 5 % lost, a tenth of the others 40 ms late, at 2 ms a frame."""
    draw = random.Random(5)
    sent = [(number + 20 * late + 0.5 * late, number, late) for number in range(2, count) if draw.random() >= 0.05 for late in [int(draw.random() < 0.1)]]
    return [(0, 0), (1, 0), *[(number, late) for _, number, late in sorted(sent)]]


def agrees_with_record(answers, file):
    """Each frame that carries the time of a recorded row has its values."""
    sent = {answer[2]: answer for answer in answers}
    met = 0
    for row in csv.DictReader(file.open()):
        answer = sent.get(round(float(row["time [s]"]) * 1e9))
        if answer is None:
            continue
        met += 1
        wanted = (*(float(row[name]) for name in ("control.answer.out [1]", "control.t.out [1]")), struct.unpack("f", struct.pack("f", float(row["electric.out.v [V]"])))[0])
        if answer[3:] != wanted:
            print(answer, wanted)
            return False
    return met > 100


def counted(program, work):
    """Lost, late and overtaken ones, counted by hand from what was sent."""
    sent, most_late = channel(500), 0
    with Peer() as peer:
        run = Run(program, work / "counted", "3 s")
        peer.hear()
        begin = time.monotonic_ns()
        for number, late in sent:
            due = begin + 2_000_000 * (number + (20 if late else 0))
            time.sleep(max(0.0, (due - time.monotonic_ns()) * 1e-9))
            most_late += peer.ask(number, 1000.0 * number, 40_000_000 * late) > LATE_NS
            peer.hear_all()
        run.process.wait(timeout=60)
        peer.hear_all()
    run.end()
    numbers = [number for number, _ in sent]
    newest, overtaken = -1, 0
    for number in numbers:
        overtaken += number < newest
        newest = max(newest, number)
    wanted = {"lost": newest + 1 - len(numbers), "overtaken": overtaken, "doubled": 0, "out_of_sequence": 1}
    found, least_late = dict(run.question["of_kind"]), sum(late for _, late in sent)
    late = found.pop("late")
    say(run.process.returncode == 0 and found == wanted and least_late <= late <= most_late, f"{len(sent)} frames received, {wanted}, {late} late", run.process.returncode,
        run.question, (least_late, most_late), run.said)
    say(run.question["taken"] == len(numbers) - overtaken - 1, "each of the others is taken")
    counters = [answer[1] for answer in peer.answers]
    say(len(peer.answers) == run.bus["sent"][0]["frames"] and all((b - a) % 65536 == 1 for a, b in zip(counters, counters[1:])),
        f"{len(counters)} frames sent, none lost", len(peer.answers), run.bus["sent"])
    inside = peer.answers[:-1]  # the last has the safe values
    say(all(answer[0] == 0x5443 and abs(answer[4] - max(0, answer[2] - 1_000_000) * 1e-9) < 1e-12 for answer in inside),
        "stamps are simulated time: the block has it as its window of 1 ms began", inside[:3])
    asked = {float(number) for number in numbers} | {0.0, -5.0}
    say({answer[3] for answer in inside} <= asked and len({answer[3] for answer in inside}) > 300, "numbers come back as they were sent",
        sorted({answer[3] for answer in inside} - asked)[:5])
    say(agrees_with_record(inside, work / "counted/signals.csv"), "what was sent is what was recorded at its time")
    say(peer.answers[-1][5] == -1.0, "the last frame has the safe value")
    say(inside[-1][3] == -5.0 and "Question timed out" in run.events, "the input has its safe value when the peer is silent", inside[-1], run.events)
    say(any(bus["name"] == "can0" and bus["sent"][0]["frames"] > 100 for bus in run.summary["io"]["statistics"]["buses"]), "the CAN bus beside it sends")


def wrong(program, work):
    """Peers that are wrong: each is told by name, and where nothing was taken the run does not end green."""
    def other_order(peer, k):
        peer.socket.sendto(struct.pack("<Iqd", k, k, 1.0), PLANT)

    def other_length(peer, k):
        peer.socket.sendto(QUESTION.pack(k, k, 1.0) + b"!", PLANT)

    def stranger(peer, k):
        if not hasattr(peer, "other"):
            peer.other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        peer.other.sendto(QUESTION.pack(k, k, 1.0), PLANT)

    def no_number(peer, k):
        peer.ask(k, float("nan"))

    def two(peer, k):
        peer.ask(k, 1000.0)
        peer.ask(1_000_000 + k, 2000.0)

    def again(peer, k):
        peer.ask(k % 40, 1000.0)

    def still(peer, k):
        peer.ask(7, 1000.0)

    for send, code, text in [(None, 0, "Question not seen within 0.2"),
                             (other_order, 1, "counts in the other byte order"),
                             (other_length, 1, "of a wrong length (the first of 21 bytes) were not taken: Question has 20"),
                             (stranger, 1, "datagrams of another sender (127.0.0.1:"),
                             (no_number, 1, "values that are no numbers"),
                             (still, 1, "Question not seen within 0.2"),
                             (two, 0, "there may be two senders"),
                             (again, 0, "began to count anew")]:
        name = send.__name__ if send else "silent"
        with Peer() as peer:
            run = Run(program, work / name, "400 ms")
            peer.hear()
            for k in range(120) if send else ():
                send(peer, k)
                time.sleep(0.002)
            run.end()
        verdicts = [verdict["code"] for verdict in run.summary["verdicts"]]
        say((run.process.returncode != 0) == bool(code) and ("X045" in verdicts) == bool(code) and text in run.events, f"{name}: {text}",
            run.process.returncode, verdicts, run.events, run.said)


def faults_and_refusals(takt, program, work):
    with Peer() as peer:
        run = Run(program, work / "faults", "500 ms", "--bus", "lab.send.Answer=drop x30")
        while run.process.poll() is None:
            peer.hear_all()
            time.sleep(0.01)
        peer.hear_all()
        run.end()
        say(peer.answers[0][1] == 30 and run.bus["sent"][0]["of_kind"] == {"met_a_fault": 30}, "a fault takes 30 frames away", peer.answers[0], run.bus["sent"])
        taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        taken.bind(PLANT)
        checked = subprocess.run([takt, "check", HERE / "udp", "--rig", HERE / "udp/rig.toml"], capture_output=True, text=True)
        say(checked.returncode == 0 and "warning[B055]" in checked.stderr and "another program has the port" in checked.stderr, "takt check asks the machine", checked.stderr)
        refused = subprocess.run([program, "--for", "1 s", "--bus", "can0.port=0", "--no-results"], capture_output=True, text=True)
        say(refused.returncode != 0 and "another program has the port" in refused.stderr, "a port in use is refused", refused.stderr)
        taken.close()


def dead(program, work):
    with Peer() as peer:
        run = Run(program, work / "dead", "30 s")
        for _ in range(50):
            last = peer.hear()
        run.process.send_signal(signal.SIGKILL)
        run.process.wait()
        peer.hear_all()
        while peer.hear()[5] != -1.0:
            pass
        before, safe = peer.answers[-2], peer.answers[-1]
        say((safe[1] - before[1]) % 65536 == 1 and before[1] >= last[1], "the supervisor sends the safe value, and counts on", before, safe)
        time.sleep(1.5)  # its hold time
        Run(program, work / "next", "20 ms").end()


def named_interface(program, work):
    """Another interface than the loopback; nothing where this machine has no network of its own for it."""
    run = subprocess.run(["unshare", "-n", HERE / "udp/named_interface.sh", program, work / "named"], capture_output=True, text=True)
    if run.returncode == 77 or "unshare failed" in run.stderr:
        print("no pair of interfaces here: the bus on a named one was not looked at")
        return
    say(run.returncode == 0 and "numbers back: True" in run.stdout and "UDP 10.9.0.1:5005, peer 10.9.0.2:5006, interface plant0" in run.stdout + run.stderr,
        "the bus on a named interface", run.stdout, run.stderr)


def example(takt, work):
    """The controller of the manual holds its speed."""
    manual = HERE.parents[1] / "config/manual"
    controller = subprocess.Popen([sys.executable, manual / "udp_controller/controller.py"], stdout=subprocess.PIPE, text=True)
    run = subprocess.run([takt, "run", manual / "your_ecu", "--rig", manual / "udp_controller/rig.toml", "--for", "3 s", "--quiet", "--audit", "off", "--build-dir", work / "example",
                          "--out", work / "example_run"], capture_output=True, text=True)
    told = controller.communicate(timeout=60)[0]
    speeds = [float(line.split(",")[2]) for line in (work / "example_run/signals.csv").read_text().splitlines() if line[:1].isdigit()]
    say(run.returncode == 0 and "commands sent" in told and abs(speeds[-1] - 150.0) < 3.0, "the example of the manual holds 150 rad/s", run.stdout, run.stderr, told, speeds[-3:])


def main():
    takt, work = takt_and_work()
    program = build_with_rig(takt, work, HERE / "udp", HERE / "udp/rig.toml")
    counted(program, work)
    wrong(program, work)
    faults_and_refusals(takt, program, work)
    dead(program, work)
    named_interface(program, work)
    example(takt, work)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
