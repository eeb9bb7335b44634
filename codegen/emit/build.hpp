#pragma once
// Sources -> executable: writes them into a folder and compiles them with CMake against the runtime.

#include <filesystem>
#include <functional>
#include <string>

#include "codegen/emit/sources.hpp"

namespace takt::codegen {

struct BuildOptions {
  std::string name;                     ///< of the executable: the plant's name
  std::filesystem::path directory;      ///< sources; build/ and bin/ below it
  std::filesystem::path cmake_package;  ///< folder of taktConfig.cmake, of an installation or a build tree
  std::string march;                    ///< -march; empty: the portable baseline of this machine's architecture
  std::function<void(const std::string&)> progress;  ///< one line per thing that takes time; may be empty
};

struct BuildResult {
  bool ok = false;
  bool built = false;  ///< false: everything was up to date
  std::filesystem::path executable;
  std::string log;  ///< of the tool that failed
};

/// CMakeLists.txt of the emitted plant.
[[nodiscard]] std::string plant_cmake(const std::string& name, const Sources& sources);

/// Writes only files that differ and removes those of an earlier build that are no longer emitted, so that what did not
/// change is not compiled again; CMake knows the runtime's headers and libraries, so a new runtime rebuilds the plant.
/// @throws std::filesystem::filesystem_error, std::runtime_error  where the folder cannot be written
[[nodiscard]] BuildResult build_sources(const Sources& sources, const BuildOptions& options);

/// 64 bits of FNV-1a in hexadecimal: names things, protects nothing.
[[nodiscard]] std::string hash_text(std::string_view text);

}  // namespace takt::codegen
