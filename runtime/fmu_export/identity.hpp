#pragma once
// Which FMU this is: defined by the emitted fmu.cpp.

#include <cstdint>

namespace takt::fmu_export {

enum class Kind : std::uint8_t { co_simulation, model_exchange };

struct Identity {
  const char* token = "";  ///< guid of FMI 2, instantiationToken of FMI 3
  Kind kind = Kind::co_simulation;
};

[[nodiscard]] Identity identity();

}  // namespace takt::fmu_export
