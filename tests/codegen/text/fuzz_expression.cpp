// libFuzzer entry of the expression, unit, quantity and duration parsers.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "codegen/text/expression.hpp"
#include "codegen/text/quantity.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  takt::codegen::Diagnostics diagnostics;
  const auto ast = takt::codegen::parse_expression(text, {"fuzz", 1, 1}, diagnostics);
  if (diagnostics.has_errors() == (ast != nullptr)) std::abort();  // a tree and silence, or a finding
  const auto unit = takt::codegen::parse_unit(text);
  if (unit && !takt::codegen::parse_unit(takt::codegen::dimension_text(unit->dimension))) std::abort();
  if (size < 32) (void)takt::codegen::nearest_unit(text);
  (void)takt::codegen::parse_quantity(text);
  const auto duration = takt::codegen::parse_duration_ns(text);
  if (duration && *duration < 0) std::abort();
  return 0;
}
