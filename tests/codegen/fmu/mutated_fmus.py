#!/usr/bin/env python3
"""modelDescription.xml broken in generic ways, judged by the schemas of FMI that FMPy brings, and by FMPy's own validation.

mutated_fmus.py TAKT FOLDER [--every N] [--seed N] [--show]    1 where Takt judges otherwise; 77 without FMPy

What the schema refuses, `takt fmu check` refuses, too, and says the line. What schema and FMPy accept is refused only by a rule that stands in
BEYOND, with its reason. One of N mutants (default 16, drawn by the seed) is judged; --show prints what differs.
"""
import argparse
import collections
import copy
import io
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

try:
    import fmpy
    from fmpy import read_model_description
    from fmpy.model_description import ValidationError
    from lxml import etree
except ImportError:
    print("skipped: there is no FMPy; tools/install_packages.sh python brings it")
    sys.exit(77)
from full_samples import FULL2, FULL3
from samples import FMI2, FMI3, files_of, packed

BASES = {"small2": (2, FMI2), "full2": (2, FULL2), "small3": (3, FMI3), "full3": (3, FULL3)}
VALUES = ["", " ", "x", "-1", "0", "1", "3", "99", "1.5", "-1e400", "1e39", "4294967296", "-2147483649", "99999999999999999999", "NaN", "INF", "nan", "+1", "--1", "0x1", "1 2",
          " 1 ", "true", "TRUE", "input", " input", "fixed", "exact", "constant", "3.0", "2024-02-30T00:00:00Z", "2024-07-12T24:00:00Z", "a.b", "K"]
# Rules that neither the schema nor FMPy's validation knows: code of Takt: where the standard, or safety, asks for it.
BEYOND = {
    "Y011": "documents bring no types of their own",
    "Y014": "FMI 3.0.2, 2.2.3: the root is fmiModelDescription",
    "Y016": "one interface of each kind; the schema of FMI 2 counts two of any kind",
    "Y019": "bounds of 64 bits, of start values, which are lists in FMI 3",
    "Y020": "FMI 3.1 and later are not known",
    "Y021": "an FMU without an interface cannot be run (FMI 2.0.4, 2.2.1: at least one)",
    "Y022": "a model identifier is the name of a file (FMI 2.0.4, 2.2.1)",
    "Y024": "a model identifier without its binary or sources",
    "Y025": "a step is above 0",
    "Y027": "a unit with factor 0, or without a number, has no value",
    "Y028": "names of units and types are unique (FMI 2.0.4, 2.2.2, 2.2.3)",
    "Y029": "names and values of enumeration items are unique (FMI 2.0.4, 2.2.3)",
    "Y030": "empty names, names of aliases that are those of variables",
    "Y031": "of variables of one valueReference one is set from outside (FMI 2.0.4, 2.2.7)",
    "Y034": "arrays have a start value (FMI 2.0.4, 2.2.7), of which elements may be fed; FMPy asks inputs only",
    "Y036": "a start value has as many elements as its variable (FMI 3.0.2, 2.4.7.2)",
    "Y038": "dimensions refer to structural parameters or constants of type UInt64 (FMI 3.0.2, 2.4.7.2)",
    "Y041": "a derivative is that of another continuous variable (FMI 2.0.4, 2.2.7)",
    "Y042": "there is one independent variable at most (FMI 2.0.4, 2.2.7)",
    "Y043": "clocks are clocks; previous is discrete and of the same type (FMI 3.0.2, 2.4.7.5)",
    "Y044": "min <= max",
    "Y050": "what ModelStructure names is there, and named once",
    "Y052": "derivatives of ModelStructure say whose they are (FMI 2.0.4, 2.2.8)",
    "Y055": "event indicators are floats and continuous, clocked states have a previous value (FMI 3.0.2, 2.4.8)",
    "Y062": "the name of a source file is that of a file below sources/",
}
# What the schema refuses and Takt accepts, with the reason.
UNEQUAL = {
    r"^full[23]: (Annotation|text|note|inner) .*(annotations in it|called )": "what an annotation holds belongs to its tool: Takt does not look at it, the schema does where it knows the element",
}


