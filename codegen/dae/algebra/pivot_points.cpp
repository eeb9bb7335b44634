#include "codegen/dae/algebra/pivot_points.hpp"

#include <cmath>
#include <string>

#include "codegen/expr/straight_line.hpp"

namespace takt::codegen {
namespace {

bool is_flow(const std::string& unit) {
  for (const char* flow : {"kg/s", "A", "N", "N*m", "W"})
    if (unit == flow) return true;
  return false;
}

}  // namespace

double scattered(std::size_t index, std::size_t point) {
  const double golden = 0.618033988749895 * (static_cast<double>(index) + 1.0) +
                        0.414213562373095 * static_cast<double>(point);
  return golden - std::floor(golden);
}

double value_at_pivot_point(const Graph& graph, SymbolId symbol, const KnownAtPivots& known,
                            std::size_t point) {
  for (const auto* values : {known.parameters, point == 0 ? known.starts : nullptr})
    if (values != nullptr && values->contains(symbol)) return values->at(symbol);
  const std::string& unit = graph.symbol(symbol).unit;
  if (point == 0) return is_flow(unit) ? 0.0 : unit == "K" ? 300.0 : unit == "Pa" ? 1e5 : 1.25;
  const double share = scattered(static_cast<std::size_t>(symbol), point);
  if (is_flow(unit))
    return (share < 0.5 ? -1.0 : 1.0) * std::pow(10.0, 4.0 * std::fabs(share - 0.5) - 1.0);
  if (unit == "K") return 250.0 + 150.0 * share;
  return (unit == "Pa" ? 1e5 : 1.0) * (0.5 + 1.5 * share);
}

std::vector<PointValues> at_pivot_points(const Graph& graph, const std::vector<Expr>& expressions,
                                         const KnownAtPivots& known) {
  StraightLine line(graph);
  std::vector<StraightLine::Slot> slots;
  for (const Expr expression : expressions) slots.push_back(line.slot_of(expression));
  std::vector<PointValues> values(expressions.size());
  for (std::size_t point = 0; point < pivot_points; ++point) {
    for (const auto& [symbol, slot] : line.symbols())
      line[slot] = value_at_pivot_point(graph, symbol, known, point);
    line.run(0, line.operations().size());
    for (std::size_t k = 0; k < slots.size(); ++k) values[k][point] = line[slots[k]];
  }
  return values;
}

}  // namespace takt::codegen
