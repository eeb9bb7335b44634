#include "codegen/rig/rig_values.hpp"

#include <algorithm>
#include <numbers>

#include "codegen/dbc/bus_units.hpp"
#include "codegen/dbc/codec.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {

bool ValueReader::read(const TomlValue& value, const DbcSignal& signal, SignalDirection direction,
                       SignalMap& map) {
  if (value.is_string()) {
    map.path = value.text;
    return find_path(map.path, value.text_where, signal, direction) &&
           convert(signal, {signal.unit, value.where}, direction, map);
  }
  if (value.is_number() && direction == SignalDirection::send) {
    map.constant = value.number;
    check_range(signal, map.constant, value.where, diagnostics_);
    return true;
  }
  if (!value.is_table()) {
    diagnostics_.error(
        "B003", value.where,
        direction == SignalDirection::send
            ? "a signal is sent from a plant signal (string), a constant (number) or a table"
            : "a signal is received into a plant input (string), a table, or a list of them");
    return false;
  }
  return read_table(value, signal, direction, map);
}

bool ValueReader::read_table(const TomlValue& value, const DbcSignal& signal,
                             SignalDirection direction, SignalMap& map) {
  RigTable table(value, "the map of " + signal.name, diagnostics_);
  const char* key = direction == SignalDirection::send ? "from" : "to";
  const auto path = table.text(key);
  const auto scale = table.number("scale"), offset = table.number("offset");
  const auto unit = table.text("unit");
  const bool is_sent = direction == SignalDirection::send;
  const TomlValue* const constant = is_sent ? table.any("value") : nullptr;
  if (const TomlValue* const safe = is_sent ? table.any("safe") : nullptr)
    map.safe = signal_value(signal, *safe, diagnostics_);
  table.done();
  if (constant != nullptr && !path) {
    map.constant = signal_value(signal, *constant, diagnostics_).value_or(0.0);
    return true;  // mapped, be the value wrong or not
  }
  if (!path || constant != nullptr) {
    diagnostics_.error("B003", value.where,
                       std::string("the map of ") + signal.name + " needs " +
                           (constant != nullptr ? "either 'from' or 'value', not both"
                                                : "'" + std::string(key) + "'"));
    return false;
  }
  map.path = *path;
  if (!find_path(map.path, value.get(key)->text_where, signal, direction)) return false;
  if (scale || offset) {
    map.scale = scale.value_or(1.0);
    map.offset = offset.value_or(0.0);
    if (unit)
      diagnostics_.error("B003", value.get("unit")->where,
                         "'unit' and 'scale' or 'offset' exclude each other");
    if (map.scale == 0.0)
      diagnostics_.error("B004", value.get("scale")->where,
                         "a scale of 0 makes every value the same");
    return true;
  }
  if (unit && !bus_unit(*unit, false)) {
    diagnostics_.error("B023", value.get("unit")->text_where, "unit '" + *unit + "' is not known",
                       nearest_unit(*unit));
    return false;
  }
  return convert(signal,
                 {unit.value_or(signal.unit), unit ? value.get("unit")->where : value.where},
                 direction, map);
}

/// `control.regulator` alone means its output.
bool ValueReader::find_path(std::string& path, const Location& where, const DbcSignal& signal,
                            SignalDirection direction) {
  const auto& known = names(direction);
  for (const char* ending : {"", ".out"}) {
    const std::string wanted = path + ending;
    if (std::none_of(known.begin(), known.end(), [&](const auto& s) { return s.path == wanted; }))
      continue;
    path = wanted;
    return true;
  }
  std::vector<std::string> paths;
  for (const auto& of_plant : known) paths.push_back(of_plant.path);
  const bool is_value_name =
      direction == SignalDirection::send &&
      std::any_of(signal.values.begin(), signal.values.end(),
                  [&](const ValueName& value) { return value.name == path; });
  diagnostics_.error("B022", where,
                     std::string(direction == SignalDirection::send ? "the plant has no signal '"
                                                                    : "the plant has no input '") +
                         path + "'",
                     is_value_name
                         ? "a value name of the database is written { value = \"" + path + "\" }"
                         : did_you_mean(path, paths));
  return false;
}

/// Unit of the database against the SI unit of the plant.
bool ValueReader::convert(const DbcSignal& signal, const UnitText& given, SignalDirection direction,
                          SignalMap& map) {
  const auto& [unit_text, where] = given;
  const auto& known = names(direction);
  const auto plant =
      std::find_if(known.begin(), known.end(), [&](const auto& s) { return s.path == map.path; });
  const auto plant_unit = parse_unit(plant->unit);
  if (!plant_unit) return true;
  const bool temperature = plant_unit->dimension == parse_unit("K")->dimension;
  const auto unit = bus_unit(unit_text, temperature);
  const bool pure = plant_unit->dimension == Dimension{};
  if (!unit) {
    if (!pure || !unit_text.empty()) {
      const std::string what =
          unit_text.empty() ? "signal " + signal.name + " has no unit"
                            : "unit '" + unit_text + "' of signal " + signal.name + " is not known";
      diagnostics_.warning("B030", where, what + ": taken as " + plant->unit + " like " + map.path,
                           "give { " +
                               std::string(direction == SignalDirection::send ? "from" : "to") +
                               " = \"" + map.path + "\", unit = \"...\" }");
    }
    return true;
  }
  // Control blocks compute with any dimension and their outputs carry none: the value is SI of what
  // the bus says.
  const bool untracked = pure && map.path.starts_with("control.");
  if (unit->dimension != plant_unit->dimension && !untracked) {
    diagnostics_.error(
        "B023", where,
        "signal " + signal.name + " is in '" + unit_text + "' but " + map.path + " in " +
            plant->unit,
        "the units must have the same dimension; give unit = \"...\" or scale = ...");
    return false;
  }
  if (wrong_kind(bus_unit_kind(unit_text), kind_of_unit(plant->unit))) {
    const bool hertz = bus_unit_kind(unit_text).sort == QuantityKind::Sort::frequency;
    constexpr double turn = 2.0 * std::numbers::pi;
    const double factor = hertz ? turn * unit->factor : unit->factor / turn;
    diagnostics_.error(
        "B023", where,
        "signal " + signal.name + " is in '" + unit_text + "' but " + map.path + " in " +
            plant->unit + ": a frequency counts turns, an angular velocity radians",
        "give the factor: scale = " +
            number_text(direction == SignalDirection::receive ? factor : 1.0 / factor) +
            ", for a turn is 2*pi rad");
    return false;
  }
  if (direction == SignalDirection::receive) {
    map.scale = unit->factor;
    map.offset = unit->offset * unit->factor;
  } else {
    map.scale = 1.0 / unit->factor;
    map.offset = 0.0 - unit->offset;
  }
  return true;
}

void check_range(const DbcSignal& signal, double value, const Location& where,
                 Diagnostics& diagnostics) {
  if (!holds(signal, value)) {
    diagnostics.error("B031", where,
                      "signal " + signal.name + " does not hold " + number_text(value) +
                          ": it holds " + field_text(signal),
                      "another value would be sent in its place");
    return;
  }
  if (signal.minimum >= signal.maximum || (value >= signal.minimum && value <= signal.maximum))
    return;
  diagnostics.error("B031", where,
                    number_text(value) + " is outside the range of signal " + signal.name + ": " +
                        number_text(signal.minimum) + " to " + number_text(signal.maximum) +
                        (signal.unit.empty() ? "" : " " + signal.unit));
}

}  // namespace takt::codegen
