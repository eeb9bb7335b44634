#pragma once
// The tree of synchronisation groups.

#include <cstddef>
#include <optional>

#include "codegen/plan/plan.hpp"

namespace takt::codegen {

/// The tree of groups; every subsystem ends up in one.  Reports S005, S007, S019, S030-S032.
void choose_groups(Plan& plan, const Network& network, const DaeResult& dae,
                   Diagnostics& diagnostics);

/// The synchronisation time that is proposed before anything is known: 1 ms, what an ECU on a CAN
/// bus expects of its plant. Where nobody looks or acts within it - the whole plan is proposed,
/// nothing is switched or set from outside - a long duration has longer times, of which it holds at
/// most half a million, such as 2 s of ten days, or as many as control blocks sample.
[[nodiscard]] std::int64_t usual_period_ns(const Network& network, const DaeResult& dae);

/// Whether a group is `outer` or lies in it.
[[nodiscard]] bool lies_in(const Plan& plan, std::size_t group, std::size_t outer);

/// The innermost group that holds both.
[[nodiscard]] std::size_t common_group(const Plan& plan, std::size_t a, std::size_t b);

/// The member of `outer` that `group` is or lies in; nothing where they are the same.
/// @pre lies_in(plan, group, outer)
[[nodiscard]] std::optional<std::size_t> member_towards(const Plan& plan, std::size_t group,
                                                        std::size_t outer);

}  // namespace takt::codegen
