#pragma once
// Where a test finds what is not its own, from where it lies itself (bin/ of the build folder). No path is compiled in,
// so that what one folder has compiled serves another one.

#include <filesystem>
#include <string>

namespace takt::test {

inline std::filesystem::path build_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
}

/// The element library, laid out in the build folder as in an installation.
inline std::string library_folder() { return (build_folder() / "share/takt/library").string(); }

}  // namespace takt::test
