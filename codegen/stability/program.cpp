#include "codegen/stability/program.hpp"

#include <cmath>

#include "runtime/solver/law_inverse.hpp"

namespace takt::codegen {
namespace {

constexpr int most_iterations = 60;
constexpr double settled = 1e-14;  // of the size of an unknown

}  // namespace

/// The one that takes further assignments.
Program::Segment& Program::segment() {
  if (segments_.empty() || !segments_.back().newton.empty() || !segments_.back().turned.empty() ||
      !segments_.back().linear.empty() || !segments_.back().flows.empty() ||
      !segments_.back().stores.empty()) {
    segments_.push_back({.begin = line_.operations().size(),
                         .end = line_.operations().size(),
                         .stores = {},
                         .newton = {},
                         .turned = {},
                         .linear = {}});
  }
  return segments_.back();
}

void Program::assign(SymbolId symbol, Expr value) {
  Segment& now = segment();
  const std::uint32_t slot = line_.slot_of(value);
  now.end = line_.operations().size();
  now.stores.push_back({symbol, line_.slot_of(symbol), slot});
}

void Program::solve(const LinearTables& block, const std::vector<SymbolId>& unknowns) {
  Linear linear{.symbols = unknowns,
                .unknowns = {},
                .entries = {},
                .right = {},
                .matrix = block.matrix,
                .solver = TableSolver(block)};
  const std::size_t begin = line_.operations().size();
  for (const SparseEntry& entry : block.matrix)
    linear.entries.push_back(line_.slot_of(entry.value));
  for (const Expr right : block.right) linear.right.push_back(line_.slot_of(right));
  const std::size_t end = line_.operations().size();
  for (const SymbolId unknown : unknowns) linear.unknowns.push_back(line_.slot_of(unknown));
  table_operations_ += linear.solver.count();
  segments_.push_back({.begin = begin,
                       .end = end,
                       .stores = {},
                       .newton = {},
                       .turned = {},
                       .linear = {std::move(linear)}});
}

std::vector<double> Program::read(const std::vector<std::uint32_t>& slots) const {
  std::vector<double> values;
  for (const std::uint32_t slot : slots) values.push_back(line_[slot]);
  return values;
}

void Program::factorise(Segment& segment, SymbolValues& values) {
  line_.run(segment.begin, segment.end);
  Linear& block = segment.linear.front();
  block.solver.solve(read(block.entries), read(block.right));
  for (std::size_t k = 0; k < block.symbols.size(); ++k)
    values[static_cast<std::size_t>(block.symbols[k])] = line_[block.unknowns[k]] =
        block.solver.values()[k];
}

void Program::solve(const FlowTables& tables) {
  Flows flows{tables.potentials, {}, {}, {}, {}, FlowSolver(*graph_, tables)};
  const std::size_t begin = line_.operations().size();
  const auto slots_of = [&](const std::vector<Expr>& expressions) {
    std::vector<std::uint32_t> slots;
    for (const Expr expression : expressions) slots.push_back(line_.slot_of(expression));
    return slots;
  };
  flows.injected = slots_of(tables.injected);
  flows.guesses = slots_of(tables.guesses);
  for (const FlowEdge& edge : tables.edges)
    flows.edges.push_back({edge.across, edge.through, 0, 0, line_.slot_of(edge.offset),
                           slots_of(edge.coefficients), edge.by_flow, edge.ends});
  const std::size_t end = line_.operations().size();
  for (const SymbolId potential : tables.potentials)
    flows.potential_slots.push_back(line_.slot_of(potential));
  for (Flows::Edge& edge : flows.edges)
    edge.across_slot = line_.slot_of(edge.across), edge.through_slot = line_.slot_of(edge.through);
  table_operations_ += flows.solver.count();
  segments_.push_back({.begin = begin,
                       .end = end,
                       .stores = {},
                       .newton = {},
                       .turned = {},
                       .linear = {},
                       .flows = {std::move(flows)}});
}

void Program::find_flows(Segment& segment, SymbolValues& values) {
  line_.run(segment.begin, segment.end);
  Flows& block = segment.flows.front();
  FlowSolver::Given given{read(block.injected), {}, read(block.guesses), {}};
  for (const Flows::Edge& edge : block.edges) {
    given.offsets.push_back(line_[edge.offset]);
    given.coefficients.push_back(read(edge.coefficients));
  }
  block.solver.solve(given);
  const auto store = [&](SymbolId symbol, std::uint32_t slot, double value) {
    values[static_cast<std::size_t>(symbol)] = line_[slot] = value;
  };
  for (std::size_t k = 0; k < block.potentials.size(); ++k)
    store(block.potentials[k], block.potential_slots[k], block.solver.potential(k));
  for (std::size_t k = 0; k < block.edges.size(); ++k) {
    store(block.edges[k].across, block.edges[k].across_slot, block.solver.across(k));
    store(block.edges[k].through, block.edges[k].through_slot, block.solver.through(k));
  }
}

void Program::solve(const NewtonBlock& block) {
  if (block.flows) return solve(*block.flows);
  if (block.linear) return solve(*block.linear, block.unknowns);
  Newton newton{
      .symbols = block.unknowns, .unknowns = {}, .guesses = {}, .residuals = {}, .steps = {}};
  Segment& before = segment();
  for (const Expr guess : block.guesses) newton.guesses.push_back(line_.slot_of(guess));
  before.end = line_.operations().size();
  const std::size_t begin = line_.operations().size();
  for (const SymbolId unknown : block.unknowns) {
    newton.unknowns.push_back(line_.slot_of(unknown));
  }
  for (const Expr residual : block.residuals) newton.residuals.push_back(line_.slot_of(residual));
  for (const Expr step : block.steps) newton.steps.push_back(line_.slot_of(step));
  segments_.push_back({.begin = begin,
                       .end = line_.operations().size(),
                       .stores = {},
                       .newton = {std::move(newton)},
                       .turned = {},
                       .linear = {}});
}

void Program::solve(const StartLaw& start) {
  Segment& before = segment();
  const std::uint32_t wanted = line_.slot_of(start.wanted);
  before.end = line_.operations().size();
  const std::size_t begin = line_.operations().size();
  const StraightLine::Slot unknown = line_.slot_of(start.unknown);
  const Turned turned{start.unknown, unknown, line_.slot_of(start.law), wanted};
  segments_.push_back({.begin = begin,
                       .end = line_.operations().size(),
                       .stores = {},
                       .newton = {},
                       .turned = {turned},
                       .linear = {}});
}

void Program::result(Expr value) {
  Segment& now = segment();
  result_slots_.push_back(line_.slot_of(value));
  now.end = line_.operations().size();
}

void Program::result(SymbolId symbol) { result_slots_.push_back(line_.slot_of(symbol)); }

void Program::add(const Surrogate& surrogate) {
  for (const AlgebraicStep& step : surrogate.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment)
      assign(step.assignment.symbol, step.assignment.value);
    else
      solve(step.newton);
  }
  for (const SurrogateState& state : surrogate.states) result(state.derivative);
}

