#pragma once
// Identical parts, one code: copies of a part are computed by the functions of the first, each on its own memory.
//
// Straight-line code of ten vehicles does not fit a core's caches, and takes ten times as long to compile; the code of
// one does.

#include "codegen/emit/sources.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// Where the sources of two subsystems are the same but for comments and names of locals, the later one has the first
/// one's type and no files. Where constants in prepare() differ, too, it derives from the first: its header names its
/// elements, its source has prepare() alone.
/// @param sources  header and source of each view, in turn
void share_code(std::vector<SubsystemView>& views, Sources& sources);

}  // namespace takt::codegen
