#include "codegen/expr/partials.hpp"

#include <cmath>

#include "codegen/expr/apply.hpp"

namespace takt::codegen {

std::array<double, 3> partials(const Graph& graph, const Node& node,
                               const std::array<double, 2>& operands, double self) {
  const auto [a, b] = operands;
  const auto slope = [&graph, &node, a = a, b = b](Op op) {
    Node derived = node;
    derived.op = op;
    return apply_node(graph, derived, {a, b, 0.0});
  };
  switch (node.op) {
    case Op::add:
      return {1.0, 1.0, 0.0};
    case Op::sub:
      return {1.0, -1.0, 0.0};
    case Op::mul:
      return {b, a, 0.0};
    case Op::div:
      return {1.0 / b, -self / b, 0.0};
    case Op::neg:
      return {-1.0, 0.0, 0.0};
    case Op::pow:
      return {b == 0.0 ? 0.0 : b * std::pow(a, b - 1.0), a > 0.0 ? self * std::log(a) : 0.0, 0.0};
    case Op::sqrt:
      return {0.5 / self, 0.0, 0.0};
    case Op::exp:
      return {self, 0.0, 0.0};
    case Op::log:
      return {1.0 / a, 0.0, 0.0};
    case Op::sin:
      return {std::cos(a), 0.0, 0.0};
    case Op::cos:
      return {-std::sin(a), 0.0, 0.0};
    case Op::tan:
      return {1.0 + self * self, 0.0, 0.0};
    case Op::asin:
      return {1.0 / std::sqrt(1.0 - a * a), 0.0, 0.0};
    case Op::acos:
      return {-1.0 / std::sqrt(1.0 - a * a), 0.0, 0.0};
    case Op::atan:
      return {1.0 / (1.0 + a * a), 0.0, 0.0};
    case Op::atan2:
      return {b / (a * a + b * b), -a / (a * a + b * b), 0.0};
    case Op::tanh:
      return {1.0 - self * self, 0.0, 0.0};
    case Op::abs:
      return {a < 0.0 ? -1.0 : 1.0, 0.0, 0.0};
    case Op::min:
      return {b <= a ? 0.0 : 1.0, b <= a ? 1.0 : 0.0, 0.0};
    case Op::max:
      return {a < b ? 0.0 : 1.0, a < b ? 1.0 : 0.0, 0.0};
    case Op::mod:
      return {1.0, -std::floor(a / b), 0.0};
    case Op::select:
      return {0.0, a > 0.5 ? 1.0 : 0.0, a > 0.5 ? 0.0 : 1.0};
    case Op::table:
      return {slope(Op::table_slope), 0.0, 0.0};
    case Op::table2:
      return {slope(Op::table2_x), slope(Op::table2_y), 0.0};
    case Op::table2_x:
      return {0.0, slope(Op::table2_xy), 0.0};
    case Op::table2_y:
      return {slope(Op::table2_xy), 0.0, 0.0};
    default:
      return {0.0, 0.0, 0.0};
  }
}

}  // namespace takt::codegen
