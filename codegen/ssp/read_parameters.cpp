// Parameters of SSP: sets (.ssv or inline), mappings (.ssm or inline), and what all files share.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/ssp/ssp_reading.hpp"

namespace takt::codegen {
namespace {

constexpr std::string_view namespaces = "http://ssp-standard.org/SSP1/";

/// What the prefix of an element stands for.
std::string_view namespace_of(pugi::xml_node node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  const std::string wanted =
      colon == std::string_view::npos ? "xmlns" : "xmlns:" + std::string(name.substr(0, colon));
  for (; node; node = node.parent())
    if (const pugi::xml_attribute found = node.attribute(wanted.c_str())) return found.value();
  return {};
}

bool is_served(std::string_view version) {
  if (version.size() < 3 || (version[0] != '1' && version[0] != '2') || version[1] != '.')
    return false;
  const std::size_t end = std::min(version.find_first_not_of("0123456789", 2), version.size());
  return end > 2 && (end == version.size() || version[end] == '-' || version[end] == '.');
}

/// Set or mapping of a binding: an element within, or another file, whose tree is kept here.
struct Source {
  std::unique_ptr<XmlText> text;
  pugi::xml_node root;
  std::optional<SspFile> file;
};

class BindingReader {
 public:
  BindingReader(const SspFile& file, const std::map<std::string, SspUnit>& units)
      : file_(file), units_(units) {}

  std::vector<SspParameter> read(pugi::xml_node binding) {
    const Source values =
        open(binding, child_of(child_of(binding, "ParameterValues"), "ParameterSet"),
             {"application/x-ssp-parameter-set", xml::shape_of_parameters()});
    if (!values.root) return {};
    std::vector<SspParameter> all = values_of(values, text_of(binding, "prefix"));
    const pugi::xml_node mapping = child_of(binding, "ParameterMapping");
    if (!mapping) return all;
    if (mapping.attribute("source") && text_of(mapping, "source").empty() &&
        !mapping.first_child()) {
      file_.diagnostics.warning("Y210", file_.xml.at(mapping),
                                "the mapping names no source: it maps nothing",
                                "the parameters keep their names, as without it");
      return all;
    }
    const Source entries = open(mapping, child_of(mapping, "ParameterMapping"),
                                {"application/x-ssp-parameter-mapping", xml::shape_of_mapping()});
    if (!entries.root) return {};
    return mapped(entries, all);
  }

 private:
  struct Kind {
    std::string_view type;
    const xml::ElementRule& shape;
  };

  Source open(pugi::xml_node node, pugi::xml_node within, const Kind& kind) {
    const std::string source = text_of(node, "source"), type = text_of(node, "type");
    if (!type.empty() && type != kind.type)
      return error(node, fmt::format("parameters of type {} are not read", printable(type)),
                   "that is " + std::string(kind.type));
    if (text_of(node, "sourceBase") == "component")
      return error(node, "parameters that lie in the component are not read",
                   "put the file into the package");
    if (source.empty()) {
      if (!within)
        return error(
            node,
            fmt::format("<{}> names no source and holds nothing", xml::local_name(node.name())),
            fmt::format("write source=\"...\", or <{}> in it", kind.shape.name));
      Source found;
      found.root = within;
      found.file.emplace(file_);
      const std::size_t before = file_.diagnostics.error_count();
      xml::check_local_shape(file_.xml, {within, kind.shape}, file_.diagnostics);
      if (file_.diagnostics.error_count() != before) found.root = {};
      return found;
    }
    return open_file(node, source, kind.shape);
  }

