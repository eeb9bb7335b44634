// Values and substitution: walks over ascending node numbers, no recursion.

#include <algorithm>
#include <array>

#include "codegen/expr/expr.hpp"
#include "runtime/math/elementary.hpp"
#include "runtime/math/table2.hpp"

namespace takt::codegen {
namespace {

double truth(bool condition) { return condition ? 1.0 : 0.0; }

double apply_binary(Op op, double a, double b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::pow: return math::pow(a, b);
    case Op::atan2: return math::atan2(a, b);
    case Op::min: return math::min(a, b);
    case Op::max: return math::max(a, b);
    case Op::mod: return math::mod(a, b);
    case Op::less: return truth(a < b);
    case Op::less_equal: return truth(a <= b);
    case Op::equal: return truth(a == b);
    case Op::logical_and: return truth(a > 0.5 && b > 0.5);
    case Op::logical_or: return truth(a > 0.5 || b > 0.5);
    default: return 0.0;
  }
}

double apply_unary(Op op, double a) {
  switch (op) {
    case Op::neg: return -a;
    case Op::sqrt: return math::sqrt(a);
    case Op::exp: return math::exp(a);
    case Op::log: return math::log(a);
    case Op::sin: return math::sin(a);
    case Op::cos: return math::cos(a);
    case Op::tan: return math::tan(a);
    case Op::asin: return math::asin(a);
    case Op::acos: return math::acos(a);
    case Op::atan: return math::atan(a);
    case Op::tanh: return math::tanh(a);
    case Op::abs: return math::abs(a);
    case Op::sign: return math::sign(a);
    case Op::floor: return math::floor(a);
    case Op::logical_not: return truth(!(a > 0.5));
    default: return 0.0;
  }
}

double apply_table2(Op op, const Table& table, double x, double y) {
  const math::Table2View view = math::make_table2_view(table.x.data(), static_cast<std::uint32_t>(table.x.size()), table.second.data(),
                                                       static_cast<std::uint32_t>(table.second.size()), table.y.data());
  switch (op) {
    case Op::table2_x: return math::slope2_x(view, x, y);
    case Op::table2_y: return math::slope2_y(view, x, y);
    case Op::table2_xy: return math::slope2_xy(view, x, y);
    default: return math::lookup2(view, x, y);
  }
}

bool is_table2(Op op) { return op == Op::table2 || op == Op::table2_x || op == Op::table2_y || op == Op::table2_xy; }

/// Position of a node in the ascending list; the list holds it.
std::size_t position(const std::vector<std::uint32_t>& walk, Expr e) {
  const auto index = static_cast<std::uint32_t>(e);
  // Dense walks (most of them) are found at once.
  const std::size_t guess = index - walk.front();
  if (guess < walk.size() && walk[guess] == index) return guess;
  return static_cast<std::size_t>(std::lower_bound(walk.begin(), walk.end(), index) - walk.begin());
}

}  // namespace

/// The same functions and order of operations as the emitted code, so that folding never changes a bit.
double Graph::apply(const Node& n, const std::array<double, 3>& operands) const {
  const double a = operands[0];
  if (n.op == Op::table || n.op == Op::table_slope) {
    const Table& columns = table(static_cast<TableId>(n.payload));
    if (columns.x.empty()) return 0.0;
    const math::TableView view =
        math::make_table_view(columns.x.data(), columns.y.data(), static_cast<std::uint32_t>(columns.x.size()));
    return n.op == Op::table ? math::lookup(view, a) : math::slope(view, a);
  }
  if (is_table2(n.op)) return apply_table2(n.op, table(static_cast<TableId>(n.payload)), a, operands[1]);
  if (n.op == Op::select) return a > 0.5 ? operands[1] : operands[2];
  return arity(n.op) == 2 ? apply_binary(n.op, a, operands[1]) : apply_unary(n.op, a);
}

double Graph::evaluate(Expr e, const std::function<double(SymbolId)>& value_of) const {
  const std::vector<std::uint32_t> walk = collect({e}, 0);
  std::vector<double> value(walk.size());
  for (std::size_t at_walk = 0; at_walk < walk.size(); ++at_walk) {
    const Node n = nodes_[walk[at_walk]];
    if (n.op == Op::constant) {
      value[at_walk] = n.value;
    } else if (n.op == Op::symbol) {
      value[at_walk] = value_of(static_cast<SymbolId>(n.payload));
    } else {
      std::array<double, 3> operands{};
      const std::array<Expr, 3> children{n.a, n.b, n.c};
      const auto count = static_cast<std::size_t>(arity(n.op));
      for (std::size_t k = 0; k < count; ++k) operands[k] = value[position(walk, children[k])];
      value[at_walk] = apply(n, operands);
    }
  }
  return value.back();
}

Expr Graph::substitute(Expr e, const std::unordered_map<SymbolId, Expr>& replacements) {
  std::uint32_t lowest = none;
  constexpr std::size_t many = 64;
  if (replacements.size() <= many) {
    for (const auto& [symbol, replacement] : replacements) lowest = std::min(lowest, node_of(symbol));
  } else {  // a small expression must not cost the size of a large map
    for (const SymbolId symbol : symbols_of(e))
      if (replacements.contains(symbol)) lowest = std::min(lowest, node_of(symbol));
  }
  if (lowest == none || lowest > static_cast<std::uint32_t>(e)) return e;
  const std::vector<std::uint32_t> walk = collect({e}, lowest);
  std::vector<Expr> changed(walk.size());
  const auto result_of = [&](Expr child) {
    return static_cast<std::uint32_t>(child) < lowest ? child : changed[position(walk, child)];
  };
  for (std::size_t at_walk = 0; at_walk < walk.size(); ++at_walk) {
    const auto self = static_cast<Expr>(walk[at_walk]);
    const Node n = nodes_[walk[at_walk]];
    const int operands = arity(n.op);
    changed[at_walk] = self;
    if (n.op == Op::symbol) {
      const auto entry = replacements.find(static_cast<SymbolId>(n.payload));
      if (entry != replacements.end()) changed[at_walk] = entry->second;
    } else if (operands > 0) {
      const Expr a = result_of(n.a);
      const Expr b = operands > 1 ? result_of(n.b) : n.b;
      const Expr c = operands > 2 ? result_of(n.c) : n.c;
      if (a != n.a || b != n.b || c != n.c) changed[at_walk] = rebuild(n, a, b, c);
    }
  }
  return changed.back();
}

}  // namespace takt::codegen
