#include "codegen/ssp/read_ssp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/ssp/ssp_reading.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

class StructureReader {
 public:
  StructureReader(const SspFile& file, SspStructure& structure)
      : file_(file), structure_(structure) {}

  void read(pugi::xml_node root) {
    structure_.name = text_of(root, "name");
    structure_.version = text_of(root, "version");
    structure_.units = read_units(file_, root);
    for (pugi::xml_node each : children_of(child_of(root, "Enumerations"), "Enumeration"))
      for (pugi::xml_node item : children_of(each, "Item"))
        structure_.enumerations[text_of(each, "name")][text_of(item, "name")] =
            integer_of<std::int64_t>(item, "value").value_or(0);
    const pugi::xml_node experiment = child_of(root, "DefaultExperiment");
    structure_.start = number_of(experiment, "startTime");
    structure_.stop = number_of(experiment, "stopTime");
    if (structure_.start.value_or(0.0) != 0.0)
      file_.diagnostics.warning("Y212", file_.xml.at(experiment),
                                "the start time is not taken over: plants begin at 0",
                                "the duration stays what it is");
    structure_.base_step =
        osp_step(child_of(osp_note(experiment), "Algorithm"), "FixedStepAlgorithm", "baseStepSize");
    structure_.system = element(child_of(root, "System"));
    apply_hints(structure_.system);
  }

 private:
  void error(std::string_view code, pugi::xml_node node, const std::string& message,
             const std::string& hint) {
    file_.diagnostics.error(code, file_.xml.at(node), message, hint);
  }
  void not_taken(pugi::xml_node node, const std::string& hint) {
    if (node)
      file_.diagnostics.warning("Y212", file_.xml.at(node),
                                fmt::format("<{}> is not taken over", xml::local_name(node.name())),
                                hint);
  }

  SspElement element(pugi::xml_node node) {
    SspElement made;
    made.name = text_of(node, "name");
    made.where = file_.xml.at(node);
    made.is_system = xml::local_name(node.name()) == "System";
    if (made.name.empty()) error("Y204", node, "an element has an empty name", "name it");
    read_connectors(node, made);
    made.parameters = read_bindings(file_, node, structure_.units);
    if (made.is_system)
      read_system(node, made);
    else
      read_component(node, made);
    return made;
  }

  void read_connectors(pugi::xml_node node, SspElement& made) {
    const pugi::xml_node all = child_of(node, "Connectors");
    made.lists_connectors = static_cast<bool>(all);
    std::set<std::string> names;
    for (pugi::xml_node each : children_of(all, "Connector")) {
      const pugi::xml_node type = type_of(each);
      SspConnector connector{.name = text_of(each, "name"),
                             .kind = text_of(each, "kind"),
                             .type = std::string(xml::local_name(type.name())),
                             .unit = text_of(type, "unit"),
                             .is_array = static_cast<bool>(child_of(each, "Dimension")),
                             .where = file_.xml.at(each)};
      if (!names.insert(connector.name).second)
        error("Y204", each,
              fmt::format("'{}' has two connectors '{}'", printable(made.name),
                          printable(connector.name)),
              "names of the connectors of an element differ");
      made.connectors.push_back(std::move(connector));
    }
  }

  void read_component(pugi::xml_node node, SspElement& made) {
    made.source = text_of(node, "source");
    made.implementation = text_of(node, "implementation");
    const std::string type = text_of(node, "type");
    if (!type.empty() && type != "application/x-fmu-sharedlibrary")
      error("Y202", node, fmt::format("'{}' is of type {}", printable(made.name), printable(type)),
            "components are FMUs (application/x-fmu-sharedlibrary); packages in packages are not "
            "read");
    if (made.implementation == "ScheduledExecution")
      error("Y202", node,
            fmt::format("'{}' runs by scheduled execution, which is not served",
                        printable(made.name)),
            "implementation is CoSimulation or ModelExchange");
    read_call(node, made.call);
    made.step_hint = osp_step(osp_note(node), "StepSizeHint", "value");
  }

  /// Takt's own annotation, as `takt ssp export` writes it.
  static void read_call(pugi::xml_node node, SspCall& call) {
    for (pugi::xml_node note : children_of(child_of(node, "Annotations"), "Annotation"))
      if (text_of(note, "type") == "takt.call") {
        const pugi::xml_node own = child_of(note, "Call");
        call = {text_of(own, "step"), text_of(own, "method"), text_of(own, "on_error")};
      }
  }

  /// What Open Simulation Platform (libcosim) says about a component, or about the run.
  static pugi::xml_node osp_note(pugi::xml_node node) {
    for (pugi::xml_node note : children_of(child_of(node, "Annotations"), "Annotation"))
      if (text_of(note, "type") == "com.opensimulationplatform") return note;
    return {};
  }

  std::optional<double> osp_step(pugi::xml_node node, std::string_view name,
                                 const char* attribute) {
    const pugi::xml_node found = child_of(node, name);
    if (!found) return std::nullopt;
    const auto step = number_of(found, attribute);
    if (step && *step >= 1e-9 && *step <= 86400.0) return step;
    file_.diagnostics.warning("Y212", file_.xml.at(found),
                              fmt::format("<{}> is not taken over: {} is no step",
                                          xml::local_name(found.name()), attribute),
                              "1 ns to a day, in seconds");
    return std::nullopt;
  }

