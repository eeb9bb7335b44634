#pragma once
// The function by which the runtime finds the tables of a flattened plant. Internal to
// codegen/flat_source.

#include "codegen/flat_source/flat_layout.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {

/// takt_plant::flat_plant(): names the tables and functions that flat_source.cpp writes.
void write_flat_description(Writer& text, const FlatModel& model, const FlatLayout& layout);

}  // namespace takt::codegen
