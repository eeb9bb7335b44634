#pragma once
// A function of the time with its first two derivatives over an interval of time, as intervals.
// Source of the method: R. E. Moore, Interval Analysis, Prentice-Hall 1966.

#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

struct Interval {
  double low = -std::numeric_limits<double>::infinity(),
         high = std::numeric_limits<double>::infinity();
};

/// Derivatives of its pieces: jumps and corners between them are none.
struct Course {
  Interval value{}, slope{}, bend{};
};

class CourseOf {
 public:
  CourseOf(const Graph& graph, Expr function, SymbolId time,
           const std::function<double(SymbolId)>& value_of);
  /// What is not known is everything.
  [[nodiscard]] Course over(const Interval& time) const;

 private:
  struct Step {
    Node node{};
    std::array<std::size_t, 3> operands{};
    bool is_time = false;
  };
  const Graph& graph_;
  std::vector<Step> steps_;
  mutable std::vector<Course> courses_;
};

}  // namespace takt::codegen
