#!/usr/bin/env python3
"""Frames of a UDP bus against a peer in Python, both ways, each compared: without loss, then with 5 % lost and a tenth 20 ms late at 10 kHz,
where lost, overtaken and late ones have to be those that were made so.

    udp_frames.py --program build/release/tools/takt-udp-bench --frames 10000000 --lossy 300000

Ends with 1 where a frame differs or is counted otherwise."""
import argparse
import json
import random
import socket
import struct
import subprocess
import sys
import time

FRAME = struct.Struct(">Iqdfh")
PLANT, PEER = ("127.0.0.1", 5031), ("127.0.0.1", 5032)
BURST = 32  # frames under way: less than the kernel holds


def frame(number, stamp):
    return FRAME.pack(number % 2**32, stamp, float(number), number / 3.0, number % 65536 - 32768)


class Bench:
    def __init__(self, program, frames):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(PEER)
        self.socket.settimeout(20.0)
        self.process = subprocess.Popen([program, str(PLANT[1]), str(PEER[1]), str(frames)], stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        self.answers = self.wrong = 0

    def check(self, answer):
        n = self.answers
        self.wrong += answer != FRAME.pack(n % 2**32, n, float(n), n / 3.0, n % 65536 - 32768)
        self.answers += 1

    def end(self):
        counted = json.loads(self.process.communicate(timeout=60)[0])
        self.socket.close()
        return counted


def lossless(program, frames):
    bench = Bench(program, frames)
    begin = time.monotonic()
    send, receive = bench.socket.sendto, bench.socket.recv
    for first in range(0, frames, BURST):
        count = min(BURST, frames - first)
        for number in range(first, first + count):
            send(frame(number, number), PLANT)
        for _ in range(count):
            bench.check(receive(64))
    seconds = time.monotonic() - begin
    counted = bench.end()
    right = counted | {"late": 0} == {"heard": frames, "compared": frames - 1, "differ": 0, "answered": frames, "lost": 0, "overtaken": 0, "doubled": 0, "doubtful": 1,
                                      "late": 0, "dropped_by_kernel": 0} and bench.wrong == 0 and bench.answers == frames
    print(f"{frames} frames each way in {seconds:.0f} s ({frames / seconds:.0f}/s): {counted['differ']} of those received and {bench.wrong} of those sent differ,"
          f" {counted['lost']} lost   {'ok' if right else 'WRONG'}", "" if right else counted, flush=True)
    return right


def lossy(program, count):
    draw = random.Random(1)
    sent = sorted((number + 200.5 * late, number, late) for number in range(2, count) if draw.random() >= 0.05 for late in [int(draw.random() < 0.1)])
    sent = [(0.0, 0, 0), (1.0, 1, 0), *sent]
    bench = Bench(program, len(sent))
    bench.socket.setblocking(False)
    begin, most_late = time.monotonic_ns(), 0
    for due, number, late in sent:
        while time.monotonic_ns() < begin + due * 100_000:
            try:
                bench.check(bench.socket.recv(64))
            except BlockingIOError:
                pass
        stamp = time.monotonic_ns() - 20_000_000 * late
        bench.socket.sendto(frame(number, stamp), PLANT)
        most_late += time.monotonic_ns() - stamp > 10_000_000  # also where this process was held up, before it had left or after
    counted = bench.end()
    newest, overtaken = -1, 0
    for _, number, _ in sent:
        overtaken += number < newest
        newest = max(newest, number)
    wanted = {"heard": len(sent), "lost": newest + 1 - len(sent), "overtaken": overtaken, "doubled": 0, "differ": 0}
    found, least_late = {key: counted[key] for key in wanted}, sum(late for _, _, late in sent)
    right = found == wanted and least_late <= counted["late"] <= most_late
    print(f"{len(sent)} frames at 10 kHz, made {wanted} and {least_late} late, up to {most_late} with those that this machine held up; counted {found} and {counted['late']} late"
          f"   {'ok' if right else 'WRONG'}", flush=True)
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--frames", type=int, default=10_000_000)
    parser.add_argument("--lossy", type=int, default=300_000)
    arguments = parser.parse_args()
    right = [lossy(arguments.program, arguments.lossy), lossless(arguments.program, arguments.frames)]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
