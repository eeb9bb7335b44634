#include "codegen/dae/algebra/sorting_findings.hpp"

#include <algorithm>
#include <unordered_set>

#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

/// The first unknown of the block that an equation is not linear in.
std::optional<SymbolId> bends_in(Graph& graph, const Equation& equation,
                                 const std::unordered_set<SymbolId>& unknowns) {
  const Expr residual = residual_of(graph, equation);
  for (const SymbolId symbol : graph.symbols_of(residual)) {
    if (!unknowns.contains(symbol)) continue;
    const auto read = graph.symbols_of(graph.differentiate(residual, symbol));
    if (std::any_of(read.begin(), read.end(),
                    [&](SymbolId other) { return unknowns.contains(other); }))
      return symbol;
  }
  return std::nullopt;
}

}  // namespace

Expr residual_of(Graph& graph, const Equation& equation) {
  return equation.defines ? graph.sub(graph.use(*equation.defines), equation.value)
                          : equation.value;
}

void SortingFindings::singular(const EquationSystem& system, const Matching& matching) {
  std::string unknowns;
  Location where;
  for (std::size_t k = 0; k < matching.unknown_of.size(); ++k)
    if (!matching.unknown_of[k]) where = system.equations[k].where;
  int shown = 0;
  for (std::size_t k = 0; k < matching.equation_of.size() && shown < 6; ++k)
    if (!matching.equation_of[k])
      unknowns += (shown++ ? ", " : "") + graph_.symbol(system.unknowns[k]).path;
  diagnostics_.error(
      "T010", where,
      "circuit " + circuit_ + " does not determine " +
          (unknowns.empty() ? "its variables" : unknowns),
      "look for a controlled source that fixes what another element fixes already, or an element "
      "whose law names no variable of its branch");
}

void SortingFindings::no_solution(const Sought& asked) {
  std::string names;
  for (const SymbolId unknown : asked.unknowns)
    names += (names.empty() ? "" : ", ") + graph_.symbol(unknown).path;
  diagnostics_.error(
      "T010", asked.where,
      "circuit " + circuit_ + ": the equations for " + names + " have no unique solution",
      "these variables are tied to each other without anything that fixes their common value");
}

void SortingFindings::growth(const Sought& asked, double growth) {
  diagnostics_.error(
      "T027", asked.where,
      "circuit " + circuit_ + ": the " + std::to_string(asked.unknowns.size()) + " equations for " +
          graph_.symbol(asked.unknowns.front()).path +
          " and others cannot be solved to any digit: numbers grow " + rounded_text(growth, "") +
          " times on the way",
      "look for values that are many powers of ten apart, such as a resistance of 1e-12 Ohm");
}

void SortingFindings::too_large(const std::vector<SymbolId>& tears, const EquationBlock& block) {
  const std::unordered_set<SymbolId> unknowns(block.unknowns.begin(), block.unknowns.end());
  std::string laws;
  const Equation* first = nullptr;
  int count = 0;
  for (const Equation& equation : block.equations) {
    const auto unknown = bends_in(graph_, equation, unknowns);
    if (!unknown || count++ >= 3) continue;
    first = first ? first : &equation;
    laws += (laws.empty() ? "" : ", ") +
            (equation.defines ? graph_.symbol(*equation.defines).path + " over " : std::string()) +
            graph_.symbol(*unknown).path;
  }
  diagnostics_.error("T028", (first ? *first : block.equations.front()).where,
                     "circuit " + circuit_ + ": " + std::to_string(block.unknowns.size()) +
                         " equations hang together and would be solved by Newton's method for " +
                         std::to_string(tears.size()) +
                         " unknowns at a time, which is too many; not linear (" +
                         std::to_string(count) + "): " + laws + (count > 3 ? ", ..." : ""),
                     "let these laws read their own flow or difference only, or part the circuit "
                     "where something is stored");
}

}  // namespace takt::codegen
