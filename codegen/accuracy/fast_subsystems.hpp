#pragma once
// Which circuits of a plan that exchanges at one rate deserve a faster one of their own.

#include <cstddef>
#include <vector>

#include "codegen/plan/plan.hpp"

namespace takt::codegen {

/// What to try, the smallest first: circuits whose fastest mode is within a factor 30 of the
/// plant's fastest, or is not known; these and all that are neither heat nor flow, as a shaft alone
/// has no modes but those of what turns it. Control blocks are none: they exchange when they are
/// sampled.
/// @return sets of subsystems, ascending; none that holds all circuits or none of them; nothing
/// where the plan has groups already
[[nodiscard]] std::vector<std::vector<std::size_t>> fast_subsystems(const Plan& plan);

}  // namespace takt::codegen
