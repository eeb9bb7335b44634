#include "tools/takt/ssp_archive.hpp"

#include <fstream>
#include <iterator>

#include "codegen/fmu_export/archive.hpp"

namespace takt::tools {

void write_package(const std::filesystem::path& file, const codegen::SspText& text) {
  std::vector<codegen::ArchiveEntry> entries{{"SystemStructure.ssd", text.structure}};
  for (const codegen::SspResource& each : text.resources) {
    std::ifstream in(each.from, std::ios::binary);
    entries.push_back({each.name, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
  }
  codegen::write_archive(file, entries);
}

}  // namespace takt::tools
