#include "codegen/modelica/scalar_equations.hpp"

#include <algorithm>

namespace takt::codegen::modelica {

void ScalarEquations::add(const FlatEquation& equation, const Frame* frame) {
  const std::size_t before = into_.equations->size();
  switch (equation.kind) {
    case FlatEquation::Kind::equality:
      add_equality(equation, frame);
      break;
    case FlatEquation::Kind::choose:
      add_choice(equation, frame);
      break;
    case FlatEquation::Kind::repeat:
      add_loop(equation, frame);
      break;
    case FlatEquation::Kind::call:
      if (equation.left->text != "assert")
        throw Refusal{"D021", "'" + equation.left->text + "' as an equation",
                      "only assert may stand alone: it is noted", equation.where};
      ++assertions_;
      break;
  }
  const std::size_t made = into_.equations->size() - before;
  // Of records rumoca counts one: whether all of theirs are there shows against the variables
  // (D010).
  const bool counted = equation.scalars >= 0 && made != static_cast<std::size_t>(equation.scalars);
  if (counted && !evaluator_.value(*equation.right, frame).is_record())
    throw Refusal{
        "D009",
        "it gives " + std::to_string(made) + " scalar equations, the front end counts " +
            std::to_string(equation.scalars),
        "this is a mistake of the import or of the front end: nothing is made of a part of a model",
        equation.where};
}

void ScalarEquations::add_equality(const FlatEquation& equation, const Frame* frame) {
  const Value zero = Value::of(evaluator_.graph().zero());
  if (equation.left != nullptr && equation.left->kind == FlatExpression::Kind::tuple) {
    const std::vector<Value> given = evaluator_.outputs(*equation.right, frame);
    if (given.size() < equation.left->parts.size())
      throw Refusal{"D004", "the right side gives less values than the left takes", "",
                    equation.where};
    for (std::size_t k = 0; k < equation.left->parts.size(); ++k)
      pair(evaluator_.value(*equation.left->parts[k], frame), given[k], equation);
    return;
  }
  const Value left = equation.left == nullptr ? zero : evaluator_.value(*equation.left, frame);
  pair(left, evaluator_.value(*equation.right, frame), equation);
}

void ScalarEquations::add_binding(const FlatVariable& variable) {
  FlatEquation made;
  made.origin = "binding of '" + variable.name + "'";
  made.where = variable.where;
  pair(evaluator_.name(variable.name), evaluator_.value(*variable.binding), made);
}

void ScalarEquations::add_value(const std::string& name, const Value& value,
                                const FlatEquation& of) {
  pair(evaluator_.name(name), value, of);
}

void ScalarEquations::pair_records(const Value& left, const Value& right, const FlatEquation& of) {
  const Value& named = left.is_record() ? left : right;
  for (std::size_t k = 0; k < named.fields.size(); ++k) {
    const Value* a = left.is_record() ? left.field(named.fields[k]) : &left;
    const Value* b = right.is_record() ? right.field(named.fields[k]) : &right;
    if (a == nullptr || b == nullptr)
      throw Refusal{"D004", "records with different fields are equated ('" + named.fields[k] + "')",
                    "", of.where};
    pair(*a, *b, of);
  }
}

void ScalarEquations::pair(const Value& left, const Value& right, const FlatEquation& of) {
  if (left.is_record() || right.is_record()) return pair_records(left, right, of);
  if (left.is_array() || right.is_array()) {
    const Value& array = left.is_array() ? left : right;
    const bool both = left.is_array() && right.is_array();
    const bool residual = of.left == nullptr && !left.is_array();
    if (both ? left.items.size() != right.items.size() : !residual && of.scalars < 0)
      throw Refusal{"D004", "the sides of an equation have different sizes", "", of.where};
    for (std::size_t k = 0; k < array.items.size(); ++k)
      pair(left.is_array() ? left.items[k] : left, right.is_array() ? right.items[k] : right, of);
    return;
  }
  if (left.is_text() || right.is_text()) {
    const Value& other = left.is_text() ? right : left;
    if (other.kind == Value::Kind::scalar)
      into_.texts->push_back(evaluator_.graph().text(other.scalar));
    if (other.is_text() && left.text != right.text)
      throw Refusal{"D028", "two texts that differ are equated", "", of.where};
    return;
  }
  into_.equations->push_back({left.scalar, right.scalar, of.origin, of.where});
}

/// Branches on variables: as many equations in each, joined one by one.
void ScalarEquations::add_choice(const FlatEquation& equation, const Frame* frame) {
  Graph& graph = evaluator_.graph();
  std::vector<std::pair<Expr, std::size_t>>
      open;  // conditions on variables, and where their equations begin
  const auto add_body = [&](std::size_t body) {
    for (const FlatEquation& each : equation.bodies[body]) add(each, frame);
  };
  std::size_t at = 0;
  for (; at < equation.conditions.size(); ++at) {
    Expr condition = scalar_of(evaluator_.value(*equation.conditions[at], frame));
    if (!evaluator_.depends_on_variables(condition))
      condition = graph.constant(
          evaluator_.number(condition, "a condition that chooses equations depends on it"));
    if (graph.is_constant(condition) && graph.node(condition).value < 0.5) continue;
    if (graph.is_constant(condition)) break;
    open.emplace_back(condition, into_.equations->size());
    add_body(at);
  }
  std::size_t last = into_.equations->size();
  add_body(at);
  for (; !open.empty(); open.pop_back()) {
    const auto [condition, first] = open.back();
    join(equation, {first, last}, condition);
    last = first;
  }
}

/// Equations [first, last) hold where the condition does, those from last on elsewhere.
void ScalarEquations::join(const FlatEquation& equation, std::pair<std::size_t, std::size_t> from,
                           Expr condition) {
  Graph& graph = evaluator_.graph();
  auto& all = *into_.equations;
  const auto [first, last] = from;
  if (all.size() - last != last - first)
    throw Refusal{"D009",
                  "the branches of an if-equation have " + std::to_string(last - first) + " and " +
                      std::to_string(all.size() - last) + " scalar equations",
                  "give each branch the same number", equation.where};
  for (std::size_t k = 0; k < last - first; ++k) {
    ScalarEquation& a = all[first + k];
    const ScalarEquation& b = all[last + k];
    const bool same = a.left == b.left;
    const Expr zero = graph.zero();
    a.right = same
                  ? graph.select(condition, a.right, b.right)
                  : graph.select(condition, graph.sub(a.left, a.right), graph.sub(b.left, b.right));
    if (!same) a.left = zero;
  }
  all.resize(last);
}

void ScalarEquations::add_loop(const FlatEquation& equation, const Frame* frame) {
  for (const double each : evaluator_.elements(*equation.range, frame)) {
    Frame inner{.values = {}, .outer = frame, .function = ""};
    inner.values[equation.iterator] = Value::of(evaluator_.graph().constant(each));
    for (const FlatEquation& one : equation.bodies.front()) add(one, &inner);
  }
}

}  // namespace takt::codegen::modelica
