#include "codegen/emit/build/clean_builds.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <system_error>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/executable_store.hpp"
#include "runtime/io/file_lock.hpp"
#include "runtime/trust/ours.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) { return fs::is_regular_file(fs::symlink_status(path)); }
bool is_folder(const fs::path& path) { return fs::is_directory(fs::symlink_status(path)); }

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& each : fs::directory_iterator(folder)) entries.push_back(each.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Files of several names count once.
std::uint64_t size_of(const fs::path& path) {
  std::error_code gone;  // somebody else takes it away, too
  if (is_file(path)) {
    const std::uintmax_t size = fs::file_size(path, gone), names = fs::hard_link_count(path, gone);
    return gone || names == 0 ? 0 : size / names;
  }
  std::uint64_t bytes = 0;
  if (is_folder(path))
    for (fs::directory_iterator each(path, gone), end; !gone && each != end; each.increment(gone))
      bytes += size_of(each->path());
  return bytes;
}

/// Sources that are compiled in this folder, or only the lock and the executables of one that are
/// compiled elsewhere.
bool is_build(const fs::path& folder) {
  if (!is_folder(folder)) return false;
  const fs::path project = folder / "CMakeLists.txt";
  if (!fs::exists(fs::symlink_status(project))) return is_file(folder / "lock");
  const std::vector<std::string> lines =
      is_file(project) ? lines_of(project) : std::vector<std::string>();
  return !lines.empty() && lines.front().starts_with(generated_by_takt);
}

class Cleaning {
 public:
  Cleaning(const fs::path& build, bool only_look) : build_(build), only_look_(only_look) {}

  /// What stays is told in `result`.
  void run(Cleaned& result) {
    if (const std::string why = why_it_stays(); !why.empty())
      return result.left.push_back({build_, why});
    find_all();
    ++result.builds;
    for (const fs::path& each : going_) result.bytes += size_of(each);
    for (const fs::path& folder : {build_ / "bin", build_})
      for (const fs::path& each :
           is_folder(folder) ? sorted_entries(folder) : std::vector<fs::path>())
        if (!going_.contains(each) && each != build_ / "bin")
          result.left.push_back({each, "no build has made it"});
    if (only_look_) return;
    std::error_code not_empty;
    for (const fs::path& each : going_) fs::remove_all(each);
    fs::remove(build_ / "bin", not_empty);
    fs::remove(build_, not_empty);
  }

 private:
  [[nodiscard]] bool lock(const fs::path& file) {
    if (!is_file(file)) return true;
    locks_.push_back(FileLock::attempt(file, FileLock::Kind::exclusive));
    return locks_.back().held();
  }

  std::string why_it_stays() {
    if (std::string why = why_not_ours(build_); !why.empty()) return why;
    if (!lock(build_ / "lock")) return "something is built there now";
    const fs::path bin = build_ / "bin";
    for (const fs::path& entry : is_folder(bin) ? sorted_entries(bin) : std::vector<fs::path>())
      if (is_folder(entry) && !lock(entry / ExecutableStore::in_use))
        return "its executable is in use";
    return {};
  }

  void find_all() {
    std::set<fs::path> names{"CMakeLists.txt", "sources.txt", "unfinished", "lock", "network.html"};
    for (const char* folder : folders_of_a_build) names.insert(folder);
    for (const std::string& line : lines_of(build_ / "sources.txt"))
      if (line.find('/') == std::string::npos) names.insert(line);
    for (const fs::path& each : sorted_entries(build_))
      if (names.contains(each.filename()) && each.filename() != "bin") going_.insert(each);
    if (is_folder(build_ / "bin")) find_executables(sorted_entries(build_ / "bin"));
  }

  /// Those that are stored, and the one that stands there under its short name.
  void find_executables(const std::vector<fs::path>& entries) {
    std::set<fs::path> names;
    for (const fs::path& entry : entries) {
      if (!is_folder(entry) || !is_file(entry / ExecutableStore::in_use)) continue;
      going_.insert(entry);
      for (const fs::path& each : sorted_entries(entry))
        if (each.extension() == ".sha256") names.insert(each.stem());
    }
    for (const fs::path& each : entries)
      if (is_file(each) && names.contains(each.filename())) going_.insert(each);
  }

  const fs::path build_;
  const bool only_look_;
  std::vector<FileLock> locks_;
  std::set<fs::path> going_;
};

}  // namespace

Cleaned clean_builds(const fs::path& folder, bool only_look) {
  Cleaned result;
  if (!fs::is_directory(folder)) return result;
  for (const fs::path& each : sorted_entries(folder)) {
    if (!is_build(each)) {
      result.left.push_back({each, "it is no build"});
      continue;
    }
    try {
      Cleaning(each, only_look).run(result);
    } catch (const fs::filesystem_error&) {
      throw;
    } catch (const std::system_error& strange_lock) {
      result.left.push_back({each, strange_lock.what()});
    }
  }
  std::error_code not_empty;
  if (!only_look && is_folder(folder)) fs::remove(folder, not_empty);
  return result;
}

}  // namespace takt::codegen
