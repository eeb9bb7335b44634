#include "tools/takt/fmu_start_values.hpp"

#include <algorithm>
#include <charconv>

#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/model/fmu_units.hpp"
#include "codegen/text/quantity.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

using codegen::FmuDescription;
using codegen::FmuVariable;

std::optional<double> plain_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What stands behind the number: "Hz" of "50 Hz".
std::string_view unit_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" +"), text.size()));
  double ignored = 0.0;
  text.remove_prefix(
      static_cast<std::size_t>(std::from_chars(text.data(), text.data() + text.size(), ignored).ptr - text.data()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// A quantity in the variable's unit, as the FMU defines that.
double in_unit_of(const FmuDescription& fmu, const FmuVariable& variable, const std::string& text) {
  const auto given = codegen::parse_quantity(text);
  if (!given) throw UsageError("--set " + variable.name + ": " + given.error());
  const codegen::FmuQuantity own = codegen::quantity_of(fmu, variable);
  const std::string what = "--set " + variable.name + "=" + text + ": ";
  if (!own.dimension)
    throw UsageError(what + "the FMU does not say what its unit '" + variable.unit +
                     "' is in SI units: give a plain number");
  if (given->unit.dimension != *own.dimension)
    throw UsageError(what + "its unit is " + variable.unit + ", which measures something else");
  if (const auto conflict = wrong_kind(kind_of_literal(given->value, unit_in(text)), own.kind()))
    throw UsageError(what +
                     (own.is_difference ? "it is a difference of temperatures" : "its unit is " + variable.unit) +
                     "; " + conflict->cause + ": " + conflict->remedy);
  return (given->value - own.offset) / own.factor;
}

double value_of(const FmuDescription& fmu, const FmuVariable& variable, const std::string& text) {
  if (const auto number = plain_number(text)) return *number;
  if (variable.type == codegen::FmuType::boolean) {
    if (text == "true") return 1.0;
    if (text == "false") return 0.0;
    throw UsageError("--set " + variable.name + " takes true or false, not '" + text + "'");
  }
  std::string items;
  for (const auto& item : variable.items) {
    if (item.name == text) return static_cast<double>(item.value);
    items += (items.empty() ? "" : ", ") + item.name;
  }
  if (!items.empty()) throw UsageError("--set " + variable.name + " takes one of " + items + ", not '" + text + "'");
  return in_unit_of(fmu, variable, text);
}

std::vector<double> start_of(const FmuVariable& variable) {
  return std::visit(
      [](const auto& start) -> std::vector<double> {
        std::vector<double> values;
        if constexpr (requires { start.size(); })
          for (const auto& one : start)
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(one)>>) values.push_back(static_cast<double>(one));
        return values;
      },
      variable.start);
}

std::vector<std::string> cut(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

void check_limits(const FmuVariable& variable, double value) {
  if ((variable.min && value < *variable.min) || (variable.max && value > *variable.max))
    throw UsageError("--set " + variable.name + ": " + codegen::number_text(value) + " is not between " +
                     (variable.min ? codegen::number_text(*variable.min) : "-inf") + " and " +
                     (variable.max ? codegen::number_text(*variable.max) : "inf") + ", as the FMU asks");
}

struct Named {
  const FmuVariable* variable;
  std::optional<std::size_t> element;
};

Named named(const FmuDescription& fmu, const std::string& name) {
  for (const FmuVariable& variable : fmu.variables) {
    if (variable.name == name) return {&variable, std::nullopt};
    if (variable.dimensions.empty() || !name.starts_with(variable.name + "[")) continue;
    const std::vector<std::string> elements = codegen::element_names(fmu, variable);
    const auto found = std::find(elements.begin(), elements.end(), name);
    if (found != elements.end()) return {&variable, static_cast<std::size_t>(found - elements.begin())};
  }
  throw UsageError("--set " + name + ": the FMU has no such variable (`takt fmu info` lists them)");
}

void add_numbers(const FmuDescription& fmu, const Named& target, const std::string& text, StartValues& to) {
  const FmuVariable& variable = *target.variable;
  const auto same = std::find_if(to.rows.begin(), to.rows.end(), [&](const fmu::Row& row) {
    return row.reference == variable.reference && row.type == codegen::call_type(variable.type);
  });
  std::size_t first = same == to.rows.end() ? to.values.size() : same->first;
  if (same == to.rows.end()) {
    to.rows.push_back(*codegen::call_row(variable, static_cast<std::uint32_t>(first)));
    to.names.push_back(variable.name);
    std::vector<double> start = start_of(variable);
    start.resize(variable.size, start.size() == 1 ? start.front() : 0.0);
    to.values.insert(to.values.end(), start.begin(), start.end());
  }
  const std::vector<std::string> parts = target.element || variable.size == 1 ? std::vector{text} : cut(text);
  if (!target.element && parts.size() != variable.size)
    throw UsageError("--set " + variable.name + ": " + std::to_string(parts.size()) + " values for " +
                     std::to_string(variable.size) + " elements");
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double value = value_of(fmu, variable, parts[k]);
    check_limits(variable, value);
    to.values[first + (target.element ? *target.element : k)] = value;
  }
}

}  // namespace

StartValues start_values(const FmuDescription& fmu, const std::vector<std::string>& settings) {
  StartValues all;
  for (const auto& [name, text] : overrides(settings)) {
    const Named target = named(fmu, name);
    const FmuVariable& variable = *target.variable;
    const fmu::Use use = codegen::call_use(variable);
    if (use == fmu::Use::read)
      throw UsageError("--set " + name +
                       ": the FMU calculates it, or it is constant; what has a start value can be set");
    if (variable.type == codegen::FmuType::string && variable.size == 1)
      all.texts.push_back({variable.reference, use, text});
    else if (codegen::call_type(variable.type))
      add_numbers(fmu, target, text, all);
    else
      throw UsageError("--set " + name + ": binaries, clocks and arrays of texts are not set");
  }
  return all;
}

}  // namespace takt::tools
