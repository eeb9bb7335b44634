// takt clean: takes away what builds have left.

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/clean_builds.hpp"
#include "runtime/command_line/command_line.hpp"
#include "tools/takt/command.hpp"

namespace takt::tools {
namespace {

std::string size_text(std::uint64_t bytes) {
  return bytes < 1'000'000 ? fmt::format("{:.0f} kB", static_cast<double>(bytes) / 1e3)
                           : fmt::format("{:.0f} MB", static_cast<double>(bytes) / 1e6);
}

void clean(const std::filesystem::path& folder, bool only_tell) {
  const codegen::Cleaned cleaned = codegen::clean_builds(folder, only_tell);
  fmt::print("{}: ", folder.string());
  if (cleaned.builds == 0)
    fmt::print("no builds\n");
  else
    fmt::print("{} build{}, {} {}\n", cleaned.builds, cleaned.builds == 1 ? "" : "s", size_text(cleaned.bytes),
               only_tell ? "would go" : "gone");
  for (const auto& [path, why] : cleaned.left) fmt::print("  {} stays: {}\n", path.string(), why);
}

}  // namespace

int clean_command(int argc, char** argv) {
  command_line::App app{
      "Takes away what builds have left in this folder, in .takt: sources, objects, executables, plans. The next `takt "
      "run` makes them again; results of runs stay, and so does what no build has made or somebody uses.",
      "takt clean"};
  bool cache = false, only_tell = false;
  app.add_flag("--cache", cache,
               "also what all folders of this user share: the runtime compiled for other machines, and its like");
  app.add_flag("--dry-run", only_tell, "say what would go, and leave it");
  app.example("takt clean --dry-run");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  std::vector<std::filesystem::path> folders{".takt"};
  if (const std::filesystem::path shared = codegen::user_cache(); cache && !shared.empty()) folders.push_back(shared);
  for (const std::filesystem::path& folder : folders) {
    if (std::filesystem::is_directory(folder / "runtime")) clean(folder / "runtime", only_tell);
    clean(folder, only_tell);
  }
  return exit_ok;
}

}  // namespace takt::tools
