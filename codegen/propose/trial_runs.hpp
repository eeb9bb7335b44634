#pragma once
// From where, for how long and at what plans are tried out.

#include <vector>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {

struct TrialRuns {
  std::vector<SymbolValues> begins;  ///< values of all symbols, the time among them: states of the plant in work
  std::int64_t settling_ns = 0;      ///< how long the plant has run before each
  std::int64_t duration_ns = 0;      ///< from each
  std::int64_t sample_ns = 0;        ///< a multiple of the macro-steps of all plans
  std::vector<SymbolId> watched;
  std::vector<double> low, high;  ///< of the watched: all that is known of them
  std::vector<double> scale;      ///< high - low; 0: does not move
};

/// What is recorded, where an equation gives it; else all states.
void choose_watched(TrialRuns& runs, const Plan& plan, const DaeResult& dae);

/// Points of the operating range, evenly; without one the start. Each after the plan has run for a while from there, so
/// that control and circuits are in step.
void choose_begins(TrialRuns& runs, const Plan& plan, const PlantEquations& plant, const OperatingRange& range);

/// Ranges of the watched quantities grow by these rows.
void note_scale(TrialRuns& runs, const std::vector<std::vector<double>>& rows);

}  // namespace takt::codegen
