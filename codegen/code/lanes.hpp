#pragma once
// A function for copies of a part side by side: the same statements with vector registers in place
// of numbers, one copy in each lane (runtime/math/lanes.hpp, runtime/solver/newton_lanes.hpp).

#include <cstddef>

#include "codegen/code/block.hpp"

namespace takt::codegen::code {

/// How many operations stand in a block.
[[nodiscard]] std::size_t operations_in(const Values& values, const Block& block);

/// The statements in lanes. Where a Newton block leaves its plain iterations all lanes give up
/// (`gives_up`): what stands there for that is left out, with the locals that only it reads.
/// @throws std::logic_error  for a statement that has no form in lanes
[[nodiscard]] Block in_lanes(Values& values, Block&& body);

}  // namespace takt::codegen::code
