#pragma once
// What `takt check` says of a plant: for people and, with --json, for machines.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/pipeline.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::tools {

/// One circuit, or the control blocks of one period: verdict of the topology and counts of the flattened DAE.
struct CircuitSummary {
  const codegen::CircuitTopology* circuit = nullptr;  ///< nullptr: control
  const codegen::Surrogate* surrogate = nullptr;      ///< nullptr: the circuit was refused
  std::string name;
  takt::codegen::CircuitDomain domain{};
  std::size_t elements = 0;  ///< control: blocks
};

/// Sums over the circuits of one domain.
struct DomainTotal {
  takt::codegen::CircuitDomain domain{};
  std::size_t circuits = 0, elements = 0, equations = 0, differential = 0, algebraic = 0;
};

/// Circuits in the topology's order, then control.
[[nodiscard]] std::vector<CircuitSummary> summarise(const codegen::Checked& checked);
/// In order of first appearance.
[[nodiscard]] std::vector<DomainTotal> totals_by_domain(const std::vector<CircuitSummary>& circuits);

/// Rows of the network's DAE: what control blocks assign at their sample times is not among them.
[[nodiscard]] std::size_t network_equations(const std::vector<DomainTotal>& totals);

/// Circuits with their index verdicts, subsystems, couplings in evaluation order; what was found is counted.
[[nodiscard]] std::string check_text(const codegen::Checked& checked, const codegen::Diagnostics& diagnostics);
/// @param checked  nullptr where the plant is refused: then `ok` is false and the findings say why
/// @param with_table  every quantity that the built plant will have, too
[[nodiscard]] std::string check_json(const codegen::Checked* checked, const codegen::Diagnostics& diagnostics,
                                     bool with_table);

}  // namespace takt::tools
