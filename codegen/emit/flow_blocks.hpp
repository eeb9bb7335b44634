#pragma once
// Emitted networks that are solved over tables (runtime/solver/flow_network.hpp). Conductances of
// parameters alone are factorised by prepare(). For other laws there is one loop over edges for
// each form of law, whose coefficients are filled in by prepare() where parameters give them, else
// before every solve.

#include <string>
#include <vector>

#include "codegen/emit/functions.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// Places of the networks in the algebra.
[[nodiscard]] std::vector<std::size_t> flow_blocks(const SubsystemView& view);

/// What a function evaluates where it solves the network.
[[nodiscard]] std::vector<Expr> roots_of(const FlowTables& flows, Coefficients& coefficients);

/// Index tables and laws, before the functions that read them.
void write_flow_tables(const SubsystemView& view, Writer& text);

/// The last statements of prepare().
void emit_flow_coefficients(const SubsystemView& view, Coefficients& coefficients,
                            Statements& prepare);

/// Member that holds a network's numbers; where it stands in the algebra.
[[nodiscard]] std::string flow_member(std::size_t index);

/// Solves the network and binds its unknowns.
/// @return its NewtonDamping; none where it is linear
[[nodiscard]] code::Value emit_flow_solve(const SubsystemView& view, std::size_t index,
                                          Coefficients& coefficients, Statements& statements);

/// Where the first solve begins: each guess, then a call that needs them all.
struct FlowStart {
  std::vector<std::pair<code::Value, Expr>> guesses;  ///< target
  code::Value after{};
};
[[nodiscard]] FlowStart flow_start(const SubsystemView& view, std::size_t index,
                                   code::Values& values);

void write_flow_members(Writer& text, const SubsystemView& view);

}  // namespace takt::codegen
