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

/// Where a condition has become true since the last time.
struct Rise {
  code::Value counter, condition, was;
  std::string comment;
};

/// counter += rises(condition, was)
void count_rise(const Rise& rise, FunctionBody& body);

/// What of a circuit's members belongs to capacitors that gates join.
void write_join_members(Writer& text, const SubsystemView& view);

/// What joining capacitors takes. A segment of backward Euler moves a charge r*length at the
/// voltages that it would have after h/2: it counts as absorbed r^2/C*length*(h/2 - length/2) too
/// much. What gates join at the very start is so when the first point is solved: the energy stored
/// then is that of the start values.
void emit_joins(const SubsystemView& view, Coefficients& coefficients,
                SubsystemFunctions& functions);

/// Levels of gates, duties of legs, edges to come.
void emit_gates(const SubsystemView& view, Coefficients& coefficients,
                SubsystemFunctions& functions);

/// Energy lost at edges, loops that gates close, inductors whose current an edge cuts off.
void emit_switched_events(const ViewCode& plain, const ViewCode& factored,
                          SubsystemFunctions& functions);

}  // namespace takt::codegen
