#include "codegen/expr/lower.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/units/predefined.hpp"

namespace takt::codegen {
namespace {

constexpr Dimension one_dimension{};

/// What a function asks of its arguments' dimensions and what its value has.
enum class Rule : std::uint8_t {
  pure,
  same_gives_same,
  same_gives_one,
  any_gives_same,
  any_gives_one,
  root
};

struct Function {
  std::string_view name;
  Op op;
  int arguments;  ///< -2: two or more
  Rule rule;
};

constexpr std::array functions = std::to_array<Function>({
    {"sin", Op::sin, 1, Rule::pure},
    {"cos", Op::cos, 1, Rule::pure},
    {"tan", Op::tan, 1, Rule::pure},
    {"asin", Op::asin, 1, Rule::pure},
    {"acos", Op::acos, 1, Rule::pure},
    {"atan", Op::atan, 1, Rule::pure},
    {"exp", Op::exp, 1, Rule::pure},
    {"log", Op::log, 1, Rule::pure},
    {"tanh", Op::tanh, 1, Rule::pure},
    {"sqrt", Op::sqrt, 1, Rule::root},
    {"abs", Op::abs, 1, Rule::any_gives_same},
    {"floor", Op::floor, 1, Rule::any_gives_same},
    {"sign", Op::sign, 1, Rule::any_gives_one},
    {"atan2", Op::atan2, 2, Rule::same_gives_one},
    {"min", Op::min, -2, Rule::same_gives_same},
    {"max", Op::max, -2, Rule::same_gives_same},
    {"mod", Op::mod, 2, Rule::same_gives_same},
});

/// Names of functions with rules of their own.
constexpr std::array<std::string_view, 4> special_functions{"pow", "clamp", "if", "step"};

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

class Lowering {
 public:
  Lowering(Graph& graph, const Resolver& resolver, const Location& where, Diagnostics& diagnostics)
      : graph_(graph), resolver_(resolver), where_(where), diagnostics_(diagnostics) {}

