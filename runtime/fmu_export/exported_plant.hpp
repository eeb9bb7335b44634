#pragma once
// What the library of an exported plant is made of: defined by the emitted fmu.cpp.

#include "runtime/plant/description.hpp"

namespace takt::fmu_export {

/// Its memory holds start values; instances copy it and nobody writes to it.
[[nodiscard]] const PlantDescription& exported_plant();

}  // namespace takt::fmu_export
