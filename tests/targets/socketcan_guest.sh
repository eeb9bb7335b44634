#!/bin/bash
# socketcan_guest.sh PLANT ECU FRAME   runs inside a guest that has vcan0: the plant and its ECU talk, candump watches,
# cansend injects FRAME, then the ECU is killed. Leaves in $TAKT_OUT: candump.log, run/, and the moments of what was done.
set -euo pipefail
plant=$1 ecu=$2 frame=$3
now() { date +%s.%N; }
moment() { echo "$1 $(now)" >>"$TAKT_OUT/moments"; }

cat /sys/kernel/realtime >"$TAKT_OUT/realtime"
candump -L vcan0 >"$TAKT_OUT/candump.log" &
watcher=$!
"$plant" --bus can0.channel=vcan0 --pace real --late any --for "26 s" --quiet --out /tmp/run >"$TAKT_OUT/plant.log" 2>&1 &
plant_process=$!
moment start
"$ecu" --bus vcan0 >"$TAKT_OUT/ecu.log" 2>&1 &
ecu_process=$!

# The cycle begins with 11 s at standstill: enough for contactors to close and for an injected torque to be seen.
sleep 7
moment inject
# More often than the ECU's own request (10 ms): whatever the phase between the two, most samples of the plant see FRAME.
for ((k = 0; k < 160; k++)); do
  cansend vcan0 "$frame"
  sleep 0.0023
done
moment injected
sleep 13
moment kill
kill -KILL "$ecu_process"
wait "$ecu_process" || true

status=0
wait "$plant_process" || status=$?
kill "$watcher"
mkdir "$TAKT_OUT/run"
cp /tmp/run/{summary.json,signals.csv} "$TAKT_OUT/run/"
exit "$status"
