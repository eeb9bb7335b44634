#pragma once
// Where the parts of this installation are. An installation and a build tree have the same layout:
//   <prefix>/bin/takt   <prefix>/share/takt/{library,new,plants,rigs}   <prefix>/lib/cmake/takt/taktConfig.cmake
//   <prefix>/include/takt/{fmi,fmu_sources.txt,runtime,targets}

#include <filesystem>

namespace takt::tools {

struct Home {
  std::filesystem::path prefix;         ///< of the running executable; a build directory counts as one
  std::filesystem::path config;         ///< the folder config: library, plants, what `takt new` copies
  std::filesystem::path library;        ///< element library, *.toml
  std::filesystem::path cmake_package;  ///< value for takt_DIR of a CMake project
  std::filesystem::path runtime;        ///< folder with runtime/, targets/ and fmu_sources.txt
  std::filesystem::path fmi_headers;    ///< of the standard
};

/// Found from the path of the running executable.
/// @throws std::runtime_error  if no element library is near it
[[nodiscard]] Home find_home();

}  // namespace takt::tools
