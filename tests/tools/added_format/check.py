"""check.py RUN    whether signals.hex has the columns, times and bits of signals.csv, and how the run ended."""
import csv
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
with (folder / "signals.csv").open() as file:
    head, *rows = csv.reader(file)
lines = (folder / "signals.hex").read_text().splitlines()
columns = [line.split(" ", 2)[1:] for line in lines if line.startswith("# ") and line.endswith("]")]
assert [name for _, name in columns] == head[1:], (columns, head)
wanted = sorted((round(float(row[0]) * 1e9), column, float(cell)) for row in rows for column, cell in enumerate(row[1:]) if cell)
found = []
for line in lines:
    if not line.startswith("#"):
        time_ns, rate, *values = line.split()
        places = [place for place, (one, _) in enumerate(columns) if one == rate]
        assert len(places) == len(values), line
        found += [(int(time_ns), place, float.fromhex(value)) for place, value in zip(places, values)]
assert len(found) > 100 and sorted(found) == wanted, (len(found), len(wanted))
assert lines[-1] == f"# summary.json {(folder / 'summary.json').stat().st_size} bytes", lines[-1]
print(f"{len(found)} values are the same to the last bit")
