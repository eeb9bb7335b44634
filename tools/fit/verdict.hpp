#pragma once
// Whether measured runs hold real time, and how many copies of a plant would.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/fit/measured.hpp"

namespace takt::tools {

/// Of one run, or of several that ran at once.
struct Holding {
  bool holds = false;
  double margin = 0.0;  ///< of the time between releases, what is left when the latest answer is there (at the quantile
                        ///< that is allowed to be late)
  std::uint64_t late = 0, windows = 0;
  double worst_miss_us = 0.0;
  std::string failure{};  ///< of a run that did not come to its end
};

/// @param late  part of all windows that may be late: 0, 1e-3, 1e-2
[[nodiscard]] Holding holding(std::span<const MeasuredRun> runs, double late);
[[nodiscard]] inline Holding holding(const MeasuredRun& run, double late) { return holding({&run, 1}, late); }

/// The latest answer but for those that may be late.
[[nodiscard]] double latest(const Response& response, double late);

/// Of the measured numbers of copies, the largest below which all hold, and the next one measured that does not.
struct HeldCopies {
  int held = 0;
  std::optional<int> not_held{};  ///< nothing: as many as were tried hold
};
[[nodiscard]] HeldCopies held_copies(const Measured& measured, double late);

/// From the runs of 1, 2, 4 ... copies alone. What each takes of the core - where the kernel counts it, with its waking
/// up - grows from the last but one number that holds to the last one, as caches fill, and is taken to grow on so;
/// their sum must leave what the kernel keeps from real-time threads. What answers took beyond it at the last number
/// that holds, they wait for at larger ones, too; the less of the core is left, the more windows wait in line after
/// each time that it was late or taken away (a queue that is worked off at what is left). The number lies between the
/// last that holds and the first that does not. Nothing where that was not reached: what lies beyond is not known.
[[nodiscard]] std::optional<int> predicted_copies(const Measured& measured, double late);

/// What real-time threads may take of a core: less than 1 where the kernel throttles them.
[[nodiscard]] double usable_share(const Board& board);

/// Causes of late windows that lie in the machine, not in the plant: their part of all.
[[nodiscard]] double machine_share(const MeasuredRun& run);

}  // namespace takt::tools
