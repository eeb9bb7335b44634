#!/bin/sh
# measure.sh: what this board can hold of one plant. Part of a pack of `takt fit`; run it in the pack's folder on the board. It writes the folder
# results beside itself, which `takt fit --read` reads, and nothing else. Needs a POSIX shell and awk. As root, or with CAP_SYS_NICE and
# CAP_IPC_LOCK: else the plant runs without real-time priority, which the results tell.
set -u
cd "$(dirname "$0")" || exit 1
. ./pack.sh # of the pack: ID MACHINE FLAGS SECONDS_PLAN SECONDS_OTHER SECONDS_TRIAL LATE CPUS RIG_HAS_CPUS SKIP MOST_COPIES STEPS TIMES

pids=
stop() {
  trap '' HUP INT TERM
  for pid in $pids; do kill "$pid" 2>/dev/null; done
  wait
  exit 74
}
trap stop HUP INT TERM

say() { echo "takt fit: $*" >&2; }
fail() { code=$1; shift; say "$*"; exit "$code"; }
skipped() { case ",$SKIP," in *",$1,"*) return 0 ;; esac; return 1; }

[ "$(uname -m)" = "$MACHINE" ] || fail 75 "this pack is for $MACHINE, and this board is $(uname -m)"
for flag in $FLAGS; do
  grep -qw "$flag" /proc/cpuinfo || fail 75 "this pack is for processors with $flag, which this one lacks"
done
said=$(./bin/plan --help 2>&1 >/dev/null) || fail 73 "programs cannot be started in $(pwd): $said (mounted noexec? set TMPDIR on the board)"
rm -rf results
mkdir results || fail 71 "cannot write to $(pwd)"

# The CPUs, those meant for real time first: as told, else isolated ones, else from the last down.
online() { awk -v list="$1" 'BEGIN { n = split(list, part, ","); for (i = 1; i <= n; i++) { m = split(part[i], range, "-")
  for (cpu = range[1]; cpu <= range[m]; cpu++) print cpu } }'; }
isolated=$(cat /sys/devices/system/cpu/isolated 2>/dev/null)
all=$(cat /sys/devices/system/cpu/online 2>/dev/null || echo 0)
[ -n "$CPUS" ] || CPUS=$({ [ -z "$isolated" ] || online "$isolated"; online "$all" | sort -rn; } | awk '!seen[$0]++')
CPUS=$(echo $CPUS | tr ',' ' ')
first=${CPUS%% *}
plan_cpus="--cpu $first"
[ "$RIG_HAS_CPUS" = no ] || plan_cpus=
cpus_of() { echo $CPUS | cut -d ' ' -f "1-$1" | tr ' ' ','; } # the first so many
count_cpus=$(echo $CPUS | wc -w)

{
  echo "id=$ID"
  echo "cpus=$(echo $CPUS | tr ' ' ',')"
  echo "memory_kb=$(awk '/^MemTotal/ { print $2 }' /proc/meminfo)"
  echo "rt_runtime_us=$(cat /proc/sys/kernel/sched_rt_runtime_us 2>/dev/null || echo -1)"
  echo "rt_period_us=$(cat /proc/sys/kernel/sched_rt_period_us 2>/dev/null || echo 1000000)"
} >results/board.txt || fail 71 "cannot write to $(pwd)/results"

# run NAME PROGRAM OPTION...: its summary is results/NAME.json; where it fails, results/NAME.err says why.
run() {
  name=$1 program=$2
  shift 2
  "./bin/$program" "$@" --no-results --audit off --quiet --json >"results/$name.json" 2>"results/$name.err" </dev/null &
  pid=$!
  pids="$pids $pid"
}
# All that run; the list is then empty. Whether none failed.
finished() {
  worst=0
  for pid in $pids; do wait "$pid" || worst=1; done
  pids=
  return $worst
}
# A plant that computes for longer than it simulates runs for as much less, so that it does not take hours.
slow=1
paced() {
  name=$1 program=$2 seconds=$(awk -v s="$3" -v slow="$slow" 'BEGIN { printf "%.9f", s / slow }')
  shift 3
  run "$name" "$program" --pace real --late any --policy count --for "$seconds s" "$@"
}

# value NAME WHAT: of a summary: late windows and all of them.
value() {
  awk -v what="$2" '/^  "overruns": \{/ { part = "overruns" } /^  "rates": \[/ { part = "rates" } /^  []}]/ { part = "" }
    part == "overruns" && what == "late" && /^    "count":/ { sum += $2 }
    part == "rates" && what == "all" && /"releases":/ { sum += $2 }
    END { print sum + 0 }' "results/$1.json"
}
# held NAME...: whether those runs, together, were late no more often than is allowed. None may have failed.
held() {
  finished || return 1
  late=0 windows=0
  for name; do
    late=$((late + $(value "$name" late))) windows=$((windows + $(value "$name" all)))
  done
  [ "$windows" -gt 0 ] && awk -v late=$late -v all=$windows -v part="$LATE" 'BEGIN { exit !(late <= part * all) }'
}

say "$(uname -n): CPUs $(echo $CPUS), the plant first on $first"

# 1. How late a thread is woken here, whatever it computes.
if command -v cyclictest >/dev/null 2>&1; then
  say "wake-up latency, $SECONDS_OTHER s"
  cyclictest -q -m -t 1 -a "$first" -p 80 -i 1000 -D "$(awk -v s="$SECONDS_OTHER" 'BEGIN { print int(s + 0.999) }')" >results/cyclictest.txt 2>&1 </dev/null &
  pids=$!
  finished || rm -f results/cyclictest.txt
