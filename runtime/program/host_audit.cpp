#include "runtime/program/host_audit.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "runtime/program/cpu_list.hpp"

namespace takt {
namespace {

constexpr const char* cpus = "/sys/devices/system/cpu/";

std::string read_line(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

bool has_capability(int bit) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("CapEff:")) return ((std::strtoull(line.c_str() + 7, nullptr, 16) >> bit) & 1u) != 0;
  }
  return false;
}

HostFinding kernel() {
  utsname name{};
  uname(&name);
  const bool realtime =
      read_line("/sys/kernel/realtime") == "1" || std::string(name.version).find("PREEMPT_RT") != std::string::npos;
  return {.item = "kernel",
          .value = std::string(name.release) + (realtime ? ", PREEMPT_RT" : ", not PREEMPT_RT"),
          .good = realtime,
          .required = true,
          .cost = "kernel sections that cannot be preempted delay the wake-up, now and then by milliseconds",
          .remedy = "boot a PREEMPT_RT kernel (Debian: linux-image-rt-amd64, linux-image-rt-arm64)"};
}

HostFinding fifo(int priority) {
  bool permitted = false;
  std::thread([&] {
    const sched_param parameter{.sched_priority = priority};
    permitted = sched_setscheduler(0, SCHED_FIFO, &parameter) == 0;
  }).join();
  return {.item = "SCHED_FIFO " + std::to_string(priority),
          .value = permitted ? "permitted" : "refused",
          .good = permitted,
          .required = true,
          .cost = "every other process can delay the plant by its time slice",
          .remedy = "run as root, or grant CAP_SYS_NICE or RLIMIT_RTPRIO"};
}

HostFinding memory_lock() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const bool permitted = has_capability(14) || limit.rlim_cur == RLIM_INFINITY;  // CAP_IPC_LOCK
  return {.item = "locked memory",
          .value = permitted ? "permitted" : "limited to " + std::to_string(limit.rlim_cur >> 10) + " KiB",
          .good = permitted,
          .required = true,
          .cost = "a page that is not there costs microseconds, one on disk milliseconds",
          .remedy = "run as root, or grant CAP_IPC_LOCK or RLIMIT_MEMLOCK"};
}

/// Where the kernel knows no sleep states there is nothing to hold off.
HostFinding dma_latency() {
  const int device = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  if (device >= 0) close(device);
  int deepest = 0;
  std::error_code error;
  for (const auto& state : std::filesystem::directory_iterator(std::string(cpus) + "cpu0/cpuidle", error)) {
    deepest = std::max(deepest, std::atoi(read_line(state.path() / "latency").c_str()));
  }
  return {.item = "CPU sleep states",
          .value = deepest == 0 ? "none that the kernel chooses from"
                                : std::string(device >= 0 ? "held awake by /dev/cpu_dma_latency"
                                                          : "/dev/cpu_dma_latency cannot be opened") +
                                      ", deepest state takes " + std::to_string(deepest) + " us to leave",
          .good = device >= 0 || deepest == 0,
          .required = false,
          .cost = "leaving a sleep state adds to every wake-up, 10 us and more",
          .remedy = "run as root, or grant write access to /dev/cpu_dma_latency"};
}

HostFinding isolation(int cpu) {
  const std::string isolated = read_line(std::string(cpus) + "isolated");
  const auto list = parse_cpu_list(isolated);
  const bool good = cpu < 0 ? !list.empty() : std::find(list.begin(), list.end(), cpu) != list.end();
  return {.item = "isolated CPUs",
          .value = isolated.empty() ? "none" : isolated,
          .good = good,
          .required = false,
          .cost = "other tasks and timers run on the plant's CPU between its windows",
          .remedy = "boot with isolcpus=domain,managed_irq,N rcu_nocbs=N and give the rig cpu = N"};
}

/// On a CPU of nohz_full the kernel arms the timer of a sleeping thread on another CPU, for every thread alike.
HostFinding timers(int cpu) {
  const auto list = parse_cpu_list(read_line(std::string(cpus) + "nohz_full"));
  const bool tickless = cpu < 0 ? !list.empty() : std::find(list.begin(), list.end(), cpu) != list.end();
  const bool elsewhere = tickless && read_line("/proc/sys/kernel/timer_migration") == "1";
  return {.item = "timers",
          .value = elsewhere ? "armed on other CPUs (nohz_full with kernel.timer_migration = 1)" : "on their own CPU",
          .good = !elsewhere,
          .required = false,
          .cost = "another CPU, with all that it does, wakes the plant",
          .remedy = "sysctl kernel.timer_migration=0, or boot without nohz_full"};
}

HostFinding governor(int cpu) {
  const std::string path = std::string(cpus) + "cpu" + std::to_string(std::max(cpu, 0)) + "/cpufreq/scaling_governor";
  const std::string name = read_line(path);
  return {.item = "frequency governor",
          .value = name.empty() ? "none (frequency not controlled by this kernel)" : name,
          .good = name.empty() || name == "performance",
          .required = false,
          .cost = "the clock rate follows the load: the same window takes up to several times as long",
          .remedy = "cpupower frequency-set -g performance"};
}

