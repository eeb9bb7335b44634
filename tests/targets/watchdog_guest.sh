#!/bin/bash
# watchdog_guest.sh PLANT killed|hung   runs inside a guest that has vcan0 and a watchdog of 3 s: the plant is killed, or it and its
# supervisor are stopped. What then comes by itself: nothing, or a reset of the machine, after which `survived` is missing.
set -euo pipefail
plant=$1 what=$2
candump -L vcan0 >"$TAKT_OUT/candump.log" &
"$plant" --bus can0.channel=vcan0 --bus can0.virtual=false --pace real --late any --for "60 s" --quiet --out /tmp/run >"$TAKT_OUT/plant.log" 2>&1 &
process=$!
supervisor=
for _ in $(seq 60); do  # an emulated machine takes its time
  sleep 1
  for child in $(cat "/proc/$process/task/$process/children"); do  # beside it, the keeper of the tap
    [ "$(cat "/proc/$child/comm")" = takt-supervisor ] && supervisor=$child
  done
  [ -z "$supervisor" ] || break
done
cat "/proc/$supervisor/comm" >"$TAKT_OUT/supervisor"
sleep 5  # it runs, and says so to the watchdog
if [ "$what" = killed ]; then
  kill -KILL "$process"
else
  kill -STOP "$supervisor" "$process"
fi
sleep 8
echo "$what" >"$TAKT_OUT/survived"
