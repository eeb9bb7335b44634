#pragma once
// What crosses subsystems, and what it costs to extrapolate it.

#include <cstddef>
#include <string>
#include <vector>

#include "codegen/plan/plan.hpp"

namespace takt::codegen {

/// Cost of letting a coupling's consumer run before its producer; only the order between costs
/// matters.
struct Extrapolation {
  double penalty = 0.0;
  std::string reason;  ///< for the plan's text
};

/// Fills inputs, outputs, sent, received, couplings and routes.  Reports S011 (a cycle of pure
/// algebraic feedthrough) and S090 (a symbol nobody defines: a defect of the generator).
/// @return parallel to plan.couplings
/// @pre choose_steps has run
[[nodiscard]] std::vector<Extrapolation> find_couplings(Plan& plan, const Network& network,
                                                        const DaeResult& dae,
                                                        Diagnostics& diagnostics);

/// Place of a symbol in inputs, outputs, sent or received of a subsystem, which ascend.
/// @pre it is there
[[nodiscard]] std::size_t index_in(const std::vector<SymbolId>& ascending, SymbolId symbol);

/// Order of inter- or extrapolation of a coupling whose lag is known.
[[nodiscard]] std::uint8_t exchange_order(const Plan& plan, const PlanCoupling& coupling);

}  // namespace takt::codegen
