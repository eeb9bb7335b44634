#!/usr/bin/env python3
"""mistakes_test.py TAKT   Typical mistakes in plant files: what is said, and that the cure is said, too.

Each is one line of a plant that is right otherwise; given are its place, its code, and words of its message and of its hint."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TAKT = sys.argv[1]
RIGHT = """[input]
u = { unit = "V", start = "0 V" }
[parameters]
r_load = "1 Ohm"
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "u" }
load   = { is = "resistor", at = ["in", "out"], r = "r_load" }
smooth = { is = "capacitor", at = ["out", "gnd"], c = "1 uF" }
"""
SECTION = {"fluid": '[fluid]\nmedium = "water"\na = { is = "reservoir", p = "1 bar", t = "300 K" }\nb = { is = "reservoir", p = "1 bar", t = "300 K" }\n'}


def resistor(value):
    return f'x = {{ is = "resistor", at = ["in", "gnd"], r = {value} }}'


def source(value):
    return f'x = {{ is = "voltage_source", at = ["y", "gnd"], v = "{value}" }}\nz = {{ is = "resistor", at = ["y", "gnd"], r = "1 Ohm" }}'


# (line or lines behind the plant above, code, words of the message, words of the hint)
MISTAKES = [
    # signs of other languages
    (source("1 V*2**pi"), "E002", r'"\*\*" has no meaning', r"powers are written \^"),
    (source("if(time > 1 s; 1 V; 2 V)"), "E002", '";" has no meaning', "arguments are parted by commas"),
    (source("if(time > 1 s && time < 2 s, 1 V, 2 V)"), "E002", '"&" has no meaning', "and, or, not"),
    (source("time > 1 s ? 2 V : 3 V"), "E002", r'"\?" has no meaning', r"if\(condition, a, b\)"),
    (source("if(time = 1 s, 1 V, 2 V)"), "E002", '"=" has no meaning', "equality is written =="),
    (source("1 V*[2 + 3]"), "E002", r'"\[" has no meaning', r"parentheses are \( and \)"),
    (source("u \u00b7 2"), "E002", "has no meaning", r"products are written \*"),
    (source("if(time \u2265 1 s, 1 V, 2 V)"), "E002", "has no meaning", "this is written >="),
    (source("1,5 V"), "E005", "text after the end", "decimals are written with a point"),
    (source("2 pi*1 V"), "E009", '"pi" behind a number is no unit', r"products are written \*"),
    (source("sqr(2)*1 V"), "E011", "unknown function", 'did you mean "sqrt"'),
    (source("1 volt"), "E009", '"volt" behind a number is no unit', 'did you mean "V"'),
    # units
    (resistor(1000), "U005", "'r' needs its unit: Ohm", 'write "1000 Ohm"'),
    (resistor('"1 kohm"'), "E009", '"kohm" behind a number is no unit', 'did you mean "kOhm"'),
    (resistor('"1 Ohm + 1"'), "E013", "dimensions do not agree", "a number without unit"),
    (resistor('"1 S"'), "U004", "'r' is in Ohm; this is in", "that is a conductance"),
    (SECTION["fluid"] + 'p = { is = "flow_pump", at = ["a", "b"], flow = "10 l/min" }', "U004", "'flow' is in kg/s; this is in m\\^3/s", "multiply it by a density"),
    ('[solid]\nw = { is = "wall", m = "1 kg", cp = "500 J/K", start = { t = "300 K" } }', "U004", "'cp' is in J/kg/K", "divide it by the mass"),
    # names
    ('x = { is = "resistr", at = ["in", "gnd"], r = "1 Ohm" }', "M010", "there is no element 'resistr'", 'did you mean "resistor"'),
    ('x = { is = "resistor", at = ["in", "gnd"], R = "1 Ohm" }', "M011", "no parameter 'R'", 'did you mean "r"'),
    ('x = { is = "inertia", at = ["in"], j = "1 kg*m^2" }', "M010", "there is no element 'inertia'", r"stands in section \[rotational\]"),
    ('x = { is = "resistor", at = ["inn", "gnd"], r = "1 Ohm" }', "M018", "node 'electric.inn' is used only once", 'did you mean "in"'),
    (source("electric.smoth.v"), "E010", 'unknown name "electric.smoth.v"', 'did you mean "electric.smooth.v"'),
    ('[record]\n"1 ms" = ["electric.load.current"]', "S008", "there is no signal 'electric.load.current'", r"known of electric\.load: v, i, loss"),
    ('[record]\n"1 ms" = ["electric.laod.i"]', "S008", "there is no signal", 'did you mean "electric.load.i"'),
    ("[elektric]", "M003", "there is no section 'elektric'", 'did you mean "electric"'),
    ('[plant]\ntittle = "x"', "M005", "'tittle' is unknown", 'did you mean "title"'),
    # what a network lacks
    ('[rotational]\nspeed = { is = "torque_source", at = ["shaft"], torque = "1 N*m" }', "T002", "cutset of torque sources", r'nothing there has an inertia: add one .*"inertia", at = \["shaft"\]'),
    ('[translational]\npush = { is = "force_source", at = ["body"], force = "1 N" }', "T002", "cutset of force sources", r'nothing there has a mass: add one .*at = \["body"\]'),
    ('x = { is = "resistor", at = ["p", "q"], r = "1 Ohm" }\ny = { is = "resistor", at = ["p", "q"], r = "1 Ohm" }', "T003", "potential undetermined", "connect it to gnd"),
    ('x = { is = "resistor", at = ["in"], r = "1 Ohm" }', "M013", "2 terminals", ""),
    ('x = { is = "resistor", at = ["in", "gnd"] }', "M012", "'x' needs 'r'", r"give r = \.\.\. in Ohm"),
    # quotes
    ('x = { is = "resistor", at = ["in", "gnd"], r = "1 Ohm }', "M001", "this text is not closed", "a quote ends it"),
    ('x = { is = "resistor", at = ["in,"gnd"], r = "1 Ohm" }', "M001", "a quote is missing on this line", "between two quotes"),
    ('x = { is = "resistor", at = ["in", gnd], r = "1 Ohm" }', "M001", "value type", 'stand in quotes, as in "gnd"'),
    ('x = { is = "resistor", at = ["in", "gnd"], r = 1 Ohm }', "M001", "", "a value with a unit stands in quotes"),
    ('x = { is = "resistor", at = ["in", "gnd"], r = 1e3Ohm }', "M001", "", "a value with a unit stands in quotes|value with a unit"),
    ('x = { is = "resistor", at = ["in", "gnd"] r = "1 Ohm" }', "M001", "expected comma", "a comma parts the entries"),
    ('x = { is = "resistor",\n at = ["in", "gnd"] }', "M001", "closing '}'", "on the same line"),
    ('x : { is = "resistor" }', "M001", "expected '='", "joined by ="),
    ("[record", "M001", "expected ']'", r"between \[ and \]"),
]


class Mistakes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.plant = pathlib.Path(folder.name) / "plant.toml"

    def check(self, text):
        self.plant.write_text(text)
        done = subprocess.run([TAKT, "check", str(self.plant)], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    def test_the_plant_without_a_mistake_is_right(self):
        self.assertEqual(self.check(RIGHT), (0, ""))

    def test_each_is_told_with_its_cure(self):
        for lines, code, message, hint in MISTAKES:
            _, said = self.check(RIGHT + lines + "\n")
            findings = re.findall(r"plant\.toml:(\d+):\d+: \w+\[(\w+)\]: (.*)\n(?: .*\n)*?(?:  hint: (.*)\n|(?= *\S*plant\.toml)|$)", said + "\n")
            with self.subTest(mistake=lines):
                fitting = [f for f in findings if f[1] == code and int(f[0]) > RIGHT.count("\n") and re.search(message, f[2]) and re.search(hint, f[3])]
                self.assertTrue(fitting, said)

    def test_a_refused_element_is_the_only_finding(self):
        _, said = self.check('[electric]\nx = { is = "resistr", at = ["in", "gnd"], r = "1 Ohm" }\n')
        self.assertEqual(re.findall(r"\[([A-Z]\d{3})\]", said), ["M010"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
