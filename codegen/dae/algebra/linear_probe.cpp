#include "codegen/dae/algebra/linear_probe.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codegen/dae/algebra/magnitude.hpp"
#include "codegen/dae/algebra/pivot_points.hpp"
#include "codegen/expr/straight_line.hpp"

namespace takt::codegen {
namespace {

/// Operations up to an end, whose result then is the value of an unknown.
struct Step {
  std::size_t end;
  StraightLine::Slot value, unknown;
};

}  // namespace

double probe(Graph& graph, const std::vector<Expr>& residuals,
             const std::vector<Assignment>& solution, const KnownAtPivots& known) {
  StraightLine line(graph);
  std::vector<Step> steps;
  for (const Assignment& assignment : solution) {
    const StraightLine::Slot value = line.slot_of(assignment.value);
    steps.push_back({line.operations().size(), value, line.slot_of(assignment.symbol)});
  }
  std::vector<std::pair<StraightLine::Slot, StraightLine::Slot>>
      equations;  // what is left over, magnitude of terms
  for (const Expr residual : residuals) {
    const StraightLine::Slot left = line.slot_of(residual);
    equations.emplace_back(left, line.slot_of(magnitude(graph, residual)));
  }
  double worst = 0.0;
  for (std::size_t point = 1; point < pivot_points; ++point) {
    for (const auto& [symbol, slot] : line.symbols())
      line[slot] = value_at_pivot_point(graph, symbol, known, point);
    std::size_t begin = 0;
    for (const Step& step : steps) {
      line.run(begin, step.end);
      line[step.unknown] = line[step.value];
      begin = step.end;
    }
    line.run(begin, line.operations().size());
    double largest = 0.0;
    for (const auto& [left, terms] : equations) largest = std::max(largest, line[terms]);
    for (const auto& [left, terms] : equations) {
      const double scale = line[terms] + 0.1 * largest;
      const double error = scale > 0.0 ? std::fabs(line[left]) / scale : 0.0;
      worst = std::isfinite(scale) && std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
      if (worst == HUGE_VAL) return worst;
    }
  }
  return worst;
}

}  // namespace takt::codegen