/// Newton's method, a step halved while it makes the residuals larger; from the guesses where the
/// last values are none.
void Program::iterate(const Segment& segment, SymbolValues& values) {
  const Newton& block = segment.newton.front();
  const std::size_t n = block.unknowns.size();
  bool finite = true;
  for (std::size_t k = 0; k < n; ++k)
    finite = finite && std::isfinite(line_[block.unknowns[k]]) && line_[block.unknowns[k]] != 0.0;
  if (!finite)
    for (std::size_t k = 0; k < n; ++k) line_[block.unknowns[k]] = line_[block.guesses[k]];
  const auto left = [&] {
    double sum = 0.0;
    for (const std::uint32_t residual : block.residuals) sum += std::fabs(line_[residual]);
    return std::isfinite(sum) ? sum : HUGE_VAL;
  };
  std::vector<double> from(n), step(n);
  line_.run(segment.begin, segment.end);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const double before = left();
    bool still = true;
    for (std::size_t k = 0; k < n; ++k) {
      from[k] = line_[block.unknowns[k]];
      step[k] = std::isfinite(line_[block.steps[k]]) ? line_[block.steps[k]] : 0.0;
      still = still && std::fabs(step[k]) <= settled * std::fabs(from[k]);
    }
    if (still || before == 0.0) break;
    double share = 1.0, after = HUGE_VAL;
    for (; share > 1e-6; share *= 0.5) {
      for (std::size_t k = 0; k < n; ++k) line_[block.unknowns[k]] = from[k] - share * step[k];
      line_.run(segment.begin, segment.end);
      if ((after = left()) < before) break;
    }
    if (after < before) continue;
    for (std::size_t k = 0; k < n; ++k) line_[block.unknowns[k]] = from[k];  // rounding, or a kink
    line_.run(segment.begin, segment.end);
    break;
  }
  for (std::size_t k = 0; k < n; ++k)
    values[static_cast<std::size_t>(block.symbols[k])] = line_[block.unknowns[k]];
}

void Program::take_steps(const Segment& segment, SymbolValues& values) {
  const Newton& block = segment.newton.front();
  for (int iteration = 0; iteration < newton_steps_; ++iteration) {
    line_.run(segment.begin, segment.end);
    bool still = true;
    for (std::size_t k = 0; k < block.unknowns.size(); ++k) {
      double& unknown = line_[block.unknowns[k]];
      const double step = line_[block.steps[k]];
      still = still && std::fabs(step) <= newton_settled_ * std::fabs(unknown);
      unknown -= std::isfinite(step) ? step : 0.0;
    }
    if (still) break;
  }
  for (std::size_t k = 0; k < block.unknowns.size(); ++k)
    values[static_cast<std::size_t>(block.symbols[k])] = line_[block.unknowns[k]];
}

void Program::turn_round(const Segment& segment, SymbolValues& values) {
  const Turned& start = segment.turned.front();
  LawInverse inverse(line_[start.wanted]);
  for (int k = 0; k < LawInverse::most; ++k) {
    line_[start.unknown] = inverse.at();
    line_.run(segment.begin, segment.end);
    inverse.take(line_[start.law]);
  }
  values[static_cast<std::size_t>(start.symbol)] = line_[start.unknown] = inverse.result();
}

void Program::run(SymbolValues& values) {
  for (const auto& [symbol, slot] : line_.symbols())
    line_[slot] = values[static_cast<std::size_t>(symbol)];
  for (Segment& segment : segments_) {
    if (!segment.linear.empty()) {
      factorise(segment, values);
      continue;
    }
    if (!segment.flows.empty()) {
      find_flows(segment, values);
      continue;
    }
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
    line_.run(segment.begin, segment.end);
    for (const Store& store : segment.stores)
      values[static_cast<std::size_t>(store.symbol)] = line_[store.to] = line_[store.from];
  }
  results_.clear();
  for (const std::uint32_t slot : result_slots_) results_.push_back(line_[slot]);
}

}  // namespace takt::codegen
