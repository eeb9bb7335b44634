#include "codegen/stability/program.hpp"

#include <cmath>

#include "codegen/expr/apply.hpp"
#include "runtime/solver/law_inverse.hpp"

namespace takt::codegen {
namespace {

constexpr int most_iterations = 60;
constexpr double settled = 1e-14;  // of the size of an unknown

}  // namespace

void Program::load(SymbolId symbol) {
  if (symbol_slot_.contains(symbol)) return;
  const auto slot = static_cast<std::uint32_t>(slots_.size());
  slots_.push_back(0.0);
  symbol_slot_.emplace(symbol, slot);
  loads_.emplace_back(symbol, slot);
}

/// Operands before users, each once, without recursion.
std::uint32_t Program::slot_of(Expr root) {
  std::vector<Expr> open{root};
  while (!open.empty()) {
    const Expr e = open.back();
    if (slot_.contains(e)) {
      open.pop_back();
      continue;
    }
    const Node& node = graph_->node(e);
    if (node.op == Op::symbol) {
      load(static_cast<SymbolId>(node.payload));
      slot_.emplace(e, symbol_slot_.at(static_cast<SymbolId>(node.payload)));
      continue;
    }
    const std::array<Expr, 3> operands{node.a, node.b, node.c};
    const auto count = static_cast<std::size_t>(Graph::arity(node.op));
    bool ready = true;
    for (std::size_t k = 0; k < count; ++k) {
      if (slot_.contains(operands[k])) continue;
      open.push_back(operands[k]);
      ready = false;
    }
    if (!ready) continue;
    const auto slot = static_cast<std::uint32_t>(slots_.size());
    slots_.push_back(node.op == Op::constant ? node.value : 0.0);
    slot_.emplace(e, slot);
    if (node.op == Op::constant) continue;
    const auto child = [&](std::size_t k) { return k < count ? slot_.at(operands[k]) : slot; };
    operations_.push_back({node, slot, child(0), child(1), child(2)});
  }
  return slot_.at(root);
}

/// The one that takes further assignments.
Program::Segment& Program::segment() {
  if (segments_.empty() || !segments_.back().newton.empty() || !segments_.back().turned.empty() ||
      !segments_.back().stores.empty()) {
    segments_.push_back(
        {.begin = operations_.size(), .end = operations_.size(), .stores = {}, .newton = {}, .turned = {}});
  }
  return segments_.back();
}

void Program::assign(SymbolId symbol, Expr value) {
  Segment& now = segment();
  const std::uint32_t slot = slot_of(value);
  now.end = operations_.size();
  now.stores.emplace_back(symbol, slot);
  load(symbol);
}

void Program::solve(const NewtonBlock& block) {
  Newton newton{.symbols = block.unknowns, .unknowns = {}, .guesses = {}, .residuals = {}, .steps = {}};
  Segment& before = segment();
  for (const Expr guess : block.guesses) newton.guesses.push_back(slot_of(guess));
  before.end = operations_.size();
  const std::size_t begin = operations_.size();
  for (const SymbolId unknown : block.unknowns) {
    load(unknown);
    newton.unknowns.push_back(symbol_slot_.at(unknown));
  }
  for (const Expr residual : block.residuals) newton.residuals.push_back(slot_of(residual));
  for (const Expr step : block.steps) newton.steps.push_back(slot_of(step));
  segments_.push_back(
      {.begin = begin, .end = operations_.size(), .stores = {}, .newton = {std::move(newton)}, .turned = {}});
}

void Program::solve(const StartLaw& start) {
  Segment& before = segment();
  const std::uint32_t wanted = slot_of(start.wanted);
  before.end = operations_.size();
  const std::size_t begin = operations_.size();
  load(start.unknown);
  const Turned turned{start.unknown, symbol_slot_.at(start.unknown), slot_of(start.law), wanted};
  segments_.push_back({.begin = begin, .end = operations_.size(), .stores = {}, .newton = {}, .turned = {turned}});
}

void Program::result(Expr value) {
  Segment& now = segment();
  result_slots_.push_back(slot_of(value));
  now.end = operations_.size();
}

void Program::result(SymbolId symbol) {
  load(symbol);
  result_slots_.push_back(symbol_slot_.at(symbol));
}

void Program::add(const Surrogate& surrogate) {
  for (const AlgebraicStep& step : surrogate.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment)
      assign(step.assignment.symbol, step.assignment.value);
    else
      solve(step.newton);
  }
  for (const SurrogateState& state : surrogate.states) result(state.derivative);
}

