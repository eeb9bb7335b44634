#include <fmt/format.h>

#include <array>
#include <set>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/fmu/type_names.hpp"

namespace takt::codegen {
namespace {

constexpr std::array<const char*, 8> base_units{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

void check_factor(const FmuReading& reading, pugi::xml_node node, double factor) {
  if (factor != 0.0 && factor - factor == 0.0) return;
  reading.diagnostics.error("Y027", reading.xml.at(node.attribute("factor")),
                            fmt::format("factor of {} is {}", node.name(), factor),
                            "it converts values: a finite number other than 0");
}

FmuUnit unit_of(const FmuReading& reading, pugi::xml_node node) {
  FmuUnit unit;
  unit.name = text_of(node, "name");
  if (const pugi::xml_node base = node.child("BaseUnit")) {
    unit.has_base = true;
    for (std::size_t k = 0; k < base_units.size(); ++k)
      unit.si[k] = integer_of<int>(base, base_units[k]).value_or(0);
    unit.factor = number_of(base, "factor").value_or(1.0);
    unit.offset = number_of(base, "offset").value_or(0.0);
    check_factor(reading, base, unit.factor);
  }
  std::set<std::string> names;
  for (pugi::xml_node shown : node.children("DisplayUnit")) {
    FmuDisplayUnit display{text_of(shown, "name"), number_of(shown, "factor").value_or(1.0),
                           number_of(shown, "offset").value_or(0.0), flag_of(shown, "inverse")};
    check_factor(reading, shown, display.factor);
    if (!names.insert(display.name).second)
      reading.diagnostics.warning("Y028", reading.xml.at(shown.attribute("name")),
                                  fmt::format("display unit '{}' of '{}' is defined twice",
                                              printable(display.name), printable(unit.name)),
                                  "the first definition counts");
    unit.display_units.push_back(std::move(display));
  }
  return unit;
}

void read_items(const FmuReading& reading, pugi::xml_node node, FmuTypeDefinition& type) {
  std::set<std::string> names;
  std::set<std::int64_t> values;
  for (pugi::xml_node child : node.children("Item")) {
    FmuEnumerationItem item{text_of(child, "name"),
                            integer_of<std::int64_t>(child, "value").value_or(0)};
    if (!names.insert(item.name).second || !values.insert(item.value).second)
      reading.diagnostics.error(
          "Y029", reading.xml.at(child),
          fmt::format("item '{}' = {} of '{}' is there twice, by name or by value",
                      printable(item.name), item.value, printable(type.name)),
          "names and values of an enumeration differ from one another");
    type.items.push_back(std::move(item));
  }
}

/// @param outer  the element with the name; the same as inner in FMI 3
FmuTypeDefinition type_of(const FmuReading& reading, pugi::xml_node outer, pugi::xml_node inner) {
  FmuTypeDefinition type;
  type.name = text_of(outer, "name");
  type.type = *type_named(inner.name(), reading.fmu.version);
  type.quantity = text_of(inner, "quantity");
  type.unit = text_of(inner, "unit");
  type.display_unit = text_of(inner, "displayUnit");
  type.min = number_of(inner, "min");
  type.max = number_of(inner, "max");
  type.nominal = number_of(inner, "nominal");
  type.relative_quantity = flag_of(inner, "relativeQuantity");
  type.unbounded = flag_of(inner, "unbounded");
  read_items(reading, inner, type);
  return type;
}

void add_type(FmuReading& reading, pugi::xml_node outer, pugi::xml_node inner) {
  if (!type_named(inner.name(), reading.fmu.version)) return;  // told of by check_shape()
  FmuTypeDefinition type = type_of(reading, outer, inner);
  if (!reading.types.emplace(type.name, reading.fmu.types.size()).second)
    reading.diagnostics.error("Y028", reading.xml.at(outer.attribute("name")),
                              fmt::format("type '{}' is defined twice", printable(type.name)),
                              "give each type a name of its own");
  reading.fmu.types.push_back(std::move(type));
}

}  // namespace

void read_definitions(FmuReading& reading) {
  for (pugi::xml_node node : reading.root().child("UnitDefinitions").children("Unit")) {
    FmuUnit unit = unit_of(reading, node);
    if (!reading.units.emplace(unit.name, reading.fmu.units.size()).second)
      reading.diagnostics.error("Y028", reading.xml.at(node.attribute("name")),
                                fmt::format("unit '{}' is defined twice", printable(unit.name)),
                                "define each unit once");
    reading.fmu.units.push_back(std::move(unit));
  }
  const pugi::xml_node types = reading.root().child("TypeDefinitions");
  if (reading.is_2())
    for (pugi::xml_node node : types.children("SimpleType"))
      for (pugi::xml_node inner : node.children()) add_type(reading, node, inner);
  else
    for (pugi::xml_node node : types.children()) add_type(reading, node, node);
}

}  // namespace takt::codegen
