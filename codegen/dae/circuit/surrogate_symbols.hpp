#pragma once
// Which symbols a subsystem reads, defines and hides.

#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"

namespace takt::codegen {

/// Every symbol that the expressions of a surrogate name, ascending, without repetition.
[[nodiscard]] std::vector<SymbolId> symbols_read(const Network& network,
                                                 const Surrogate& surrogate);
/// Symbols a subsystem uses that nobody else can name: histories and the like.
[[nodiscard]] std::vector<SymbolId> symbols_hidden(const Network& network,
                                                   const Surrogate& surrogate);

/// Symbols a surrogate defines: states, then algebra outputs.
[[nodiscard]] std::vector<SymbolId> symbols_owned(const Surrogate& surrogate);
/// Values of storages at the start of a segment: known before the algebra, though no states.
[[nodiscard]] std::vector<SymbolId> histories_of(const SubsystemKind& kind);
/// Symbols that jump and are observable: modes, gates and the like.
[[nodiscard]] std::vector<SymbolId> discrete_symbols(const SubsystemKind& kind);

}  // namespace takt::codegen
