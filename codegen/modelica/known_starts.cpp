#include "codegen/modelica/known_starts.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {
namespace {

class KnownStarts {
 public:
  KnownStarts(ScalarModel& model, ReducedModel& reduced)
      : model_(model), reduced_(reduced), graph_(model.graph) {}

  std::vector<ScalarEquation> take() {
    std::vector<ScalarEquation> rest;
    for (const ScalarEquation& each : reduced_.initial)
      if (!is_start_value(each)) rest.push_back(each);
    // One after the other: what is set at the start may read what else is.
    const auto known = [&] {
      return std::find_if(rest.begin(), rest.end(), [&](const ScalarEquation& each) {
        return is_known_at_start(each, rest);
      });
    };
    for (auto found = known(); found != rest.end(); found = known()) rest.erase(found);
    return rest;
  }

 private:
  ScalarVariable& variable(SymbolId symbol) {
    return model_.variables[model_.variable_of.at(symbol)];
  }
  [[nodiscard]] double start_of(SymbolId symbol,
                                const std::unordered_map<SymbolId, double>& given) {
    return start_value(graph_, variable(symbol).start, given);
  }

  /// x = value over parameters: a fixed start value.
  bool is_start_value(const ScalarEquation& equation) {
    // Time begins with 0.
    const Expr difference = graph_.substitute(graph_.sub(equation.left, equation.right),
                                              {{model_.time, graph_.zero()}});
    if (graph_.is_constant(difference) && std::fabs(graph_.node(difference).value) <= 1e-12)
      return true;
    for (const auto& [side, value] :
         {std::pair(equation.left, equation.right), std::pair(equation.right, equation.left)}) {
      const Node node = graph_.node(side);
      if (node.op != Op::symbol || (!reduced_.rates.contains(SymbolId{node.payload}) &&
                                    !is_held(model_, SymbolId{node.payload})))
        continue;
      if (!is_of_parameters(model_, value)) continue;
      ScalarVariable& state = variable(SymbolId{node.payload});
      if (state.fixed && state.start.value_or(graph_.zero()) != value) return false;
      state.start = value;
      state.fixed = true;
      return true;
    }
    return false;
  }

  /// held = value of the time, parameters and fixed starts: no system is to be solved for it.
  bool is_known_at_start(const ScalarEquation& equation, const std::vector<ScalarEquation>& open) {
    if (!sets_held(model_, equation)) return false;
    auto given = given_values(model_);
    for (const SymbolId symbol : reduced_.states)
      if (variable(symbol).fixed) given[symbol] = start_of(symbol, given);
    for (const SymbolId symbol : reduced_.inputs) given[symbol] = start_of(symbol, given);
    for (const SymbolId symbol : reduced_.held)
      if (!is_truth(model_, symbol) &&
          std::none_of(open.begin(), open.end(), [&](const ScalarEquation& each) {
            return graph_.depends_on(each.left, symbol);
          }))
        given[symbol] = start_of(symbol, given);
    const auto symbols = graph_.symbols_of(equation.right);
    if (!std::all_of(symbols.begin(), symbols.end(),
                     [&](SymbolId symbol) { return given.contains(symbol); }))
      return false;
    ScalarVariable& held = variable(SymbolId{graph_.node(equation.left).payload});
    held.start = graph_.constant(
        graph_.evaluate(equation.right, [&](SymbolId symbol) { return given.at(symbol); }));
    for (const SymbolId symbol : symbols) fix(symbol);
    return true;
  }

  /// A parameter that a start was computed with, and those that its value is made of.
  void fix(SymbolId symbol) {
    const auto found = model_.parameters.find(symbol);
    if (found == model_.parameters.end()) return;
    model_.fixed_parameters.emplace(found->second.name,
                                    "the start of the model was solved with it");
    for (const SymbolId each : graph_.symbols_of(found->second.value)) fix(each);
  }

  ScalarModel& model_;
  ReducedModel& reduced_;
  Graph& graph_;
};

}  // namespace

bool is_truth(const ScalarModel& model, SymbolId symbol) {
  return std::any_of(model.truths.begin(), model.truths.end(),
                     [&](const HeldTruth& each) { return each.symbol == symbol; });
}

bool sets_held(const ScalarModel& model, const ScalarEquation& equation) {
  const Node& node = model.graph.node(equation.left);
  return node.op == Op::symbol && is_held(model, SymbolId{node.payload});
}

std::vector<ScalarEquation> take_known_starts(ScalarModel& model, ReducedModel& reduced) {
  return KnownStarts(model, reduced).take();
}

}  // namespace takt::codegen::modelica
