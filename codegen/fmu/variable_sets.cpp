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
  return has_start(variable) &&
         (variable.initial == FmuInitial::exact || variable.initial == FmuInitial::approx);
}

/// What two names of one value must agree on, and do not.
struct Conflict {
  std::string what;  ///< empty: they fit
  std::string how_taken;
  bool ambiguous = false;  ///< nobody can tell what is meant
};

const FmuUnit* unit_of(const FmuReading& reading, const FmuVariable& variable) {
  const auto found = reading.units.find(variable.unit);
  return found == reading.units.end() ? nullptr : &reading.fmu.units[found->second];
}

/// Two names of one unit ("N.m" and "J").
bool are_one_unit(const FmuReading& reading, const FmuVariable& a, const FmuVariable& b) {
  const FmuUnit *first = unit_of(reading, a), *second = unit_of(reading, b);
  return first != nullptr && second != nullptr && first->has_base && second->has_base &&
         first->si == second->si && first->factor == second->factor &&
         first->offset == second->offset;
}

std::string unit_text(const FmuVariable& variable) {
  return variable.unit.empty() ? "no unit" : "'" + printable(variable.unit) + "'";
}

Conflict conflict(const FmuReading& reading, const FmuVariable& first, const FmuVariable& second) {
  if (is_set_from_outside(first) && is_set_from_outside(second))
    return {"both are set from outside",
            "variables with one reference are one value: keep one of them", true};
  if (first.unit != second.unit)
    return {fmt::format("their units differ: {} and {}", unit_text(second), unit_text(first)),
            are_one_unit(reading, first, second) || first.unit.empty() || second.unit.empty()
                ? "each is read by its own unit"
                : "each is read by its own unit, and both cannot be right: ask who made the FMU"};
  if ((first.variability == FmuVariability::constant) !=
      (second.variability == FmuVariability::constant))
    return {"only one of them is constant", "both are read from the FMU"};
  if (is_started(first) && is_started(second) && first.start != second.start)
    return {"their start values differ",
            "that of an input or parameter counts, else what the FMU has"};
  return {};
}

}  // namespace

void check_independent(const FmuReading& reading) {
  const FmuVariable* first = nullptr;
  for (const FmuVariable& variable : reading.fmu.variables) {
    if (variable.causality != FmuCausality::independent) continue;
    if (first != nullptr)
      reading.diagnostics.error("Y042", variable.where,
                                fmt::format("'{}' and '{}' are both independent",
                                            printable(first->name), printable(variable.name)),
                                "one variable is: the time");
    else if (!is_float(variable.type) || variable.size != 1)
      reading.diagnostics.error(
          "Y042", variable.where,
          fmt::format("the independent variable '{}' is no scalar number with a point",
                      printable(variable.name)),
          "time is a Float64, or a Real in FMI 2");
    first = first == nullptr ? &variable : first;
  }
  if (first == nullptr && !reading.is_2())
    reading.diagnostics.error(
        "Y042", reading.xml.at(reading.root().child("ModelVariables")),
        "no variable is independent",
        "FMI 3 has one: <Float64 name=\"time\" valueReference=\"...\" causality=\"independent\" "
        "variability=\"continuous\"/>");
}

void check_shared_references(const FmuReading& reading) {
  std::map<std::pair<FmuType, std::uint32_t>, const FmuVariable*> known;
  for (const FmuVariable& variable : reading.fmu.variables) {
    const FmuType type = variable.type == FmuType::enumeration
                             ? FmuType::int32
                             : variable.type;  // both by fmi2GetInteger
    const auto [first, is_new] = known.try_emplace({type, variable.reference}, &variable);
    if (is_new) continue;
    const Conflict found = conflict(reading, *first->second, variable);
    if (found.what.empty()) continue;
    const std::string text = fmt::format(
        "'{}' has valueReference {}, as '{}' has in line {}, but {}", printable(variable.name),
        variable.reference, printable(first->second->name), first->second->where.line, found.what);
    if (found.ambiguous)
      reading.diagnostics.error("Y031", variable.where, text, found.how_taken);
    else
      reading.diagnostics.warning("Y031", variable.where, text, found.how_taken);
  }
}

}  // namespace takt::codegen
