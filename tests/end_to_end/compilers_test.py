#!/usr/bin/env python3
"""The emitted sources of a plant compile without a warning and give the same bits whatever compiler, optimisation and vectors made it.

    compilers_test.py PLANT --takt build/release/bin/takt --work DIR"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

PLANTS = pathlib.Path(__file__).resolve().parents[2] / "config" / "plants"
COMPILERS = [("g++", "-O0"), ("g++", "-O3"), ("clang++", "-O2")]
if "avx2" in pathlib.Path("/proc/cpuinfo").read_text():
    COMPILERS.append(("g++", "-O3 -march=x86-64-v3"))
SKIPPED = 77


def succeed(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-5000:]}{done.stderr[-5000:]}")
    return done.stdout


def outcome(folder, plant, duration):
    """Digest of all states after every window, and the recorded signals."""
    text = succeed(folder / "bin" / plant, "--pace", "free", "--for", duration, "--quiet", "--out", folder / "run")
    return re.search(r"digest (\w+)", text)[1], (folder / "run" / "signals.csv").read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plant")
    parser.add_argument("--takt", required=True)
    parser.add_argument("--for", dest="duration", default="20 ms")
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    built = options.work / "takt"
    succeed(options.takt, "build", PLANTS / options.plant, "--out", built)
    package = re.search(r"takt_DIR:\w+=(.*)", (built / "build" / "CMakeCache.txt").read_text())[1]
    expected, failed, tried = outcome(built, options.plant, options.duration), 0, 0
    for compiler, level in COMPILERS:
        if shutil.which(compiler) is None:
            print(f"{compiler} is missing")
            continue
        tried += 1
        folder = options.work / f"{compiler}{level}".replace(" ", "")
        folder.mkdir()
        for source in [*built.glob("*.?pp"), built / "CMakeLists.txt"]:
            shutil.copy(source, folder)
        succeed("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=None", f"-Dtakt_DIR={package}",
                f"-DCMAKE_CXX_FLAGS={level} -Wall -Wextra -Werror")
        succeed("cmake", "--build", folder / "build", "--parallel")
        same = outcome(folder, options.plant, options.duration) == expected
        failed += not same
        print(f"{options.plant}, {compiler} {level}: {'the same bits' if same else 'OTHER BITS'}", flush=True)
    return 1 if failed else 0 if tried == len(COMPILERS) else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
