#pragma once
// Versions of coupled values that lie before the start.

#include <cstdint>

#include "runtime/coupling/exchange.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/schedule.hpp"

namespace takt {

/// Orders above 1 need versions that lie before the start: some macro-steps are computed as often as it takes to know
/// them, each sweep with what the one before has found; then everything is as it was, but for the histories. FMUs do
/// not take part: the histories of their outputs are constant.
/// @param macro_step  the first
/// Not real-time: allocates.
void start_histories(const PlantDescription& plant, const Schedule& schedule, Exchanges& exchanges,
                     std::int64_t macro_step = 0);

}  // namespace takt
