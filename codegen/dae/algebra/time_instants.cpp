#include "codegen/dae/algebra/time_instants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "codegen/expr/node_memo.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_levels = 64;

enum class Follows : std::uint8_t { nothing, time, more };

class Search {
 public:
  Search(const Network& network, const Surrogate& surrogate)
      : network_(network), graph_(network.graph()), memo_(network.graph()), time_(network.time) {
    for (const Parameter& parameter : network.parameters) fixed_.insert(parameter.symbol);
    for (const AlgebraicStep& step : surrogate.algebra)
      if (step.kind == AlgebraicStep::Kind::assignment)
        assignment(step.assignment);
      else
        for (const Expr residual : step.newton.residuals)
          roots_.push_back(graph_.substitute(residual, of_time_));
    for (const SurrogateState& state : surrogate.states)
      roots_.push_back(graph_.substitute(state.derivative, of_time_));
  }
  Search(const Network& network, const Surrogate& surrogate, const std::vector<Expr>& values)
      : Search(network, surrogate) {
    roots_.clear();
    for (const Expr value : values) roots_.push_back(graph_.substitute(value, of_time_));
  }

  TimeInstants all() {
    for (const Expr e : graph_.reachable(roots_)) look_at(e);
    if (found_.levels.size() > most_levels) {
      found_.unknown.push_back(std::to_string(found_.levels.size()) + " comparisons with the time");
      found_.levels.clear();
    }
    return std::move(found_);
  }

 private:
  /// Names of functions of the time, and of parameters, stand for them.
  void assignment(const Assignment& step) {
    const Expr value = graph_.substitute(step.value, of_time_);
    roots_.push_back(value);
    if (follows(value) != Follows::more) of_time_.emplace(step.symbol, value);
  }

  Follows follows(Expr e) {
    return memo_.of(
        e,
        [&](SymbolId symbol) {
          return symbol == time_           ? Follows::time
                 : fixed_.contains(symbol) ? Follows::nothing
                                           : Follows::more;
        },
        [](Follows a, Follows b) { return std::max(a, b); });
  }
  bool is_fixed(Expr e) { return follows(e) == Follows::nothing; }

  void look_at(Expr e) {
    const Node node = graph_.node(e);
    const auto of_time = [&](Expr a) { return follows(a) == Follows::time; };
    switch (node.op) {
      case Op::less:
      case Op::less_equal:
      case Op::equal:
        found_.jumps = found_.jumps || graph_.depends_on(e, time_);
        if (of_time(e)) meets(node.a, node.b, e);
        break;
      case Op::min:
      case Op::max:
        if (of_time(e)) meets(node.a, node.b, e);
        break;
      case Op::sign:
        found_.jumps = found_.jumps || graph_.depends_on(e, time_);
        [[fallthrough]];
      case Op::abs:
        if (of_time(e)) reaches(node.a, graph_.zero(), e);
        break;
      case Op::floor:
        found_.jumps = found_.jumps || graph_.depends_on(e, time_);
        if (of_time(e)) wraps(node.a, graph_.zero(), graph_.one(), e);
        break;
      case Op::mod:
        found_.jumps = found_.jumps || graph_.depends_on(e, time_);
        if (of_time(e) && is_fixed(node.b))
          wraps(node.a, graph_.zero(), node.b, e);
        else if (of_time(e))
          give_up(e);
        break;
      case Op::table:
        if (of_time(node.a)) corners(node.a, TableId{node.payload}, false, e);
        break;
      case Op::table2:
        if (of_time(node.a)) corners(node.a, TableId{node.payload}, false, e);
        if (of_time(node.b)) corners(node.b, TableId{node.payload}, true, e);
        break;
      default:
        break;
    }
  }

  void give_up(Expr e) {
    std::string text = graph_.text(e);
    if (std::find(found_.unknown.begin(), found_.unknown.end(), text) == found_.unknown.end())
      found_.unknown.push_back(std::move(text));
  }

