#pragma once
// Whether the steps of a plant still carry it after parameters have been changed, which the generator knew at their old
// values.

#include <span>
#include <string>

#include "runtime/plant/description.hpp"

namespace takt {

/// Linearises the subsystems that read these parameters, by finite differences about the start, and compares their
/// modes with what their methods carry. Subsystems solved implicitly or exactly are stable with any step, sampled and
/// switched ones have no rates to look at: they are left out.
/// @param parameters  paths of those that were set; their values are in plant memory
/// @return what is unstable and what mends it, or an empty text
/// Not real-time: works in memory of its own.
[[nodiscard]] std::string unstable_after_tuning(const PlantDescription& plant, std::span<const std::string> parameters);

}  // namespace takt
