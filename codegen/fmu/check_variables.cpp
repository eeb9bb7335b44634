// Rules that FMI sets on a variable alone. FMI 2.0.4, 2.2.7; FMI 3.0.2, 2.4.7.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/fmu/start_values.hpp"
#include "codegen/fmu/variable_names.hpp"
#include "codegen/fmu/variable_sets.hpp"

namespace takt::codegen {
namespace {

using Causality = FmuCausality;
using Variability = FmuVariability;
using Initial = FmuInitial;

bool may_have(Causality causality, Variability variability) {
  switch (causality) {
    case Causality::structural_parameter:
    case Causality::parameter:
    case Causality::calculated_parameter:
      return variability == Variability::fixed || variability == Variability::tunable;
    case Causality::input:
      return variability == Variability::discrete || variability == Variability::continuous;
    case Causality::output:
      return variability != Variability::fixed && variability != Variability::tunable;
    case Causality::local:
      return true;
    case Causality::independent:
      return variability == Variability::continuous;
  }
  return false;
}

bool may_have(const FmuVariable& variable, Initial initial) {
  switch (variable.causality) {
    case Causality::structural_parameter:
    case Causality::parameter:
    case Causality::input:
      return initial == Initial::exact;
    case Causality::calculated_parameter:
      return initial == Initial::approx || initial == Initial::calculated;
    case Causality::independent:
      return initial == Initial::none;
    case Causality::output:
    case Causality::local:
      break;
  }
  if (variable.variability == Variability::constant) return initial == Initial::exact;
  const bool is_parameter =
      variable.variability == Variability::fixed || variable.variability == Variability::tunable;
  return initial != Initial::none && !(is_parameter && initial == Initial::exact);
}

class VariableCheck {
 public:
  VariableCheck(const FmuReading& reading, const FmuVariable& variable)
      : reading_(reading), variable_(variable), name_("'" + printable(variable.name) + "'") {}

  void run() const {
    kind();
    start();
    numbers();
    if (variable_.type == FmuType::enumeration) enumeration();
    unit();
    if (reading_.fmu.fixed_structure_naming && !is_structured_name(variable_.name))
      warning("Y045", name_ + " is no name of the structured naming convention",
              "tank.level, pipe[3].T, der(x), 'a name in quotes'; or say "
              "variableNamingConvention=\"flat\"");
  }

 private:
  void error(const char* code, std::string message, std::string hint) const {
    reading_.diagnostics.error(code, variable_.where, std::move(message), std::move(hint));
  }
  void warning(const char* code, std::string message, std::string hint) const {
    reading_.diagnostics.warning(code, variable_.where, std::move(message), std::move(hint));
  }

  void kind() const {
    if (!may_have(variable_.causality, variable_.variability))
      return error("Y039",
                   fmt::format("{} is {} and {}: FMI does not allow both", name_,
                               text(variable_.causality), text(variable_.variability)),
                   "parameters are fixed or tunable, inputs discrete or continuous, outputs not "
                   "fixed or tunable");
    if (variable_.variability == Variability::continuous && !is_float(variable_.type))
      return error("Y039", fmt::format("{} of type {} is continuous", name_, text(variable_.type)),
                   "only numbers with a point change continuously: variability=\"discrete\"");
    if (variable_.causality == Causality::structural_parameter && variable_.type != FmuType::uint64)
      warning("Y039",
              fmt::format("{} is a structural parameter of type {}", name_, text(variable_.type)),
              "lengths of arrays are of type UInt64");
  }

  void start() const {
    if (variable_.type == FmuType::clock) return;
    const bool is_needed = variable_.causality == Causality::input ||
                           variable_.initial == Initial::exact ||
                           variable_.initial == Initial::approx;
    const bool is_fed =
        variable_.causality == Causality::input || variable_.size > 1;  // in part, perhaps
    if (is_needed && !has_start(variable_) && variable_.size > 0) {
      if (is_fed)
        error("Y034", name_ + " has no start value",
              "inputs, parameters, constants and what is exact or approx at the start have "
              "start=\"...\"");
      else
        warning("Y034", name_ + " has no start value",
                "what the FMU has counts as long as nobody sets it");
    }
    const bool is_forbidden =
        variable_.causality == Causality::independent || variable_.initial == Initial::calculated;
    if (is_forbidden && has_start(variable_))
      warning("Y035", name_ + " has a start value, but is calculated: it is not used",
              "take start out, or say initial=\"approx\"");
  }

