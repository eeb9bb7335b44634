"""Where text enters: for each kind of input its examples, and the command lines that read one."""
import pathlib
import re
import shlex
import shutil

LOG = b"""(1700000000.000100) can0 110#E803100000000000
(1700000000.010200) can0 18FF50E5#0102030405060708
(1700000000.020300) can0 123##1112233445566778899AABB
"""
ASC = b"""date Mon Nov 14 10:13:20 am 2023
base hex  timestamps absolute
   0.000100 1  110             Rx   d 8 E8 03 10 00 00 00 00 00
   0.010200 1  18FF50E5x       Rx   d 4 01 02 03 04
"""
SIGNALS = b"time [s],electric.c.v [V],electric.l.i [A],solid.t [K]\n0,0,5,300\n0.001,1.5,5e0,\n0.002,2,-5,301.25\n"
INPUTS = b"# takt inputs 1\n# plant two_bodies\n# hash 0\n# macro_step_ns 1000000\n# set k=5\nmacro_step,input,value\n0,heater,0\n3,heater,1.5\n4,heater,-2e3\n# macro_steps 5\n"
COMMANDS = """check PLANT --set amplitude=12V --show dae
check PLANT --set amplitude=1e400 --set frequency=-1
check PLANT --show tree --json
explain resistor T001
explain --list
compare SIGNALS SIGNALS --limit 0.1 --limit-max 0.2 --only electric.*
can decode LOG --dbc DBC --only 110,BMS_State --json
can show DBC
can send 110#E803 --count 1 --for 1ms --bus vcan99
can dump --bus socketcand:127.0.0.1:1/can0 --for 1ms --count 1 --dbc DBC
reference PLANT --for 1ms --rtol 1e-6 --out OUT
reference PLANT --for 1ms --method fixed --step 100us --out OUT --input offset=1V@0.0005
PROGRAM --for 5ms --set k=4 --input heater=5@0.001 --no-results --quiet
PROGRAM --for 5ms --pace free --out OUT --no-report --quiet --record-states 1ms --ledger-alarm 1e-9
PROGRAM --for 2ms --pace real --inject long:1:10 --cpu 0 --priority 1 --policy stop --no-results --quiet
PROGRAM --list
PROGRAM --for 5ms --start steady --json --quiet --no-results"""


