#pragma once
// run(): one window of a circuit, and what it adds to the account of energy.

#include "codegen/code/block.hpp"
#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// Definition of run().
void write_run(const SubsystemView& view, SubsystemFunctions& functions);

/// The statements of run() of several copies side by side, which tells whether all were computed to
/// the end of the window: nobody looks at them in it. @pre may_be_in_lanes(view)
[[nodiscard]] code::Block run_in_lanes(const SubsystemView& view, code::Values& values);

/// What run() does now and then at the end of a window; nothing where nothing is seldom judged.
/// @param self  empty, or what stands before members: "self."
void look_now_and_then(const SubsystemView& view, const std::string& self, code::Values& values,
                       code::Block& to);

/// Time at the end of the window and its length, end_s and length_s.
void define_window_end(code::Values& values, code::Block& to);

}  // namespace takt::codegen
