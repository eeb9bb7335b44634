#include "random_expression.hpp"

namespace takt::codegen::testing {

RandomExpressions::RandomExpressions(std::uint32_t seed) : random_(seed) {
  for (int k = 0; k < 4; ++k) symbols.push_back(graph.make_symbol(std::string(1, 's').append(std::to_string(k)), "1"));
  curve = graph.make_table({"curve", {-2.0, -0.5, 0.25, 1.0, 3.0}, {1.0, -1.0, 0.5, 2.0, -1.5}});
  map = graph.make_table({"map", {-1.5, 0.0, 2.0}, {1.0, -1.0, 0.5, 2.0, -1.5, 0.25}, {-0.75, 1.25}});
}

double RandomExpressions::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
}

Expr RandomExpressions::leaf() {
  static constexpr double numbers[] = {0.0, 1.0, -1.0, 2.0, 0.5, 3.0, -0.3, 1e-9, 7.25};
  if (below(4) == 0) return graph.constant(numbers[below(9)]);
  return graph.use(symbols[below(4)]);
}

Expr RandomExpressions::smooth_unary(Expr x) {
  static constexpr Op ops[] = {Op::sin, Op::cos,  Op::tanh, Op::atan, Op::exp,  Op::neg,
                               Op::abs, Op::sqrt, Op::log,  Op::asin, Op::acos, Op::tan};
  const Op op = ops[below(12)];
  // Arguments kept where the function is defined and tame.
  if (op == Op::exp || op == Op::asin || op == Op::acos || op == Op::tan)
    x = graph.mul(graph.constant(0.9), graph.unary(Op::sin, x));
  if (op == Op::sqrt || op == Op::log) x = graph.add(graph.constant(0.5), graph.mul(x, x));
  return graph.unary(op, x);
}

Expr RandomExpressions::condition(int depth, bool smooth) {
  static constexpr Op comparisons[] = {Op::less, Op::less_equal, Op::equal};
  const Expr a = make(depth, smooth), b = make(depth, smooth);
  const Expr first = graph.binary(comparisons[below(3)], a, b);
  switch (below(4)) {
    case 0:
      return graph.unary(Op::logical_not, first);
    case 1:
      return graph.binary(Op::logical_and, first, graph.binary(Op::less, b, graph.use(symbols[below(4)])));
    case 2:
      return graph.binary(Op::logical_or, first, graph.use(symbols[below(4)]));
    default:
      return first;
  }
}

Expr RandomExpressions::make(int depth, bool smooth) {
  if (depth <= 0) return leaf();
  // Operands are made in named order: the order of evaluation of arguments is the compiler's choice.
  const Expr a = make(depth - 1, smooth), b = make(depth - 1 - static_cast<int>(below(2)), smooth);
  const std::uint32_t kind = below(smooth ? 14 : 19);
  switch (kind) {
    case 0:
    case 1:
      return graph.add(a, b);
    case 2:
    case 3:
      return graph.sub(a, b);
    case 4:
    case 5:
      return graph.mul(a, b);
    case 6:
      return graph.div(a, graph.add(graph.constant(1.5), graph.mul(b, b)));
    case 7:
      return graph.binary(Op::min, a, b);
    case 8:
      return graph.binary(Op::max, a, b);
    case 9:
      return graph.lookup(curve, a);
    case 10:
      return graph.binary(Op::atan2, a, graph.add(graph.constant(2.0), graph.mul(b, b)));
    case 11:
      return graph.binary(Op::pow, graph.add(graph.constant(0.5), graph.mul(a, a)), graph.unary(Op::sin, b));
    case 12:
      return smooth_unary(a);
    case 13:
      return graph.lookup(map, a, b);
    case 14:
      return graph.unary(Op::floor, a);
    case 15:
      return graph.binary(Op::mod, a, graph.constant(1.25));
    case 16:
      return graph.unary(Op::sign, a);
    case 17: {
      const Expr c = condition(depth - 2, smooth);
      return graph.select(c, a, b);
    }
    default:
      return graph.add(a, condition(depth - 2, smooth));
  }
}

}  // namespace takt::codegen::testing
