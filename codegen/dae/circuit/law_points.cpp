#include "codegen/dae/circuit/law_points.hpp"

#include <algorithm>
#include <unordered_set>

#include "codegen/dae/algebra/magnitude.hpp"

namespace takt::codegen {
namespace {

std::optional<std::vector<Expr>> slopes_of(Graph& graph, Expr law, const std::vector<SymbolId>& read) {
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

SymbolId point_of(Graph& graph, SymbolId stored, Expr end, std::vector<LawPoint>& points) {
  const auto known =
      std::find_if(points.begin(), points.end(), [&](const LawPoint& each) { return each.stored == stored; });
  if (known != points.end()) return known->point;
  const SymbolId point = graph.find_or_make_symbol(graph.symbol(stored).path + ".end", graph.symbol(stored).unit);
  points.push_back({point, stored, end});
  return point;
}

}  // namespace

Expr law_at_end(Graph& graph, Expr law, const std::unordered_map<SymbolId, Expr>& ends, Expr flattest,
                std::vector<LawPoint>& points) {
  std::vector<SymbolId> read;
  for (const SymbolId symbol : graph.symbols_of(law))
    if (ends.contains(symbol)) read.push_back(symbol);
  std::unordered_map<SymbolId, Expr> at;
  for (const SymbolId stored : read) at[stored] = ends.at(stored);
  if (slopes_of(graph, law, read)) return graph.substitute(law, at);
  for (const SymbolId stored : read) at[stored] = graph.use(point_of(graph, stored, ends.at(stored), points));
  Expr result = graph.substitute(law, at);
  for (const SymbolId stored : read) {
    const Expr slope = graph.substitute(graph.differentiate(law, stored), at);
    const Expr bounded = graph.select(graph.binary(Op::less, graph.unary(Op::abs, slope), flattest), flattest, slope);
    result = graph.add(result, graph.mul(bounded, graph.sub(ends.at(stored), at.at(stored))));
  }
  return result;
}

std::optional<std::vector<AlgebraicStep>> with_points(Graph& graph, const std::vector<AlgebraicStep>& algebra,
                                                      const std::vector<LawPoint>& points, std::vector<Expr> guesses,
                                                      int iterations) {
  std::unordered_set<SymbolId> hanging;
  for (const LawPoint& each : points) hanging.insert(each.point);
  const auto hangs = [&](const std::vector<Expr>& values) {
    const auto symbols = graph.symbols_of(values);
    return std::any_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) { return hanging.contains(symbol); });
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
  AlgebraicStep search;
  search.kind = AlgebraicStep::Kind::newton;
  search.newton.guesses = std::move(guesses);
  search.newton.iterations = iterations;
  for (const LawPoint& each : points) {
    search.newton.unknowns.push_back(each.point);
    const Expr residual = graph.sub(graph.use(each.point), each.end);
    search.newton.residuals.push_back(graph.substitute(residual, value_of));
    search.newton.magnitudes.push_back(graph.substitute(magnitude(graph, residual), value_of));
  }
  search.newton.steps =
      search.newton.residuals;  // the network is solved as linearised: where it ends is where Newton's step leads
  result.push_back(std::move(search));
  result.insert(result.end(), after.begin(), after.end());
  return result;
}

}  // namespace takt::codegen
