#pragma once
// Header and source of one subsystem.

#include "codegen/emit/functions.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// What is written of one subsystem. Another with the same keys is computed by the same code.
struct SubsystemFiles {
  SourceFile header, source;
  std::string key;          ///< of all but prepare(); empty where the code cannot be shared
  std::string prepare_key;  ///< of prepare(), unless it is cut into pieces
};

[[nodiscard]] SubsystemFiles subsystem_files(const SubsystemView& view,
                                             const SubsystemFunctions& functions,
                                             const EmitOptions& options);

/// The same where only constants of prepare() differ from those of another one: a type derived from
/// that.
/// @pre functions.prepare_code
[[nodiscard]] SubsystemFiles derived_files(const SubsystemView& view, const SubsystemView& first,
                                           const SubsystemFunctions& functions,
                                           const EmitOptions& options);

}  // namespace takt::codegen
