#include "runtime/program/evidence.hpp"

#include <algorithm>
#include <chrono>

#include "runtime/plant/wall_clock.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr int turns_per_sample = 5;  // of 10 ms
constexpr std::size_t kept = std::size_t{2} * 3600 * 20;
constexpr std::size_t most_takers = 100;
constexpr WallDuration resolution{10'000'000};    // of what the kernel counts by CPU
constexpr WallDuration handled_late{50'000'000};  // a signal, by a thread that has to be scheduled for it

std::string ms(WallDuration d) { return formatted("%.3f ms", static_cast<double>(d.ns()) * 1e-6); }

std::string what_happened(const OverrunIncident& incident) {
  switch (incident.cause) {
    case OverrunCause::woken_late:
      return "work began " + ms(incident.wake) + " after the release";
    case OverrunCause::blocked:
      return "waited " + ms(incident.blocked) + " for " +
             (incident.waited_for == 0xffff ? "an exchange" : "worker " + std::to_string(incident.waited_for));
    case OverrunCause::computed_long:
      return "computed " + ms(incident.compute) + ", usually " + ms(incident.usual_compute) +
             (incident.is_overload() ? ", in a period of " + ms(incident.period) : "");
    default:
      return ms(incident.rest) + " between release and finish belong to no window";
  }
}

WallDuration excess(const OverrunIncident& incident) {
  const WallDuration compute = std::max(WallDuration{}, incident.compute - incident.usual_compute);
  return std::max({incident.wake, incident.blocked, compute, incident.rest});
}

/// Between two samples: every wake-up waits a little.
WallDuration usual_delay(const std::vector<HostSample>& samples) {
  std::vector<WallDuration> growth;
  for (std::size_t i = 1; i < samples.size(); ++i) growth.push_back(samples[i].run_delay - samples[i - 1].run_delay);
  const auto middle = growth.begin() + static_cast<std::ptrdiff_t>(growth.size() / 2);
  std::nth_element(growth.begin(), middle, growth.end());
  return growth.empty() ? WallDuration{} : *middle;
}

struct Finding {
  OverrunCause cause = OverrunCause::unexplained;
  std::string text;  ///< empty: there is none
};

/// How long its CPU must have been idle while the thread waited for it: both together are longer than there was time.
/// Who samples may be kept from its CPU, too.
WallDuration idle_meanwhile(const HostSample& from, const HostSample& to, WallDuration delay) {
  const WallDuration length = to.time - from.time;
  return to.idle - from.idle + std::min(delay, length) - length - resolution * 2;
}

/// What the counters say of the stretch from the last sample before the release to the first after the finish.
Finding found_in(const OverrunIncident& incident, const HostEvidence& evidence) {
  const WallTime finish = incident.release + incident.period + incident.late;
  const WallDuration missing = excess(incident);
  for (const WallTime at : evidence.continued)
    if (at >= incident.release && at <= finish + handled_late)
      return {OverrunCause::stopped, "; the process was stopped, and continued by SIGCONT"};
  const auto& samples = evidence.samples;
  const auto earlier = [](const HostSample& s, WallTime t) { return s.time < t; };
  const auto after = std::lower_bound(samples.begin(), samples.end(), finish, earlier);
  const auto begin = std::lower_bound(samples.begin(), samples.end(), incident.release, earlier);
  if (after == samples.end() || begin == samples.begin()) return {};
  const HostSample& from = *(begin - 1);
  const WallDuration usual = usual_delay(samples) * (after - begin + 1);
  const WallDuration steal = after->steal - from.steal, delay = after->run_delay - from.run_delay - usual,
                     idle = std::max(after->kept_from_idle - from.kept_from_idle, idle_meanwhile(from, *after, delay));
  if (delay * 2 >= missing) {
    const std::string waited = "; the thread was kept waiting for its CPU for " + ms(delay) + " (schedstat)";
    if (idle * 2 >= missing)
      return {OverrunCause::throttled,
              waited + ", which was idle: sched_rt_runtime_us, or the cpu.max of its control group"};
    const auto taker = std::find_if(begin, after + 1, [](const HostSample& s) { return s.taker >= 0; });
    return {OverrunCause::preempted,
            waited + (taker <= after ? ", which " + evidence.takers[static_cast<std::size_t>(taker->taker)] + " had"
                                     : ", who had it was not seen")};
  }
  if (steal * 2 >= missing && missing >= WallDuration{1'000'000})
    return {OverrunCause::stolen_by_host, "; " + ms(steal) + " stolen from the CPU around it (/proc/stat)"};
  return {};
}

}  // namespace

