#!/usr/bin/env python3
"""targets_test.py TAKT PLANTS FOLDER PLANT:KIND:STEP:STEPS... (no STEP: the macro-step): an FMU with libraries for two machines computes the same bits on both.

The other one, 64-bit ARM, is emulated by qemu-user. Skipped without its compiler or the emulator (tools/install_packages.sh cross)."""
import os
import platform
import shutil
import subprocess
import sys
import zipfile

from exports import export
from fmpy import read_model_description
from sources_test import headers

COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", "qemu-aarch64-static"
LIBRARIES = "/usr/aarch64-linux-gnu"


def printed(command, what):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{what}: {done.stdout[-500:]}{done.stderr}"
    return done.stdout


def driver(takt, folder, compiler):
    program = os.path.join(folder, f"driver-{compiler}")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "other_machine.c")
    printed([compiler, "-O1", "-Wall", "-Werror", "-ffp-contract=off", f"-I{headers(takt)}", source, "-o", program, "-ldl"], "the driver")
    return program


def check(takt, plants, folder, wanted):
    plant, kind, step, steps = wanted.split(":")
    place = os.path.join(folder, f"{plant}-{kind}")
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    file = export(takt, os.path.join(plants, plant), 3, place, "--kind", kind, "--target", "linux-aarch64")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(place)
    description = read_model_description(file)
    step = step or description.defaultExperiment.stepSize
    asked = [str(v.valueReference) for v in description.modelVariables if v.causality == "output"]
    results = {}
    for machine, compiler, before in (("x86_64", "gcc", []), ("aarch64", COMPILER, [EMULATOR, "-L", LIBRARIES])):
        library = os.path.join(place, f"binaries/{machine}-linux/{plant}.so")
        command = [*before, driver(takt, place, compiler), library, description.instantiationToken, kind, step, steps, *asked]
        results[machine] = printed(command, f"{plant} on {machine}")
    rows = results["x86_64"].splitlines()
    assert len(rows) == int(steps) and len(set(rows)) > len(rows) // 2, rows[:3]
    for number, (row, other) in enumerate(zip(rows, results["aarch64"].splitlines(), strict=True)):
        assert row == other, f"{wanted}: step {number + 1}: {row}\nand on aarch64 {other}"
    print(f"{plant}, {kind}: {len(asked)} outputs have the same bits on both machines in {steps} steps")
    return file


def refused(takt, plants, folder, words, *arguments, **environment):
    out = os.path.join(folder, "refused.fmu")
    arguments = ["fmu", "export", os.path.join(plants, "rc"), "--out", out, "--build-dir", os.path.join(folder, "refused"), *arguments]
    done = subprocess.run([takt, *arguments], capture_output=True, text=True, env={**os.environ, **environment})
    said = done.stdout + done.stderr
    assert done.returncode != 0 and all(word in said for word in words), (done.returncode, said)
    assert not [name for name in os.listdir(folder) if name.startswith("refused.fmu")], "something half done is left"


def refusals(takt, plants, folder):
    tools = os.path.join(folder, "tools")
    shutil.rmtree(tools, ignore_errors=True)
    os.makedirs(tools)
    for name in ("cmake", "ninja", "c++", "g++"):
        os.symlink(shutil.which(name), os.path.join(tools, name))
    refused(takt, plants, folder, ["linux-riscv64", "linux-aarch64"], "--target", "linux-riscv64")
    refused(takt, plants, folder, ["aarch64-linux-gnu-g++", "install the package g++-aarch64-linux-gnu"], "--target", "linux-aarch64",
            PATH=tools)


def main():
    takt, plants, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    refusals(takt, plants, folder)
    if platform.machine() != "x86_64" or not shutil.which(COMPILER) or not shutil.which(EMULATOR):
        print("skipped: no compiler or emulator for aarch64 (tools/install_packages.sh cross)")
        sys.exit(77)
    for wanted in sys.argv[4:]:
        check(takt, plants, folder, wanted)


if __name__ == "__main__":
    main()
