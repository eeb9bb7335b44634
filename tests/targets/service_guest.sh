#!/bin/bash
# service_guest.sh   runs inside a guest booted by systemd with takt-rig@driven.service enabled, bound to vcan0: the plant is there
# without anybody having started it; it is killed, comes again, is stopped; its interface comes and goes. Leaves in $TAKT_OUT what was seen.
set -uo pipefail
unit=takt-rig@driven.service
pid() { systemctl show -P MainPID "$unit"; }
wait_for() {  # SECONDS CONDITION...
  local until=$((SECONDS + $1))
  while ((SECONDS < until)); do "${@:2}" && return 0; sleep 0.5; done
  return 1
}
another() { local now; now=$(pid); [ "$now" != 0 ] && [ "$now" != "$first" ]; }

cp /proc/1/comm "$TAKT_OUT/init"
up() { [ $(($(cat /sys/class/net/vcan0/flags) & 1)) = 1 ]; }
wait_for 120 up
candump -L vcan0 >"$TAKT_OUT/candump.log" &
watcher=$!
wait_for 120 test -s "$TAKT_OUT/candump.log"
sleep 3
first=$(pid)
cp "/proc/$first/status" "$TAKT_OUT/status"
for task in "/proc/$first/task"/*; do chrt -p "${task##*/}"; done >"$TAKT_OUT/scheduling" 2>&1
date +%s.%N >"$TAKT_OUT/killed_at"
kill -KILL "$first"
wait_for 60 another
sleep 4
systemctl show -P NRestarts "$unit" >"$TAKT_OUT/restarts"
pid >"$TAKT_OUT/second"
date +%s.%N >"$TAKT_OUT/stopped_at"
systemctl stop "$unit"
date +%s.%N >"$TAKT_OUT/stop_done_at"
sleep 1
systemctl show -P Result -P ActiveState "$unit" >"$TAKT_OUT/result"
systemctl show -P ExecMainStatus "$unit" >"$TAKT_OUT/exit_code"
kill "$watcher" 2>/dev/null
journalctl --no-pager -u "$unit" >"$TAKT_OUT/journal" 2>&1
ls -l /var/lib/takt/driven/runs >"$TAKT_OUT/runs"
ls -1dt /var/lib/takt/driven/runs/*/ >"$TAKT_OUT/newest_first"
newest=$(head -n 1 "$TAKT_OUT/newest_first")
cp "$newest/summary.json" "$TAKT_OUT/" 2>/dev/null

# The interface is put in, pulled, and put in again.
active() { [ "$(systemctl show -P ActiveState "$unit")" = active ]; }
ended() { [ "$(systemctl show -P MainPID "$unit")" = 0 ] && ! active; }
told() { echo "$1 $(systemctl show -P ActiveState -P Result "$unit" | sort | tr '\n' ' ')" >>"$TAKT_OUT/interface"; }
sent() { [ "$(cat /sys/class/net/vcan0/statistics/tx_packets)" -gt 10 ]; }
ip link delete vcan0
ip link add vcan0 type vcan
wait_for 120 active
wait_for 60 sent && told plugged
ip link delete vcan0
wait_for 120 ended && told pulled
ip link add vcan0 type vcan
wait_for 120 active
wait_for 60 sent && told again
journalctl --no-pager -u "$unit" >"$TAKT_OUT/journal" 2>&1
exit 0