  Lowered value(const Ast& ast) {
    switch (ast.kind) {
      case Ast::Kind::number:
        return number(ast);
      case Ast::Kind::name:
        return name(ast);
      case Ast::Kind::unary:
        return unary(ast);
      case Ast::Kind::binary:
        return binary(ast);
      case Ast::Kind::call:
        return call(ast);
    }
    return unknown();
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  /// Stands for a part that was refused: fits everywhere, so that one mistake is one finding.
  Lowered unknown() { return {graph_.zero(), std::nullopt}; }

  Lowered refuse(std::string_view code, const Ast& ast, std::string message,
                 std::string hint = {}) {
    Location place = where_;
    if (place.column > 0) place.column += ast.offset;
    diagnostics_.error(code, place, std::move(message), std::move(hint));
    failed_ = true;
    return unknown();
  }

  Lowered number(const Ast& ast) {
    const Expr value = graph_.constant(ast.value);
    if (ast.unit)
      return warn_of_names(ast),
             Lowered{value, ast.unit->dimension, kind_of_literal(ast.value, ast.name)};
    return {value, ast.value == 0.0 ? std::nullopt : std::optional(one_dimension)};
  }

  /// "4 W/K*t" reads t as tonne. Behind a division a factor that is a name here is hardly meant as
  /// a unit.
  void warn_of_names(const Ast& ast) {
    const std::string& text = ast.name;
    for (std::size_t star = text.find('*', std::min(text.find('/'), text.size()));
         star < text.size(); star = text.find('*', star + 1)) {
      const std::size_t begin = text.find_first_not_of(' ', star + 1),
                        end = std::min(text.find_first_of(" */^", begin), text.size());
      if (begin == std::string::npos || (end < text.size() && text[end] == '^')) continue;
      const std::string factor = text.substr(begin, end - begin);
      if (!resolver_.name(factor)) continue;
      Location place = where_;
      if (place.column > 0) place.column += ast.offset;
      diagnostics_.warning("E017", place,
                           quoted(factor) + " belongs to the unit " + quoted(text) +
                               " here, not the quantity of that name",
                           "if the quantity is meant, put the literal in parentheses: (... " +
                               text.substr(0, star) + ")*" + factor);
    }
  }

  Lowered name(const Ast& ast) {
    if (const std::optional<Lowered> found = resolver_.name(ast.name)) return *found;
    if (ast.name == "pi")
      return {graph_.constant(std::numbers::pi), one_dimension, {}, Turning{.pi = 1}};
    std::vector<std::string> known =
        resolver_.candidates ? resolver_.candidates() : std::vector<std::string>{};
    known.emplace_back("pi");
    return refuse("E010", ast, "unknown name " + quoted(ast.name), did_you_mean(ast.name, known));
  }

  Lowered unary(const Ast& ast) {
    const Lowered operand = value(*ast.args[0]);
    if (ast.name == "-")
      return {graph_.neg(operand.value), operand.dimension, scaled_kind(operand.kind, -1.0),
              operand.product};
    need_one(operand, *ast.args[0], "a condition");
    return {graph_.unary(Op::logical_not, operand.value), one_dimension};
  }

  /// Reports E014 unless the dimension is 1 or not known.
  void need_one(const Lowered& operand, const Ast& ast, std::string_view what) {
    if (!operand.dimension || *operand.dimension == one_dimension) return;
    refuse("E014", ast,
           std::string(what) + " must have dimension 1, but is in " +
               dimension_text(*operand.dimension));
  }

  /// The common dimension of both sides; reports E013 where they differ.
  std::optional<Dimension> common(const Lowered& left, const Lowered& right, const Ast& ast) {
    if (!left.dimension) return right.dimension;
    if (!right.dimension || *left.dimension == *right.dimension) return left.dimension;
    const bool literal = *left.dimension == one_dimension || *right.dimension == one_dimension;
    const std::string named = *left.dimension == one_dimension ? dimension_text(*right.dimension)
                                                               : dimension_text(*left.dimension);
    refuse("E013", ast,
           "dimensions do not agree: " + quoted(ast.name) + " joins " +
               unit_words(*left.dimension) + " and " + unit_words(*right.dimension),
           literal ? "a number without unit has dimension 1; write for instance 1 " + named : "");
    return std::nullopt;
  }

  /// Reports E018 where kinds do not go together.
  QuantityKind judged(const QuantityKind& kind, const std::optional<KindConflict>& conflict,
                      const Ast& ast) {
    if (conflict) refuse("E018", ast, conflict->cause, conflict->remedy);
    return kind;
  }

  QuantityKind common_kind(const Lowered& left, const Lowered& right, const Ast& ast) {
    std::optional<KindConflict> conflict;
    const QuantityKind kind = takt::common_kind(left.kind, right.kind, conflict);
    return judged(kind, conflict, ast);
  }

  QuantityKind sum_kind(const Lowered& left, const Lowered& right, int sign, const Ast& ast) {
    static const std::optional<Unit> kelvin = parse_unit("K");
    std::optional<KindConflict> conflict;
    const bool in_kelvin =
        left.dimension == kelvin->dimension || right.dimension == kelvin->dimension;
    const QuantityKind kind = sum_of_kinds(left.kind, right.kind, {sign, in_kelvin}, conflict);
    return judged(kind, conflict, ast);
  }

  /// Of a temperature times or over a number; of all else nothing is known.
  [[nodiscard]] QuantityKind product_kind(const Lowered& a, const Lowered& b, int sign) const {
    const auto factor = [&](const Lowered& number, int power) -> std::optional<double> {
      if (!graph_.is_constant(number.value)) return std::nullopt;
      const double value = graph_.node(number.value).value;
      return power > 0 ? value : 1.0 / value;
    };
    if (b.dimension == one_dimension) return scaled_kind(a.kind, factor(b, sign));
    return sign > 0 && a.dimension == one_dimension ? scaled_kind(b.kind, factor(a, 1))
                                                    : QuantityKind{};
  }

  [[nodiscard]] static Turning turning(const Lowered& factor) {
    if (factor.product) return *factor.product;
    if (factor.kind.turns())
      return factor.kind.sort == QuantityKind::Sort::angular ? Turning{.radians = 1}
                                                             : Turning{.hertz = 1};
    return {.numbers = static_cast<std::int8_t>(factor.dimension == one_dimension ? 1 : 0)};
  }

  /// As an angle; of a sum in another unit (time - t_0) nothing is known, and its kind tells.
  [[nodiscard]] static std::optional<Turning> sum_turning(const Lowered& a, const Lowered& b) {
    if (a.dimension != one_dimension && b.dimension != one_dimension) return std::nullopt;
    return Turning{.numbers = 1, .wrong_term = turning(a).is_wrong() || turning(b).is_wrong()};
  }

  static std::string unit_words(const Dimension& dimension) {
    return dimension == one_dimension ? "a value of dimension 1" : dimension_text(dimension);
  }

  Lowered binary(const Ast& ast) {
    const Lowered a = value(*ast.args[0]), b = value(*ast.args[1]);
    const std::string_view op = ast.name;
    if (op == "*")
      return {graph_.mul(a.value, b.value), product(a, b, 1, ast), product_kind(a, b, 1),
              turning(a).times(turning(b), 1)};
    if (op == "/")
      return {graph_.div(a.value, b.value), product(a, b, -1, ast), product_kind(a, b, -1),
              turning(a).times(turning(b), -1)};
    if (op == "^") return power(a, b, ast);
    if (op == "and" || op == "or") {
      need_one(a, *ast.args[0], "a condition");
      need_one(b, *ast.args[1], "a condition");
      return {graph_.binary(op == "and" ? Op::logical_and : Op::logical_or, a.value, b.value),
              one_dimension};
    }
    const std::optional<Dimension> dimension = common(a, b, ast);
    if (op == "+")
      return {graph_.add(a.value, b.value), dimension, sum_kind(a, b, 1, ast), sum_turning(a, b)};
    if (op == "-")
      return {graph_.sub(a.value, b.value), dimension, sum_kind(a, b, -1, ast), sum_turning(a, b)};
    (void)common_kind(a, b, ast);
    return {comparison(op, a.value, b.value), one_dimension};
  }

  Expr comparison(std::string_view op, Expr a, Expr b) {
    if (op == "<") return graph_.binary(Op::less, a, b);
    if (op == ">") return graph_.binary(Op::less, b, a);
    if (op == "<=") return graph_.binary(Op::less_equal, a, b);
    if (op == ">=") return graph_.binary(Op::less_equal, b, a);
    const Expr equal = graph_.binary(Op::equal, a, b);
    return op == "==" ? equal : graph_.unary(Op::logical_not, equal);
  }

  std::optional<Dimension> scaled(const Dimension& dimension, double factor, const Ast& ast) {
    Dimension result;
    for (std::size_t base = 0; base < dimension.exponent.size(); ++base) {
      const double exponent = dimension.exponent[base] * factor;
      if (!(std::fabs(exponent) <= 100.0) || exponent != std::floor(exponent)) {
        refuse("E015", ast,
               "power " + number_text(factor) + " of " + dimension_text(dimension) + " is no unit");
        return std::nullopt;
      }
      result.exponent[base] = static_cast<std::int8_t>(exponent);
    }
    return result;
  }

  std::optional<Dimension> product(const Lowered& a, const Lowered& b, int sign, const Ast& ast) {
    if (!a.dimension || !b.dimension) return std::nullopt;
    Dimension result;
    for (std::size_t base = 0; base < result.exponent.size(); ++base) {
      const int exponent = a.dimension->exponent[base] + sign * b.dimension->exponent[base];
      if (exponent > 100 || exponent < -100) {
        refuse("E015", ast, "exponent of a unit beyond 100");
        return std::nullopt;
      }
      result.exponent[base] = static_cast<std::int8_t>(exponent);
    }
    return result;
  }

  Lowered power(const Lowered& base, const Lowered& exponent, const Ast& ast) {
    need_one(exponent, *ast.args[1], "an exponent");
    const Expr value = graph_.binary(Op::pow, base.value, exponent.value);
    if (!base.dimension || *base.dimension == one_dimension) return {value, base.dimension};
    if (!graph_.is_constant(exponent.value)) {
      return refuse(
          "E015", ast,
          "power of a value in " + dimension_text(*base.dimension) + " needs a constant exponent");
    }
    return {value, scaled(*base.dimension, graph_.node(exponent.value).value, ast)};
  }

  Lowered call(const Ast& ast) {
    std::vector<Lowered> arguments;
    for (const auto& argument : ast.args) arguments.push_back(value(*argument));
    if (resolver_.table) {
      if (const std::optional<TableUse> table = resolver_.table(ast.name))
        return look_up(*table, arguments, ast);
    }
    if (resolver_.property && arguments.size() == 1) {
      if (const std::optional<Lowered> property = resolver_.property(ast.name, arguments.front())) {
        (void)judged({}, wrong_kind(arguments.front().kind, temperature_kind(1.0)),
                     *ast.args.front());
        return *property;
      }
    }
    for (const Function& function : functions) {
      if (function.name == ast.name) return plain_call(function, arguments, ast);
    }
    for (const std::string_view special : special_functions) {
      if (special == ast.name) return special_call(arguments, ast);
    }
    const std::vector<std::string> known(function_names().begin(), function_names().end());
    const std::string hint = did_you_mean(ast.name, known);
    return refuse("E011", ast, "unknown function " + quoted(ast.name),
                  hint.empty() ? "products are written with *" : hint);
  }

  bool has_count(const std::vector<Lowered>& arguments, int count, const Ast& ast) {
    const auto given = static_cast<int>(arguments.size());
    if (count >= 0 ? given == count : given >= -count) return true;
    refuse("E012", ast,
           quoted(ast.name) + " takes " +
               (count < 0 ? std::to_string(-count) + " or more" : std::to_string(count)) +
               (count == 1 ? " argument" : " arguments") + ", not " + std::to_string(given));
    return false;
  }

  Lowered look_up(const TableUse& table, const std::vector<Lowered>& arguments, const Ast& ast) {
    const bool two = !graph_.table(table.table).second.empty();
    if (!has_count(arguments, two ? 2 : 1, ast)) return unknown();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const auto& given = arguments[k].dimension;
      const auto& wanted = k == 0 ? table.x : table.second;
      if (!given || !wanted || *given == *wanted) continue;
      return refuse("E016", *ast.args[k],
                    "table " + quoted(ast.name) + " is over " + unit_words(*wanted) +
                        (two ? k == 0 ? " first" : " second" : "") + ", but its argument is " +
                        unit_words(*given));
    }
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const auto conflict =
          wrong_kind(arguments[k].kind, k == 0 ? table.x_kind : table.second_kind);
      (void)judged({}, conflict, *ast.args[k]);
    }
    const Expr x = arguments[0].value;
    const Expr value =
        two ? graph_.lookup(table.table, x, arguments[1].value) : graph_.lookup(table.table, x);
    return {value, table.y, table.y_kind};
  }

