#pragma once
// The plan of a plant: what its file says, and what is proposed where it is silent.

#include "codegen/plan/plan.hpp"

namespace takt::codegen {

struct OperatingRange;

/// Never fails silently: what cannot be planned is reported (S0xx) and a plan with what remains is
/// returned.
[[nodiscard]] Plan make_plan(const Network& network, const DaeResult& dae,
                             Diagnostics& diagnostics);
/// @param range  where the plant works beside its start (codegen/stability/operating_range.hpp)
[[nodiscard]] Plan make_plan(const Network& network, const DaeResult& dae,
                             const OperatingRange& range, Diagnostics& diagnostics);

/// Jacobians for the subsystems that are integrated by a linearly implicit method, linear forms for
/// those by method exact.
void add_jacobians(Plan& plan, const Network& network, const DaeResult& dae);

/// The plan for people: `takt check --show plan`.
[[nodiscard]] std::string text(const Plan& plan, const Network& network);

}  // namespace takt::codegen
