#include "codegen/ssp/ssp_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/fmu/xml_values.hpp"
#include "codegen/ssp/ssp_values.hpp"

namespace takt::codegen {

const FmuVariable* variable_of(const FmuDescription& fmu, const std::string& name) {
  for (const FmuVariable& each : fmu.variables) {
    if (each.name == name) return &each;
    if (each.size == 1 || !name.starts_with(each.name)) continue;
    const std::vector<std::string> elements = element_names(fmu, each);
    if (std::find(elements.begin(), elements.end(), name) != elements.end()) return &each;
  }
  return nullptr;
}

FmuQuantity SspNumbers::quantity(const SspPin& pin) const {
  const FmuVariable* variable = variable_of(*fmus_.at(pin.element->source), pin.connector);
  return variable != nullptr ? quantity_of(*fmus_.at(pin.element->source), *variable)
                             : FmuQuantity{};
}

std::optional<std::string> SspNumbers::text_of(const SspSetting& setting, const SspPin& pin) const {
  const SspParameter& parameter = *setting.parameter;
  const FmuQuantity own = quantity(pin);
  const bool as_it_stands =
      setting.transformations.empty() && (!parameter.unit || parameter.unit == unit_of(own));
  const std::optional<double> number =
      as_it_stands ? plain_number(parameter, pin) : number_of(setting, pin);
  if (!number) return std::nullopt;
  return as_it_stands ? value_text(*number, own) : si_text(*number, own.dimension);
}

std::optional<double> SspNumbers::number_of(const SspSetting& setting, const SspPin& pin) const {
  const auto plain = plain_number(*setting.parameter, pin);
  if (!plain) return std::nullopt;
  const SspUnit own = unit_of(quantity(pin)).value_or(SspUnit{});
  const SspUnit given = setting.parameter->unit.value_or(own);
  if (given.dimension != own.dimension && unit_of(quantity(pin)))
    diagnostics_.error("Y213", setting.parameter->where,
                       fmt::format("'{}' has a unit of another dimension than '{}'",
                                   printable(setting.parameter->name), printable(pin.connector)),
                       "give it in a unit of " + dimension_text(own.dimension));
  double si = *plain * given.factor + given.offset;
  for (const SspTransformation& each : setting.transformations) {
    const SspMap map = in_si(each, own);
    si = map.factor * si + map.offset;
  }
  return si;
}

std::optional<double> SspNumbers::plain_number(const SspParameter& parameter,
                                               const SspPin& pin) const {
  const auto fault = [&](const std::string& message, const std::string& hint) {
    diagnostics_.error("Y209", parameter.where,
                       fmt::format("'{}' {}", printable(parameter.name), message), hint);
    return std::nullopt;
  };
  const QuantityKind own = pin.element->is_system ? QuantityKind{} : quantity(pin).kind();
  if (const auto conflict = wrong_kind(kind_of_unit(parameter.unit_name), own)) {
    diagnostics_.error("Y213", parameter.where,
                       fmt::format("'{}' has another kind than '{}': {}", printable(parameter.name),
                                   printable(pin.connector), conflict->cause),
                       conflict->remedy);
    return std::nullopt;
  }
  if (!parameter.unit_name.empty() && !parameter.unit)
    return fault(
        fmt::format("has the unit '{}', which is not defined", printable(parameter.unit_name)),
        "define it under Units");
  if (parameter.type == "Boolean") return xml::boolean(parameter.value).value_or(false) ? 1.0 : 0.0;
  if (parameter.type == "Enumeration") return item_value(parameter, pin);
  const auto number = xml::number(parameter.value);
  if (!number || !(*number - *number == 0.0))
    return fault("is no finite number", "texts and binaries have no place in a plant");
  return number;
}

std::optional<double> SspNumbers::item_value(const SspParameter& parameter,
                                             const SspPin& pin) const {
  if (const FmuVariable* variable =
          pin.element->is_system ? nullptr
                                 : variable_of(*fmus_.at(pin.element->source), pin.connector))
    for (const FmuEnumerationItem& item : variable->items)
      if (item.name == parameter.value) return static_cast<double>(item.value);
  if (const auto all = structure_.enumerations.find(parameter.enumeration);
      all != structure_.enumerations.end())
    if (const auto item = all->second.find(parameter.value); item != all->second.end())
      return static_cast<double>(item->second);
  diagnostics_.error("Y209", parameter.where,
                     fmt::format("'{}' is no item of its enumeration", printable(parameter.value)),
                     "the items are those of the FMU");
  return std::nullopt;
}

}  // namespace takt::codegen
