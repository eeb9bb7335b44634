#pragma once
// Which events a circuit's steps are cut at, and whether it integrates what they set.

#include <cstdint>
#include <vector>

#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

/// Those of elements whose states the circuit owns: indices into the Network's, in their order.
[[nodiscard]] std::vector<std::uint32_t> events_of(const CircuitScope& scope);

/// T029 where an event sets what is no state of the reduced circuit: there is nothing to put the
/// value into.
void check_events(const CircuitScope& scope, const Surrogate& surrogate, Diagnostics& diagnostics);

}  // namespace takt::codegen
