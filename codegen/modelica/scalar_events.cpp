#include "codegen/modelica/scalar_events.hpp"

#include <algorithm>

namespace takt::codegen::modelica {
namespace {

/// A target that a branch does not name keeps its value.
Expr value_in(const std::vector<ScalarEvent::Set>& sets, Expr target, Expr otherwise) {
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&](const auto& each) { return each.target == target; });
  return found == sets.end() ? otherwise : found->value;
}

}  // namespace

void ScalarEvents::add(const FlatWhen& when, std::size_t chain) {
  for (std::size_t k = 0; k < when.branches.size(); ++k) {
    const FlatWhenBranch& branch = when.branches[k];
    ScalarEvent made;
    made.conditions = evaluator_.event_conditions(*branch.condition);
    made.sets = sets_of(branch.actions);
    made.chain = chain;
    made.branch = k;
    made.origin = "a when-equation" + (when.sets.empty() ? "" : " " + when.sets);
    made.where = branch.where;
    into_.push_back(std::move(made));
  }
}

ScalarEvents::Sets ScalarEvents::sets_of(const std::vector<FlatWhenAction>& actions) {
  Sets made;
  for (const FlatWhenAction& each : actions) {
    switch (each.kind) {
      case FlatWhenAction::Kind::assign:
      case FlatWhenAction::Kind::reinit:
        add_target(each, made);
        break;
      case FlatWhenAction::Kind::check:
        ++assertions_;
        break;
      case FlatWhenAction::Kind::choose: {
        const Sets chosen = choice(each, 0);
        made.insert(made.end(), chosen.begin(), chosen.end());
        break;
      }
      case FlatWhenAction::Kind::other:
        throw Refusal{"D020", each.name + " in a when-equation",
                      "an event of a plant sets variables and states, nothing else", each.where};
    }
  }
  return made;
}

void ScalarEvents::add_target(const FlatWhenAction& action, Sets& sets) {
  const auto targets = flattened(evaluator_.name(action.name));
  const auto values = flattened(evaluator_.value(*action.value));
  if (targets.size() != values.size())
    throw Refusal{"D004", "'" + action.name + "' is set to a value of another size", "",
                  action.where};
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Node& node = evaluator_.graph().node(targets[k]);
    if (node.op != Op::symbol || !evaluator_.is_variable(SymbolId{node.payload}))
      throw Refusal{"D020", "'" + action.name + "' is set at an event and is no variable", "",
                    action.where};
    if (std::any_of(sets.begin(), sets.end(),
                    [&](const auto& each) { return each.target == targets[k]; }))
      throw Refusal{"D020", "'" + action.name + "' is set twice at one event", "", action.where};
    sets.push_back({.target = targets[k],
                    .value = values[k],
                    .is_reinit = action.kind == FlatWhenAction::Kind::reinit});
  }
}

ScalarEvents::Sets ScalarEvents::choice(const FlatWhenAction& action, std::size_t at) {
  if (at == action.conditions.size()) return sets_of(action.bodies.back());
  Expr condition = scalar_of(evaluator_.value(*action.conditions[at]));
  const Sets then = sets_of(action.bodies[at]), otherwise = choice(action, at + 1);
  return joined(condition, then, otherwise);
}

ScalarEvents::Sets ScalarEvents::joined(Expr condition, const Sets& then, const Sets& otherwise) {
  Graph& graph = evaluator_.graph();
  Sets made;
  const auto add = [&](const ScalarEvent::Set& each) {
    if (std::any_of(made.begin(), made.end(),
                    [&](const auto& one) { return one.target == each.target; }))
      return;
    const Expr kept = each.is_reinit ? each.target : evaluator_.before(each.target);
    made.push_back({.target = each.target,
                    .value = graph.select(condition, value_in(then, each.target, kept),
                                          value_in(otherwise, each.target, kept)),
                    .is_reinit = each.is_reinit});
  };
  for (const auto* list : {&then, &otherwise})
    for (const ScalarEvent::Set& each : *list) add(each);
  return made;
}

}  // namespace takt::codegen::modelica
