#!/bin/bash
# virtual_time_guest.sh PLANT ECU   runs inside a guest in virtual time: 60,000 windows of 1 ms with the ECU on vcan0, then a
# short run into which one fault of each kind is injected. Leaves both summaries in $TAKT_OUT.
set -euo pipefail
plant=$1 ecu=$2

# run NAME OPTION...
run() {
  local name=$1
  shift
  "$ecu" --bus vcan0 >"$TAKT_OUT/$name.ecu.log" 2>&1 &
  local ecu_process=$!
  "$plant" --bus can0.channel=vcan0 --pace real --late any --quiet --no-report --out "/tmp/$name" "$@" >"$TAKT_OUT/$name.log" 2>&1
  kill "$ecu_process"
  wait "$ecu_process" || true
  cp "/tmp/$name/summary.json" "$TAKT_OUT/$name.json"
}

run plain --for "60 s"
run faults --for "4 s" --inject long:1500:1800 --inject late:2200:1700 --inject blocked:3100:1900
