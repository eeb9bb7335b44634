"""FMUs that tests compile from sources of ours, and what a plant with them has recorded."""
import csv
import os
import pathlib
import subprocess
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
for sanitizer in ("ASAN_OPTIONS", "TSAN_OPTIONS"):  # an FMU that crashes ends by its signal, whoever watches
    os.environ[sanitizer] = os.environ.get(sanitizer, "") + ":handle_segv=0"
HEADERS = HERE.parents[1] / "build/fmi"


def compile_fmu(file, source, description, place="linux64"):
    """Writes `file`: the library of `source` for FMI 2.0 under binaries/`place`, with this description."""
    library = file.with_suffix(".so")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-w", "-I", HEADERS, source, "-o", library, "-lm"], check=True)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, f"binaries/{place}/{source.stem}.so")
        archive.writestr("resources/value.txt", "42.5\n")
    library.unlink()


def compile_lag(file, change=lambda description: description):
    """fmu_plant/lag.c: y' = (u - y)/tau, temperatures in degC."""
    compile_fmu(file, HERE / "fmu_plant/lag.c", change((HERE / "fmu_plant/modelDescription.xml").read_text()))


def signals(out):
    """{name: values} of out/signals.csv, with `time`."""
    with open(out / "signals.csv") as file:
        rows = list(csv.reader(file))
    return {name.split(" [")[0]: [float(row[column]) for row in rows[1:]] for column, name in enumerate(rows[0])}
