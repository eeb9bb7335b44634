#!/bin/bash
# two_buses_guest.sh PLANT CLIENT   runs inside a guest that has vcan0: a plant with one bus there and another one that is virtual,
# to which CLIENT is connected. Leaves what candump saw, what the client saw, and the summary in $TAKT_OUT.
set -euo pipefail
plant=$1 client=$2
candump -L vcan0 >"$TAKT_OUT/vcan0.log" &
"$client" "$TAKT_OUT/virtual.json" >"$TAKT_OUT/client.log" 2>&1 &
client_process=$!
until [ -e /tmp/client_is_there ] || ! kill -0 "$client_process"; do sleep 0.1; done  # a loaded host takes long to load its modules
"$plant" --pace real --for "4 s" --quiet --no-report --out /tmp/run >"$TAKT_OUT/plant.log" 2>&1 &
process=$!
sleep 2
for ((k = 0; k < 20; k++)); do
  cansend vcan0 200#0014
  sleep 0.01
done
status=0
wait "$process" || status=$?
wait "$client_process"
cp /tmp/run/{summary.json,signals.csv} "$TAKT_OUT/"
exit "$status"
