#include "codegen/modelica/evaluator.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

using Kind = FlatExpression::Kind;

Op op_of(std::string_view text) {
  switch (text.back()) {
    case '+':
      return Op::add;
    case '-':
      return Op::sub;
    case '*':
      return Op::mul;
    case '/':
      return Op::div;
    default:
      return Op::pow;
  }
}

bool compare_texts(std::string_view op, const std::string& a, const std::string& b) {
  if (op == "==") return a == b;
  if (op == "<>") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  return op == ">" ? a > b : a >= b;
}

}  // namespace

Value Evaluator::value(const FlatExpression& e, const Frame* frame) {
  switch (e.kind) {
    case Kind::number:
    case Kind::boolean:
      return Value::of(graph_.constant(e.number));
    case Kind::text:
      return Value::of(e.text);
    case Kind::name:
      return find(e.text, frame);
    case Kind::index:
      return index(e, frame);
    case Kind::field:
      return field(value(*e.parts[0], frame), e.text, e.where);
    case Kind::call:
      return call(e, frame);
    case Kind::constructor:
      return constructed(e, frame);
    case Kind::negate:
      return map(value(*e.parts[0], frame), [&](Expr x) { return graph_.neg(x); });
    case Kind::invert:
      return map(value(*e.parts[0], frame),
                 [&](Expr x) { return graph_.unary(Op::logical_not, x); });
    case Kind::binary:
      return binary(e, frame);
    case Kind::relation:
      return relation(e, frame);
    case Kind::logic:
      return logic(e, frame);
    case Kind::choice:
      return choice(e, 0, frame);
    case Kind::array:
    case Kind::tuple: {
      if (e.parts.size() == 1 && e.parts[0]->kind == Kind::comprehension)
        return value(*e.parts[0], frame);
      Value made = Value::array({});
      for (const FlatRef& part : e.parts) made.items.push_back(value(*part, frame));
      return made;
    }
    case Kind::rows:
      return rows(e, frame);
    case Kind::range: {
      Value made = Value::array({});
      for (const double each : elements(e, frame))
        made.items.push_back(Value::of(graph_.constant(each)));
      return made;
    }
    case Kind::comprehension:
      return comprehension(e, frame);
    case Kind::named:
      return value(*e.parts[0], frame);
    case Kind::all:
    case Kind::last:
      break;
  }
  throw Refusal{"D002", "':' or 'end' where no subscript stands", "", e.where};
}

Value Evaluator::binary(const FlatExpression& e, const Frame* frame) {
  const Value a = value(*e.parts[0], frame), b = value(*e.parts[1], frame);
  if (a.is_text() && b.is_text() && e.text == "+") return Value::of(a.text + b.text);
  if (e.text == "*") return product(graph_, a, b);
  if (e.text == "^" && a.is_array()) {
    const double power = number(scalar_of(b), "the power of a matrix");
    if (!(power >= 1.0 && power <= 32.0 && power == std::floor(power)))
      throw Refusal{"D002", "a matrix to the power of " + number_text(power), "", e.where};
    Value made = a;
    for (int k = 1; k < static_cast<int>(power); ++k) made = product(graph_, made, a);
    return made;
  }
  const Op op = op_of(e.text);
  return map(a, b, [&](Expr x, Expr y) {
    if (op == Op::div && value_now(y) == 0.0)
      throw Refusal{"D007", "a division by zero", "a parameter that is divided by must not be 0",
                    e.where};
    return graph_.binary(op, x, y);
  });
}

/// A condition that is taken as it is carries the mark: what judges events passes it over.
Expr Evaluator::marked(Expr condition) {
  if (literal_ == 0 || graph_.is_constant(condition) || !depends_on_variables(condition))
    return condition;
  return graph_.binary(Op::logical_and, condition, graph_.use(mark_));
}

Expr Evaluator::compared(std::string_view op, Expr a, Expr b) {
  if (op == "<") return marked(graph_.binary(Op::less, a, b));
  if (op == ">") return marked(graph_.binary(Op::less, b, a));
  if (op == "<=") return marked(graph_.binary(Op::less_equal, a, b));
  if (op == ">=") return marked(graph_.binary(Op::less_equal, b, a));
  const Expr equal = marked(graph_.binary(Op::equal, a, b));
  return op == "==" ? equal : graph_.unary(Op::logical_not, equal);
}

Value Evaluator::relation(const FlatExpression& e, const Frame* frame) {
  const Value a = value(*e.parts[0], frame), b = value(*e.parts[1], frame);
  if (a.is_text() && b.is_text())
    return Value::of(graph_.constant(compare_texts(e.text, a.text, b.text) ? 1.0 : 0.0));
  return map(a, b, [&](Expr x, Expr y) { return compared(e.text, x, y); });
}

