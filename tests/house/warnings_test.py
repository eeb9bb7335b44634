#!/usr/bin/env python3
"""warnings_test.py LOG VERSION: the last build by tools/test.sh has no warning of the compiler. A fresh clone compiles everything, or has it from
ccache, which repeats warnings.

Ends with 0, 1, or 77 where the log is not there, or the compiler is not the GCC 12 of Debian 12: others warn of other things."""
import pathlib
import sys

log, version = pathlib.Path(sys.argv[1]), sys.argv[2]
if not version.startswith("12."):
    print(f"skipped: compiler {version}; the build has no warnings of GCC 12")
    sys.exit(77)
if not log.exists():
    print("skipped: not built by tools/test.sh")
    sys.exit(77)
found = [line for line in log.read_text(errors="replace").splitlines() if ": warning: " in line]
print("\n".join(found[:20]))
print(f"{len(found)} warnings in {log}")
sys.exit(1 if found else 0)
