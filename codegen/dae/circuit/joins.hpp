#pragma once
// Capacitors that gates join with nothing but on-resistances between (W003).

#include "codegen/dae/algebra/subsystem_kind.hpp"
#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

/// Fills joins, elastances and linkages: what the energy that such a joining takes, half the capacitance in series
/// times the square of the difference, is booked by. Nothing where the circuit sends heat: which of it a heat port is
/// due is not known, and an account that closes would say that it got it. Of capacitors that are not linear nothing is
/// known either; their energy stays missing.
void find_joins(const CircuitScope& scope, SwitchedCircuit& part);

}  // namespace takt::codegen
