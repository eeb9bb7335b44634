#!/bin/bash
# tools/bench/wakeup.sh PLANT [SECONDS] [CPU] [ARGUMENT...]
#
# Wake-up latency of a built plant and, at the same time on the same core, of cyclictest: p50, p99, p99.9 of both in us.
# Both sleep until absolute times a millisecond apart, SCHED_FIFO 80, memory locked. Their grids have any phase, and neither
# interrupts the other: where they meet, each also waits for the other's work. Needs root or the right to real-time priorities.
# PLANT is a built executable; further arguments go to it. Default: 30 s on the last CPU.
#   tools/bench/wakeup.sh build/plants/ev/ev 60 1
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2; }
plant=$1 seconds=${2:-30} cpu=${3:-$(($(nproc) - 1))}
shift $(($# < 3 ? $# : 3))
command -v cyclictest >/dev/null || { echo "cyclictest is not installed (package rt-tests)" >&2; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cyclictest --quiet --mlockall --priority=80 --policy=fifo --threads=1 --affinity="$cpu" --interval=1000 \
  --duration="$seconds" --histogram=20000 >"$scratch/histogram" &
partner=$!
"$plant" --pace real --for "${seconds}s" --cpu "$cpu" --out "$scratch/run" "$@" >"$scratch/plant.log" 2>&1 ||
  { cat "$scratch/plant.log" >&2; exit 1; }
wait "$partner"

percentile() {  # of the histogram "us count"; $1 in 0..1
  awk -v share="$1" '/^[0-9]/ { count[NR] = $2; us[NR] = $1; total += $2 }
    END { for (n = 1; n <= NR; n++) { sum += count[n]; if (total && sum >= share * total) { print us[n] + 0; exit } } print ">20000" }' \
    "$scratch/histogram"
}

python3 - "$scratch/run/summary.json" "$(percentile 0.5)" "$(percentile 0.99)" "$(percentile 0.999)" <<'PYTHON'
import json, sys
summary = json.load(open(sys.argv[1]))
core = summary["cores"][0]
wakeup = core["wakeup_us"]
print(f"{'wake-up latency, us':<34}{'p50':>9}{'p99':>9}{'p99.9':>9}")
print(f"{'plant ' + summary['model'] + ', cpu ' + str(core['cpu']):<34}" + "".join(f"{wakeup[k]:>9.1f}" for k in ("p50", "p99", "p999")))
print(f"{'cyclictest beside it':<34}" + "".join(f"{v:>9}" for v in sys.argv[2:5]))
PYTHON
