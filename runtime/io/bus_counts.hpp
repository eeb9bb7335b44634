#pragma once
// How a bus is while the run goes on. One writer, its I/O thread; anybody reads, other processes too.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace takt {

struct BusCounts {
  enum class State : std::uint8_t { unknown, active, warning, passive, off, down };
  static constexpr std::size_t most = 16, name_bytes = 32;
  std::array<char, name_bytes> name{};  ///< before the run
  /// Frames: received; of the plant and of its rest bus that have left, or not at the first try.
  std::atomic<std::uint64_t> received{0}, sent{0}, failed{0};
  std::atomic<State> state{State::unknown};  ///< unknown: also where the bus has no controller
};

}  // namespace takt
