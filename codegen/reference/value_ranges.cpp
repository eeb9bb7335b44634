#include "codegen/reference/value_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace takt::codegen {
namespace {

using Interval = ValueRange;
constexpr double never = std::numeric_limits<double>::infinity();

Interval between(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return {};
  return {std::min(a, b), std::max(a, b)};
}
Interval hull(std::initializer_list<double> values) {
  Interval all{never, -never};
  for (const double value : values) {
    if (std::isnan(value)) return {};
    all.low = std::min(all.low, value), all.high = std::max(all.high, value);
  }
  return all;
}
bool contains(const Interval& i, double value) { return i.low <= value && value <= i.high; }

/// Of sin and cos: the greatest value where a crest (crest + 2 pi k) lies inside, else one at an
/// end.
Interval wave(const Interval& a, double (*function)(double), double crest) {
  constexpr double turn = 2.0 * std::numbers::pi;
  if (!(a.high - a.low < turn)) return {-1.0, 1.0};
  Interval range = between(function(a.low), function(a.high));
  const auto inside = [&](double place) {
    return place + turn * std::ceil((a.low - place) / turn) <= a.high;
  };
  if (inside(crest)) range.high = 1.0;
  if (inside(crest + std::numbers::pi)) range.low = -1.0;
  return range;
}

Interval product(const Interval& a, const Interval& b) {
  const auto times = [](double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; };
  return hull(
      {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
}
Interval quotient(const Interval& a, const Interval& b) {
  if (contains(b, 0.0)) return {};
  return product(a, hull({1.0 / b.low, 1.0 / b.high}));
}
Interval power(const Interval& a, const Interval& b) {
  if (b.low == b.high && b.low == std::floor(b.low) && b.low > 0.0) {
    const bool even = std::fmod(b.low, 2.0) == 0.0;
    Interval range = between(std::pow(a.low, b.low), std::pow(a.high, b.low));
    if (even && contains(a, 0.0)) range.low = 0.0;
    return range;
  }
  if (!(a.low > 0.0)) return {};
  return hull({std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low),
               std::pow(a.high, b.high)});
}
Interval rest(const Interval& a, const Interval& b) {
  if (b.low != b.high || !(std::isfinite(a.low) && std::isfinite(a.high))) return {};
  if (std::floor(a.low / b.low) != std::floor(a.high / b.low)) return between(0.0, b.low);
  const auto of = [&](double x) { return x - b.low * std::floor(x / b.low); };
  return between(of(a.low), of(a.high));
}
Interval read(const Table& table, const Interval& x) {
  if (!table.second.empty()) return {};
  const auto first = std::upper_bound(table.x.begin(), table.x.end(), x.low) - table.x.begin() - 1;
  auto last = std::lower_bound(table.x.begin(), table.x.end(), x.high) - table.x.begin();
  last = std::min<std::ptrdiff_t>(last, std::ssize(table.y) - 1);
  const auto [low, high] = std::minmax_element(table.y.begin() + std::max<std::ptrdiff_t>(first, 0),
                                               table.y.begin() + last + 1);
  return {*low, *high};
}
Interval truth(bool surely, bool surely_not) {
  return {surely ? 1.0 : 0.0, surely_not ? 0.0 : 1.0};
}
bool is_true(const Interval& a) { return a.low > 0.5; }
bool is_false(const Interval& a) { return a.high <= 0.5; }

Interval apply(const Graph& graph, const Node& node, const std::array<Interval, 3>& x) {
  const Interval &a = x[0], &b = x[1], &c = x[2];
  switch (node.op) {
    case Op::add:
      return {a.low + b.low, a.high + b.high};
    case Op::sub:
      return {a.low - b.high, a.high - b.low};
    case Op::mul:
      return node.a == node.b ? power(a, {2.0, 2.0}) : product(a, b);
    case Op::div:
      return quotient(a, b);
    case Op::neg:
      return {-a.high, -a.low};
    case Op::pow:
      return power(a, b);
    case Op::sqrt:
      return between(std::sqrt(std::max(a.low, 0.0)), std::sqrt(std::max(a.high, 0.0)));
    case Op::exp:
      return between(std::exp(a.low), std::exp(a.high));
    case Op::log:
      return a.low > 0.0 ? between(std::log(a.low), std::log(a.high)) : Interval{};
    case Op::sin:
      return wave(a, std::sin, 0.5 * std::numbers::pi);
    case Op::cos:
      return wave(a, std::cos, 0.0);
    case Op::atan:
      return between(std::atan(a.low), std::atan(a.high));
    case Op::tanh:
      return between(std::tanh(a.low), std::tanh(a.high));
    case Op::abs:
      return contains(a, 0.0) ? Interval{0.0, std::max(-a.low, a.high)}
                              : between(std::abs(a.low), std::abs(a.high));
    case Op::sign:
      return {a.low > 0.0   ? 1.0
              : a.low < 0.0 ? -1.0
                            : 0.0,
              a.high > 0.0   ? 1.0
              : a.high < 0.0 ? -1.0
                             : 0.0};
    case Op::min:
      return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::max:
      return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::floor:
      return {std::floor(a.low), std::floor(a.high)};
    case Op::mod:
      return rest(a, b);
    case Op::less:
      return truth(a.high < b.low, a.low >= b.high);
    case Op::less_equal:
      return truth(a.high <= b.low, a.low > b.high);
    case Op::equal:
      return truth(a.low == a.high && b.low == b.high && a.low == b.low,
                   a.high < b.low || b.high < a.low);
    case Op::logical_and:
      return truth(is_true(a) && is_true(b), is_false(a) || is_false(b));
    case Op::logical_or:
      return truth(is_true(a) || is_true(b), is_false(a) && is_false(b));
    case Op::logical_not:
      return truth(is_false(a), is_true(a));
    case Op::select:
      if (is_true(a)) return b;
      if (is_false(a)) return c;
      return {std::min(b.low, c.low), std::max(b.high, c.high)};
    case Op::table:
      return read(graph.table(TableId{node.payload}), a);
    default:
      return {};
  }
}

}  // namespace

ValueRanges::ValueRanges(const Network& network, Expr function) : network_(&network) {
  const Graph& graph = network.graph();
  std::unordered_map<Expr, std::size_t> place;
  for (const Expr e : graph.reachable({function})) {
    Step step{graph.node(e)};
    const std::array<Expr, 3> children{step.node.a, step.node.b, step.node.c};
    for (std::size_t k = 0; k < static_cast<std::size_t>(Graph::arity(step.node.op)); ++k)
      step.operands[k] = place.at(children[k]);
    place.emplace(e, steps_.size());
    steps_.push_back(step);
  }
  ranges_.resize(steps_.size());
}

ValueRange ValueRanges::over(const ValueRange& time, const ValueOf& value_of) const {
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const auto& [node, operands] = steps_[k];
    if (node.op == Op::constant) {
      ranges_[k] = {node.value, node.value};
    } else if (node.op == Op::symbol) {
      const SymbolId symbol{node.payload};
      const std::optional<double> value =
          symbol == network_->time ? std::nullopt : value_of(symbol);
      ranges_[k] = symbol == network_->time ? time
                   : value                  ? ValueRange{*value, *value}
                                            : ValueRange{};
    } else {
      ranges_[k] = apply(network_->graph(), node,
                         {ranges_[operands[0]], ranges_[operands[1]], ranges_[operands[2]]});
    }
  }
  return ranges_.back();
}

}  // namespace takt::codegen
