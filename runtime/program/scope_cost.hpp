#pragma once
// What a scope would cost a plant: copies of memory, measured here.

#include "runtime/plant/description.hpp"
#include "runtime/stats/schedule_sheet.hpp"

namespace takt {

/// Of the dearest subsystem that a scope can be had of.
[[nodiscard]] ScopeCost scope_cost(const PlantDescription& plant);

}  // namespace takt
