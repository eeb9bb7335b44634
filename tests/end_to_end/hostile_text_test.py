"""Text of users stays text: every place of every input that takes free text gets text that would be code in C++, CMake, shells, HTML, Graphviz,
JSON, CSV or printf. Nothing of it is executed, what is built compiles and runs, and the report has no script and no picture of theirs.

Each command of the texts would make a file CANARY; every value is also what a browser would run.
"""

import argparse
import html.parser
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys

CODE = "\n#endif\nextern \"C\" int system(const char*);\ninline const int pwned = system(\"touch CANARY\");\n//"
SHELL = "$(touch CANARY)`touch CANARY`;touch CANARY;'\"|touch CANARY&&touch CANARY #"
MARKUP = "</title></script><script>alert(1)</script><img src=x onerror=alert(1)>\" onload=\"alert(1)"
TEXTS = {
    "code": CODE,
    "comment": "*/ int broken; /* // ??/\n splice \\",
    "splice": "the next line is mine \\",
    "trigraph": "the next line is mine ??/",
    "shell": SHELL,
    "markup": MARKUP,
    "cmake": "${CMAKE_COMMAND} $ENV{HOME} ]==] ;a;b \"\\\" ) execute_process(COMMAND touch CANARY) #",
    "format": "%s%s%s%n%n%1000000d {} {0} {:>999999}",
    "graph": "\\N \\G <b> \"]; x [label=\"y\" URL=\"javascript:alert(1)\" &lt;script&gt;",
    "control": "bell \a escape \x1b]0;title\x07 nul-free \x7f \x01 \u202e reversed \u2028 line \ufeff",
    "csv": "=cmd|'/c touch CANARY'!A1,\"quote\"\"\n,,;\t",
    "all": CODE + SHELL + MARKUP + "%n*/ \\ ??/",
}
FILES = ["two words", "$(touch CANARY)", "a;b", "quote'\"", "#hash", "new\nline", "back\\slash", "*", "%n%s", "-rf", "ü", b"\xff\xfe", "<b>", "${HOME}", "a=b", "semi;touch CANARY;", "a:b"]
VALUE_TEXT = "5 V'; touch CANARY; \"$(touch CANARY)`touch CANARY`\n#endif"


def toml(text):
    """As a basic string of TOML."""
    return '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 32 or c in "\"\\\x7f" else c for c in text) + '"'


def dbc(text):
    """As a string of a DBC file, which may hold line ends and has no other escapes."""
    return '"' + text.replace('"', '\\"') + (' "' if text.endswith("\\") else '"')


def column(text):
    """The head of a column that is as hostile as CSV allows."""
    return "x" + text.strip("\n").split("\n")[0].translate({ord(c): None for c in ',;"[]\r\t'}).strip()


def plant_text(text, table):
    return f"""[plant]
title = {toml(text)}
duration = "2 ms"
[input]
u = {{ unit = "V", start = "5 V", safe = "0 V" }}
[element.electric.mine]
doc = {toml(text)}
source = {toml(text)}
param = {{ r = "Ohm > 0" }}
branch = {{ kind = "R", law = "v = r*i" }}
[electric]
s = {{ is = "voltage_source", at = ["a", "gnd"], v = "u + 1 V" }}
r = {{ is = "mine", at = ["a", "b"], r = "1 kOhm" }}
c = {{ is = "capacitor", at = ["b", "gnd"], c = "1 uF" }}
i = {{ is = "current_source", at = ["gnd", "b"], i = {{ csv = {toml(table)}, x = {toml(column(text))} }} }}
[solve]
electric = {{ step = "10 us", method = "heun" }}
[sync]
plant = {{ members = ["electric"], every = "1 ms" }}
[record]
"1 ms" = ["electric.c.v"]
"""


def dbc_text(text):
    return f"""VERSION {dbc(text)}

BU_: ECU PLANT

BO_ 256 Command: 8 ECU
 SG_ u : 0|16@1+ (0.01,0) [0|100] "V" PLANT
 SG_ odd : 16|8@1+ (1,0) [0|255] {dbc(text)} PLANT

BO_ 257 State: 8 PLANT
 SG_ v : 0|16@1+ (0.01,0) [0|100] "V" ECU

CM_ {dbc(text)};
CM_ BU_ ECU {dbc(text)};
CM_ BO_ 256 {dbc(text)};
CM_ SG_ 256 u {dbc(text)};
BA_DEF_ BO_ "Note" STRING ;
BA_DEF_DEF_ "Note" {dbc(text)};
VAL_ 256 odd 0 {dbc(text)} 1 "one" ;
"""