  /// A hint means so many steps of the whole. What Takt itself has written goes before.
  void apply_hints(SspElement& of) const {  // NOLINT(misc-no-recursion): as deep as the package
    for (SspElement& each : of.elements) {
      apply_hints(each);
      if (!each.step_hint || !each.call.step.empty()) continue;
      const double base = structure_.base_step.value_or(*each.step_hint);
      const double steps = std::max(1.0, std::round(*each.step_hint / base));
      each.call.step = duration_text(std::llround(steps * base * 1e9));
    }
  }

  void read_system(pugi::xml_node node, SspElement& made) {
    std::set<std::string> names;
    for (pugi::xml_node each : child_of(node, "Elements").children()) {
      const std::string_view kind = xml::local_name(each.name());
      if (kind == "SignalDictionaryReference")
        error("Y211", each,
              fmt::format("'{}' is a signal dictionary", printable(text_of(each, "name"))),
              "signal dictionaries are not read: connect the components directly");
      if (kind != "Component" && kind != "System") continue;
      made.elements.push_back(element(each));
      if (!names.insert(made.elements.back().name).second)
        error("Y204", each,
              fmt::format("'{}' is there twice", printable(made.elements.back().name)),
              "names of the elements of a system differ");
    }
    not_taken(child_of(node, "SignalDictionaries"), "nothing is connected to it here");
    for (pugi::xml_node each : children_of(child_of(node, "Connections"), "Connection"))
      made.connections.push_back({.start_element = text_of(each, "startElement"),
                                  .start_connector = text_of(each, "startConnector"),
                                  .end_element = text_of(each, "endElement"),
                                  .end_connector = text_of(each, "endConnector"),
                                  .transformation = read_transformation(file_, each),
                                  .keeps_units = flag_of(each, "suppressUnitConversion"),
                                  .where = file_.xml.at(each)});
  }

  const SspFile& file_;
  SspStructure& structure_;
};

constexpr const char* osp_structure = "OspSystemStructure.xml";

void report_osp(const std::string& where, Diagnostics& diagnostics) {
  diagnostics.error("Y218", {where},
                    "is the structure of a system in a format of its own (Open Simulation "
                    "Platform, libcosim), which is not read",
                    "give it as SystemStructure.ssd in a package, which libcosim reads, too, or "
                    "write its simulators as lines of [fmu] in a plant");
}

}  // namespace

const SspConnector* SspElement::connector(const std::string& wanted) const {
  for (const SspConnector& each : connectors)
    if (each.name == wanted) return &each;
  return nullptr;
}

std::optional<SspStructure> read_ssd(std::string_view text, FileName name,
                                     const FmuArchive* archive, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.error_count();
  const auto tree = XmlText::parse(text, name, diagnostics);
  if (!tree) return std::nullopt;
  const SspFile file{*tree, name, archive, diagnostics};
  if (!check_ssp_file(file, xml::shape_of_structure())) return std::nullopt;
  SspStructure structure;
  StructureReader(file, structure).read(tree->root());
  if (diagnostics.error_count() != before) return std::nullopt;
  return structure;
}

bool is_bare_structure(const std::filesystem::path& file, Diagnostics& diagnostics) {
  constexpr std::size_t looked_at = 4096;
  std::string head(looked_at, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), looked_at);
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
  if (head.starts_with("PK")) return false;
  if (file.filename() == osp_structure || head.find("<OspSystemStructure") != std::string::npos)
    return report_osp(file.string(), diagnostics), true;
  if (head.find("SystemStructureDescription") == std::string::npos) return false;
  diagnostics.error("Y218", {file.string()}, "is the structure of a package, not the package",
                    "pack it as SystemStructure.ssd into a zip archive, with its FMUs by the paths "
                    "that it names");
  return true;
}

std::optional<SspStructure> read_ssp(const FmuArchive& archive, const std::filesystem::path& file,
                                     Diagnostics& diagnostics) {
  constexpr const char* name = "SystemStructure.ssd";
  const FmuEntry* entry = archive.find(name);
  if (entry == nullptr) {
    if (archive.find(osp_structure) != nullptr)
      return report_osp(file.string() + "/" + osp_structure, diagnostics), std::nullopt;
    diagnostics.error("Y200", {file.string()}, "has no SystemStructure.ssd at its top",
                      "pack what is in the folder, not the folder");
    return std::nullopt;
  }
  for (const FmuEntry& each : archive.entries())
    if (each.name.ends_with(".ssd") && each.name != name)
      diagnostics.warning("Y200", {file.string()},
                          fmt::format("{} is not read", printable(each.name)),
                          "SystemStructure.ssd is the structure that is taken");
  const auto text = archive.read(*entry, diagnostics);
  if (!text) return std::nullopt;
  return read_ssd(*text, file.string() + "/" + name, &archive, diagnostics);
}

}  // namespace takt::codegen
