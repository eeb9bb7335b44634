#!/usr/bin/env python3
"""No folder includes from a folder above it: floors.txt is the order. FOLDER/* are folders beside each other: none includes from another.

floors_test.py ROOT    1 where an include goes up, a folder has no floor, or a planted upward include is not found
"""
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s+"((?:runtime|codegen|tools)/[^"]+)"')


def floors(table):
    lines = [line.split()[0] for line in table.read_text().splitlines() if line.strip() and not line.startswith("#")]
    return {folder: floor for floor, folder in enumerate(lines)}


def expanded(root, floor):
    """Each folder that FOLDER/* stands for, and that it has a floor of its own in there."""
    found = {}
    for folder, number in floor.items():
        if not folder.endswith("/*"):
            found[folder] = (number, folder)
            continue
        within = root / folder.removesuffix("/*")
        for path in within.iterdir() if within.is_dir() else ():
            if path.is_dir():
                own = path.relative_to(root).as_posix()
                found.setdefault(own, (number, own))
    return found


def goes_up(other, own, floor):
    if other not in floor:
        return True
    (theirs, folder), (ours, here) = floor[other], floor[own]
    return theirs > ours or (theirs == ours and folder != here)


def findings(root, table):
    floor = expanded(root, table)
    found = []
    for top in ("runtime", "codegen", "tools"):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            own = path.parent.relative_to(root).as_posix()
            if own not in floor:
                found.append(f"{path.relative_to(root)}: folder {own} has no floor in tests/house/floors.txt")
                continue
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                other = match[1].rsplit("/", 1)[0]
                if goes_up(other, own, floor):
                    found.append(f"{path.relative_to(root)}:{number}: {own} includes from {other}, which stands above it")
    return found


def fires(floor):
    """An upward include in a small tree is found, a downward one is not."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in {"runtime/math/low.hpp": '#include "runtime/program/options.hpp"\n',
                           "runtime/program/high.hpp": '#include "runtime/math/low.hpp"\n',
                           "runtime/io/record/formats/one/a.hpp": '#include "runtime/io/record/formats/two/b.hpp"\n',
                           "runtime/io/record/formats/two/b.hpp": '#include "runtime/io/record/formats/two/c.hpp"\n',
                           "codegen/attic/new.hpp": ""}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        found = findings(root, floor)
        return len(found) == 3 and all(any(part in line for line in found) for part in ("low.hpp:1", "attic", "one/a.hpp:1"))


def main():
    root = pathlib.Path(sys.argv[1])
    floor = floors(root / "tests/house/floors.txt")
    found = findings(root, floor) + [f"{folder}: in tests/house/floors.txt, but there is none" for folder in floor if not (root / folder.removesuffix("/*")).is_dir()]
    if not fires(floor):
        found.append("a planted upward include was not found")
    print("\n".join(found) or f"{len(floor)} folders, no include goes up")
    return 1 if found else 0


sys.exit(main())