  /// Smallest and largest start value.
  [[nodiscard]] std::pair<double, double> range() const {
    return std::visit(
        [](const auto& values) -> std::pair<double, double> {
          using Values = std::decay_t<decltype(values)>;
          if constexpr (std::is_same_v<Values, std::monostate> ||
                        std::is_same_v<Values, std::vector<std::string>>) {
            return {0.0, 0.0};
          } else {
            if (values.empty()) return {0.0, 0.0};
            double least = static_cast<double>(values[0]), most = least;
            for (const auto value : values) {
              const auto number = static_cast<double>(value);
              if (!(number >= least)) least = number;
              if (!(number <= most)) most = number;
            }
            return {least, most};
          }
        },
        variable_.start);
  }

  void numbers() const {
    if (variable_.min && variable_.max && !(*variable_.min <= *variable_.max))
      error("Y044", fmt::format("{} has min {} and max {}", name_, *variable_.min, *variable_.max),
            "min is at most max");
    if (variable_.nominal &&
        (!(std::fabs(*variable_.nominal) > 0.0) || !std::isfinite(*variable_.nominal)))
      warning("Y044", fmt::format("{} has nominal {}", name_, *variable_.nominal),
              "a nominal value is finite and not 0; 1 is the default");
    if (!has_start(variable_)) return;
    const auto [least, most] = range();
    if (!std::isfinite(least) || !std::isfinite(most))
      warning("Y037", name_ + " starts from what is no finite number", "give a finite start value");
    else if ((variable_.min && least < *variable_.min) || (variable_.max && most > *variable_.max))
      warning("Y037",
              fmt::format("{} starts from {}, outside of its min and max", name_,
                          variable_.min && least < *variable_.min ? least : most),
              "start values lie between min and max");
  }

  void enumeration() const {
    const auto* values = std::get_if<std::vector<std::int64_t>>(&variable_.start);
    if (values == nullptr || variable_.items.empty()) return;
    for (std::int64_t value : *values)
      if (std::none_of(variable_.items.begin(), variable_.items.end(),
                       [&](const auto& item) { return item.value == value; }))
        return warning("Y037",
                       fmt::format("{} starts from {}, which no item of '{}' has", name_, value,
                                   printable(variable_.declared_type)),
                       "the number counts; take the value of one of its items");
  }

  void unit() const {
    if (variable_.unit.empty()) {
      if (!variable_.display_unit.empty())
        warning("Y033", name_ + " has a display unit, but no unit", "give it a unit");
      return;
    }
    const auto found = reading_.units.find(variable_.unit);
    if (found == reading_.units.end())
      return warning("Y033",
                     fmt::format("unit '{}' of {} is not defined: it cannot be converted",
                                 printable(variable_.unit), name_),
                     "define it under UnitDefinitions");
    const auto& shown = reading_.fmu.units[found->second].display_units;
    if (!variable_.display_unit.empty() && variable_.display_unit != variable_.unit &&
        std::none_of(shown.begin(), shown.end(),
                     [&](const auto& each) { return each.name == variable_.display_unit; }))
      warning("Y033",
              fmt::format("display unit '{}' of {} is not defined",
                          printable(variable_.display_unit), name_),
              fmt::format("define it under the unit '{}'", printable(variable_.unit)));
  }

  const FmuReading& reading_;
  const FmuVariable& variable_;
  std::string name_;
};

/// Causality and variability say what may be set when; `initial` only chooses among what they
/// leave.
void correct_initial(const FmuReading& reading, FmuVariable& variable) {
  if (variable.type == FmuType::clock || !may_have(variable.causality, variable.variability) ||
      may_have(variable, variable.initial))
    return;
  const Initial taken = default_initial(variable.causality, variable.variability);
  reading.diagnostics.warning(
      "Y040", variable.where,
      fmt::format("'{}' is {}, {}, and its initial value {}", printable(variable.name),
                  text(variable.causality), text(variable.variability),
                  variable.initial == Initial::none ? "nothing" : text(variable.initial)),
      taken == Initial::none
          ? "taken as if initial were not there"
          : fmt::format("taken as initial=\"{}\", the default of the standard", text(taken)));
  variable.initial = taken;
}

}  // namespace

void check_variables(FmuReading& reading) {
  for (FmuVariable& variable : reading.fmu.variables) {
    correct_initial(reading, variable);
    VariableCheck(reading, variable).run();
  }
  check_independent(reading);
  if (reading.is_2()) check_shared_references(reading);
}

}  // namespace takt::codegen
