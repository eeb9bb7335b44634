#include "codegen/propose/trial_runs.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "codegen/plan/symbol_origins.hpp"
#include "codegen/trial/equation_models.hpp"

namespace takt::codegen {

void choose_watched(TrialRuns& runs, const Plan& plan, const DaeResult& dae) {
  std::set<SymbolId> owned, chosen;
  for (const Surrogate& surrogate : dae.subsystems)
    if (is_evaluable(surrogate.kind))
      for (const SymbolId symbol : symbols_owned(surrogate)) owned.insert(symbol);
  for (const PlanRecord& record : plan.records)
    for (const SymbolId symbol : record.symbols)
      if (owned.contains(symbol)) chosen.insert(symbol);
  if (chosen.empty())
    for (const Surrogate& surrogate : dae.subsystems)
      for (const SurrogateState& state : surrogate.states)
        if (is_integrated(surrogate.kind)) chosen.insert(state.symbol);
  runs.watched.assign(chosen.begin(), chosen.end());
}

void choose_begins(TrialRuns& runs, const Plan& plan, const PlantEquations& plant, const OperatingRange& range) {
  const Network& network = plant.network;
  const DaeResult& dae = plant.dae;
  constexpr std::size_t most_begins = 3;
  std::vector<Program> programs;
  for (const Surrogate& surrogate : dae.subsystems) {
    programs.emplace_back(network.graph());
    if (is_evaluable(surrogate.kind)) programs.back().add(surrogate);
  }
  const std::size_t rows = range.rows.size(), count = std::min(most_begins, rows);
  if (rows == 0) runs.begins.push_back(start_point(network, dae, programs));
  std::vector<std::vector<double>> seen;
  for (std::size_t row = 0; row < rows; ++row) {
    SymbolValues values = operating_point(plant, programs, range, row);
    seen.emplace_back();
    for (const SymbolId symbol : runs.watched) seen.back().push_back(values[static_cast<std::size_t>(symbol)]);
    // The last row is where a run has ended: nothing is known of what comes after.
    if (runs.begins.size() < count && (runs.begins.size() * rows) / count == row)
      runs.begins.push_back(std::move(values));
  }
  note_scale(runs, seen);
  if (rows > 0)
    for (SymbolValues& values : runs.begins) values = after_some_time(plan, plant, std::move(values), runs.settling_ns);
}

void note_scale(TrialRuns& runs, const std::vector<std::vector<double>>& rows) {
  constexpr double nothing = 1e-7;  // of its size: does not move
  runs.low.resize(runs.watched.size(), HUGE_VAL), runs.high.resize(runs.watched.size(), -HUGE_VAL),
      runs.scale.resize(runs.watched.size());
  for (std::size_t k = 0; k < runs.watched.size(); ++k) {
    for (const auto& row : rows)
      runs.low[k] = std::min(runs.low[k], row[k]), runs.high[k] = std::max(runs.high[k], row[k]);
    const double range = runs.high[k] - runs.low[k];
    runs.scale[k] = range > nothing * std::max(std::fabs(runs.low[k]), std::fabs(runs.high[k])) ? range : 0.0;
  }
}

}  // namespace takt::codegen
