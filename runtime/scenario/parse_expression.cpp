#include "runtime/scenario/parse_expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "runtime/scenario/expression_text.hpp"
#include "runtime/units/words.hpp"

namespace takt {
namespace {

using Kind = ExpressionNode::Kind;

constexpr int deepest = 64;

/// A part of the expression while it is read.
struct Part {
  std::uint32_t node = 0;
  bool condition = false;
  bool zero = false;  ///< a plain 0, which needs no unit
  Dimension dimension{};
  QuantityKind kind{};
};

std::optional<Dimension> scaled(const Dimension& dimension, double factor) {
  Dimension result;
  for (std::size_t base = 0; base < dimension.exponent.size(); ++base) {
    const double exponent = dimension.exponent[base] * factor;
    if (exponent != std::floor(exponent) || std::fabs(exponent) > 60.0) return std::nullopt;
    result.exponent[base] = static_cast<std::int8_t>(exponent);
  }
  return result;
}

Dimension product(const Dimension& a, const Dimension& b, int sign) {
  Dimension result;
  for (std::size_t base = 0; base < a.exponent.size(); ++base)
    result.exponent[base] = static_cast<std::int8_t>(std::clamp(a.exponent[base] + sign * b.exponent[base], -100, 100));
  return result;
}

class Parser : ExpressionText {
 public:
  Parser(std::string_view text, const ScenarioPlace& where, const ScenarioNames& names)
      : ExpressionText(text, where), names_(names) {}

  Expression whole() {
    const Part part = either(0);
    skip();
    if (at_ < text_.size()) unexpected();
    expression_.text = std::string(text_);
    expression_.condition = part.condition;
    expression_.dimension = part.dimension;
    expression_.kind = part.kind;
    return std::move(expression_);
  }

 private:
  Part add(ExpressionNode node, Part part) {
    if (expression_.nodes.size() >= ExpressionNode::most) fail(at_, "the expression is too long");
    expression_.nodes.push_back(node);
    part.node = static_cast<std::uint32_t>(expression_.nodes.size() - 1);
    return part;
  }

  void want_condition(const Part& part, std::size_t offset) const {
    if (!part.condition) fail(offset, "a condition is needed here", "compare the value, as in x > 0.5");
  }
  void want_value(const Part& part, std::size_t offset) const {
    if (part.condition)
      fail(offset, "a value is needed here, this is a condition", "if(condition, 1, 0) makes a value of it");
  }

  void judge(const std::optional<KindConflict>& conflict, std::size_t offset) const {
    if (conflict) fail(offset, conflict->cause, conflict->remedy);
  }

  [[nodiscard]] QuantityKind common(const Part& a, const Part& b, std::size_t offset) const {
    std::optional<KindConflict> conflict;
    const QuantityKind kind = common_kind(a.kind, b.kind, conflict);
    judge(conflict, offset);
    return kind;
  }

  /// Of two values that are added or compared. @return what both have
  Dimension same(const Part& a, const Part& b, std::size_t offset) const {
    want_value(a, offset);
    want_value(b, offset);
    if (a.zero) return b.dimension;
    if (b.zero || a.dimension == b.dimension) return a.dimension;
    const bool bare = a.dimension == Dimension{} || b.dimension == Dimension{};
    fail(offset, unit_of(a.dimension) + " and " + unit_of(b.dimension) + " do not fit together",
         bare ? "a number for a quantity carries its unit" : "");
  }

  Part either(int depth) {
    const std::size_t begin = at_;
    Part left = both(depth);
    while (take("or")) {
      want_condition(left, begin);
      const std::size_t second = at_;
      const Part right = both(depth);
      want_condition(right, second);
      left = add({.kind = Kind::either, .a = left.node, .b = right.node}, left);
    }
    return left;
  }

  Part both(int depth) {
    const std::size_t begin = at_;
    Part left = inverse(depth);
    while (take("and")) {
      want_condition(left, begin);
      const std::size_t second = at_;
      const Part right = inverse(depth);
      want_condition(right, second);
      left = add({.kind = Kind::both, .a = left.node, .b = right.node}, left);
    }
    return left;
  }

