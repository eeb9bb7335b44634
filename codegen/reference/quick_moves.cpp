#include "codegen/reference/quick_moves.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace takt::codegen {
namespace {

constexpr int most_halvings = 20'000;  // for one instant
constexpr double part = 1.0 / 16;      // of the range: so much may a function move in a step, about
constexpr double least = 1.0 / 128;    // of the range: what moves less is at rest
constexpr double quick = 1.0 / 64;     // of the longest step
constexpr double shortest_s = 1e-9;    // as stops are counted
constexpr int samples = 1025;

/// The largest expressions that follow the time, and nothing that moves otherwise.
std::vector<Expr> functions_of_time(const Network& network, const std::vector<Expr>& values,
                                    const ValueRanges::ValueOf& value_of) {
  const Graph& graph = network.graph();
  enum class Follows : std::uint8_t { nothing, time, more };
  std::unordered_map<Expr, Follows> follows;
  for (const Expr e : graph.reachable(values)) {
    const Node& node = graph.node(e);
    Follows what = Follows::nothing;
    if (node.op == Op::symbol) {
      const SymbolId symbol{node.payload};
      what = symbol == network.time ? Follows::time
             : value_of(symbol)     ? Follows::nothing
                                    : Follows::more;
    }
    const std::array<Expr, 3> children{node.a, node.b, node.c};
    for (int k = 0; k < Graph::arity(node.op); ++k) what = std::max(what, follows.at(children[k]));
    follows.emplace(e, what);
  }
  std::vector<Expr> open(values), found;
  std::unordered_set<Expr> seen;
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e).second) continue;
    if (follows.at(e) == Follows::time) found.push_back(e);
    if (follows.at(e) != Follows::more) continue;
    const Node& node = graph.node(e);
    const std::array<Expr, 3> children{node.a, node.b, node.c};
    open.insert(open.end(), children.begin(), children.begin() + Graph::arity(node.op));
  }
  return found;
}

}  // namespace

QuickMoves::QuickMoves(const Network& network, const std::vector<Expr>& values,
                       ValueRanges::ValueOf value_of, const Run& run)
    : value_of_(std::move(value_of)), run_(run) {
  for (const Expr e : functions_of_time(network, values, value_of_)) {
    Function function{ValueRanges(network, e)};
    function.range = range_of(function.ranges);
    if (function.range > 0.0) functions_.push_back(std::move(function));
  }
}

double QuickMoves::width(const Function& function, double from, double to) const {
  const ValueRange range = function.ranges.over({from, to}, value_of_);
  return range.high - range.low;
}

/// Of all its values; zero where it stands still, or is not known.
double QuickMoves::range_of(const ValueRanges& ranges) const {
  ValueRange seen{HUGE_VAL, -HUGE_VAL};
  const auto sample = [&](double time) {
    const ValueRange value = ranges.over({time, time}, value_of_);
    seen.low = std::min(seen.low, value.low), seen.high = std::max(seen.high, value.high);
  };
  for (int k = 0; k < samples; ++k) sample(run_.duration_s * k / (samples - 1));
  if (!std::isfinite(seen.low) || !std::isfinite(seen.high)) return 0.0;
  std::vector<std::pair<double, double>> open{{0.0, run_.duration_s}};
  for (int halvings = 0; !open.empty() && halvings < most_halvings; ++halvings) {
    const auto [from, to] = open.back();
    open.pop_back();
    const ValueRange value = ranges.over({from, to}, value_of_);
    const double room = 0.1 * (seen.high - seen.low);
    if (value.high <= seen.high + room && value.low >= seen.low - room) continue;
    if (to - from < shortest_s) continue;
    const double middle = 0.5 * (from + to);
    sample(middle);
    open.emplace_back(middle, to), open.emplace_back(from, middle);
  }
  return std::isfinite(seen.high - seen.low) ? seen.high - seen.low : 0.0;
}

double QuickMoves::next(double from, double to) const {
  for (const Function& function : functions_) to = next_of(function, from, to);
  return to;
}

/// Intervals are halved until the function hardly moves over them: steps end where short ones of
/// these do.
double QuickMoves::next_of(const Function& function, double from, double to) const {
  std::vector<std::pair<double, double>> open{{0.0, run_.duration_s}};
  for (int halvings = 0; !open.empty(); ++halvings) {
    const auto [low, high] = open.back();
    open.pop_back();
    if (high <= from) continue;
    if (low >= to) return to;
    if (halvings > most_halvings) return low > from ? low : to;
    const double moves = width(function, low, high), length = high - low;
    if (length > shortest_s && moves > part * function.range) {
      const double middle = 0.5 * (low + high);
      open.emplace_back(middle, high), open.emplace_back(low, middle);
    } else if (length > shortest_s && length < quick * run_.longest_step_s &&
               moves > least * function.range) {
      return std::min(to, low > from ? low : high);
    }
  }
  return to;
}

}  // namespace takt::codegen
