#include "codegen/stability/time_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "codegen/dae/algebra/time_instants.hpp"
#include "codegen/expr/node_memo.hpp"
#include "codegen/stability/narrow_courses.hpp"

namespace takt::codegen {
namespace {

constexpr int looks = 64;  // at the rate of an argument
constexpr std::size_t most_instants = 200;
constexpr int most_products = 2;  // of functions of the time, that are looked at factor by factor
constexpr double much_faster = 4.0;  // than a period that is known anyway

enum class Follows : std::uint8_t { nothing, time, more };

class Search {
 public:
  Search(const Network& network, double duration_s)
      : network_(network), memo_(network.graph()), duration_s_(duration_s) {
    for (const Parameter& parameter : network.parameters)
      parameter_.emplace(parameter.symbol, parameter.value);
  }

  TimeFunctions of(const Surrogate& surrogate, bool cut) {
    roots_.clear();
    of_time_.clear();
    for (const AlgebraicStep& step : surrogate.algebra)
      if (step.kind == AlgebraicStep::Kind::assignment)
        assignment(step.assignment);
      else
        roots_.insert(roots_.end(), step.newton.residuals.begin(), step.newton.residuals.end());
    for (const SurrogateState& state : surrogate.states) roots_.push_back(state.derivative);
    TimeFunctions found = functions();
    found.fastest_uncut = cut ? between_jumps() : found.fastest;
    found.narrowest = narrowest(found.fastest);
    return found;
  }

  /// @param assigned  each after those it reads
  TimeFunctions of(const std::vector<Assignment>& assigned, const std::vector<Expr>& rows) {
    roots_ = rows;
    for (const Assignment& step : assigned) assignment(step);
    return functions();
  }

 private:
  TimeFunctions functions() {
    fastest_.reset();
    for (const Expr e : network_.graph().reachable(roots_)) look_at(e);
    return {fastest_, fastest_, {}, {}};
  }

  /// Of what drives the subsystem.
  std::optional<TimeFunctions::Narrow> narrowest(
      const std::optional<TimeFunctions::Turning>& fastest) {
    std::optional<TimeFunctions::Narrow> found;
    for (const Expr function : driving()) {
      const auto course = narrow_course(network_.graph(), function, {network_.time, duration_s_},
                                        [this](SymbolId symbol) { return parameter_.at(symbol); });
      if (!course || (found && found->period_s <= course->period_s)) continue;
      found = {course->at_s, course->period_s, network_.graph().text(function)};
    }
    const double usual = fastest ? fastest->period_s : duration_s_;
    return found && found->period_s < usual / much_faster ? found : std::nullopt;
  }

  /// The largest expressions that follow the time alone, but for sums, multiples and a few products
  /// of them: a network has thousands of these of one source (potentials, losses), and they are
  /// about as narrow as it is.
  std::vector<Expr> driving() {
    struct Open {
      Expr e;
      int products;  ///< that it is a factor of
    };
    std::vector<Open> open;
    std::vector<Expr> found;
    for (const Expr root : roots_) open.push_back({network_.graph().substitute(root, of_time_), 0});
    std::unordered_set<std::uint32_t> seen;
    while (!open.empty()) {
      const auto [e, products] = open.back();
      open.pop_back();
      if (follows(e) == Follows::nothing || !seen.insert(static_cast<std::uint32_t>(e)).second)
        continue;
      const Node node = network_.graph().node(e);
      const int more = products + (is_product(node) ? 1 : 0);
      if (follows(e) == Follows::time && (!is_combination(node) || more > most_products)) {
        found.push_back(e);
        continue;
      }
      for (int k = 0; k < Graph::arity(node.op); ++k)
        open.push_back({std::array{node.a, node.b, node.c}[k], more});
    }
    return found;
  }

  /// Two factors that follow the time: as if of two functions one beside the other; of many of them
  /// it is a peak.
  bool is_product(const Node& node) {
    return node.op == Op::pow || (node.op == Op::mul && follows(node.a) == Follows::time &&
                                  follows(node.b) == Follows::time);
  }
  bool is_combination(const Node& node) {
    const Graph& graph = network_.graph();
    switch (node.op) {
      case Op::add:
      case Op::sub:
      case Op::neg:
      case Op::mul:
        return true;
      case Op::div:
        return follows(node.b) == Follows::nothing;
      case Op::pow:
        return graph.is_constant(node.b, 2.0) || graph.is_constant(node.b, 3.0);
      default:
        return false;
    }
  }

  /// What turns in the pieces of cut steps: not what a comparison reads, nor what a sawtooth
  /// returns by.
  std::optional<TimeFunctions::Turning> between_jumps() {
    fastest_.reset();
    std::unordered_set<std::uint32_t> seen;
    std::vector<Expr> open;
    for (const Expr root : roots_)
      if (follows(root) == Follows::more)
        open.push_back(network_.graph().substitute(root, of_time_));
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      if (!seen.insert(static_cast<std::uint32_t>(e)).second) continue;
      const Node node = network_.graph().node(e);
      if (is_step(node.op) && follows(e) == Follows::time) continue;
      if (node.op != Op::mod) look_at(e);
      for (int k = 0; k < Graph::arity(node.op); ++k)
        open.push_back(std::array{node.a, node.b, node.c}[k]);
    }
    return fastest_;
  }

