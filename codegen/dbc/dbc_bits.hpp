#pragma once
// Where the bits of a signal lie. A DBC numbers bits 8*byte + bit, bit 0 the least significant of
// its byte. A little-endian (Intel) signal starts at its least significant bit and grows upwards
// through the bytes; a big-endian (Motorola) one starts at its most significant bit and goes down
// within a byte, then on to the next byte.

#include <vector>

#include "codegen/dbc/dbc.hpp"

namespace takt::codegen {

/// A run of bits within one byte: raw bits [raw_low, raw_low + width) stand at [low_bit, low_bit +
/// width) of data[byte].
struct BitPiece {
  unsigned byte = 0, low_bit = 0, width = 0, raw_low = 0;
};

/// In order of bytes.  @pre length 1..64
[[nodiscard]] std::vector<BitPiece> bit_pieces(const DbcSignal& signal);
[[nodiscard]] bool fits(const DbcSignal& signal, unsigned bytes);

/// Largest and smallest raw value of an integer signal.
[[nodiscard]] std::uint64_t largest_unsigned(unsigned bits);
[[nodiscard]] std::int64_t largest_signed(unsigned bits);

}  // namespace takt::codegen
