#pragma once
// What one trial of several plans says of the first of them. Internal to codegen/accuracy.

#include <cstdint>
#include <vector>

#include "codegen/accuracy/plan_search.hpp"

namespace takt::codegen {

inline constexpr std::int64_t
    finer = 5,
    finest = 10;  // not 2 and 4: a source sampled at whole steps often looks the same to halves

struct Worst {
  double error = 0.0;
  std::size_t signal = 0;
};

/// NaN is worse than any error.
[[nodiscard]] Worst worst_of(const std::vector<double>& errors);

/// A run by this plan fails, and by the finest it does not.
[[nodiscard]] bool is_refused(const TrialAnswer& answer, std::size_t plan);

/// @param fifth  the plan with times a fifth as long
[[nodiscard]] PlanEstimate estimate_of(const TrialAnswer& answer, std::size_t plan,
                                       std::size_t fifth, double asked);

[[nodiscard]] bool is_met(const PlanEstimate& estimate, const SearchOptions& options);

/// How long a run of these plans may be, s.
[[nodiscard]] double duration_of(const PlanTimesSpace& space, const std::vector<PlanTimes>& plans,
                                 const SearchOptions& options);

}  // namespace takt::codegen