RIG = """[rig]
pace = "free"
[bus.can0]
kind = "can"
channel = "can0"
dbc = {dbc}
virtual = true
port = {port}
simulate = ["PLANT"]
[bus.can0.receive]
"Command.u" = "u"
[bus.can0.send]
"State.v" = "electric.c.v"
"State" = {{ period = "1 ms" }}
"""


RECORD = pathlib.Path(__file__).resolve().parents[2] / "runtime/io/record"


class Page(html.parser.HTMLParser):
    """What of a page a browser would run or fetch, but for scripts of ours that every page has, as they are in the sources, and data beside them."""

    parts = re.findall(r"foreach\(part ([a-z ]+)\)", (RECORD / "CMakeLists.txt").read_text())[0].split()
    OURS = {"//<![CDATA[\n" + text + "//]]>" for text in ("".join((RECORD / "page" / f"{part}.js").read_text() for part in parts),
                                                          (RECORD.parents[2] / "tools/picture/page/picture.js").read_text())}

    def __init__(self):
        super().__init__()
        self.live, self.script = [], None

    def handle_data(self, data):
        if self.script is not None:
            self.script += data

    def handle_endtag(self, tag):
        if tag == "script" and self.script not in {None, *self.OURS}:
            self.live.append(tag)
        self.script = None

    def handle_starttag(self, tag, attributes):
        if tag == "script":
            if ("type", "application/json") not in attributes:
                self.script = ""
        elif tag in ("img", "iframe", "object", "link"):
            self.live.append(tag)
        self.live += [f"{tag} {name}" for name, value in attributes if name.startswith("on") or name in ("href", "src", "xlink:href") and "script:" in (value or "")]


