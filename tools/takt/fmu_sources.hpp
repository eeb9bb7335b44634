#pragma once

#include <filesystem>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::tools {

/// Compiles the libraries of an unpacked FMU that has sources and no binary for this machine, to where a binary would
/// be. As its buildDescription.xml says (FMI 3.0.2, 2.5.3.3), or the SourceFiles of FMI 2.0.4 (2.2.3, 2.2.4); by $CC
/// and $CXX, else cc and c++. Nothing to do, and true, where the libraries are there. Nothing half-written is left.
/// @return false with an error: Y072 they do not compile, Y073 nothing says how, Y074 an option is refused
bool compile_sources(const codegen::FmuDescription& fmu, const std::filesystem::path& folder,
                     codegen::Diagnostics& diagnostics);

}  // namespace takt::tools
