#include "codegen/dae/definitions.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "codegen/dae/circuit/surrogate_symbols.hpp"

namespace takt::codegen {
namespace {

class Definitions {
 public:
  Definitions(const Network& network, const Surrogate& surrogate, Diagnostics& diagnostics)
      : network_(network),
        graph_(network.graph()),
        surrogate_(surrogate),
        diagnostics_(diagnostics) {
    for (const SurrogateState& state : surrogate.states) waits_.insert(state.symbol);
    for (std::size_t index = 0; index < surrogate.algebra.size(); ++index) {
      const AlgebraicStep& step = surrogate.algebra[index];
      if (step.kind == AlgebraicStep::Kind::assignment) defined_by_[step.assignment.symbol] = index;
      for (const SymbolId unknown : step.newton.unknowns) defined_by_[unknown] = index;
    }
    for (const StartLaw& law : surrogate.start_laws) law_of_[law.unknown] = &law;
    for (const SymbolId symbol : histories_of(surrogate.kind)) waits_.insert(symbol);
  }

  void check_algebra() {
    std::unordered_set<SymbolId> known;
    std::vector<bool> seen(graph_.size(), false);
    for (const AlgebraicStep& step : surrogate_.algebra) {
      known.insert(step.newton.unknowns.begin(), step.newton.unknowns.end());
      for (const SymbolId symbol : newly_read_by(step, seen))
        if (defined_by_.contains(symbol) && !known.contains(symbol))
          return diagnostics_.error(
              "S090", place_of(symbol),
              surrogate_.name + " reads " + graph_.symbol(symbol).path + " before it is computed",
              "this is a defect of the generator; please report it with the plant file");
      if (step.kind == AlgebraicStep::Kind::assignment) known.insert(step.assignment.symbol);
    }
  }

  /// States are started in their order.
  void check_starts() {
    for (const SurrogateState& state : surrogate_.states) {
      std::unordered_set<SymbolId> seen;
      if (const auto open = waits_for(graph_.symbols_of(state.start), seen))
        return diagnostics_.error("T026", place_of(state.symbol),
                                  "the start value of " + graph_.symbol(state.symbol).path +
                                      " waits for that of " + graph_.symbol(*open).path +
                                      ", which follows from it",
                                  "give it a start value of numbers and parameters");
      waits_.erase(state.symbol);
    }
  }

 private:
  [[nodiscard]] static std::vector<Expr> expressions_of(const AlgebraicStep& step) {
    if (step.kind == AlgebraicStep::Kind::assignment) return {step.assignment.value};
    std::vector<Expr> all = step.newton.residuals;
    all.insert(all.end(), step.newton.steps.begin(), step.newton.steps.end());
    return all;
  }

  [[nodiscard]] std::vector<SymbolId> read_by(const AlgebraicStep& step) const {
    return graph_.symbols_of(expressions_of(step));
  }

  /// Symbols below nodes that no step before has read: the potentials of a network share most of
  /// theirs.
  [[nodiscard]] std::vector<SymbolId> newly_read_by(const AlgebraicStep& step,
                                                    std::vector<bool>& seen) const {
    std::vector<SymbolId> symbols;
    std::vector<Expr> open = expressions_of(step);
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      if (seen[static_cast<std::size_t>(e)]) continue;
      seen[static_cast<std::size_t>(e)] = true;
      const Node& node = graph_.node(e);
      if (node.op == Op::symbol) symbols.push_back(SymbolId{node.payload});
      const std::array<Expr, 3> operands{node.a, node.b, node.c};
      open.insert(open.end(), operands.begin(), operands.begin() + Graph::arity(node.op));
    }
    std::sort(symbols.begin(), symbols.end());
    return symbols;
  }

  /// The first of these symbols, or of what defines them, that is not known while starting.
  std::optional<SymbolId> waits_for(const std::vector<SymbolId>& symbols,
                                    std::unordered_set<SymbolId>& seen) {
    for (const SymbolId symbol : symbols) {
      if (!seen.insert(symbol).second) continue;
      if (waits_.contains(symbol)) return symbol;
      std::optional<SymbolId> open;
      if (const auto law = law_of_.find(symbol); law != law_of_.end())
        open =
            waits_for(graph_.symbols_of(std::vector{law->second->law, law->second->wanted}), seen);
      else if (const auto step = defined_by_.find(symbol); step != defined_by_.end())
        open = waits_for(read_by(surrogate_.algebra[step->second]), seen);
      if (open) return open;
    }
    return std::nullopt;
  }

  /// Of the element whose variable it is.
  [[nodiscard]] Location place_of(SymbolId symbol) const {
    const std::string_view path = graph_.symbol(symbol).path;
    for (const ElementId id : surrogate_.elements) {
      const Element& element = network_.elements[static_cast<std::size_t>(id)];
      if (path.starts_with(element.path) &&
          (path.size() == element.path.size() || path[element.path.size()] == '.'))
        return element.where;
    }
    return surrogate_.elements.empty()
               ? Location{}
               : network_.elements[static_cast<std::size_t>(surrogate_.elements.front())].where;
  }

  const Network& network_;
  const Graph& graph_;
  const Surrogate& surrogate_;
  Diagnostics& diagnostics_;
  std::unordered_set<SymbolId> waits_;  ///< states not started yet, histories
  std::unordered_map<SymbolId, std::size_t> defined_by_;
  std::unordered_map<SymbolId, const StartLaw*> law_of_;
};

}  // namespace

void check_definitions(const Network& network, const Surrogate& surrogate,
                       Diagnostics& diagnostics) {
  Definitions definitions(network, surrogate, diagnostics);
  definitions.check_algebra();
  definitions.check_starts();
}

}  // namespace takt::codegen
