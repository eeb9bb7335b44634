#include "tools/dds/own_cpus.hpp"

#include <sched.h>

#include <charconv>
#include <filesystem>

namespace takt::dds {

std::string keep_off(std::span<const int> cpus) {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {};
  for (const int cpu : cpus)
    if (cpu >= 0 && cpu < CPU_SETSIZE) CPU_CLR(static_cast<std::size_t>(cpu), &set);
  const bool has_others = CPU_COUNT(&set) > 0;
  const sched_param ordinary{.sched_priority = 0};
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    const std::string name = entry.path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    (void)::sched_setscheduler(thread, SCHED_OTHER, &ordinary);
    if (has_others) (void)::sched_setaffinity(thread, sizeof set, &set);
  }
  return has_others ? "" : "the plant computes on all CPUs that this bridge may use: it takes time from the plant";
}

}  // namespace takt::dds
