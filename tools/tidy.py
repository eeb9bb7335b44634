#!/usr/bin/env python3
"""clang-tidy over runtime, codegen and tools, each file once; sources of tests are not looked at.

    tools/tidy.py                            all files, one process a CPU
    tools/tidy.py --checks='-clang-analyzer-*'   a quarter of the time: without the static analyser
    tools/tidy.py runtime/io                 files whose path holds these words

Takes the commands of preset tidy (clang++, build/tidy), which it configures. Ends with 1 where there is a finding.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/tidy"


def once_each():
    """One command a file, where CMake has one for each target that compiles it."""
    entries = {entry["file"]: entry for entry in json.loads((BUILD / "compile_commands.json").read_text())}
    rooms = [str(ROOT / room) + "/" for room in ("runtime", "codegen", "tools")]
    kept = [entry for file, entry in sorted(entries.items()) if any(file.startswith(room) for room in rooms)]
    database = BUILD / "once"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(kept))
    return database, [entry["file"] for entry in kept]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checks", default="", help="added to those of .clang-tidy")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("words", nargs="*", metavar="WORDS")
    options = parser.parse_args()
    for step in (["--preset", "tidy"], ["--build", str(BUILD), "--target", "tools/ecu/ev_can.hpp"]):  # a generated header
        if subprocess.run(["cmake", *step], cwd=ROOT, stdout=subprocess.DEVNULL).returncode:
            return 1
    database, files = once_each()
    files = [file for file in files if not options.words or any(word in file for word in options.words)]
    if not files:
        print("tools/tidy.py: no file has these words in its path", file=sys.stderr)
        return 2

    def tidy(file):
        command = ["clang-tidy", "--quiet", "-p", str(database), "--checks=" + options.checks, file]
        return file, subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    said, failed = set(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (file, result) in enumerate(pool.map(tidy, files), 1):
            if result.returncode:
                failed.append(file)
                if result.stdout not in said:  # a header's finding comes with each file that includes it
                    print(result.stdout, end="", flush=True)
                said.add(result.stdout)
            if done % 20 == 0 or done == len(files):
                print(f"tidy: {done} of {len(files)} files, {len(failed)} with findings", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
