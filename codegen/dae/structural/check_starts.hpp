#pragma once
// What the variables of a reduced circuit start with, beside what was asked for.

#include "codegen/dae/circuit/start_values.hpp"

namespace takt::codegen {

/// Solves the algebra at the start values. T011 where a storage's own start value differs from what
/// the constraints imply, T024 (a note) where a state of an element does. Nothing is judged where a
/// value comes from another subsystem.
void check_starts(const CircuitScope& scope, const Surrogate& surrogate, StartValues& start,
                  Diagnostics& diagnostics);

}  // namespace takt::codegen
