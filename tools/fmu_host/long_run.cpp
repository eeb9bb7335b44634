// Many steps of an FMU, and what they do to the process.

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

#include "tools/fmu_host/probe_runs.hpp"

namespace takt::fmu_host {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

std::size_t threads() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& task : fs::directory_iterator("/proc/self/task")) ++count;
  return count;
}

/// What is open: paths of files, "socket:[...]". Not the descriptor that lists them.
std::set<std::string> open_files() {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const fs::path target = fs::read_symlink(entry.path(), gone);
    if (!gone && target.string().find("/proc/") != 0) found.insert(target.string());
  }
  return found;
}

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t whole = 0, resident = 0;
  statm >> whole >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// What the process uses at some step.
struct Use {
  std::uint64_t step = 0, heap = 0, resident = 0;
};

struct Watched {
  std::set<std::string> before, seen;
  std::size_t threads_before = 0, threads_most = 0;
  std::vector<Use> uses;
  void look(std::uint64_t step) {
    threads_most = std::max(threads_most, threads());
    seen.merge(open_files());
    uses.push_back({step, heap_bytes(), resident_bytes()});
  }
};

double percentile(std::vector<float>& sorted, double part) {
  if (sorted.empty()) return 0.0;
  const auto index = static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5);
  return static_cast<double>(sorted[index]);
}

double median(std::span<const float> values) {
  std::vector<float> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return percentile(copy, 0.5);
}

nlohmann::json times_of(std::vector<float>& times) {
  const std::size_t tenth = std::max<std::size_t>(times.size() / 10, 1);
  const std::size_t warm = std::min(times.size() / 100, times.size() - tenth);
  const auto worst = std::max_element(times.begin(), times.end());
  nlohmann::json found{{"worst_step", worst - times.begin()},
                       {"early_median_us", median(std::span(times).subspan(warm, tenth))},
                       {"late_median_us", median(std::span(times).last(tenth))}};
  std::sort(times.begin(), times.end());
  found["p50_us"] = percentile(times, 0.5);
  found["p99_us"] = percentile(times, 0.99);
  found["p999_us"] = percentile(times, 0.999);
  found["max_us"] = static_cast<double>(times.back());
  return found;
}

/// Bytes per step from the second tenth on: what is allocated at the beginning once is no growth.
nlohmann::json memory_of(const std::vector<Use>& uses) {
  const Use& first = uses[uses.size() / 10 + (uses.size() > 2 ? 1 : 0)];
  const Use& last = uses.back();
  const double steps = std::max(1.0, static_cast<double>(last.step - first.step));
  const auto growth = [&](std::uint64_t from, std::uint64_t to) {
    return (static_cast<double>(to) - static_cast<double>(from)) / steps;
  };
  return {{"heap_bytes_per_step", growth(first.heap, last.heap)},
          {"resident_bytes_per_step", growth(first.resident, last.resident)},
          {"resident_bytes", last.resident}};
}

nlohmann::json without(const std::set<std::string>& seen, const std::set<std::string>& before) {
  nlohmann::json found = nlohmann::json::array();
  for (const std::string& one : seen)
    if (!before.contains(one)) found.push_back(one);
  return found;
}

}  // namespace

nlohmann::json long_run(const TrialPlan& plan, TrialProgress& progress) {
  Watched watched;
  watched.before = open_files();
  watched.threads_before = threads();
  std::vector<float> times(plan.steps, 0.0F);  // touched here, so that it faults no page later
  FmuSession session(plan, progress);
  session.begin();
  progress.begin("stepping");
  watched.uses.reserve(80);
  watched.look(0);
  struct rusage before {
  }, after{};
  getrusage(RUSAGE_THREAD, &before);
  const auto begin = Clock::now();
  std::uint64_t k = 0, looks = 1;
  for (; k < plan.steps && !session.ended; ++k) {
    const auto from = Clock::now();
    session.step(k);
    const auto to = Clock::now();
    times[k] = std::chrono::duration<float, std::micro>(to - from).count();
    session.look();
    if ((k + 1) * 60 / plan.steps >= looks) watched.look(k + 1), ++looks;
    if (std::chrono::duration<double>(to - begin).count() > plan.at_most_s) {
      ++k;
      break;
    }
  }
  getrusage(RUSAGE_THREAD, &after);
  watched.look(k);
  times.resize(std::max<std::uint64_t>(k, 1));
  nlohmann::json found{{"steps", k},
                       {"ended_by_fmu", session.ended},
                       {"times", times_of(times)},
                       {"memory", memory_of(watched.uses)},
                       {"page_faults", after.ru_minflt - before.ru_minflt},
                       {"major_faults", after.ru_majflt - before.ru_majflt},
                       {"waits", after.ru_nvcsw - before.ru_nvcsw},
                       {"threads_started", watched.threads_most - watched.threads_before},
                       {"files", without(watched.seen, watched.before)},
                       {"subnormal", session.subnormal},
                       {"not_finite", session.not_finite},
                       {"messages", session.instance().message().count()},
                       {"float_control_changes", session.instance().float_control_changes()}};
  return found;
}

}  // namespace takt::fmu_host
