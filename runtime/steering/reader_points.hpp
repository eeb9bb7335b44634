#pragma once
// Where values of a plant are read across the border of a subsystem: there they can be overridden and distorted.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt {

/// An input of a subsystem, fed by a coupling or by a plant input.
struct ReaderPoint {
  std::uint16_t subsystem = 0;
  std::size_t input = 0;     ///< offset of its InputPolynomial in plant memory
  std::size_t source = 0;    ///< offset of the value it is fed from
  std::size_t received = 0;  ///< of a flux: offset of its integral
  bool flux = false;
  bool sampled = false;   ///< by a control block, as a sensor's value is
  const char* unit = "";  ///< of a flux: that of its integral
  const char* path = "";  ///< of an exchanged variable: a state has its row elsewhere than the copy that is read
};

/// All of a plant, by subsystem. Not real-time: allocates.
[[nodiscard]] std::vector<ReaderPoint> reader_points(const PlantDescription& plant);

/// Row of the table with this path; that of a control block's output, where only ".out" is missing.
[[nodiscard]] std::optional<std::uint32_t> find_row(const PlantDescription& plant, std::string_view path);

/// ", did you mean ...?" with the nearest path among rows that `fits`; or an empty text.
[[nodiscard]] std::string nearest_row(const PlantDescription& plant, std::string_view path,
                                      bool (*fits)(const MemoryEntry&));

}  // namespace takt
