#pragma once
// What the archive of an FMU has beside modelDescription.xml.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "codegen/fmu/fmu_archive.hpp"
#include "codegen/fmu/fmu_description.hpp"
#include "codegen/fmu/xml_shape.hpp"

namespace takt::codegen {

/// Platforms, sources, terminals and how sources are built: Y024, Y060 to Y062.
void read_files(const FmuArchive& archive, FmuDescription& fmu, Diagnostics& diagnostics);

void read_terminals(const FmuArchive& archive, FmuDescription& fmu, Diagnostics& diagnostics);
void read_builds(const FmuArchive& archive, FmuDescription& fmu, Diagnostics& diagnostics);

/// A file in an archive.
struct FmuXmlFile {
  std::filesystem::path fmu;
  std::string name;
};

/// @return nothing where there is none, or where it is broken, with findings
std::unique_ptr<XmlText> read_xml(const FmuArchive& archive, const FmuXmlFile& file,
                                  const xml::ElementRule& shape, Diagnostics& diagnostics);

/// Model identifiers of the interfaces that are served, each once.
[[nodiscard]] std::vector<std::string> identifiers_of(const FmuDescription& fmu);

}  // namespace takt::codegen
