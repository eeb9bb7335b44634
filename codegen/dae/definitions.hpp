#pragma once
// Whether what a subsystem computes is computed in an order that can be written down.

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// T026: a start value waits for what is computed from it. S090: the algebra names a symbol before
/// it is known.
void check_definitions(const Network& network, const Surrogate& surrogate,
                       Diagnostics& diagnostics);

}  // namespace takt::codegen
