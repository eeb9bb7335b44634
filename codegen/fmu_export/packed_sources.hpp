#pragma once
// The sources that an FMU carries: its library can be compiled from them where there is no Takt.

#include <filesystem>
#include <string>

#include "codegen/fmu_export/exported_fmu.hpp"

namespace takt::codegen {

/// The FMU's own sources and the part of the runtime that they need, all in one folder:
/// "runtime/math/atan.cpp" is runtime_math_atan.cpp, so that a compiler finds every header beside
/// the file that includes it. Every file that is compiled includes fmu_settings.hpp first, which
/// keeps the bits and gives all names a part of their own: several such libraries in one process,
/// or linked statically, do not meet. Not packed: headers of FMI and, for co-simulation, of Eigen
/// and Boost.
/// @param runtime  folder with fmu_sources.txt (runtime/fmu_export/CMakeLists.txt), runtime/ and
/// targets/
/// @throw std::runtime_error  a file cannot be read: which
[[nodiscard]] Sources packed_sources(const ExportedFmu& fmu, const std::filesystem::path& runtime);

/// sources/buildDescription.xml of FMI 3.0.2, 2.5.3.3. @pre fmu.packed is not empty
[[nodiscard]] std::string build_description(const ExportedFmu& fmu);

/// sources/README.txt: what they need and how they are compiled by hand. @pre fmu.packed is not
/// empty
[[nodiscard]] std::string sources_read_me(const ExportedFmu& fmu);

/// CMakeLists.txt of the library from its packed sources alone, for another machine; the folder of
/// the headers of FMI is TAKT_FMI_HEADERS. @pre fmu.packed is not empty
[[nodiscard]] std::string packed_cmake(const ExportedFmu& fmu);

}  // namespace takt::codegen
