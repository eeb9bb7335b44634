#pragma once
// Where the solution of a flattened plant at its start begins to be sought. Internal to
// codegen/reference.

#include "codegen/reference/flat_system.hpp"

namespace takt::codegen {

/// Fills system.guesses.  @pre its unknowns are known
void add_guesses(const Network& network, FlatSystem& system);

}  // namespace takt::codegen
