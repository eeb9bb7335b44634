#!/usr/bin/env python3
"""JSON is parsed in one place, which looks at its depth first; ssh is called in one place, behind `--`.

json_test.py ROOT    1 where something else does it
"""
import pathlib
import re
import sys

RULES = ((re.compile(r"\b[Jj]son\w*::(parse|accept|sax_parse)\b"), "runtime/json/"), (re.compile(r"TAKT_SSH:-|\{\"ssh\""), "tools/takt/over_ssh.cpp"))


def main():
    root = pathlib.Path(sys.argv[1])
    found, places = [], set()
    for top in ("runtime", "codegen", "tools"):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            name = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                for rule, place in RULES:
                    if rule.search(line):
                        places.add(place) if name.startswith(place) else found.append(f"{name}:{number}: belongs into {place}: {line.strip()}")
    found += [f"{place}: the rule that names it finds nothing there" for _, place in RULES if place not in places]
    print("\n".join(found) or "JSON and ssh each have one place")
    return 1 if found else 0


sys.exit(main())
