// What names of a flat model are.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "codegen/modelica/evaluator.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

std::string with_subscript(const std::string& subscripts, std::size_t index) {
  return subscripts + (subscripts.empty() ? "" : ",") + std::to_string(index);
}

bool is_left_open(const FlatVariable& declared) {
  return declared.fixed != nullptr && declared.fixed->kind == FlatExpression::Kind::boolean &&
         declared.fixed->number == 0.0;
}

bool is_name(const FlatRef& expression, const std::string& name) {
  return expression != nullptr && expression->kind == FlatExpression::Kind::name &&
         expression->text == name;
}

/// What the initialisation says a parameter is: p := value, p = value, value = p.
FlatRef initial_value(const FlatModel& model, const std::string& name) {
  for (const FlatStatements& algorithm : model.initial_algorithms)
    for (const FlatStatement& each : algorithm)
      if (each.kind == FlatStatement::Kind::assign && each.name == name && each.subscripts.empty())
        return each.value;
  for (const FlatEquation& each : model.initial_equations) {
    if (is_name(each.left, name)) return each.right;
    if (is_name(each.right, name) && each.left != nullptr) return each.left;
  }
  return nullptr;
}

std::string path_of(const FlatVariable& declared, const std::string& subscripts) {
  return subscripts.empty() ? declared.name : declared.name + "[" + subscripts + "]";
}

}  // namespace

Evaluator::Evaluator(const FlatModel& model, Graph& graph, FixedParameters& fixed)
    : model_(model), graph_(graph), fixed_(fixed) {
  time_ = graph_.make_symbol("time", "s");
  mark_ = graph_.make_symbol("$literal", "1");
  initial_mark_ = graph_.make_symbol("$initial", "1");
  for (const FlatVariable& each : model.variables) declared_[each.name] = &each;
}

const FlatVariable* Evaluator::variable(SymbolId symbol) const {
  const auto found = variable_of_.find(symbol);
  return found == variable_of_.end() ? nullptr : found->second;
}

Value Evaluator::find(const std::string& name, const Frame* frame) {
  if (auto found = local(name, frame)) return std::move(*found);
  if (name == "time") return Value::of(graph_.use(time_));
  if (auto found = model_value(name)) return std::move(*found);
  if (const auto literal = model_.literals.find(name); literal != model_.literals.end())
    return Value::of(graph_.constant(literal->second));
  std::vector<std::string> known;
  for (const auto& [each, declared] : declared_) known.push_back(each);
  throw Refusal{"D003", "'" + name + "' is not declared", did_you_mean(name, known), {}};
}

/// The name, or the field of a record of that name.
std::optional<Value> Evaluator::local(const std::string& name, const Frame* frame) const {
  for (; frame != nullptr; frame = frame->outer) {
    for (std::size_t end = name.size(); end != std::string::npos && end > 0;
         end = name.rfind('.', end - 1)) {
      const auto found = frame->values.find(name.substr(0, end));
      if (found == frame->values.end()) continue;
      Value value = found->second;
      while (end < name.size()) {
        const std::size_t next = std::min(name.find('.', end + 1), name.size());
        const Value* part = value.field(name.substr(end + 1, next - end - 1));
        if (part == nullptr) throw Refusal{"D003", "'" + name + "' has no such field", "", {}};
        value = Value(*part);
        end = next;
      }
      return value;
    }
  }
  return std::nullopt;
}

Value Evaluator::name(const std::string& name) { return find(name, nullptr); }

std::optional<Value> Evaluator::model_value(const std::string& name) {
  if (const auto known = values_.find(name); known != values_.end()) return known->second;
  const auto found = declared_.find(name);
  std::optional<Value> made;
  if (found == declared_.end()) {
    made = gathered(name);
    if (!made) made = subscripted(name);
    if (!made) return std::nullopt;
  } else if (const FlatVariable& declared = *found->second;
             declared.variability == Variability::parameter ||
             declared.variability == Variability::constant) {
    made = parameter(declared);
  } else {
    if (!under_way_.insert(name).second)
      throw Refusal{"D003", "the size of '" + name + "' depends on itself", "", declared.where};
    made = symbols_of(declared, 0, "");
    under_way_.erase(name);
  }
  values_[name] = *made;
  return made;
}

