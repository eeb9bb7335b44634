#pragma once
// Windows of several copies of a part computed at once, one copy in each lane of a vector register.

#include <cstddef>
#include <cstdint>

#include "runtime/plant/window.hpp"

namespace takt {

inline constexpr std::size_t most_bundled = 8;  ///< copies that one call computes

/// What stands for a run of several subsystems one by one, with the same bits.
struct BundledRun {
  void (*run)(std::byte* own, const Window&) noexcept = nullptr;  ///< of one
  /// Of 2 to `copies` at once, in memories of their own. Real-time: bounded, silent
  void (*together)(std::byte* const* own, std::size_t copies, const Window&) noexcept = nullptr;
  std::uint32_t copies = 1;  ///< lanes
};

}  // namespace takt
