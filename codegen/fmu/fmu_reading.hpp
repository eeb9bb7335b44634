#pragma once
// What the parts of the reader share: the tree, the description that is filled, findings, names and
// references that are known so far; and the parts, in the order in which they run.

#include <pugixml.hpp>
#include <string>
#include <unordered_map>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/fmu/type_names.hpp"
#include "codegen/fmu/xml_text.hpp"
#include "codegen/fmu/xml_values.hpp"

namespace takt::codegen {

struct FmuReading {
  const XmlText& xml;
  FmuDescription& fmu;
  Diagnostics& diagnostics;
  std::unordered_map<std::string, std::size_t> by_name;  ///< index into variables, of aliases too
  std::unordered_map<std::uint32_t, std::size_t> by_reference;  ///< FMI 3
  std::unordered_map<std::string, std::size_t> units, types;    ///< index into units, types

  [[nodiscard]] bool is_2() const { return fmu.version == FmiVersion::v2; }
  [[nodiscard]] pugi::xml_node root() const { return xml.root(); }
  /// What ModelStructure and `derivative` say: FMI 2 counts from 1, FMI 3 gives the valueReference.
  [[nodiscard]] std::optional<std::size_t> index_of(std::uint32_t number) const;
  [[nodiscard]] std::string numbers_hint() const;
};

/// Values of attributes, whose form check_shape() has checked; nothing where they are not there.
inline std::string text_of(pugi::xml_node node, const char* name) {
  return node.attribute(name).value();
}
inline bool flag_of(pugi::xml_node node, const char* name) {
  return xml::boolean(node.attribute(name).value()).value_or(false);
}
inline std::optional<double> number_of(pugi::xml_node node, const char* name) {
  const pugi::xml_attribute found = node.attribute(name);
  return found ? xml::number(found.value()) : std::nullopt;
}
template <class Integer>
std::optional<Integer> integer_of(pugi::xml_node node, const char* name) {
  const pugi::xml_attribute found = node.attribute(name);
  return found ? xml::integer<Integer>(found.value()) : std::nullopt;
}

/// fmiVersion, before anything else is looked at: Y014, Y020.  @return nothing where it is none
/// that is read
std::optional<FmiVersion> read_version(const XmlText& xml, Diagnostics& diagnostics);
/// Attributes of the root, interfaces, experiment: Y021 to Y026
void read_interfaces(FmuReading& reading);
/// Units and types: Y027 to Y029
void read_definitions(FmuReading& reading);
/// Variables, as they stand: Y030 to Y034
void read_variables(FmuReading& reading);
/// What variables name: dimensions, derivatives, clocks; start values take their number: Y035 to
/// Y038
void resolve_variables(FmuReading& reading);
/// Rules on variables: Y039 to Y049
void check_variables(FmuReading& reading);
/// ModelStructure: Y050 to Y055
void read_structure(FmuReading& reading);
void check_structure(FmuReading& reading);

}  // namespace takt::codegen
