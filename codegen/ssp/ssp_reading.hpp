#pragma once
// What the parts of the reader share.

#include <memory>
#include <pugixml.hpp>

#include "codegen/fmu/xml_shape.hpp"
#include "codegen/fmu/xml_text.hpp"
#include "codegen/ssp/read_ssp.hpp"

namespace takt::codegen {

namespace xml {
[[nodiscard]] const ElementRule& shape_of_structure();   ///< .ssd
[[nodiscard]] const ElementRule& shape_of_parameters();  ///< .ssv
[[nodiscard]] const ElementRule& shape_of_mapping();     ///< .ssm
}  // namespace xml

/// A file of a package under way.
struct SspFile {
  const XmlText& xml;
  FileName name;
  const FmuArchive* archive;  ///< null: there is none
  Diagnostics& diagnostics;
};

/// Root, namespace, version, shape.  @param shape  its name is that of the root
bool check_ssp_file(const SspFile& file, const xml::ElementRule& shape);

/// Children and attributes by local name.
[[nodiscard]] pugi::xml_node child_of(pugi::xml_node node, std::string_view name);
[[nodiscard]] std::vector<pugi::xml_node> children_of(pugi::xml_node node, std::string_view name);

[[nodiscard]] std::map<std::string, SspUnit> read_units(const SspFile& file, pugi::xml_node parent);
/// The child of `node` that gives a type or a value: <Real>, <Integer> ...
[[nodiscard]] pugi::xml_node type_of(pugi::xml_node node);
/// Y207 where there is one that is not linear
[[nodiscard]] std::optional<SspTransformation> read_transformation(const SspFile& file,
                                                                   pugi::xml_node node);

/// <ParameterBindings> of an element: what is in it or in the files it names (Y210, Y212).
/// @param units  of the package, for values whose set gives none
[[nodiscard]] std::vector<SspParameter> read_bindings(const SspFile& file, pugi::xml_node element,
                                                      const std::map<std::string, SspUnit>& units);

}  // namespace takt::codegen