HostFinding throttling() {
  const std::string runtime = read_line("/proc/sys/kernel/sched_rt_runtime_us");
  const bool off = runtime == "-1";
  return {
      .item = "real-time throttling",
      .value = runtime.empty() ? "unknown"
               : off           ? "off"
                               : "on, " + runtime + " us each second",
      .good = off || runtime.empty(),
      .required = false,
      .cost =
          "where real-time threads keep a CPU busy for that long, all of them are stopped for the rest of the second, "
          "one that has slept too",
      .remedy = "sysctl kernel.sched_rt_runtime_us=-1, with care"};
}

HostFinding clock_source() {
  const std::string name = read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  const bool good =
      name == "tsc" || name == "kvm-clock" || name == "arch_sys_counter" || name == "hyperv_clocksource_tsc_page";
  return {.item = "clock source",
          .value = name.empty() ? "unknown" : name,
          .good = good,
          .required = false,
          .cost = "reading the clock becomes a system call and takes about a microsecond",
          .remedy =
              "boot with tsc=reliable where the counters of the CPUs do run alike (clocksource=tsc does not suffice "
              "once the "
              "kernel has found them not to)"};
}

HostFinding virtualisation() {
  std::error_code error;
  std::ifstream in("/proc/cpuinfo");
  bool hypervisor = false;
  for (std::string line; std::getline(in, line) && !hypervisor;) {
    hypervisor = line.starts_with("flags") && line.find(" hypervisor") != std::string::npos;
  }
  // Processors without such a flag: what the device tree tells.
  hypervisor = hypervisor || read_line("/proc/device-tree/compatible").starts_with("linux,dummy-virt") ||
               std::filesystem::exists("/proc/device-tree/hypervisor", error);
  return {.item = "virtual machine",
          .value = hypervisor ? "yes" : "no sign of one",
          .good = !hypervisor,
          .required = false,
          .cost = "the host takes the CPU away without notice; only its steal counter tells",
          .remedy = "run on the bare machine, or pin and isolate the virtual CPU on the host"};
}

/// Of those that a driver has asked for. One that has been sent elsewhere goes there with its next occurrence, so its
/// CPU of late does not count.
HostFinding interrupts(int cpu) {
  int here = 0, all = 0;
  std::error_code error;
  for (const auto& irq : std::filesystem::directory_iterator("/proc/irq", error)) {
    const auto list = parse_cpu_list(read_line(irq.path() / "effective_affinity_list"));
    const std::filesystem::path handlers = "/sys/kernel/irq" / irq.path().filename() / "actions";
    if (list.empty() || (std::filesystem::exists(handlers, error) && read_line(handlers).empty())) continue;
    const auto allowed = parse_cpu_list(read_line(irq.path() / "smp_affinity_list"));
    const auto has = [cpu](const std::vector<int>& of) { return std::find(of.begin(), of.end(), cpu) != of.end(); };
    ++all;
    here += has(list) && (allowed.empty() || has(allowed)) ? 1 : 0;
  }
  return {.item = "interrupts",
          .value = cpu < 0
                       ? std::to_string(all) + " placed, no CPU chosen for the plant"
                       : std::to_string(here) + " of " + std::to_string(all) + " served by CPU " + std::to_string(cpu),
          .good = cpu >= 0 && here == 0,
          .required = false,
          .cost = "device interrupts on the plant's CPU delay its windows by some 10 us each",
          .remedy = cpu < 0 ? "give the rig cpu = N, or this audit --cpu N"
                            : "boot with irqaffinity= the other CPUs, or write /proc/irq/*/smp_affinity_list"};
}

HostFinding siblings() {
  const bool active = read_line(std::string(cpus) + "smt/active") == "1";
  return {.item = "hyper-threading",
          .value = active ? "on" : "off",
          .good = !active,
          .required = false,
          .cost = "the sibling shares the core: a window takes up to twice as long while it works",
          .remedy = "echo off > /sys/devices/system/cpu/smt/control, or keep the sibling idle"};
}

}  // namespace

std::vector<HostFinding> audit_host(int cpu, int priority) {
  return {kernel(),     fifo(priority), memory_lock(),   dma_latency(), isolation(cpu),   governor(cpu),
          throttling(), clock_source(), interrupts(cpu), timers(cpu),   virtualisation(), siblings()};
}

std::vector<HostFinding> audit_host(std::span<const int> cpus, int priority) {
  std::vector<HostFinding> all;
  for (const int cpu : cpus)
    for (HostFinding& finding : audit_host(cpu, priority))
      if (std::none_of(all.begin(), all.end(), [&](const HostFinding& other) {
            return other.item == finding.item && other.value == finding.value;
          }))
        all.push_back(std::move(finding));
  return all;
}

std::vector<HostFinding> missing_prerequisites(const std::vector<HostFinding>& findings) {
  std::vector<HostFinding> missing;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(missing),
               [](const HostFinding& f) { return f.required && !f.good; });
  return missing;
}

}  // namespace takt
