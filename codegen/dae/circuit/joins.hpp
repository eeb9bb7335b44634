#pragma once
// Capacitors that gates join with nothing but on-resistances between (W003).

#include "codegen/dae/algebra/subsystem_kind.hpp"
#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

/// Fills joins, elastances and linkages: what the energy that such a joining takes, half the
/// capacitance in series times the square of the difference, is booked by; and whose heat port is
/// due it: that of the switches of the loop, in proportion to their on-resistances. Where
/// capacitors beside the loop take their charge as fast, whose resistance has lost it is not known,
/// and the energy stays missing: an account that closes would say that heat ports got theirs. Of
/// capacitors that are not linear nothing is known either.
void find_joins(const CircuitScope& scope, SwitchedCircuit& part);

}  // namespace takt::codegen