Value Evaluator::logic(const FlatExpression& e, const Frame* frame) {
  const Value a = value(*e.parts[0], frame);
  const bool is_and = e.text == "and";
  // What the first operand decides is not looked at.
  if (a.kind == Value::Kind::scalar && graph_.is_constant(a.scalar, is_and ? 0.0 : 1.0)) return a;
  const Value b = value(*e.parts[1], frame);
  return map(a, b, [&](Expr x, Expr y) {
    return graph_.binary(is_and ? Op::logical_and : Op::logical_or, x, y);
  });
}

Value Evaluator::choice(const FlatExpression& e, std::size_t at, const Frame* frame) {
  if (at + 1 >= e.parts.size()) return value(*e.parts[at], frame);
  Expr condition = scalar_of(value(*e.parts[at], frame));
  // Which branch holds decides shapes and index: it is decided now where parameters do.
  if (!depends_on_variables(condition))
    condition = graph_.constant(
        number(condition, "a condition that chooses between equations depends on it"));
  if (graph_.is_constant(condition))
    return graph_.node(condition).value > 0.5 ? value(*e.parts[at + 1], frame)
                                              : choice(e, at + 2, frame);
  const Value a = value(*e.parts[at + 1], frame), b = choice(e, at + 2, frame);
  return selected(condition, a, b);
}

Value Evaluator::selected(Expr condition, const Value& a, const Value& b) {
  if (a == b) return a;
  if (a.is_text() || b.is_text())
    throw Refusal{
        "D028", "a text that depends on a condition", "texts cannot change while a plant runs", {}};
  return map(a, b, [&](Expr x, Expr y) { return x == y ? x : graph_.select(condition, x, y); });
}

namespace {

/// 'end' in a subscript is the size of what is indexed.
FlatRef with_end(const FlatRef& subscript, std::size_t size) {
  if (subscript->kind == Kind::last) {
    auto made = std::make_shared<FlatExpression>();
    made->number = static_cast<double>(size);
    return made;
  }
  if (subscript->parts.empty() || subscript->kind == Kind::index) return subscript;
  auto made = std::make_shared<FlatExpression>(*subscript);
  for (FlatRef& part : made->parts) part = with_end(part, size);
  return made;
}

}  // namespace

Value Evaluator::index(const FlatExpression& e, const Frame* frame) {
  const Value base = value(*e.parts[0], frame);
  std::vector<Value> subscripts;
  const Value* at = &base;
  for (std::size_t k = 1; k < e.parts.size(); ++k) {
    if (e.parts[k]->kind == Kind::all)
      subscripts.push_back(Value::of(std::string(":")));
    else
      subscripts.push_back(value(*with_end(e.parts[k], at->items.size()), frame));
    if (at->is_array() && !at->items.empty()) at = &at->items.front();
  }
  try {
    return indexed(base, subscripts, 0);
  } catch (Refusal& refusal) {
    if (e.parts[0]->kind == Kind::name) refusal.message += ", of '" + e.parts[0]->text + "'";
    throw;
  }
}

Value Evaluator::indexed(const Value& value, const std::vector<Value>& subscripts, std::size_t at) {
  if (at == subscripts.size()) return value;
  const Value& subscript = subscripts[at];
  if (!value.is_array()) throw Refusal{"D004", "a subscript of what is no array", "", {}};
  const auto one = [&](const Value& which) -> const Value& {
    const double index = number(scalar_of(which), "a subscript depends on it");
    if (!(index >= 1.0 && index <= static_cast<double>(value.items.size()) &&
          index == std::floor(index)))
      throw Refusal{"D004",
                    "the subscript " + number_text(index) + " of an array of " +
                        std::to_string(value.items.size()) + " elements",
                    "",
                    {}};
    return value.items[static_cast<std::size_t>(index) - 1];
  };
  if (!subscript.is_text() && !subscript.is_array())
    return indexed(one(subscript), subscripts, at + 1);
  Value made = Value::array({});
  if (subscript.is_text()) {
    for (const Value& item : value.items) made.items.push_back(indexed(item, subscripts, at + 1));
  } else {
    for (const Value& which : subscript.items)
      made.items.push_back(indexed(one(which), subscripts, at + 1));
  }
  return made;
}

/// Of an array of records: the array of their fields.
Value Evaluator::field(const Value& value, const std::string& name, const Location& where) {
  if (value.is_array()) {
    Value made = Value::array({});
    for (const Value& item : value.items) made.items.push_back(field(item, name, where));
    return made;
  }
  const Value* part = value.field(name);
  if (part == nullptr) throw Refusal{"D003", "there is no field '" + name + "'", "", where};
  return *part;
}

