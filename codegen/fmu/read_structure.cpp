#include <fmt/format.h>

#include <set>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"

namespace takt::codegen {
namespace {

class StructureReader {
 public:
  explicit StructureReader(FmuReading& reading)
      : reading_(reading), root_(reading.root().child("ModelStructure")) {}

  void run() {
    FmuDescription& fmu = reading_.fmu;
    if (reading_.is_2()) {
      read(root_.child("Outputs"), "Unknown", fmu.outputs);
      read(root_.child("Derivatives"), "Unknown", fmu.state_derivatives);
      read(root_.child("InitialUnknowns"), "Unknown", fmu.initial_unknowns);
      return;
    }
    read(root_, "Output", fmu.outputs);
    read(root_, "ContinuousStateDerivative", fmu.state_derivatives);
    read(root_, "ClockedState", fmu.clocked_states);
    read(root_, "InitialUnknown", fmu.initial_unknowns);
    read(root_, "EventIndicator", fmu.indicators);
  }

 private:
  void read(pugi::xml_node parent, const char* name, std::vector<FmuUnknown>& to) {
    std::set<std::size_t> seen;
    for (pugi::xml_node node : parent.children(name)) {
      const pugi::xml_attribute attribute =
          node.attribute(reading_.is_2() ? "index" : "valueReference");
      const auto variable = variable_of(attribute.value(), attribute);
      if (!variable) continue;
      if (!seen.insert(*variable).second)
        reading_.diagnostics.error("Y050", reading_.xml.at(attribute),
                                   fmt::format("'{}' is there twice under {}",
                                               printable(reading_.fmu.variables[*variable].name),
                                               reading_.is_2() ? parent.name() : name),
                                   "name it once");
      FmuUnknown unknown;
      unknown.variable = *variable;
      read_dependencies(node, unknown);
      to.push_back(std::move(unknown));
    }
  }

  void read_dependencies(pugi::xml_node node, FmuUnknown& unknown) {
    const pugi::xml_attribute dependencies = node.attribute("dependencies"),
                              kinds = node.attribute("dependenciesKind");
    unknown.says_dependencies = static_cast<bool>(dependencies);
    std::size_t count = 0;
    for (std::string_view word : xml::words(dependencies.value())) {
      ++count;
      if (const auto variable = variable_of(word, dependencies))
        unknown.dependencies.push_back(*variable);
    }
    for (std::string_view word : xml::words(kinds.value())) unknown.kinds.emplace_back(word);
    if (!kinds || unknown.kinds.size() == count) return;
    reading_.diagnostics.warning("Y054", reading_.xml.at(kinds),
                                 fmt::format("dependenciesKind has {} entries, dependencies {}",
                                             unknown.kinds.size(), count),
                                 "each dependency has one kind: the kinds are left out");
    unknown.kinds.clear();
  }

  std::optional<std::size_t> variable_of(std::string_view word, pugi::xml_attribute attribute) {
    const auto number = xml::integer<std::uint32_t>(word);
    if (const auto index = number ? reading_.index_of(*number) : std::nullopt) return index;
    reading_.diagnostics.error("Y050", reading_.xml.at(attribute),
                               fmt::format("ModelStructure names {} {}, which no variable has",
                                           attribute.name(), printable(word)),
                               reading_.numbers_hint());
    return std::nullopt;
  }

  FmuReading& reading_;
  pugi::xml_node root_;
};

}  // namespace

void read_structure(FmuReading& reading) { StructureReader(reading).run(); }

}  // namespace takt::codegen
