#!/usr/bin/env python3
"""takt-dds on the loopback interface, in a network namespace of its own where this is root: blocks read by Python, what the bridge
costs, and what the plant notices of it.

    dds.py --takt-dds build/release/bin/takt-dds PLANT [--for 12] [--rounds 3] [--cpu 1]

PLANT: an executable that records 500 signals every 1 ms, as that of `dds.py --ladder 125 > ladder/plant.toml`. Per round three runs in
real time: without a bridge, with one that is killed and started again in the middle, without. Before that one run whose blocks are
all counted, one beside a reader that is stopped, and two with a client of the tap that takes rows as text and as doubles."""
import argparse
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "config/dds"), str(ROOT / "tests/end_to_end"), str(ROOT / "tests/tools/dds")]
from dds_plant import ladder  # noqa: E402
DOMAIN = 41


def plant_text(stages):
    """A plant of resistors and capacitors with four signals per stage."""
    lines = ['[plant]', 'title = "a ladder of resistors and capacitors"', 'duration = "60 s"', 'error = "off"', '[input]',
             'u = { unit = "V", start = "1 V", safe = "0 V" }', '[electric]', 'source = { is = "voltage_source", at = ["n0", "gnd"], v = "u" }']
    elements, names = ladder(stages)
    lines += elements
    return "\n".join(lines + ['[solve]', 'electric = { step = "500 us", method = "rk4" }', '[sync]',
                              'plant = { members = ["electric"], every = "1 ms" }', '[record]', f'"1 ms" = [{names}]', ''])


def cpu_seconds(process):
    text = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(text[11]) + int(text[12])) / os.sysconf("SC_CLK_TCK")


class Run:
    """One run of the plant in real time."""

    def __init__(self, arguments, folder):
        self.directory = pathlib.Path(folder) / "run"
        command = [arguments.plant, "--quiet", "--json", "--audit", "off", "--no-report", "--pace", "real", "--late", "any", "--cpu", str(arguments.cpu),
                   "--for", f"{arguments.seconds} s", "--out", self.directory]
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while not (self.directory / "tap").exists():
            time.sleep(0.005)

    def summary(self):
        return json.loads(self.process.communicate()[0])


def bridge_of(arguments, run):
    return subprocess.Popen([arguments.takt_dds, run.directory, "--interface", "lo", "--domain", str(DOMAIN)], stderr=subprocess.DEVNULL)


class Reader:
    """All blocks of the first rate that is described."""

    def __init__(self, name):
        import takt_dds
        self.plant = takt_dds.Plant(name, DOMAIN)
        self.block, self.numbers, self.dropped, self.widths, self.status = None, {}, {}, set(), None

    def read(self):
        for description in self.plant.take(self.plant.description):
            if self.block is None:
                self.block = self.plant.block(min(description.blocks, key=lambda block: block.period_ns).name)
        self.status = (self.plant.take(self.plant.status) or [self.status])[-1]
        for block in self.plant.take(self.block) if self.block else []:
            self.numbers.setdefault(block.session, []).append(block.number)
            self.dropped[block.session] = block.dropped
            self.widths.add(len(block.values))

    def told(self):
        parts = []
        for session, numbers in self.numbers.items():
            missing = numbers[-1] - numbers[0] + 1 - len(numbers)
            order = "in order" if numbers == sorted(numbers) else "OUT OF ORDER"
            parts.append(f"{len(numbers)} blocks of {min(self.widths)} values, {order}, {missing} missing, {self.dropped[session]} dropped before the bridge")
        return "; ".join(parts)


def counted(arguments, name):
    with tempfile.TemporaryDirectory() as folder:
        run, reader = Run(arguments, folder), Reader(name)
        bridge = bridge_of(arguments, run)
        from tap_client import processes_of
        service, begin, own, marks = processes_of(run.process.pid)[1], time.monotonic(), time.process_time(), {}
        while bridge.poll() is None:
            reader.read()
            if not marks and reader.numbers:
                marks = {process: cpu_seconds(process) for process in (service, bridge.pid)}
                begin, own = time.monotonic(), time.process_time()
            if marks and time.monotonic() - begin > arguments.seconds - 3 and "share" not in marks:
                lasted = time.monotonic() - begin
                marks["share"] = [(cpu_seconds(service) - marks[service]) / lasted, (cpu_seconds(bridge.pid) - marks[bridge.pid]) / lasted,
                                  (time.process_time() - own) / lasted]
            time.sleep(0.003)
        reader.read()
        summary = run.summary()
        print(f"blocks: {reader.told()}; bridge ended with {bridge.returncode}; last status {reader.status.phase}, {reader.status.blocks_written} written, "
              f"{reader.status.blocks_failed} failed; overruns {summary['overruns'].get('overruns', 0)}")
        print("CPU, % of a core: tap's service {:.1f}, bridge {:.1f}, reader in Python {:.1f}".format(*(100 * share for share in marks["share"])), flush=True)


