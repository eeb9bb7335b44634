#include "codegen/fmu/calls/call_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

bool is_float(FmuType type) { return type == FmuType::float64 || type == FmuType::float32; }

/// Where nothing is written: parameters are exact, what is calculated is calculated.
FmuInitial initial_of(const FmuVariable& variable) {
  if (variable.initial != FmuInitial::none) return variable.initial;
  const bool parameter = variable.causality == FmuCausality::parameter ||
                         variable.causality == FmuCausality::structural_parameter;
  return parameter ? FmuInitial::exact : FmuInitial::calculated;
}

std::size_t elements(const FmuDescription& fmu, const std::vector<FmuUnknown>& unknowns) {
  std::size_t sum = 0;
  for (const FmuUnknown& unknown : unknowns) sum += fmu.variables[unknown.variable].size;
  return sum;
}

void refer_to_states(const FmuDescription& fmu, fmu::Table& table) {
  for (const FmuUnknown& one : fmu.state_derivatives) {
    const FmuVariable& rate = fmu.variables[one.variable];
    if (!rate.derivative_of || rate.size != 1) {
      table.state_references.clear(), table.rate_references.clear();
      return;
    }
    table.rate_references.push_back(rate.reference);
    table.state_references.push_back(fmu.variables[*rate.derivative_of].reference);
  }
}

std::uint64_t extent(const FmuDescription& fmu, const FmuDimension& dimension) {
  if (dimension.size) return *dimension.size;
  for (const FmuVariable& variable : fmu.variables)
    if (dimension.reference == variable.reference)
      if (const auto* start = std::get_if<std::vector<std::uint64_t>>(&variable.start);
          start && !start->empty())
        return start->front();
  return 0;
}

}  // namespace

std::optional<fmu::Type> call_type(FmuType type) {
  switch (type) {
    case FmuType::float64:
      return fmu::Type::float64;
    case FmuType::float32:
      return fmu::Type::float32;
    case FmuType::int8:
      return fmu::Type::int8;
    case FmuType::uint8:
      return fmu::Type::uint8;
    case FmuType::int16:
      return fmu::Type::int16;
    case FmuType::uint16:
      return fmu::Type::uint16;
    case FmuType::int32:
      return fmu::Type::int32;
    case FmuType::uint32:
      return fmu::Type::uint32;
    case FmuType::int64:
      return fmu::Type::int64;
    case FmuType::uint64:
      return fmu::Type::uint64;
    case FmuType::boolean:
      return fmu::Type::boolean;
    case FmuType::enumeration:
      return fmu::Type::enumeration;
    case FmuType::string:
    case FmuType::binary:
    case FmuType::clock:
      break;
  }
  return std::nullopt;
}

fmu::Use call_use(const FmuVariable& variable) {
  if (variable.variability == FmuVariability::constant ||
      variable.causality == FmuCausality::structural_parameter)
    return fmu::Use::read;
  if (variable.causality == FmuCausality::input) {
    const bool continuous =
        variable.variability == FmuVariability::continuous && is_float(variable.type);
    return continuous ? fmu::Use::input_continuous : fmu::Use::input_discrete;
  }
  const FmuInitial initial = initial_of(variable);
  if (variable.causality == FmuCausality::parameter &&
      variable.variability == FmuVariability::tunable)
    return fmu::Use::tunable;
  if (initial == FmuInitial::exact) return fmu::Use::start_exact;
  return initial == FmuInitial::approx ? fmu::Use::start_approx : fmu::Use::read;
}

std::optional<fmu::Row> call_row(const FmuVariable& variable, std::uint32_t first) {
  const std::optional<fmu::Type> type = call_type(variable.type);
  if (!type) return std::nullopt;
  return fmu::Row{*type, variable.reference, first, static_cast<std::uint32_t>(variable.size),
                  call_use(variable)};
}

fmu::Table call_table(const FmuDescription& fmu, fmu::Kind kind,
                      const std::filesystem::path& folder, const std::filesystem::path& library) {
  const bool model_exchange = kind == fmu::Kind::model_exchange;
  const FmuInterface& own = model_exchange ? *fmu.model_exchange : *fmu.co_simulation;
  fmu::Table table;
  table.version = fmu.version == FmiVersion::v2 ? fmu::Version::v2 : fmu::Version::v3;
  table.kind = kind;
  table.library = library.string();
  table.resources = (folder / "resources").string();
  table.token = fmu.token;
  table.model_identifier = own.model_identifier;
  table.states = elements(fmu, fmu.state_derivatives);
  if (model_exchange) refer_to_states(fmu, table);
  table.indicators =
      fmu.version == FmiVersion::v2 ? fmu.event_indicators : elements(fmu, fmu.indicators);
  table.can = {.get_and_set_state = own.get_and_set_state,
               .serialize_state = own.get_and_set_state && own.serialize_state,
               .directional_derivatives = own.directional_derivatives,
               .adjoint_derivatives = own.adjoint_derivatives,
               .only_once_per_process = own.only_once_per_process,
               .completed_step_not_needed = own.completed_step_not_needed,
               .interpolates_inputs = own.interpolates_inputs,
               .output_derivative_order = own.output_derivative_order,
               .has_event_mode = own.has_event_mode,
               .may_return_early = own.early_return || own.returns_early};
  return table;
}

std::vector<std::string> element_names(const FmuDescription& fmu, const FmuVariable& variable) {
  if (variable.dimensions.empty()) return {variable.name};
  std::vector<std::uint64_t> extents;
  for (const FmuDimension& dimension : variable.dimensions)
    extents.push_back(extent(fmu, dimension));
  std::vector<std::string> names;
  for (std::size_t element = 0; element < variable.size; ++element) {
    std::string indices;
    std::size_t rest = element;
    for (std::size_t dimension = extents.size(); dimension-- > 0;) {
      const std::size_t size = std::max<std::size_t>(extents[dimension], 1);
      indices = std::to_string(rest % size + 1) + (indices.empty() ? "" : ",") + indices;
      rest /= size;
    }
    names.push_back(variable.name + "[" + indices + "]");
  }
  return names;
}

std::optional<DeclaredRange> declared_range(const FmuVariable& variable) {
  if ((!variable.min && !variable.max) || !call_type(variable.type)) return std::nullopt;
  constexpr double infinite = std::numeric_limits<double>::infinity(), part = 1e-9,
                   least_scale = 1e-3;
  const double scale =
      std::max({std::abs(variable.min.value_or(0.0)), std::abs(variable.max.value_or(0.0)),
                std::abs(variable.nominal.value_or(0.0))});
  const double margin = part * (scale > 0.0 && std::isfinite(scale) ? scale : least_scale);
  const auto with_unit = [&](double bound) {
    return number_text(bound) + (variable.unit.empty() ? "" : " " + variable.unit);
  };
  DeclaredRange range{variable.min ? *variable.min - margin : -infinite,
                      variable.max ? *variable.max + margin : infinite, ""};
  if (variable.min) range.text = "at least " + with_unit(*variable.min);
  if (variable.max)
    range.text += (variable.min ? " and at most " : "at most ") + with_unit(*variable.max);
  return range;
}

}  // namespace takt::codegen
