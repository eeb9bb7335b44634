#pragma once
// solve() of a switched circuit two doubles at a time, and whole_steps(): micro-steps in which
// nothing switches, without a way through memory from one to the next. Internal to codegen/emit.

#include "codegen/emit/functions.hpp"
#include "codegen/emit/switched_functions.hpp"

namespace takt::codegen {

struct FunctionHead;

/// @param head  of solve()
/// @param body  its statements
/// @return false where there is something else in it than an affine map of histories and
/// arithmetic: then nothing has been written
[[nodiscard]] bool emit_paired(const SubsystemView& view, const FunctionHead& head,
                               Statements& body, SubsystemFunctions& functions);

}  // namespace takt::codegen
