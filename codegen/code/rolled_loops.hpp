#pragma once
// Loops over static tables in place of statements that differ in indices and numbers alone: large
// networks have thousands of elements of the same form, and a compiler takes seconds for what is a
// table.

#include "codegen/code/block.hpp"

namespace takt::codegen::code {

/// Assignments of array elements between which nothing else happens are put in an order in which
/// those of one form follow one another, each after what it reads and before what would overwrite
/// that; many of one form become a loop. Every value is computed by the same operations as before.
/// Blocks are rolled inside.
void roll_loops(Values& values, Block& body);

}  // namespace takt::codegen::code
