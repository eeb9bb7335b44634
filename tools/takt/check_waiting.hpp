#pragma once
// check_plant() for commands: what it does is shown on a terminal where it takes long.

#include <filesystem>
#include <optional>

#include "codegen/pipeline.hpp"

namespace takt::tools {

/// As codegen::check_plant().
[[nodiscard]] std::optional<codegen::Checked> check_waiting(const std::filesystem::path& plant,
                                                            codegen::CheckOptions options,
                                                            codegen::Diagnostics& diagnostics);

}  // namespace takt::tools
