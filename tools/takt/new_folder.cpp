#include "tools/takt/new_folder.hpp"

#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace takt::tools {

namespace fs = std::filesystem;

void write_new_folder(const fs::path& folder, const NewFiles& files) {
  const fs::path part = folder.string() + "." + std::to_string(getpid()) + ".part";
  if (part.has_parent_path()) fs::create_directories(part.parent_path());
  if (!fs::create_directory(part)) throw std::runtime_error("cannot make " + part.string() + ": it is there already");
  try {
    for (const auto& [name, bytes] : files) {
      std::ofstream out(part / name, std::ios::binary);
      out << bytes;
      if (!out.flush()) throw std::runtime_error("cannot write '" + (part / name).string() + "'");
    }
    fs::remove(folder);  // empty, as has been looked at
    fs::rename(part, folder);
  } catch (...) {
    fs::remove_all(part);
    throw;
  }
}

}  // namespace takt::tools
