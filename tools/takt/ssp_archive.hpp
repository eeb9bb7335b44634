#pragma once
// The file of a system structure package.

#include <filesystem>

#include "codegen/ssp/write_ssp.hpp"

namespace takt::tools {

/// @throw std::runtime_error  it cannot be written: why
void write_package(const std::filesystem::path& file, const codegen::SspText& text);

}  // namespace takt::tools
