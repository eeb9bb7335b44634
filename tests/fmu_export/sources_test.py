#!/usr/bin/env python3
"""sources_test.py TAKT PLANTS FOLDER PLANT:VERSION:KIND:SECONDS:HOW...: libraries compiled from the sources that an FMU carries have
the bits of the one that Takt has made.

HOW: takt (the importer compiles an archive without binaries), alone (g++ by the line of sources/README.txt), bare (g++ without any
option that keeps the bits, as an importer of FMI 2 may call it, for a processor that fuses products and sums where there is one)."""
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile

from exports import export, run_takt

FOLDERS = {2: "linux64", 3: "x86_64-linux"}
FUSED = ["-mfma"] if platform.machine() == "x86_64" and " fma " in open("/proc/cpuinfo", encoding="utf-8").read() else []


def without(file, folder, target):
    """A copy of an archive without what is below a folder."""
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        taken = [name for name in archive.namelist() if name.startswith(folder)]
        assert taken, f"{file} has no {folder}"
        for name in archive.namelist():
            if name not in taken:
                copy.writestr(name, archive.read(name))
    return target


def headers(takt):
    return os.path.join(os.path.dirname(os.path.dirname(takt)), "include/takt/fmi")


def compiled(file, takt, more, strip=()):
    """The library, by the line of README.txt, with and without options."""
    place = file.removesuffix(".fmu") + "-alone"
    shutil.rmtree(place, ignore_errors=True)
    with zipfile.ZipFile(file) as archive:
        archive.extractall(place)
    sources = os.path.join(place, "sources")
    with open(os.path.join(sources, "README.txt"), encoding="utf-8") as text:
        line = re.search(r"^  g\+\+.*\\\n.*$", text.read(), re.M).group(0).replace("\\\n", " ")
    line = line.replace("FOLDER_OF_FMI_HEADERS", headers(takt))
    for option in strip:
        assert option in line, option
        line = line.replace(option, "")
    # One process for each file instead of *.cpp on one line: the same, sooner.
    head, library = line.replace("-shared", "").split(" *.cpp -o ")
    names = sorted(name for name in os.listdir(sources) if name.endswith(".cpp"))
    todo = [f"{head} {' '.join(more)} -w -c {name} -o {name}.o" for name in names]
    running = []
    while todo or running:
        while todo and len(running) < (os.cpu_count() or 1):
            running.append(subprocess.Popen(todo.pop(0), shell=True, cwd=sources, stderr=subprocess.PIPE, text=True))
        _, said = running[0].communicate()
        assert running.pop(0).returncode == 0, said
    done = subprocess.run(f"g++ -shared *.o -o {library.strip()}", shell=True, cwd=sources, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return os.path.join(sources, library.strip())


def with_library(file, version, library):
    """The archive with this library alone."""
    target = without(file, "sources/", file.removesuffix(".fmu") + "-alone.fmu")
    target = without(target, "binaries/", file.removesuffix(".fmu") + "-other.fmu")
    with zipfile.ZipFile(target, "a") as archive:
        archive.write(library, f"binaries/{FOLDERS[version]}/{os.path.basename(library)}")
    return target


def signals(takt, file, seconds):
    out = file.removesuffix(".fmu") + "-run"
    shutil.rmtree(out, ignore_errors=True)
    said = run_takt(takt, "fmu", "run", file, "--for", f"{seconds} s", "--out", out).stderr
    with open(os.path.join(out, "signals.csv"), encoding="utf-8") as table:
        return table.read(), said


def names_are_own(library):
    """What it exports has the token in its names: g++ makes inline variables one in a process, whatever library they are in."""
    with open(os.path.join(os.path.dirname(library), "fmu_settings.hpp"), encoding="utf-8") as settings:
        own = re.search(r"#define takt (\w+)", settings.read()).group(1)
    said = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1] for line in said.splitlines() if "takt" in line]
    assert len(names) > 10, "nothing was looked at"
    others = [name for name in names if own not in name]
    assert not others, f"names that two FMUs may share: {others[:3]}"


def refused_where_fused(file, takt, version, folder):
    """Compiled so that products and sums are fused, it is not instantiated: its bits would be others."""
    settings = os.path.join(folder, "fused.fmu")
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(settings, "w") as copy:
        for name in archive.namelist():
            text = archive.read(name)
            if name == "sources/fmu_settings.hpp":
                assert b'#pragma GCC optimize("fp-contract=off")' in text
                text = text.replace(b'#pragma GCC optimize("fp-contract=off")', b"")
            copy.writestr(name, text)
    library = compiled(settings, takt, ["-O2", *FUSED], ["-ffp-contract=off"])
    out = os.path.join(folder, "fused-run")
    done = subprocess.run([takt, "fmu", "run", with_library(settings, version, library), "--for", "1 ms", "--out", out],
                          capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and "-ffp-contract=off" in said, f"fused operations were not refused: {said}"


def check(takt, plants, folder, wanted):
    plant, version, kind, seconds, how = wanted.split(":")
    version = int(version)
    place = os.path.join(folder, f"{plant}-{version}-{kind}-{how}")
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    file = export(takt, os.path.join(plants, plant), version, place, "--kind", kind, "--sources")
    expected, said = signals(takt, without(file, "sources/", os.path.join(place, "binary.fmu")), seconds)
    assert "compiling" not in said, said
    assert expected.count("\n") > 5, expected
    if how == "takt":
        found, said = signals(takt, without(file, "binaries/", os.path.join(place, "sources.fmu")), seconds)
        assert "compiling the sources" in said, said
    else:
        bare = ["-O2", *FUSED] if how == "bare" else []
        strip = ["-ffp-contract=off", "-fno-fast-math", "-fno-math-errno", "-fno-trapping-math", "-fvisibility=hidden",
                 "-fvisibility-inlines-hidden"] if how == "bare" else []
        library = compiled(file, takt, bare, strip)
        found, said = signals(takt, with_library(file, version, library), seconds)
        if how == "bare":
            names_are_own(library)
        if how == "bare" and FUSED:
            refused_where_fused(file, takt, version, place)
    assert found == expected, f"{wanted}: other bits"
    print(f"{plant}: FMI {version}, {kind}, compiled by {how}: {expected.count(chr(10)) - 1} rows of "
          f"{expected.partition(chr(10))[0].count(',')} signals have the same bits")


def main():
    takt, plants, folder = sys.argv[1:4]
    for wanted in sys.argv[4:]:
        check(takt, plants, folder, wanted)


if __name__ == "__main__":
    main()
