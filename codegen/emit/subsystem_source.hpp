#pragma once
// Header and source of one subsystem.

#include "codegen/emit/functions.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// Struct with sizes, members (each array says what its elements are) and function declarations.
[[nodiscard]] SourceFile subsystem_header(const SubsystemView& view, const SubsystemFunctions& functions,
                                          const EmitOptions& options);
/// Definitions of its functions.
[[nodiscard]] SourceFile subsystem_source(const SubsystemView& view, const SubsystemFunctions& functions,
                                          const EmitOptions& options);

}  // namespace takt::codegen
