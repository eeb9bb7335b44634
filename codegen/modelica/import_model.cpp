#include "codegen/modelica/import_model.hpp"

#include "codegen/modelica/initial_system.hpp"
#include "codegen/modelica/read_flat_json.hpp"
#include "codegen/modelica/relations.hpp"

namespace takt::codegen::modelica {

std::optional<PlantText> import_model(std::string_view text, FileName file, const PlantSettings& settings,
                                      Diagnostics& diagnostics) {
  const auto flat = read_flat_json(text, file, diagnostics);
  if (!flat) return std::nullopt;
  const auto scalar = scalarise(*flat, diagnostics);
  if (!scalar) return std::nullopt;
  auto reduced = reduce(*scalar, diagnostics);
  if (!reduced) return std::nullopt;
  judge_relations(*scalar, *reduced, diagnostics);
  if (!diagnostics.has_errors()) solve_start(*scalar, *reduced, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return write_plant(*scalar, *reduced, settings, diagnostics);
}

}  // namespace takt::codegen::modelica
