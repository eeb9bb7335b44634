#pragma once
// A frame as candump -L, cansend and canplayer write it.

#include <string>
#include <string_view>

#include "runtime/io/can/frame.hpp"

namespace takt::can {

/// "123#1122", "1FFFFFFF#", "123#R4", "123##1AABB" (CAN FD; flags: 1 bit-rate switch, 2 error state), behind `out`.
inline void append_frame_text(std::string& out, const Frame& frame) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (int nibble = frame.extended ? 7 : 2; nibble >= 0; --nibble) out += digits[frame.id >> (4 * nibble) & 0xFU];
  out += '#';
  if (frame.remote) {
    out += 'R';
    if (frame.len > 0) out += std::to_string(frame.len);
    return;
  }
  if (frame.fd) {
    out += '#';
    out += digits[(frame.brs ? 1U : 0U) | (frame.esi ? 2U : 0U)];
  }
  for (std::size_t k = 0; k < frame.len; ++k) {
    out += digits[frame.data[k] >> 4U];
    out += digits[frame.data[k] & 0xFU];
  }
}

}  // namespace takt::can
