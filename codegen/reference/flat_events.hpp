#pragma once
// Modes and events of elements as variables of the flattened plant.

#include "codegen/reference/flat_system.hpp"

namespace takt::codegen {

/// Positive where the mode does not agree with the circuit, with variables put in.
void add_indicator(const Network& network, const Mode& mode,
                   const std::unordered_map<SymbolId, Expr>& variables, FlatSystem& system);
/// Its indicator and what it sets, with variables put in.
void add_event(const Network& network, const StateEvent& event,
               const std::unordered_map<SymbolId, Expr>& variables, FlatSystem& system);

}  // namespace takt::codegen
