#include "runtime/program/schedule_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "runtime/executive/executive.hpp"
#include "runtime/executive/realtime_thread.hpp"
#include "runtime/foreign/port.hpp"
#include "runtime/io/record/recorder.hpp"
#include "runtime/program/busiest_windows.hpp"
#include "runtime/program/plant_threads.hpp"
#include "runtime/program/response_time.hpp"
#include "runtime/program/scope_cost.hpp"
#include "runtime/program/thread_stack.hpp"

namespace takt {
namespace {

struct alignas(64) Line {
  std::byte bytes[64];
};

/// Loses 10 ms in so many seconds, but never more than a fiftieth, so that releases meet the tick of the kernel,
/// whatever its phase and frequency: that of a run may always miss it, or never.
class SlowClock final : public Clock {
 public:
  explicit SlowClock(double seconds) : share_(std::min(0.02, 0.01 / seconds)) { ns_per_tick_ = clock_.ns_per_tick(); }
  WallTime now() noexcept override {
    const WallTime real = clock_.now();
    return real - scaled(real - origin_, share_);
  }
  void sleep_until(WallTime time) noexcept override { clock_.sleep_until(real(time)); }
  void spin_until(WallTime time) noexcept override { clock_.spin_until(real(time)); }
  void yield() noexcept override { clock_.yield(); }
  std::uint64_t ticks() noexcept override { return clock_.ticks(); }
  std::uint64_t ticks_in_passing() noexcept override { return clock_.ticks_in_passing(); }

 private:
  static WallDuration scaled(WallDuration time, double by) noexcept {
    return WallDuration{static_cast<std::int64_t>(static_cast<double>(time.ns()) * by)};
  }
  [[nodiscard]] WallTime real(WallTime time) const noexcept {
    return time + scaled(time - origin_, share_ / (1.0 - share_));
  }

  SystemClock clock_;
  double share_;
  WallTime origin_ = clock_.now();
};

std::uint64_t steps_of_rehearsal(const PlantDescription& plant, std::uint64_t of_run) {
  const double step_s = static_cast<double>(plant.macro_step_ns) * 1e-9;
  const double seconds = std::clamp(100.0 * step_s, 1.0, 4.0);
  const auto steps = static_cast<std::uint64_t>(std::max(2.0, seconds / step_s));
  return of_run > 0 ? std::min(of_run, steps) : steps;
}

struct Rehearsed {
  RunResults results{};
  std::vector<BusiestWindow> busiest{};  ///< that it did not come to
};

Rehearsed rehearse(PlantDescription plant, const CoreUse& cores, const InputScript& script,
                   const RehearsalSettings& settings) {
  std::vector<Line> memory((plant.memory_size + sizeof(Line) - 1) / sizeof(Line));
  std::memcpy(memory.data(), plant.memory, plant.memory_size);
  plant.memory = reinterpret_cast<std::byte*>(memory.data());
  const std::uint64_t steps = steps_of_rehearsal(plant, settings.macro_steps);
  SlowClock clock(static_cast<double>(plant.macro_step_ns) * 1e-9 * static_cast<double>(steps));
  RigSettings rig = settings.rig;  // late as it may be, it goes on
  rig.policy = OverrunPolicy::count, rig.group_policies = {}, rig.stop_after_consecutive = 0, rig.stop_above_ns = 0;
  Recorder recorder(plant, {});
  const foreign::Rehearsal rehearsal;
  Executive executive(plant,
                      {.paced = true,
                       .macro_steps = steps,
                       .rig = rig,
                       .placement = cores.placement,
                       .cpus = cores.cpus,
                       .bundled = settings.bundled},
                      {.clock = clock, .io = settings.io, .recorder = &recorder, .script = script});
  (void)executive.prepare();
  Rehearsed rehearsed;
  RunResults& results = rehearsed.results;
  PlantThreads threads(executive, cores,
                       {.paced = true, .priority = settings.rig.priority, .stack_size = thread_stack(plant)});
  if (settings.io != nullptr) settings.io->start();
  recorder.start();
  threads.run(results);
  (void)recorder.finish(steps);
  if (settings.io != nullptr) settings.io->stop();
  executive.report(results);
  const auto end_ns = static_cast<std::int64_t>(steps) * plant.macro_step_ns;
  const auto run_ns = static_cast<std::int64_t>(settings.macro_steps) * plant.macro_step_ns;
  rehearsed.busiest = busiest_windows(plant, end_ns, std::max(run_ns, plant.default_duration_ns));
  SystemClock steady;
  measure_cuts(plant, rehearsed.busiest, steady);
  return rehearsed;
}

/// Windows of one macro-step in the order of the plan, as they would be computed. Times in us.
class Play {
 public:
  Play(const PlantDescription& plant, const CoreUse& cores, const RunResults& rehearsed,
       std::span<const BusiestWindow> busiest)
      : plant_(plant), schedule_(plant), work_(plant, schedule_, placement_of(plant, cores)) {
    std::map<std::pair<std::size_t, std::int64_t>, double> sums;  // of what windows of a rate take on average
    for (std::size_t s = 0; s < plant.subsystems.size(); ++s) {
      means_.push_back(rehearsed.subsystems[s].rtf.mean * static_cast<double>(plant.subsystems[s].period_ns) * 1e-3);
      sums[{work_.worker_of(static_cast<std::uint16_t>(s)), plant.subsystems[s].period_ns}] += means_[s];
    }
    for (std::size_t s = 0; s < means_.size(); ++s) {
      const std::size_t worker = work_.worker_of(static_cast<std::uint16_t>(s));
      const double sum = sums[{worker, plant.subsystems[s].period_ns}];
      for (const RateResult& rate : rehearsed.rates)
        if (rate.worker == worker && is_of(rate, s) && sum > 0.0)
          costs_.push_back(means_[s] / sum * one_in_a_million(rate.compute_us, rate.releases));
      if (costs_.size() == s) costs_.push_back(means_[s]);
    }
    for (const BusiestWindow& window : busiest) costs_[window.subsystem] += window.more_us;
  }

