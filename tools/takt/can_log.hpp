#pragma once
// Lines of CAN logs (candump -L, candump's table, Vector ASC, JSON lines of `takt can`) and frames on a command line.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/io/can/frame.hpp"

namespace takt::tools {

struct LoggedFrame {
  double time_s = 0.0;
  std::string channel;
  can::Frame frame;
  enum class Way : std::uint8_t { unknown, received, sent } way = Way::unknown;  ///< for whom has recorded it
};

/// "123#1122", "1FFFFFFF#", "123#R4", "123##1AABB" (CAN FD, flag digit 1: bit-rate switch): as cansend takes it.
/// Three digits are a standard id, eight an extended one. "_9" to "_F" behind eight bytes is a DLC above 8.
[[nodiscard]] std::optional<can::Frame> parse_frame_text(std::string_view text);
[[nodiscard]] std::string frame_text(const can::Frame& frame);

/// Reads one log line after the other; remembers what the head of an ASC file says ("base dec", "timestamps relative").
class LogReader {
 public:
  enum class Line {
    frame,
    empty,
    head,           ///< of an ASC file: date, comments, trigger blocks
    event,          ///< understood, and no frame: error frames, statistics
    not_understood  ///< of no format known here, or a frame that makes no sense
  };
  Line read(std::string_view line, LoggedFrame& out);

 private:
  Line read_candump(std::string_view line, LoggedFrame& out);
  Line read_table(std::string_view line, LoggedFrame& out);
  Line read_asc(std::string_view line, LoggedFrame& out);
  Line read_asc_frame(std::string_view rest, LoggedFrame& out) const;
  Line read_asc_fd_frame(std::string_view rest, LoggedFrame& out) const;
  int base_ = 16;
  bool asc_ = false, relative_ = false;
  double now_s_ = 0.0;  ///< relative: of the line before
};

/// The format of a log that is none of ours, by its first bytes and for people ("Vector BLF"); empty: not known.
[[nodiscard]] std::string_view foreign_log(std::string_view beginning);

}  // namespace takt::tools
