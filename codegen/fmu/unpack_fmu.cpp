#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "codegen/fmu/fmu_archive.hpp"
#include "codegen/fmu/read_fmu.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with this object.
class Scratch {
 public:
  explicit Scratch(fs::path path) : path_(std::move(path)) {}
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool refuse(const fs::path& folder, const std::string& what, Diagnostics& diagnostics) {
  diagnostics.error("Y070", {folder.string()}, "cannot be written: " + what,
                    "is the disk full, may this folder be written?");
  return false;
}

bool is_free(const fs::path& folder, Diagnostics& diagnostics) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(folder, error);
  if (!fs::exists(status)) return true;
  if (fs::is_directory(status) && fs::is_empty(folder, error) && !error) return true;
  diagnostics.error("Y071", {folder.string()},
                    "is there already: an FMU is unpacked to a folder of its own",
                    "name another folder, or take this one away");
  return false;
}

bool is_wanted(const FmuEntry& entry, const FmuDescription& fmu) {
  const auto platform = host_platform(fmu);
  const auto is_below = [&](const std::string& folder) { return entry.name.starts_with(folder); };
  return is_below(platform ? "binaries/" + *platform + "/" : "sources/") ||
         is_below("resources/") || is_below("terminalsAndIcons/") ||
         entry.name == "modelDescription.xml";
}

bool extract_all(const FmuArchive& archive, const FmuDescription& fmu, const fs::path& to,
                 Diagnostics& diagnostics) {
  std::error_code error;
  fs::create_directories(to / "resources", error);
  if (error) return refuse(to, error.message(), diagnostics);
  for (const FmuEntry& entry : archive.entries()) {
    if (!is_wanted(entry, fmu)) continue;
    const fs::path target = to / entry.name;
    fs::create_directories(entry.is_folder() ? target : target.parent_path(), error);
    if (error) return refuse(target, error.message(), diagnostics);
    if (entry.is_folder()) continue;
    if (!archive.extract(entry, target, diagnostics)) return false;
    if (entry.name.starts_with("binaries/")) {
      constexpr fs::perms run =
          fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
      fs::permissions(target, run, fs::perm_options::add, error);
    }
  }
  return true;
}

}  // namespace

bool unpack_fmu(const FmuDescription& fmu, const fs::path& given, Diagnostics& diagnostics) {
  const fs::path folder = given.has_filename() ? given : given.parent_path();
  if (!is_free(folder, diagnostics)) return false;
  const auto archive = FmuArchive::open(fmu.file, diagnostics);
  if (!archive) return false;
  std::error_code error;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), error);
  if (error) return refuse(folder, error.message(), diagnostics);
  std::string beside = folder.string() + ".XXXXXX";
  if (mkdtemp(beside.data()) == nullptr)
    return refuse(folder, std::generic_category().message(errno), diagnostics);
  const Scratch scratch(beside);
  if (!extract_all(*archive, fmu, scratch.path(), diagnostics)) return false;
  constexpr fs::perms seen = fs::perms::group_read | fs::perms::group_exec |
                             fs::perms::others_read | fs::perms::others_exec;
  fs::permissions(scratch.path(), seen, fs::perm_options::add, error);
  fs::rename(scratch.path(), folder, error);
  return error ? refuse(folder, error.message(), diagnostics) : true;
}

std::vector<std::string> host_platforms(FmiVersion version) {
#if defined(__x86_64__)
  return {version == FmiVersion::v2 ? "linux64" : "x86_64-linux"};
#elif defined(__aarch64__)
  // FMI 2 names none for aarch64: as FMI 3, and as OpenModelica has it.
  return {"aarch64-linux", "aarch64-linux-gnu"};
#else
  return {"unknown"};
#endif
}

std::optional<std::string> host_platform(const FmuDescription& fmu) {
  for (const std::string& platform : host_platforms(fmu.version))
    if (std::find(fmu.platforms.begin(), fmu.platforms.end(), platform) != fmu.platforms.end())
      return platform;
  return std::nullopt;
}

std::optional<fs::path> fmu_library(const FmuDescription& fmu, const FmuInterface& interface,
                                    const fs::path& folder) {
  for (const std::string& platform : host_platforms(fmu.version)) {
    const fs::path library = folder / "binaries" / platform / (interface.model_identifier + ".so");
    std::error_code ignored;
    if (fs::is_regular_file(library, ignored)) return library;
  }
  return std::nullopt;
}

}  // namespace takt::codegen