def schema_of(version):
    folder = pathlib.Path(fmpy.__file__).parent / f"schema/fmi{version}"
    return etree.XMLSchema(file=str(folder / f"fmi{version}ModelDescription.xsd"))


def edits_of_attributes(node, others):
    for name, value in node.attrib.items():
        yield f"drop {name}", lambda n, name=name: n.attrib.pop(name)
        yield f"rename {name}", lambda n, name=name: n.attrib.update({name + "_": n.attrib.pop(name)})
        yield f"lower {name}", lambda n, name=name: n.attrib.update({name.swapcase(): n.attrib.pop(name)})
        for other in VALUES + sorted({each for each in others.get(name, ()) if each != value})[:4]:
            if other != value:
                yield f"{name}={other!r}", lambda n, name=name, other=other: n.set(name, other)
    names = list(node.attrib)
    for one, two in zip(names, names[1:]):
        yield f"swap {one} {two}", lambda n, one=one, two=two: n.attrib.update({one: n.get(two), two: n.get(one)})
    yield "unknown attribute", lambda n: n.set("unknown", "1")
    yield "foreign attribute", lambda n: n.set("{urn:foreign}own", "1")


def put(node, child, place):
    child.tail = "\n" if len(node) else None  # in an empty element, the schemas take no blanks either
    node.insert(place, child)


def edits_of_elements(node, root):
    parent = node.getparent()
    if parent is not None:
        yield "delete", lambda n: n.getparent().remove(n)
        yield "twice", lambda n: n.addnext(copy.deepcopy(n))
        yield "to the front", lambda n: put(n.getparent(), n, 0)
        yield "to the end", lambda n: n.getparent().append(n)
        if parent is not root:
            yield "up", lambda n: n.getparent().addprevious(n)
        sibling = node.getprevious()
        if sibling is not None:
            yield "into the one before", lambda n: n.getprevious().append(n)
    yield "renamed", lambda n: setattr(n, "tag", n.tag + "_")
    for tag in sorted({each.tag for each in root.iter("*")} - {node.tag}):
        yield f"called {tag}", lambda n, tag=tag: setattr(n, "tag", tag)
    yield "emptied", lambda n: [n.remove(child) for child in list(n)]
    yield "bared", lambda n: n.attrib.clear()
    yield "text in it", lambda n: setattr(n, "text", "text")
    yield "unknown child", lambda n: put(n, etree.Element("Unknown_"), 0)
    yield "last child unknown", lambda n: n.append(etree.Element("Unknown_"))
    yield "annotations in it", lambda n: n.append(etree.Element("Annotations"))
    yield "a comment in it", lambda n: put(n, etree.Comment("of no weight"), 0)
    yield "namespace", lambda n: setattr(n, "tag", "{urn:foreign}" + n.tag)


def mutants(base, choose):
    """-> (name, text) of every change that `choose` takes"""
    version, text = BASES[base]
    first = etree.fromstring(text.encode())
    others = collections.defaultdict(set)
    for node in first.iter("*"):
        for name, value in node.attrib.items():
            others[name].add(value)
    for place, node in enumerate(first.iter("*")):
        for what, edit in [*edits_of_attributes(node, others), *edits_of_elements(node, first)]:
            if not choose():
                continue
            root = copy.deepcopy(first)
            target = next(each for k, each in enumerate(root.iter("*")) if k == place)
            label = target.get("name") or target.get("valueReference") or ""
            edit(target)
            yield f"{base}: {node.tag} {label} {what}", etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def judged_by_others(text, schema):
    """-> (lines of faults by the schema, whether FMPy accepts it, None where FMPy itself fails)"""
    tree = etree.parse(io.BytesIO(text))
    if not schema.validate(tree):
        return [entry.line for entry in schema.error_log], False
    text = text.replace(b' mimeType="x/y" maxSize="9"/>\n    <ClockType', b"/>\n    <ClockType").replace(b' declaredType="Tick"', b"")  # FMPy 0.3 ends with an exception there
    try:
        read_model_description(io.BytesIO(packed({"modelDescription.xml": text})), validate=True, validate_variable_names=True, validate_model_structure=True)
    except ValidationError:
        return [], False
    except Exception:  # of reading, not of judging
        return [], None
    return [], True


