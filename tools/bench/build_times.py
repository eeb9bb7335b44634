#!/usr/bin/env python3
"""CPU seconds of every object of a build, apart by front end and optimiser, in a folder of its own without ccache.

  tools/bench/build_times.py FOLDER [--target takt]... [--table FILE.csv] [-D NAME=VALUE]...
      configures FOLDER as preset release does, compiles, prints a table by room and the dearest objects
  tools/bench/build_times.py --of FILE.csv            prints the table of an earlier run

The compiler's own -ftime-report tells parsing (front end: lexing, templates, names) from "opt and generate" (optimiser). CPU seconds are
those of the compiler's process and its children, user and system.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PHASE = re.compile(r"^ ?phase (setup|parsing|lang\. deferred|opt and generate|last asm|finalize)\s*:\s*([\d.]+)\s*\(\s*\d+%\)\s*([\d.]+)", re.M)
REPORT = re.compile(r"^\s*$|^Time variable|^ .*:\s+[\d.]+ \(\s*\d+%\)|^ TOTAL\s")


def record(command: list[str], log: str) -> int:
    """Runs one compile and appends its times to `log`."""
    compiles = "-c" in command and "-o" in command
    result = subprocess.run(command + ["-ftime-report"] * compiles, stderr=subprocess.PIPE, text=True)
    if not compiles:
        sys.stderr.write(result.stderr)
        return result.returncode
    sys.stderr.write("".join(line for line in result.stderr.splitlines(True) if not REPORT.match(line)))
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    phases = collections.Counter()
    for name, user, system in PHASE.findall(result.stderr):
        phases["optimiser" if name == "opt and generate" else "front end"] += float(user) + float(system)
    row = {"object": command[command.index("-o") + 1], "cpu": usage.ru_utime + usage.ru_stime, "front": phases["front end"], "optimiser": phases["optimiser"]}
    with open(log, "a") as file:  # one short line: appended whole
        file.write(json.dumps(row) + "\n")
    return result.returncode


def built(folder: pathlib.Path, targets: list[str], definitions: list[str]) -> list[dict]:
    log = folder / "build_times.log"
    folder.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    launcher = f"{sys.executable};{pathlib.Path(__file__).resolve()};--record;{log}"
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}",
                    *[f"-D{definition}" for definition in definitions]], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, *(["--target", *targets] if targets else [])], check=True)
    return [json.loads(line) for line in log.read_text().splitlines()]


def room(name: str) -> str:
    """tools/CMakeFiles/takt.dir/takt/show.cpp.o -> tools; runtime and codegen by their folders."""
    parts = pathlib.PurePath(name).parts
    return "/".join(parts[:2]) if parts[0] in ("runtime", "codegen") and parts[1] != "CMakeFiles" else parts[0]


def show(rows: list[dict], dearest: int) -> None:
    sums = collections.defaultdict(lambda: [0, 0.0, 0.0, 0.0])
    for row in rows:
        for key in (room(row["object"]), pathlib.PurePath(row["object"]).parts[0] + " (all)", "all"):
            for place, value in enumerate((1, row["cpu"], row["front"], row["optimiser"])):
                sums[key][place] += value
    print(f"{'room':28} {'objects':>7} {'CPU s':>8} {'front end':>9} {'optimiser':>9} {'s each':>7}")
    for key, (count, cpu, front, optimiser) in sorted(sums.items(), key=lambda item: -item[1][1]):
        print(f"{key:28} {count:7} {cpu:8.1f} {front:9.1f} {optimiser:9.1f} {cpu / count:7.2f}")
    print(f"\ndearest {dearest}")
    for row in sorted(rows, key=lambda row: -row["cpu"])[:dearest]:
        print(f"{row['cpu']:8.1f} {row['front']:8.1f} {row['optimiser']:8.1f}  {row['object']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--of", type=pathlib.Path)
    parser.add_argument("--dearest", type=int, default=20)
    parser.add_argument("-D", action="append", default=[], dest="definitions")
    given = parser.parse_args()
    if given.of:
        with open(given.of) as file:
            rows = [{key: value if key == "object" else float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    elif given.folder:
        rows = built(given.folder.resolve(), given.target, given.definitions)
    else:
        parser.error("FOLDER or --of FILE.csv")
    if given.table:
        with open(given.table, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["object", "cpu", "front", "optimiser"])
            writer.writerows([row["object"], *(f"{row[key]:.2f}" for key in ("cpu", "front", "optimiser"))] for row in sorted(rows, key=lambda row: row["object"]))
    show(rows, given.dearest)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--record"]:
        sys.exit(record(sys.argv[3:], sys.argv[2]))
    main()
