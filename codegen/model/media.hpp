#pragma once
// Media of the fluid and gas circuits: which circuit holds which, and their properties as
// expressions of the temperature. Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Finds what flows where: joins the nodes that mass can flow between and gives each group its
/// medium, from `medium =
/// "..."` on a line of one of its elements or, where none says it, in its section. M037
/// contradiction, M038 none, M039 of the wrong kind.
void assign_media(Workspace& work);

/// Medium that flows through an element; nullptr where it is not known (reported) or the element
/// has no such node.
[[nodiscard]] const Medium* medium_of(const Workspace& work, const Instance& instance);
[[nodiscard]] const Medium* medium_at(const Workspace& work, NodeId node);

/// What laws may call with a temperature.
[[nodiscard]] inline const std::vector<std::string_view>& medium_properties() {
  static const std::vector<std::string_view> names{"cp", "rho", "mu", "lambda", "p_vap"};
  return names;
}

/// cp, rho, mu, lambda or p_vap of the medium at a temperature; nothing for other names.
[[nodiscard]] std::optional<Named> property_at(Workspace& work, const Medium& medium,
                                               std::string_view name, Expr temperature);

// Specific enthalpy and internal energy, J/kg, zero at 0 degC and (gases) -r*273.15 K there: h' =
// cp affine in t, u = h
// - r*t.
[[nodiscard]] Expr enthalpy_at(Graph& graph, const Medium& medium, Expr temperature);
[[nodiscard]] Expr temperature_of_enthalpy(Graph& graph, const Medium& medium, Expr enthalpy);
[[nodiscard]] Expr energy_at(Graph& graph, const Medium& medium, Expr temperature);
[[nodiscard]] Expr temperature_of_energy(Graph& graph, const Medium& medium, Expr energy);

}  // namespace takt::codegen
