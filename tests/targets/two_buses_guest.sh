#!/bin/bash
# two_buses_guest.sh PLANT CLIENT FD_PLANT   runs inside a guest that has vcan0: a plant with one bus there and another one that is virtual,
# to which CLIENT is connected; then FD_PLANT on vcan0, classic and with CAN FD and faults of the bus. Leaves what candump saw, what the client
# saw, and the summaries in $TAKT_OUT.
set -euo pipefail
plant=$1 client=$2 fd_plant=$3
candump -L vcan0 >"$TAKT_OUT/vcan0.log" &
watcher=$!
"$client" "$TAKT_OUT/virtual.json" >"$TAKT_OUT/client.log" 2>&1 &
client_process=$!
until [ -e /tmp/client_is_there ] || ! kill -0 "$client_process"; do sleep 0.1; done  # a loaded host takes long to load its modules
"$plant" --pace real --late any --for "4 s" --quiet --no-report --out /tmp/run >"$TAKT_OUT/plant.log" 2>&1 &
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
[ "$status" = 0 ] || exit "$status"

kill "$watcher"
with_mtu() { ip link set vcan0 down && ip link set vcan0 mtu "$1" && ip link set vcan0 up; }
on_vcan=(--pace real --late any --for "3 s" --quiet --no-report --bus can0.virtual=false --bus can0.channel=vcan0)
with_mtu 16
"$fd_plant" "${on_vcan[@]}" --out /tmp/classic >"$TAKT_OUT/classic.log" 2>&1 || echo "$?" >"$TAKT_OUT/classic.status"
with_mtu 72
candump -L vcan0 >"$TAKT_OUT/fd.log" &
"$fd_plant" "${on_vcan[@]}" --bus can0.send.COUNT=drop --bus "can0.receive.COMMAND=duplicate x3" --out /tmp/fd >>"$TAKT_OUT/plant.log" 2>&1 &
process=$!
sleep 1
for ((k = 0; k < 5; k++)); do
  cansend vcan0 020#0000000000000000
  sleep 0.05
done
status=0
wait "$process" || status=$?
cp /tmp/fd/summary.json "$TAKT_OUT/fd.json"
exit "$status"
