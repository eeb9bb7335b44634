// Functions of the language.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "codegen/modelica/evaluator.hpp"

namespace takt::codegen::modelica {
namespace {

struct Word {
  std::string_view name;
  Op op;
};

constexpr auto plain = std::to_array<Word>({{"sin", Op::sin},
                                            {"cos", Op::cos},
                                            {"tan", Op::tan},
                                            {"asin", Op::asin},
                                            {"acos", Op::acos},
                                            {"atan", Op::atan},
                                            {"exp", Op::exp},
                                            {"log", Op::log},
                                            {"tanh", Op::tanh},
                                            {"sqrt", Op::sqrt},
                                            {"abs", Op::abs}});

/// What the next version of the import is about.
constexpr auto with_memory = std::to_array<std::string_view>(
    {"pre",         "edge",      "change",      "sample",
     "reinit",      "initial",   "delay",       "spatialDistribution",
     "terminate",   "interval",  "previous",    "hold",
     "Clock",       "subSample", "superSample", "shiftSample",
     "backSample",  "noClock",   "cardinality", "inStream",
     "actualStream"});

constexpr auto stepped_words =
    std::to_array<std::string_view>({"sign", "floor", "ceil", "integer", "mod", "div", "rem"});

template <std::size_t size>
bool among(const std::array<std::string_view, size>& words, std::string_view name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

void need(const std::vector<Value>& arguments, std::size_t count, const std::string& name) {
  if (arguments.size() != count)
    throw Refusal{"D004",
                  "'" + name + "' takes " + std::to_string(count) + " arguments, not " +
                      std::to_string(arguments.size()),
                  "",
                  {}};
}

}  // namespace

Value Evaluator::call(const FlatExpression& e, const Frame* frame) {
  const std::string& name = e.text;
  if (model_.functions.find(name) == model_.functions.end())
    if (auto made = clocked(e, frame)) return std::move(*made);
  if (auto made = event_word(e, frame)) return std::move(*made);
  if (among(with_memory, name) && !(initial_ && (name == "initial" || name == "pre")))
    throw Refusal{"D021", "'" + name + "' needs events or memory",
                  "only when-equations, pre, and in their conditions edge, change, sample and "
                  "initial are imported",
                  e.where};
  if (name == "noEvent" || name == "smooth" || name == "homotopy") {
    const std::size_t at = name == "smooth" ? 1 : 0;
    if (e.parts.size() <= at)
      throw Refusal{"D004", "'" + name + "' without arguments", "", e.where};
    FlatRef part = e.parts[at];
    for (const FlatRef& each : e.parts)
      if (each->kind == FlatExpression::Kind::named && each->text == "actual") part = each;
    const int added = name == "homotopy" ? 0 : 1;
    literal_ += added;
    try {
      Value made = value(*part, frame);
      literal_ -= added;
      return made;
    } catch (...) {
      literal_ -= added;
      throw;
    }
  }
  if (const auto function = model_.functions.find(name);
      function != model_.functions.end() && !table_word(function->second).empty())
    return table_call(function->second, e, frame);
  std::vector<Value> arguments;
  for (const FlatRef& part : e.parts) arguments.push_back(value(*part, frame));
  if (const auto function = model_.functions.find(name); function != model_.functions.end()) {
    if (auto made = text_builtin(name, arguments)) return std::move(*made);
    return inlined(function->second, arguments, e);
  }
  if (auto made = builtin(e, arguments)) return std::move(*made);
  throw Refusal{"D005", "there is no function '" + name + "'",
                "the front end has left it out, or its name is wrong", e.where};
}

std::optional<Value> Evaluator::builtin(const FlatExpression& e,
                                        const std::vector<Value>& arguments) {
  std::string name = e.text;
  constexpr std::string_view library = "Modelica.Math.";
  if (name.starts_with(library) && name.find('.', library.size()) == std::string::npos)
    name.erase(0, library.size());
  if (arguments.empty()) {
    if (name == "terminal" || name == "initial")
      return Value::of(graph_.constant(name == "initial" ? 1.0 : 0.0));
    throw Refusal{"D005", "there is no function '" + name + "'", "", e.where};
  }
  if (name == "pre")  // of initial equations
    return map(arguments.front(), [&](Expr x) { return before_the_start(x); });
  if (name == "der") return map(arguments.front(), [&](Expr x) { return derivative(x); });
  if (auto made = scalar_builtin(name, arguments)) return made;
  if (auto made = array_builtin(name, arguments)) return made;
  return text_builtin(name, arguments);
}

std::optional<Value> Evaluator::scalar_builtin(const std::string& name,
                                               const std::vector<Value>& arguments) {
  for (const Word& word : plain) {
    if (word.name != name) continue;
    need(arguments, 1, name);
    return map(arguments[0], [&](Expr x) { return graph_.unary(word.op, x); });
  }
  const auto exponential = [&](int sign) {
    return [this, sign](Expr x) {
      const Expr up = graph_.unary(Op::exp, x), down = graph_.unary(Op::exp, graph_.neg(x));
      return graph_.mul(graph_.constant(0.5),
                        sign > 0 ? graph_.add(up, down) : graph_.sub(up, down));
    };
  };
  if (name == "cosh" || name == "sinh")
    return map(arguments[0], exponential(name == "cosh" ? 1 : -1));
  if (name == "log10")
    return map(arguments[0], [&](Expr x) {
      return graph_.div(graph_.unary(Op::log, x), graph_.constant(std::numbers::ln10));
    });
  if (name == "atan2" || ((name == "min" || name == "max") && arguments.size() == 2)) {
    need(arguments, 2, name);
    const Op op = name == "atan2" ? Op::atan2 : name == "min" ? Op::min : Op::max;
    return map(arguments[0], arguments[1], [&](Expr x, Expr y) { return graph_.binary(op, x, y); });
  }
  if (name == "semiLinear") {
    need(arguments, 3, name);
    return map(arguments[1], arguments[2], [&](Expr positive, Expr negative) {
      return semi_linear(scalar_of(arguments[0]), positive, negative);
    });
  }
  if (!among(stepped_words, name)) return std::nullopt;
  const bool two = name == "mod" || name == "div" || name == "rem";
  need(arguments, two ? 2 : 1, name);
  if (!two) return map(arguments[0], [&](Expr x) { return stepped(name, {x}); });
  return map(arguments[0], arguments[1], [&](Expr x, Expr y) { return stepped(name, {x, y}); });
}

/// A variable of its own until its flow is known by one name everywhere: what holds at zero flow is
/// seen then.
Expr Evaluator::semi_linear(Expr x, Expr positive, Expr negative) {
  const SemiLinear made{.symbol = {}, .x = x, .positive = positive, .negative = negative};
  if (!depends_on_variables(x)) return made.value(graph_, mark_);
  for (const SemiLinear& each : semi_linear_)
    if (each.x == x && each.positive == positive && each.negative == negative)
      return graph_.use(each.symbol);
  semi_linear_.push_back(made);
  semi_linear_.back().symbol =
      graph_.make_symbol("semiLinear " + std::to_string(semi_linear_.size()), "1");
  return graph_.use(semi_linear_.back().symbol);
}

/// Functions that jump: of numbers and parameters their values, of time functions that Takt cuts
/// its steps at. What jumps with a variable is judged with the relations (D022).
Expr Evaluator::stepped(const std::string& name, const std::vector<Expr>& x) {
  const auto floored = [&](Expr e) { return graph_.unary(Op::floor, e); };
  const auto toward_zero = [&](Expr e) {
    return graph_.select(compared(">=", e, graph_.zero()), floored(e),
                         graph_.neg(floored(graph_.neg(e))));
  };
  if (name == "sign")
    return graph_.select(
        compared(">", x[0], graph_.zero()), graph_.one(),
        graph_.select(compared("<", x[0], graph_.zero()), graph_.constant(-1.0), graph_.zero()));
  if (name == "floor" || name == "integer") return floored(x[0]);
  if (name == "ceil") return graph_.neg(floored(graph_.neg(x[0])));
  const Expr ratio = graph_.div(x[0], x[1]);
  if (name == "div") return toward_zero(ratio);
  if (name == "rem") return graph_.sub(x[0], graph_.mul(toward_zero(ratio), x[1]));
  return graph_.sub(x[0], graph_.mul(floored(ratio), x[1]));
}

std::size_t Evaluator::size_of(const Value& value) {
  const double size = number(scalar_of(value), "the size of an array depends on it");
  if (!(size >= 0.0 && size <= 1e6))
    throw Refusal{"D004", "an array of a size beyond a million", "", {}};
  return static_cast<std::size_t>(size);
}

std::optional<Value> Evaluator::array_builtin(const std::string& name,
                                              const std::vector<Value>& a) {
  const auto number_value = [&](double x) { return Value::of(graph_.constant(x)); };
  if (name == "size") {
    const auto sizes = shape_of(a[0]);
    if (a.size() > 1) {
      const std::size_t dim = size_of(a[1]);
      if (dim < 1 || dim > sizes.size())
        throw Refusal{"D004", "the size of a dimension that is not there", "", {}};
      return number_value(static_cast<double>(sizes[dim - 1]));
    }
    Value made = Value::array({});
    for (const std::size_t each : sizes)
      made.items.push_back(number_value(static_cast<double>(each)));
    return made;
  }
  if (name == "ndims") return number_value(static_cast<double>(shape_of(a[0]).size()));
  if (name == "zeros" || name == "ones" || name == "fill") {
    std::vector<std::size_t> sizes;
    for (std::size_t k = name == "fill" ? 1 : 0; k < a.size(); ++k) sizes.push_back(size_of(a[k]));
    return filled(name == "fill" ? a[0] : number_value(name == "ones" ? 1.0 : 0.0), sizes);
  }
  if (name == "identity" || name == "diagonal") {
    const std::size_t count = name == "identity" ? size_of(a[0]) : a[0].items.size();
    Value made = filled(number_value(0.0), {count, count});
    for (std::size_t k = 0; k < count; ++k)
      made.items[k].items[k] = name == "identity" ? number_value(1.0) : Value(a[0].items[k]);
    return made;
  }
  if (name == "sum" || name == "product" || ((name == "min" || name == "max") && a.size() == 1)) {
    const Op op = name == "sum"       ? Op::add
                  : name == "product" ? Op::mul
                  : name == "min"     ? Op::min
                                      : Op::max;
    const auto all = flattened(a[0]);
    if (all.empty() && op != Op::add && op != Op::mul)
      throw Refusal{"D004", "the " + name + " of nothing", "", {}};
    Expr made = all.empty() ? graph_.constant(op == Op::mul ? 1.0 : 0.0) : all.front();
    for (std::size_t k = 1; k < all.size(); ++k) made = graph_.binary(op, made, all[k]);
    return Value::of(made);
  }
  if (name == "transpose") return transposed(a[0]);
  if (name == "vector" || name == "scalar") {
    const auto all = flattened(a[0]);
    if (name == "scalar" && all.size() == 1) return Value::of(all.front());
    Value made = Value::array({});
    for (const Expr each : all) made.items.push_back(Value::of(each));
    return made;
  }
  if (name == "outerProduct" || name == "cross" || name == "skew") {
    for (const Value& each : a)
      if (!each.is_array() || (name != "outerProduct" && each.items.size() != 3))
        throw Refusal{"D004", "'" + name + "' of what is no vector of its size", "", {}};
    if (a.size() != (name == "skew" ? 1U : 2U))
      throw Refusal{"D004", "'" + name + "' with other arguments", "", {}};
    if (name == "outerProduct") {
      Value made = Value::array({});
      for (const Value& each : a[0].items) made.items.push_back(product(graph_, each, a[1]));
      return made;
    }
    const auto x = flattened(a[0]);
    if (x.size() != 3)
      throw Refusal{"D004", "'" + name + "' of what is no vector of three", "", {}};
    const Value zero = number_value(0.0);
    const auto plus = [&](int k) { return Value::of(x[static_cast<std::size_t>(k)]); };
    const auto minus = [&](int k) { return Value::of(graph_.neg(x[static_cast<std::size_t>(k)])); };
    const Value skew = Value::array({Value::array({zero, minus(2), plus(1)}),
                                     Value::array({plus(2), zero, minus(0)}),
                                     Value::array({minus(1), plus(0), zero})});
    return name == "skew" ? skew : product(graph_, skew, a[1]);
  }
  if (name == "linspace" && a.size() == 3) {
    const std::size_t count = size_of(a[2]);
    if (count < 2) throw Refusal{"D004", "linspace of less than two points", "", {}};
    const Expr first = scalar_of(a[0]), span = graph_.sub(scalar_of(a[1]), first);
    Value made = Value::array({});
    for (std::size_t k = 0; k < count; ++k)
      made.items.push_back(Value::of(
          graph_.add(first, graph_.mul(span, graph_.constant(static_cast<double>(k) /
                                                             static_cast<double>(count - 1))))));
    return made;
  }
  if (name == "cat" && a.size() > 1) {
    Value made = Value::array({});
    const bool down = size_of(a[0]) == 1;
    for (std::size_t k = 1; k < a.size(); ++k) {
      if (down) {
        made.items.insert(made.items.end(), a[k].items.begin(), a[k].items.end());
        continue;
      }
      if (k == 1) made.items.resize(a[k].items.size(), Value::array({}));
      if (made.items.size() != a[k].items.size())
        throw Refusal{"D004", "cat of matrices of different heights", "", {}};
      for (std::size_t row = 0; row < made.items.size(); ++row)
        made.items[row].items.insert(made.items[row].items.end(), a[k].items[row].items.begin(),
                                     a[k].items[row].items.end());
    }
    return made;
  }
  return std::nullopt;
}

/// Functions of texts, which the library has in C: of texts that are known.
std::optional<Value> Evaluator::text_builtin(const std::string& name, const std::vector<Value>& a) {
  constexpr std::string_view library = "Modelica.Utilities.Strings.";
  if (!name.starts_with(library) || a.empty() || !a[0].is_text()) return std::nullopt;
  const std::string_view word = std::string_view(name).substr(library.size());
  const auto number_value = [&](double x) { return Value::of(graph_.constant(x)); };
  if (word == "length") return number_value(static_cast<double>(a[0].text.size()));
  if (word == "isEmpty")
    return number_value(a[0].text.find_first_not_of(" \t\n") == std::string::npos ? 1.0 : 0.0);
  if (word == "isEqual" && a.size() == 2 && a[1].is_text())
    return number_value(a[0].text == a[1].text ? 1.0 : 0.0);
  if (word == "substring" && a.size() == 3) {
    const double first = number(scalar_of(a[1]), "a part of a text depends on it"),
                 last = number(scalar_of(a[2]), "a part of a text depends on it");
    if (!(first >= 1.0 && first <= last && last <= static_cast<double>(a[0].text.size())))
      throw Refusal{"D004", "a part of a text that it does not have", "", {}};
    return Value::of(a[0].text.substr(static_cast<std::size_t>(first) - 1,
                                      static_cast<std::size_t>(last - first) + 1));
  }
  return std::nullopt;
}

}  // namespace takt::codegen::modelica
