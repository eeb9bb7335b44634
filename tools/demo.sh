#!/bin/bash
# tools/demo.sh   installs what is missing, builds, and lets an electric vehicle follow a drive cycle in real time while
# a separate controller process (the ECU) drives it over CAN. Then the ECU is killed, and the plant must notice.
#   SECONDS_PACED=120   length of the paced run
#   OUT=runs/demo       where the results go
# Ends with 0 only if everything held; deadlines that a busy machine misses are told, and do not count.
set -euo pipefail
cd "$(dirname "$0")/.."
paced=${SECONDS_PACED:-120}
out=${OUT:-runs/demo}
bin=$PWD/build/release/bin
verdicts=()
failed=0

step() { printf '\n== %s (%d s since start)\n' "$*" "$SECONDS"; }
# verdict WHAT COMMAND...   runs a check and remembers how it went
verdict() {
  local what=$1
  shift
  if "$@"; then verdicts+=("ok      $what"); else verdicts+=("FAILED  $what"); failed=1; fi
}

children=()
cleanup() { for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done; }
trap cleanup EXIT

# start_ecu LOG   in the background; its process is $ecu
start_ecu() {
  "$bin/ev_ecu" >"$1" 2>&1 &
  ecu=$!
  children+=("$ecu")
  disown "$ecu"  # bash need not report its end
}

step "1/5 packages"
tools/install_packages.sh build
step "2/5 build Takt: build/release"
mkdir -p build "$out"
cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
cmake --build --preset release --target takt ev_ecu
step "3/5 build the plant: config/plants/ev with config/rigs/ev.toml"
"$bin/takt" check config/plants/ev --rig config/rigs/ev.toml | sed '/^couplings/,$d'
"$bin/takt" build config/plants/ev --rig config/rigs/ev.toml --out "$out/build" >/dev/null
plant=$out/build/bin/ev

step "4/5 the vehicle follows WLTC class 3b for $paced s in real time; the ECU drives it over CAN"
start_ecu "$out/ecu.log"
verdict "paced run of $paced s" "$plant" --pace real --late any --for "${paced}s" --out "$out/drive"
kill "$ecu" 2>/dev/null || true
verdict "vehicle speed follows the cycle" awk -v actual=translational.car.speed -v wanted=control.cycle.out \
  -f tools/demo/tracking.awk "$out/drive/signals.csv"

step "5/5 the ECU is killed while driving: the plant must go to its safe state and say so"
killed_at=22
start_ecu "$out/ecu_killed.log"
"$plant" --pace real --late any --for 30s --out "$out/killed" &
run=$!
children+=("$run")
sleep $killed_at
echo "-- killing the ECU"
kill -KILL "$ecu"
verdict "run ends in order without the ECU" wait "$run"
verdict "plant says that the ECU fell silent" grep -hE 'timed out at .*, inputs to safe values' "$out/killed/summary.json"
verdict "plant went to its safe state" awk -v kill=$killed_at -f tools/demo/safe_state.awk "$out/killed/signals.csv"

step "result"
printf '   %s\n' "${verdicts[@]}"
sed -n 's/^  "verdict": "\(.*\)",$/   the drive: \1/p' "$out/drive/summary.json"
echo "   report of the drive:        $PWD/$out/drive/report.html"
echo "   report of the killed ECU:   $PWD/$out/killed/report.html"
exit $failed
