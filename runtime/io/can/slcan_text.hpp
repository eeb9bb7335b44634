#pragma once
// The text protocol of serial CAN adapters (Lawicel's, "slcan"), pure text work: lines that end with a carriage return.
//   tIIILDD..  TIIIIIIIILDD..  classic frame with standard, extended id      rIIIL  RIIIIIIIIL  remote request
//   d D  CAN FD      b B  CAN FD whose data have the higher bit rate;  L is the data length code, one hex digit
// Source: Lawicel AB, CAN232 manual. d, D, b and B are those of the CANable 2.0 firmware, as python-can has them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/io/can/frame.hpp"

namespace takt::can {

/// Cuts a stream of bytes into lines. Holds at most max_line bytes; a longer line is thrown away and counted.
class LineCutter {
 public:
  static constexpr std::size_t max_line = 160;  ///< the longest frame takes 138

  /// Takes bytes until one line is complete. @return bytes taken; complete() says whether a line is ready.
  std::size_t feed(std::string_view bytes);
  [[nodiscard]] bool complete() const { return complete_; }
  /// Without its end; valid until the next feed().
  [[nodiscard]] std::string_view line() const { return {text_.data(), size_}; }
  [[nodiscard]] std::uint64_t too_long() const { return too_long_; }

 private:
  std::array<char, max_line> text_{};
  std::size_t size_ = 0;
  bool complete_ = false, skipping_ = false;
  std::uint64_t too_long_ = 0;
};

/// A line that is a frame; nullopt where it makes no sense.
[[nodiscard]] std::optional<Frame> parse_slcan(std::string_view line);

struct SlcanText {
  std::array<char, 144> text{};
  std::size_t size = 0;
  [[nodiscard]] std::string_view view() const { return {text.data(), size}; }
};
/// "t1232AABB\r"; CAN FD data are padded to a length that exists.
[[nodiscard]] SlcanText slcan_message(const Frame& frame);

}  // namespace takt::can
