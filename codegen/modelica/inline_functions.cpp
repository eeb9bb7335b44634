// Functions of a flat model, written out where they are called: loops over ranges that are known
// are unrolled, branches on variables become choices.

#include <algorithm>

#include "codegen/modelica/evaluator.hpp"

namespace takt::codegen::modelica {
namespace {

constexpr int deepest_call = 100;

void collect_targets(const FlatStatements& statements, std::set<std::string>& into) {
  for (const FlatStatement& each : statements) {
    if (each.kind == FlatStatement::Kind::assign) into.insert(each.name);
    for (const std::string& target : each.targets)
      if (!target.empty()) into.insert(target);
    for (const FlatStatements& body : each.bodies) collect_targets(body, into);
  }
}

}  // namespace

/// A function of scalars called with arrays is called for every element.
std::optional<Value> Evaluator::by_element(const FlatFunction& function,
                                           const std::vector<Value>& arguments,
                                           const FlatExpression& call) {
  std::size_t size = 0;
  bool vectorised = false;
  const auto spread = [&](std::size_t k) {
    return k < function.inputs.size() && arguments[k].is_array() &&
           function.inputs[k].dims.empty() && !function.inputs[k].is_record;
  };
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (!spread(k)) continue;
    if (vectorised && size != arguments[k].items.size())
      throw Refusal{"D004", "'" + call.text + "' is called with arrays of different sizes", "",
                    call.where};
    vectorised = true;
    size = arguments[k].items.size();
  }
  if (!vectorised) return std::nullopt;
  Value made = Value::array({});
  for (std::size_t element = 0; element < size; ++element) {
    std::vector<Value> one = arguments;
    for (std::size_t k = 0; k < one.size(); ++k)
      if (spread(k)) one[k] = Value(arguments[k].items[element]);
    made.items.push_back(inlined(function, one, call));
  }
  return made;
}

Value Evaluator::blank(const FlatArgument& argument, const Frame& frame) {
  std::vector<std::size_t> sizes;
  for (const FlatRef& dim : argument.dims) {
    if (dim->kind == FlatExpression::Kind::all) return Value::array({});
    sizes.push_back(static_cast<std::size_t>(number(*dim, "the size of a local array", &frame)));
  }
  const auto type = model_.record_types.find(argument.type);
  Value made = Value::of(graph_.zero());
  if (argument.is_record || type != model_.record_types.end()) {
    made = {.kind = Value::Kind::record, .scalar = {}, .text = {}, .items = {}, .fields = {}};
    if (type != model_.record_types.end()) made.fields = type->second.fields;
    made.items.assign(made.fields.size(), Value::of(graph_.zero()));
  }
  return filled(made, sizes);
}

/// Where one value is wanted of several, it is the first.
Value Evaluator::inlined(const FlatFunction& function, const std::vector<Value>& arguments,
                         const FlatExpression& call) {
  if (auto made = by_element(function, arguments, call)) return std::move(*made);
  std::vector<Value> outputs = written_out(function, arguments, call);
  if (outputs.empty())
    throw Refusal{"D005", "function '" + function.name + "' gives nothing",
                  "it cannot stand in an expression", call.where};
  return std::move(outputs.front());
}

std::vector<Value> Evaluator::outputs(const FlatExpression& call, const Frame* frame) {
  const auto function = model_.functions.find(call.text);
  if (call.kind != FlatExpression::Kind::call || function == model_.functions.end())
    return {value(call, frame)};
  std::vector<Value> arguments;
  for (const FlatRef& part : call.parts) arguments.push_back(value(*part, frame));
  return written_out(function->second, arguments, call);
}