void attribute(OverrunLog& log, std::span<const HostEvidence> of_workers) {
  for (OverrunIncident& incident : log.incidents) {
    incident.evidence = what_happened(incident);
    const bool blocked = incident.cause == OverrunCause::blocked;
    const std::size_t culprit = blocked ? incident.waited_for : incident.worker;
    if (culprit >= of_workers.size()) continue;  // what it waited for is no worker
    const Finding found = found_in(incident, of_workers[culprit]);
    if (found.text.empty()) continue;
    incident.evidence += found.text;
    if (!incident.in_grace) {
      --log.by_cause[static_cast<std::size_t>(incident.cause)];
      ++log.by_cause[static_cast<std::size_t>(found.cause)];
    }
    incident.cause = found.cause;
  }
}

HostSampler::HostSampler(int cpu) : cpu_(cpu), ring_(kept) {
  sample();
  worker_ = std::thread([this] { work(); });
}

void HostSampler::work() {
  for (int turns = 0; !stop_.load(std::memory_order_acquire); ++turns) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    look();
    if (turns % turns_per_sample == 0) sample();
  }
}

/// Runnable twice without having computed in between: somebody else has its CPU, or nobody.
void HostSampler::look() {
  const int thread_id = thread_id_.load(std::memory_order_relaxed);
  const std::optional<ThreadState> now = thread_state(thread_id);
  if (!now) return;  // it may be gone: what was seen last stands
  const bool stands = now->runnable && thread_.runnable && now->on_cpu == thread_.on_cpu;
  if (stands) {
    const WallDuration idle = cpu_times(now->cpu).idle;
    if (waiting_ && now->cpu == thread_.cpu) kept_from_idle_ += std::max(WallDuration{}, idle - idle_before_);
    idle_before_ = idle;
    if (!looked_for_taker_) note_taker(now->cpu);
  }
  waiting_ = stands;
  thread_ = *now;
}

void HostSampler::note_taker(int cpu) {
  looked_for_taker_ = true;
  const std::string name = taker_of(cpu, thread_id_.load(std::memory_order_relaxed));
  if (name.empty() || takers_.size() >= most_takers) return;
  const auto known = std::find(takers_.begin(), takers_.end(), name);
  taker_ = static_cast<int>(known - takers_.begin());
  if (known == takers_.end()) takers_.push_back(name);
}

void HostSampler::sample() {
  const int cpu = cpu_ >= 0 ? cpu_ : thread_.cpu;
  const WallDuration idle = cpu_times(cpu).idle;
  if (cpu == sampled_cpu_) idle_ += idle - sampled_idle_;
  sampled_cpu_ = cpu, sampled_idle_ = idle;
  ring_[taken_ % kept] = {.time = wall_now(),
                          .steal = cpu_times(cpu_).steal,
                          .run_delay = thread_.run_delay,
                          .kept_from_idle = kept_from_idle_,
                          .idle = idle_,
                          .taker = taker_};
  taker_ = -1, looked_for_taker_ = false;
  ++taken_;
}

void HostSampler::leave(int thread_id) {
  if (const std::optional<ThreadState> last = thread_state(thread_id))
    last_run_delay_.store(last->run_delay, std::memory_order_relaxed);
}

void HostSampler::stop() {
  if (!worker_.joinable()) return;
  stop_.store(true, std::memory_order_release);
  worker_.join();
  look();
  thread_.run_delay = std::max(thread_.run_delay, last_run_delay_.load(std::memory_order_relaxed));
  sample();
}

HostEvidence HostSampler::evidence() const {
  HostEvidence result;
  const std::size_t count = std::min(taken_, kept);
  result.samples.reserve(count);
  for (std::size_t i = taken_ - count; i < taken_; ++i) result.samples.push_back(ring_[i % kept]);
  result.takers = takers_;
  return result;
}

}  // namespace takt
