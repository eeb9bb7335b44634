#include "tools/takt/plant_hosts.hpp"

#include <cstdio>

#include "tools/takt/home.hpp"

namespace takt::tools {

bool lay_out_hosts(const codegen::Rig& rig, const std::filesystem::path& directory) {
  namespace fs = std::filesystem;
  if (rig.hosts.empty()) return true;
  const fs::path link = find_home().prefix / "bin" / "takt-host-link", folder = directory / "hosts";
  if (!fs::exists(link)) {
    std::fputs(
        "takt: this takt was built without Cyclone DDS: it builds no plants for several hosts\n  install the package "
        "cyclonedds-dev (`tools/install_packages.sh build` does), then configure and build takt again\n",
        stderr);
    return false;
  }
  try {
    fs::create_directories(folder);
    fs::copy_file(link, folder / "takt-host-link.part", fs::copy_options::overwrite_existing);
    fs::rename(folder / "takt-host-link.part", folder / "takt-host-link");
  } catch (const fs::filesystem_error& error) {
    std::fprintf(stderr, "takt: cannot lay out what the hosts of the plant need: %s\n", error.what());
    return false;
  }
  return true;
}

}  // namespace takt::tools
