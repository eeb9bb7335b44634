#pragma once
// Bodies of the functions of a switched circuit, and what their heads share. Internal to
// codegen/emit.

#include <string>
#include <vector>

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/write_function.hpp"

namespace takt::codegen {

/// Of functions that read histories.
inline const Argument history_parameter{"const double*", "w"};
/// Alias of functions between factorisations, and of the one that factorises.
inline const Argument read_factors{"const auto&", "f"}, written_factors{"auto&", "f"};
[[nodiscard]] code::Definition factors_as(const Argument& alias, code::Values& values);

/// Opens a body over the factored view for these roots, with everything they need defined.
[[nodiscard]] FunctionBody body_for(const SubsystemView& view, Coefficients& coefficients,
                                    const std::vector<Expr>& roots,
                                    const std::vector<SymbolId>& symbols = {});

/// Rows of the affine map as locals y[...], from the columns.
void apply_affine(const SubsystemView& view, const AffineRows& affine, FunctionBody& body);

/// As body_for(), for functions that have the factorisation: across variables come from the affine
/// map where there is one.
[[nodiscard]] FunctionBody body_between_factorisations(const SubsystemView& view,
                                                       Coefficients& factors,
                                                       const std::vector<Expr>& roots,
                                                       const std::vector<SymbolId>& symbols = {});

/// What of a circuit's members belongs to capacitors that gates join.
void write_join_members(Writer& text, const SubsystemView& view);

/// Levels of gates, duties of legs, edges to come.
void emit_gates(const SubsystemView& view, Coefficients& coefficients,
                SubsystemFunctions& functions);

/// Energy lost at edges, loops that gates close, inductors whose current an edge cuts off.
void emit_switched_events(const ViewCode& plain, const ViewCode& factored,
                          SubsystemFunctions& functions);

}  // namespace takt::codegen
