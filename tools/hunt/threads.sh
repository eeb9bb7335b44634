#!/bin/bash
# tools/hunt/threads.sh [SECONDS]   paced runs under the thread sanitizer: the executive, recorder, progress and bus threads of a plant
# written by hand and of the electric vehicle with its ECU, 20 s unless told; with signals, full files and closed pipes on the way.
# Overruns are no finding (the sanitizer slows everything). Ends with 1 if there was one.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-20}
tools/install_packages.sh build
cmake --preset tsan >/dev/null
cmake --build --preset tsan --target takt takt_two_bodies ev_ecu
root=$PWD work=$PWD/build/threads
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 second_deadlock_stack=1"
rm -rf "$work"
mkdir -p "$work"
cd "$work"

failed=0
# judge NAME LOG   a log without a report of the sanitizer
judge() {
  if grep -q 'WARNING: ThreadSanitizer' "$2"; then
    failed=1
    echo "FOUND   $1: $2"
  else
    echo "nothing $1"
  fi
}

plant=$root/build/tsan/bin/takt_two_bodies
"$plant" --pace real --for "${seconds}s" --input heater=1kW@0.5 --out paced >paced.log 2>&1 || true
judge "paced run" paced.log
timeout -s INT 3 "$plant" --pace real --for 60s --out stopped >stopped.log 2>&1 || true
judge "run ended by a signal" stopped.log
(ulimit -f 200; "$plant" --pace real --for 8s --no-report --out full >full.log 2>&1) || true
judge "run whose files are full" full.log
{ "$plant" --pace real --for 12s --out deaf 2>&1 || true; } | head -1 >/dev/null
"$plant" --replay paced --out replayed >replayed.log 2>&1 || true
judge "replay" replayed.log

"$root/build/tsan/bin/takt" build "$root/config/plants/ev" --rig "$root/config/rigs/ev.toml" --out ev >build.log 2>&1
"$root/build/tsan/bin/ev_ecu" --for "$seconds" >ecu.log 2>&1 &
ecu=$!
ev/bin/ev --pace real --for "${seconds}s" --out drive >drive.log 2>&1 || true
wait $ecu || true
judge "vehicle on its bus" drive.log
judge "its ECU" ecu.log
exit $failed
