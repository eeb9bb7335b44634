#!/bin/bash
# slow_group_guest.sh FAST SLOW   runs inside a guest in virtual time: a 1 ms group that sends on vcan0, without and with a slow
# window below it. Leaves summaries and what candump saw in $TAKT_OUT.
set -euo pipefail
fast=$1 slow=$2

# run NAME EXECUTABLE
run() {
  candump -L -T 10000 vcan0 >"$TAKT_OUT/$1.candump" &
  local listener=$!
  "$2" --bus can0.channel=vcan0 --bus can0.virtual=false --pace real --for "2 s" --quiet --no-report --out "/tmp/$1" >"$TAKT_OUT/$1.log" 2>&1
  wait "$listener"  # ends when nothing has come for a while
  cp "/tmp/$1/summary.json" "$TAKT_OUT/$1.json"
}

run without "$fast"
run beside "$slow"
