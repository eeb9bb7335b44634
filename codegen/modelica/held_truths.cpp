#include "codegen/modelica/events.hpp"
#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {
namespace {

bool changes_at_events(const ScalarModel& model, SymbolId symbol) {
  const auto found = model.variable_of.find(symbol);
  if (found == model.variable_of.end()) return false;
  const ScalarVariable& variable = model.variables[found->second];
  return variable.is_held || variable.declared->is_discrete_type ||
         variable.declared->variability == Variability::discrete;
}

/// With start values as they are guessed or solved for.
double at_start(ScalarModel& model, const ReducedModel& reduced, Expr e) {
  auto values = given_values(model);
  for (const auto* list : {&reduced.inputs, &reduced.states, &reduced.unknowns, &reduced.held})
    for (const SymbolId symbol : *list) {
      const auto& start = model.variables[model.variable_of.at(symbol)].start;
      const auto known = [&](SymbolId each) { return values.at(each); };
      values[symbol] = start ? model.graph.evaluate(*start, known) : 0.0;
    }
  return model.graph.evaluate(e, [&](SymbolId symbol) {
    const auto found = values.find(symbol);
    return found == values.end() ? 0.0 : found->second;
  });
}

}  // namespace

void hold_truths(ScalarModel& model, Diagnostics& diagnostics) {
  Graph& graph = model.graph;
  std::unordered_map<SymbolId, Expr> afters;
  for (const auto& [symbol, before] : model.befores) afters[before] = graph.use(symbol);
  std::vector<ScalarEquation> rest;
  for (ScalarEquation& each : model.equations) {
    bool taken = false;
    for (const auto& [side, value] :
         {std::pair(each.left, each.right), std::pair(each.right, each.left)}) {
      const Node node = graph.node(side);
      if (node.op != Op::symbol || taken) continue;
      const SymbolId symbol{node.payload};
      const auto variable = model.variable_of.find(symbol);
      const auto before = model.befores.find(symbol);
      if (variable == model.variable_of.end() || before == model.befores.end() ||
          !graph.depends_on(value, before->second) || graph.depends_on(value, symbol))
        continue;
      ScalarVariable& held = model.variables[variable->second];
      if (held.is_given() || held.declared->type != "Boolean") continue;
      const auto with = [&](double was) {
        const Expr now = graph.substitute(value, {{before->second, graph.constant(was)}});
        return graph.substitute(now, afters);
      };
      held.is_held = taken = true;
      model.truths.push_back(
          {symbol, with(0.0), graph.unary(Op::logical_not, with(1.0)), each.where});
    }
    if (taken) continue;
    for (const auto& [symbol, before] : model.befores)
      if (!changes_at_events(model, symbol) &&
          (graph.depends_on(each.left, before) || graph.depends_on(each.right, before)))
        diagnostics.error("D021", each.where,
                          each.origin + ": 'pre' of '" + graph.symbol(symbol).path +
                              "', which changes between events",
                          "read the variable itself, or set another at an event");
    rest.push_back(std::move(each));
  }
  model.equations = std::move(rest);
}

void hold_relations(ScalarModel& model, ReducedModel& reduced, const std::set<Expr>& relations) {
  Graph& graph = model.graph;
  std::map<Expr, Expr> truths;
  for (const Expr each : relations) {
    const SymbolId symbol = graph.make_symbol("relation " + std::to_string(truths.size() + 1), "1");
    truths[each] = graph.binary(Op::less, graph.constant(0.5), graph.use(symbol));
    model.truths.push_back({.symbol = symbol,
                            .on = each,
                            .off = graph.unary(Op::logical_not, each),
                            .where = {},
                            .starts_on = at_start(model, reduced, each) > 0.5});
    reduced.relations.push_back(symbol);
  }
  const auto replaced = [&](Expr root) {
    std::unordered_map<Expr, Expr> made;
    for (const Expr e : graph.reachable({root})) {
      const Node node = graph.node(e);
      const auto part = [&](Expr operand, int k) {
        return k < Graph::arity(node.op) ? made.at(operand) : operand;
      };
      const auto truth = truths.find(e);
      made[e] = truth != truths.end() ? truth->second
                : Graph::arity(node.op) == 0
                    ? e
                    : graph.rebuild(node, part(node.a, 0), part(node.b, 1), part(node.c, 2));
    }
    return made.at(root);
  };
  for (ScalarEquation& each : reduced.equations)
    each.left = replaced(each.left), each.right = replaced(each.right);
}

}  // namespace takt::codegen::modelica
