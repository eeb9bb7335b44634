#pragma once
// FMUs as subsystems.

#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

/// One for each FMU of the plant, in its order.
[[nodiscard]] std::vector<Surrogate> foreign_surrogates(const Network& network);

}  // namespace takt::codegen
