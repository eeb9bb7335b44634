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
///   computed long  computing above the running mean (all of it where that mean is itself too long)
///   unexplained    what is left between release and finish
/// "Stolen by the host" is decided after the run, on evidence: see evidence.hpp.
/// Real-time: bounded, no allocation while the list has room.
class OverrunJudge {
 public:
  /// @param instants  releases in a macro-step
  explicit OverrunJudge(std::size_t instants = 1, std::size_t capacity = 1000)
      : log_(capacity), capacity_(capacity), usual_(instants) {}

  /// @return the macro-step was late
  bool judge(const StepTiming& t) noexcept {
    if (t.dropped > 0) note_dropped(t.dropped);
    usual_[t.instant].add(t.compute, t.deadline - t.release);
    if (t.finish <= t.deadline) {
      // A macro-step in time that did not wait still belongs to the catching-up.
      if (t.waited) open_ = false;
      return false;
    }
    count(t);
    const bool alone = t.blocked + t.compute > t.deadline - t.release;
    if (open_ && !t.waited && !alone) {
      if (listed_) extend(log_.incidents.back(), t);
      if (unlisted_ < overrun_cause_count) extend(log_.unlisted[unlisted_], t);
      return true;
    }
    begin_incident(t);
    return true;
  }

  [[nodiscard]] const OverrunLog& log() const noexcept { return log_; }
  /// The incident that the last late one belongs to is the last of the list.
  [[nodiscard]] bool is_listed() const noexcept { return listed_; }
  /// Incidents of the first macro-steps get the mean of all: what was usual was not known yet.
  [[nodiscard]] OverrunLog take() noexcept;

  /// Public for tests. Fills cause and shares.
  static void explain(OverrunIncident& incident, const StepTiming& t, double usual_ns) noexcept;

 private:
  void note_dropped(std::uint32_t periods) noexcept {
    log_.dropped_periods += periods;
    if (open_ && listed_) log_.incidents.back().dropped += periods;
    if (open_ && unlisted_ < overrun_cause_count) log_.unlisted[unlisted_].dropped += periods;
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
    log_.lateness_s.add(t.start.seconds(), (t.finish - t.deadline).seconds());
  }
  /// @param incident  one of the list, or all of a cause that are not on it
  template <class Incident>
  static void extend(Incident& incident, const StepTiming& t) noexcept {
    ++incident.windows_late;
    incident.inner_late += t.inner ? 1U : 0U;
    incident.worst = std::max(incident.worst, t.finish - t.deadline);
  }
  void begin_incident(const StepTiming& t) noexcept;
  void begin_unlisted(const OverrunIncident& incident, const StepTiming& t) noexcept;

  /// Computing time of all macro-steps, late ones, too: a plant that is always too slow has no others.
  struct Usual {
    double running_ns = 0.0;  ///< mean over about the last 64
    double sum_ns = 0.0;
    std::uint64_t count = 0;
    /// One long disturbance counts for no more than the time that was there, or four times what is usual.
    void add(WallDuration compute, WallDuration allowed) noexcept {
      const double most = std::max(4.0 * running_ns, static_cast<double>(allowed.ns()));
      const double ns = std::min(static_cast<double>(compute.ns()), most);
      sum_ns += static_cast<double>(compute.ns()), ++count;
      running_ns += (ns - running_ns) / static_cast<double>(std::min(count, settled));
    }
  };
  static constexpr std::uint64_t settled = 64;  // macro-steps that a running mean stands on

  OverrunLog log_;
  std::size_t capacity_;
  std::vector<Usual> usual_;                    // by instant
  bool open_ = false;                           // an incident's consequences may still follow
  bool listed_ = false;                         // the open incident is the last of the list
  std::size_t unlisted_ = overrun_cause_count;  // else its cause; none in the grace period
};

}  // namespace takt
