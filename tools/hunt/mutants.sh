#!/bin/bash
# tools/hunt/mutants.sh [--seconds N] [--seed S] [--kind K]...   changed inputs of every kind against the takt command and a built plant,
# with address and undefined-behaviour sanitizers; 600 seconds and seed 1 unless told. Finds are made small and left in build/finds; those
# that were mended belong into tests/hunt/corpus. Ends with 1 if there were any.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/install_packages.sh build
cmake --preset asan >/dev/null
cmake --build --preset asan --target takt takt_two_bodies
exec python3 tools/hunt/mutants.py build/asan/bin/takt build/asan/bin/takt_two_bodies --seconds 600 --keep build/finds "$@"
