#!/usr/bin/env python3
"""cross_digests_test.py TAKT PLANTS FOLDER PLANT:DURATION[:TARGET]...: a plant compiled for other processors is one static file and computes the digest
of this machine's.

64-bit ARM is emulated by qemu-user; levels of x86-64 that this processor lacks are not run, and that is said. Skipped without the compiler or the
emulator (tools/install_packages.sh cross)."""
import json
import os
import platform
import shutil
import struct
import subprocess
import sys

COMPILER, EMULATOR = "aarch64-linux-gnu-g++", "qemu-aarch64-static"
MACHINES = {"linux-aarch64": 183, "linux-x86_64": 62}  # of ELF
LEVELS = {"linux-x86_64-v2": "ssse3", "linux-x86_64-v3": "avx2", "linux-x86_64-v4": "avx512f"}  # with a flag of /proc/cpuinfo that tells


def takt(command, *arguments, **environment):
    return subprocess.run([command, *arguments], capture_output=True, text=True, env={**os.environ, **environment})


def built(command, plant, folder, *arguments):
    done = takt(command, "build", plant, "--out", folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


def digest(executable, duration, *before):
    arguments = ["--pace", "free", "--for", duration, "--no-results", "--audit", "off", "--quiet", "--json"]
    done = subprocess.run([*before, executable, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, f"{before} {executable}: {done.stdout[-300:]}{done.stderr}"
    summary = json.loads(done.stdout)
    assert summary["digest"] and not summary["digest_void"], summary["digest"]
    return summary["digest"]


def is_static(executable, machine):
    """An ELF file of that machine that names no interpreter, nor shared libraries."""
    with open(executable, "rb") as file:
        data = file.read()
    assert data[:5] == b"\x7fELF\x02", executable
    assert struct.unpack_from("<H", data, 18)[0] == MACHINES[machine], f"{executable} is for another machine"
    at, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    kinds = {struct.unpack_from("<I", data, at + k * size)[0] for k in range(count)}
    assert not kinds & {2, 3}, f"{executable} needs other files"  # PT_DYNAMIC, PT_INTERP


def check(command, plants, folder, wanted):
    plant, duration, *only = wanted.split(":")
    source, place = os.path.join(plants, plant), os.path.join(folder, plant)
    here = digest(built(command, source, place, "--error", "off"), duration)
    flags = open("/proc/cpuinfo").read().split()
    said = []
    for target in only or ("linux-aarch64", *LEVELS):
        executable = built(command, source, f"{place}-{target}", "--target", target, "--error", "off")
        is_static(executable, target.rpartition("-v")[0] or target)
        if target in LEVELS and LEVELS[target] not in flags:
            print(f"{plant}: {target} is compiled, but not run: this processor has no {LEVELS[target]}")
            continue
        there = digest(executable, duration, *([] if target in LEVELS else [EMULATOR]))
        assert there == here, f"{wanted}: {there} on {target}, but {here} here"
        said.append(target)
    print(f"{plant}, {duration}: digest {here} here and on {', '.join(said)}", flush=True)


def refused(command, plants, folder, code, words, *arguments, **environment):
    plant = environment.pop("plant", os.path.join(plants, "rc"))
    out = os.path.join(folder, "refused")
    done = takt(command, "build", plant, "--out", out, "--error", "off", *arguments, **environment)
    assert done.returncode == code and all(word in done.stderr for word in words), (arguments, done.returncode, done.stderr)
    assert not os.path.exists(os.path.join(out, "bin")), "something half done is left"


def refusals(command, plants, folder):
    one = (command, plants, folder)
    refused(*one, 2, ["linux-riscv64", "linux-aarch64"], "--target", "linux-riscv64")
    refused(*one, 2, ["--march x86-64-v3 does not belong to --target linux-aarch64", "armv8"], "--target", "linux-aarch64", "--march", "x86-64-v3")
    refused(*one, 2, ["does not belong", "x86-64"], "--target", "linux-x86_64", "--march", "armv8-a")
    refused(*one, 2, ["leave --march out"], "--target", "linux-x86_64-v3", "--march", "x86-64-v3")
    refused(*one, 2, ["the processor of this machine"], "--target", "linux-aarch64", "--march", "native")
    refused(*one, 1, ["does not know this --march"], "--target", "linux-aarch64", "--march", "armv8-zzz")
    bev = os.path.join(plants, "bev")
    refused(*one, 1, ["cannot build bev for aarch64", "adaptive", "SUNDIALS", "this machine only"], "--target", "linux-aarch64", "--solve",
            os.path.join(bev, "parametrisations/adaptive_50ms.toml"), plant=bev)
    tools = os.path.join(folder, "tools")
    shutil.rmtree(tools, ignore_errors=True)
    os.makedirs(tools)
    for name in ("cmake", "ninja", "c++", "g++"):
        os.symlink(shutil.which(name), os.path.join(tools, name))
    nothing, no_folder = os.path.join(folder, "cache"), os.path.join(folder, "no_folder")
    refused(*one, 1, ["aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu"], "--target", "linux-aarch64", PATH=tools, XDG_CACHE_HOME=nothing)
    with open(no_folder, "w"):  # none can be made there
        refused(*one, 1, ["cannot build the runtime for aarch64", "XDG_CACHE_HOME"], "--target", "linux-aarch64", XDG_CACHE_HOME=no_folder)
    print("what does not fit is refused")


def main():
    command, plants, folder = sys.argv[1:4]
    if platform.machine() != "x86_64" or not shutil.which(COMPILER) or not shutil.which(EMULATOR):
        print("skipped: no compiler or emulator for aarch64 (tools/install_packages.sh cross)")
        sys.exit(77)
    os.makedirs(folder, exist_ok=True)
    if "refusals" in sys.argv[4:]:
        refusals(command, plants, folder)
    for wanted in sys.argv[4:]:
        if wanted != "refusals":
            check(command, plants, folder, wanted)


if __name__ == "__main__":
    main()
