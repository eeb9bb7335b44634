#pragma once
// Decides why a macro-step was late, and which late ones belong together.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/plant/rig_settings.hpp"
#include "runtime/stats/overrun.hpp"

namespace takt {

/// What lies between two releases on one core - a macro-step, or a part of it where groups inside exchange more often -
/// as measured. Times are wall times but for `start`.
struct StepTiming {
  std::uint64_t macro_step = 0;
  SimTime start;
  WallTime release, woken, finish, deadline;
  WallDuration blocked;
  std::uint16_t waited_for = 0xffff;  ///< worker it was blocked by longest
  WallDuration compute;               ///< run() of all subsystems
  WallDuration period;                ///< to the next release
  std::uint32_t instant = 0;          ///< of its release in the macro-step, and of which worker
  std::uint16_t worker = 0;           ///< who ended last
  std::uint32_t dropped = 0;          ///< periods dropped just before it
  bool waited = false;                ///< it waited for its release, so it carries nothing over
  bool in_grace = false;
  bool inner = false;  ///< the release that it missed is one within the macro-step
  OverrunPolicy policy = OverrunPolicy::count;
  std::uint16_t first_missed = 0xffff,
                before_missed = 0xffff;  ///< subsystem whose window ended first after the deadline, and what ran before
  std::uint16_t longest = 0xffff, before_longest = 0xffff;  ///< subsystem furthest above its usual time
};

/// Judges each macro-step and writes the log.
/// A late macro-step that did not wait for its release and would have met its deadline had it started on time is a
/// consequence of the incident before. Otherwise it is a new incident, whose cause is the largest of
///   woken late     start of work after the release (only if it waited)
///   blocked        time waited for an exchange
///   computed long  computing above the running mean of macro-steps in time (all of it where that mean is itself too
///   long) unexplained    what is left between release and finish
/// "Stolen by the host" is decided after the run, on evidence: see evidence.hpp.
/// Real-time: bounded, no allocation while the list has room.
class OverrunJudge {
 public:
  /// @param instants  releases in a macro-step
  explicit OverrunJudge(std::size_t instants = 1, std::size_t capacity = 1000)
      : log_(capacity), capacity_(capacity), usual_ns_(instants, 0.0) {}

  /// @return the macro-step was late
  bool judge(const StepTiming& t) noexcept {
    if (t.dropped > 0) note_dropped(t.dropped);
    if (t.finish <= t.deadline) {
      double& usual_ns = usual_ns_[t.instant];
      usual_ns = usual_ns == 0.0 ? static_cast<double>(t.compute.ns())
                                 : usual_ns + (static_cast<double>(t.compute.ns()) - usual_ns) / 64.0;
      // A macro-step in time that did not wait still belongs to the catching-up.
      if (t.waited) open_ = false;
      return false;
    }
    count(t);
    const bool alone = t.blocked + t.compute > t.deadline - t.release;
    if (open_ && !t.waited && !alone) {
      if (listed_) extend(log_.incidents.back(), t);
      return true;
    }
    begin_incident(t);
    return true;
  }

  [[nodiscard]] const OverrunLog& log() const noexcept { return log_; }
  /// The incident that the last late one belongs to is the last of the list.
  [[nodiscard]] bool is_listed() const noexcept { return listed_; }
  [[nodiscard]] OverrunLog take() noexcept { return std::move(log_); }

  /// Public for tests. Fills cause and shares.
  static void explain(OverrunIncident& incident, const StepTiming& t, double usual_ns) noexcept;

 private:
  void note_dropped(std::uint32_t periods) noexcept {
    log_.dropped_periods += periods;
    if (open_ && listed_) log_.incidents.back().dropped += periods;
  }
  void count(const StepTiming& t) noexcept {
    if (t.in_grace) {
      ++log_.overruns_in_grace;
      return;
    }
    ++log_.overruns;
    log_.inner_late += t.inner ? 1U : 0U;
    WallDuration& worst = t.inner ? log_.worst_inner : log_.worst_miss;
    worst = std::max(worst, t.finish - t.deadline);
  }
  static void extend(OverrunIncident& incident, const StepTiming& t) noexcept {
    ++incident.windows_late;
    incident.inner_late += t.inner ? 1U : 0U;
    incident.worst = std::max(incident.worst, t.finish - t.deadline);
  }
  void begin_incident(const StepTiming& t) noexcept;

  OverrunLog log_;
  std::size_t capacity_;
  std::vector<double> usual_ns_;  // by instant: running mean over about 64 macro-steps in time
  bool open_ = false;             // an incident's consequences may still follow
  bool listed_ = false;           // the open incident is the last of the list
};

}  // namespace takt
