#!/bin/bash
# guest_test.sh RUN   what targets/qemu/run promises: kernel, exit codes, exact output, modules, files that come back
# shellcheck disable=SC2016  # the guest expands what is quoted
set -uo pipefail
run=$1
failures=0

# expect NAME EXPECTED ACTUAL
expect() {
  if [ "$2" = "$3" ]; then echo "ok   $1"; else echo "FAIL $1: expected '$2', got '$3'"; failures=$((failures + 1)); fi
}

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT

output=$("$run" -k can-raw,vcan -s "ip link add vcan0 type vcan && ip link set vcan0 up" -o "$files" -- bash -c '
  cat /sys/kernel/realtime
  candump -n 1 -L vcan0 | cut -d" " -f3 & sleep 0.3; cansend vcan0 5A1#11.22; wait
  head -c 3000000 /dev/urandom >"$TAKT_OUT/noise"; sha256sum <"$TAKT_OUT/noise"; pwd; exit 42')
status=$?
[ $status = 77 ] && exit 77
expect "exit code of the command comes back" 42 $status
expect "kernel is PREEMPT_RT, CAN works, large files and the working directory are exact" \
  "1 5A1#1122 $(sha256sum <"$files/noise") $PWD" "$(tr '\n' ' ' <<<"$output" | sed 's/ $//')"

"$run" -- bash -c 'kill -SEGV $$' >/dev/null 2>&1
expect "segmentation fault gives 128+11" 139 $?
"$run" -t 8 -- sleep 100 >/dev/null 2>&1
expect "time limit gives 124" 124 $?
"$run" -- bash -c 'echo c >/proc/sysrq-trigger' >/dev/null 2>&1
expect "panic gives 125" 125 $?
"$run" -s false -- true >/dev/null 2>&1
expect "failed set-up gives 126" 126 $?

# 100 s of virtual time pass within the limit of 60 s, and a wait is exact to what the shell itself computes (100 ms once). The
# wait is the shell's own: while a program is loaded from the host, idle time is skipped too.
output=$("$run" -V 3 -- bash -c 'mkfifo /dev/shm/never && exec 3<>/dev/shm/never
  read -r a _ </proc/uptime; read -r -t 100 -u 3; read -r b _ </proc/uptime; echo "${a/./} ${b/./}"')
read -r before after <<<"$output"
expect "virtual time skips idle time and counts it" yes "$([ $((after - before)) -ge 10000 ] && [ $((after - before)) -le 10100 ] && echo yes || echo "$output")"
exit $((failures > 0))