class Judge:
    def __init__(self, takt, work):
        self.takt, self.work, self.failed, self.checked = str(takt), work, 0, 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def judge(self, what, ok, told=""):
        self.checked += 1
        if not ok:
            self.failed += 1
            print(f"WRONG {what}: {told}", flush=True)

    def run(self, folder, *arguments, cwd=None):
        done = subprocess.run([self.takt, *arguments], cwd=cwd or folder, capture_output=True, timeout=600, check=False)
        told = (done.stdout + done.stderr).decode(errors="replace")
        return done.returncode, told

    def nothing_executed(self, what):
        found = [path for path in self.work.rglob("*CANARY*") if path.name == "CANARY"]
        self.judge(what + ": nothing executed", not found, found)
        for path in found:
            path.unlink()

    def succeeds(self, what, folder, *arguments, cwd=None):
        code, told = self.run(folder, *arguments, cwd=cwd)
        self.judge(what, code == 0, f"exit code {code}: {told[-600:]}")
        return code == 0

    def ends_in_order(self, what, folder, *arguments, cwd=None):
        """Works or is refused, by words of takt."""
        code, told = self.run(folder, *arguments, cwd=cwd)
        bad = code not in (0, 1, 2) or any(word in told for word in ("internal error", "terminate called", "map::at", "basic_string", "std::"))
        self.judge(what, not bad, f"exit code {code}: {told[-600:]}")
        return code == 0

    def judge_results(self, what, out):
        page = Page()
        page.feed((out / "report.html").read_text(encoding="utf-8"))
        self.judge(what + ": report runs nothing", not page.live, page.live)
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        self.judge(what + ": summary", summary["failed"] is False)
        self.judge(what + ": signals", len((out / "signals.csv").read_text(encoding="utf-8").splitlines()) == 4)

    def judge_graph(self, what, folder):
        if self.succeeds(what + ": network", folder, "check", "plant.toml", "--graph", "g.svg"):
            page = Page()
            page.feed((folder / "g.svg").read_text(encoding="utf-8"))
            self.judge(what + ": network runs nothing", not page.live, page.live)
        if not self.succeeds(what + ": graph", folder, "check", "plant.toml", "--graph", "g.dot") or not shutil.which("dot"):
            return
        done = subprocess.run(["dot", "-Tsvg", "g.dot"], cwd=folder, capture_output=True, check=False)
        page = Page()
        page.feed(done.stdout.decode(errors="replace"))
        self.judge(what + ": Graphviz reads it", done.returncode == 0, done.stderr)
        self.judge(what + ": picture runs nothing", not page.live, page.live)

    def texts(self, name, text, build):
        folder = self.work / f"text_{name}"
        folder.mkdir(parents=True)
        (folder / "curve.csv").write_text(f"{column(text)} [s],y [A]\n0,0\n1,1e-3\n", encoding="utf-8", newline="")
        (folder / "plant.toml").write_text(plant_text(text, "curve.csv"), encoding="utf-8")
        (folder / "bus.dbc").write_text(dbc_text(text), encoding="utf-8", newline="")
        (folder / "rig.toml").write_text(RIG.format(port=self.port, dbc=toml("bus.dbc")), encoding="utf-8")
        self.ends_in_order(name + ": check", folder, "check", "plant.toml", "--rig", "rig.toml")
        self.succeeds(name + ": sources", folder, "check", "plant.toml", "--show", "sources")
        self.judge_graph(name, folder)
        code, told = self.run(folder, "check", "plant.toml", "--json")
        self.judge(name + ": --json", code == 0 and json.loads(told[told.index("{"):]) is not None, told[-300:])
        if build and self.succeeds(name + ": run", folder, "run", "plant.toml", "--rig", "rig.toml", "--out", "out"):
            self.judge_results(name, folder / "out")
        self.nothing_executed(name)

    def files(self, place, name):
        """One hostile name: of a table, a database, a rig, the plant file, its folder, the folder of results, the folder it is run in."""
        raw = os.fsencode(name)
        folder = self.work / f"file_{place}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        at = {key: os.fsencode(default) for key, default in {"table": "curve.csv", "database": "bus.dbc", "rig": "rig.toml", "plant": "plant.toml", "out": "out"}.items()}
        if place in at:
            at[place] = raw + b"".join(b"." + ending for ending in at[place].split(b".")[1:])
        base = os.fsencode(folder)
        if place in ("folder", "here"):
            base = os.path.join(base, raw)
            os.mkdir(base)
        texts = {"plant": plant_text("plain", os.fsdecode(at["table"])), "table": "xplain [s],y [A]\n0,0\n1,1e-3\n", "database": dbc_text("plain"),
                 "rig": RIG.format(port=self.port, dbc=toml(os.fsdecode(at["database"])))}
        for key, text in texts.items():
            with open(os.path.join(base, at[key]), "wb") as file:
                file.write(text.encode(errors="surrogateescape"))
        cwd = os.fsdecode(base) if place == "here" else folder
        where = b"" if place == "here" else base + b"/"
        what = f"{place} {name!r}"
        arguments = ["run", where + at["plant"], "--rig", where + at["rig"], "--out", at["out"]]
        if place == "out" or place == "here":
            arguments = ["run", where + b"./" + at["plant"], "--out=" + os.fsdecode(at["out"])]
        if place == "plant":
            arguments[1] = where + b"./" + at["plant"] if where == b"" else arguments[1]
        self.ends_in_order(what, folder, *arguments, cwd=cwd)
        self.nothing_executed(what)

    def arguments(self):
        folder = self.work / "text_all"
        for option in ("--set", "--solve", "--rig", "--march", "--for", "--input", "--bus", "--replay"):
            for text in ("u=" + VALUE_TEXT, "electric.c.c=" + VALUE_TEXT, SHELL, CODE, "%n%s=%n%s", "--version"):
                self.ends_in_order(f"{option} {text!r}", folder, "run", "plant.toml", "--no-results", option, text)
        self.nothing_executed("arguments")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--all", action="store_true", help="build with every text, and try every name in every place")
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    judge = Judge(options.takt.resolve(), options.work.resolve())
    for name, text in TEXTS.items():
        judge.texts(name, text, options.all or name in ("all", "splice"))
    judge.arguments()
    places = ["table", "database", "rig", "plant", "folder", "out", "here"]
    for index, name in enumerate(FILES):
        for place in places if options.all else [places[index % len(places)]]:
            judge.files(place, name)
    print(f"{judge.checked - judge.failed} of {judge.checked} checks pass")
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
