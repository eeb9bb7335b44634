#pragma once
// Subsystems that are computed by one code, side by side: the same functions with vector registers
// in place of numbers, one copy in each lane.

#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/emit/functions.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// The functions of a code that are written once more in lanes.
struct LaneCode {
  FunctionCode evaluate, finish;
};
using LaneCodes = std::unordered_map<std::string, LaneCode>;  ///< by SubsystemView::code

/// A circuit under an explicit method, without ends of lines, and without blocks over tables.
[[nodiscard]] bool may_be_in_lanes(const SubsystemView& view);

/// Adds a source `<subsystem>_lanes.cpp` for each code of several subsystems that pays in lanes,
/// and sets `in_lanes` of these: such a code computes more in a window than it takes to bring its
/// memory into lanes and back.
/// @param codes  of what may be in lanes and is not so large that it is written in pieces; they are
/// used up
void add_lanes(std::vector<SubsystemView>& views, LaneCodes& codes, Sources& sources,
               const EmitOptions& options);

/// Head of the function that computes copies at once, of a subsystem `in_lanes`.
[[nodiscard]] std::string together_head(const SubsystemView& view);

}  // namespace takt::codegen
