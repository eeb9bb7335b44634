#!/bin/bash
# adapters_alone_guest.sh EMULATOR PROGRAMS   runs inside a guest: what `ip`, cansend and candump can do with an emulated adapter.
# Leaves in $TAKT_OUT: what `ip` shows after each step (STEP.json), the exit codes of what may be refused (attempts), the frames that
# candump saw with stamps of the system (frames.log) and of the hardware (stamps.log), the adapter's log, the kernel's log.
set -uo pipefail
emulator=$1 programs=$2
. "$(dirname "$0")/adapters/bring_up.sh"

show() { ip -details -statistics -json link show >"$TAKT_OUT/$1.json"; }
attempt() {  # NAME COMMAND...
  local name=$1 status=0 text
  shift
  text=$("$@" 2>&1) || status=$?
  echo "$name $status $text" >>"$TAKT_OUT/attempts"
  return "$status"
}
both() { for interface in can0 can1; do ip link set "$interface" "$@" || return; done; }
arrives() { wait_for "frame $2 on $1" grep -q " $1 $2#" "$TAKT_OUT/frames.log"; }
state_is() { wait_for "state $1" eval "ip -details -json link show can0 | grep -q '\"state\":\"$1\"'"; }
exchange() {  # FRAME FRAME: the first from can0, the second from can1
  cansend can0 "$1" && arrives can1 "${1%%#*}" && cansend can1 "$2" && arrives can0 "${2%%#*}"
}

{
  bring_up "$emulator" "$programs" && show found
  attempt restart_ms ip link set can0 type can restart-ms 100 && ip link set can0 type can restart-ms 0
  attempt bus_errors ip link set can0 type can berr-reporting on
  attempt bit_rate both type can bitrate 250000
  both up

  candump -D -L any,0:0,#FFFFFFFF >"$TAKT_OUT/frames.log" &
  listeners=$!
  candump -D -L -H any >"$TAKT_OUT/stamps.log" &
  listeners+=" $!"
  wait_for "candump" eval '[ "$(grep -c "^ *any" /proc/net/can/rcvlist_all)" = 2 ]'
  exchange 101#0102 102#03
  show active

  if attempt warning adapter warning 0 100 7; then
    state_is ERROR-WARNING && show warning
    adapter passive 0 11 140 && state_is ERROR-PASSIVE && show passive
    adapter ack_error 0
    adapter bus_off 0 && state_is BUS-OFF && show bus_off
    cansend can0 201#  # nobody gets these two
    cansend can1 202#
  fi
  if attempt restart ip link set can0 type can restart; then
    state_is ERROR-ACTIVE && show restarted && exchange 211# 212#
    adapter bus_off 0 && state_is BUS-OFF
  fi
  ip link set can0 down && show down && ip link set can0 up && show up
  exchange 301# 302#

  ip link set can0 down
  if ip link set can0 type can restart-ms 200; then
    ip link set can0 up
    if adapter bus_off 0; then
      wait_for "the second restart" eval '[ "$(grep -c "^channel 0 restarted" "$adapter_log")" = 2 ]'
      state_is ERROR-ACTIVE && show restarted_itself && exchange 311# 312#
    fi
    attempt restart_by_hand ip link set can0 type can restart
    ip link set can0 down && ip link set can0 type can restart-ms 0
  fi
  ip link set can0 up

  if attempt drop adapter drop 1; then
    cansend can0 401#
    date +%s.%N >"$TAKT_OUT/before_delay"
    adapter delay 300
    cansend can0 402# && arrives can1 402
    adapter delay 0
  fi

  both down
  if [ "$emulator" != vcan ]; then attempt fd both type can bitrate 500000 dbitrate 2000000 fd on; fi
  both up
  show fd
  attempt fd_frame cansend can0 "501##1$(printf 'A5%.0s' {1..64})" && arrives can1 501
  exchange 601# 602#
} >"$TAKT_OUT/guest.log" 2>&1
status=$?
# shellcheck disable=SC2086  # words
kill $listeners
[ ! -e "$adapter_log" ] || cp "$adapter_log" "$TAKT_OUT/adapter.log"
dmesg >"$TAKT_OUT/kernel.log"
exit "$status"
