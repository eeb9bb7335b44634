// Building with simplification. Every rule is exact for finite values, or rounds no worse than what
// it replaces.

#include <algorithm>
#include <array>
#include <cmath>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {
namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::isnormal(value) && std::fabs(std::frexp(value, &exponent)) == 0.5 &&
         std::isnormal(1.0 / value);
}

}  // namespace

Expr Graph::simplify_add(Expr a, Expr b) {
  if (is_constant(a, 0.0)) return b;
  if (is_constant(b, 0.0)) return a;
  const Node x = node(a), y = node(b);
  if (y.op == Op::neg) return sub(a, y.a);
  if (x.op == Op::neg) return sub(b, x.a);
  if (y.op == Op::constant && y.value < 0.0) return sub(a, constant(-y.value));
  // (p - q) + q and q + (p - q)
  if (x.op == Op::sub && x.b == b) return x.a;
  if (y.op == Op::sub && y.b == a) return y.a;
  return intern({.op = Op::add, .a = a, .b = b});
}

Expr Graph::simplify_sub(Expr a, Expr b) {
  if (a == b) return zero();
  if (is_constant(b, 0.0)) return a;
  if (is_constant(a, 0.0)) return neg(b);
  const Node x = node(a), y = node(b);
  if (y.op == Op::neg) return add(a, y.a);
  if (y.op == Op::constant && y.value < 0.0) return add(a, constant(-y.value));
  if (x.op == Op::neg) return neg(add(x.a, b));
  // (p + q) - q, (p + q) - p, p - (p - q), (p - q) - p
  if (x.op == Op::add && x.b == b) return x.a;
  if (x.op == Op::add && x.a == b) return x.b;
  if (y.op == Op::sub && y.a == a) return y.b;
  if (x.op == Op::sub && x.a == b) return neg(x.b);
  return intern({.op = Op::sub, .a = a, .b = b});
}

Expr Graph::simplify_mul(Expr a, Expr b) {
  if (is_constant(a, 0.0) || is_constant(b, 0.0)) return zero();
  if (is_constant(a, 1.0)) return b;
  if (is_constant(b, 1.0)) return a;
  if (is_constant(a, -1.0)) return neg(b);
  if (is_constant(b, -1.0)) return neg(a);
  if (is_constant(b)) std::swap(a, b);  // constants in front
  const Node x = node(a), y = node(b);
  if (x.op == Op::neg && y.op == Op::neg) return mul(x.a, y.a);
  if (x.op == Op::neg) return neg(mul(x.a, b));
  if (y.op == Op::neg)
    return x.op == Op::constant ? mul(constant(-x.value), y.a) : neg(mul(a, y.a));
  if (x.op == Op::constant && y.op == Op::mul && is_constant(y.a))
    return mul(constant(x.value * node(y.a).value), y.b);
  if (x.op == Op::div && is_constant(x.a, 1.0)) return div(b, x.b);
  if (y.op == Op::div && is_constant(y.a, 1.0)) return div(a, y.b);
  return intern({.op = Op::mul, .a = a, .b = b});
}

Expr Graph::simplify_div(Expr a, Expr b) {
  if (is_constant(b, 1.0)) return a;
  if (is_constant(b, -1.0)) return neg(a);
  if (is_constant(a, 0.0) && !is_constant(b, 0.0)) return zero();
  const Node x = node(a), y = node(b);
  if (y.op == Op::constant && is_power_of_two(y.value)) return mul(constant(1.0 / y.value), a);
  if (x.op == Op::neg && y.op == Op::neg) return div(x.a, y.a);
  if (x.op == Op::neg)
    return y.op == Op::constant ? div(x.a, constant(-y.value)) : neg(div(x.a, b));
  if (y.op == Op::neg)
    return x.op == Op::constant ? div(constant(-x.value), y.a) : neg(div(a, y.a));
  return intern({.op = Op::div, .a = a, .b = b});
}

Expr Graph::simplify_pow(Expr a, Expr b) {
  if (is_constant(b)) {
    const double exponent = node(b).value;
    if (exponent == 0.0) return one();
    if (exponent == 1.0) return a;
    if (exponent == 2.0) return mul(a, a);
    if (exponent == 3.0) return mul(mul(a, a), a);
    if (exponent == 4.0) return mul(mul(a, a), mul(a, a));
    if (exponent == -1.0) return div(one(), a);
    if (exponent == -2.0) return div(one(), mul(a, a));
    if (exponent == 0.5) return unary(Op::sqrt, a);
  }
  if (is_constant(a, 1.0)) return a;
  return intern({.op = Op::pow, .a = a, .b = b});
}

