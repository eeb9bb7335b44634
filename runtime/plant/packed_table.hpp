#pragma once
// The table of plant memory as text: compilers take longest over the rows of large plants, and next to nothing over
// text.

#include <cstddef>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt {

struct PackedTable {
  /// An array in plant memory.
  struct Place {
    std::size_t offset, stride;  ///< of its first element, from one to the next. Bytes
  };
  const char* rows;          ///< of each row its path, 0, "UNIT ROLE SUBSYSTEM PLACE INDEX START_ONLY", 0
  std::size_t count;         ///< of rows
  const char* const* units;  ///< by UNIT
  const Place* places;       ///< by PLACE
};

/// Paths stay where they are.   Not real-time: allocates.
[[nodiscard]] std::vector<MemoryEntry> unpacked(const PackedTable& table);

}  // namespace takt
