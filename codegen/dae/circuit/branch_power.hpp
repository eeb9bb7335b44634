#pragma once
// What a branch takes from its circuit.

#include "codegen/model/network.hpp"

namespace takt::codegen {

/// Power that flows from the circuit into a branch, W. In thermal domains the through variable is
/// the power itself, so a branch between two walls takes nothing and one at absolute zero takes all
/// of it.
[[nodiscard]] Expr power_into(const Network& network, const Branch& branch);

}  // namespace takt::codegen
