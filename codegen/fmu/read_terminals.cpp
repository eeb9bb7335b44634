#include <fmt/format.h>

#include <unordered_map>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_files.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/fmu/xml_shape.hpp"

namespace takt::codegen {
namespace {

class TerminalReader {
 public:
  TerminalReader(const XmlText& xml, FmuDescription& fmu, Diagnostics& diagnostics)
      : xml_(xml), fmu_(fmu), diagnostics_(diagnostics) {
    for (std::size_t index = 0; index < fmu.variables.size(); ++index) {
      names_.emplace(fmu.variables[index].name, index);
      for (const std::string& alias : fmu.variables[index].aliases) names_.emplace(alias, index);
    }
  }

  /// Terminals in a terminal take its name in front: "plug.pin".
  void read(pugi::xml_node node, const std::string& prefix) {
    FmuTerminal terminal{prefix + text_of(node, "name"),
                         text_of(node, "terminalKind"),
                         text_of(node, "matchingRule"),
                         {}};
    for (pugi::xml_node member : node.children("TerminalMemberVariable"))
      add(terminal, member,
          {text_of(member, "memberName"), text_of(member, "variableKind"), "variableName"});
    for (pugi::xml_node member : node.children("TerminalStreamMemberVariable")) {
      add(terminal, member,
          {text_of(member, "inStreamMemberName"), "inStream", "inStreamVariableName"});
      add(terminal, member,
          {text_of(member, "outStreamMemberName"), "outStream", "outStreamVariableName"});
    }
    const std::string inner = terminal.name + ".";
    fmu_.terminals.push_back(std::move(terminal));
    for (pugi::xml_node child : node.children("Terminal")) read(child, inner);
  }

 private:
  struct Wanted {
    std::string member, kind;
    const char* attribute;
  };
  void add(FmuTerminal& terminal, pugi::xml_node node, const Wanted& wanted) {
    const pugi::xml_attribute attribute = node.attribute(wanted.attribute);
    const auto found = names_.find(attribute.value());
    if (found == names_.end())
      return diagnostics_.warning(
          "Y060", xml_.at(attribute),
          fmt::format("terminal '{}' names '{}', which no variable is called",
                      printable(terminal.name), printable(attribute.value())),
          "it is left out: name a variable of modelDescription.xml");
    terminal.members.push_back({wanted.member, wanted.kind, found->second});
  }

  const XmlText& xml_;
  FmuDescription& fmu_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, std::size_t> names_;
};

}  // namespace

void read_terminals(const FmuArchive& archive, FmuDescription& fmu, Diagnostics& diagnostics) {
  const std::string name = "terminalsAndIcons/terminalsAndIcons.xml";
  const auto xml = read_xml(archive, {fmu.file, name}, xml::shape_of_terminals(), diagnostics);
  if (!xml) return;
  TerminalReader reader(*xml, fmu, diagnostics);
  for (pugi::xml_node node : xml->root().child("Terminals").children("Terminal"))
    reader.read(node, "");
}

}  // namespace takt::codegen
