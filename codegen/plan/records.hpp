#pragma once
// [record] of the plant file applied to the plan.

#include <vector>

#include "codegen/plan/plan.hpp"

namespace takt::codegen {

/// What [record] names, ascending.
[[nodiscard]] std::vector<SymbolId> recorded_symbols(const Network& network, const DaeResult& dae);
/// What is recorded and when; without [record]: node variables and control outputs.  Reports S008,
/// S009.
void choose_records(Plan& plan, const Network& network, const DaeResult& dae,
                    Diagnostics& diagnostics);

}  // namespace takt::codegen
