#include "tools/takt/ssp_archive.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

#ifdef TAKT_WRITES_ARCHIVES
#include "codegen/fmu_export/archive.hpp"
#endif

namespace takt::tools {

#ifdef TAKT_WRITES_ARCHIVES
bool write_package(const std::filesystem::path& file, const codegen::SspText& text) {
  std::vector<codegen::ArchiveEntry> entries{{"SystemStructure.ssd", text.structure}};
  for (const codegen::SspResource& each : text.resources) {
    std::ifstream in(each.from, std::ios::binary);
    entries.push_back({each.name, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
  }
  codegen::write_archive(file, entries);
  return true;
}
#else
bool write_package(const std::filesystem::path&, const codegen::SspText&) {
  std::fputs(
      "takt ssp export: this takt was built without the headers of FMI\n  `tools/install_packages.sh build` brings "
      "them\n",
      stderr);
  return false;
}
#endif

}  // namespace takt::tools
