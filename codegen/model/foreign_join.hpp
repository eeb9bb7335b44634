#pragma once
// Constraints between FMUs in a network.

#include <cstddef>
#include <string>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// v_a - v_b = 0: across values of two FMUs are made equal by a through value that flows from a to
/// b.
struct ForeignJoin {
  /// A variable of a member. SI = factor * value + offset.
  struct Variable {
    std::size_t variable = 0;  ///< index into FmuDescription::variables
    double factor = 1.0, offset = 0.0;
  };
  struct Side {
    std::size_t member = 0;  ///< index into ForeignModel::members
    Variable across, through;
    double sign = 1.0;  ///< +1: the through value counts into the FMU
  };
  std::string name;  ///< "shaft" of join.shaft
  Side a, b;
  Location where;
};

/// What is known of each join at each communication point; order of runtime/fmu/join's Ledger.
inline constexpr const char* join_signals[] = {"through",   "power_a", "power_b", "given",
                                               "received",  "stored",  "lost",    "unclosed",
                                               "violation", "drift"};

/// How the constraints of a group are kept. 0: measured and proposed when the plant starts.
struct ForeignJoinSettings {
  std::string way;  ///< spring, index, implicit, loop
  double stiffness = 0.0, damper = -1.0, gain = 0.0, limit = 0.0;
  int iterations = 0;
};

}  // namespace takt::codegen
