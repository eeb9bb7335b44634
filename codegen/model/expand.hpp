#pragma once
// Sections and parts -> instances: every element, node and symbol of the plant comes into being.
// Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Reads [part.NAME] tables. They are checked for form here, and expanded where they are used.
void declare_parts(Workspace& work, const TomlValue& parts);

/// Elements, control blocks and parts of one scope, recursively.
void expand_sections(Workspace& work, Scope& scope, const TomlValue& table);

/// Brings an element into being: nodes, branches, symbols. `entry` is its line.
void make_element(Workspace& work, Instance& instance);

/// Values that travel between the ends of an element: symbols, which its laws name.
void make_delays(Workspace& work, Instance& instance);

/// A node as a line of the plant file names it.
struct NodeName {
  const std::string& text;
  const Location& where;
  Domain expected;  ///< of the terminal
};
/// nullopt after a report.
[[nodiscard]] std::optional<NodeId> find_vertex(Workspace& work, const NodeName& node,
                                                const Reading& reading);

/// A line of the plant file and how its names are read.
struct PlantLine {
  const TomlEntry& entry;
  const Reading& reading;
};

/// Nodes of terminals from `at`, by order or by name. Missing and unknown ones are reported; what
/// is left is returned.
/// @param what  "part 'pack'"
[[nodiscard]] std::map<std::string, NodeId, std::less<>> connect(
    Workspace& work, const PlantLine& line, const std::vector<TerminalDefinition>& terminals,
    const std::string& what);

/// Symbols of nodes, and their names where no element has them.
void name_potentials(Workspace& work);

}  // namespace takt::codegen
