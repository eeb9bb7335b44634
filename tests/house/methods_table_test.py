#!/usr/bin/env python3
"""The table of methods in config/manual/plant_files/solve_sync_record.md is that of the rows.

methods_table_test.py TAKT CHAPTER [--write]    1 where it is another; --write mends it
"""
import pathlib
import subprocess
import sys

BEGIN, END = "<!-- begin methods -->\n", "<!-- end methods -->\n"

takt, readme = sys.argv[1], pathlib.Path(sys.argv[2])
text = readme.read_text()
before, rest = text.split(BEGIN)
inside, after = rest.split(END)
table = subprocess.run([takt, "explain", "methods"], check=True, capture_output=True, text=True).stdout
if inside == table:
    sys.exit(0)
if "--write" in sys.argv:
    readme.write_text(before + BEGIN + table + END + after)
    sys.exit(0)
print(f"{readme}: the table of methods is not that of `takt explain methods`; tests/house/methods_table_test.py TAKT CHAPTER --write mends it")
sys.exit(1)
