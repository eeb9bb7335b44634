#pragma once
// What the rig file says of the computer that a plant runs on.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "runtime/plant/late_tolerance.hpp"

namespace takt {

/// count: late macro-steps are computed at once, until whole periods are dropped from pacing. skip: whoever is late at
/// a release drops whole periods there and then, so that the next one is in time. stop: the run ends in order.
enum class OverrunPolicy : std::uint8_t { count, skip, stop };
/// Words of rig files and of the command line, in the order of the enumerators.
inline constexpr std::array<std::string_view, 3> overrun_policy_words{"count", "skip", "stop"};
[[nodiscard]] constexpr std::string_view word_of(OverrunPolicy policy) noexcept {
  return overrun_policy_words[static_cast<std::size_t>(policy)];
}
/// @pre a word of the list
[[nodiscard]] constexpr OverrunPolicy overrun_policy(std::string_view word) noexcept {
  const auto* const place = std::find(overrun_policy_words.begin(), overrun_policy_words.end(), word);
  return static_cast<OverrunPolicy>(place - overrun_policy_words.begin());
}

/// When a value of simulated time t leaves: at wall time t, or as soon as it is known.
enum class Publish : std::uint8_t { on_time, early };
inline constexpr std::array<std::string_view, 2> publish_words{"on-time", "early"};

/// Of a sync group and of those in it that have none of their own.
struct GroupPolicy {
  const char* group = "";
  OverrunPolicy policy = OverrunPolicy::count;
};

/// CPUs of the real-time threads; the first leads.
struct CoreList {
  static constexpr std::size_t most = 64;
  std::array<std::int16_t, most> cpus{};
  std::size_t count = 0;
};

/// What happens when the supervisor itself is lost: a spare takes its place, and where that is lost, too, the run ends
/// in order; the run ends at once; it goes on without.
enum class GuardLost : std::uint8_t { restart, stop, go_on };
inline constexpr std::array<std::string_view, 3> guard_lost_words{"restart", "stop", "go-on"};

/// The process that outlives the plant: see runtime/program/supervisor.hpp.
struct SupervisorSettings {
  bool enabled = true;
  std::int64_t heartbeat_ns = 200'000'000;   ///< silence of the plant that is a fault; at least two macro-steps
  std::int64_t hold_ns = 1'000'000'000;      ///< how long safe values are sent for a dead plant
  std::int64_t give_up_ns = 10'000'000'000;  ///< silence after which the plant is killed; 0: never
  const char* watchdog = "";                 ///< device of a hardware watchdog; empty: none
  int watchdog_timeout_s = 15;               ///< after which it resets the machine
  GuardLost when_lost = GuardLost::restart;
};

/// What the other hosts do when one of them is lost, in real time: end; go on with what it sent last; the same without
/// fluxes from it.
enum class WhenLost : std::uint8_t { stop, hold, isolate };
inline constexpr std::array<std::string_view, 3> when_lost_words{"stop", "hold", "isolate"};

/// One of the hosts that compute a plant together.
struct HostSettings {
  const char* name = "";
  const char* interface = "lo";                ///< of the network; nothing leaves by another one
  std::span<const char* const> computes = {};  ///< subsystems, * as in file names, or sync groups; none: what is left
  WhenLost when_lost = WhenLost::stop;
};
struct HostsSettings {
  std::span<const HostSettings> list = {};  ///< the first leads; empty: one host
  int domain = 0;                           ///< of DDS
  std::int64_t wait_ns = 30'000'000'000;    ///< for all to be there
  std::int64_t silence_ns = 5'000'000'000;  ///< after which a host is lost
};

/// Where and how the plant runs; from the rig file, overridable on the command line.
struct RigSettings {
  const char* name = "";
  bool paced = false;             ///< default pace where --pace is not given
  int cpu = -1;                   ///< CPU to pin the real-time thread to; -1: leave to the system
  CoreList cores{};               ///< where there are several, in place of cpu
  CoreList fmu_cpus{};            ///< of the processes that compute FMUs; none: those that the plant leaves
  int priority = 80;              ///< SCHED_FIFO priority
  std::int64_t spin_ns = 50'000;  ///< busy-wait before each release
  OverrunPolicy policy = OverrunPolicy::count;
  std::span<const GroupPolicy> group_policies{};  ///< in its place, where windows of these were late
  Publish publish = Publish::on_time;
  int max_catch_up = 10;  ///< windows in a row computed late without sleeping before the rest is dropped from pacing
  int stop_after_consecutive = 0;  ///< overruns in a row that end the run; 0: never
  std::int64_t stop_above_ns = 0;  ///< lateness that ends the run; 0: never
  bool regain = false;  ///< simulated time jumps over periods that are dropped, so that it keeps to the wall clock
  std::int64_t trace_ns = 0;  ///< > 0: a paced run leaves a trace of so much of its end
  std::int64_t grace_ns = 0;  ///< start-up time in which overruns are counted apart
  LateTolerance late{};       ///< how many deadlines may be missed besides
  SupervisorSettings supervisor{};
  HostsSettings hosts{};
};

}  // namespace takt
