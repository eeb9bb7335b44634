#include <cmath>
#include <unordered_map>

#include "codegen/stability/linearise.hpp"

namespace takt::codegen {
namespace {

constexpr int most_rounds = 50;
constexpr double settled = 1e-10;

/// Start expressions, then the algebra of all subsystems, until nothing moves: what is known in one
/// round feeds the next.
class Start {
 public:
  Start(const PlantEquations& plant, std::vector<Program>& programs, const OperatingRange& range,
        std::size_t row)
      : dae_(plant.dae), programs_(programs) {
    const Network& network = plant.network;
    for (const Surrogate& surrogate : dae_.subsystems) {
      starts_.emplace_back(network.graph());
      for (const StartLaw& law : surrogate.start_laws) starts_.back().solve(law);
      for (const SurrogateState& state : surrogate.states) starts_.back().result(state.start);
    }
    values_.assign(network.graph().symbol_count(), 0.0);
    for (const Parameter& parameter : network.parameters) at(parameter.symbol) = parameter.value;
    for (const PlantInput& input : network.inputs) at(input.symbol) = input.start;
    for (const TravelDelay& delay : network.delays) at(delay.arriving) = delay.start;
    if (row >= range.rows.size()) return;
    at(network.time) = range.times[row];
    for (std::size_t column = 0; column < range.symbols.size(); ++column)
      if (std::isfinite(range.rows[row][column]))
        given_.emplace(range.symbols[column], range.rows[row][column]);
    for (const auto& [symbol, value] : given_) at(symbol) = value;
  }

  SymbolValues run() {
    SymbolValues before;
    for (int round = 0; round < most_rounds && moved(before); ++round) {
      before = values_;
      for (std::size_t index = 0; index < dae_.subsystems.size(); ++index) subsystem(index);
      for (const Flux& flux : dae_.fluxes) at(flux.received) = at(flux.source);
    }
    return std::move(values_);
  }

 private:
  double& at(SymbolId symbol) { return values_[static_cast<std::size_t>(symbol)]; }

  void subsystem(std::size_t index) {
    const Surrogate& surrogate = dae_.subsystems[index];
    starts_[index].run(values_);
    for (std::size_t k = 0; k < surrogate.states.size(); ++k)
      if (const SymbolId state = surrogate.states[k].symbol; !given_.contains(state))
        at(state) = starts_[index].results()[k];
    if (is_evaluable(surrogate.kind)) programs_[index].run(values_);
  }

  [[nodiscard]] bool moved(const SymbolValues& before) const {
    if (before.empty()) return true;
    for (std::size_t k = 0; k < before.size(); ++k) {
      const bool same = std::isfinite(values_[k])
                            ? std::fabs(values_[k] - before[k]) <= settled * std::fabs(values_[k])
                            : !std::isfinite(before[k]);
      if (!same) return true;
    }
    return false;
  }

  const DaeResult& dae_;
  std::vector<Program>& programs_;
  std::vector<Program> starts_;
  SymbolValues values_;
  std::unordered_map<SymbolId, double> given_;
};

}  // namespace

SymbolValues start_point(const Network& network, const DaeResult& dae,
                         std::vector<Program>& programs) {
  return Start({network, dae}, programs, {}, 0).run();
}

SymbolValues operating_point(const PlantEquations& plant, std::vector<Program>& programs,
                             const OperatingRange& range, std::size_t row) {
  return Start(plant, programs, range, row).run();
}

}  // namespace takt::codegen