  Source open_file(pugi::xml_node node, const std::string& source, const xml::ElementRule& shape) {
    const FmuEntry* entry = file_.archive != nullptr ? file_.archive->find(source) : nullptr;
    if (entry == nullptr || entry->is_folder())
      return error(
          node, fmt::format("there is no {} in the package", printable(source)),
          "sources are relative to SystemStructure.ssd; addresses in a network are not looked up");
    const auto text = file_.archive->read(*entry, file_.diagnostics);
    if (!text) return {};
    const std::string top = file_.name.text().substr(0, file_.name.text().rfind('/') + 1);
    const FileName name = top + source;
    Source found;
    found.text = XmlText::parse(*text, name, file_.diagnostics);
    if (!found.text) return {};
    found.file.emplace(SspFile{*found.text, name, file_.archive, file_.diagnostics});
    if (check_ssp_file(*found.file, shape)) found.root = found.text->root();
    return found;
  }

  Source error(pugi::xml_node node, const std::string& message, const std::string& hint) {
    file_.diagnostics.error("Y210", file_.xml.at(node), message, hint);
    return {};
  }

  std::vector<SspParameter> values_of(const Source& source, const std::string& prefix) {
    std::map<std::string, SspUnit> own = read_units(*source.file, source.root);
    own.insert(units_.begin(), units_.end());
    std::vector<SspParameter> all;
    for (pugi::xml_node each : children_of(child_of(source.root, "Parameters"), "Parameter")) {
      const pugi::xml_node value = type_of(each);
      SspParameter made{.name = prefix + text_of(each, "name"),
                        .type = std::string(xml::local_name(value.name())),
                        .value = text_of(value, "value"),
                        .enumeration = text_of(value, "name"),
                        .unit_name = text_of(value, "unit"),
                        .unit = std::nullopt,
                        .transformation = std::nullopt,
                        .where = source.file->xml.at(each)};
      if (const auto unit = own.find(made.unit_name); unit != own.end()) made.unit = unit->second;
      all.push_back(std::move(made));
    }
    return all;
  }

  /// Parameters that no entry names are not used: a mapping names all that is bound.
  std::vector<SspParameter> mapped(const Source& source, const std::vector<SspParameter>& values) {
    std::vector<SspParameter> all;
    for (pugi::xml_node entry : children_of(source.root, "MappingEntry")) {
      const std::string from = text_of(entry, "source");
      if (from.empty()) {
        file_.diagnostics.warning("Y208", source.file->xml.at(entry),
                                  fmt::format("an entry without a source gives '{}' no value",
                                              printable(text_of(entry, "target"))),
                                  "it is passed over; name a parameter of the set");
        continue;
      }
      bool is_there = false;
      for (const SspParameter& value : values) {
        if (value.name != from) continue;
        is_there = true;
        SspParameter made = value;
        made.name = text_of(entry, "target");
        made.transformation = read_transformation(*source.file, entry);
        if (flag_of(entry, "suppressUnitConversion")) made.unit.reset(), made.unit_name.clear();
        all.push_back(std::move(made));
      }
      if (!is_there)
        file_.diagnostics.error(
            "Y208", source.file->xml.at(entry),
            fmt::format("the parameter set has no '{}'", printable(from)),
            "the source of a mapping is a parameter of its set, with the prefix");
    }
    return all;
  }

