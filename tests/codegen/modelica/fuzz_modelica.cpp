// libFuzzer entry of the import of Modelica: both readers, and what becomes of what they read.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "codegen/modelica/import_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::codegen;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  modelica::PlantSettings settings;
  settings.title = settings.origin = "fuzz";
  const auto made = modelica::import_model(text, "fuzz", settings, diagnostics);
  if (made.has_value() == diagnostics.has_errors()) std::abort();  // a plant, or what is wrong
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool is_json = first == std::string_view::npos || text[first] == '{' || text[first] == '[';
  for (const auto& each : diagnostics.all())
    if (!is_json && each.code == "D001" && (each.where.line == 0 || each.where.column == 0)) std::abort();
  return 0;
}
