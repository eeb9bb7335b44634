#include "codegen/dbc/dbc_bits.hpp"

#include <algorithm>

namespace takt::codegen {

std::vector<BitPiece> bit_pieces(const DbcSignal& signal) {
  std::vector<BitPiece> pieces;
  unsigned left = signal.length;
  unsigned byte = signal.start / 8U;
  if (signal.order == ByteOrder::little) {
    for (unsigned bit = signal.start % 8U, raw = 0; left > 0; ++byte, bit = 0) {
      const unsigned width = std::min(8U - bit, left);
      pieces.push_back({byte, bit, width, raw});
      raw += width;
      left -= width;
    }
    return pieces;
  }
  for (unsigned bit = signal.start % 8U; left > 0; ++byte, bit = 7) {
    const unsigned width = std::min(bit + 1U, left);
    left -= width;
    pieces.push_back({byte, bit + 1U - width, width, left});
  }
  return pieces;
}

bool fits(const DbcSignal& signal, unsigned bytes) {
  const unsigned first = signal.order == ByteOrder::little
                             ? signal.start
                             : signal.start / 8U * 8U + (7U - signal.start % 8U);
  return first + signal.length <= bytes * 8U;
}

std::uint64_t largest_unsigned(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1U;
}
std::int64_t largest_signed(unsigned bits) {
  return static_cast<std::int64_t>(largest_unsigned(bits) >> 1U);
}

}  // namespace takt::codegen
