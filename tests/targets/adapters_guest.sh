#!/bin/bash
# adapters_guest.sh EMULATOR PROGRAMS PLANT STAMPED_PLANT   runs inside a guest with the drivers of an emulated adapter: takt sets its
# interfaces, a plant runs on can0 and an ECU made of `takt can` on can1; errors, bus-off with and without the right to restart, hardware time
# stamps. Leaves in $TAKT_OUT what takt, ip, candump and the adapter said.
set -uo pipefail
emulator=$1 programs=$2 plant=$3 stamped=$4
takt=$programs/takt
# shellcheck source=tests/targets/adapters/bring_up.sh
. "$(dirname "$0")/adapters/bring_up.sh"
bring_up "$emulator" "$programs" || exit 1

# noted NAME COMMAND...   its output and its exit code
noted() {
  local name=$1
  shift
  "$@" >"$TAKT_OUT/$name.log" 2>&1
  echo $? >"$TAKT_OUT/$name.code"
}
told() { adapter "$@" >>"$TAKT_OUT/adapter.answers" 2>&1 || true; }
run() { "$1" --pace real --late any --quiet --no-report --for "$2" --out "/tmp/$3" "${@:4}"; }
ecu() { "$takt" can send --bus can1 200#0114 --period 20ms --for "$1" >/dev/null 2>&1 & }
# Once the plant is there.
begun() { until grep -q 'SocketCAN can0' "$TAKT_OUT/$1.log" 2>/dev/null; do sleep 0.05; done; }

both() { noted "$1" "$takt" can setup can0 can1 "${@:2}"; }
data=()
[ "$emulator" != gs_usb ] || data=(--data-bitrate 2M --data-sample-point 0.8)
both wrong_setup --bitrate 250k
[ "$emulator" != vcan ] || ip link set can0 up
[ "$emulator" != vcan ] || ip link set can1 up
noted refused run "$plant" "1 s" refused
both setup --bitrate 500k --sample-point 0.875 "${data[@]}" --restart 200ms
noted ip ip -details -json link show can0
noted state "$takt" can state can0 --json
noted unsettable "$takt" can setup can0 --bitrate 123457 --sample-point 0.51
noted as_before "$takt" can state can0 --json
both again --bitrate 500k --sample-point 0.875 "${data[@]}" --restart 200ms

# A plant that may restart its interface.
candump -L can1 >"$TAKT_OUT/can1.log" &
watcher=$!
noted run run "$plant" "5 s" run &
begun run
ecu "6 s"
sleep 1
told warning 0
sleep 0.3
told passive 0
sleep 0.3
told ack_error 0
sleep 0.2
told bus_off 0
if [ "$emulator" = vcan ]; then  # a virtual interface takes error frames from programs: bus-off, restarted
  cansend can1 20000040#0000000000000000
  sleep 0.3
  cansend can1 20000100#0000000000000000
fi
while [ ! -e "$TAKT_OUT/run.code" ]; do sleep 0.1; done
kill "$watcher"
cp /tmp/run/summary.json "$TAKT_OUT/run.json"
noted after "$takt" can state can0 --json

# One that may not: it stays off the bus, and says so.
if [ "$emulator" = slcan ] || [ "$emulator" = gs_usb ]; then
  both fresh --bitrate 500k --sample-point 0.875 "${data[@]}"
  noted forbidden setpriv --bounding-set=-net_admin --inh-caps=-net_admin "$plant" --pace real --late any --quiet --no-report --for "3 s" --out /tmp/forbidden &
  begun forbidden
  ecu "4 s"
  sleep 1
  told bus_off 0
  while [ ! -e "$TAKT_OUT/forbidden.code" ]; do sleep 0.1; done
  cp /tmp/forbidden/summary.json "$TAKT_OUT/forbidden.json"
  noted off run "$plant" "1 s" off
  noted may_not setpriv --bounding-set=-net_admin --inh-caps=-net_admin "$takt" can restart can0
  noted restart "$takt" can restart can0
  noted restarted "$takt" can state can0 --json
fi

# Stamps of the controller, where it has some.
timeout 4 candump -L -H -T 3000 can0 >"$TAKT_OUT/hardware.log" 2>/dev/null &
noted stamped run "$stamped" "3 s" stamped --bus can0.trace=candump &
sleep 0.3
ecu "4 s"
while [ ! -e "$TAKT_OUT/stamped.code" ]; do sleep 0.1; done
sleep 1
[ ! -e /tmp/stamped/bus_can0.log ] || cp /tmp/stamped/{bus_can0.log,summary.json} "$TAKT_OUT/"
[ ! -e "$adapter_log" ] || cp "$adapter_log" "$TAKT_OUT/adapter.log"
exit 0
