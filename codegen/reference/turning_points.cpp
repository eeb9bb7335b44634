#include "codegen/reference/turning_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace takt::codegen {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int most_halvings = 20'000;  // for one instant

bool contains(const ValueRange& i, double value) { return i.low <= value && value <= i.high; }

}  // namespace

TurningPoints::TurningPoints(const Network& network, const std::vector<Expr>& values,
                             ValueOf value_of)
    : value_of_(std::move(value_of)) {
  Graph& graph = network.graph();
  const auto of_time = [&](Expr e) {
    bool reads_time = false;
    for (const SymbolId symbol : graph.symbols_of(e)) {
      if (symbol == network.time)
        reads_time = true;
      else if (!value_of_(symbol))
        return false;
    }
    return reads_time;
  };
  for (const Expr e : graph.reachable(values)) {
    const Node node = graph.node(e);
    const auto turns = [&](Turn::At at, Expr argument,
                           const std::vector<double>* corners = nullptr) {
      if (of_time(argument)) turns_.push_back({at, ValueRanges(network, argument), corners});
    };
    switch (node.op) {
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::min:
      case Op::max:
        turns(Turn::At::zero, graph.sub(node.a, node.b));
        break;
      case Op::abs:
      case Op::sign:
        turns(Turn::At::zero, node.a);
        break;
      case Op::floor:
        turns(Turn::At::integer, node.a);
        break;
      case Op::mod:
        turns(Turn::At::integer, graph.div(node.a, node.b));
        break;
      case Op::table:
        turns(Turn::At::corner, node.a, &graph.table(TableId{node.payload}).x);
        break;
      case Op::table2:
        turns(Turn::At::corner, node.a, &graph.table(TableId{node.payload}).x);
        turns(Turn::At::corner, node.b, &graph.table(TableId{node.payload}).second);
        break;
      default:
        break;
    }
  }
}

bool TurningPoints::may_turn(const Turn& turn, double from, double to) const {
  const ValueRange range = turn.ranges.over({from, to}, value_of_);
  switch (turn.at) {
    case Turn::At::zero:
      return contains(range, 0.0) && !(range.low == 0.0 && range.high == 0.0);
    case Turn::At::integer:
      return std::floor(range.low) != std::floor(range.high);
    case Turn::At::corner: {
      const auto next = std::lower_bound(turn.corners->begin(), turn.corners->end(), range.low);
      return next != turn.corners->end() && *next <= range.high;
    }
  }
  return true;
}

double TurningPoints::first(double from, double to) const {
  double found = never;
  for (const Turn& turn : turns_) {
    std::vector<std::pair<double, double>> open{{from, std::min(to, found)}};
    for (int halvings = 0; !open.empty() && halvings < most_halvings; ++halvings) {
      const auto [low, high] = open.back();
      open.pop_back();
      if (!may_turn(turn, low, high)) continue;
      const double middle = 0.5 * (low + high);
      if (high - low <= 4e-16 * std::abs(high) || !(low < middle && middle < high)) {
        if (high > from) found = std::min(found, high);
        if (high > from) break;
        continue;
      }
      open.emplace_back(middle, high);
      open.emplace_back(low, middle);
    }
  }
  return found;
}

}  // namespace takt::codegen
