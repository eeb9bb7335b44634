#include <fmt/format.h>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_files.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/fmu/xml_shape.hpp"

namespace takt::codegen {
namespace {

FmuSourceSet set_of(pugi::xml_node node) {
  FmuSourceSet set;
  set.name = text_of(node, "name");
  set.language = text_of(node, "language");
  set.compiler = text_of(node, "compiler");
  set.compiler_options = text_of(node, "compilerOptions");
  for (pugi::xml_node child : node.children("SourceFile"))
    set.files.push_back(text_of(child, "name"));
  for (pugi::xml_node child : node.children("PreprocessorDefinition"))
    set.definitions.push_back(
        {text_of(child, "name"), text_of(child, "value"), flag_of(child, "optional")});
  for (pugi::xml_node child : node.children("IncludeDirectory"))
    set.include_folders.push_back(text_of(child, "name"));
  return set;
}

FmuBuild build_of(pugi::xml_node node) {
  FmuBuild build{text_of(node, "modelIdentifier"), text_of(node, "platform"), {}, {}};
  for (pugi::xml_node child : node.children("SourceFileSet")) build.sets.push_back(set_of(child));
  for (pugi::xml_node child : node.children("Library"))
    build.libraries.push_back(text_of(child, "name"));
  return build;
}

/// FMI 2 lists the files of each interface, and says nothing else.
void builds_of_2(FmuDescription& fmu) {
  for (const auto* interface : {&fmu.model_exchange, &fmu.co_simulation}) {
    if (!*interface || (*interface)->source_files.empty()) continue;
    if (!fmu.builds.empty() &&
        fmu.builds.front().model_identifier == (*interface)->model_identifier)
      continue;
    FmuBuild build{(*interface)->model_identifier, "", {FmuSourceSet{}}, {}};
    build.sets.front().files = (*interface)->source_files;
    fmu.builds.push_back(std::move(build));
  }
}

/// "./util/list.c", as OpenModelica writes it, is "util/list.c".
std::string plain(const std::string& file) {
  return file.starts_with("./") ? file.substr(2) : file;
}

/// Sources are named relative to sources/, and must not leave it.
void check_sources(const FmuArchive& archive, const FmuDescription& fmu, Diagnostics& diagnostics) {
  const bool is_2 = fmu.version == FmiVersion::v2;
  const Location where{fmu.file.string() +
                       (is_2 ? "/modelDescription.xml" : "/sources/buildDescription.xml")};
  const auto refuse = [&](const std::string& name, const std::string& why) {
    diagnostics.error("Y062", where,
                      fmt::format("the source '{}' is refused: {}", printable(name), why),
                      "sources and include folders lie below sources/");
  };
  std::vector<std::string> missing;
  for (const FmuBuild& build : fmu.builds)
    for (const FmuSourceSet& set : build.sets) {
      for (const std::string& file : set.files) {
        if (const std::string why = wrong_entry_name(plain(file)); !why.empty()) refuse(file, why);
        if (archive.find("sources/" + plain(file)) == nullptr) missing.push_back(file);
      }
      for (const std::string& folder : set.include_folders)
        if (const std::string why = folder == "." ? "" : wrong_entry_name(plain(folder));
            !why.empty())
          refuse(folder, why);
    }
  if (missing.empty()) return;
  diagnostics.warning(
      "Y062", where,
      fmt::format("{} of the source files it names are not there: sources/{}{}", missing.size(),
                  printable(plain(missing[0])), missing.size() > 1 ? ", ..." : ""),
      "it cannot be compiled; pack them, or do not name them");
}

}  // namespace

void read_builds(const FmuArchive& archive, FmuDescription& fmu, Diagnostics& diagnostics) {
  if (fmu.version == FmiVersion::v2) {
    builds_of_2(fmu);
  } else if (const auto xml = read_xml(archive, {fmu.file, "sources/buildDescription.xml"},
                                       xml::shape_of_builds(), diagnostics)) {
    for (pugi::xml_node node : xml->root().children("BuildConfiguration"))
      fmu.builds.push_back(build_of(node));
  } else if (fmu.has_sources) {
    diagnostics.warning(
        "Y061", {fmu.file.string()},
        "has sources, but no sources/buildDescription.xml that says how they are compiled",
        "FMI 3 asks for it");
  }
  check_sources(archive, fmu, diagnostics);
}

}  // namespace takt::codegen