Value Evaluator::symbols_of(const FlatVariable& declared, std::size_t dim,
                            const std::string& subscripts) {
  if (dim == declared.dims.size()) {
    if (variable_of_.size() >= 1'000'000)
      throw Refusal{"D004", "a model of more than a million variables", "", declared.where};
    const SymbolId symbol = graph_.find_or_make_symbol(path_of(declared, subscripts), "1");
    variable_of_[symbol] = &declared;
    return Value::of(graph_.use(symbol));
  }
  const double size = number(*declared.dims[dim], "the size of '" + declared.name + "'");
  if (!(size >= 0.0 && size <= 1e6 && size == std::floor(size)))
    throw Refusal{"D004", "the size of '" + declared.name + "' is " + number_text(size), "",
                  declared.where};
  Value made = Value::array({});
  for (std::size_t k = 1; k <= static_cast<std::size_t>(size); ++k)
    made.items.push_back(symbols_of(declared, dim + 1, with_subscript(subscripts, k)));
  return made;
}

/// A component that is a record, or an array of components: what stands below its name.
std::optional<Value> Evaluator::gathered(const std::string& name) {
  Value record{.kind = Value::Kind::record, .scalar = {}, .text = {}, .items = {}, .fields = {}};
  const std::string prefix = name + ".";
  std::vector<std::string> fields;
  for (auto each = declared_.lower_bound(prefix);
       each != declared_.end() && each->first.starts_with(prefix); ++each) {
    const std::string rest = each->first.substr(prefix.size());
    const std::string field = rest.substr(0, rest.find_first_of(".["));
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  }
  const auto instance = model_.record_instances.find(name);
  if (instance != model_.record_instances.end()) {
    const auto type = model_.record_types.find(instance->second);
    if (type != model_.record_types.end()) fields = type->second.fields;
  }
  for (const std::string& field : fields) {
    auto value = model_value(prefix + field);
    if (!value) return std::nullopt;
    record.fields.push_back(field);
    record.items.push_back(std::move(*value));
  }
  if (!record.items.empty()) return record;
  Value array = Value::array({});
  for (std::size_t k = 1;; ++k) {
    const std::string member = name + "[" + std::to_string(k) + "]";
    const auto below = declared_.lower_bound(member + ".");
    if (below == declared_.end() || !below->first.starts_with(member + ".")) break;
    auto value = model_value(member);
    if (!value) return std::nullopt;
    array.items.push_back(std::move(*value));
  }
  if (array.items.empty()) return std::nullopt;
  return array;
}

/// "x[2,1]" as one name.
std::optional<Value> Evaluator::subscripted(const std::string& name) {
  if (!name.ends_with(']')) return std::nullopt;
  const std::size_t open = name.rfind('[');
  if (open == std::string::npos || open == 0) return std::nullopt;
  auto value = model_value(name.substr(0, open));
  if (!value) return std::nullopt;
  const char* at = name.data() + open + 1;
  const char* end = name.data() + name.size() - 1;
  while (at < end) {
    std::size_t index = 0;
    const auto read = std::from_chars(at, end, index);
    if (read.ec != std::errc() || index == 0 || !value->is_array() || index > value->items.size())
      return std::nullopt;
    value = Value(value->items[index - 1]);
    at = read.ptr + (read.ptr < end && *read.ptr == ',' ? 1 : 0);
    if (read.ptr < end && *read.ptr != ',') return std::nullopt;
  }
  return value;
}

