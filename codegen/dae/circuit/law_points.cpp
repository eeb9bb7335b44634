#include "codegen/dae/circuit/law_points.hpp"

#include <algorithm>
#include <unordered_set>

#include "codegen/dae/algebra/magnitude.hpp"

namespace takt::codegen {
namespace {

std::optional<std::vector<Expr>> slopes_of(Graph& graph, Expr law,
                                           const std::vector<SymbolId>& read) {
  std::vector<Expr> slopes;
  Expr rest = law;
  for (const SymbolId stored : read) {
    Expr slope{};
    if (!graph.split_linear(rest, stored, slope, rest)) return std::nullopt;
    for (const SymbolId other : read)
      if (graph.depends_on(slope, other)) return std::nullopt;
    slopes.push_back(slope);
  }
  return slopes;
}

}  // namespace

SymbolId LawsAtEnd::point_of(SymbolId stored) {
  const auto known = std::find_if(points_.begin(), points_.end(),
                                  [&](const LawPoint& each) { return each.stored == stored; });
  if (known != points_.end()) return known->point;
  const SymbolId point =
      graph_.find_or_make_symbol(graph_.symbol(stored).path + ".end", graph_.symbol(stored).unit);
  points_.push_back({point, stored, ends_.at(stored)});
  return point;
}

Expr LawsAtEnd::about_points(Expr law, Expr flattest) {
  std::vector<SymbolId> read;
  for (const SymbolId symbol : graph_.symbols_of(law))
    if (ends_.contains(symbol)) read.push_back(symbol);
  std::unordered_map<SymbolId, Expr> at;
  for (const SymbolId stored : read) at[stored] = ends_.at(stored);
  if (slopes_of(graph_, law, read)) return graph_.substitute(law, at);
  for (const SymbolId stored : read) at[stored] = graph_.use(point_of(stored));
  Expr result = graph_.substitute(law, at);
  for (const SymbolId stored : read) {
    const Expr slope = graph_.substitute(graph_.differentiate(law, stored), at);
    const Expr bounded = graph_.select(
        graph_.binary(Op::less, graph_.unary(Op::abs, slope), flattest), flattest, slope);
    result = graph_.add(result, graph_.mul(bounded, graph_.sub(ends_.at(stored), at.at(stored))));
  }
  return result;
}

std::optional<std::vector<AlgebraicStep>> with_points(Graph& graph,
                                                      const std::vector<AlgebraicStep>& algebra,
                                                      const std::vector<LawPoint>& points,
                                                      NewtonBlock search) {
  std::unordered_set<SymbolId> hanging;
  for (const LawPoint& each : points) hanging.insert(each.point);
  const auto hangs = [&](const std::vector<Expr>& values) {
    const auto symbols = graph.symbols_of(values);
    return std::any_of(symbols.begin(), symbols.end(),
                       [&](SymbolId symbol) { return hanging.contains(symbol); });
  };
  std::vector<AlgebraicStep> result, after;
  std::unordered_map<SymbolId, Expr> value_of;  // over points and what does not hang on them
  for (const AlgebraicStep& step : algebra) {
    const bool assignment = step.kind == AlgebraicStep::Kind::assignment;
    if (!hangs(assignment ? std::vector{step.assignment.value} : step.newton.residuals)) {
      result.push_back(step);
      continue;
    }
    if (!assignment) return std::nullopt;
    hanging.insert(step.assignment.symbol);
    value_of[step.assignment.symbol] = graph.substitute(step.assignment.value, value_of);
    after.push_back(step);
  }
  for (const LawPoint& each : points) {
    search.unknowns.push_back(each.point);
    const Expr residual = graph.sub(graph.use(each.point), each.end);
    search.residuals.push_back(graph.substitute(residual, value_of));
    search.magnitudes.push_back(graph.substitute(magnitude(graph, residual), value_of));
  }
  search.steps = search.residuals;  // the network is solved as linearised: where it ends is where
                                    // Newton's step leads
  AlgebraicStep step;
  step.kind = AlgebraicStep::Kind::newton;
  step.newton = std::move(search);
  result.push_back(std::move(step));
  result.insert(result.end(), after.begin(), after.end());
  return result;
}

}  // namespace takt::codegen
