#pragma once
// What the rig file says of the computer that a plant runs on.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace takt {

enum class OverrunPolicy : std::uint8_t { count, stop };
/// Words of rig files and of the command line, in the order of the enumerators.
inline constexpr std::array<std::string_view, 2> overrun_policy_words{"count", "stop"};
[[nodiscard]] constexpr std::string_view word_of(OverrunPolicy policy) noexcept {
  return overrun_policy_words[static_cast<std::size_t>(policy)];
}
/// @pre a word of the list
[[nodiscard]] constexpr OverrunPolicy overrun_policy(std::string_view word) noexcept {
  const auto* const place = std::find(overrun_policy_words.begin(), overrun_policy_words.end(), word);
  return static_cast<OverrunPolicy>(place - overrun_policy_words.begin());
}

/// Where and how the plant runs; from the rig file, overridable on the command line.
struct RigSettings {
  const char* name = "";
  bool paced = false;             ///< default pace where --pace is not given
  int cpu = -1;                   ///< CPU to pin the real-time thread to; -1: leave to the system
  int priority = 80;              ///< SCHED_FIFO priority
  std::int64_t spin_ns = 50'000;  ///< busy-wait before each release
  OverrunPolicy policy = OverrunPolicy::count;
  int max_catch_up = 10;  ///< windows in a row computed late without sleeping before the rest is dropped from pacing
  int stop_after_consecutive = 0;  ///< overruns in a row that end the run; 0: never
  std::int64_t stop_above_ns = 0;  ///< lateness that ends the run; 0: never
  std::int64_t grace_ns = 0;       ///< start-up time in which overruns are counted apart
};

}  // namespace takt
