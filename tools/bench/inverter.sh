#!/bin/bash
# Generated code beside a kernel written by hand for the same three-phase inverter at 1 us: instructions per micro-step
# (callgrind, difference of two run lengths) and time per micro-step (median of 5, one core, alternately).
# usage: tools/bench/inverter.sh [TAKT] [CPU]     TAKT: build/release/bin/takt
set -euo pipefail
home=$(cd "$(dirname "$0")/../.." && pwd)
takt=${1:-$home/build/release/bin/takt}
cpu=${2:-1}
command -v valgrind >/dev/null || { echo "valgrind is missing: apt-get install valgrind" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "building both ..." >&2
plant=$("$takt" build "$home/tools/bench/inverter_by_hand" --out "$work/plant" 2>/dev/null | tail -1)
hand=$work/by_hand
g++ -std=c++20 -O3 -march=x86-64-v2 -ffp-contract=off "$home/tools/bench/inverter_by_hand/by_hand.cpp" -o "$hand"

instructions() {  # FUNCTION COMMAND... : of one run, inside of the function
  valgrind --tool=callgrind --collect-atstart=no "--toggle-collect=$1" --callgrind-out-file="$work/cg" "${@:2}" >/dev/null 2>&1
  grep -oP '^(totals|summary): \K\d+' "$work/cg" | head -1
}
run_plant() { taskset -c "$cpu" "$plant" --pace free --audit off --for "$1ms" --out "$work/run"; }

echo "counting instructions ..." >&2
a=$(instructions "*SwitchedSolver*run*" "$plant" --pace free --audit off --for 20ms --out "$work/run")
b=$(instructions "*SwitchedSolver*run*" "$plant" --pace free --audit off --for 60ms --out "$work/run")
c=$(instructions main "$hand" 20000)
d=$(instructions main "$hand" 60000)
generated=$(((b - a) / 40000))
written=$(((d - c) / 40000))

echo "timing ..." >&2
times_plant=() times_hand=()
for _ in 1 2 3 4 5; do
  run_plant 1000 >/dev/null
  times_plant+=("$(python3 -c 'import json,sys; d=json.load(open(sys.argv[1])); s=[x for x in d["subsystems"] if x["name"]=="electric"][0]; print(s["compute_s"]/1e6*1e9)' "$work/run/summary.json")")
  start=$(date +%s%N)
  taskset -c "$cpu" "$hand" 1000000 >/dev/null
  times_hand+=("$(python3 -c "print(($(date +%s%N) - $start)/1e6)")")
done
median() { printf '%s\n' "$@" | sort -g | sed -n 3p; }
printf '%-28s %14s %14s\n' "" "instructions" "ns (median)"
printf '%-28s %14d %14.1f\n' "generated" "$generated" "$(median "${times_plant[@]}")"
printf '%-28s %14d %14.1f\n' "written by hand" "$written" "$(median "${times_hand[@]}")"
python3 -c "print(f'ratio of instructions {$generated/$written:.2f}, of time {$(median "${times_plant[@]}")/$(median "${times_hand[@]}"):.2f}')"
