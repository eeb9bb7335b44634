#!/bin/sh
# The real-time thread of a paced run makes no system call between start and stop but clock_nanosleep.
# TAKT_RUN_DIRECTORY: where the run writes; else in a folder that is removed. TAKT_WINDOWS: how many.
# usage: syscalls_test.sh EXECUTABLE [MACRO_STEP_MS [ARGUMENTS...]]     exit code 77: strace is missing or may not trace
command -v strace >/dev/null || exit 77
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
strace -o "$work/probe" true 2>/dev/null || exit 77
plant=$1
step=${2:-1}
[ $# -gt 2 ] && shift 2 || set --
windows=${TAKT_WINDOWS:-$(awk "BEGIN { print int(($step > 1 ? 2000 : 500)/$step) }")}  # 0.5 s, or 2 s of longer windows
strace -f -o "$work/trace" "$plant" --pace real --late any --for "$(awk "BEGIN { print $windows*$step }") ms" --quiet --out "${TAKT_RUN_DIRECTORY:-$work/run}" \
  --inject late:20:3000 --audit off --tolerate X008 "$@" >/dev/null || exit 1
# The loop lies between the third and the fourth getrusage(RUSAGE_THREAD) of the thread that asks for it.
awk -v windows="$windows" '
  /getrusage\(RUSAGE_THREAD/ { count[$1]++; next }
  count[$1] == 3 && !/resumed>/ { name = $2; sub(/\(.*/, "", name); seen[name]++ }
  END {
    for (name in seen) {
      print name, seen[name]
      if (name != "clock_nanosleep") { bad = 1 }
    }
    # At most 10 windows in a row are computed without a sleep.
    if (seen["clock_nanosleep"] < windows/11) { print "too few sleeps"; bad = 1 }
    exit bad
  }' "$work/trace"