Value Evaluator::parameter_binding(const FlatVariable& declared) {
  if (declared.binding != nullptr) return value(*declared.binding);
  if (is_left_open(declared)) {
    if (const FlatRef given = initial_value(model_, declared.name))
      return initial_binding(declared, *given);
    if (declared.is_discrete_type)
      throw Refusal{
          "D008", "parameter '" + declared.name + "' is left to the initialisation (fixed = false)",
          "give it a value, or an initial equation that says what it is", declared.where};
    held_.push_back(&declared);
    return symbols_of(declared, 0, "");
  }
  if (declared.start != nullptr) return value(*declared.start);
  throw Refusal{"D008", "parameter '" + declared.name + "' has no value",
                "give it one where the model is used, (" + declared.name + " = ...)",
                declared.where};
}

/// Of other parameters, or of variables at the start: then it is held.
Value Evaluator::initial_binding(const FlatVariable& declared, const FlatExpression& given) {
  const bool initial = std::exchange(initial_, true);
  Value made;
  try {
    made = value(given);
  } catch (...) {
    initial_ = initial;
    throw;
  }
  initial_ = initial;
  const bool is_truth = declared.type == "Boolean" && declared.dims.empty();
  if (made.is_text() || made.is_record() || (declared.is_discrete_type && !is_truth)) return made;
  // Time begins with 0.
  made = map(made, [&](Expr each) { return graph_.substitute(each, {{time_, graph_.zero()}}); });
  const std::vector<Expr> scalars = flattened(made);
  if (std::none_of(scalars.begin(), scalars.end(),
                   [&](Expr each) { return depends_on_variables(each); }))
    return made;
  held_.push_back(&declared);
  const Value symbols = symbols_of(declared, 0, "");
  if (!is_truth) return symbols;
  truths_at_start_[declared.name] = made.scalar;
  return Value::of(graph_.binary(Op::less, graph_.constant(0.5), symbols.scalar));
}

Value Evaluator::parameter(const FlatVariable& declared) {
  if (!under_way_.insert(declared.name).second)
    throw Refusal{"D003", "the value of parameter '" + declared.name + "' depends on itself", "",
                  declared.where};
  const int literal = std::exchange(literal_, 0);
  Value made;
  try {
    made = parameter_binding(declared);
  } catch (...) {
    under_way_.erase(declared.name);
    literal_ = literal;
    throw;
  }
  under_way_.erase(declared.name);
  literal_ = literal;
  if (std::find(held_.begin(), held_.end(), &declared) != held_.end()) return made;
  if (!declared.dims.empty() && !made.is_array()) {
    std::vector<std::size_t> sizes;
    for (const FlatRef& dim : declared.dims)
      if (dim->kind != FlatExpression::Kind::all)
        sizes.push_back(
            static_cast<std::size_t>(number(*dim, "the size of '" + declared.name + "'")));
    made = filled(made, sizes);
  }
  return named_scalars(made, declared, "");
}

Value Evaluator::named_scalars(const Value& value, const FlatVariable& declared,
                               const std::string& subscripts) {
  if (value.is_text() || value.is_record()) return value;
  if (value.is_array()) {
    Value made = value;
    for (std::size_t k = 0; k < made.items.size(); ++k)
      made.items[k] = named_scalars(value.items[k], declared, with_subscript(subscripts, k + 1));
    return made;
  }
  return Value::of(tunable_or_fixed(declared, path_of(declared, subscripts), value.scalar));
}