/// [a, b; c, d]: rows below each other, what stands in a row side by side.
Value Evaluator::rows(const FlatExpression& e, const Frame* frame) {
  const auto as_matrix = [](const Value& value) {
    if (!value.is_array()) return Value::array({Value::array({value})});
    if (!value.items.empty() && value.items.front().is_array()) return value;
    Value made = Value::array({});
    for (const Value& item : value.items) made.items.push_back(Value::array({item}));
    return made;
  };
  Value made = Value::array({});
  for (const FlatRef& part : e.parts) {
    const Value matrix = as_matrix(value(*part, frame));
    if (e.text == "vertical" || made.items.empty()) {
      made.items.insert(made.items.end(), matrix.items.begin(), matrix.items.end());
      continue;
    }
    if (matrix.items.size() != made.items.size())
      throw Refusal{"D004", "matrices of different heights side by side", "", e.where};
    for (std::size_t row = 0; row < matrix.items.size(); ++row)
      made.items[row].items.insert(made.items[row].items.end(), matrix.items[row].items.begin(),
                                   matrix.items[row].items.end());
  }
  return made;
}

/// Elements of all loops together: those in each other would not end.
std::vector<double> Evaluator::elements(const FlatExpression& range, const Frame* frame) {
  constexpr std::size_t most = 5'000'000;
  std::vector<double> made = elements_of(range, frame);
  looped_ += made.size() + 1;
  if (looped_ > most)
    throw Refusal{"D006", "loops of more than five million elements together", "", range.where};
  return made;
}

std::vector<double> Evaluator::elements_of(const FlatExpression& range, const Frame* frame) {
  constexpr double most = 1e6;
  std::vector<double> made;
  if (range.kind != Kind::range) {
    const Value given = value(range, frame);
    if (given.is_array()) {
      for (const Expr each : flattened(given)) made.push_back(number(each, "a loop depends on it"));
      return made;
    }
    const double last = number(scalar_of(given), "a loop depends on it");
    for (double k = 1.0; k <= last && k <= most; ++k) made.push_back(k);
    return made;
  }
  const double first = number(*range.parts[0], "a loop depends on it", frame),
               step = number(*range.parts[1], "a loop depends on it", frame),
               last = number(*range.parts[2], "a loop depends on it", frame);
  if (step == 0.0 || !(std::fabs((last - first) / step) <= most))
    throw Refusal{"D006",
                  "a range from " + number_text(first) + " to " + number_text(last) + " by " +
                      number_text(step),
                  "a loop has at most a million elements", range.where};
  const double count = std::floor((last - first) / step + 1e-9);
  for (double k = 0.0; k <= count; ++k) made.push_back(first + k * step);
  return made;
}

Value Evaluator::comprehension(const FlatExpression& e, const Frame* frame) {
  Value made = Value::array({});
  for (const double each : elements(*e.parts[1], frame)) {
    Frame inner{.values = {}, .outer = frame, .function = ""};
    inner.values[e.text] = Value::of(graph_.constant(each));
    made.items.push_back(value(*e.parts[0], &inner));
  }
  return made;
}

Value Evaluator::constructed(const FlatExpression& e, const Frame* frame) {
  Value made{.kind = Value::Kind::record, .scalar = {}, .text = {}, .items = {}, .fields = {}};
  const auto type = model_.record_types.find(e.text);
  const auto function = model_.functions.find(e.text);
  if (type != model_.record_types.end()) {
    made.fields = type->second.fields;
  } else if (function != model_.functions.end()) {
    for (const FlatArgument& each : function->second.inputs) made.fields.push_back(each.name);
  } else {
    throw Refusal{"D003", "the record '" + e.text + "' is not declared", "", e.where};
  }
  made.items.resize(made.fields.size());
  std::vector<bool> given(made.fields.size());
  for (std::size_t k = 0; k < e.parts.size(); ++k) {
    std::size_t field = k;
    if (e.parts[k]->kind == Kind::named)
      field = static_cast<std::size_t>(
          std::find(made.fields.begin(), made.fields.end(), e.parts[k]->text) -
          made.fields.begin());
    if (field >= made.fields.size())
      throw Refusal{"D004",
                    "record '" + e.text + "' has " + std::to_string(made.fields.size()) + " fields",
                    "", e.where};
    made.items[field] = value(*e.parts[k], frame);
    given[field] = true;
  }
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k]) continue;
    const bool has_default = function != model_.functions.end() &&
                             k < function->second.inputs.size() &&
                             function->second.inputs[k].value != nullptr;
    if (!has_default)
      throw Refusal{"D004", "field '" + made.fields[k] + "' of '" + e.text + "' is not given", "",
                    e.where};
    made.items[k] = value(*function->second.inputs[k].value, frame);
  }
  return made;
}

}  // namespace takt::codegen::modelica
