#!/usr/bin/env python3
"""From a frame of a client over the plant and back, against theory: a group of H whose answer is sent on change, at both moments of publishing,
on several grids of the bus's I/O thread, while cyclictest measures how late the machine wakes a thread of the same priority. Runs alternate.

    round_trip.py --takt build/release/bin/takt --work DIR --cpu 1 --runs 3 --trips 3000 --windows 1,5 --grids 100,500 --json FILE

Theory, of a machine that is never late, with G the grid, which divides H, and R a release (runtime/io/can/line_thread.cpp):
- The I/O thread wakes G/5 after what was handed over last, and then every G. The last of these instants before R is R - 4/5 G. A question that
  is there by then is taken at R, one that comes later at R + H. At any phase it waits for its release 4/5 G and up to H more, all equally likely.
- On time the answer is handed over at R + H and leaves at R + H + G/5. So a round trip takes from H + G to 2 H + G: p50 1.5 H + G.
- Early it is handed over at R + C, C being the time of computing, and leaves at R + C + G/5. Now the I/O thread's instants lie C later, too: a question
  waits from 4/5 G - C on, and C cancels. A round trip takes from G to H + G: p50 0.5 H + G. (Where C + G/5 is more than n G, n G longer.)
How late the I/O thread wakes cancels as well, as far as it is the same whenever it wakes: it takes a question as much later as its answer leaves.

The client (round_trip_client.cpp) is a plain socket. It asks again when it has its answer, after a pause that moves it through H evenly and at random. A trip is
from before send() until recvmsg() has returned; "at the socket" until the kernel's stamp of the answer, without the client's own waking up: less the theory, as
"difference" is. The same client in Python took up to 33 us longer at the median. Needs a C++ compiler, cyclictest and the right to real-time priorities."""

import argparse
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys

from bus_round_trip import DBC, free_port

PLANT = """[plant]
title    = "An answer to every frame"
duration = "600 s"
error    = "off"
[input]
u = {{ unit = "V", start = "0 V", safe = "0 V" }}
[electric]
source = {{ is = "voltage_source", at = ["in", "gnd"], v = "1 V*sin(2*pi*5 Hz*time)" }}
r      = {{ is = "resistor", at = ["in", "out"], r = "100 Ohm" }}
c      = {{ is = "capacitor", at = ["out", "gnd"], c = "100 uF" }}
[control]
answer = {{ is = "expression", every = "{window} ms", of = "u/(1 V)" }}
[solve]
electric = {{ step = "100 us", method = "rk4" }}
[sync]
plant = {{ members = ["electric", "control"], every = "{window} ms" }}
"""
RIG = """[rig]
pace    = "real"
publish = "{publish}"
[bus.can0]
kind = "can"
virtual = true
grid = "{grid} us"
dbc = "plant.dbc"
simulate = ["PLANT"]
[bus.can0.receive]
"Question.u" = "u"
"Question" = {{ timeout = "0 s" }}
[bus.can0.send]
"Answer.answer" = "control.answer"
"Answer" = {{ on_change = true }}
"""
HERE = pathlib.Path(__file__).parent
IO_PRIORITY = 70  # of a plant without `priority`


