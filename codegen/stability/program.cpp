#include "codegen/stability/program.hpp"

#include <cmath>

#include "codegen/expr/partials.hpp"
#include "runtime/math/sparse_lu.hpp"
#include "runtime/solver/law_inverse.hpp"

namespace takt::codegen {
namespace {

constexpr int most_iterations = 60;
constexpr double settled = 1e-14;  // of the size of an unknown

SparsePattern pattern_of(const SparseTables& tables) {
  return {static_cast<std::uint32_t>(tables.size()),
          tables.row_start.data(),
          tables.column.data(),
          tables.diagonal.data(),
          tables.equation.data(),
          tables.unknown.data()};
}

}  // namespace

/// The one that takes further assignments.
Program::Segment& Program::segment() {
  if (segments_.empty() || !segments_.back().newton.empty() || !segments_.back().turned.empty() ||
      !segments_.back().linear.empty() || !segments_.back().stores.empty()) {
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
                .rows = {},
                .columns = {},
                .right = {},
                .tables = block.tables,
                .factors = {},
                .x = {},
                .scratch = {}};
  const std::size_t begin = line_.operations().size();
  for (const SparseEntry& entry : block.matrix) {
    linear.entries.push_back(line_.slot_of(entry.value));
    linear.rows.push_back(static_cast<std::uint32_t>(entry.row));
    linear.columns.push_back(static_cast<std::uint32_t>(entry.column));
  }
  for (const Expr right : block.right) linear.right.push_back(line_.slot_of(right));
  const std::size_t end = line_.operations().size();
  for (const SymbolId unknown : unknowns) linear.unknowns.push_back(line_.slot_of(unknown));
  linear.scratch.resize(unknowns.size());
  table_operations_ += 2 * block.tables.entries();
  segments_.push_back(
      {.begin = begin, .end = end, .stores = {}, .newton = {}, .turned = {}, .linear = {std::move(linear)}});
}

void Program::factorise(Segment& segment, SymbolValues& values) {
  line_.run(segment.begin, segment.end);
  Linear& block = segment.linear.front();
  block.factors.assign(block.tables.entries(), 0.0);
  block.x.clear();
  for (std::size_t k = 0; k < block.entries.size(); ++k) block.factors[block.tables.place[k]] = line_[block.entries[k]];
  for (const std::uint32_t right : block.right) block.x.push_back(line_[right]);
  const SparsePattern pattern = pattern_of(block.tables);
  factor_sparse(pattern, block.factors.data(), block.scratch.data());
  solve_sparse(pattern, block.factors.data(), block.x.data(), block.scratch.data());
  for (std::size_t k = 0; k < block.x.size(); ++k)
    values[static_cast<std::size_t>(block.symbols[k])] = line_[block.unknowns[k]] = block.x[k];
}

void Program::solve(const NewtonBlock& block) {
  if (block.linear) return solve(*block.linear, block.unknowns);
  Newton newton{.symbols = block.unknowns, .unknowns = {}, .guesses = {}, .residuals = {}, .steps = {}};
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
  segments_.push_back(
      {.begin = begin, .end = line_.operations().size(), .stores = {}, .newton = {}, .turned = {turned}, .linear = {}});
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

/// Newton's method, a step halved while it makes the residuals larger; from the guesses where the last values are none.
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
  for (std::size_t k = 0; k < n; ++k) values[static_cast<std::size_t>(block.symbols[k])] = line_[block.unknowns[k]];
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
  for (const auto& [symbol, slot] : line_.symbols()) line_[slot] = values[static_cast<std::size_t>(symbol)];
  for (Segment& segment : segments_) {
    if (!segment.linear.empty()) {
      factorise(segment, values);
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

/// Values of all slots on the right of where the argument of a sign among their factors is zero, as in
/// Graph::differentiate.
std::vector<double> Program::on_the_right() const {
  std::vector<double> right(line_.slots());
  for (const StraightLine::Operation& o : line_.operations()) {
    if (o.node.op == Op::sign && line_[o.a] == 0.0)
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

Slopes Program::slopes(const std::vector<SymbolId>& along) const {
  Slopes linear;
  const std::vector<double> right = on_the_right();
  std::size_t spare = line_.slots().size() + 1;  // slots of right-hand sides
  std::size_t most = 0;
  for (const Segment& segment : segments_)
    if (!segment.linear.empty()) most = std::max(most, segment.linear.front().right.size());
  std::vector<bool> moves(spare + most, false);
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
    const std::optional<StraightLine::Slot> slot = line_.find(symbol);
    linear.along_.push_back(slot.value_or(static_cast<StraightLine::Slot>(line_.slots().size())));
    if (slot) moves[*slot] = true;
  }
  for (const Segment& segment : segments_) {
    for (std::size_t k = segment.begin; k < segment.end; ++k) {
      const StraightLine::Operation& o = line_.operations()[k];
      const bool product = o.node.op == Op::mul || o.node.op == Op::div;
      const std::vector<double>& at = product ? right : line_.slots();
      add(o.result, {o.a, o.b, o.c}, partials(*graph_, o.node, {at[o.a], at[o.b]}, at[o.result]));
    }
    for (const Store& store : segment.stores) add(store.to, {store.from, store.from, store.from}, {1.0, 0.0, 0.0});
    if (!segment.linear.empty()) {
      const Linear& block = segment.linear.front();
      const SparseTables& tables = block.tables;
      const auto driven = [&](std::size_t row) { return static_cast<std::uint32_t>(spare + row); };
      const auto take = [&](std::uint32_t to, std::uint32_t from, double by) {
        add(to, {to, from, from}, {1.0, by, 0.0});
      };
      // dx = A^-1 (db - dA x), forwards and backwards through the factors
      for (std::uint32_t row = 0; row < tables.size(); ++row) {
        const std::uint32_t side = block.right[row];
        add(driven(row), {side, side, side}, {1.0, 0.0, 0.0});
      }
      for (std::size_t k = 0; k < block.entries.size(); ++k)
        if (moves[block.entries[k]]) take(driven(block.rows[k]), block.entries[k], -block.x[block.columns[k]]);
      for (std::uint32_t row = 0; row < tables.size(); ++row)
        for (std::uint32_t entry = tables.row_start[row]; entry < tables.diagonal[row]; ++entry)
          take(driven(tables.equation[row]), driven(tables.equation[tables.column[entry]]), -block.factors[entry]);
      for (std::uint32_t row = static_cast<std::uint32_t>(tables.size()); row-- > 0;) {
        const std::uint32_t unknown = block.unknowns[tables.unknown[row]], from = driven(tables.equation[row]);
        for (std::uint32_t entry = tables.diagonal[row] + 1; entry < tables.row_start[row + 1]; ++entry)
          take(from, block.unknowns[tables.unknown[tables.column[entry]]], -block.factors[entry]);
        add(unknown, {from, from, from}, {block.factors[tables.diagonal[row]], 0.0, 0.0});
      }
      continue;
    }
    if (segment.newton.empty()) continue;
    const Newton& block = segment.newton.front();
    for (std::size_t k = 0; k < block.unknowns.size(); ++k)
      add(block.unknowns[k], {block.steps[k], block.steps[k], block.steps[k]}, {-1.0, 0.0, 0.0});
  }
  linear.results_ = result_slots_;
  linear.slots_.assign(spare + most, {});
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
