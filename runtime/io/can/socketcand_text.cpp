#include "runtime/io/can/socketcand_text.hpp"

#include <algorithm>
#include <charconv>

namespace takt::can {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::optional<std::uint32_t> hex_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Up to three digits are a standard id, more an extended one.
bool read_id(std::string_view word, Frame& frame) {
  const auto id = hex_number(word);
  if (!id || word.size() > 8) return false;
  frame.extended = word.size() > 3;
  frame.id = *id;
  return *id <= (frame.extended ? 0x1FFFFFFFU : 0x7FFU);
}

void append(MessageText& message, std::string_view text) {
  for (const char c : text) message.text[message.size++] = c;
}

void append_hex(MessageText& message, std::uint32_t value, int digits) {
  for (int k = digits - 1; k >= 0; --k) message.text[message.size++] = "0123456789ABCDEF"[(value >> (4 * k)) & 0xFU];
}

void append_decimal(MessageText& message, std::int64_t value, int digits) {
  std::array<char, 24> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  for (auto size = end - text.data(); size < digits; ++size) append(message, "0");
  append(message, {text.data(), end});
}

}  // namespace

std::size_t MessageCutter::feed(std::string_view bytes) {
  if (complete_) {
    complete_ = false;
    size_ = 0;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (c == '<') {
      garbage_ += inside_ ? 1U : 0U;
      inside_ = true;
      size_ = 0;
    } else if (!inside_) {
      garbage_ += blank(c) ? 0U : 1U;
    } else if (c == '>') {
      inside_ = false;
      complete_ = true;
      return at + 1;
    } else if (size_ == max_message) {
      inside_ = false;
      ++garbage_;
      ++too_long_;
    } else {
      text_[size_++] = c;
    }
  }
  return bytes.size();
}

std::string_view MessageCutter::message() const {
  std::string_view text(text_.data(), size_);
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view next_word(std::string_view& text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  std::size_t size = 0;
  while (size < text.size() && !blank(text[size])) ++size;
  const auto word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

std::optional<Frame> parse_send(std::string_view arguments) {
  Frame frame;
  if (!read_id(next_word(arguments), frame)) return std::nullopt;
  const auto length = hex_number(next_word(arguments));
  if (!length || *length > 8) return std::nullopt;
  frame.len = static_cast<std::uint8_t>(*length);
  for (std::size_t k = 0; k < *length; ++k) {
    const auto word = next_word(arguments);
    const auto byte = hex_number(word);
    if (!byte || word.size() > 2) return std::nullopt;
    frame.data[k] = static_cast<std::uint8_t>(*byte);
  }
  if (!next_word(arguments).empty()) return std::nullopt;
  return frame;
}

std::optional<Frame> parse_frame(std::string_view arguments) {
  Frame frame;
  if (!read_id(next_word(arguments), frame)) return std::nullopt;
  if (next_word(arguments).empty()) return std::nullopt;  // time stamp of the server
  for (auto word = next_word(arguments); !word.empty(); word = next_word(arguments)) {
    // socketcand writes one run of digits; older servers separate the bytes
    if (word.size() % 2 != 0) return std::nullopt;
    for (; !word.empty(); word.remove_prefix(2)) {
      const auto byte = hex_number(word.substr(0, 2));
      if (!byte || frame.len >= 8) return std::nullopt;
      frame.data[frame.len++] = static_cast<std::uint8_t>(*byte);
    }
  }
  return frame;
}

MessageText frame_message(const Frame& frame, std::int64_t wall_clock_us) {
  MessageText message;
  append(message, "< frame ");
  append_hex(message, frame.id, frame.extended ? 8 : 3);
  append(message, " ");
  append_decimal(message, wall_clock_us / 1'000'000, 1);
  append(message, ".");
  append_decimal(message, wall_clock_us % 1'000'000, 6);
  append(message, " ");
  for (std::size_t k = 0; k < std::min<std::size_t>(frame.len, 8); ++k) append_hex(message, frame.data[k], 2);
  append(message, " >");
  return message;
}

MessageText send_message(const Frame& frame) {
  MessageText message;
  append(message, "< send ");
  append_hex(message, frame.id, frame.extended ? 8 : 3);
  append(message, " ");
  const auto length = std::min<std::size_t>(frame.len, 8);
  append_decimal(message, static_cast<std::int64_t>(length), 1);
  for (std::size_t k = 0; k < length; ++k) {
    append(message, " ");
    append_hex(message, frame.data[k], 2);
  }
  append(message, " >");
  return message;
}

}  // namespace takt::can
