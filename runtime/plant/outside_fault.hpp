#pragma once
// Where something can go wrong outside of the plant, such as a message of a bus on its way. What goes wrong is one word
// that only the port there understands; 0: nothing.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/plant/description.hpp"

namespace takt {

struct OutsideFault {
  std::string path;   ///< "can0.send.BMS_State"
  std::string kinds;  ///< what may go wrong, for people: "drop, delay 20 ms"
  const void* of = nullptr;
  /// From words. @param of  that of the point  @throw std::runtime_error  what is wrong and what would do
  std::uint64_t (*pack)(const void* of, std::string_view text) = nullptr;
  /// The same in the other direction.
  std::string (*text)(const void* of, std::uint64_t word) = nullptr;
};

/// Of a run.
inline std::span<const OutsideFault> outside_faults(const PlantDescription& plant) {
  return {plant.outside, plant.outside_count};
}

}  // namespace takt
