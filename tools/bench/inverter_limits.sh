#!/bin/bash
# How far down a three-phase inverter goes on one core of this machine (config/plants/inverter_power):
#  - its real-time factor over ever smaller micro-steps, and the smallest step that keeps it below 0.5;
#  - how many inverters one core carries at 1 us: as many paced processes at once, SCHED_FIFO, until one overruns.
# usage: tools/bench/inverter_limits.sh [TAKT] [CPU]     TAKT: build/release/bin/takt; as root for SCHED_FIFO
set -euo pipefail
home=$(cd "$(dirname "$0")/../.." && pwd)
takt=${1:-$home/build/release/bin/takt}
cpu=${2:-1}
plant=$home/config/plants/inverter_power/plant.toml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {  # STEP : path of the executable
  local folder=$work/step_${1// /_}
  mkdir -p "$folder"
  cp "$home"/config/plants/inverter_power/* "$folder"
  sed -i "s/^electric = { step = \"1 us\"/electric = { step = \"$1\"/" "$folder/plant.toml"
  grep -q "step = \"$1\"" "$folder/plant.toml" || { echo "cannot set the step in $plant" >&2; exit 1; }
  "$takt" build "$folder/plant.toml" --out "$folder/built" 2>/dev/null | tail -1
}
read_rtf() {  # SUMMARY KEY
  python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["rtf"][sys.argv[2]])' "$1" "$2"
}
median() { printf '%s\n' "$@" | sort -g | sed -n 3p; }

printf '%10s %12s %12s   medians of 5 runs of 1 s\n' "step" "mean RTF" "p99.9 RTF"
smallest=none
for step in "1 us" "500 ns" "250 ns" "125 ns" "100 ns" "50 ns"; do
  run=$(build "$step")
  means=() tails=()
  for _ in 1 2 3 4 5; do
    chrt -f 50 taskset -c "$cpu" "$run" --pace free --for 1s --out "$work/run" >/dev/null
    means+=("$(read_rtf "$work/run/summary.json" mean)")
    tails+=("$(read_rtf "$work/run/summary.json" p999)")
  done
  mean=$(median "${means[@]}")
  printf '%10s %12.4f %12.4f\n' "$step" "$mean" "$(median "${tails[@]}")"
  if python3 -c "raise SystemExit(not $mean < 0.5)"; then smallest=$step; fi
done
echo "smallest step with a mean RTF below 0.5: $smallest"

run=$(build "1 us")
printf '%10s %12s %12s   10 s paced, windows of 1 ms\n' "inverters" "overruns" "windows"
for count in 1 2 4 6 8 10 12 14 16; do
  pids=()
  for ((k = 0; k < count; ++k)); do
    taskset -c "$cpu" "$run" --pace real --for 10s --out "$work/paced_$k" >/dev/null 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || true; done
  python3 - "$work" "$count" <<'PYTHON'
import json, sys
work, count = sys.argv[1], int(sys.argv[2])
runs = [json.load(open(f"{work}/paced_{k}/summary.json")) for k in range(count)]
overruns = sum(core["overruns"] for run in runs for core in run["cores"])
windows = sum(subsystem["windows"] for run in runs for subsystem in run["subsystems"] if subsystem["name"] == "electric")
print(f"{count:10} {overruns:12} {windows:12}")
PYTHON
done
