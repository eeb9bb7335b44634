#pragma once
// How many deadlines a run in real time may miss and still count as one.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt {

/// Deadlines are the ends of macro-steps and the releases within them; those in the grace period at the start do not
/// count. By default none may be missed.
struct LateTolerance {
  bool any = false;
  std::uint64_t count = 0;  ///< of the whole run
  double share = 0.0;       ///< of all macro-steps

  [[nodiscard]] constexpr bool allows(std::uint64_t misses, std::uint64_t macro_steps) const noexcept {
    return any || misses <= count || static_cast<double>(misses) <= share * static_cast<double>(macro_steps);
  }
};

inline constexpr const char* late_tolerance_words =
    "\"any\", a number such as \"3\", or a share such as \"0.1 %\" or \"1e-3\"";

/// @return nullopt where it is none of late_tolerance_words
[[nodiscard]] std::optional<LateTolerance> late_tolerance(std::string_view words);

/// "none", "3", "0.1 %", "any"
[[nodiscard]] std::string late_tolerance_text(const LateTolerance& tolerance);

}  // namespace takt
