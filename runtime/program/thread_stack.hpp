#pragma once
// Stack of the threads that compute a plant.

#include <algorithm>
#include <cstddef>

#include "runtime/plant/description.hpp"

namespace takt {

/// Bytes. Solvers keep some vectors of a subsystem's states in their frames, sixteen at most; the rest of what they
/// compute with has bounded frames or stands in plant memory.
[[nodiscard]] inline std::size_t thread_stack(const PlantDescription& plant) {
  constexpr std::size_t least = std::size_t{4} << 20, vectors = 16;
  std::size_t states = 0;
  for (const SubsystemDescription& subsystem : plant.subsystems)
    states = std::max(states, std::size_t{subsystem.states});
  return least + vectors * sizeof(double) * states;
}

}  // namespace takt
