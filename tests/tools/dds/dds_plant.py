"""The plant of the tests of takt-dds, a bridge, and what both need: a network namespace of its own where this is root."""
import atexit
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "config/dds"), str(ROOT / "tests/end_to_end")]
PATIENCE = 60.0  # s; a slow machine may need them
H = 1_000_000    # ns, macro-step
STAGES = 126


def in_own_network():
    """Nothing leaves this machine: this process begins again where there is the loopback interface alone, and one that leads nowhere."""
    if os.geteuid() != 0 or "TAKT_OWN_NETWORK" in os.environ:
        return
    if subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode != 0:
        return
    os.environ["TAKT_OWN_NETWORK"] = "1"
    os.execvp("unshare", ["unshare", "-n", "sh", "-c", "ip link set lo up; ip link add idle0 type veth peer name idle1 && ip address add 10.77.0.1/24 dev idle0 && "
                          'ip link set idle0 up && ip link set idle1 up; exec "$0" "$@"', sys.executable, *sys.argv])


def ladder(stages):
    """Resistors and capacitors with four signals per stage. -> lines of [electric], names for [record]"""
    lines = []
    for k in range(stages):
        lines.append(f'r{k} = {{ is = "resistor", at = ["n{k}", "n{k + 1}"], r = "1 kOhm" }}')
        lines.append(f'c{k} = {{ is = "capacitor", at = ["n{k + 1}", "gnd"], c = "10 uF" }}')
    return lines, ", ".join(f'"electric.r{k}.i", "electric.r{k}.v", "electric.c{k}.v", "electric.c{k}.i"' for k in range(stages))


def plant_text():
    """A ladder, and inputs that can be seen at once."""
    lines = ['[plant]', 'title = "a ladder"', 'duration = "60 s"', 'error = "off"', '[input]', 'u = { unit = "V", start = "1 V", safe = "0 V" }',
             'w = { unit = "V", start = "0 V", safe = "0 V" }', '[electric]', 'source = { is = "voltage_source", at = ["n0", "gnd"], v = "control.sum" }']
    elements, names = ladder(STAGES)
    lines += elements
    return "\n".join(lines + ['[control]', 'sum = { is = "expression", every = "1 ms", of = "u - w" }', '[solve]',
                              'electric = { step = "1 ms", method = "heun" }', '[sync]', 'plant = { members = ["electric", "control"], every = "1 ms" }',
                              '[record]', f'"1 ms" = ["u", "w", "electric.source.v", "control.sum", {names}]', '"7 ms" = ["electric.c0.v"]', ''])


class Bridge:
    def __init__(self, program, run, *options):
        self.process = subprocess.Popen([str(part) for part in [program, run, *options]], stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # a test that fails leaves nobody

    def finish(self):
        """-> exit code, what it has said"""
        try:
            said = self.process.communicate(timeout=PATIENCE)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            said = "DOES NOT END: " + self.process.communicate()[1]
        return self.process.returncode, said


class Reader:
    """All that takt-dds writes of one plant."""

    def __init__(self, name, domain):
        import takt_dds
        self.plant = takt_dds.Plant(name, domain)
        self.descriptions, self.statuses, self.events, self.acknowledgements = [], [], [], {}
        self.readers, self.blocks = {}, {}

    def read(self):
        for description in self.plant.take(self.plant.description):
            self.descriptions.append(description)
            for block in description.blocks:
                if block.name not in self.readers:
                    self.readers[block.name] = self.plant.block(block.name)
        self.statuses += self.plant.take(self.plant.status)
        self.events += self.plant.take(self.plant.events)
        for answer in self.plant.take(self.plant.acknowledgements):
            self.acknowledgements.setdefault((answer.author, answer.id), []).append(answer)
        for name, reader in self.readers.items():
            self.blocks.setdefault(name, []).extend(self.plant.take(reader))

    def until(self, condition):
        """-> whether it came true"""
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                return False
            self.read()
            time.sleep(0.003)
        return True

    def command(self, author, number, verb, values=None, **more):
        """-> its acknowledgement"""
        self.plant.command(author, number, verb, values, **more)
        self.until(lambda: (author, number) in self.acknowledgements)
        return self.acknowledgements.get((author, number), [None])[0]

    def of(self, session):
        """Blocks of the fast topic."""
        return [block for block in self.blocks.get("every_1_ms", []) if block.session == session]
