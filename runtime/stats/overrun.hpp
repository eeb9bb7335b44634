#pragma once
// What is kept of a deadline that was missed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plant/time.hpp"
#include "runtime/stats/decimated_series.hpp"

namespace takt {

/// The first three and the last are what the loop measures; the others who did it, where the kernel's counters say so
/// (runtime/program/evidence.hpp).
enum class OverrunCause : std::uint8_t {
  woken_late,
  computed_long,
  blocked,
  stopped,
  preempted,
  throttled,
  stolen_by_host,
  unexplained
};
inline constexpr std::size_t overrun_cause_count = 8;
inline constexpr const char* overrun_cause_name[overrun_cause_count] = {
    "woken late", "computed long",      "blocked",    "stopped", "pre-empted",
    "throttled",  "stolen by the host", "unexplained"};

/// One incident: the first window that missed its deadline, and how many more it made late.
struct OverrunIncident {
  std::uint64_t macro_step = 0;  ///< number of the macro-step since start
  SimTime start;                 ///< of that macro-step
  WallTime release;
  WallDuration late;           ///< finish of the first window that was late after its deadline
  WallDuration worst;          ///< the same of the one that was latest
  WallDuration wake;           ///< woken after the release
  WallDuration blocked;        ///< waited for an exchange
  WallDuration compute;        ///< all windows of the macro-step
  WallDuration usual_compute;  ///< running mean of macro-steps; among the first ones, the mean of all
  WallDuration rest;           ///< what the three above do not account for
  WallDuration period;
  int cpu = -1;                       ///< CPU it ran on
  std::uint16_t subsystem = 0;        ///< 0xffff: the executive itself
  std::uint16_t before = 0xffff;      ///< what ran before it
  std::uint16_t worker = 0;           ///< that was late
  std::uint16_t waited_for = 0xffff;  ///< worker that it waited for longest; 0xffff: none
  std::uint32_t windows_late = 1;     ///< stretches late by this one cause
  std::uint32_t inner_late = 0;       ///< of them, those that a release within the macro-step ends
  /// Release in the macro-step whose mean of the whole run is taken for what is usual; else the running one stands.
  static constexpr std::uint32_t at_that_time = 0xffffffff;
  std::uint32_t usual_of = at_that_time;
  std::uint32_t dropped = 0;  ///< periods given up after it, so that pacing could be resumed
  OverrunCause cause = OverrunCause::unexplained;
  bool in_grace = false;
  std::string evidence;  ///< filled after the run

  /// What is usual takes longer than there is time: no disturbance, too much work.
  [[nodiscard]] bool is_overload() const noexcept {
    return cause == OverrunCause::computed_long && period > WallDuration{} && usual_compute >= period;
  }
};

/// Incidents of one cause that no longer fit the list, without those of the grace period.
struct UnlistedIncidents {
  std::uint64_t incidents = 0, windows_late = 0, inner_late = 0, dropped = 0;
  WallDuration worst;
  SimTime first, last;
};

/// Counters and a bounded list. One writer, the real-time thread; read after the run.
struct OverrunLog {
  explicit OverrunLog(std::size_t capacity = 1000) { incidents.reserve(capacity); }
  std::vector<OverrunIncident> incidents;  ///< the first `capacity`
  std::uint64_t overruns = 0;              ///< stretches between releases that missed the next one
  std::uint64_t inner_late = 0;            ///< of them, those that a release within the macro-step ends
  std::uint64_t overruns_in_grace = 0;
  std::uint64_t incident_count = 0;   ///< also those that no longer fit the list
  std::uint64_t dropped_periods = 0;  ///< without release: simulated time lags behind the wall clock by them, or jumps
  std::array<std::uint64_t, overrun_cause_count> by_cause{};
  std::array<UnlistedIncidents, overrun_cause_count> unlisted{};
  DecimatedSeries lateness_s{256};       ///< of all overruns over simulated time, those not listed included
  WallDuration worst_miss, worst_inner;  ///< finish after the deadline, without the grace period

  /// Macro-steps that ended after the release of the next one.
  [[nodiscard]] std::uint64_t deadline_misses() const noexcept { return overruns - inner_late; }
};

}  // namespace takt