  Lowered plain_call(const Function& function, const std::vector<Lowered>& arguments,
                     const Ast& ast) {
    if (!has_count(arguments, function.arguments, ast)) return unknown();
    Lowered result = arguments[0];
    if (function.rule == Rule::pure)
      need_one(arguments[0], *ast.args[0], "the argument of " + quoted(ast.name));
    const bool is_angle =
        function.op == Op::sin || function.op == Op::cos || function.op == Op::tan;
    if (const Turning angle = turning(arguments[0]); is_angle && angle.is_wrong())
      (void)judged({}, angle.conflict(), *ast.args[0]);
    for (std::size_t k = 1; k < arguments.size(); ++k) {
      result.dimension = common(result, arguments[k], ast);
      result.kind = common_kind(result, arguments[k], ast);
      result.value = graph_.binary(function.op, result.value, arguments[k].value);
    }
    if (arguments.size() == 1) result.value = graph_.unary(function.op, arguments[0].value);
    const bool pure = function.rule == Rule::pure || function.rule == Rule::same_gives_one ||
                      function.rule == Rule::any_gives_one;
    if (pure) result.dimension = one_dimension;
    if (pure || function.rule == Rule::root) result.kind = {};
    result.kind.bare = false;
    result.product.reset();
    if (function.rule == Rule::root && result.dimension)
      result.dimension = scaled(*result.dimension, 0.5, ast);
    return result;
  }