  Part inverse(int depth) {
    if (depth > deepest) fail(at_, "the expression is nested too deeply");
    if (!take("not")) return comparison(depth);
    const std::size_t begin = at_;
    const Part operand = inverse(depth + 1);
    want_condition(operand, begin);
    return add({.kind = Kind::inverse, .a = operand.node}, operand);
  }

  Part comparison(int depth) {
    const Part left = sum(depth);
    skip();
    const std::size_t begin = at_;
    const bool less_equal = take("<="), greater_equal = !less_equal && take(">=");
    const bool equal = take("=="), unequal = take("!=");
    const bool less = !less_equal && !greater_equal && !equal && !unequal && take("<");
    const bool greater = !less_equal && !greater_equal && !equal && !unequal && !less && take(">");
    if (!(less_equal || greater_equal || equal || unequal || less || greater)) return left;
    const Part right = sum(depth);
    expression_.compared = same(left, right, begin);  // that of the last one, which is the whole if any is
    (void)common(left, right, begin);
    const bool turned = greater || greater_equal;
    const Kind kind = equal ? Kind::equal : unequal ? Kind::unequal : less || greater ? Kind::less : Kind::less_equal;
    const Part compared = add(
        {.kind = kind, .a = turned ? right.node : left.node, .b = turned ? left.node : right.node, .turned = turned},
        {.condition = true});
    skip();
    if (at_ < text_.size() && (text_[at_] == '<' || text_[at_] == '>'))
      fail(at_, "comparisons do not chain", "write a < b and b < c");
    return compared;
  }

  Part sum(int depth) {
    Part left = term(depth);
    for (skip(); at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-'); skip()) {
      const std::size_t begin = at_;
      const Kind kind = text_[at_++] == '+' ? Kind::add : Kind::subtract;
      const Part right = term(depth);
      const Dimension dimension = same(left, right, begin);
      std::optional<KindConflict> conflict;
      const QuantityKind sum = sum_of_kinds(
          left.kind, right.kind, {kind == Kind::add ? 1 : -1, dimension == parse_unit("K")->dimension}, conflict);
      judge(conflict, begin);
      left = add({.kind = kind, .a = left.node, .b = right.node},
                 {.zero = left.zero && right.zero, .dimension = dimension, .kind = sum});
    }
    return left;
  }

  Part term(int depth) {
    Part left = signed_power(depth);
    for (skip(); at_ < text_.size() && (text_[at_] == '*' || text_[at_] == '/'); skip()) {
      const std::size_t begin = at_;
      const bool times = text_[at_++] == '*';
      want_value(left, begin);
      const Part right = signed_power(depth);
      want_value(right, begin);
      left = add({.kind = times ? Kind::multiply : Kind::divide, .a = left.node, .b = right.node},
                 {.dimension = product(left.dimension, right.dimension, times ? 1 : -1),
                  .kind = product_kind(left, right, times)});
    }
    return left;
  }

  /// Of a temperature times or over a number; of all else nothing is known.
  [[nodiscard]] QuantityKind product_kind(const Part& a, const Part& b, bool times) const {
    std::optional<double> factor = number_of(b.node);
    if (factor && !times) factor = 1.0 / *factor;
    if (b.dimension == Dimension{}) return scaled_kind(a.kind, factor);
    return times && a.dimension == Dimension{} ? scaled_kind(b.kind, number_of(a.node)) : QuantityKind{};
  }

