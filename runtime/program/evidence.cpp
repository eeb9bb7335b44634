#include "runtime/program/evidence.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace takt {
namespace {

constexpr std::int64_t interval_ns = 50'000'000;
constexpr std::size_t kept = 2 * 3600 * 20;

std::string ms(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f ms", static_cast<double>(ns) * 1e-6);
  return text;
}

std::int64_t monotonic_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

std::int64_t read_steal_ns(int cpu) {
  std::ifstream in("/proc/stat");
  const std::string wanted = cpu < 0 ? "cpu" : "cpu" + std::to_string(cpu);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string name;
    fields >> name;
    if (name != wanted) continue;
    std::int64_t value = 0;
    for (int field = 0; field < 8; ++field) fields >> value;  // user nice system idle iowait irq softirq steal
    return value * (1'000'000'000 / sysconf(_SC_CLK_TCK));
  }
  return 0;
}

/// @return -1 where the thread is not there (yet, or any more)
std::int64_t read_run_delay_ns(int thread_id) {
  if (thread_id < 0) return -1;
  std::ifstream in("/proc/self/task/" + std::to_string(thread_id) + "/schedstat");
  std::int64_t on_cpu = 0, delay = 0;
  return in >> on_cpu >> delay ? delay : -1;
}

std::string what_happened(const OverrunIncident& incident) {
  switch (incident.cause) {
    case OverrunCause::woken_late:
      return "work began " + ms(incident.wake_ns) + " after the release";
    case OverrunCause::blocked:
      return "waited " + ms(incident.blocked_ns) + " for an exchange";
    case OverrunCause::computed_long:
      return "computed " + ms(incident.compute_ns) + ", usually " + ms(incident.usual_compute_ns);
    default:
      return ms(incident.rest_ns) + " between release and finish belong to no window";
  }
}

std::int64_t excess(const OverrunIncident& incident) {
  const std::int64_t compute = std::max<std::int64_t>(0, incident.compute_ns - incident.usual_compute_ns);
  return std::max({incident.wake_ns, incident.blocked_ns, compute, incident.rest_ns});
}

}  // namespace

void attribute(OverrunLog& log, std::span<const HostSample> samples) {
  for (OverrunIncident& incident : log.incidents) {
    incident.evidence = what_happened(incident);
    if (incident.cause == OverrunCause::blocked) continue;  // we saw what it waited for
    const std::int64_t finish = incident.release_ns + incident.period_ns + incident.late_ns;
    const auto after = std::lower_bound(samples.begin(), samples.end(), finish,
                                        [](const auto& s, std::int64_t t) { return s.time_ns < t; });
    const auto begin = std::lower_bound(samples.begin(), samples.end(), incident.release_ns,
                                        [](const auto& s, std::int64_t t) { return s.time_ns < t; });
    if (after == samples.end() || begin == samples.begin()) continue;
    const HostSample& from = *(begin - 1);
    const std::int64_t steal = after->steal_ns - from.steal_ns, delay = after->run_delay_ns - from.run_delay_ns;
    const std::int64_t missing = excess(incident);
    if (delay * 2 >= missing) {
      incident.evidence += "; the thread was kept waiting for its CPU for " + ms(delay) + " (schedstat)";
    } else if (steal * 2 >= missing && missing >= 1'000'000) {
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
    if (turns % (interval_ns / 10'000'000) == 0) sample();
  }
}

void HostSampler::sample() {
  const std::int64_t delay = read_run_delay_ns(thread_id_.load(std::memory_order_relaxed));
  run_delay_ns_ = std::max(run_delay_ns_, delay);  // the thread may be gone: its last value stands
  ring_[taken_ % kept] = {monotonic_ns(), read_steal_ns(cpu_), run_delay_ns_};
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
