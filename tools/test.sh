#!/bin/bash
# tools/test.sh [ctest arguments]   install what is missing, build, run every test but those of tools/test_long.sh. Ends with ctest's summary.
#   tools/test.sh                 everything
#   tools/test.sh --quick         units, the house, five plants
#   tools/test.sh -LE guest       without the virtual machines
set -euo pipefail
cd "$(dirname "$0")/.."
preset=release
[ "${1:-}" != --quick ] || { preset=quick; shift; }
step() { echo "== $* (${SECONDS} s since start)"; }

step "1/4 packages"
tools/install_packages.sh build python test modelica guest cross
step "2/4 configure: build/release"
cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
step "3/4 build"
cmake --build --preset release 2>&1 | tee build/build.log  # tests/house/warnings_test.py reads it
step "4/4 test"
exec ctest --preset "$preset" -j "$((2 * $(nproc)))" "$@"  # a test counts as two, one that waits as one