  Part signed_power(int depth) {
    if (depth > deepest) fail(at_, "the expression is nested too deeply");
    skip();
    const std::size_t begin = at_;
    if (take("+")) return signed_power(depth + 1);
    if (take("-")) {
      skip();
      // -10 degC is 263.15 K: the minus belongs to the number.
      if (at_ < text_.size() && is_digit(text_[at_])) {
        const std::size_t digits = at_;
        const Part literal = number(-1.0);
        if (literal.kind.bare) return literal;
        at_ = digits;
        expression_.nodes.pop_back();
      }
      Part operand = signed_power(depth + 1);
      want_value(operand, begin);
      operand.kind = scaled_kind(operand.kind, -1.0);
      return add({.kind = Kind::negate, .a = operand.node}, operand);
    }
    const Part base = primary(depth);
    if (!take("^")) return base;
    want_value(base, begin);
    const Part exponent = signed_power(depth + 1);
    want_value(exponent, begin);
    Part result{.dimension = base.dimension};
    if (exponent.dimension != Dimension{}) fail(begin, "an exponent has no unit");
    if (base.dimension != Dimension{}) {
      const auto constant = number_of(exponent.node);
      const auto raised = constant ? scaled(base.dimension, *constant) : std::nullopt;
      if (!raised)
        fail(begin, "a quantity in " + unit_of(base.dimension) + " cannot be raised to this", "take a whole number");
      result.dimension = *raised;
    }
    return add({.kind = Kind::power, .a = base.node, .b = exponent.node}, result);
  }

  [[nodiscard]] std::optional<double> number_of(std::uint32_t node) const {
    const ExpressionNode& it = expression_.nodes[node];
    if (it.kind == Kind::number) return it.number;
    if (it.kind == Kind::negate && expression_.nodes[it.a].kind == Kind::number) return -expression_.nodes[it.a].number;
    return std::nullopt;
  }

  Part primary(int depth) {
    skip();
    if (at_ >= text_.size()) unexpected();
    const char c = text_[at_];
    if (c == '(') {
      ++at_;
      const Part inner = either(depth + 1);
      if (!take(")")) fail(at_, "a parenthesis is not closed");
      return inner;
    }
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_name_start(c)) return name(depth);
    unexpected();
  }

