#!/bin/sh
# aarch64_guest.sh FOLDER PLANT:DURATION...   runs inside an aarch64 guest, under busybox: each plant as fast as possible, ev in real time with its
# frames on vcan0, and the pack of `takt fit`. Leaves all summaries in $TAKT_OUT.
set -eu
folder=$1
shift
cat /sys/kernel/realtime >"$TAKT_OUT/realtime"
for wanted; do
  plant=${wanted%%:*}
  "$folder/$plant/bin/$plant" --pace free --for "${wanted#*:}" --no-results --audit off --quiet --json >"$TAKT_OUT/$plant.json"
done
"$folder/ev_rig/bin/ev" --bus can0.channel=vcan0 --pace real --late any --for "5 s" --no-results --audit off --quiet --json >"$TAKT_OUT/paced.json"
cat /sys/class/net/vcan0/statistics/tx_packets >"$TAKT_OUT/frames"
cp -r "$folder/pack" /tmp/pack
sh /tmp/pack/measure.sh
cp -r /tmp/pack/results "$TAKT_OUT/results"
