// pre, and what is true at instants: edge, change, sample, initial in conditions of when-equations
// (Modelica Language Specification 3.6, sections 3.7.5, 8.3.5).

#include "codegen/modelica/evaluator.hpp"

namespace takt::codegen::modelica {

using Kind = FlatExpression::Kind;

/// @return nothing where the word is none of events, or stands where it means nothing to them
std::optional<Value> Evaluator::event_word(const FlatExpression& e, const Frame* frame) {
  const auto part = [&](std::size_t k) { return value(*e.parts[k], frame); };
  if (e.text == "pre" && !initial_ && e.parts.size() == 1)
    return map(part(0), [&](Expr x) { return before(x); });
  if (e.text == "initial" && !initial_ && e.parts.empty())
    return Value::of(graph_.use(initial_mark_));
  if (e.text == "sample" && !initial_ && e.parts.size() == 2)
    return Value::of(tick(scalar_of(part(0)), scalar_of(part(1))));
  return std::nullopt;
}

Expr Evaluator::before(Expr e) {
  const Node& node = graph_.node(e);
  if (!depends_on_variables(e)) return e;
  const SymbolId symbol{node.payload};
  if (node.op != Op::symbol || !is_variable(symbol))
    throw Refusal{"D021", "'pre' of what is no variable", "give it a name", {}};
  const auto found = befores_.find(symbol);
  if (found != befores_.end()) return graph_.use(found->second);
  const SymbolId made = graph_.make_symbol("pre(" + graph_.symbol(symbol).path + ")", "1");
  befores_[symbol] = made;
  return graph_.use(made);
}

/// What changes at events has a value before the start, all else begins with it.
Expr Evaluator::before_the_start(Expr e) {
  const Node node = graph_.node(e);
  const FlatVariable* declared = node.op == Op::symbol ? variable(SymbolId{node.payload}) : nullptr;
  return declared != nullptr && declared->is_discrete_type ? before(e) : e;
}

Expr Evaluator::tick(Expr first, Expr period) {
  for (const Expr each : {first, period})
    if (depends_on_variables(each))
      throw Refusal{"D021", "'sample' with times that are no parameters", "", {}};
  if (number(period, "it is the period of samples") <= 0.0)
    throw Refusal{"D007", "'sample' with a period that is not above 0", "", {}};
  (void)number(first, "samples begin with it");
  for (const SampleTick& each : ticks_)
    if (each.first == first && each.period == period) return graph_.use(each.symbol);
  const std::string name = "sample " + std::to_string(ticks_.size() + 1);
  ticks_.push_back({.symbol = graph_.make_symbol("$" + name, "1"),
                    .count = graph_.make_symbol(name, "1"),
                    .first = first,
                    .period = period});
  return graph_.use(ticks_.back().symbol);
}

std::vector<Expr> Evaluator::event_conditions(const FlatExpression& condition) {
  std::vector<Expr> made;
  if (condition.kind == Kind::array) {
    for (const FlatRef& each : condition.parts)
      for (const Expr one : event_conditions(*each)) made.push_back(one);
    return made;
  }
  const bool is_call = condition.kind == Kind::call && condition.parts.size() == 1;
  if (is_call && condition.text == "edge") return event_conditions(*condition.parts[0]);
  in_condition_ = true;
  try {
    made =
        flattened(value(is_call && condition.text == "change" ? *condition.parts[0] : condition));
  } catch (...) {
    in_condition_ = false;
    throw;
  }
  in_condition_ = false;
  if (!is_call || condition.text != "change") return made;
  for (const Expr each : std::vector<Expr>(made)) {
    const Node& node = graph_.node(each);
    const FlatVariable* declared =
        node.op == Op::symbol ? variable(SymbolId{node.payload}) : nullptr;
    if (declared == nullptr || declared->type != "Boolean")
      throw Refusal{"D021", "'change' of what is no truth value", "", condition.where};
    made.push_back(graph_.unary(Op::logical_not, each));
  }
  return made;
}

}  // namespace takt::codegen::modelica
