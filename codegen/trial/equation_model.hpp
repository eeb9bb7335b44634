#pragma once
// A subsystem as its equations say, for runs inside the generator: not fast, but without compiling
// anything.
//
// Steps are those the plant would run with; a method that chooses its own is replaced by many small
// ones of order 4.

#include <memory>
#include <utility>
#include <vector>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/stability/program.hpp"
#include "codegen/trial/plan_run.hpp"

namespace takt::codegen {

/// What is looked at: quantities and where to put them whenever their owner has finished a window.
using Watches = std::vector<std::pair<SymbolId, double*>>;

/// A subsystem's equations and how they are stepped.
struct PlannedSubsystem {
  const PlanSubsystem& plan;
  const Network& network;
  const Surrogate& surrogate;
};

/// One continuous subsystem that is not switched.
/// @param values  of all symbols where the run begins, the time among them; used by the model from
/// then on
/// @param integrands  their integrals over a window follow those of the outputs in `sent`
[[nodiscard]] std::unique_ptr<WindowModel> equation_model(const PlannedSubsystem& subsystem,
                                                          SymbolValues& values,
                                                          const Watches& watches,
                                                          const std::vector<Expr>& integrands = {});

}  // namespace takt::codegen
