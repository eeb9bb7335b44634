#include "codegen/fmu/variable_sets.hpp"

#include <fmt/format.h>

#include <map>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/start_values.hpp"

namespace takt::codegen {
namespace {

bool is_set_from_outside(const FmuVariable& variable) {
  return variable.causality == FmuCausality::input || variable.causality == FmuCausality::parameter;
}

bool is_started(const FmuVariable& variable) {
  return has_start(variable) && (variable.initial == FmuInitial::exact || variable.initial == FmuInitial::approx);
}

/// @return in what two names of one value differ that must not; empty where they fit
std::string conflict(const FmuVariable& first, const FmuVariable& second) {
  if ((first.variability == FmuVariability::constant) != (second.variability == FmuVariability::constant))
    return "only one of them is constant";
  if (is_set_from_outside(first) && is_set_from_outside(second)) return "both are set from outside";
  if (first.unit != second.unit) return "their units differ";
  if (is_started(first) && is_started(second) && first.start != second.start) return "their start values differ";
  return "";
}

}  // namespace

void check_independent(const FmuReading& reading) {
  const FmuVariable* first = nullptr;
  for (const FmuVariable& variable : reading.fmu.variables) {
    if (variable.causality != FmuCausality::independent) continue;
    if (first != nullptr)
      reading.diagnostics.error(
          "Y042", variable.where,
          fmt::format("'{}' and '{}' are both independent", printable(first->name), printable(variable.name)),
          "one variable is: the time");
    else if (!is_float(variable.type) || variable.size != 1)
      reading.diagnostics.error(
          "Y042", variable.where,
          fmt::format("the independent variable '{}' is no scalar number with a point", printable(variable.name)),
          "time is a Float64, or a Real in FMI 2");
    first = first == nullptr ? &variable : first;
  }
  if (first == nullptr && !reading.is_2())
    reading.diagnostics.error("Y042", reading.xml.at(reading.root().child("ModelVariables")),
                              "no variable is independent",
                              "FMI 3 has one: <Float64 name=\"time\" valueReference=\"...\" causality=\"independent\" "
                              "variability=\"continuous\"/>");
}

void check_shared_references(const FmuReading& reading) {
  std::map<std::pair<FmuType, std::uint32_t>, const FmuVariable*> known;
  for (const FmuVariable& variable : reading.fmu.variables) {
    const FmuType type =
        variable.type == FmuType::enumeration ? FmuType::int32 : variable.type;  // both by fmi2GetInteger
    const auto [first, is_new] = known.try_emplace({type, variable.reference}, &variable);
    if (is_new) continue;
    const std::string why = conflict(*first->second, variable);
    if (why.empty()) continue;
    reading.diagnostics.error(
        "Y031", variable.where,
        fmt::format("'{}' has valueReference {}, as '{}' has in line {}, but {}", printable(variable.name),
                    variable.reference, printable(first->second->name), first->second->where.line, why),
        "variables with one reference are one value; others take a reference of their own");
  }
}

}  // namespace takt::codegen