  void run() {
    const auto parts = work_.parts();
    std::vector<std::size_t> next(parts.size(), 0);
    std::vector<double> free_at(parts.size(), 0.0);
    std::vector<std::vector<double>> ends(parts.size());
    const auto first = [&](std::size_t worker) {
      return next[worker] < parts[worker].slots.size() ? parts[worker].order[next[worker]]
                                                       : std::numeric_limits<std::uint32_t>::max();
    };
    for (std::size_t left = schedule_.slots().size(); left > 0; --left) {
      std::size_t worker = 0;
      for (std::size_t other = 1; other < parts.size(); ++other)
        if (first(other) < first(worker)) worker = other;
      const WorkPlan::Part& part = parts[worker];
      const std::size_t index = next[worker]++;
      const Schedule::Slot& slot = part.slots[index];
      double begin = std::max(free_at[worker], us(schedule_.instants()[slot.opens - 1].start));
      for (std::uint32_t i = part.first_wait[index]; i < part.first_wait[index + 1]; ++i)
        if (const WorkPlan::Wait& wait = part.waits[i]; wait.slots > 0)
          begin = std::max(begin, ends[wait.worker][static_cast<std::size_t>(wait.slots) - 1]);
      free_at[worker] = begin + costs_[slot.subsystem];
      ends[worker].push_back(free_at[worker]);
      note(worker, slot, free_at[worker]);
    }
  }

  struct Found {
    double response_us = 0.0, deadline_us = std::numeric_limits<double>::infinity();
  };
  [[nodiscard]] Found of(std::size_t worker, double period_s) const {
    const auto found = found_.find({worker, std::llround(period_s * 1e9)});
    return found == found_.end() ? Found{} : found->second;
  }

 private:
  static double us(SimDuration time) { return static_cast<double>(time.ns()) * 1e-3; }
  static Placement placement_of(const PlantDescription& plant, const CoreUse& cores) {
    return cores.placement.empty() ? Placement(plant.subsystems.size(), 0) : cores.placement;
  }
  [[nodiscard]] bool is_of(const RateResult& rate, std::size_t subsystem) const {
    return std::llround(rate.period_s * 1e9) == plant_.subsystems[subsystem].period_ns;
  }
  void note(std::size_t worker, const Schedule::Slot& slot, double end) {
    Found& found = found_[{worker, plant_.subsystems[slot.subsystem].period_ns}];
    found.response_us = std::max(found.response_us, end - us(slot.start));
    found.deadline_us = std::min(found.deadline_us, us(slot.due - slot.start));
  }

  const PlantDescription& plant_;
  Schedule schedule_;
  WorkPlan work_;
  std::vector<double> means_, costs_;  // by subsystem
  std::map<std::pair<std::size_t, std::int64_t>, Found> found_;
};

/// What goes first on the CPU of this thread.
std::vector<PeriodicLoad> above(const ForetoldRate& rate, const std::vector<ForetoldRate>& all) {
  std::vector<PeriodicLoad> loads;
  for (const ForetoldRate& other : all)
    if (other.cpu == rate.cpu && other.below < rate.below)
      loads.push_back({other.rehearsed.period_s * 1e6,
                       one_in_a_million(other.rehearsed.compute_us, other.rehearsed.releases) + other.cuts_us});
  return loads;
}

/// What the busiest windows of its subsystems take beyond what was rehearsed.
void add_cuts(ForetoldRate& rate, const PlantDescription& plant, const CoreUse& cores,
              std::span<const BusiestWindow> busiest) {
  for (const BusiestWindow& window : busiest) {
    const std::size_t worker = cores.placement.empty() ? 0 : cores.placement[window.subsystem];
    if (worker != rate.rehearsed.worker ||
        std::llround(rate.rehearsed.period_s * 1e9) != plant.subsystems[window.subsystem].period_ns)
      continue;
    rate.cuts_us += window.more_us;
    if (window.cuts > rate.cuts) rate.cuts = window.cuts, rate.cuts_at_s = 1e-9 * static_cast<double>(window.at_ns);
  }
}

}  // namespace

ScheduleSheet make_schedule_sheet(const PlantDescription& plant, const CoreUse& cores, const InputScript& script,
                                  const RehearsalSettings& settings) {
  const auto [rehearsed, busiest] = rehearse(plant, cores, script, settings);
  ScheduleSheet sheet{.rehearsed_s = rehearsed.simulated_s,
                      .late_us = one_in_a_million(rehearsed.release_us, rehearsed.sleeps),
                      .rates = {},
                      .scope = scope_cost(plant)};
  Play play(plant, cores, rehearsed, busiest);
  play.run();
  for (const RateResult& rate : rehearsed.rates) {
    sheet.rates.push_back({.rehearsed = rate,
                           .cpu = cores.cpus[rate.worker],
                           .below = cores.below[rate.worker],
                           .deadline_us = play.of(rate.worker, rate.period_s).deadline_us});
    add_cuts(sheet.rates.back(), plant, cores, busiest);
  }
  for (ForetoldRate& rate : sheet.rates) {
    const double own_us = play.of(rate.rehearsed.worker, rate.rehearsed.period_s).response_us;
    rate.response_us = sheet.late_us + response_time(own_us, above(rate, sheet.rates), 100.0 * rate.deadline_us);
  }
  return sheet;
}

}  // namespace takt