Expr Evaluator::tunable_or_fixed(const FlatVariable& declared, const std::string& path,
                                 Expr given) {
  if (depends_on_held_alone(given) && !declared.is_discrete_type) return given;
  if (depends_on_variables(given))
    throw Refusal{"D007", "parameter '" + path + "' depends on a variable", "bind it to parameters",
                  declared.where};
  if (declared.is_discrete_type && declared.variability == Variability::parameter &&
      !declared.is_final)
    fixed_.emplace(path, "it is a whole number, a truth value or a choice");
  if (declared.is_discrete_type)
    return graph_.constant(
        number(given, "the whole number, truth value or choice '" + path + "' depends on it"));
  if (declared.variability == Variability::constant || declared.is_final || is_left_open(declared))
    return given;
  if (declared.evaluate) {
    fixed_.emplace(path, "the model says Evaluate = true");
    return graph_.constant(number(given, "'" + path + "' is evaluated and depends on it"));
  }
  if (fixed_.contains(path))
    return graph_.constant(number(given, "'" + path + "' is a number and depends on it"));
  const SymbolId symbol = graph_.find_or_make_symbol(path, "1");
  tunable_[symbol] = {&declared, path, given};
  return graph_.use(symbol);
}

/// On parameters that the start determines, and at least one of them.
bool Evaluator::depends_on_held_alone(Expr e) {
  bool found = false;
  for (const SymbolId symbol : graph_.symbols_of(e)) {
    if (symbol == mark_ || tunable_.contains(symbol)) continue;
    const FlatVariable* of = variable(symbol);
    if (of == nullptr || std::find(held_.begin(), held_.end(), of) == held_.end()) return false;
    found = true;
  }
  return found;
}

bool Evaluator::depends_on_variables(Expr e) {
  const auto symbols = graph_.symbols_of(e);
  return std::any_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
    return symbol != mark_ && !tunable_.contains(symbol);
  });
}

std::optional<double> Evaluator::value_now(Expr e) {
  if (graph_.is_constant(e)) return graph_.node(e).value;
  for (const SymbolId symbol : graph_.symbols_of(e)) {
    if (symbol == mark_ || numbers_.contains(symbol)) continue;
    const auto found = tunable_.find(symbol);
    if (found == tunable_.end()) return std::nullopt;
    const auto value = value_now(found->second.value);
    if (!value) return std::nullopt;
    numbers_[symbol] = *value;
  }
  return graph_.evaluate(
      e, [&](SymbolId symbol) { return symbol == mark_ ? 1.0 : numbers_.at(symbol); });
}

double Evaluator::number(Expr e, const std::string& reason) {
  const auto value = value_now(e);
  if (!value)
    throw Refusal{"D007",
                  reason + ": it depends on a variable, and must be known before the plant is made",
                  "make it a parameter",
                  {}};
  for (const SymbolId symbol : graph_.symbols_of(e)) {
    if (symbol == mark_) continue;
    const TunableParameter& read = tunable_.at(symbol);
    if (!fixed_.emplace(read.name, reason).second) continue;
    (void)number(read.value, reason);
  }
  return *value;
}

double Evaluator::number(const FlatExpression& expression, const std::string& reason,
                         const Frame* frame) {
  return number(scalar_of(value(expression, frame)), reason);
}

/// d/dt by the chain rule; rates of variables are symbols of their own.
Expr Evaluator::derivative(Expr e) {
  for (auto each = semi_linear_.rbegin(); each != semi_linear_.rend(); ++each)
    e = graph_.substitute(e, {{each->symbol, each->value(graph_, mark_)}});
  Expr sum = graph_.zero();
  for (const SymbolId symbol : graph_.symbols_of(e)) {
    if (symbol == mark_ || tunable_.contains(symbol)) continue;
    Expr rate = graph_.one();
    if (symbol != time_) {
      const auto found = derivatives_.find(symbol);
      if (!is_variable(symbol))
        throw Refusal{"D002",
                      "a rate of the rate " + graph_.symbol(symbol).path,
                      "give the rate a name: v = der(x); a = der(v)",
                      {}};
      const SymbolId made =
          found != derivatives_.end()
              ? found->second
              : graph_.make_symbol("der(" + graph_.symbol(symbol).path + ")", "1");
      derivatives_[symbol] = made;
      rate = graph_.use(made);
    }
    sum = graph_.add(sum, graph_.mul(graph_.differentiate(e, symbol), rate));
  }
  return sum;
}

}  // namespace takt::codegen::modelica
