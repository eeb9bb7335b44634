#!/usr/bin/env python3
"""Every name of the runtime that codegen writes as text is one that the generator's build asks for: a type that is renamed there ends this build with its
name, not that of some plant, nor a pass in silence.

written_names_test.py ROOT    1 where a string of codegen has a takt::NAME that stands neither in codegen/code/runtime_names.hpp nor in written_names.cpp"""
import pathlib
import re
import sys

FOLDERS = ("codegen/code", "codegen/emit", "codegen/methods", "codegen/flat_source", "codegen/rig", "codegen/fmu_export")
ASKED = ("codegen/code/runtime_names.hpp", "codegen/code/written_names.cpp")
# Namespaces and targets of CMake, not names in the runtime; what begins so in emitted code is written there, too.
NO_NAMES = {"takt::math", "takt::rig", "takt::fmu_export", "takt::fmi", "takt::fmu", "takt::plant", "takt::offline", "takt::flat"}
WRITTEN_BESIDE = ("takt::rig::",)
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
NAME = re.compile(r"takt::\w+(?:::\w+)*")


def written(root):
    """-> {name: FILE:LINE}"""
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.[ch]pp")):
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                for literal in LITERAL.findall(line.split("//")[0]) if "#include" not in line else []:
                    for name in NAME.findall(literal):
                        found.setdefault(name, f"{path.relative_to(root)}:{number}")
    return found


def is_asked(name, asked):
    """The whole name, or what a name like takt::Role::state or takt::offline::make_ begins with."""
    return name in asked or any(name.startswith(each + "::") for each in asked) or (name.endswith("_") and any(each.startswith(name) for each in asked))


def findings(root, names):
    asked = {name for file in ASKED for name in NAME.findall((root / file).read_text())}
    return [f"{place}: {name} is written, but codegen/code/written_names.cpp does not ask the runtime for it" for name, place in sorted(names.items())
            if name not in NO_NAMES and not name.startswith(WRITTEN_BESIDE) and not is_asked(name, asked)]


def main():
    root = pathlib.Path(sys.argv[1])
    names = written(root)
    found = findings(root, names)
    if findings(root, {"takt::NoSuchType": "planted:1"}) == [] or findings(root, {"takt::Window": "planted:1"}):
        found.append("a planted name was not found, or one that is asked for was")
    print("\n".join(found) or f"{len(names)} names")
    return 1 if found else 0


sys.exit(main())