void Program::execute(std::size_t begin, std::size_t end) {
  double* const slots = slots_.data();
  for (std::size_t k = begin; k < end; ++k) {
    const Operation& operation = operations_[k];
    const double a = slots[operation.a], b = slots[operation.b];
    double& result = slots[operation.result];
    switch (operation.node.op) {  // most are one of these
      case Op::add:
        result = a + b;
        break;
      case Op::sub:
        result = a - b;
        break;
      case Op::mul:
        result = a * b;
        break;
      case Op::div:
        result = a / b;
        break;
      case Op::neg:
        result = -a;
        break;
      default:
        result = apply_node(*graph_, operation.node, {a, b, slots[operation.c]});
    }
  }
}

/// Newton's method, a step halved while it makes the residuals larger; from the guesses where the last values are none.
void Program::iterate(const Segment& segment, SymbolValues& values) {
  const Newton& block = segment.newton.front();
  const std::size_t n = block.unknowns.size();
  bool finite = true;
  for (std::size_t k = 0; k < n; ++k)
    finite = finite && std::isfinite(slots_[block.unknowns[k]]) && slots_[block.unknowns[k]] != 0.0;
  if (!finite)
    for (std::size_t k = 0; k < n; ++k) slots_[block.unknowns[k]] = slots_[block.guesses[k]];
  const auto left = [&] {
    double sum = 0.0;
    for (const std::uint32_t residual : block.residuals) sum += std::fabs(slots_[residual]);
    return std::isfinite(sum) ? sum : HUGE_VAL;
  };
  std::vector<double> from(n), step(n);
  execute(segment.begin, segment.end);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const double before = left();
    bool still = true;
    for (std::size_t k = 0; k < n; ++k) {
      from[k] = slots_[block.unknowns[k]];
      step[k] = std::isfinite(slots_[block.steps[k]]) ? slots_[block.steps[k]] : 0.0;
      still = still && std::fabs(step[k]) <= settled * std::fabs(from[k]);
    }
    if (still || before == 0.0) break;
    double share = 1.0, after = HUGE_VAL;
    for (; share > 1e-6; share *= 0.5) {
      for (std::size_t k = 0; k < n; ++k) slots_[block.unknowns[k]] = from[k] - share * step[k];
      execute(segment.begin, segment.end);
      if ((after = left()) < before) break;
    }
    if (after < before) continue;
    for (std::size_t k = 0; k < n; ++k) slots_[block.unknowns[k]] = from[k];  // rounding, or a kink
    execute(segment.begin, segment.end);
    break;
  }
  for (std::size_t k = 0; k < n; ++k) values[static_cast<std::size_t>(block.symbols[k])] = slots_[block.unknowns[k]];
}

void Program::take_steps(const Segment& segment, SymbolValues& values) {
  const Newton& block = segment.newton.front();
  for (int iteration = 0; iteration < newton_steps_; ++iteration) {
    execute(segment.begin, segment.end);
    bool still = true;
    for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
      double& unknown = slots_[block.unknowns[k]];
      const double step = slots_[block.steps[k]];
      still = still && std::fabs(step) <= newton_settled_ * std::fabs(unknown);
      unknown -= std::isfinite(step) ? step : 0.0;
    }
    if (still) break;
  }
  for (std::size_t k = 0; k < block.unknowns.size(); ++k)
    values[static_cast<std::size_t>(block.symbols[k])] = slots_[block.unknowns[k]];
}

void Program::turn_round(const Segment& segment, SymbolValues& values) {
  const Turned& start = segment.turned.front();
  LawInverse inverse(slots_[start.wanted]);
  for (int k = 0; k < LawInverse::most; ++k) {
    slots_[start.unknown] = inverse.at();
    execute(segment.begin, segment.end);
    inverse.take(slots_[start.law]);
  }
  values[static_cast<std::size_t>(start.symbol)] = slots_[start.unknown] = inverse.result();
}

