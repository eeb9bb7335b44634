#include "codegen/expr/apply.hpp"

#include "runtime/math/elementary.hpp"
#include "runtime/math/table2.hpp"

namespace takt::codegen {
namespace {

double truth(bool condition) { return condition ? 1.0 : 0.0; }

double apply_binary(Op op, double a, double b) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::pow:
      return math::pow(a, b);
    case Op::atan2:
      return math::atan2(a, b);
    case Op::min:
      return math::min(a, b);
    case Op::max:
      return math::max(a, b);
    case Op::mod:
      return math::mod(a, b);
    case Op::less:
      return truth(a < b);
    case Op::less_equal:
      return truth(a <= b);
    case Op::equal:
      return truth(a == b);
    case Op::logical_and:
      return truth(a > 0.5 && b > 0.5);
    case Op::logical_or:
      return truth(a > 0.5 || b > 0.5);
    default:
      return 0.0;
  }
}

double apply_unary(Op op, double a) {
  switch (op) {
    case Op::neg:
      return -a;
    case Op::sqrt:
      return math::sqrt(a);
    case Op::exp:
      return math::exp(a);
    case Op::log:
      return math::log(a);
    case Op::sin:
      return math::sin(a);
    case Op::cos:
      return math::cos(a);
    case Op::tan:
      return math::tan(a);
    case Op::asin:
      return math::asin(a);
    case Op::acos:
      return math::acos(a);
    case Op::atan:
      return math::atan(a);
    case Op::tanh:
      return math::tanh(a);
    case Op::abs:
      return math::abs(a);
    case Op::sign:
      return math::sign(a);
    case Op::floor:
      return math::floor(a);
    case Op::logical_not:
      return truth(!(a > 0.5));
    default:
      return 0.0;
  }
}

double apply_table2(Op op, const Table& table, double x, double y) {
  const math::Table2View view = math::make_table2_view(
      table.x.data(), static_cast<std::uint32_t>(table.x.size()), table.second.data(),
      static_cast<std::uint32_t>(table.second.size()), table.y.data());
  switch (op) {
    case Op::table2_x:
      return math::slope2_x(view, x, y);
    case Op::table2_y:
      return math::slope2_y(view, x, y);
    case Op::table2_xy:
      return math::slope2_xy(view, x, y);
    default:
      return math::lookup2(view, x, y);
  }
}

bool is_table2(Op op) {
  return op == Op::table2 || op == Op::table2_x || op == Op::table2_y || op == Op::table2_xy;
}

}  // namespace

double apply_node(const Graph& graph, const Node& n, const std::array<double, 3>& operands) {
  const double a = operands[0];
  if (n.op == Op::table || n.op == Op::table_slope) {
    const Table& columns = graph.table(static_cast<TableId>(n.payload));
    if (columns.x.empty()) return 0.0;
    const math::TableView view = math::make_table_view(
        columns.x.data(), columns.y.data(), static_cast<std::uint32_t>(columns.x.size()));
    return n.op == Op::table ? math::lookup(view, a) : math::slope(view, a);
  }
  if (is_table2(n.op))
    return apply_table2(n.op, graph.table(static_cast<TableId>(n.payload)), a, operands[1]);
  if (n.op == Op::select) return a > 0.5 ? operands[1] : operands[2];
  return Graph::arity(n.op) == 2 ? apply_binary(n.op, a, operands[1]) : apply_unary(n.op, a);
}

}  // namespace takt::codegen