std::vector<Value> Evaluator::written_out(const FlatFunction& function,
                                          const std::vector<Value>& arguments,
                                          const FlatExpression& call) {
  if (function.is_external)
    throw Refusal{
        "D005",
        "'" + function.name + "' is an external function ('" + function.external_name + "')",
        "only functions written in Modelica can be imported", call.where};
  if (depth_ >= deepest_call)
    throw Refusal{
        "D006",
        "'" + function.name + "' calls itself, or more than 100 functions stand in each other", "",
        call.where};
  functions_used_.insert(function.name);
  Frame frame{.values = {}, .outer = nullptr, .function = function.name};
  if (arguments.size() > function.inputs.size())
    throw Refusal{
        "D004",
        "'" + function.name + "' takes " + std::to_string(function.inputs.size()) + " arguments",
        "", call.where};
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const FlatExpression& given = *call.parts[k];
    frame.values[given.kind == FlatExpression::Kind::named ? given.text : function.inputs[k].name] =
        arguments[k];
  }
  struct Nested {
    int &depth, &literal;
    Nested(int& d, int& l) : depth(d), literal(l) { ++depth, ++literal; }
    ~Nested() { --depth, --literal; }
  } nested(depth_, literal_);
  for (const FlatArgument& input : function.inputs) {
    if (frame.values.contains(input.name)) continue;
    if (input.value == nullptr)
      throw Refusal{"D004", "argument '" + input.name + "' of '" + function.name + "' is not given",
                    "", call.where};
    frame.values[input.name] = value(*input.value, &frame);
  }
  for (const auto* list : {&function.outputs, &function.locals})
    for (const FlatArgument& each : *list)
      frame.values[each.name] =
          each.value != nullptr ? value(*each.value, &frame) : blank(each, frame);
  if (function.body.empty() && !function.outputs.empty() &&
      std::all_of(function.outputs.begin(), function.outputs.end(),
                  [](const auto& o) { return o.value == nullptr; }))
    throw Refusal{"D005", "function '" + function.name + "' has no body",
                  "the front end has left it out; give the flat JSON of rumoca, or Base Modelica "
                  "of OpenModelica",
                  call.where};
  run(function.body, frame);
  std::vector<Value> made;
  for (const FlatArgument& each : function.outputs) made.push_back(frame.values[each.name]);
  return made;
}

Evaluator::Flow Evaluator::run(const FlatStatements& statements, Frame& frame) {
  for (const FlatStatement& statement : statements)
    if (const Flow flow = run_one(statement, frame); flow != Flow::on) return flow;
  return Flow::on;
}

Evaluator::Flow Evaluator::run_one(const FlatStatement& statement, Frame& frame) {
  using Kind = FlatStatement::Kind;
  switch (statement.kind) {
    case Kind::assign:
      return assign(statement, frame), Flow::on;
    case Kind::assign_many:
      return assign_many(statement, frame), Flow::on;
    case Kind::choose:
      return run_choice(statement, 0, frame);
    case Kind::repeat:
      return run_loop(statement, frame);
    case Kind::check:
      return ++assertions_, Flow::on;
    case Kind::leave:
      return Flow::left_function;
    case Kind::quit:
      return Flow::left_loop;
    case Kind::nothing:
      return Flow::on;
    case Kind::repeat_while:
    case Kind::other:
      break;
  }
  throw Refusal{"D006",
                (statement.kind == Kind::repeat_while ? "a while loop" : statement.name) + " in '" +
                    frame.function + "'",
                "loops over ranges, branches and assignments can be imported", statement.where};
}

Evaluator::Flow Evaluator::run_loop(const FlatStatement& statement, Frame& frame) {
  const auto hidden = frame.values.find(statement.name) == frame.values.end()
                          ? std::optional<Value>()
                          : std::optional(frame.values[statement.name]);
  Flow flow = Flow::on;
  for (const double each : elements(*statement.value, &frame)) {
    frame.values[statement.name] = Value::of(graph_.constant(each));
    flow = run(statement.bodies.front(), frame);
    if (flow != Flow::on) break;
  }
  frame.values.erase(statement.name);
  if (hidden) frame.values[statement.name] = *hidden;
  return flow == Flow::left_function ? flow : Flow::on;
}

Evaluator::Flow Evaluator::run_choice(const FlatStatement& statement, std::size_t at,
                                      Frame& frame) {
  if (at == statement.conditions.size()) return run(statement.bodies[at], frame);
  Expr condition = scalar_of(value(*statement.conditions[at], &frame));
  if (!depends_on_variables(condition))
    condition =
        graph_.constant(number(condition, "a branch of '" + frame.function + "' depends on it"));
  if (graph_.is_constant(condition))
    return graph_.node(condition).value > 0.5 ? run(statement.bodies[at], frame)
                                              : run_choice(statement, at + 1, frame);
  Frame other = frame;
  const Flow flow = run(statement.bodies[at], frame),
             other_flow = run_choice(statement, at + 1, other);
  if (flow != Flow::on || other_flow != Flow::on)
    throw Refusal{"D006",
                  "'return' or 'break' on a condition on variables in '" + frame.function + "'", "",
                  statement.where};
  for (auto& [name, here] : frame.values) {
    const auto there = other.values.find(name);
    if (there != other.values.end() && !(here == there->second))
      here = selected(condition, here, there->second);
  }
  return Flow::on;
}

