#include "tools/takt/home.hpp"

#include <stdexcept>

namespace takt::tools {

Home find_home() {
  const auto prefix = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  Home home{.prefix = prefix,
            .config = prefix / "share/takt",
            .library = prefix / "share/takt/library",
            .cmake_package = prefix / TAKT_PACKAGE_DIR,
            .runtime = prefix / TAKT_INCLUDE_DIR / "takt",
            .fmi_headers = prefix / TAKT_INCLUDE_DIR / "takt/fmi"};
  if (!std::filesystem::is_directory(home.library)) {
    throw std::runtime_error("no element library at " + home.library.string() + ": is this installation complete?");
  }
  return home;
}

}  // namespace takt::tools
