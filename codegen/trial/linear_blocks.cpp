#include "codegen/trial/linear_blocks.hpp"

#include <cmath>

#include "codegen/stability/linearise.hpp"

namespace takt::codegen {
namespace {

std::vector<SymbolId> moving(const PlanSubsystem& subsystem, const Surrogate& surrogate) {
  std::vector<SymbolId> along;
  for (const SurrogateState& state : surrogate.states) along.push_back(state.symbol);
  along.insert(along.end(), subsystem.inputs.begin(), subsystem.inputs.end());
  return along;
}

/// @return all derivatives are finite
bool fill(LinearBlock& block, Slopes slopes, std::size_t columns, std::size_t rows) {
  bool finite = true;
  each_derivative(slopes, columns, rows, [&](std::size_t row, std::size_t column, double value) {
    finite = finite && std::isfinite(value);
    if (value != 0.0) block.add(row, column, value);
  });
  return finite;
}

}  // namespace

void LinearBlock::apply(const Rows& rows, const double* z, const double* u, double* result) const {
  for (std::size_t row = 0; row < rows.count; ++row) {
    double sum = 0.0;
    for (const Entry& entry : entries_[rows.first + row])
      sum += entry.value * (entry.column < states ? z[entry.column] : u[entry.column - states]);
    result[row] = sum;
  }
}

std::size_t LinearBlock::size() const {
  std::size_t size = 0;
  for (const auto& row : entries_) size += row.size();
  return size;
}

bool LinearBlock::same(const LinearBlock& other) const {
  constexpr double rounding = 1e-9;
  if (entries_.size() != other.entries_.size()) return false;
  for (std::size_t row = 0; row < entries_.size(); ++row) {
    if (entries_[row].size() != other.entries_[row].size()) return false;
    for (std::size_t k = 0; k < entries_[row].size(); ++k) {
      const Entry &a = entries_[row][k], &b = other.entries_[row][k];
      if (a.column != b.column || std::fabs(a.value - b.value) > rounding * std::fabs(a.value))
        return false;
    }
  }
  return true;
}

std::vector<LinearBlock> linear_blocks(const Plan& plan, const Network& network,
                                       const DaeResult& dae, const LinearPoint& point) {
  std::vector<Program> programs;
  for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
    programs.emplace_back(network.graph());
    const Surrogate& surrogate = dae.subsystems[index];
    if (!is_evaluable(surrogate.kind)) continue;
    programs.back().add(surrogate);
    for (const SymbolId output : plan.subsystems[index].outputs) programs.back().result(output);
  }
  SymbolValues values = point.range != nullptr
                            ? operating_point({network, dae}, programs, *point.range, point.row)
                            : start_point(network, dae, programs);
  std::vector<LinearBlock> blocks(programs.size());
  for (std::size_t index = 0; index < programs.size(); ++index) {
    const Surrogate& surrogate = dae.subsystems[index];
    const PlanSubsystem& subsystem = plan.subsystems[index];
    if (!is_integrated(surrogate.kind)) continue;
    LinearBlock& block = blocks[index];
    block.states = surrogate.states.size(), block.inputs = subsystem.inputs.size(),
    block.outputs = subsystem.outputs.size();
    block.set_rows(block.states + block.outputs);
    const std::vector<SymbolId> along = moving(subsystem, surrogate);
    if (point.away != 0.0) {
      for (const SymbolId symbol : along) {
        double& value = values[static_cast<std::size_t>(symbol)];
        value += point.away * (1.0 + std::fabs(value));
      }
      programs[index].run(values);
    }
    if (!fill(block, programs[index].slopes(along), along.size(), block.states + block.outputs))
      return {};
  }
  return blocks;
}

}  // namespace takt::codegen
