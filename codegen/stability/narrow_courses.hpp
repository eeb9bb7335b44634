#pragma once
// Smooth functions of the time that bend within a short while (exp(-((time - 0.5 s)/1 us)^2) and
// its kind), by interval arithmetic on values and second derivatives: samples do not meet them.

#include <functional>
#include <optional>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Of a sine this fast: it bends by a part of its range no sooner.
struct NarrowCourse {
  double at_s = 0.0;      ///< where it is fastest
  double period_s = 0.0;  ///< of a sine of the same range that bends as much
};

struct TimeSpan {
  SymbolId time{};
  double duration_s = 0.0;
};

/// Jumps and corners do not count: nothing but lines is straight between them.
/// Source of the method: R. E. Moore, Interval Analysis, Prentice-Hall 1966: an interval over which
/// the function cannot leave a straight line by a part of its range is done; others are halved,
/// those that bend most first.
/// @param function  of the time and of symbols that `value_of` knows
/// @return nothing where it is straight, or where its range or its course are not known
[[nodiscard]] std::optional<NarrowCourse> narrow_course(
    const Graph& graph, Expr function, const TimeSpan& span,
    const std::function<double(SymbolId)>& value_of);

}  // namespace takt::codegen