  Lowered special_call(const std::vector<Lowered>& arguments, const Ast& ast) {
    const bool is_choice = ast.name == "if", is_clamp = ast.name == "clamp";
    if (!has_count(arguments, is_choice || is_clamp ? 3 : ast.name == "pow" ? 2 : 1, ast))
      return unknown();
    if (ast.name == "pow") return power(arguments[0], arguments[1], ast);
    if (ast.name == "step")
      return {graph_.binary(Op::less_equal, graph_.zero(), arguments[0].value), one_dimension};
    if (is_choice) {
      need_one(arguments[0], *ast.args[0], "a condition");
      const std::optional<Dimension> dimension = common(arguments[1], arguments[2], ast);
      return {graph_.select(arguments[0].value, arguments[1].value, arguments[2].value), dimension,
              common_kind(arguments[1], arguments[2], ast)};
    }
    Lowered result = arguments[0];
    result.dimension = common(result, arguments[1], ast);
    result.dimension = common(result, arguments[2], ast);
    result.kind = common_kind(result, arguments[1], ast);
    result.kind = common_kind(result, arguments[2], ast);
    result.product.reset();
    result.value = graph_.binary(Op::max, result.value, arguments[1].value);
    result.value = graph_.binary(Op::min, result.value, arguments[2].value);
    return result;
  }

  Graph& graph_;
  const Resolver& resolver_;
  const Location& where_;
  Diagnostics& diagnostics_;
  bool failed_ = false;
};

}  // namespace

std::optional<Lowered> lower(const ParsedText& text, Graph& graph, const Resolver& resolver,
                             Diagnostics& diagnostics) {
  Lowering lowering(graph, resolver, text.where, diagnostics);
  const Lowered result = lowering.value(text.ast);
  return lowering.failed() ? std::nullopt : std::optional(result);
}

}  // namespace takt::codegen