def tapped(arguments, form):
    """A client of the tap that takes rows and does nothing with them."""
    from tap_client import TapClient, processes_of
    with tempfile.TemporaryDirectory() as folder:
        run = Run(arguments, folder)
        client = TapClient(run.directory, "bench", 30.0)
        fields = {} if form == "text" else {"as": "doubles"}
        client.ask("watch", paths=client.ask("records")["records"][0]["paths"], every_ns=1_000_000, **fields)
        service = processes_of(run.process.pid)[1]
        begin, before, size = time.monotonic(), cpu_seconds(service), 0
        while time.monotonic() - begin < arguments.seconds - 3:
            size += len(client.socket.recv(1 << 20))
        lasted = time.monotonic() - begin
        print(f"tap, rows as {form}: service {100 * (cpu_seconds(service) - before) / lasted:.1f} % of a core, {size / lasted / 1e6:.2f} MB/s", flush=True)
        run.process.send_signal(signal.SIGTERM)
        run.process.communicate()


def disturbed(arguments, name, with_bridge):
    """-> overruns, macro-steps, what the reader saw"""
    with tempfile.TemporaryDirectory() as folder:
        run, told = Run(arguments, folder), ""
        if with_bridge:
            reader, bridge, begin, killed = Reader(name), bridge_of(arguments, run), time.monotonic(), False
            while bridge.poll() is None:
                reader.read()
                if not killed and time.monotonic() - begin > arguments.seconds / 2:
                    killed = True
                    bridge.kill()
                    bridge.wait()
                    bridge = bridge_of(arguments, run)
                time.sleep(0.003)
            reader.read()
            told = reader.told()
        summary = run.summary()
        return summary["overruns"].get("overruns", 0), summary["macro_steps"], told


def beside_a_dead_one(arguments, name):
    """A second reader is stopped for half of the run; the first one reads on."""
    with tempfile.TemporaryDirectory() as folder:
        run, reader = Run(arguments, folder), Reader(name)
        bridge, begin = bridge_of(arguments, run), time.monotonic()
        code = (f"import sys, time; sys.path[:0] = {sys.path[:2]!r}; import dds; r = dds.Reader({name!r})\n"
                "while not r.numbers: r.read()\nprint('reads', flush=True)\nwhile True: r.read(); time.sleep(.003)")
        other = subprocess.Popen([sys.executable, "-c", code], cwd=pathlib.Path(__file__).parent, stdout=subprocess.PIPE)
        stopped, memory = False, []
        while bridge.poll() is None:
            reader.read()
            if not stopped and time.monotonic() - begin > arguments.seconds / 3 and select.select([other.stdout], [], [], 0)[0]:
                other.send_signal(signal.SIGSTOP)
                stopped = True
            if stopped:
                resident = [line.split()[1] for line in pathlib.Path(f"/proc/{bridge.pid}/status").read_text().splitlines() if line.startswith("VmRSS")]
                memory += [int(size) / 1024 for size in resident]
            time.sleep(0.003)
        reader.read()
        other.kill()
        run.summary()
        print(f"beside a reader that is stopped for good: {reader.told()}; {reader.status.blocks_failed} failed; memory of the bridge {memory[0]:.0f} MB, at most {max(memory):.0f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plant", nargs="?")
    parser.add_argument("--takt-dds")
    parser.add_argument("--for", dest="seconds", type=float, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu", type=int, default=1)
    parser.add_argument("--ladder", type=int, metavar="STAGES", help="print a plant file, and end")
    arguments = parser.parse_args()
    if arguments.ladder:
        return print(plant_text(arguments.ladder))
    if os.geteuid() == 0 and "TAKT_OWN_NETWORK" not in os.environ:
        os.environ["TAKT_OWN_NETWORK"] = "1"
        os.execvp("unshare", ["unshare", "-n", "sh", "-c", 'ip link set lo up; exec "$0" "$@"', sys.executable, *sys.argv])
    import takt_dds
    takt_dds.limit_to("lo")
    name = pathlib.Path(arguments.plant).name
    counted(arguments, name)
    beside_a_dead_one(arguments, name)
    for form in ("text", "doubles"):
        tapped(arguments, form)
    print("| round | overruns without | with a bridge, killed once | without | macro-steps each | reader |")
    print("| ---: | ---: | ---: | ---: | ---: | --- |")
    for number in range(arguments.rounds):
        before, between, after = (disturbed(arguments, name, with_bridge) for with_bridge in (False, True, False))
        print(f"| {number + 1} | {before[0]} | {between[0]} | {after[0]} | {between[1]} | {between[2]} |", flush=True)


if __name__ == "__main__":
    main()
