// Symbolic derivatives and the split of linear expressions.

#include <algorithm>
#include <array>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {
namespace {

/// Results for the nodes of an ascending walk that starts at `lowest`; nodes below it do not depend
/// on the symbol.
template <class T>
class Memo {
 public:
  Memo(const std::vector<std::uint32_t>& walk, T otherwise)
      : walk_(walk), values_(walk.size()), otherwise_(otherwise) {}
  [[nodiscard]] T of(Expr e) const { return of(e, otherwise_); }
  [[nodiscard]] T of(Expr e, T otherwise) const {
    const auto index = static_cast<std::uint32_t>(e);
    const auto found = std::lower_bound(walk_.begin(), walk_.end(), index);
    if (found == walk_.end() || *found != index) return otherwise;
    return values_[static_cast<std::size_t>(found - walk_.begin())];
  }
  T& operator[](std::size_t position) { return values_[position]; }
  [[nodiscard]] const T& back() const { return values_.back(); }

 private:
  const std::vector<std::uint32_t>& walk_;
  std::vector<T> values_;
  T otherwise_;
};

/// e = coefficient * symbol + rest.
struct Linear {
  Expr coefficient{};
  Expr rest{};
  bool free = true;  ///< of the symbol
  bool linear = true;
};

/// What a node is on the right of where the argument of a sign among its factors is zero:
/// sign(x)*abs(x) has the slope 1 at 0, although sign(0) is 0.  @param a, b  its operands there
Expr on_the_right(Graph& graph, const Node& n, Expr self, Expr a, Expr b) {
  if (n.op == Op::sign)
    return graph.select(graph.binary(Op::less, n.a, graph.zero()), graph.constant(-1.0),
                        graph.one());
  const bool product = n.op == Op::neg || n.op == Op::mul || n.op == Op::div;
  return product && (a != n.a || b != n.b) ? graph.rebuild(n, a, b, {}) : self;
}

}  // namespace

Expr Graph::derivative_of_power(const Node& n, Expr self, const std::array<Expr, 3>& d) {
  Expr sum = zero();
  if (!is_constant(d[0], 0.0)) {
    const Expr outer = mul(n.b, binary(Op::pow, n.a, sub(n.b, one())));
    sum = mul(outer, d[0]);
  }
  if (!is_constant(d[1], 0.0)) sum = add(sum, mul(mul(self, unary(Op::log, n.a)), d[1]));
  return sum;
}

/// d: derivatives of the operands. Kinks take one side: abs and sign that on the right; min and max
/// of equal operands as if the first were larger, so that they agree with each other. Products are
/// differentiated by their factors on_the_right(): n and self are those of such operands.
Expr Graph::derivative_of(const Node& n, Expr self, const std::array<Expr, 3>& d) {
  const auto square = [this](Expr x) { return mul(x, x); };
  switch (n.op) {
    case Op::add:
      return add(d[0], d[1]);
    case Op::sub:
      return sub(d[0], d[1]);
    case Op::neg:
      return neg(d[0]);
    case Op::mul:
      return add(mul(d[0], n.b), mul(n.a, d[1]));
    case Op::div:
      return div(sub(d[0], mul(self, d[1])), n.b);
    case Op::pow:
      return derivative_of_power(n, self, d);
    case Op::sqrt:
      return div(d[0], mul(constant(2.0), self));
    case Op::exp:
      return mul(self, d[0]);
    case Op::log:
      return div(d[0], n.a);
    case Op::sin:
      return mul(unary(Op::cos, n.a), d[0]);
    case Op::cos:
      return neg(mul(unary(Op::sin, n.a), d[0]));
    case Op::tan:
      return mul(add(one(), square(self)), d[0]);
    case Op::asin:
      return div(d[0], unary(Op::sqrt, sub(one(), square(n.a))));
    case Op::acos:
      return neg(div(d[0], unary(Op::sqrt, sub(one(), square(n.a)))));
    case Op::atan:
      return div(d[0], add(one(), square(n.a)));
    case Op::atan2:
      return div(sub(mul(d[0], n.b), mul(n.a, d[1])), add(square(n.a), square(n.b)));
    case Op::tanh:
      return mul(sub(one(), square(self)), d[0]);
    case Op::abs:
      return mul(select(binary(Op::less, n.a, zero()), constant(-1.0), one()), d[0]);
    case Op::min:
      return select(binary(Op::less_equal, n.b, n.a), d[1], d[0]);
    case Op::max:
      return select(binary(Op::less, n.a, n.b), d[1], d[0]);
    case Op::mod:
      return sub(d[0], mul(d[1], unary(Op::floor, div(n.a, n.b))));
    case Op::select:
      return select(n.a, d[1], d[2]);
    case Op::table:
      return mul(rebuild({.op = Op::table_slope, .payload = n.payload, .a = n.a}, n.a, {}, {}),
                 d[0]);
    case Op::table2:
    case Op::table2_x:
    case Op::table2_y:
      return derivative_of_table2(n, d);
    default:
      return zero();
  }
}

