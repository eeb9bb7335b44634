#pragma once
// Control blocks of one period as one discrete subsystem, in the order of their feedthrough.

#include "codegen/dae/ownership.hpp"

namespace takt::codegen {

/// C010 where blocks of one period feed through in a loop.
[[nodiscard]] Surrogate control_surrogate(Network& network, const std::vector<std::uint32_t>& blocks, Diagnostics& diagnostics);

/// "1ms", "250us"
[[nodiscard]] std::string period_text(std::int64_t period_ns);

}  // namespace takt::codegen
