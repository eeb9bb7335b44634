#!/bin/bash
# slow_group_guest.sh FAST SLOW   runs inside a guest in virtual time: a 1 ms group that sends on vcan0, without and with a slow
# window below it, then five times more, then throttled by the kernel. Leaves summaries and what candump saw in $TAKT_OUT.
set -euo pipefail
fast=$1 slow=$2

# run NAME EXECUTABLE TIME [OPTION...]
run() {
  "$2" --bus can0.channel=vcan0 --bus can0.virtual=false --pace real --late any --for "$3" "${@:4}" --quiet --no-report --out "/tmp/$1" >"$TAKT_OUT/$1.log" 2>&1
  cp "/tmp/$1/summary.json" "$TAKT_OUT/$1.json"
}

# heard NAME EXECUTABLE TIME [OPTION...]
heard() {
  candump -L -T 10000 vcan0 >"$TAKT_OUT/$1.candump" &
  local listener=$!
  run "$@"
  wait "$listener"  # ends when nothing has come for a while
}

heard without "$fast" "2 s"
heard beside "$slow" "2 s" --sheet
for k in 1 2 3 4 5; do run "again_$k" "$slow" "1 s"; done

# The kernel lets real-time threads have 150 ms of every second: less than the slow window needs.
echo 150000 >/proc/sys/kernel/sched_rt_runtime_us
run throttled "$slow" "3 s"
