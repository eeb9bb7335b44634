#pragma once
// [join]: constraints between FMUs. Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Reads the joins; FMUs that are joined, directly or by others, become one ForeignModel of the
/// network, whose members they are. After declare_foreign(), before lower_foreign(). Codes Y12x.
void declare_joins(Workspace& work, const TomlValue& section);

/// What settings can name it by: its own path, of joined FMUs those of all of them and of their
/// joins.
[[nodiscard]] std::vector<std::string> paths_of(const ForeignModel& model);

}  // namespace takt::codegen
