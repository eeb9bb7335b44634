#pragma once
// The socketcand text protocol, pure text work: messages "< word ... >" in and out.
// Source: github.com/linux-can/socketcand, doc/protocol.md; python-can's socketcand interface needs exactly:
// "< hi >", "< ok >" alone in their segments, "< frame ID SECONDS HEX >" with 3-digit standard and 8-digit
// extended ids, the data as one run of hex digits, two blanks where there are none.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/io/can/frame.hpp"

namespace takt::can {

/// Cuts a stream of bytes into messages. Holds at most max_message bytes; longer ones and what stands between
/// messages is thrown away and counted.
class MessageCutter {
 public:
  static constexpr std::size_t max_message = 256;

  /// Takes bytes until one message is complete. @return bytes taken; complete() says whether a message is ready.
  std::size_t feed(std::string_view bytes);
  [[nodiscard]] bool complete() const { return complete_; }
  /// What stands between < and >, without outer blanks; valid until the next feed().
  [[nodiscard]] std::string_view message() const;
  [[nodiscard]] std::uint64_t garbage() const { return garbage_; }    ///< bytes and messages thrown away
  [[nodiscard]] std::uint64_t too_long() const { return too_long_; }  ///< messages among them

 private:
  std::array<char, max_message> text_{};
  std::size_t size_ = 0;
  bool inside_ = false, complete_ = false;
  std::uint64_t garbage_ = 0, too_long_ = 0;
};

/// Splits at blanks and takes the next word; empty at the end.
[[nodiscard]] std::string_view next_word(std::string_view& text);

/// "send ID LEN B0 B1 ..." without its first word -> frame; nullopt where it makes no sense.
[[nodiscard]] std::optional<Frame> parse_send(std::string_view arguments);
/// "frame ID SECONDS HEX" without its first word -> frame (stamp not set).
[[nodiscard]] std::optional<Frame> parse_frame(std::string_view arguments);

/// Text of one message in a buffer; classic frames only.
struct MessageText {
  std::array<char, 96> text{};
  std::size_t size = 0;
  [[nodiscard]] std::string_view view() const { return {text.data(), size}; }
};
/// "< frame 123 1.000002 1122 >"
[[nodiscard]] MessageText frame_message(const Frame& frame, std::int64_t wall_clock_us);
/// "< send 123 2 11 22 >"
[[nodiscard]] MessageText send_message(const Frame& frame);

}  // namespace takt::can
