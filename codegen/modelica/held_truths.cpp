#include <algorithm>

#include "codegen/modelica/events.hpp"
#include "codegen/modelica/point_values.hpp"
#include "codegen/modelica/rewritten.hpp"

namespace takt::codegen::modelica {
namespace {

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

bool changes_at_events(const ScalarModel& model, SymbolId symbol) {
  const auto found = model.variable_of.find(symbol);
  if (found == model.variable_of.end()) return false;
  const ScalarVariable& variable = model.variables[found->second];
  return variable.is_held || variable.declared->is_discrete_type ||
         variable.declared->variability == Variability::discrete;
}

void refuse_initial_words(const ScalarModel& model, Diagnostics& diagnostics) {
  const Graph& graph = model.graph;
  const auto refuse = [&](const Location& where, const std::string& origin,
                          const std::string& what) {
    diagnostics.error("D021", where, origin + ": 'initial' in " + what,
                      "write it in the condition of a when-equation");
  };
  for (const ScalarEquation& each : model.equations) {
    if (!graph.depends_on(each.left, model.initial_mark) &&
        !graph.depends_on(each.right, model.initial_mark))
      continue;
    for (const Expr side : {each.left, each.right}) {
      const Node node = graph.node(side);
      if (node.op == Op::symbol && changes_at_events(model, SymbolId{node.payload}))
        refuse(each.where, each.origin, "an equation of what changes at events");
    }
  }
  for (const ScalarEvent& event : model.events)
    for (const ScalarEvent::Set& each : event.sets)
      if (!event.of_clock && graph.depends_on(each.value, model.initial_mark))
        refuse(event.where, event.origin, "what an event sets");
}

void split_start(ScalarModel& model, ReducedModel& reduced) {
  Graph& graph = model.graph;
  const std::unordered_map<SymbolId, Expr> begins = {{model.initial_mark, graph.one()}},
                                           runs = {{model.initial_mark, graph.zero()}};
  const bool reads = std::any_of(reduced.equations.begin(), reduced.equations.end(),
                                 [&](const ScalarEquation& each) {
                                   return graph.depends_on(each.left, model.initial_mark) ||
                                          graph.depends_on(each.right, model.initial_mark);
                                 });
  if (reads) reduced.at_start = reduced.equations;
  for (ScalarEquation& each : reduced.at_start)
    each.left = graph.substitute(each.left, begins),
    each.right = graph.substitute(each.right, begins);
  for (ScalarEquation& each : reduced.equations)
    each.left = graph.substitute(each.left, runs), each.right = graph.substitute(each.right, runs);
  for (Named& each : reduced.named) each.value = graph.substitute(each.value, runs);
}

namespace {

/// Of parameters that the start has determined.
bool rests(const ScalarModel& model, Expr relation) {
  const auto symbols = model.graph.symbols_of(relation);
  return std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
    const auto found = model.variable_of.find(symbol);
    return found == model.variable_of.end()
               ? model.parameters.contains(symbol) || symbol == model.literal_mark
               : model.variables[found->second].declared->variability == Variability::parameter;
  });
}

}  // namespace

void hold_relations(ScalarModel& model, ReducedModel& reduced, const std::set<Expr>& relations) {
  Graph& graph = model.graph;
  std::map<Expr, Expr> truths;
  for (const Expr each : relations) {
    if (rests(model, each)) {
      truths[each] = at_start(model, reduced, each) > 0.5 ? graph.one() : graph.zero();
      continue;
    }
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
    return rewritten(graph, root, [&](Expr e, const Node&) {
      const auto truth = truths.find(e);
      return truth == truths.end() ? std::nullopt : std::optional(truth->second);
    });
  };
  for (ScalarEquation& each : reduced.equations)
    each.left = replaced(each.left), each.right = replaced(each.right);
}

}  // namespace takt::codegen::modelica
