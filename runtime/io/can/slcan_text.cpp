#include "runtime/io/can/slcan_text.hpp"

#include <algorithm>
#include <string_view>

#include "runtime/io/can/dlc.hpp"

namespace takt::can {
namespace {

/// @return -1: no hex digit
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::optional<std::uint32_t> hex_number(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char c : digits) {
    if (hex_digit(c) < 0) return std::nullopt;
    value = value << 4U | static_cast<std::uint32_t>(hex_digit(c));
  }
  return value;
}

void append_hex(SlcanText& message, std::uint32_t value, int digits) {
  for (int k = digits - 1; k >= 0; --k) message.text[message.size++] = "0123456789ABCDEF"[(value >> (4 * k)) & 0xFU];
}

/// The first letter of a line says what kind of frame it is.
struct Kind {
  char standard, extended;
  bool fd, brs, remote;
};
constexpr std::array<Kind, 4> kinds{{{'t', 'T', false, false, false},
                                     {'r', 'R', false, false, true},
                                     {'d', 'D', true, false, false},
                                     {'b', 'B', true, true, false}}};

}  // namespace

std::size_t LineCutter::feed(std::string_view bytes) {
  if (complete_) complete_ = false, size_ = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (c == '\r') {
      complete_ = !skipping_;
      skipping_ = false;
      if (!complete_) size_ = 0;
      if (complete_) return at + 1;
    } else if (skipping_ || (c == '\n' && size_ == 0)) {  // terminals end lines with both
      continue;
    } else if (size_ == max_line) {
      skipping_ = true;
      ++too_long_;
      return at + 1;
    } else {
      text_[size_++] = c;
    }
  }
  return bytes.size();
}

std::optional<Frame> parse_slcan(std::string_view line) {
  if (line.empty()) return std::nullopt;
  const auto* const kind = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const Kind& k) { return k.standard == line[0] || k.extended == line[0]; });
  if (kind == kinds.end()) return std::nullopt;
  Frame frame;
  frame.extended = line[0] == kind->extended;
  frame.fd = kind->fd, frame.brs = kind->brs, frame.remote = kind->remote;
  const std::size_t id_digits = frame.extended ? 8 : 3;
  if (line.size() < 1 + id_digits + 1) return std::nullopt;
  const auto id = hex_number(line.substr(1, id_digits));
  const int code = hex_digit(line[1 + id_digits]);
  if (!id || *id > (frame.extended ? 0x1FFFFFFFU : 0x7FFU) || code < 0 || (!frame.fd && code > 8)) return std::nullopt;
  frame.id = *id;
  frame.len = fd_lengths[static_cast<std::size_t>(code)];
  const std::string_view data = line.substr(2 + id_digits);
  if (data.size() != (frame.remote ? 0U : 2U * frame.len)) return std::nullopt;
  for (std::size_t k = 0; k < data.size() / 2; ++k) {
    const auto byte = hex_number(data.substr(2 * k, 2));
    if (!byte) return std::nullopt;
    frame.data[k] = static_cast<std::uint8_t>(*byte);
  }
  return frame;
}

SlcanText slcan_message(const Frame& frame) {
  const auto* const kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) {
    return k.fd == frame.fd && k.remote == frame.remote && (k.brs == frame.brs || !frame.fd);
  });
  SlcanText message;
  if (kind == kinds.end()) return message;  // CAN FD has no remote requests
  const std::uint8_t code = frame.fd ? fd_length_code(frame.len) : std::min<std::uint8_t>(frame.len, 8);
  message.text[message.size++] = frame.extended ? kind->extended : kind->standard;
  append_hex(message, frame.id, frame.extended ? 8 : 3);
  append_hex(message, code, 1);
  for (std::size_t k = 0; !frame.remote && k < fd_lengths[code]; ++k)
    append_hex(message, k < frame.len ? frame.data[k] : 0U, 2);
  message.text[message.size++] = '\r';
  return message;
}

}  // namespace takt::can
