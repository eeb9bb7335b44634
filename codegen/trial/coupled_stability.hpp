#pragma once
// Whether the coupling of subsystems that are stable alone is stable, too: what is extrapolated
// acts one exchange late, and a loop with enough gain then grows where the physics does not.

#include <cstddef>
#include <optional>
#include <string>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/stability/operating_range.hpp"

namespace takt::codegen {

struct CoupledGrowth {
  double per_macro_step =
      1.0;  ///< spectral radius of one macro-step of the plan, as far as it is above 1
  double physical = 1.0;  ///< of the undecomposed plant over the same time
  bool linear = true;     ///< the subsystems are: it holds everywhere, not about the start only
  std::optional<double> time_s{};  ///< of the point of the operating range; nullopt: the start
  std::size_t subsystem = 0;       ///< whose state grows most
  SymbolId state{};                ///< the one
};

/// Runs the plan with its subsystems linearised about the start, and about some points of the
/// operating range, through the same polynomials and with the same methods, from states without any
/// pattern, and measures what growth remains (power iteration). Control and switched circuits hold
/// their outputs. Growth of less than 0.2 % per macro-step is not told from what decays slowly.
/// @return nullopt: nothing grows, or the plant is too large for this (problem says so)
[[nodiscard]] std::optional<CoupledGrowth> coupled_growth(const Plan& plan,
                                                          const PlantEquations& plant,
                                                          const OperatingRange& range,
                                                          std::string& problem);

/// Reports S042: an error where the plant is linear, else a warning.
void check_coupled_stability(Plan& plan, const PlantEquations& plant, const OperatingRange& range,
                             Diagnostics& diagnostics);

}  // namespace takt::codegen
