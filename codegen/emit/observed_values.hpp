#pragma once
// What a subsystem stores for others at the end of a window: outputs and signals.

#include "codegen/emit/function_body.hpp"

namespace takt::codegen {

enum class Observed { all, read_by_others, rest };

/// Symbols stored at the end of a window that need the algebra.
[[nodiscard]] std::vector<SymbolId> observed(const SubsystemView& view);
void store_observed(const SubsystemView& view, FunctionBody& body, Observed which = Observed::all);

}  // namespace takt::codegen