def theory(case):
    """From, to in us: in between every time is as likely as any other."""
    window = case["window"] * 1e3
    least = case["grid"] + (window if case["publish"] == "on-time" else 0.0)
    return least, least + window


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def build(arguments, case):
    folder = arguments.work / "{publish}_{window}_{grid}".format(**case)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("plant.toml", PLANT.format(**case)), ("rig.toml", RIG.format(**case)), ("plant.dbc", DBC)):
        (folder / name).write_text(text)
    built = subprocess.run([arguments.takt, "build", folder / "plant.toml", "--rig", folder / "rig.toml", "--out", folder / "built"], capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return built.stdout.strip().splitlines()[-1]


def stolen_s():
    """By the host of a virtual machine, of all CPUs together."""
    return int(pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[8]) / os.sysconf("SC_CLK_TCK")


def build_client(work):
    work.mkdir(parents=True, exist_ok=True)
    subprocess.run(["c++", "-std=c++20", "-O2", "-o", work / "client", HERE / "round_trip_client.cpp"], check=True)
    return work / "client"


def start_cyclictest(others, report):
    """Where the plant's I/O thread runs, at its priority; 997 us meet every phase of its grid."""
    command = ["cyclictest", "--quiet", "--mlockall", f"--priority={IO_PRIORITY}", "--policy=fifo", "--threads=1", "--interval=997", "--histogram=20000", f"--json={report}"]
    return subprocess.Popen(command + [f"--affinity={min(others)}"], stdout=subprocess.DEVNULL)


def wakeup(cyclictest, report):
    cyclictest.send_signal(signal.SIGINT)
    cyclictest.wait(timeout=20)
    counts = json.loads(report.read_text())["thread"]["0"]["histogram"]
    waits = [us for us, count in sorted((int(us), count) for us, count in counts.items()) for _ in range(count)]
    return {"wakeup_p50_us": share(waits, 0.5), "wakeup_p99_us": share(waits, 0.99)}


def run(program, arguments, case):
    """One plant, all its trips -> what the table and the JSON have of it."""
    port, report = free_port(), arguments.work / "cyclictest.json"
    command = [program, "--json", "--quiet", "--no-results", "--audit", "off", "--cpu", str(arguments.cpu), "--bus", f"can0.port={port}"]
    plant = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stolen = stolen_s()
    cyclictest = start_cyclictest(arguments.others, report)
    asked = subprocess.run([arguments.client, str(port), str(arguments.trips), str(case["window"] * 1e6)], capture_output=True, text=True)
    found = wakeup(cyclictest, report)
    plant.send_signal(signal.SIGINT)
    printed, said = plant.communicate(timeout=60)
    if asked.returncode != 0 or plant.returncode != 0:
        sys.exit(asked.stderr + said)
    *lines, wrong = asked.stdout.splitlines()
    times, at_socket = zip(*(map(float, line.split()) for line in lines))
    summary = json.loads(printed)
    bus = summary["io"]["statistics"]["buses"][0]
    if not bus["io_thread_real_time"]:
        print("the I/O thread of the plant has no real-time priority", file=sys.stderr)
    return found | {"trips": len(times), "p50_us": share(times, 0.5), "p99_us": share(times, 0.99), "least_us": min(times), "most_us": max(times), "socket_p50_us": share(at_socket, 0.5),
                    "wrong": int(wrong), "overruns": summary["overruns"]["count"], "receive_to_window": bus["receive_to_window"], "window_to_send": bus["window_to_send"],
                    "stolen_s": stolen_s() - stolen, "load": os.getloadavg()[0]}


def table(results):
    lines = ["| publish | H | grid | p50 | theory | difference | each run | at the socket | p99 | theory | wake-up p50 | p99 | overruns |", "| --- | ---: | ---: " + "| ---: " * 10 + "|"]
    for case, runs in results:
        median = {key: statistics.median(one[key] for one in runs) for key in ("p50_us", "p99_us", "socket_p50_us", "wakeup_p50_us", "wakeup_p99_us")}
        least, most = theory(case)
        p50 = 0.5 * (least + most)
        cells = [case["publish"], f"{case['window']} ms", case["grid"], f"{median['p50_us']:.0f}", f"{p50:.0f}", f"{median['p50_us'] - p50:+.0f}", " ".join(f"{one['p50_us'] - p50:+.0f}" for one in runs),
                 f"{median['socket_p50_us'] - p50:+.0f}", f"{median['p99_us']:.0f}", f"{least + 0.99 * (most - least):.0f}", f"{median['wakeup_p50_us']:.0f}", f"{median['wakeup_p99_us']:.0f}", sum(one["overruns"] for one in runs)]
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", default="build/release/bin/takt")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--cpu", type=int, default=os.cpu_count() - 1, help="of the plant; its I/O thread, the client and cyclictest run on the others")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--trips", type=int, default=3000)
    parser.add_argument("--windows", default="1,5", help="H in ms")
    parser.add_argument("--grids", default="100,500", help="in us")
    parser.add_argument("--json", type=pathlib.Path, help="file for every run")
    arguments = parser.parse_args()
    arguments.others = os.sched_getaffinity(0) - {arguments.cpu} or {arguments.cpu}
    cases = [{"publish": publish, "window": int(window), "grid": int(grid)} for window in arguments.windows.split(",") for grid in arguments.grids.split(",") for publish in ("on-time", "early")]
    results = [(case, build(arguments, case), []) for case in cases]
    arguments.client = build_client(arguments.work)
    os.sched_setaffinity(0, arguments.others)
    for _ in range(arguments.runs):
        for case, program, runs in results:
            runs.append(run(program, arguments, case))
            print("{publish}, {window} ms, {grid} us".format(**case), f"p50 {runs[-1]['p50_us']:.0f} us, load {runs[-1]['load']:.1f}, stolen {runs[-1]['stolen_s']:.2f} s", file=sys.stderr, flush=True)
    wrong = sum(one["wrong"] for *_, runs in results for one in runs)
    print(f"frame -> plant -> frame, us: medians of {arguments.runs} runs of {arguments.trips} round trips each; {wrong} wrong answers")
    print(table([(case, runs) for case, _, runs in results]))
    if arguments.json:
        arguments.json.write_text(json.dumps([case | {"theory_us": theory(case), "runs": runs} for case, _, runs in results], indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
