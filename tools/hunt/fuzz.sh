#!/bin/bash
# tools/hunt/fuzz.sh [SECONDS [NAME...]]   runs every fuzz program (or those named) for SECONDS each, 60 unless told.
# Ends with 1 if one found something; the input that did it is left in build/fuzz/NAME-crash-*.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true
tools/install_packages.sh build dev
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz

failed=0
while read -r name folders; do
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  echo "== $name: $seconds s"
  # Words on purpose: the line lists the corpus folders, separated by semicolons.
  # shellcheck disable=SC2086
  if build/fuzz/bin/"$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
       -artifact_prefix="build/fuzz/$name-" ${folders//;/ } >"build/fuzz/$name.log" 2>&1; then
    grep -E 'number_of_executed_units|new_units_added' "build/fuzz/$name.log"
  else
    failed=1
    tail -40 "build/fuzz/$name.log"
  fi
done <build/fuzz/fuzz_programs.txt
exit $failed
