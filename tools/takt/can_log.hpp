#pragma once
// Lines of CAN logs (candump -L, Vector ASC) and frames on a command line.

#include <optional>
#include <string>
#include <string_view>

#include "runtime/io/can/frame.hpp"

namespace takt::tools {

struct LoggedFrame {
  double time_s = 0.0;
  std::string channel;
  can::Frame frame;
};

/// "123#1122", "1FFFFFFF#", "123#R", "123##1AABB" (CAN FD, flag digit 1: bit-rate switch): as cansend takes it.
/// Three digits are a standard id, eight an extended one.
[[nodiscard]] std::optional<can::Frame> parse_frame_text(std::string_view text);
[[nodiscard]] std::string frame_text(const can::Frame& frame);

/// Reads one log line after the other; remembers what the head of an ASC file says ("base dec").
class LogReader {
 public:
  enum class Line { frame, empty, head, not_understood };
  Line read(std::string_view line, LoggedFrame& out);

 private:
  Line read_candump(std::string_view line, LoggedFrame& out);
  Line read_asc(std::string_view line, LoggedFrame& out);
  int base_ = 16;
};

}  // namespace takt::tools