fi

# 2. The plant at its plan: as fast as possible, then in real time.
say "the plant as fast as possible"
begun=$(date +%s)
run trial plain --pace free --for "$SECONDS_TRIAL s" --cpu "$first"
finished || fail 76 "the plant does not run here: $(tail -n 1 results/trial.err)"
start_up=$(($(date +%s) - begun)) # looking for a steady start can take long
long=$(awk -v trial="$SECONDS_TRIAL" -v aim="$SECONDS_OTHER" '/^  "wall_s":/ { wall = $2 + 0; run = (aim < 2 ? aim : 2) / (wall > 1e-6 ? wall : 1e-6)
  print trial * (run > 20000 ? 20000 : run < 1 ? 1 : run); exit }' results/trial.json)
run free plain --pace free --for "$long s" --cpu "$first"
finished || fail 76 "the plant does not run here: $(tail -n 1 results/free.err)"
slow=$(awk '/^  "rtf":/ { here = 1 } here && /"mean":/ { mean = $2 + 0; print (mean > 1 ? mean : 1); exit }' results/free.json)
say "the plant in real time, $SECONDS_PLAN s"
paced paced plan "$SECONDS_PLAN" --sheet $plan_cpus
finished || fail 76 "the plant does not run in real time here: $(tail -n 1 results/paced.err)"
if [ -e bin/plan ] && ! cmp -s bin/plan bin/plain; then
  paced plain plain "$SECONDS_OTHER" --sheet --cpu "$first"
  finished
fi

# 3. On several cores.
if ! skipped cores; then
  for cores in 2 3 4 6 8 12 16 24 32; do
    [ $cores -le "$count_cpus" ] || break
    say "on $cores cores"
    run free_on_$cores plain --pace free --for "$long s" --cores "$(cpus_of $cores)"
    finished
    paced paced_on_$cores plain "$SECONDS_OTHER" --sheet --cores "$(cpus_of $cores)"
    finished
  done
fi

# 4. By finer plans, until one does not hold.
if ! skipped finer; then
  for variants in "$STEPS" "$TIMES"; do
    for variant in $variants; do
      say "with $variant"
      run "free_$variant" "$variant" --pace free --for "$SECONDS_TRIAL s" --cpu "$first"
      finished
      paced "$variant" "$variant" "$SECONDS_OTHER" --sheet --cpu "$first"
      held "$variant" || break
    done
  done
fi

# 5. As many copies as one core holds: each a process of its own. Doubled until they do not hold, then halved between.
# Nanoseconds that real-time threads of all that run have computed, with what the kernel takes to wake them.
computed() {
  sum=0
  for pid in $pids; do
    for task in /proc/"$pid"/task/*; do
      { read -r line <"$task/stat"; } 2>/dev/null || continue
      # shellcheck disable=SC2086 # fields are wanted; the 38th after the name is the real-time priority
      set -- ${line##*) }
      [ "${38}" -gt 0 ] && { read -r ns line <"$task/schedstat"; } 2>/dev/null && sum=$((sum + ns))
    done
  done
  echo $sum
}
uptime_s() { cut -d ' ' -f 1 /proc/uptime; }
copies() { # COUNT SERIES CPU...: so many on each of these CPUs
  count=$1 series=$2 names=
  shift 2
  say "$count copies on each of CPUs $*"
  together=$(awk -v s="$SECONDS_OTHER" -v start="$start_up" -v count="$count" 'BEGIN { print s + start * count + 1.5 }') # that long after the last began
  for cpu; do
    i=0
    while [ $i -lt "$count" ]; do
      i=$((i + 1))
      paced "${series}_${count}_${cpu}_$i" plain "$together" --cpu "$cpu" --no-tap
      names="$names ${series}_${count}_${cpu}_$i"
    done
  done
  # What they take of each CPU: between the time at which all run, and a moment before the first ends.
  sleep "$((start_up * count + 1))"
  from="$(uptime_s) $(computed)"
  sleep "$(awk -v s="$together" -v slow="$slow" -v gone="$((start_up * count + 1))" 'BEGIN { left = int(s / slow - gone - 0.5); print (left > 0 ? left : 0) }')"
  echo "$from $(uptime_s) $(computed) $#" | awk '$3 > $1 && $4 > $2 { print ($4 - $2) * 1e-9 / ($3 - $1) / $5 }' >"results/${series}_$count.used"
  held $names
}
if ! skipped copies; then
  good=0 bad=1
  while [ $bad -le "$MOST_COPIES" ] && copies $bad doubled "$first"; do good=$bad bad=$((bad * 2)); done
  if [ $bad -le "$MOST_COPIES" ]; then
    while [ $((bad - good)) -gt 1 ]; do
      middle=$(((good + bad) / 2))
      if copies $middle between "$first"; then good=$middle; else bad=$middle; fi
    done
  fi
  if [ "$count_cpus" -gt 1 ]; then # all cores at once
    tries=0
    while [ $good -gt 0 ] && [ $tries -lt 4 ] && ! copies $good all $CPUS; do good=$((good - 1)) tries=$((tries + 1)); done
  fi
fi

for file in results/*.err; do [ -s "$file" ] || rm -f "$file"; done
echo "done" >>results/board.txt || fail 71 "cannot write to $(pwd)/results"
say "done: copy the folder results back beside the pack's other files, then \`takt fit --read\` it"
