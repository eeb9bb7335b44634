#!/usr/bin/env python3
"""Scripts that tests run by Debian's Python read nothing at their start but the standard library, numpy and each other: with a module more, all of
them would be skipped wherever only build/venv has it, and nothing would be red.

    plain_python_test.py ROOT    1 where one asks for more, or the planted one is not found"""
import ast
import pathlib
import re
import sys

FOLDER = pathlib.Path(sys.argv[1]) / "tests/end_to_end"
PLACES = (FOLDER, pathlib.Path(sys.argv[1]) / "tools/bench")
PLAIN = set(sys.stdlib_module_names) | {"numpy"}


def imported(text):
    """Names of modules that a file reads as soon as it is read itself: not within functions, nor where their absence is caught."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Try):
            yield from imported(ast.unparse(ast.Module(node.body, [])))


def more_than_plain(script, seen):
    for module in imported(script.read_text()):
        ours = [place / f"{module}.py" for place in PLACES if (place / f"{module}.py").exists()]
        if ours:
            if module not in seen:
                seen.add(module)
                yield from more_than_plain(ours[0], seen)
        elif module not in PLAIN:
            yield script.name, module


def main():
    rows = re.findall(r"^\s*takt_plant_test\(\S+ (\w+\.py)([^)]*)\)", (FOLDER / "CMakeLists.txt").read_text(), re.M)
    scripts = sorted({script for script, rest in rows if "VENV" not in rest.split()})
    wrong = sorted({found for script in scripts for found in more_than_plain(FOLDER / script, set())})
    for file, module in wrong:
        print(f"{file} imports {module}, which Debian's Python need not have: import it where it is used, or mark the test VENV")
    print(f"{len(scripts)} scripts, {len(wrong)} wrong")
    planted = list(imported("import numpy\ntry:\n    import scipy.linalg\nexcept ImportError:\n    pass\n"))
    return 1 if wrong or len(scripts) < 20 or planted != ["numpy", "scipy"] else 0


sys.exit(main())
