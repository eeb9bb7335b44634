#pragma once
// The runtime compiled for another machine than this one.

#include <filesystem>

#include "codegen/emit/build/build.hpp"

namespace takt::codegen {

struct RuntimeRequest {
  std::string machine;            ///< "aarch64"
  std::filesystem::path sources;  ///< folder with runtime/ and targets/
  std::filesystem::path cache;    ///< for runtimes of all machines: made where it is not there
  std::function<void(const std::string&)> progress{};
};

/// ~/.cache/takt/runtime, as the environment says.
[[nodiscard]] std::filesystem::path runtime_cache();

/// Compiled once for each content of its sources and compiler, and kept as executables are
/// (build_sources()).
/// @return `executable` is the prefix of an installation: lib/cmake/takt, lib/takt, include/takt
/// @throws as build_sources()
[[nodiscard]] BuildResult target_runtime(const RuntimeRequest& request);

}  // namespace takt::codegen
