#pragma once
// Where functions of the time move within a short while, smoothly or not: an integrator at rest
// would step over it. A reference run ends its steps on the way through. By ranges of values alone;
// what plants are built with looks at second derivatives (codegen/stability/narrow_courses.hpp),
// and nothing of it is used here.

#include <vector>

#include "codegen/reference/value_ranges.hpp"

namespace takt::codegen {

class QuickMoves {
 public:
  struct Run {
    double duration_s = 0.0;
    double longest_step_s = 0.0;  ///< of the integrator
  };

  /// @param values  whose moves are looked for: in what follows the time alone of them
  QuickMoves(const Network& network, const std::vector<Expr>& values, ValueRanges::ValueOf value_of,
             const Run& run);

  /// The first instant after `from` at which a step shall end, s; `to` where there is none before.
  [[nodiscard]] double next(double from, double to) const;

 private:
  struct Function {
    ValueRanges ranges;
    double range = 0.0;
  };
  [[nodiscard]] double width(const Function& function, double from, double to) const;
  [[nodiscard]] double range_of(const ValueRanges& ranges) const;
  [[nodiscard]] double next_of(const Function& function, double from, double to) const;

  ValueRanges::ValueOf value_of_;
  Run run_;
  std::vector<Function> functions_;
};

}  // namespace takt::codegen
