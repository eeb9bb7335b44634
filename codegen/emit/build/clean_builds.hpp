#pragma once
// Takes away what builds have left.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace takt::codegen {

struct LeftThere {
  std::filesystem::path path;
  std::string why;
};

struct Cleaned {
  std::size_t builds = 0;   ///< of which something went
  std::uint64_t bytes = 0;  ///< of files
  std::vector<LeftThere> left;
};

/// Of the builds that lie in a folder, each in one of its own (build.hpp), what builds and takt
/// have put there goes. Everything else stays: what has another name, folders that are no builds,
/// and builds at which somebody is: that compiles, or runs an executable that was found there. The
/// folder goes where nothing is left in it. A link to it stays.
/// @param only_look  nothing goes; the result is what would
/// @throws std::filesystem::filesystem_error  where something cannot be removed
[[nodiscard]] Cleaned clean_builds(const std::filesystem::path& folder, bool only_look);

}  // namespace takt::codegen
