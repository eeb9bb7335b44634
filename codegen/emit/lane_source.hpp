#pragma once
// Subsystems that are computed by one code, side by side: the same functions with vector registers in place of numbers,
// one copy in each lane.

#include <string>
#include <vector>

#include "codegen/emit/sources.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// Adds a source `<subsystem>_lanes.cpp` for each code of several subsystems that pays in lanes, and sets `lanes` of
/// these. After share_code(), before lines are broken.
/// Such a code is of a circuit under an explicit method, not so large that it is written in pieces or over tables, and
/// computes more in a window than it takes to bring its memory into lanes and back.
void add_lanes(std::vector<SubsystemView>& views, Sources& sources, const EmitOptions& options);

/// Head of the function that computes copies at once, of a subsystem `in_lanes`.
[[nodiscard]] std::string together_head(const SubsystemView& view);

}  // namespace takt::codegen