  static bool is_step(Op op) {
    return op == Op::less || op == Op::less_equal || op == Op::equal || op == Op::sign ||
           op == Op::floor;
  }

  void assignment(const Assignment& step) {
    roots_.push_back(step.value);
    const Follows what = follows(step.value);
    if (what == Follows::more) return;
    of_time_.emplace(step.symbol, network_.graph().substitute(step.value, of_time_));
    value_.emplace(step.symbol, step.value), follows_of_.emplace(step.symbol, what);
  }

  Follows follows(Expr e) {
    return memo_.of(
        e,
        [&](SymbolId symbol) {
          if (symbol == network_.time) return Follows::time;
          if (const auto own = follows_of_.find(symbol); own != follows_of_.end())
            return own->second;
          return parameter_.contains(symbol) ? Follows::nothing : Follows::more;
        },
        [](Follows a, Follows b) { return std::max(a, b); });
  }

  [[nodiscard]] double at(Expr e, double time) const {
    return network_.graph().evaluate(e, [&](SymbolId symbol) {
      if (symbol == network_.time) return time;
      const auto known = parameter_.find(symbol);
      return known != parameter_.end() ? known->second : at(value_.at(symbol), time);
    });
  }

  void look_at(Expr e) {
    const Node& node = network_.graph().node(e);
    switch (node.op) {
      case Op::sin:
      case Op::cos:
      case Op::tan:
        if (follows(node.a) == Follows::time) note_period(e, node.a, 2.0 * std::numbers::pi);
        break;
      case Op::mod:
        if (follows(node.a) == Follows::time && follows(node.b) == Follows::nothing)
          note_period(e, node.a, std::fabs(at(node.b, 0.0)));
        break;
      default:
        break;
    }
  }

  /// The fastest that the argument runs through a turn.
  void note_period(Expr function, Expr argument, double turn) {
    double fastest = 0.0;
    const double near = 1e-6 * duration_s_ / looks;
    for (int k = 0; k < looks; ++k) {
      const double time = duration_s_ * (k + 0.5) / looks,
                   rate = std::fabs(at(argument, time + near) - at(argument, time - near)) /
                          (2.0 * near);
      if (std::isfinite(rate)) fastest = std::max(fastest, rate);
    }
    if (!(fastest * duration_s_ > turn)) return;  // less than one of them
    const double period = turn / fastest;
    if (fastest_ && fastest_->period_s <= period) return;
    fastest_ = {period, network_.graph().text(function)};
  }

  const Network& network_;
  NodeMemo<Follows> memo_;
  double duration_s_;
  std::unordered_map<SymbolId, double> parameter_;
  std::unordered_map<SymbolId, Expr>
      value_;  // of what the subsystem assigns that follows the time at most
  std::unordered_map<SymbolId, Follows> follows_of_;
  std::unordered_map<SymbolId, Expr> of_time_;  // the same over parameters and time alone
  std::vector<Expr> roots_;
  std::optional<TimeFunctions::Turning> fastest_;
};

/// Within the duration; none where there are too many.
std::vector<double> few_instants(const Network& network, const TimeInstants& instants,
                                 double duration_s) {
  std::vector<double> found;
  if (instants.empty()) return found;
  std::unordered_map<SymbolId, double> values;
  for (const Parameter& parameter : network.parameters)
    values.emplace(parameter.symbol, parameter.value);
  const InstantsOf all(network.graph(), instants,
                       [&](SymbolId symbol) { return values.at(symbol); });
  for (double t = all.after(0.0); t < duration_s; t = all.after(t)) {
    if (found.size() == most_instants) return {};
    found.push_back(t);
  }
  return found;
}

}  // namespace

std::vector<TimeFunctions> time_functions(const Network& network, const DaeResult& dae,
                                          double duration_s) {
  Search search(network, duration_s);
  std::vector<TimeFunctions> functions;
  for (const Surrogate& surrogate : dae.subsystems) {
    functions.emplace_back();
    if (std::holds_alternative<SwitchedCircuit>(surrogate.kind))
      functions.back().narrowest = search.of(surrogate, false).narrowest;
    if (!is_integrated(surrogate.kind)) continue;
    const TimeInstants instants = time_instants(network, surrogate);
    functions.back() = search.of(surrogate, instants.unknown.empty());
    functions.back().instants = few_instants(network, instants, duration_s);
  }
  return functions;
}

TimeFunctions time_functions(const Network& network, const std::vector<Assignment>& assigned,
                             const std::vector<Expr>& rows, double duration_s) {
  return Search(network, duration_s).of(assigned, rows);
}

}  // namespace takt::codegen
