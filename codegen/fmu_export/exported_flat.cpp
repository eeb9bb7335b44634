// Model exchange: the flattened plant.

#include <algorithm>

#include "codegen/flat_source/flat_source.hpp"
#include "codegen/fmu_export/exported_fmu.hpp"
#include "codegen/fmu_export/library_source.hpp"
#include "codegen/reference/usual_size.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/hash.hpp"

namespace takt::codegen {
namespace {

using Use = ExportedVariable::Use;
using Kind = FlatPlace::Kind;

Use use_of(const FlatPlace& place) {
  switch (place.kind) {
    case Kind::parameter:
      return place.structural ? Use::constant : place.at_start_only ? Use::fixed : Use::tunable;
    case Kind::input:
      return Use::input;
    case Kind::state:
      return place.path.ends_with(".conserved") ? Use::local : Use::output;
    case Kind::unknown:
    case Kind::variable:
    case Kind::output:
    case Kind::total:
      return Use::output;
    case Kind::hidden:
    case Kind::time:
      return Use::hidden;
    default:
      return Use::local;
  }
}

const char* description_of(const FlatPlace& place) {
  switch (place.kind) {
    case Kind::parameter:
      return place.structural      ? "parameter that is compiled in"
             : place.at_start_only ? "parameter, read at the start"
                                   : "parameter";
    case Kind::input:
      return place.at_events ? "read by control blocks or gates" : "input";
    case Kind::state:
      return "state";
    case Kind::output:
      return "output of a control block";
    case Kind::discrete:
      return "held between events";
    case Kind::total:
      return "energy lost at edges";
    case Kind::indicator:
      return "positive where the mode does not agree with the circuit";
    case Kind::rate:
      return "rate of change";
    default:
      return "signal";
  }
}

std::vector<ExportedVariable> variables_of(const FlatLayout& layout) {
  std::vector<ExportedVariable> variables;
  for (std::size_t k = 0; k < layout.places.size(); ++k) {
    const FlatPlace& place = layout.places[k];
    ExportedVariable variable{.name = place.path,
                              .unit = place.unit,
                              .use = use_of(place),
                              .start = std::nullopt,
                              .description = description_of(place)};
    if (variable.use <= Use::input) variable.start = place.start;
    variable.discrete = place.kind == Kind::output || place.kind == Kind::discrete ||
                        place.kind == Kind::total || (place.kind == Kind::input && place.at_events);
    if (place.kind == Kind::state) variable.nominal = usual_size(place.unit);
    if (place.kind == Kind::rate) variable.derivative_of = layout.states[k - layout.rates];
    variables.push_back(std::move(variable));
  }
  return variables;
}

ExportedStructure structure_of(const FlatLayout& layout,
                               const std::vector<ExportedVariable>& variables) {
  ExportedStructure structure;
  const auto unknown = [&](std::size_t k) {
    return ExportedStructure::Unknown{k,
                                      {layout.depends_on[k].begin(), layout.depends_on[k].end()}};
  };
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const Kind kind = layout.places[k].kind;
    if (variables[k].use == Use::output) structure.outputs.push_back(unknown(k));
    if (kind == Kind::rate) structure.derivatives.push_back(unknown(k));
    if (variables[k].use == Use::output || kind == Kind::rate || kind == Kind::state)
      structure.initial.push_back(k);
  }
  structure.indicators.assign(layout.indicators.begin(), layout.indicators.end());
  return structure;
}

}  // namespace

ExportedFmu export_flat(const FlatModel& model, const FlatLayout& layout, const FmuExport& how,
                        std::int64_t step_ns) {
  Sources sources = flat_sources(model, layout, {.generator = how.generator});
  std::string all = "me" + std::to_string(how.version);
  for (const SourceFile& file : sources) all += file.text.bytes();
  ExportedFmu fmu{.how = how,
                  .identifier = fmu_identifier(model.network.name),
                  .title = model.network.title,
                  .token = "{takt-" + hash_text(all) + "}",
                  .step_ns = step_ns,
                  .duration_ns = model.network.default_duration_ns,
                  .variables = variables_of(layout),
                  .time = layout.time,
                  .structure = {},
                  .sources = std::move(sources)};
  fmu.structure = structure_of(layout, fmu.variables);
  fmu.sources.push_back(library_source(
      fmu, {.includes = "#include \"flat.hpp\"\n#include \"runtime/fmu_export/flat_instance.hpp\"",
            .definition =
                "const flat::Description& exported_flat() { return takt_plant::flat_plant(); }"}));
  fmu.sources.push_back(version_script(fmu));
  return fmu;
}

}  // namespace takt::codegen
