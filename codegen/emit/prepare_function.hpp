#pragma once
// Functions that compute coefficients, and the structs that hold them.

#include <unordered_set>
#include <vector>

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// Assigns each coefficient.
void store_coefficients(const Coefficients& coefficients, Statements& statements);

/// prepare(): after everything else.
/// @param statements  its body, of which there is only what stands last
void emit_prepare(const SubsystemView& view, const Coefficients& coefficients,
                  Statements& statements, SubsystemFunctions& functions);

/// prepare() of a subsystem with the coefficients called as the first one's.
void write_prepare_of(const SubsystemView& view, const SubsystemView& first,
                      const FunctionCode& code, Writer& text);

/// Parameters that these values depend on: indices into Network::parameters.
[[nodiscard]] std::unordered_set<std::size_t> parameters_of(const SubsystemView& view,
                                                            const std::vector<Expr>& values);

/// Names and formulas of coefficients, for the struct.
[[nodiscard]] std::vector<SubsystemFunctions::Member> members_of(const Coefficients& coefficients);

/// struct TYPE { double ...; };
void write_coefficients(Writer& text, const std::string& type,
                        const std::vector<SubsystemFunctions::Member>& members,
                        std::size_t pairs = 0);

}  // namespace takt::codegen