  /// a == b, both functions of the time or fixed.
  void meets(Expr a, Expr b, Expr whole) {
    if (is_fixed(b)) return reaches(a, b, whole);
    if (is_fixed(a)) return reaches(b, a, whole);
    reaches(graph_.sub(a, b), graph_.zero(), whole);
  }

  struct Line {
    Expr slope{}, offset{};
  };
  std::optional<Line> line_of(Expr e) {
    Line line;
    if (!graph_.split_linear(e, time_, line.slope, line.offset)) return std::nullopt;
    return is_fixed(line.slope) && is_fixed(line.offset) ? std::optional(line) : std::nullopt;
  }
  Expr where(const Line& line, Expr level) {
    return graph_.div(graph_.sub(level, line.offset), line.slope);
  }

  /// e == level: turned round as far as that goes.
  void reaches(Expr e, Expr level, Expr whole) {
    if (const auto line = line_of(e)) return add(where(*line, level), std::nullopt);
    const Node node = graph_.node(e);
    const auto is = [&](Expr operand) { return is_fixed(operand); };
    switch (node.op) {
      case Op::add:
        if (is(node.a)) return reaches(node.b, graph_.sub(level, node.a), whole);
        if (is(node.b)) return reaches(node.a, graph_.sub(level, node.b), whole);
        break;
      case Op::sub:
        if (is(node.a)) return reaches(node.b, graph_.sub(node.a, level), whole);
        if (is(node.b)) return reaches(node.a, graph_.add(level, node.b), whole);
        break;
      case Op::mul:
        if (is(node.a)) return reaches(node.b, graph_.div(level, node.a), whole);
        if (is(node.b)) return reaches(node.a, graph_.div(level, node.b), whole);
        break;
      case Op::div:
        if (is(node.b)) return reaches(node.a, graph_.mul(level, node.b), whole);
        if (is(node.a)) return reaches(node.b, graph_.div(node.a, level), whole);
        break;
      case Op::neg:
        return reaches(node.a, graph_.neg(level), whole);
      case Op::exp:
        return reaches(node.a, graph_.unary(Op::log, level), whole);
      case Op::log:
        return reaches(node.a, graph_.unary(Op::exp, level), whole);
      case Op::sqrt:
        return reaches(node.a, graph_.mul(level, level), whole);
      case Op::abs:
        reaches(node.a, level, whole);
        return reaches(node.a, graph_.neg(level), whole);
      case Op::min:
      case Op::max:
        for (const Expr operand : {node.a, node.b})
          if (!is(operand)) reaches(operand, level, whole);
        return;
      case Op::select:
        for (const Expr operand : {node.b, node.c})
          if (!is(operand)) reaches(operand, level, whole);
        return;
      case Op::mod:
        if (is(node.b)) return wraps(node.a, level, node.b, whole);
        break;
      case Op::sin:
        return turns(node.a, graph_.unary(Op::asin, level), whole, std::numbers::pi);
      case Op::cos:
        return turns(node.a, graph_.unary(Op::acos, level), whole, 0.0);
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::logical_and:
      case Op::logical_or:
      case Op::logical_not:
      case Op::sign:
      case Op::floor:
        return;  // moves where its own operands say
      default:
        break;
    }
    give_up(whole);
  }

