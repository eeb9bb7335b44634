#pragma once
// Computes the windows of some subsystems, on a thread of its own or on that of the executive.

#include <atomic>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/executive/bundles.hpp"
#include "runtime/executive/clock.hpp"
#include "runtime/executive/ledger_watch.hpp"
#include "runtime/executive/plant_digest.hpp"
#include "runtime/executive/result_watch.hpp"
#include "runtime/executive/step_work.hpp"
#include "runtime/executive/team.hpp"
#include "runtime/executive/work_plan.hpp"
#include "runtime/io/record/recorder.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_latch.hpp"
#include "runtime/stats/histogram.hpp"
#include "runtime/stats/rate_stats.hpp"
#include "runtime/stats/run_trace.hpp"
#include "runtime/stats/window_stats.hpp"
#include "runtime/steering/readings.hpp"
#include "runtime/steering/window_copies.hpp"

namespace takt {

/// Phases: construct (allocates); then the leader (worker 0) calls compute() and end_step() per macro-step, every other
/// worker help() once; then what they have found is read. Real-time from the first call on.
class Worker {
 public:
  /// What all workers share; each touches only what belongs to its own subsystems.
  struct Shared {
    const PlantDescription& plant;
    const WorkPlan& work;
    Exchanges& exchanges;
    const InputLatch& latch;
    const PlantDigest& digest;
    Clock& clock;
    Team& team;
    std::pmr::vector<WindowStats>& stats;  ///< by subsystem
    const std::vector<bool>& sends_within;
    const std::vector<OverrunPolicy>& policies;  ///< by subsystem
    const std::vector<Schedule::Instant>& instants;
    const Recorder* recorder = nullptr;
    std::span<const BundledRun> bundled = {};
    RunTrace* trace = nullptr;
    Readings* readings = nullptr;                ///< nullptr: nobody may distort them
    WindowCopies* copies = nullptr;              ///< nullptr: nobody looks inside of windows
    const std::atomic<std::int64_t>& looked_ns;  ///< end of the macro-step that a director looks at
    bool has_io = false, paced = false, observes_always = false;
    bool alone = false;  ///< waits for no other one: there is none, or it is on a host that nobody waits for
    double ledger_alarm = 1e-9;
    WallDuration spin;
  };

  Worker(const Shared& shared, std::uint16_t number);

  /// Its windows of a macro-step. @param open  called for every instant that has to come first; false: the run ends
  /// here
  /// @return false: a value is not finite or a block stays unsolved, or what it waits for does not come; the windows
  /// after it are not computed
  template <class Open>
  bool compute(StepWork& work, const Open& open) noexcept {
    const std::vector<Schedule::Slot>& slots = part_.slots;
    std::uint64_t since = 0;
    for (std::size_t index = 0, end = 0; index < slots.size(); index = end) {
      while (work.opened < slots[index].opens) {
        if (!open(work.opened++)) return false;
        since = shared_.clock.ticks();
      }
      const Bundle& bundle = bundles_[index];
      end = index + bundle.copies;
      if (!is_alone_ && !wait_for_others(index, work, since)) return false;
      if (fetches_ahead_) fetch_ahead(index);
      since = bundle.copies == 1 ? compute_window(slots[index], work, since) : compute_bundle(index, work, since);
      if (finding_ != ResultWatch::Finding::none) return false;
      if (!is_alone_) publish(end - 1, work);
    }
    return true;
  }
  /// After all windows of a macro-step: ledgers, and what is looked at from outside.
  /// @return false: what is looked at is not finite
  bool end_step(const StepWork& work) noexcept;
  /// Macro-steps as the leader opens them, until the run ends.
  void help() noexcept;

  /// What nothing in the plant reads is computed only where somebody looks. @return all of it is finite
  bool observe(SimTime now) noexcept;
  /// Events count from here on.
  void begin() noexcept { watch_.begin(); }
  /// @return nothing is wrong yet
  bool look_at_start() noexcept;
  bool look_at_inputs() noexcept { return take(watch_.after_inputs()); }
  /// Whether somebody outside looks at what a macro-step that ends then has computed.
  [[nodiscard]] bool is_looked_at(SimTime end) const noexcept {
    return shared_.has_io || shared_.looked_ns.load(std::memory_order_relaxed) == end.ns() ||
           (shared_.recorder != nullptr && shared_.recorder->is_due(end));
  }

  /// What it has found and counted, for the same worker on another host.
  void save(ByteWriter& to) const;
  /// @param factor  ticks of that host in ticks of this one  @throw std::runtime_error  it is not of this plan
  void restore(ByteReader& from, double factor);

