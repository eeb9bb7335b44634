#!/bin/bash
# takt can on a live bus: takt_can.sh TAKT CAN_SERVER SAMPLE.dbc
set -u
takt=$1 server=$2 dbc=$3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$server" 6 >"$out/server" 2>/dev/null &
pid=$!
for _ in $(seq 100); do grep -q '^port' "$out/server" && break; sleep 0.05; done
bus=socketcand:127.0.0.1:$(sed -n 's/^port //p' "$out/server")/can0
fail() { echo "FAILED: $*"; cat "$out"/*; kill $pid; exit 1; }

"$takt" can dump --bus "$bus" --dbc "$dbc" --only Status --count 3 >"$out/dump" 2>&1 || fail "dump"
[ "$(grep -c 'Status .*share=50 %.*constant=17' "$out/dump")" = 3 ] || fail "dump shows no signals"
"$takt" can decode "$out/dump" --dbc "$dbc" >"$out/again" 2>"$out/count" || fail "decode does not read what dump writes"
grep -q '3 frames, 3 of messages in the database' "$out/count" || fail "frames of the dump"
grep '^(' "$out/dump" | cmp -s - "$out/again" || fail "decode writes another log than dump"
"$takt" can dump --bus "$bus" --dbc "$dbc" --only 0C8 --count 2 --json >"$out/json" 2>/dev/null || fail "dump --json"
python3 -c "
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert len(rows) == 2 and all(r['message'] == 'Status' and r['signals']['share'] == 50 for r in rows), rows" "$out/json" || fail "JSON"

"$takt" can send --bus "$bus" --dbc "$dbc" Command torque=-20 enable=1 cooling=20 --period 20ms --count 10 2>"$out/send" || fail "send"
"$takt" can send --bus "$bus" 064#0014010000000000 2>>"$out/send" || fail "send frame"
"$takt" can send --bus "$bus" --dbc "$dbc" Command torqe=1 2>"$out/wrong" && fail "a wrong signal was sent"
grep -q 'did you mean "torque"' "$out/wrong" || fail "no hint"
"$takt" can send --bus "$bus" 064#0 2>/dev/null; [ $? = 2 ] || fail "a wrong frame is wrong use"
"$takt" can dump --bus socketcand:127.0.0.1:1/can0 2>/dev/null; [ $? = 1 ] || fail "no server is a failure"
wait $pid
grep -q ' -20 -39 0' "$out/server" || fail "the plant saw no torque of -20"
grep -q ' 10 21 0 ' "$out/server" || fail "the plant saw no torque of 10"

printf '(1.0) can0 064#FFD8010000000000\n(2.0) can0 064#0\n' >"$out/log"
"$takt" can decode "$out/log" --dbc "$dbc" >"$out/decoded" 2>"$out/count" || fail "decode"
grep -q 'Command  torque=-20 Nm  enable=1' "$out/decoded" || fail "decoded signals"
grep -q '1 frames, 1 of messages in the database, 1 lines not understood' "$out/count" || fail "count"
logs=${TAKT_SHARED_DATA:-}/can_logs/rocketcan
if [ -d "${TAKT_SHARED_DATA:-}/can_logs" ]; then  # every candump and ASC file is read; others are refused by name
  for log in "$TAKT_SHARED_DATA"/can_logs/*/*.log "$TAKT_SHARED_DATA"/can_logs/*/*.asc; do
    "$takt" can stats "$log" >"$out/stats" 2>"$out/count"
    case $log in  # no frame in it, and a classic one of 64 bytes
      *ErrorFrames.asc) grep -q ' 0 frames, 5 error frames and other events, 0 lines not' "$out/count" || fail "$log" ;;
      */single_frame.asc) grep -q ' 0 frames, .* 1 lines not understood' "$out/count" || fail "$log" ;;
      *) grep -q ' 0 lines not understood' "$out/count" || fail "$log" ;;
    esac
  done
  for log in "$TAKT_SHARED_DATA"/can_logs/*/*.blf "$TAKT_SHARED_DATA"/can_logs/*/*.trc; do
    "$takt" can decode "$log" --dbc "$dbc" >"$out/foreign" 2>&1 && fail "$log was decoded"
    grep -q 'is a Vector BLF file\|is a PEAK TRC file' "$out/foreign" || fail "no reason for $log"
  done
fi
if [ -f "$logs/demo-log.log" ]; then  # a recorded log of 7000 frames, all known to its database
  "$takt" can decode "$logs/demo-log.log" --dbc "$TAKT_SHARED_DATA/can_dbc/opendbc/chrysler_cusw.dbc" >"$out/demo" 2>"$out/count"
  grep -q '7000 frames, 7000 of messages in the database, 0 lines not understood' "$out/count" || fail "recorded log"
  [ "$(grep -c ' STEERING  STEER_ANGLE=' "$out/demo")" = 1000 ] || fail "signals of the recorded log"
fi
"$takt" can show "$dbc" | grep -q '^Multi  id 0x18FEF100 (29 bits)  8 bytes  from ECU' || fail "show"
echo ok