FINDING = re.compile(r"^(\S+\.fmu)/modelDescription\.xml(?::(\d+):\d+)?: (error|warning)\[(Y\d+)\]: (.*)", re.M)
SUMMARY = re.compile(r"^(\S+\.fmu): (\d+) errors, \d+ warnings(.*)", re.M)


def judged_by_takt(takt, files):
    """-> {path: (is refused, [(line, severity, code, message)])}"""
    done = subprocess.run([takt, "fmu", "check", *files], capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1):
        sys.exit(f"takt fmu check ends with {done.returncode}: {done.stderr[-2000:]}")
    found = {path: (errors != "0" or "schema" in rest, []) for path, errors, rest in SUMMARY.findall(done.stdout)}
    for path, line, severity, code, message in FINDING.findall(done.stdout):
        found[path][1].append((int(line or 0), severity, code, message))
    if any(refused for refused, _ in found.values()) != (done.returncode == 1):
        sys.exit(f"exit code {done.returncode} is not what it says: {done.stdout[-2000:]}")
    return found


class Tally:
    def __init__(self):
        self.counts, self.faults = collections.Counter(), []

    def add(self, name, lines, accepted, verdict):
        refused, findings = verdict
        self.counts["by the schema" if lines else "accepted" if accepted else "not judged by FMPy" if accepted is None else "by FMPy"] += 1
        codes = sorted({code for _, severity, code, _ in findings if severity == "error"})
        if lines and not refused:
            if not any(re.search(pattern, name) for pattern in UNEQUAL):
                self.faults.append(f"{name}: the schema refuses line {lines}, Takt accepts it: {findings}")
            self.counts["unequal"] += 1
        elif lines and not any(line for line, *_ in findings):
            self.faults.append(f"{name}: no place is said: {findings}")
        elif lines and not {line for line, *_ in findings} & set(lines) and not any("stands too late" in message or " has no <" in message for *_, message in findings):
            # Of elements in a wrong order the schema names the one that is too early, Takt those that are too late; where one is missing,
            # the schema names the one after it, Takt the one around it.
            self.faults.append(f"{name}: the schema says line {lines}, Takt {findings}")
        if accepted and refused and not codes:
            self.faults.append(f"{name}: accepted by all, here it breaks the schema: {findings}")
        if accepted and refused and not set(codes) <= set(BEYOND):
            self.faults.append(f"{name}: accepted by all, refused here: {findings}")
        if accepted and refused:
            self.counts["by a rule beyond"] += 1


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("takt")
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--every", type=int, default=16)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--show", action="store_true")
    options = arguments.parse_args()
    draw = random.Random(options.seed)
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    schemas = {version: schema_of(version) for version in (2, 3)}
    tally = Tally()
    for base, (version, text) in BASES.items():
        if judged_by_others(text.encode(), schemas[version])[0]:
            sys.exit(f"{base} breaks the schema itself")
        batch = []

        def judge():
            verdicts = judged_by_takt(options.takt, [path for path, _, _ in batch])
            for path, name, text in batch:
                tally.add(name, *judged_by_others(text, schemas[version]), verdicts[path])
                os.unlink(path)
            batch.clear()

        for count, (name, text) in enumerate(mutants(base, lambda: draw.randrange(options.every) == 0)):
            path = options.folder / f"{base}_{count}.fmu"
            path.write_bytes(packed(files_of(version) | {"modelDescription.xml": text}, 0))
            batch.append((str(path), name, text))
            if len(batch) == 300:
                judge()
        judge()
    for fault in tally.faults if options.show else tally.faults[:20]:
        print(fault)
    print(f"{len(tally.faults)} faults; " + ", ".join(f"{count} {what}" for what, count in sorted(tally.counts.items())))
    return 1 if tally.faults else 0


sys.exit(main())
