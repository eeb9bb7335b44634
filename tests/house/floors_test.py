#!/usr/bin/env python3
"""No folder includes from a folder above it: floors.txt is the order.

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


def findings(root, floor):
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
                if floor.get(other, -1) > floor[own] or other not in floor:
                    found.append(f"{path.relative_to(root)}:{number}: {own} includes from {other}, which stands above it")
    return found


def fires(floor):
    """An upward include in a small tree is found, a downward one is not."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in {"runtime/math/low.hpp": '#include "runtime/program/options.hpp"\n',
                           "runtime/program/high.hpp": '#include "runtime/math/low.hpp"\n',
                           "codegen/attic/new.hpp": ""}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        found = findings(root, floor)
        return len(found) == 2 and "low.hpp:1" in found[0] and "attic" in found[1]


def main():
    root = pathlib.Path(sys.argv[1])
    floor = floors(root / "tests/house/floors.txt")
    found = findings(root, floor) + [f"{folder}: in tests/house/floors.txt, but there is none" for folder in floor if not (root / folder).is_dir()]
    if not fires(floor):
        found.append("a planted upward include was not found")
    print("\n".join(found) or f"{len(floor)} folders, no include goes up")
    return 1 if found else 0


sys.exit(main())
