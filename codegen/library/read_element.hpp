#pragma once
// One element definition from its table, and the pieces that parts of a plant have in common with
// it.

#include <string_view>

#include "codegen/library/library.hpp"

namespace takt::codegen {

/// Always returns a definition that can be instantiated; what is wrong is reported (L codes) and
/// left out.
[[nodiscard]] ElementDefinition read_element(std::string_view section, const TomlEntry& entry,
                                             Diagnostics& diagnostics);

/// Reads the `branch` tables of an element whose terminals and nodes are known.
void read_branches(ElementDefinition& element, const TomlValue& branches, Diagnostics& diagnostics);

/// An equation "left = right" cut at its equals sign; nothing where there is none.
struct CutEquation {
  std::string_view left;
  std::string_view right;
  std::size_t right_offset = 0;
};
[[nodiscard]] std::optional<CutEquation> cut_equation(std::string_view text);

/// Reads `equation` and `unknown`. Call before read_branches: branches of kind R may then have no
/// law.
void read_equations(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics);

/// As many equations as unknowns and branches without law (L015).
void check_equation_count(const ElementDefinition& element, Diagnostics& diagnostics);

/// Reads `two_port`, one or several named ones, of an element whose branches are known: every
/// branch of kind P is a side of one of them.
void read_two_ports(ElementDefinition& element, const TomlEntry& entry, Diagnostics& diagnostics);

/// Reads `mode`, `point` and `edge` of a physical element.
void read_switching(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics);

/// Reads `at` of an element whose states, branches and modes are known; what is wrong is reported
/// (L021) and left out.
void read_events(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics);

/// Reads `stream` and `content` of an element of the sections fluid and gas.
void read_convection(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics);

/// Reads `range`.
void read_ranges(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics);

/// Reads `delay` of a physical element; what is wrong is reported (L020) and left out.
void read_delays(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics);

/// Reads `fault` of an element whose parameters are known; what is wrong is reported (L018) and
/// left out.
void read_faults(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics);

/// Parameters that a fault changes keep their limits, as far as defaults tell (L018).
void check_fault_limits(const ElementDefinition& element, Diagnostics& diagnostics);

/// Always returns a definition; what is wrong is reported (L016) and left out.
[[nodiscard]] MediumDefinition read_medium(const TomlEntry& entry, Diagnostics& diagnostics);

/// Reads `gates` of a control block and, with it, the names of its outputs. False where the block
/// is an ordinary one.
[[nodiscard]] bool read_gate_block(ElementDefinition& element, const TomlValue& table,
                                   Diagnostics& diagnostics);

/// Reads "a" or "flange:rotational".
[[nodiscard]] TerminalDefinition read_terminal(const std::string& text, const Location& where,
                                               Domain home, Diagnostics& diagnostics);

/// Every name of every expression means something; no cycle among lets and outputs.
void check_element(const ElementDefinition& element, Diagnostics& diagnostics);

}  // namespace takt::codegen
