#!/usr/bin/env python3
"""schema_test.py TAKT SOURCE_DIR   The JSON schemas of plant, rig and scenario files are those that Takt reads.

Every file of config keeps its schema, what is wrong does not; and each table of a schema has the keys that the reader names when it meets one
that it does not know. 77 where jsonschema is missing."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: no jsonschema")
    sys.exit(77)

TAKT, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def takt(*words, cwd=None):
    return subprocess.run([str(TAKT), *map(str, words)], capture_output=True, text=True, timeout=300, cwd=cwd)


def schema(kind):
    told = takt("schema", kind)
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    jsonschema.Draft7Validator.check_schema(found)
    return found


SCHEMAS = {kind: schema(kind) for kind in ("plant", "rig", "scenario")}
VALIDATORS = {kind: jsonschema.Draft7Validator(found) for kind, found in SCHEMAS.items()}


def kind_of(document):
    if "bus" in document or "rig" in document or "host" in document:
        return "rig"
    return "scenario" if "step" in document or "scenario" in document else "plant"


def documents():
    """(path, kind, content) of the files of config and of test cases, parametrisations as the part of a plant that they are."""
    for path in [*sorted((SOURCE / "config").rglob("*.toml")), *sorted((SOURCE / "tests/end_to_end/cases").rglob("plant.toml"))]:
        if path.parent.name == "library" or ".takt" in path.parts or path.name in ("kinds.toml", "paper.toml", "peer.toml"):
            continue
        content = tomllib.loads(path.read_text())
        if path.parent.name == "parametrisations":
            content.pop("title", None)
        yield path, kind_of(content), content


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def text_of(document):
    return "".join(f"{key} = {toml(value)}\n" for key, value in document.items())


class Tables:
    """The closed tables of a schema, and where an example has them."""

    def __init__(self, kind):
        self.root = SCHEMAS[kind]

    def resolved(self, node):
        while "$ref" in node or "if" not in node.get("allOf", [{"if": None}])[0]:
            node = self.root["definitions"][node["$ref"].split("/")[-1]] if "$ref" in node else node["allOf"][0]
        return node

    def all(self):
        """ids of closed tables, for what they may hold"""
        found, todo = {}, [self.root]
        while todo:
            node = todo.pop()
            if isinstance(node, dict):
                if node.get("additionalProperties") is False and "properties" in node:
                    found[id(node)] = node
                todo.extend(node.values())
            elif isinstance(node, list):
                todo.extend(node)
        return found

    def is_valid(self, node, value):
        return jsonschema.Draft7Validator({**node, "definitions": self.root["definitions"]}).is_valid(value)

    def places(self, node, value, path=()):
        """(id of a closed table, path in the example)"""
        node = self.resolved(node)
        if "if" in node:
            yield from self.places(node["then"] if "repeat" in value else node["else"], value, path)
        for choice in node.get("anyOf", []):
            if self.is_valid(choice, value):
                yield from self.places(choice, value, path)
        for rule in node.get("allOf", []):
            if self.is_valid(rule["if"], value):
                yield from self.places(rule["then"], value, path)
        if isinstance(value, dict):
            if node.get("additionalProperties") is False and "properties" in node:
                yield id(node), path
            for key, one in value.items():
                patterns = [rule for pattern, rule in node.get("patternProperties", {}).items() if re.search(pattern, key)]
                below = node.get("properties", {}).get(key, (patterns or [node.get("additionalProperties")])[0])
                if isinstance(below, dict):
                    yield from self.places(below, one, (*path, key))
        if isinstance(value, list) and isinstance(node.get("items"), dict):
            for index, one in enumerate(value):
                yield from self.places(node["items"], one, (*path, index))


PLANT = {
    "plant": {"title": "every table"}, "input": {"u": {"unit": "V", "start": "0 V"}}, "parameters": {"r_load": "1 Ohm"},
    "electric": {"source": {"is": "voltage_source", "at": ["a", "gnd"], "v": "u"}, "load": {"is": "resistor", "at": ["a", "gnd"], "r": "r_load"}},
    "control": {"every": "1 ms", "t": {"is": "table", "of": "u/(1 V)", "map": {"points": [[0, 0], [1, 1]]}},
                "g": {"is": "table_2d", "x": "u/(1 V)", "y": "1", "map": {"csv": "g.csv", "x": "a", "y": "b", "z": "c"}}},
    "part": {"cell": {"terminal": ["p", "n"], "electric": {"r": {"is": "resistor", "at": ["p", "n"], "r": "1 Ohm"}}}},
    "parts": {"one": {"of": "cell", "at": ["a", "gnd"]}},
    "fmu": {"f": {"file": "f.fmu", "ports": {"p": {"at": "electric.a", "across": "electric.out.v", "through": "offset"}}}},
    "model": {"m": {"file": "m.flat.json", "at": {"p": "electric.a"}, "inputs": {"u": "1"}, "parameters": {"r": "2"}}},
    "join": {"j": {"a": {"fmu": "f", "across": "electric.out.v", "through": "offset"}, "b": {"at": "electric.a"}}},
    "solve": {"electric": {"step": "1 us", "method": "heun"}}, "sync": {"all": {"members": ["electric"], "every": "1 ms"}}, "record": {"1 ms": ["electric.a.v"]},
}
RIG = {
    "rig": {"pace": "real", "policy": "count", "limits": {"consecutive": 3}}, "supervisor": {"enabled": True}, "hosts": {"domain": 3},
    "host": {"h": {"interface": "lo"}},
    "bus": {"can0": {"kind": "can", "dbc": "bus.dbc", "simulate": ["PLANT"], "start": {"when": "ECU.u > 1"},
                     "receive": {"ECU.u": {"to": "u"}}, "send": {"PLANT.v": {"from": "electric.load.v"}},
                     "protect": {"PLANT": {"profile": "P01"}, "PLANT2": {"profile": "P02"}, "PLANT4": {"profile": "P04"}, "PLANTX": {"counter": "n", "checksum": "crc", "polynomial": "0x1D"}}},
            "can1": {"kind": "can", "dbc": "bus.dbc"},
            "lab": {"kind": "udp", "port": 5005, "peer": "127.0.0.1:5006",
                    "receive": {"Command": {"fields": [{"constant": "u16", "value": 7}, {"counter": "u32"}, {"time": "i64"}, {"skip": 2}, {"name": "u", "type": "f32", "unit": "V"}]}},
                    "send": {"State": {"period": "1 ms", "fields": [{"counter": "u32"}, {"name": "v", "type": "f64", "unit": "V", "from": "electric.load.v"}]}}}},
    "gateway": {"g": {"from": "can0", "to": "can1", "messages": ["0x1"]}},
    "start": [{"set": {"can0.PLANT.w": 1}}], "stop": [{"pause": "10 ms"}],
}
DBC = '''VERSION ""
BU_: PLANT ECU
BO_ 256 PLANT: 4 PLANT
 SG_ v : 0|16@1- (0.01,0) [-300|300] "V" ECU
 SG_ w : 16|8@1- (1,0) [-100|100] "" ECU
BO_ 258 PLANT2: 8 PLANT
 SG_ n : 8|4@1+ (1,0) [0|15] "" ECU
BO_ 260 PLANT4: 16 PLANT
 SG_ n : 96|4@1+ (1,0) [0|15] "" ECU
BO_ 261 PLANTX: 8 PLANT
 SG_ n : 8|4@1+ (1,0) [0|15] "" ECU
 SG_ crc : 16|8@1+ (1,0) [0|255] "" ECU
BO_ 512 ECU: 2 ECU
 SG_ u : 0|16@1- (0.01,0) [-300|300] "V" PLANT
'''
SCENARIO = {
    "scenario": {"title": "every table"}, "judge": {"late": "any"},
    "step": [{"ramp": {"offset": {"to": "1 V", "over": "1 ms"}}}, {"sine": {"offset": {"amplitude": "1 V", "frequency": "50 Hz"}}},
             {"table": {"offset": {"points": [["0 s", "0 V"], ["1 s", "1 V"]]}}},
             {"band": {"signal": "electric.load.v", "reference": "1 V", "tolerance": "1 V"}}, {"repeat": 2, "step": [{"after": "1 ms"}]}],
}


class Files(unittest.TestCase):
    def test_of_config_and_test_cases_keep_their_schema(self):
        kinds = set()
        for path, kind, content in documents():
            with self.subTest(file=str(path.relative_to(SOURCE))):
                self.assertEqual([f"{'.'.join(map(str, error.path))}: {error.message}" for error in VALIDATORS[kind].iter_errors(content)], [])
            kinds.add(kind)
        self.assertEqual(kinds, set(SCHEMAS))

    def test_that_are_wrong_do_not(self):
        wrong = {"plant": [{"electrik": {}}, {"plant": {"tittle": "x"}}, {"plant": {"title": 3}}, {"electric": {"r": {"at": ["a", "b"]}}}, {"input": {"u": {"unit": "V"}}},
                           {"solve": {"electric": {"step": "1 ms", "edges": "never"}}}, {"electric": {"r": {"is": "resistor", "at": ["a", "b"], "ohm": "1 Ohm"}}},
                           {"sync": {"g": {"order": 4}}}, {"parameters": {"R": 1}}],
                 "rig": [{"rig": {"pace": "fast"}}, {"bus": {"can0": {"channel": "can0"}}}, {"bus": {"can0": {"kind": "can", "port": 0}}}, {"gateway": {"g": {"from": "a"}}}],
                 "scenario": [{"step": [{"repeat": 2}]}, {"step": [{"expct": "x > 1"}]}, {"step": [{"ramp": {"u": {"over": "1 s"}}}]}]}
        for kind, documents_ in wrong.items():
            for document in documents_:
                with self.subTest(kind=kind, document=document):
                    self.assertFalse(VALIDATORS[kind].is_valid(document))

    def test_a_kind_that_is_not_known(self):
        self.assertEqual(takt("schema", "plnt").returncode, 2)


class Keys(unittest.TestCase):
    """What the reader says of a key that it does not know names those that it knows: the same as in the schema."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bus.dbc").write_text(DBC)
        made = takt("fmu", "export", SOURCE / "config/plants/rc", "--kind", "cs", "--out", self.folder / "f.fmu", "--build-dir", self.folder / "fmu")
        self.assertEqual(made.returncode, 0, made.stderr)
        (self.folder / "plant.toml").write_text(text_of({key: PLANT[key] for key in ("input", "parameters", "electric")}))

    def told(self, kind, document):
        """What is said of this file."""
        file = self.folder / f"{kind}_probe.toml"
        file.write_text(text_of(document))
        if kind == "plant":
            return takt("check", file).stderr
        if kind == "rig":
            return takt("check", self.folder / "plant.toml", "--rig", file).stderr
        return takt("run", SOURCE / "config/plants/rc", "--build-dir", self.folder / "build", "--scenario", file, "--no-results", "--quiet").stderr

    def compare(self, kind, example):
        self.assertEqual([error.message for error in VALIDATORS[kind].iter_errors(example)], [])
        tables = Tables(kind)
        missing = tables.all()
        for number, (table, path) in enumerate(tables.places(SCHEMAS[kind], example)):
            if table not in missing:
                continue
            probe = copy.deepcopy(example)
            place = probe
            for key in path:
                place = place[key]
            place["qqzzqq"] = 1
            keys = set(missing.pop(table)["properties"])
            with self.subTest(table=path or "the file"):
                said = self.told(kind, probe)
                found = re.search(r"qqzzqq(?:.|\n)*?known(?: here)?:\s+(.*)", said)
                self.assertIsNotNone(found, said)
                self.assertEqual(set(re.findall(r"[\w-]+", found[1])), keys)
        return list(missing.values())

    def test_of_plants(self):
        left = self.compare("plant", PLANT)
        whole = self.compare("plant", PLANT | {"solve": {"whole": {"step": "1 ms"}}, "sync": {}})
        # the elements of the library: what is not known there is told like this, too, but a table each
        own = [table for table in left if table in whole and "is" not in table["properties"]]
        self.assertEqual(own, [])

    def test_of_rigs(self):
        self.assertEqual(self.compare("rig", RIG), [])

    def test_of_scenarios(self):
        self.assertEqual(self.compare("scenario", SCENARIO), [])

    def test_of_elements_of_the_library(self):
        listed = takt("explain", "--list").stdout
        for section in ("electric", "solid", "rotational", "translational", "fluid", "gas", "control"):
            names = re.findall(rf"^{section}\.(\w+)", listed, re.MULTILINE)
            self.assertTrue(names)
            file = self.folder / "element.toml"
            file.write_text(f"[{section}]\n" + "".join(f'x_{name} = {{ is = "{name}", qqzz{name} = 1 }}\n' for name in names))
            said = takt("check", file).stderr
            for name in names:
                keys = set(element(section, name)["properties"])
                found = re.search(rf"'qqzz{name}'\n.*\n.*\n  hint: known: (.*)", said)
                with self.subTest(element=f"{section}.{name}"):
                    if found:
                        self.assertEqual(set(re.findall(r"\w+", found[1])), keys)
                    else:  # a long list of keys is not told
                        self.assertGreater(len(keys), 24)


def element(section, name):
    """The table of an element in the schema."""
    for rule in SCHEMAS["plant"]["definitions"]["element_" + section]["allOf"]:
        if rule["if"]["properties"]["is"]["const"] == name:
            return rule["then"]
    raise KeyError(name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
