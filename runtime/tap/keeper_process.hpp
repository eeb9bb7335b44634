#pragma once
// Inside of the keeper's process.

#include <sys/types.h>

#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/tap/segment.hpp"

namespace takt {

struct KeptTap {
  const PlantDescription& plant;
  TapSegment& segment;
  const std::vector<int>& cpus;
  pid_t plant_process = 0;
  int pipe = -1;    ///< from the plant
  int folder = -1;  ///< the run directory
};

/// The whole life of the keeper, in the forked child. Never returns into the plant's code.
[[noreturn]] void keep(const KeptTap& tap) noexcept;

}  // namespace takt