Expr Graph::simplify_logic(Op op, Expr a, Expr b) {
  const bool is_and = op == Op::logical_and;
  if (a == b && is_condition(a)) return a;
  for (const auto& [known, other] : {std::pair{a, b}, std::pair{b, a}}) {
    if (!is_constant(known)) continue;
    const bool truth = node(known).value > 0.5;
    if (truth != is_and) return constant(truth ? 1.0 : 0.0);  // false and x, true or x
    if (is_condition(other)) return other;
  }
  return intern({.op = op, .a = a, .b = b});
}

Expr Graph::unary(Op op, Expr a) {
  const Node x = node(a);
  if (x.op == Op::constant) return constant(apply({.op = op}, {x.value, 0.0, 0.0}));
  switch (op) {
    case Op::neg:
      if (x.op == Op::neg) return x.a;
      if (x.op == Op::sub) return sub(x.b, x.a);
      if (x.op == Op::mul && is_constant(x.a)) return mul(constant(-node(x.a).value), x.b);
      break;
    case Op::abs:
      if (x.op == Op::abs || x.op == Op::sqrt || x.op == Op::exp || is_condition(a)) return a;
      if (x.op == Op::neg) return unary(Op::abs, x.a);
      break;
    case Op::cos:
      if (x.op == Op::neg) return unary(op, x.a);
      break;
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::tanh:
    case Op::sign:
      if (x.op == Op::neg) return neg(unary(op, x.a));
      break;
    case Op::logical_not:
      if (x.op == Op::logical_not && is_condition(x.a)) return x.a;
      break;
    default:
      break;
  }
  return intern({.op = op, .a = a});
}

Expr Graph::binary(Op op, Expr a, Expr b) {
  if (is_constant(a) && is_constant(b))
    return constant(apply({.op = op}, {node(a).value, node(b).value, 0.0}));
  switch (op) {
    case Op::add:
      return simplify_add(a, b);
    case Op::sub:
      return simplify_sub(a, b);
    case Op::mul:
      return simplify_mul(a, b);
    case Op::div:
      return simplify_div(a, b);
    case Op::pow:
      return simplify_pow(a, b);
    case Op::min:
    case Op::max:
      if (a == b) return a;
      break;
    case Op::less:
      if (a == b) return zero();
      break;
    case Op::less_equal:
    case Op::equal:
      if (a == b) return one();
      break;
    case Op::logical_and:
    case Op::logical_or:
      return simplify_logic(op, a, b);
    default:
      break;
  }
  return intern({.op = op, .a = a, .b = b});
}

Expr Graph::select(Expr condition, Expr if_true, Expr if_false) {
  const Node c = node(condition);
  if (c.op == Op::constant) return c.value > 0.5 ? if_true : if_false;
  if (if_true == if_false) return if_true;
  if (c.op == Op::logical_not) return select(c.a, if_false, if_true);
  if (is_constant(if_true, 1.0) && is_constant(if_false, 0.0) && is_condition(condition))
    return condition;
  return intern({.op = Op::select, .a = condition, .b = if_true, .c = if_false});
}

Expr Graph::table_of(Op op, std::uint32_t table, const std::vector<Expr>& arguments) {
  const std::vector<double>& y = tables_[table].y;
  const bool flat =
      std::all_of(y.begin(), y.end(), [&](double value) { return value == y.front(); });
  if (flat) return op == Op::table || op == Op::table2 ? constant(y.front()) : zero();
  Node n{.op = op, .payload = table, .a = arguments[0]};
  if (arguments.size() > 1) n.b = arguments[1];
  std::array<double, 3> values{};
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (!is_constant(arguments[k])) return intern(n);
    values[k] = node(arguments[k]).value;
  }
  return constant(apply(n, values));
}

Expr Graph::lookup(TableId table, Expr x) {
  return table_of(Op::table, static_cast<std::uint32_t>(table), {x});
}
Expr Graph::lookup(TableId table, Expr x, Expr y) {
  return table_of(Op::table2, static_cast<std::uint32_t>(table), {x, y});
}

Expr Graph::rebuild(const Node& n, Expr a, Expr b, Expr c) {
  switch (n.op) {
    case Op::table:
    case Op::table_slope:
      return table_of(n.op, n.payload, {a});
    case Op::table2:
    case Op::table2_x:
    case Op::table2_y:
    case Op::table2_xy:
      return table_of(n.op, n.payload, {a, b});
    default:
      break;
  }
  switch (arity(n.op)) {
    case 0:
      return intern(n);
    case 2:
      return binary(n.op, a, b);
    case 3:
      return select(a, b, c);
    default:
      return unary(n.op, a);
  }
}

}  // namespace takt::codegen
