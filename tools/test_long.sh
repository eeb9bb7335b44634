#!/bin/bash
# tools/test_long.sh [PART]...   what tools/test.sh leaves out because it takes hours; all parts unless some are named:
#   long     the tests labelled `long`: guests beyond the essential, and what many plants compute
#   asan     the tests with address and undefined-behaviour sanitizers
#   tsan     the tests with the thread sanitizer, but for those labelled `numbers` (one thread each), then paced runs (tools/hunt/threads.sh)
#   tidy     clang-tidy over runtime, codegen and tools
#   root     tools/demo.sh and tools/test.sh in a new Debian 12 root (tests/tools/clean_root.sh)
#   package  the Debian package, installed and tried in a new root (tests/tools/package_root.sh)
#   pairs    50 pairs of runs begun at once, cold cache
#   hunt     random plants, as given and with steps typed by hand (tests/hunt/README.md)
#   networks a thousand random networks of up to a thousand loops (tests/hunt/README.md)
#   copies   random plants several times in one, side by side and one by one, a fifth of COUNT (tests/hunt/README.md)
#   plans    random plants by the plan that is found for an error, a third of COUNT (tests/hunt/README.md)
#   modelica random flat Modelica models, without and with events, against what they were made from (tests/hunt/README.md)
#   mutants  an hour of changed inputs (tools/hunt/mutants.sh), then three quarters of one of the fuzz programs of FMUs and packages
# SEED (default: the date) draws plants and mutants, COUNT (300) plants, SECONDS_OF_MUTANTS (3600). Ends with a line for each part, and with 1 where
# one has found something.
set -uo pipefail
cd "$(dirname "$0")/.."
seed=${SEED:-$(date +%F)} count=${COUNT:-300} mutants=${SECONDS_OF_MUTANTS:-3600}
work=$PWD/build/long
mkdir -p "$work"
[ $# -gt 0 ] || set -- long asan tsan tidy root package pairs hunt networks copies plans modelica mutants
tools/install_packages.sh build python test || exit 1

configured() { cmake --preset "$1" >"$work/$1.configure.log" 2>&1 || { cat "$work/$1.configure.log"; return 1; }; }
built() { configured "$1" && cmake --build --preset "$@"; }

part_long() { tools/install_packages.sh guest cross && built release && ctest --preset long && leave_date; }
# What tests/house/long_run_test.py looks at: commit it.
leave_date() { printf '# Last whole run of tools/test_long.sh long: date, commit\n%s %s\n' "$(date +%F)" "$(git rev-parse HEAD)" >tests/long_run.txt; }
part_asan() { built asan && ctest --preset asan; }
part_tsan() { built tsan && ctest --preset tsan && tools/hunt/threads.sh; }
part_tidy() { tools/install_packages.sh dev && tests/tools/tidy_fires.sh && tools/tidy.py; }
part_root() { tests/tools/clean_root.sh "tools/demo.sh && tools/test.sh"; }
part_package() {
  tools/install_packages.sh package && built release --target takt && (cd build/release && cpack -G DEB -B "$work/package" >/dev/null) &&
    tests/tools/package_root.sh "$work"/package/takt_*.deb
}
part_pairs() { built release --target takt && python3 tests/end_to_end/parallel_runs_test.py --takt build/release/bin/takt --work "$work/pairs" --pairs 50 --no-ccache; }
part_hunt() {
  built release --target takt && /usr/bin/python3 tests/hunt/hunt_plants.py --takt build/release/bin/takt --work "$work/hunt" --count "$count" --seed "$seed" --jobs 2
}
part_networks() {
  built release --target hunt_networks && build/release/bin/hunt_networks config/library 1000 "$((0x$(printf %s "$seed" | sha256sum | head -c 7)))"
}
part_copies() {
  built release --target takt && /usr/bin/python3 tests/hunt/hunt_copies.py --takt build/release/bin/takt --work "$work/copies" --count "$((count / 5))" --seed "$seed"
}
part_plans() {
  built release --target takt && /usr/bin/python3 tests/hunt/hunt_plans.py --takt build/release/bin/takt --work "$work/plans" --count "$((count / 3))" --seed "$seed" --jobs 2
}
part_modelica() {
  built release --target takt && for hunt in modelica events; do
    tests/with_python.sh tests/hunt/hunt_$hunt.py --takt build/release/bin/takt --work "$work/$hunt" --count "$count" --seed "$seed" || return 1
  done
}
part_mutants() {
  tools/hunt/mutants.sh --seconds "$mutants" --seed "$((0x$(printf %s "$seed" | sha256sum | head -c 7)))" &&
    tools/hunt/fuzz.sh "$((mutants / 4))" fuzz_fmu_description fuzz_fmu_archive fuzz_ssd
}

failed=0 told=()
for part; do
  declare -F "part_$part" >/dev/null || { echo "tools/test_long.sh: there is no part '$part'" >&2; exit 2; }
  echo "== $part, seed $seed"
  begun=$SECONDS
  if "part_$part" 2>&1 | tee "$work/$part.log"; then told+=("nothing found  $part  $((SECONDS - begun)) s"); else failed=1 told+=("FOUND          $part  $((SECONDS - begun)) s: $work/$part.log"); fi
done
printf '%s\n' "${told[@]}"
exit $failed