  Part number(double sign = 1.0) {
    const std::size_t begin = at_;
    double value = 0.0;
    const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status != std::errc{} || !std::isfinite(value)) fail(begin, "this number does not fit");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ + 1 < text_.size() && text_[at_] == ',' && is_digit(text_[at_ + 1]) && call_depth_ == 0)
      fail(at_, "a comma in a number", "decimals are written with a point");
    value *= sign;
    const std::size_t behind = at_;
    const std::optional<Unit> unit = read_unit();
    const double si = unit ? to_si(value, *unit) : value;
    const std::string_view written = trimmed(text_.substr(behind, at_ - behind));
    if (unit) expression_.written.push_back({std::string(written), *unit});
    const QuantityKind kind = unit ? kind_of_literal(si, written) : QuantityKind{};
    return add({.kind = Kind::number, .number = si},
               {.zero = value == 0.0 && !unit, .dimension = unit ? unit->dimension : Dimension{}, .kind = kind});
  }

  Part name(int depth) {
    const std::size_t begin = at_;
    const std::string_view path = word();
    skip();
    if (at_ < text_.size() && text_[at_] == '(') return call(path, begin, depth);
    if (path == "time") return add({.kind = Kind::time}, {.dimension = parse_unit("s")->dimension});
    if (path == "pi") return add({.kind = Kind::number, .number = std::numbers::pi}, {});
    if (path == "true" || path == "false")
      return add({.kind = Kind::number, .number = path == "true" ? 1.0 : 0.0}, {.condition = true});
    if (const auto variable = names_.variables.find(path); variable != names_.variables.end()) {
      const ScenarioVariable& of = variable->second;
      expression_.written.insert(expression_.written.end(), of.written.begin(), of.written.end());
      return add({.kind = Kind::number, .number = of.value}, {.dimension = of.dimension, .kind = of.kind});
    }
    const std::optional<std::uint32_t> row = names_.row(path);
    if (!row) fail(begin, "nothing is called " + quoted(path), names_.hint(path));
    const MemoryEntry& entry = names_.entry(*row);
    if (std::find(expression_.rows.begin(), expression_.rows.end(), *row) == expression_.rows.end())
      expression_.rows.push_back(*row);
    if (entry.role != Role::parameter && entry.role != Role::plant_input && entry.role != Role::structural)
      expression_.observes = true;
    return add({.kind = Kind::value, .offset = entry.offset},
               {.dimension = dimension_of(entry), .kind = kind_of_unit(entry.unit)});
  }

  Part call(std::string_view function, std::size_t begin, int depth) {
    if (depth > deepest) fail(begin, "the expression is nested too deeply");
    ++at_;
    ++call_depth_;
    std::vector<Part> arguments;
    std::vector<std::size_t> places;
    do {
      skip();
      places.push_back(at_);
      arguments.push_back(either(depth + 1));
    } while (take(","));
    --call_depth_;
    if (!take(")")) fail(at_, "a parenthesis is not closed");
    if (function == "if") return choice(arguments, places, begin);
    for (std::size_t k = 0; k < arguments.size(); ++k) want_value(arguments[k], places[k]);
    if (function == "abs" || function == "sqrt") return of_one(function, arguments, begin);
    if (function == "min" || function == "max")
      return extreme(function == "min" ? Kind::least : Kind::greatest, arguments, begin);
    fail(begin, "there is no function " + quoted(function), "abs, min, max, sqrt and if are there");
  }

  Part choice(const std::vector<Part>& arguments, const std::vector<std::size_t>& places, std::size_t begin) {
    if (arguments.size() != 3) fail(begin, "if takes a condition and two values");
    want_condition(arguments[0], places[0]);
    const Dimension dimension = same(arguments[1], arguments[2], places[1]);
    return add({.kind = Kind::choice, .a = arguments[0].node, .b = arguments[1].node, .c = arguments[2].node},
               {.dimension = dimension, .kind = common(arguments[1], arguments[2], begin)});
  }

  Part of_one(std::string_view function, const std::vector<Part>& arguments, std::size_t begin) {
    if (arguments.size() != 1) fail(begin, std::string(function) + " takes one value");
    Part result = arguments[0];
    result.kind.bare = false;
    if (function == "abs") return add({.kind = Kind::absolute, .a = result.node}, result);
    const auto root = scaled(result.dimension, 0.5);
    if (!root) fail(begin, "there is no square root of " + unit_of(result.dimension));
    return add({.kind = Kind::root, .a = result.node}, {.dimension = *root});
  }

  Part extreme(Kind kind, const std::vector<Part>& arguments, std::size_t begin) {
    if (arguments.size() < 2) fail(begin, "min and max take two values or more");
    Part result = arguments[0];
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      const Dimension dimension = same(result, arguments[k], begin);
      const QuantityKind both = common(result, arguments[k], begin);
      result = add({.kind = kind, .a = result.node, .b = arguments[k].node}, {.dimension = dimension, .kind = both});
    }
    return result;
  }

  const ScenarioNames& names_;
  int call_depth_ = 0;
  Expression expression_;
};

}  // namespace

std::string unit_of(const Dimension& dimension) {
  const std::string text = dimension_text(dimension);
  return dimension == Dimension{} ? "a plain number" : text;
}

Expression parse_expression(std::string_view text, const ScenarioPlace& where, const ScenarioNames& names) {
  return Parser(text, where, names).whole();
}

Expression parse_condition(std::string_view text, const ScenarioPlace& where, const ScenarioNames& names) {
  Expression expression = parse_expression(text, where, names);
  if (!expression.condition)
    throw ScenarioMistake(where, quoted(text) + " is a value, not a condition", "compare it, as in x > 0.5");
  return expression;
}

ScenarioVariable parse_constant(std::string_view text, const ScenarioPlace& where, const ScenarioNames& names) {
  const Expression expression = parse_expression(text, where, names);
  if (expression.condition) throw ScenarioMistake(where, quoted(text) + " is a condition, not a value");
  const bool constant = std::none_of(expression.nodes.begin(), expression.nodes.end(), [](const ExpressionNode& node) {
    return node.kind == Kind::value || node.kind == Kind::time;
  });
  if (!constant)
    throw ScenarioMistake(where, quoted(text) + " changes while the plant runs",
                          "a value here is made of numbers and of the scenario's variables");
  const double value = expression.evaluate(nullptr, {}).value;
  if (!std::isfinite(value)) throw ScenarioMistake(where, quoted(text) + " is not finite");
  return {value, expression.dimension, expression.kind, expression.written};
}

}  // namespace takt
