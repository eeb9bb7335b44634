#include "codegen/dae/algebra/jacobian.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace takt::codegen {
namespace {

using Row = std::map<std::size_t, Expr>;  // by state

class Derivation {
 public:
  Derivation(Graph& graph, const Surrogate& surrogate) : graph_(graph) {
    for (std::size_t k = 0; k < surrogate.states.size(); ++k)
      rows_[surrogate.states[k].symbol] = {{k, graph.one()}};
    for (const AlgebraicStep& step : surrogate.algebra) {
      if (step.kind == AlgebraicStep::Kind::assignment)
        keep(step.assignment.symbol, row_of(step.assignment.value));
      else
        solve(step.newton);
    }
  }

  /// Chain rule over the symbols of e.
  Row row_of(Expr e) {
    Row row;
    for (const SymbolId symbol : graph_.symbols_of(e)) {
      const auto known = rows_.find(symbol);
      if (known == rows_.end()) continue;
      const Expr slope = graph_.differentiate(e, symbol);
      if (graph_.is_constant(slope, 0.0)) continue;
      for (const auto& [state, by_state] : known->second) {
        const Expr part = graph_.mul(slope, by_state);
        const auto [place, fresh] = row.emplace(state, part);
        if (!fresh) place->second = graph_.add(place->second, part);
      }
    }
    return row;
  }

 private:
  void keep(SymbolId symbol, Row row) {
    std::erase_if(row, [&](const auto& entry) { return graph_.is_constant(entry.second, 0.0); });
    if (!row.empty()) rows_[symbol] = std::move(row);
  }

  /// Residuals g(x, u) = 0 with steps (dg/dx)^-1 g: where g is 0, dx = -(d step/du) du, x held.
  void solve(const NewtonBlock& block) {
    if (block.linear || block.flows)
      throw std::logic_error("blocks over tables have no symbolic derivative: see has_tables()");
    std::vector<Row> rows;  // unknowns have no rows yet
    for (const Expr step : block.steps) rows.push_back(row_of(step));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (auto& [state, value] : rows[k]) value = graph_.neg(value);
      keep(block.unknowns[k], std::move(rows[k]));
    }
  }

  Graph& graph_;
  std::unordered_map<SymbolId, Row> rows_;
};

void append(std::vector<Jacobian::Entry>& entries, std::size_t row, const Row& values,
            const Graph& graph) {
  for (const auto& [column, value] : values)
    if (!graph.is_constant(value, 0.0)) entries.push_back({row, column, value});
}

}  // namespace

Jacobian derive_jacobian(Graph& graph, const Surrogate& surrogate,
                         const std::vector<Expr>& quadratures) {
  Derivation derivation(graph, surrogate);
  Jacobian jacobian;
  for (std::size_t k = 0; k < surrogate.states.size(); ++k)
    append(jacobian.states, k, derivation.row_of(surrogate.states[k].derivative), graph);
  for (std::size_t k = 0; k < quadratures.size(); ++k)
    append(jacobian.quadratures, k, derivation.row_of(quadratures[k]), graph);
  return jacobian;
}

}  // namespace takt::codegen
