#pragma once
// Locals that nothing reads: their users may have become coefficients, which are computed elsewhere.

#include "codegen/code/block.hpp"

namespace takt::codegen::code {

/// Takes out definitions `const double NAME = ...;` whose name is read neither in the body nor in `last`. What a
/// definition calls has no effect but its value.
void drop_unused_locals(const Values& values, Block& body, const Block& last);

}  // namespace takt::codegen::code
