#pragma once
// The file of a system structure package.

#include <filesystem>

#include "codegen/ssp/write_ssp.hpp"

namespace takt::tools {

/// @return false with a message where it cannot be written, or this takt cannot write archives
[[nodiscard]] bool write_package(const std::filesystem::path& file, const codegen::SspText& text);

}  // namespace takt::tools
