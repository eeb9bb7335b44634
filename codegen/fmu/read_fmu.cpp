#include "codegen/fmu/read_fmu.hpp"

#include "codegen/fmu/fmu_archive.hpp"
#include "codegen/fmu/fmu_files.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/fmu/xml_shape.hpp"

namespace takt::codegen {
namespace {

std::optional<FmuDescription> read_archive(const std::optional<FmuArchive>& archive,
                                           const std::filesystem::path& file,
                                           Diagnostics& diagnostics) {
  if (!archive) return std::nullopt;
  const FmuEntry* entry = archive->find("modelDescription.xml");
  if (entry == nullptr) {
    diagnostics.error("Y009", {file.string()}, "has no modelDescription.xml at its top",
                      "pack what is in the folder, not the folder");
    return std::nullopt;
  }
  const auto text = archive->read(*entry, diagnostics);
  if (!text) return std::nullopt;
  auto fmu = read_model_description(*text, file.string() + "/modelDescription.xml", diagnostics);
  if (!fmu) return std::nullopt;
  fmu->file = file;
  const std::size_t before = diagnostics.error_count();
  read_files(*archive, *fmu, diagnostics);
  if (diagnostics.error_count() != before) return std::nullopt;
  return fmu;
}

}  // namespace

std::optional<FmuDescription> read_fmu(const std::filesystem::path& file,
                                       Diagnostics& diagnostics) {
  return read_archive(FmuArchive::open(file, diagnostics), file, diagnostics);
}

std::optional<FmuDescription> read_fmu_bytes(std::string_view bytes,
                                             const std::filesystem::path& file,
                                             Diagnostics& diagnostics) {
  return read_archive(FmuArchive::of_bytes(bytes, file.string(), diagnostics), file, diagnostics);
}

std::optional<FmuDescription> read_model_description(std::string_view text, FileName file,
                                                     Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.error_count();
  const auto xml = XmlText::parse(text, file, diagnostics);
  if (!xml) return std::nullopt;
  const auto version = read_version(*xml, diagnostics);
  if (!version) return std::nullopt;
  xml::check_shape(*xml, *version == FmiVersion::v2 ? xml::shape_of_fmi2() : xml::shape_of_fmi3(),
                   diagnostics);
  if (diagnostics.error_count() != before)
    return std::nullopt;  // what follows would be told of twice
  FmuDescription fmu;
  fmu.version = *version;
  FmuReading reading{*xml, fmu, diagnostics, {}, {}, {}, {}};
  read_interfaces(reading);
  read_definitions(reading);
  read_variables(reading);
  resolve_variables(reading);
  check_variables(reading);
  read_structure(reading);
  check_structure(reading);
  if (diagnostics.error_count() != before) return std::nullopt;
  return fmu;
}

}  // namespace takt::codegen