class Slots:
    """Files are made below `work`; commands run there."""

    def __init__(self, source, work, takt, program):
        self.source, self.work, self.takt, self.program = pathlib.Path(source), pathlib.Path(work), str(takt), str(program)
        self.kinds = {"plant": self.plants(), "rig": self.files("config/rigs/*.toml"), "dbc": self.files("config/can/*.dbc", "tests/codegen/rig/**/*.dbc"),
                      "csv": self.files("config/plants/inverter/losses.csv", "tests/**/*.csv", largest=20_000), "operating": self.heads("config/plants/inverter/operating.csv"),
                      "solve": self.files("config/plants/inverter/parametrisations/*.toml"), "inputs": [INPUTS], "canlog": [LOG, ASC], "signals": [SIGNALS],
                      "peer": self.files("config/plants/*/peer.toml"), "paper": self.files("config/plants/inverter/paper.toml"), "command": [line.encode() for line in COMMANDS.split("\n")]}
        self.kinds = {kind: texts for kind, texts in self.kinds.items() if texts}

    def files(self, *patterns, largest=60_000):
        paths = sorted({path for pattern in patterns for path in self.source.glob(pattern)})
        return [path.read_bytes() for path in paths if path.stat().st_size <= largest]

    def heads(self, name, lines=6):
        return [b"\n".join((self.source / name).read_bytes().split(b"\n")[:lines])]

    def plants(self):
        texts = self.files("config/plants/*/plant.toml", "tests/end_to_end/**/*.toml", "tests/codegen/**/*.toml", largest=12_000)
        return [text for text in texts if b"is =" in text or b"is=" in text]

    def put(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        return str(path)

    def copied(self, name):
        """Folder of an example plant, to change a file of."""
        folder = self.work / name
        if not folder.exists():
            shutil.copytree(self.source / "config/plants" / name, folder)
        return folder

    def commands(self, kind, text, choice):
        """@param choice  a number that picks among the commands of a kind"""
        return getattr(self, kind)(text, choice)

    def plant(self, text, choice):
        for name in set(re.findall(rb'csv\s*=\s*"([\w./-]+)"', text)):
            found = next(iter(sorted(self.source.glob("**/" + name.decode().split("/")[-1]))), None)
            if found and not (self.work / name.decode()).exists() and b".." not in name and not name.startswith(b"/"):
                self.put(name.decode(), found.read_bytes())
        file = self.put("plant.toml", text)
        return [[self.takt, "check", file, *([], ["--json"], ["--show", "sources"], ["--show", "plan"])[choice % 4]]]

    def rig(self, text, choice):
        self.put("can/ev.dbc", (self.source / "config/can/ev.dbc").read_bytes())
        return [[self.takt, "check", str(self.source / "config/plants/ev"), "--rig", self.put("rigs/ev.toml", text), "--show", "sources"]]

    def dbc(self, text, choice):
        self.put("rigs/ev.toml", (self.source / "config/rigs/ev.toml").read_bytes())
        file = self.put("can/ev.dbc", text)
        if choice % 3:
            return [[self.takt, "can", "show", file]]
        return [[self.takt, "check", str(self.source / "config/plants/ev"), "--rig", str(self.work / "rigs/ev.toml"), "--show", "sources"],
                [self.takt, "can", "decode", self.put("log", LOG), "--dbc", file]]

    def csv(self, text, choice):
        folder = self.copied("inverter")
        (folder / "losses.csv").write_bytes(text)
        return [[self.takt, "check", str(folder)]]

    def operating(self, text, choice):
        return [[self.takt, "check", str(self.source / "config/plants/inverter"), "--operating", self.put("operating.csv", text)]]

    def solve(self, text, choice):
        return [[self.takt, "check", str(self.source / "config/plants/inverter"), "--solve", self.put("solve.toml", text)]]

    def inputs(self, text, choice):
        return [[self.program, "--replay", self.put("inputs.csv", text), "--for", "5 ms", "--no-results", "--quiet"]]

    def canlog(self, text, choice):
        return [[self.takt, "can", "decode", self.put("log", text), "--dbc", str(self.source / "config/can/ev.dbc"), *([], ["--json"])[choice % 2]]]

    def signals(self, text, choice):
        pair = [self.put("signals.csv", text), self.put("other.csv", SIGNALS)]
        return [[self.takt, "compare", *(pair if choice % 2 else pair[::-1]), "--limit", "0.1", "--plot", str(self.work / "plot.html")]]

    def peer(self, text, choice):
        folder = self.copied("rc")
        (folder / "peer.toml").write_bytes(text)
        return [[self.takt, "bench", str(folder), "--peers", "--for", "1 ms", "--runs", "1"]]

    def paper(self, text, choice):
        folder = self.copied("inverter")
        (folder / "paper.toml").write_bytes(text)
        return [[self.takt, "bench", str(folder), "--paper", "--for", "1 ms", "--out", str(self.work / "paper")]]

    def command(self, text, choice):
        try:
            words = shlex.split(text.replace(b"\x00", b"").decode("utf-8", "replace"))
        except ValueError:
            words = text.replace(b"\x00", b"").decode("utf-8", "replace").split()
        places = {"PLANT": str(self.source / "config/plants/rc"), "SIGNALS": self.put("signals.csv", SIGNALS), "LOG": self.put("log", LOG),
                  "DBC": str(self.source / "config/can/ev.dbc"), "OUT": str(self.work / "out")}
        words = [places.get(word, word) for word in words]
        if words[:1] == ["PROGRAM"]:
            return [[self.program, *words[1:]]]
        return [[self.takt, *words]] if words[:1] not in (["run"], ["build"], ["bench"]) else []
