#pragma once
// The bits of a frame that a signal has. Internal to codegen/rig.

#include <array>
#include <cstdint>

#include "codegen/dbc/dbc_bits.hpp"

namespace takt::codegen {

/// Of a frame, by byte.
using FrameBits = std::array<std::uint8_t, 64>;

[[nodiscard]] inline FrameBits bits_of(const DbcSignal& signal) {
  FrameBits bits{};
  for (const BitPiece& piece : bit_pieces(signal))
    bits[piece.byte] =
        static_cast<std::uint8_t>(bits[piece.byte] | ((1U << piece.width) - 1U) << piece.low_bit);
  return bits;
}

[[nodiscard]] inline bool overlap(const FrameBits& a, const FrameBits& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if ((a[k] & b[k]) != 0) return true;
  return false;
}

}  // namespace takt::codegen
