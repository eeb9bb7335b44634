// libFuzzer entry of the archive reader: no entry may leave the folder it would be unpacked to, none is larger than it
// says; and the FMU as a whole, with its terminals and builds.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "codegen/fmu/fmu_archive.hpp"
#include "codegen/fmu/read_fmu.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::codegen;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  const auto archive = FmuArchive::of_bytes(bytes, "fuzz.fmu", diagnostics);
  if (!archive && !diagnostics.has_errors()) std::abort();
  if (!archive) return 0;
  for (const FmuEntry& entry : archive->entries()) {
    const std::filesystem::path path(entry.name);
    if (path.is_absolute() || entry.name.empty() || entry.name.find('\\') != std::string::npos) std::abort();
    for (const auto& part : path)
      if (part == "..") std::abort();
    if (archive->find(entry.name) == nullptr) std::abort();
    if (entry.is_folder() || entry.size > (1u << 20)) continue;
    Diagnostics findings;
    const auto content = archive->read(entry, findings);
    if (content && content->size() != entry.size) std::abort();
    if (!content && !findings.has_errors()) std::abort();
  }
  Diagnostics of_all;
  const auto fmu = read_fmu_bytes(bytes, "fuzz.fmu", of_all);
  if (!fmu && !of_all.has_errors()) std::abort();
  if (fmu && of_all.has_errors()) std::abort();
  return 0;
}
