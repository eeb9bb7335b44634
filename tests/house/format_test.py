#!/usr/bin/env python3
"""Sources are as .clang-format has them, by the version that tools/requirements.txt names.

format_test.py CLANG_FORMAT ROOT    1 where a file is not, or a planted line is not found; 77 where there is no clang-format
"""
import pathlib
import subprocess
import sys


def misformatted(program, root, files):
    """-> lines of clang-format's report"""
    lines = []
    for begin in range(0, len(files), 50):
        done = subprocess.run([program, "--dry-run", "--style=file", *files[begin:begin + 50]], cwd=root, capture_output=True, text=True)
        lines += [line for line in done.stderr.splitlines() if "-Wclang-format-violations" in line]
    return lines


def fires(program, root):
    planted = subprocess.run([program, "--style=file", "--assume-filename=runtime/planted.cpp"], cwd=root, input="int  f( ){return 1 ;}\n", capture_output=True, text=True)
    return planted.stdout == "int f() { return 1; }\n"


def main():
    program, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not program.is_file():
        print(f"skipped: there is no {program}; tools/install_packages.sh python brings it")
        return 77
    files = sorted(str(path.relative_to(root)) for top in ("codegen", "runtime", "targets", "tests", "tools") for path in (root / top).rglob("*.[ch]pp"))
    found = misformatted(program, root, files)
    if not fires(program, root):
        found.append("a planted line was not found")
    print("\n".join(found[:40]) or f"{len(files)} files")
    if found:
        print(f"mend with: {program} -i FILE")
    return 1 if found else 0


sys.exit(main())
