#include "codegen/modelica/import_model.hpp"

#include <algorithm>

#include "codegen/modelica/events.hpp"
#include "codegen/modelica/initial_system.hpp"
#include "codegen/modelica/read_base_modelica.hpp"
#include "codegen/modelica/read_flat_json.hpp"
#include "codegen/modelica/relations.hpp"
#include "codegen/modelica/several_solutions.hpp"
#include "codegen/modelica/state_constraints.hpp"

namespace takt::codegen::modelica {
namespace {

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first == std::string_view::npos || text[first] == '{' || text[first] == '[';
}

/// A run that leaves what the model is valid for would be green.
void say_what_is_not_checked(const ScalarModel& model, Diagnostics& diagnostics) {
  const auto& variables = model.flat->variables;
  const auto ranged =
      std::count_if(variables.begin(), variables.end(), [](const FlatVariable& each) {
        return each.variability == Variability::continuous && (each.min || each.max);
      });
  if (model.counts.assertions == 0 && ranged == 0) return;
  diagnostics.warning("D030", model.flat->where,
                      std::to_string(model.counts.assertions) +
                          " assertions and ends (terminate) of the model, and min or max of " +
                          std::to_string(ranged) +
                          " variables, are not checked when the plant runs",
                      "compare the record with them; a scenario's `always` can");
}

}  // namespace

std::optional<PlantText> import_model(std::string_view text, FileName file,
                                      const PlantSettings& settings, Diagnostics& diagnostics) {
  auto flat = is_json(text) ? read_flat_json(text, file, diagnostics)
                            : read_base_modelica(text, file, diagnostics);
  if (!flat || (settings.instance && !open_connectors(*flat, *settings.instance, diagnostics)))
    return std::nullopt;
  const auto scalar = scalarise(*flat, diagnostics);
  if (!scalar) return std::nullopt;
  settle_clocks(*scalar, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  hold_truths(*scalar, diagnostics);
  refuse_initial_words(*scalar, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  auto reduced = reduce(*scalar, diagnostics);
  if (!reduced) return std::nullopt;
  split_start(*scalar, *reduced);
  settle_events(*scalar, *reduced, diagnostics);
  decide_truths(*scalar, *reduced);
  const std::set<Expr> jumps = judge_relations(*scalar, *reduced, diagnostics);
  if (!diagnostics.has_errors()) solve_start(*scalar, *reduced, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  tell_several_solutions(*scalar, *reduced, diagnostics);
  hold_relations(*scalar, *reduced, jumps);
  refuse_jumping_constraints(*scalar, *reduced, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  say_what_is_not_checked(*scalar, diagnostics);
  auto made = write_plant(*scalar, *reduced, settings, diagnostics);
  if (made && settings.instance)
    made->positions = start_positions(*scalar, *reduced, *settings.instance);
  return made;
}

}  // namespace takt::codegen::modelica