  /// e == level + k*length
  void wraps(Expr e, Expr level, Expr length, Expr whole) {
    const auto line = line_of(e);
    if (!line) return give_up(whole);
    add(where(*line, level), graph_.div(length, line->slope));
  }
  /// A sine is at a level twice a turn: at `angle`, and mirrored at `mirror - angle`.
  void turns(Expr argument, Expr angle, Expr whole, double mirror) {
    const Expr turn = graph_.constant(2.0 * std::numbers::pi);
    wraps(argument, angle, turn, whole);
    wraps(argument, graph_.sub(graph_.constant(mirror), angle), turn, whole);
  }
  void corners(Expr argument, TableId table, bool second, Expr whole) {
    if (const auto line = line_of(argument)) {
      found_.corners.push_back({line->slope, line->offset, table, second});
      return;
    }
    const Table& places = graph_.table(table);
    const std::vector<double>& x = second ? places.second : places.x;
    if (x.size() > most_levels) return give_up(whole);
    for (const double corner : x) reaches(argument, graph_.constant(corner), whole);
  }
  void add(Expr first, std::optional<Expr> period) {
    const auto same = [&](const TimeInstants::Level& level) {
      return level.first == first && level.period == period;
    };
    if (std::none_of(found_.levels.begin(), found_.levels.end(), same))
      found_.levels.push_back({first, period});
  }

  const Network& network_;
  Graph& graph_;
  NodeMemo<Follows> memo_;
  SymbolId time_;
  std::unordered_set<SymbolId> fixed_;
  std::unordered_map<SymbolId, Expr> of_time_;
  std::vector<Expr> roots_;
  TimeInstants found_;
};

/// Most subsystems do not, and there may be many of them.
bool reads_time(const Network& network, const Surrogate& surrogate) {
  std::vector<Expr> roots;
  for (const SurrogateState& state : surrogate.states) roots.push_back(state.derivative);
  for (const AlgebraicStep& step : surrogate.algebra)
    if (step.kind == AlgebraicStep::Kind::assignment)
      roots.push_back(step.assignment.value);
    else
      roots.insert(roots.end(), step.newton.residuals.begin(), step.newton.residuals.end());
  const std::vector<SymbolId> read = network.graph().symbols_of(roots);
  return std::binary_search(read.begin(), read.end(), network.time);
}

}  // namespace

TimeInstants time_instants(const Network& network, const Surrogate& surrogate) {
  if (!reads_time(network, surrogate)) return {};
  return Search(network, surrogate).all();
}

TimeInstants time_instants(const Network& network, const Surrogate& surrogate,
                           const std::vector<Expr>& values) {
  if (values.empty()) return {};
  return Search(network, surrogate, values).all();
}

InstantsOf::InstantsOf(const Graph& graph, const TimeInstants& instants,
                       const std::function<double(SymbolId)>& value_of) {
  const auto value = [&](Expr e) { return graph.evaluate(e, value_of); };
  for (const TimeInstants::Level& level : instants.levels)
    levels_.push_back({value(level.first), level.period ? value(*level.period) : 0.0});
  for (const TimeInstants::Corners& corners : instants.corners) {
    const Table& table = graph.table(corners.table);
    corners_.push_back(
        {{value(corners.slope), value(corners.offset)}, corners.second ? &table.second : &table.x});
  }
}

std::size_t InstantsOf::most_within(double length) const {
  std::size_t repeated = 0, most = 0;
  std::vector<double> once;
  for (const Level& level : levels_) {
    const double period = std::fabs(level.period);
    if (period > 0.0 && std::isfinite(period) && std::isfinite(level.first))
      repeated += static_cast<std::size_t>(std::min(length / period, 1e9)) + 1;
    else if (std::isfinite(level.first))
      once.push_back(level.first);
  }
  for (const Corners& corners : corners_)
    if (corners.line.slope != 0.0)
      for (const double place : *corners.places)
        once.push_back((place - corners.line.offset) / corners.line.slope);
  std::sort(once.begin(), once.end());
  for (std::size_t first = 0, last = 0; last < once.size(); ++last) {
    while (once[last] - once[first] > length) ++first;
    most = std::max(most, last - first + 1);
  }
  return repeated + most;
}

double InstantsOf::after(double t) const noexcept {
  double next = std::numeric_limits<double>::infinity();
  for (const Level& level : levels_)
    next = std::min(next, instant_after(t, level.first, level.period));
  for (const Corners& corners : corners_)
    next = std::min(next,
                    corner_after(t, corners.line, corners.places->data(), corners.places->size()));
  return next;
}

}  // namespace takt::codegen
