#pragma once
// Lines between subsystems: what their delays ask of synchronisation times and steps.

#include <cstdint>

#include "codegen/plan/plan.hpp"

namespace takt::codegen {

/// Whole nanoseconds; the largest number where there are no delays.
[[nodiscard]] std::int64_t shortest_travel_ns(const Network& network);
/// Greatest common divisor of all delays; 0 without delays, 1 where one is not of whole
/// nanoseconds.
[[nodiscard]] std::int64_t common_travel_ns(const Network& network);

/// Sets the samples of each delay. S091: a synchronisation time longer than the delay, ends in
/// windows of different lengths, or a method that has no micro-steps; S092, a note: a delay between
/// samples, with what interpolation costs.
/// @pre order_windows has run
void plan_delays(Plan& plan, const Network& network, Diagnostics& diagnostics);

/// "travels for 50 us, 5 samples of 10 us"
[[nodiscard]] std::string travel_text(const Plan& plan, const Network& network,
                                      const PlanCoupling& coupling);

}  // namespace takt::codegen
