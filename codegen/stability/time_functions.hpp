#pragma once
// What follows the time alone in the equations of a subsystem: how fast it turns, and when it
// changes its course.
//
// sin, cos and tan of what moves with the time have a period, and so has mod(time, T); comparisons
// with the time (if(time > 2 s, ...)), tables and limits have instants at which they turn
// (codegen/dae/algebra/time_instants.hpp). Other smooth functions may be at rest but for a short
// while (narrow_courses.hpp).

#include <optional>
#include <string>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

struct TimeFunctions {
  struct Turning {
    double period_s = 0.0;
    std::string function;  ///< as text
  };
  std::optional<Turning> fastest;
  std::optional<Turning>
      fastest_uncut;  ///< beside what only says when something jumps, where steps are cut there
  /// Smooth, and faster than these by far, if only for a while.
  struct Narrow {
    double at_s = 0.0;
    double period_s = 0.0;  ///< of a sine that bends as much
    std::string function;
  };
  std::optional<Narrow> narrowest;
  std::vector<double> instants;  ///< at which they jump or bend within the duration, ascending;
                                 ///< none where there are too many
};

/// Parallel to DaeResult::subsystems; of switched circuits what is narrow alone, nothing of sampled
/// control.
[[nodiscard]] std::vector<TimeFunctions> time_functions(const Network& network,
                                                        const DaeResult& dae, double duration_s);

/// Of equations that are written down otherwise: periods only.
/// @param assigned  each after those it reads
[[nodiscard]] TimeFunctions time_functions(const Network& network,
                                           const std::vector<Assignment>& assigned,
                                           const std::vector<Expr>& rows, double duration_s);

}  // namespace takt::codegen
