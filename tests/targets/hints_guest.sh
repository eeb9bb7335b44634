#!/bin/bash
# hints_guest.sh PLANT CPU ROUNDS CASE...   runs inside a guest: for each case a setting is made, then PLANT is paced on CPU that many times,
# under a load that this setting is to help against. Leaves in $TAKT_OUT per run CASE.ROUND.json, with its audit of the machine and its
# wake-ups, and CASE.ROUND.interrupts: those of devices and of the timer on CPU meanwhile.
set -uo pipefail
plant=$1 cpu=$2 rounds=$3
shift 3
background=()
export TAKT_OUT

interrupts() { awk -v column=$((cpu + 2)) '/virtio/ { devices += $column } /LOC:/ { timer = $column } END { print devices + 0, timer + 0 }' /proc/interrupts; }
load() {  # COMMAND...: until the end of the case
  "$@" >/dev/null 2>&1 &
  background+=($!)
}
paced() {  # [PREFIX...]: rounds of the plant behind it
  local round before
  for ((round = 1; round <= rounds; round++)); do
    before=$(interrupts)
    "$@" "$plant" --pace real --late any --for "$seconds s" --cpu "$cpu" --no-tap --no-results --audit off --quiet --json >"$TAKT_OUT/$name.$round.json" 2>"$TAKT_OUT/$name.$round.err"
    echo "$before $(interrupts)" | awk '{ print $3 - $1, $4 - $2 }' >"$TAKT_OUT/$name.$round.interrupts"
  done
}
busy() { load nice -n 10 hackbench -g 1 -f 4 -s 100 -l 100000000; }  # the plant's start is not to take long
as_user() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"; }
# Files laid over those of the kernel, where a guest has none: FILE CONTENT, below the first CPU's folder.
laid_over() {
  mount -t tmpfs none /sys/devices/system/cpu/cpu0
  mkdir -p "$(dirname "/sys/devices/system/cpu/cpu0/$1")"
  echo "$2" >"/sys/devices/system/cpu/cpu0/$1"
}
lifted() { umount /sys/devices/system/cpu/cpu0; }

kernel() { seconds=8; load hackbench -g 1 -f 4 -s 100 -l 100000000; paced; }
kernel_off() { kernel; }
kernel_on() { kernel; }
clock_off() { paced; }
clock_on() { paced; }
isolated_off() { busy; paced; }
isolated_on() { busy; paced; }
machine_off() { paced; }
machine_on() { paced; }

fifo_off() { busy; ulimit -r 0; paced as_user; }
fifo_on() { busy; ulimit -r 98; paced as_user; }

# What is not locked is taken back all the time, as by a machine that runs out of memory.
reclaimed() {
  mountpoint -q /tmp/groups || { mkdir -p /tmp/groups && mount -t cgroup2 none /tmp/groups && echo +memory >/tmp/groups/cgroup.subtree_control && mkdir /tmp/groups/plant; }
  echo 3 >/proc/sys/vm/drop_caches  # what others have loaded of the plant would count as theirs
  load bash -c 'while sleep 0.02; do echo 1G >/tmp/groups/plant/memory.reclaim; done'
  ulimit -r 98
  # shellcheck disable=SC2016  # that shell expands it
  paced sh -c 'echo $$ >/tmp/groups/plant/cgroup.procs; exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"' sh
}
memory_off() { ulimit -l 64; reclaimed; }
memory_on() { ulimit -l unlimited; reclaimed; }

# For two to three seconds of a run another real-time thread keeps the CPU busy, with the lowest priority.
in_real_time() {  # whether the plant's thread is there
  local line fields stat
  for stat in /proc/[0-9]*/task/*/stat; do
    read -r line <"$stat" && read -r -a fields <<<"${line##*) }" && [ "${fields[37]}" = 80 ] && return 0
  done
  return 1
}
throttled() {
  echo "$1" >/proc/sys/kernel/sched_rt_runtime_us
  seconds=5
  # shellcheck disable=SC2016  # that shell expands it
  other() { until in_real_time; do sleep 0.3; done; sleep 1; exec chrt -f 1 bash -c 'while [ $SECONDS -lt 3 ]; do :; done'; }  # ends by itself: it starves the timers of others
  load other
  paced
}
throttling_off() { throttled 950000; }
throttling_on() { throttled -1; }

sleep_none() { ulimit -r 98; chmod 600 /dev/cpu_dma_latency; paced as_user; }
sleep_off() { laid_over cpuidle/state1/latency 100; ulimit -r 98; chmod 600 /dev/cpu_dma_latency; paced as_user; lifted; }
sleep_on() { laid_over cpuidle/state1/latency 100; ulimit -r 98; chmod 666 /dev/cpu_dma_latency; paced as_user; lifted; }
governor_off() { laid_over cpufreq/scaling_governor powersave; paced; lifted; }
governor_on() { laid_over cpufreq/scaling_governor performance; paced; lifted; }

# Every write to the share of the host is a request that a device answers by an interrupt.
requests() { load taskset -c 0 bash -c 'while :; do dd if=/dev/zero of="$TAKT_OUT/noise" bs=4k count=500 conv=notrunc; done'; }
interrupts_off() { requests; paced; }
interrupts_on() { requests; paced; }
interrupts_by_hand() {
  for list in /proc/irq/*/smp_affinity_list; do echo 0 >"$list"; done 2>/dev/null
  requests
  paced
}

timers_off() { echo 1 >/proc/sys/kernel/timer_migration; busy; paced; }
timers_on() { echo 0 >/proc/sys/kernel/timer_migration; busy; paced; }
siblings_off() { paced; }
siblings_on() { echo off >/sys/devices/system/cpu/smt/control; paced; }

# Not advised; to see whether it should be. Locked memory is neither swapped nor gathered into large pages.
large_pages_off() {
  echo 0 >/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs
  echo always >/sys/kernel/mm/transparent_hugepage/enabled
  busy
  paced
}
large_pages_on() { echo never >/sys/kernel/mm/transparent_hugepage/enabled; busy; paced; }
swap_off() {
  echo 64M >/sys/block/zram0/disksize && mkswap -q /dev/zram0 && swapon /dev/zram0
  memory_on
}
swap_on() { memory_on; }

for name; do
  (
    seconds=3
    trap 'kill "${background[@]}"; wait' EXIT
    "$name"
  ) 2>/dev/null
done
rm -f "$TAKT_OUT/noise"
exit 0
