#!/usr/bin/env python3
"""Every element of config/library stands in at least one plant or case that is compared with a reference, and says
what it is and where its equation comes from."""
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def used(table, section, found):
    """Collects SECTION.ELEMENT of every `is` in the sections of a plant and of its parts."""
    for name, entry in table.items():
        if not isinstance(entry, dict):
            continue
        if "is" in entry:
            found.add(f"{section}.{entry['is']}")
        else:
            used(entry, name, found)


def main():
    found = set()
    plants = [path.parent / "plant.toml" for path in ROOT.glob("config/plants/*/reference.csv")]
    plants += ROOT.glob("tests/end_to_end/cases/*/plant.toml")
    for path in plants:
        used(tomllib.loads(path.read_text()), "", found)
    problems = []
    for path in sorted(ROOT.glob("config/library/*.toml")):
        for section, elements in tomllib.loads(path.read_text()).items():
            for name, element in elements.items():
                problems += [] if section == "medium" or f"{section}.{name}" in found else [f"{section}.{name} stands in no plant with a reference"]
                problems += [f"{section}.{name} has no {key}" for key in ("doc", "source") if not element.get(key)]
    print("\n".join(problems) or f"{len(plants)} plants with references use every element of the library")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
