#pragma once
// What the library of an exported plant is made of: defined by the emitted fmu.cpp.

#include "runtime/plant/description.hpp"

namespace takt::fmu_export {

enum class Kind : std::uint8_t { co_simulation, model_exchange };

struct ExportedPlant {
  const PlantDescription& plant;  ///< its memory holds start values; instances copy it and nobody writes to it
  const char* token;              ///< guid of FMI 2, instantiationToken of FMI 3
  Kind kind = Kind::co_simulation;
};

[[nodiscard]] const ExportedPlant& exported_plant();

}  // namespace takt::fmu_export
