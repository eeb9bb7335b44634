#pragma once
// Stack of the threads that compute a plant.

#include <cstddef>

#include "runtime/plant/description.hpp"

namespace takt {

/// Bytes. What grows in frames of solvers are vectors of states, fluxes and junctions, each of which stands in plant
/// memory, too, with its start value, its parameters and what is observed of it.
[[nodiscard]] inline std::size_t thread_stack(const PlantDescription& plant) {
  constexpr std::size_t least = std::size_t{4} << 20;
  return least + 2 * plant.memory_size;
}

}  // namespace takt