/// Along one argument a bilinear table is linear between its points: its second derivatives are the
/// mixed one alone.
Expr Graph::derivative_of_table2(const Node& n, const std::array<Expr, 3>& d) {
  const auto slope = [&](Op op, Expr rate) {
    return is_constant(rate, 0.0) ? zero() : mul(table_of(op, n.payload, {n.a, n.b}), rate);
  };
  if (n.op == Op::table2_x) return slope(Op::table2_xy, d[1]);
  if (n.op == Op::table2_y) return slope(Op::table2_xy, d[0]);
  return add(slope(Op::table2_x, d[0]), slope(Op::table2_y, d[1]));
}

Expr Graph::differentiate(Expr e, SymbolId with_respect_to) {
  const std::uint32_t lowest = node_of(with_respect_to);
  if (lowest == none || lowest > static_cast<std::uint32_t>(e)) return zero();
  const std::vector<std::uint32_t> walk = collect({e}, lowest);
  Memo<Expr> memo(walk, zero()), right(walk, zero());
  const Expr nothing = zero();
  for (std::size_t position = 0; position < walk.size(); ++position) {
    Node n = nodes_[walk[position]];
    const int operands = arity(n.op);
    Expr self = static_cast<Expr>(walk[position]);
    right[position] = self;
    if (walk[position] == lowest) {
      memo[position] = one();
      continue;
    }
    const std::array<Expr, 3> d{operands > 0 ? memo.of(n.a) : nothing,
                                operands > 1 ? memo.of(n.b) : nothing,
                                operands > 2 ? memo.of(n.c) : nothing};
    const Expr a = operands > 0 ? right.of(n.a, n.a) : n.a,
               b = operands > 1 ? right.of(n.b, n.b) : n.b;
    right[position] = on_the_right(*this, n, self, a, b);
    if (n.op == Op::mul || n.op == Op::div) n.a = a, n.b = b, self = right[position];
    const bool still = d[0] == nothing && d[1] == nothing && d[2] == nothing;
    memo[position] = still ? nothing : derivative_of(n, self, d);
  }
  return memo.back();
}

bool Graph::split_linear(Expr e, SymbolId symbol, Expr& coefficient, Expr& rest) {
  const std::uint32_t lowest = node_of(symbol);
  coefficient = zero();
  rest = e;
  if (lowest == none || lowest > static_cast<std::uint32_t>(e)) return true;
  const std::vector<std::uint32_t> walk = collect({e}, lowest);
  Memo<Linear> memo(walk, {});
  const auto part = [&](Expr child) {
    Linear result = memo.of(child);
    if (result.free) result = {zero(), child, true, true};
    return result;
  };
  for (std::size_t position = 0; position < walk.size(); ++position) {
    const Node n = nodes_[walk[position]];
    Linear& result = memo[position];
    if (walk[position] == lowest) {
      result = {one(), zero(), false, true};
      continue;
    }
    const int operands = arity(n.op);
    const Linear a = operands > 0 ? part(n.a) : Linear{}, b = operands > 1 ? part(n.b) : Linear{},
                 c = operands > 2 ? part(n.c) : Linear{};
    if (a.free && b.free && c.free) continue;
    result.free = false;
    result.linear = a.linear && b.linear && c.linear;
    if (!result.linear) continue;
    switch (n.op) {
      case Op::add:
        result.coefficient = add(a.coefficient, b.coefficient), result.rest = add(a.rest, b.rest);
        break;
      case Op::sub:
        result.coefficient = sub(a.coefficient, b.coefficient), result.rest = sub(a.rest, b.rest);
        break;
      case Op::neg:
        result.coefficient = neg(a.coefficient), result.rest = neg(a.rest);
        break;
      case Op::mul:
        result.linear = a.free || b.free;
        if (a.free)
          result.coefficient = mul(n.a, b.coefficient), result.rest = mul(n.a, b.rest);
        else if (b.free)
          result.coefficient = mul(a.coefficient, n.b), result.rest = mul(a.rest, n.b);
        break;
      case Op::div:
        result.linear = b.free;
        if (b.free) result.coefficient = div(a.coefficient, n.b), result.rest = div(a.rest, n.b);
        break;
      case Op::select:
        result.linear = a.free;
        if (a.free) {
          result.coefficient = select(n.a, b.coefficient, c.coefficient);
          result.rest = select(n.a, b.rest, c.rest);
        }
        break;
      default:
        result.linear = false;
    }
    // Terms of the symbol may have cancelled.
    if (result.linear && is_constant(result.coefficient, 0.0))
      result = {zero(), result.rest, false, true};
  }
  if (!memo.back().linear) return false;
  if (memo.back().free) return true;
  coefficient = memo.back().coefficient;
  rest = memo.back().rest;
  return true;
}

}  // namespace takt::codegen
