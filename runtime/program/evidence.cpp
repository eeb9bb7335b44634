#include "runtime/program/evidence.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include "runtime/plant/wall_clock.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr int turns_per_sample = 5;  // of 10 ms
constexpr std::size_t kept = std::size_t{2} * 3600 * 20;

std::string ms(WallDuration d) { return formatted("%.3f ms", static_cast<double>(d.ns()) * 1e-6); }

WallDuration read_steal(int cpu) {
  std::ifstream in("/proc/stat");
  const std::string wanted = cpu < 0 ? "cpu" : "cpu" + std::to_string(cpu);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    fields >> name;
    if (name != wanted) continue;
    std::int64_t value = 0;
    for (int field = 0; field < 8; ++field) fields >> value;  // user nice system idle iowait irq softirq steal
    return WallDuration{value * (1'000'000'000 / sysconf(_SC_CLK_TCK))};
  }
  return {};
}

/// Below zero where the thread is not there (yet, or any more).
WallDuration read_run_delay(int thread_id) {
  if (thread_id < 0) return WallDuration{-1};
  std::ifstream in("/proc/self/task/" + std::to_string(thread_id) + "/schedstat");
  std::int64_t on_cpu = 0, delay = 0;
  return WallDuration{in >> on_cpu >> delay ? delay : -1};
}

std::string what_happened(const OverrunIncident& incident) {
  switch (incident.cause) {
    case OverrunCause::woken_late:
      return "work began " + ms(incident.wake) + " after the release";
    case OverrunCause::blocked:
      return "waited " + ms(incident.blocked) + " for an exchange";
    case OverrunCause::computed_long:
      return "computed " + ms(incident.compute) + ", usually " + ms(incident.usual_compute);
    default:
      return ms(incident.rest) + " between release and finish belong to no window";
  }
}

WallDuration excess(const OverrunIncident& incident) {
  const WallDuration compute = std::max(WallDuration{}, incident.compute - incident.usual_compute);
  return std::max({incident.wake, incident.blocked, compute, incident.rest});
}

}  // namespace

void attribute(OverrunLog& log, std::span<const HostSample> samples) {
  for (OverrunIncident& incident : log.incidents) {
    incident.evidence = what_happened(incident);
    if (incident.cause == OverrunCause::blocked) continue;  // we saw what it waited for
    const WallTime finish = incident.release + incident.period + incident.late;
    const auto after =
        std::lower_bound(samples.begin(), samples.end(), finish, [](const auto& s, WallTime t) { return s.time < t; });
    const auto begin = std::lower_bound(samples.begin(), samples.end(), incident.release,
                                        [](const auto& s, WallTime t) { return s.time < t; });
    if (after == samples.end() || begin == samples.begin()) continue;
    const HostSample& from = *(begin - 1);
    const WallDuration steal = after->steal - from.steal, delay = after->run_delay - from.run_delay;
    const WallDuration missing = excess(incident);
    if (delay * 2 >= missing) {
      incident.evidence += "; the thread was kept waiting for its CPU for " + ms(delay) + " (schedstat)";
    } else if (steal * 2 >= missing && missing >= WallDuration{1'000'000}) {
      incident.evidence += "; " + ms(steal) + " stolen from the CPU around it (/proc/stat)";
    } else {
      continue;
    }
    if (!incident.in_grace) {
      --log.by_cause[static_cast<std::size_t>(incident.cause)];
      ++log.by_cause[static_cast<std::size_t>(OverrunCause::stolen_by_host)];
    }
    incident.cause = OverrunCause::stolen_by_host;
  }
}

HostSampler::HostSampler(int cpu) : cpu_(cpu), ring_(kept) {
  sample();
  thread_ = std::thread([this] { work(); });
}

void HostSampler::work() {
  for (int turns = 0; !stop_.load(std::memory_order_acquire); ++turns) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (turns % turns_per_sample == 0) sample();
  }
}

void HostSampler::sample() {
  const WallDuration delay = read_run_delay(thread_id_.load(std::memory_order_relaxed));
  run_delay_ = std::max(run_delay_, delay);  // the thread may be gone: its last value stands
  ring_[taken_ % kept] = {wall_now(), read_steal(cpu_), run_delay_};
  ++taken_;
}

void HostSampler::stop() {
  if (!thread_.joinable()) return;
  stop_.store(true, std::memory_order_release);
  thread_.join();
  sample();
}

std::vector<HostSample> HostSampler::samples() const {
  std::vector<HostSample> result;
  const std::size_t count = std::min(taken_, kept);
  result.reserve(count);
  for (std::size_t i = taken_ - count; i < taken_; ++i) result.push_back(ring_[i % kept]);
  return result;
}

}  // namespace takt
