#pragma once
// Enthalpy that mass carries: the thermal side of fluid and gas circuits. Internal to
// codegen/model.
//
// A stream of mass flow q from node a to node b carries, with the upwind rule and a slight mixing
// both ways,
//     H = max(q, 0)*h_a - max(-q, 0)*h_b + q_mix*(h_a - h_b),
// h the specific enthalpy of a node. A node with contents integrates its energy e' = sum of H and
// heat; one without mixes: sum of H and heat = 0, an equation linear in the enthalpies whatever the
// directions of flow, solved with the circuit. The mixing flow (1e-9 kg/s) decides only where
// nothing flows: there a node without contents takes the mean of its neighbours.

// A medium may carry a passive fraction x (humidity): it goes with the mass by the same rule and
// changes no property.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Temperatures and enthalpies of nodes, and what element laws may name: TERMINAL.t, TERMINAL.p, t,
/// r_gas.
void declare_temperatures(Workspace& work);

/// Heat transfers of solid circuits that end at a fluid or gas node: which circuit computes them
/// (coupling paradigms 1 to 3). Source of the paradigms: the papers on fluid-solid networks.
void couple_heat(Workspace& work);

/// Streams, contents and mixing of all circuits; after all laws are lowered.
void lower_convection(Workspace& work);

}  // namespace takt::codegen