  [[nodiscard]] const ResultWatch& watch() const noexcept { return watch_; }
  [[nodiscard]] ResultWatch& watch() noexcept { return watch_; }
  [[nodiscard]] const LedgerWatch& ledgers() const noexcept { return ledgers_; }
  [[nodiscard]] std::uint64_t ledger_alarms() const noexcept { return ledger_alarms_; }
  [[nodiscard]] ResultWatch::Finding finding() const noexcept { return finding_; }
  /// Macro-step, and place in the schedule, or behind all of it.
  [[nodiscard]] std::pair<std::uint64_t, std::uint32_t> found_at() const noexcept { return found_at_; }
  [[nodiscard]] const WorkPlan::Part& part() const noexcept { return part_; }
  [[nodiscard]] const Histogram& busy_ticks() const noexcept { return busy_ticks_; }
  [[nodiscard]] const Histogram& wakeup_ns() const noexcept { return wakeup_ns_; }
  [[nodiscard]] std::span<const RateStats> rates() const noexcept { return rates_; }
  [[nodiscard]] std::uint64_t busy_total() const noexcept { return busy_total_; }
  [[nodiscard]] std::uint64_t waited_total() const noexcept { return waited_total_; }
  /// After it has waited for others since then, or for one of them.
  void note_waited(StepWork& work, std::uint64_t since, std::uint32_t other) noexcept {
    const std::uint64_t now = shared_.clock.ticks();
    work.blocked_ticks += now - since;
    trace({.begin = since, .end = now, .macro_step = work.number, .number = other, .kind = TraceKind::waited});
  }
  /// A release has come.
  void note_woken(const StepWork& work) noexcept {
    trace({.begin = static_cast<std::uint64_t>(work.segment.wake.release.ns()),
           .end = work.segment.woken_ticks,
           .macro_step = work.number,
           .number = work.segment.instant,
           .detail = static_cast<std::uint16_t>(std::min<std::uint32_t>(work.segment.wake.dropped, 0xffff)),
           .kind = TraceKind::woken});
  }
  void trace(const TraceEvent& event) noexcept {
    if (trace_ != nullptr) [[unlikely]]
      trace_->add(event);
  }
  /// @return ticks it was busy in the macro-step
  std::uint64_t account(const StepWork& work) noexcept;

 private:
  bool take(ResultWatch::Finding finding) noexcept {
    if (finding == ResultWatch::Finding::none) [[likely]]
      return true;
    finding_ = finding;
    return false;
  }
  bool wait_for_others(std::size_t index, StepWork& work, std::uint64_t& since) noexcept;
  bool enter(std::uint32_t instant, StepWork& work) noexcept;
  void sleep_to_release(WallTime release, SegmentWork& segment) noexcept;
  void publish(std::size_t index, StepWork& work) noexcept;
  void set_limits(const Schedule::Slot& slot, const StepWork& work, Window& window) const noexcept;
  std::uint64_t compute_window(const Schedule::Slot& slot, StepWork& work, std::uint64_t begin) noexcept;
  std::uint64_t compute_bundle(std::size_t index, StepWork& work, std::uint64_t begin) noexcept;
  Window begin_window(const Schedule::Slot& slot, const StepWork& work) noexcept;
  void stretch(StepWork& work) noexcept;
  bool end_window(const Schedule::Slot& slot, StepWork& work) noexcept;
  bool hand_on(const Schedule::Slot& slot, StepWork& work) noexcept;
  /// Ticks that count as those of a window; of a bundle each has a share, but none has ended before all have.
  struct Span {
    std::uint64_t begin, end, finished;
  };
  void count_window(const Schedule::Slot& slot, StepWork& work, const Span& ticks) noexcept;
  [[nodiscard]] bool copies(std::uint16_t subsystem) const noexcept {
    return shared_.copies != nullptr && shared_.copies->wants(subsystem);
  }
  [[nodiscard]] bool distorts(std::uint16_t subsystem) const noexcept {
    return shared_.readings != nullptr && shared_.readings->touches(subsystem);
  }
  void find_rates();
  void count_rate(const Schedule::Slot& slot, const StepWork& work, std::uint64_t begin, std::uint64_t end) noexcept;
  void observe(std::size_t subsystem, SimTime now) noexcept;
  void fetch_ahead(std::size_t index) const noexcept;
  [[nodiscard]] WallTime release_of(std::uint64_t macro_step) const noexcept;

  const Shared shared_;
  const WorkPlan::Part& part_;
  const std::uint16_t number_;
  const SimDuration macro_step_;
  const bool is_alone_;
  const std::vector<Bundle> bundles_;  // by slot
  bool fetches_ahead_ = false;
  ResultWatch watch_;
  LedgerWatch ledgers_;
  TraceRing* const trace_;
  struct RateOfSlot {
    std::uint16_t rate = 0;  // of rates_
    bool ends = false;       // the last of this rate at its release
  };
  std::vector<RateOfSlot> rate_of_;  // by slot
  std::pmr::vector<RateStats> rates_;
  ResultWatch::Finding finding_ = ResultWatch::Finding::none;
  std::pair<std::uint64_t, std::uint32_t> found_at_{};
  std::vector<std::uint64_t> known_;  // slots that the others have computed, as last seen
  Histogram busy_ticks_, wakeup_ns_;
  std::uint64_t busy_total_ = 0, waited_total_ = 0, ledger_alarms_ = 0;
};

}  // namespace takt
