#pragma once
// Data length codes of CAN: 4 bits on the wire, 0 to 8 bytes for classic frames, up to 64 for CAN FD.

#include <algorithm>
#include <array>
#include <cstdint>

namespace takt::can {

inline constexpr std::array<std::uint8_t, 16> fd_lengths{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64};

/// Code of the shortest CAN FD frame that holds so many bytes.
[[nodiscard]] inline std::uint8_t fd_length_code(std::uint8_t bytes) noexcept {
  const auto* const found = std::lower_bound(fd_lengths.begin(), fd_lengths.end() - 1, bytes);
  return static_cast<std::uint8_t>(found - fd_lengths.begin());
}

/// Bytes of the shortest CAN FD frame that holds so many; those at its end are padded with zeros.
[[nodiscard]] inline std::uint8_t fd_length(std::uint8_t bytes) noexcept { return fd_lengths[fd_length_code(bytes)]; }

}  // namespace takt::can