/// What an algorithm gives to each variable, from what they are before it.
std::vector<std::pair<std::string, Value>> Evaluator::assigned(const FlatStatements& algorithm,
                                                               const std::string& origin) {
  Frame frame{.values = {}, .outer = nullptr, .function = origin};
  std::set<std::string> targets;
  collect_targets(algorithm, targets);
  for (const std::string& each : targets) frame.values[each] = name(each);
  try {
    if (run(algorithm, frame) != Flow::on)
      throw Refusal{"D024", "'return' in an algorithm", "", {}};
  } catch (const Refusal& refusal) {
    if (refusal.code != "D006") throw;
    throw Refusal{"D024", refusal.message, refusal.hint, refusal.where};
  }
  std::vector<std::pair<std::string, Value>> made;
  for (const std::string& each : targets) made.emplace_back(each, frame.values[each]);
  return made;
}

void Evaluator::assign(const FlatStatement& statement, Frame& frame) {
  const Value given = value(*statement.value, &frame);
  const auto whole = frame.values.find(statement.name);
  if (whole != frame.values.end()) return put_at(whole->second, statement, given, frame);
  std::string rest = statement.name;
  const std::size_t dot = rest.find('.');
  const auto found = frame.values.find(rest.substr(0, dot));
  if (found == frame.values.end())
    throw Refusal{"D003", "'" + rest + "' is not declared in '" + frame.function + "'", "",
                  statement.where};
  Value* target = &found->second;
  while (const std::size_t next = rest.find('.')) {
    if (next == std::string::npos) break;
    rest = rest.substr(next + 1);
    const std::string field = rest.substr(0, rest.find('.'));
    if (target->field(field) == nullptr) {
      if (!target->is_record())
        throw Refusal{"D003", "'" + statement.name + "' is no field", "", statement.where};
      target->fields.push_back(field);
      target->items.push_back(Value::of(graph_.zero()));
    }
    target = target->field(field);
  }
  put_at(*target, statement, given, frame);
}

void Evaluator::put_at(Value& target, const FlatStatement& statement, const Value& given,
                       const Frame& frame) {
  std::vector<Value> subscripts;
  for (const FlatRef& each : statement.subscripts)
    subscripts.push_back(each->kind == FlatExpression::Kind::all ? Value::of(std::string(":"))
                                                                 : value(*each, &frame));
  put(target, subscripts, given);
}

void Evaluator::put(Value& into, const std::vector<Value>& subscripts, const Value& value) {
  if (subscripts.empty()) {
    // An assignment to an array of known size keeps its shape: x := 0 is refused by the language,
    // {...} fits.
    into = value;
    return;
  }
  if (!into.is_array())
    throw Refusal{"D004", "an assignment to an element of what is no array", "", {}};
  const std::vector<Value> rest(subscripts.begin() + 1, subscripts.end());
  const Value& which = subscripts.front();
  if (which.is_text() || which.is_array()) {
    const std::size_t count = which.is_text() ? into.items.size() : which.items.size();
    if (value.is_array() && value.items.size() != count)
      throw Refusal{"D004",
                    "an assignment of " + std::to_string(value.items.size()) + " values to " +
                        std::to_string(count),
                    "",
                    {}};
    for (std::size_t k = 0; k < count; ++k) {
      const Value one =
          which.is_text() ? Value::of(graph_.constant(static_cast<double>(k + 1))) : which.items[k];
      std::vector<Value> path{one};
      path.insert(path.end(), rest.begin(), rest.end());
      put(into, path, value.is_array() ? value.items[k] : value);
    }
    return;
  }
  const double index = number(scalar_of(which), "a subscript depends on it");
  if (!(index >= 1.0 && index <= static_cast<double>(into.items.size())))
    throw Refusal{"D004",
                  "an assignment outside of an array of " + std::to_string(into.items.size()),
                  "",
                  {}};
  put(into.items[static_cast<std::size_t>(index) - 1], rest, value);
}

void Evaluator::assign_many(const FlatStatement& statement, Frame& frame) {
  const std::vector<Value> given = outputs(*statement.value, &frame);
  if (given.size() < statement.targets.size())
    throw Refusal{"D004", "a call that gives less than is taken from it", "", statement.where};
  for (std::size_t k = 0; k < statement.targets.size(); ++k) {
    if (statement.targets[k].empty()) continue;
    const auto found = frame.values.find(statement.targets[k]);
    if (found == frame.values.end())
      throw Refusal{"D003", "'" + statement.targets[k] + "' is not declared", "", statement.where};
    found->second = given[k];
  }
}

}  // namespace takt::codegen::modelica