  const SspFile& file_;
  const std::map<std::string, SspUnit>& units_;
};

}  // namespace

pugi::xml_node child_of(pugi::xml_node node, std::string_view name) {
  for (pugi::xml_node each : node.children())
    if (xml::local_name(each.name()) == name) return each;
  return {};
}

std::vector<pugi::xml_node> children_of(pugi::xml_node node, std::string_view name) {
  std::vector<pugi::xml_node> all;
  for (pugi::xml_node each : node.children())
    if (xml::local_name(each.name()) == name) all.push_back(each);
  return all;
}

bool check_ssp_file(const SspFile& file, const xml::ElementRule& shape) {
  const pugi::xml_node root = file.xml.root();
  const std::string_view space = namespace_of(root);
  const auto error = [&](const std::string& message, const std::string& hint) {
    file.diagnostics.error("Y201", file.xml.at(root), message, hint);
    return false;
  };
  if (xml::local_name(root.name()) != shape.name)
    return error(
        fmt::format("the root element is '{}', not '{}'", printable(root.name()), shape.name),
        "mend or export it again");
  if (space.empty())
    file.diagnostics.warning(
        "Y201", file.xml.at(root), fmt::format("'{}' has no namespace", printable(root.name())),
        fmt::format("it is read as if it were that of SSP 1.0, which begins with {}", namespaces));
  else if (!space.starts_with(namespaces))
    return error(fmt::format("the namespace is '{}'", printable(space)),
                 fmt::format("that of SSP 1.0 and 2.0 begins with {}", namespaces));
  const std::string version = text_of(root, "version");
  if (!is_served(version))
    return error(fmt::format("the version is '{}'", printable(version)), "1.0 and 2.0 are read");
  const std::size_t before = file.diagnostics.error_count();
  xml::check_local_shape(file.xml, {root, shape}, file.diagnostics);
  return file.diagnostics.error_count() == before;
}

std::map<std::string, SspUnit> read_units(const SspFile& file, pugi::xml_node parent) {
  std::map<std::string, SspUnit> units;
  for (pugi::xml_node each : children_of(child_of(parent, "Units"), "Unit")) {
    const pugi::xml_node base = child_of(each, "BaseUnit");
    SspUnit unit;
    constexpr std::array<const char*, 7> names{"m", "kg",  "s", "A",
                                               "K", "mol", "cd"};  // as Dimension has them
    for (std::size_t k = 0; k < names.size(); ++k)
      unit.dimension.exponent[k] = static_cast<std::int8_t>(
          std::clamp(integer_of<std::int32_t>(base, names[k]).value_or(0), -100, 100));
    unit.factor = number_of(base, "factor").value_or(1.0);
    unit.offset = number_of(base, "offset").value_or(0.0);
    if (!(std::abs(unit.factor) > 0.0 && std::isfinite(unit.factor) && std::isfinite(unit.offset)))
      file.diagnostics.error("Y213", file.xml.at(base),
                             fmt::format("unit '{}' has no finite factor and offset",
                                         printable(text_of(each, "name"))),
                             "factor is a number other than 0");
    units.emplace(text_of(each, "name"), unit);
  }
  return units;
}

pugi::xml_node type_of(pugi::xml_node node) {
  for (pugi::xml_node each : node.children()) {
    const std::string_view name = xml::local_name(each.name());
    if (each.type() == pugi::node_element && name != "ConnectorGeometry" && name != "Annotations" &&
        name != "Dimension")
      return each;
  }
  return {};
}

std::optional<SspTransformation> read_transformation(const SspFile& file, pugi::xml_node node) {
  for (pugi::xml_node each : node.children()) {
    const std::string_view name = xml::local_name(each.name());
    if (name == "LinearTransformation") {
      const SspTransformation made{number_of(each, "factor").value_or(1.0),
                                   number_of(each, "offset").value_or(0.0)};
      if (std::isfinite(made.factor) && std::isfinite(made.offset)) return made;
      file.diagnostics.error("Y207", file.xml.at(each), "factor and offset are not finite",
                             "give numbers");
    } else if (name.ends_with("MappingTransformation")) {
      file.diagnostics.error("Y207", file.xml.at(each), fmt::format("<{}> is not taken over", name),
                             "linear transformations are; put a table into one of the FMUs");
    }
  }
  return std::nullopt;
}

std::vector<SspParameter> read_bindings(const SspFile& file, pugi::xml_node element,
                                        const std::map<std::string, SspUnit>& units) {
  std::vector<SspParameter> all;
  BindingReader reader(file, units);
  for (pugi::xml_node binding :
       children_of(child_of(element, "ParameterBindings"), "ParameterBinding")) {
    std::vector<SspParameter> more = reader.read(binding);
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
  return all;
}

}  // namespace takt::codegen
