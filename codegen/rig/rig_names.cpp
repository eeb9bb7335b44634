// Value names of the database (VAL_), where the rig file has them in place of numbers.

#include <algorithm>
#include <cmath>

#include "codegen/dbc/codec.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_named = 5;

/// `"Drive", "Reverse" and 3 more`, the nearest first.
std::string nearest_names(const DbcSignal& signal, const std::string& wanted) {
  std::vector<std::string> names;
  for (const ValueName& value : signal.values)
    if (std::find(names.begin(), names.end(), value.name) == names.end())
      names.push_back(value.name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(wanted, a) < edit_distance(wanted, b);
  });
  std::string list;
  for (std::size_t k = 0; k < std::min(names.size(), most_named); ++k)
    list += (k > 0 ? ", \"" : "\"") + names[k] + "\"";
  return names.size() > most_named
             ? list + " and " + std::to_string(names.size() - most_named) + " more"
             : list;
}

double physical(const DbcSignal& signal, const ValueName& name) {
  return static_cast<double>(name.value) * signal.factor + signal.offset;
}

}  // namespace

std::optional<double> named_value(const DbcSignal& signal, const std::string& name,
                                  const Location& where, Diagnostics& diagnostics) {
  const ValueName* found = nullptr;
  for (const ValueName& value : signal.values) {
    if (value.name != name) continue;
    if (found != nullptr && found->value != value.value) {
      diagnostics.error("B043", where,
                        "the database calls several values of signal " + signal.name + " \"" +
                            name + "\": " + number_text(physical(signal, *found)) + " and " +
                            number_text(physical(signal, value)),
                        "write the number");
      return std::nullopt;
    }
    found = &value;
  }
  if (found == nullptr) {
    diagnostics.error("B043", where,
                      "the database has no value \"" + name + "\" of signal " + signal.name,
                      signal.values.empty() ? "its values have no names (VAL_): write the number"
                                            : "the nearest: " + nearest_names(signal, name));
    return std::nullopt;
  }
  // To the last bit what a decoder finds.
  const double value = value_of(signal, raw_of_name(signal, *found));
  if (std::abs(value - physical(signal, *found)) > std::abs(signal.factor) / 2) {
    diagnostics.error("B043", where,
                      "\"" + name + "\" is the raw value " + std::to_string(found->value) +
                          ", which signal " + signal.name + " of " + std::to_string(signal.length) +
                          " bits cannot have");
    return std::nullopt;
  }
  return value;
}

std::optional<double> signal_value(const DbcSignal& signal, const TomlValue& value,
                                   Diagnostics& diagnostics) {
  if (value.is_string()) return named_value(signal, value.text, value.text_where, diagnostics);
  if (!value.is_number() || !std::isfinite(value.number)) {
    diagnostics.error("B003", value.where,
                      "signal " + signal.name +
                          " is given a number in units of the database, or a name of its values");
    return std::nullopt;
  }
  check_range(signal, value.number, value.where, diagnostics);
  return value.number;
}

}  // namespace takt::codegen
