#pragma once
// A flattened plant as C++: equations, derivatives, events, as takt::flat::Description.

#include "codegen/emit/sources.hpp"
#include "codegen/flat_source/flat_layout.hpp"

namespace takt::codegen {

/// flat.cpp, which defines takt_plant::flat_plant(), flat.hpp, which declares it, and tables.hpp. A
/// pure function.
/// @pre layout.undetermined is empty
[[nodiscard]] Sources flat_sources(const FlatModel& model, const FlatLayout& layout,
                                   const EmitOptions& options);

}  // namespace takt::codegen
