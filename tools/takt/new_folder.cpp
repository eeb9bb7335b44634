#include "tools/takt/new_folder.hpp"

#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

/// Without a slash at its end.
fs::path plain(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

void write_all(const fs::path& folder, const NewFiles& files) {
  for (const auto& [name, bytes] : files) {
    const fs::path file = folder / name;
    fs::create_directories(file.parent_path());
    std::ofstream out(file, std::ios::binary);
    out << bytes;
    if (!out.flush()) throw std::runtime_error("cannot write '" + file.string() + "'");
  }
}

/// What the part holds gets its place in the folder, or nothing does.
void move_into(const fs::path& part, const fs::path& folder) {
  std::vector<fs::path> moved;
  try {
    for (const auto& each : fs::directory_iterator(part)) {
      const fs::path to = folder / each.path().filename();
      if (fs::exists(fs::symlink_status(to))) throw std::runtime_error(to.string() + " is there by now");
      fs::rename(each.path(), to);
      moved.push_back(to);
    }
    fs::remove(part);
  } catch (...) {
    for (const fs::path& each : moved) fs::remove_all(each);
    throw;
  }
}

}  // namespace

std::string name_of_folder(const fs::path& folder) { return plain(folder).filename().string(); }

bool is_free_for_folder(const fs::path& folder) {
  const fs::path place = plain(folder);
  return !fs::exists(fs::symlink_status(place)) || (fs::is_directory(place) && fs::is_empty(place));
}

void write_new_folder(const fs::path& given, const NewFiles& files) {
  const fs::path folder = plain(given);
  const bool is_there = fs::exists(folder);
  const std::string own = "." + std::to_string(getpid()) + ".part";
  const fs::path part = is_there ? folder / own : fs::path(folder.string() + own);
  fs::create_directories(part.parent_path());
  if (!fs::create_directory(part)) throw std::runtime_error("cannot make " + part.string() + ": it is there already");
  try {
    write_all(part, files);
    if (is_there)
      move_into(part, folder);
    else
      fs::rename(part, folder);
  } catch (...) {
    fs::remove_all(part);
    throw;
  }
}

}  // namespace takt::tools
