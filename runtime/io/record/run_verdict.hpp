#pragma once
// What is to be thought of a run, in the same words on the terminal and in the report.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/stats/run_results.hpp"

namespace takt {

struct RunVerdict {
  /// warning: in order, but for something a reader has to know.
  enum class Level : std::uint8_t { good, warning, bad };
  Level level = Level::good;
  std::string headline;              ///< "Missed 40 of 14000 deadlines, the worst by 9.8 ms"
  std::vector<std::string> reasons;  ///< why, and what else there is to know; the most important first
};

[[nodiscard]] RunVerdict run_verdict(const RunResults& results);

}  // namespace takt
