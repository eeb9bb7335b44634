#include "codegen/fmu/fmu_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/read_fmu.hpp"

namespace takt::codegen {
namespace {

/// Folders below binaries/ with a library of one of the interfaces.
void find_platforms(const FmuArchive& archive, FmuDescription& fmu) {
  std::set<std::string> found;
  constexpr std::string_view top = "binaries/";
  for (const FmuEntry& entry : archive.entries()) {
    if (!entry.name.starts_with(top) || entry.is_folder()) continue;
    const std::size_t slash = entry.name.find('/', top.size());
    if (slash == std::string::npos) continue;
    const std::string file = entry.name.substr(slash + 1);
    for (const std::string& identifier : identifiers_of(fmu))
      for (const char* ending : {".so", ".dll", ".dylib"})
        if (file == identifier + ending)
          found.insert(entry.name.substr(top.size(), slash - top.size()));
  }
  fmu.platforms.assign(found.begin(), found.end());
}

void check_host(const FmuArchive& archive, const FmuDescription& fmu, Diagnostics& diagnostics) {
  const auto platform = host_platform(fmu);
  if (!platform && fmu.has_sources) return;
  if (!platform) {
    std::string has;
    for (const std::string& each : fmu.platforms) has += (has.empty() ? "" : ", ") + each;
    diagnostics.error(
        "Y024", {fmu.file.string()},
        fmt::format("has no binary for this machine ({}) and no sources; it has binaries for {}",
                    host_platforms(fmu.version)[0], has.empty() ? "no platform" : printable(has)),
        "export it for this platform, or with its sources");
    return;
  }
  for (const std::string& identifier : identifiers_of(fmu))
    if (const std::string name = "binaries/" + *platform + "/" + identifier + ".so";
        archive.find(name) == nullptr)
      diagnostics.warning(
          "Y024", {fmu.file.string()},
          fmt::format("has no {}: one of its interfaces cannot be used here", printable(name)),
          "export it for this platform");
}

}  // namespace

std::vector<std::string> identifiers_of(const FmuDescription& fmu) {
  std::vector<std::string> identifiers;
  for (const auto* interface : {&fmu.co_simulation, &fmu.model_exchange})
    if (*interface && std::find(identifiers.begin(), identifiers.end(),
                                (*interface)->model_identifier) == identifiers.end())
      identifiers.push_back((*interface)->model_identifier);
  return identifiers;
}

void read_files(const FmuArchive& archive, FmuDescription& fmu, Diagnostics& diagnostics) {
  find_platforms(archive, fmu);
  fmu.has_sources = archive.has_folder("sources/");
  check_host(archive, fmu, diagnostics);
  read_builds(archive, fmu, diagnostics);
  read_terminals(archive, fmu, diagnostics);
}

std::unique_ptr<XmlText> read_xml(const FmuArchive& archive, const FmuXmlFile& file,
                                  const xml::ElementRule& shape, Diagnostics& diagnostics) {
  const FmuEntry* entry = archive.find(file.name);
  const auto text = entry != nullptr ? archive.read(*entry, diagnostics) : std::nullopt;
  if (!text) return nullptr;
  auto xml = XmlText::parse(*text, file.fmu.string() + "/" + file.name, diagnostics);
  if (!xml) return nullptr;
  if (xml->root().name() != shape.name) {
    diagnostics.error("Y014", xml->at(xml->root()),
                      fmt::format("the root element is '{}', not '{}'",
                                  printable(xml->root().name()), shape.name),
                      "mend or export it again");
    return nullptr;
  }
  const std::size_t before = diagnostics.error_count();
  xml::check_shape(*xml, shape, diagnostics);
  return diagnostics.error_count() == before ? std::move(xml) : nullptr;
}

}  // namespace takt::codegen