void Program::run(SymbolValues& values) {
  for (const auto& [symbol, slot] : loads_) slots_[slot] = values[static_cast<std::size_t>(symbol)];
  for (const Segment& segment : segments_) {
    if (!segment.newton.empty()) {
      if (newton_steps_ > 0)
        take_steps(segment, values);
      else
        iterate(segment, values);
      continue;
    }
    if (!segment.turned.empty()) {
      turn_round(segment, values);
      continue;
    }
    execute(segment.begin, segment.end);
    for (const auto& [symbol, slot] : segment.stores) {
      values[static_cast<std::size_t>(symbol)] = slots_[slot];
      slots_[symbol_slot_.at(symbol)] = slots_[slot];
    }
  }
  results_.clear();
  for (const std::uint32_t slot : result_slots_) results_.push_back(slots_[slot]);
}

/// Values of all slots on the right of where the argument of a sign among their factors is zero, as in
/// Graph::differentiate.
std::vector<double> Program::on_the_right() const {
  std::vector<double> right(slots_);
  for (const Operation& o : operations_) {
    if (o.node.op == Op::sign && slots_[o.a] == 0.0)
      right[o.result] = 1.0;
    else if (o.node.op == Op::neg)
      right[o.result] = -right[o.a];
    else if (o.node.op == Op::mul)
      right[o.result] = right[o.a] * right[o.b];
    else if (o.node.op == Op::div)
      right[o.result] = right[o.a] / right[o.b];
  }
  return right;
}

/// By the operands; kinks take the side Graph::differentiate takes.
std::array<double, 3> Program::partials(const Operation& o, const std::vector<double>& right) const {
  const bool product = o.node.op == Op::mul || o.node.op == Op::div;
  const std::vector<double>& slots = product ? right : slots_;
  const double a = slots[o.a], b = slots[o.b], self = slots[o.result];
  const auto slope = [&](Op op) {
    Node node = o.node;
    node.op = op;
    return apply_node(*graph_, node, {a, b, 0.0});
  };
  switch (o.node.op) {
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

Slopes Program::slopes(const std::vector<SymbolId>& along) const {
  Slopes linear;
  const std::vector<double> right = on_the_right();
  std::vector<bool> moves(slots_.size(), false);
  const auto add = [&](std::uint32_t result, std::array<std::uint32_t, 3> from, std::array<double, 3> by) {
    bool any = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!moves[from[k]]) by[k] = 0.0;
      any = any || by[k] != 0.0;
    }
    if (any) linear.operations_.push_back({result, from[0], from[1], from[2], by[0], by[1], by[2]});
    moves[result] = any;
  };
  for (const SymbolId symbol : along) {
    const auto found = symbol_slot_.find(symbol);
    linear.along_.push_back(found == symbol_slot_.end() ? static_cast<std::uint32_t>(slots_.size()) : found->second);
    if (found != symbol_slot_.end()) moves[found->second] = true;
  }
  for (const Segment& segment : segments_) {
    for (std::size_t k = segment.begin; k < segment.end; ++k) {
      const Operation& o = operations_[k];
      add(o.result, {o.a, o.b, o.c}, partials(o, right));
    }
    for (const auto& [symbol, slot] : segment.stores) add(symbol_slot_.at(symbol), {slot, slot, slot}, {1.0, 0.0, 0.0});
    if (segment.newton.empty()) continue;
    const Newton& block = segment.newton.front();
    for (std::size_t k = 0; k < block.unknowns.size(); ++k)
      add(block.unknowns[k], {block.steps[k], block.steps[k], block.steps[k]}, {-1.0, 0.0, 0.0});
  }
  linear.results_ = result_slots_;
  linear.slots_.assign(slots_.size() + 1, {});
  return linear;
}

void Slopes::apply(const std::vector<Row>& directions, std::vector<Row>& results) {
  for (std::size_t k = 0; k < along_.size(); ++k) slots_[along_[k]] = directions[k];
  for (const Operation& operation : operations_) {
    Row sum{};
    const auto take = [&](double by, std::uint32_t from) {
      if (by == 0.0) return;
      for (std::size_t k = 0; k < width; ++k) sum[k] += by * slots_[from][k];
    };
    take(operation.by_a, operation.a);
    take(operation.by_b, operation.b);
    take(operation.by_c, operation.c);
    slots_[operation.result] = sum;
  }
  results.resize(results_.size());
  for (std::size_t k = 0; k < results_.size(); ++k) results[k] = slots_[results_[k]];
}

}  // namespace takt::codegen
