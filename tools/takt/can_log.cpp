#include "tools/takt/can_log.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace takt::tools {
namespace {

std::string_view next_word(std::string_view& text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return text = {};
  const auto end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
  const auto word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

template <typename Number>
std::optional<Number> whole(std::string_view text, int base) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> seconds(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool set_id(can::Frame& frame, std::optional<std::uint32_t> id, bool extended) {
  frame.extended = extended;
  frame.id = id.value_or(0);
  return id && *id <= (extended ? 0x1FFFFFFFU : 0x7FFU);
}

}  // namespace

std::optional<can::Frame> parse_frame_text(std::string_view text) {
  const auto hash = text.find('#');
  if (hash == std::string_view::npos) return std::nullopt;
  can::Frame frame;
  if (!set_id(frame, whole<std::uint32_t>(text.substr(0, hash), 16), hash > 3)) return std::nullopt;
  std::string_view data = text.substr(hash + 1);
  std::size_t room = 8;
  if (data.starts_with('R')) {
    frame.remote = true;
    const auto length = data.size() > 1 ? whole<std::uint8_t>(data.substr(1), 10) : std::uint8_t{0};
    if (!length || *length > 8) return std::nullopt;
    frame.len = *length;
    return frame;
  }
  if (data.starts_with('#')) {
    const auto flags = whole<std::uint8_t>(data.substr(1, 1), 16);
    if (!flags) return std::nullopt;
    frame.fd = true;
    frame.brs = (*flags & 1U) != 0;
    data.remove_prefix(2);
    room = 64;
  }
  while (!data.empty()) {
    if (data.front() == '.') {  // candump's readable form: 11.22.33
      data.remove_prefix(1);
      continue;
    }
    const auto byte = data.size() >= 2 ? whole<std::uint8_t>(data.substr(0, 2), 16) : std::nullopt;
    if (!byte || frame.len >= room) return std::nullopt;
    frame.data[frame.len++] = *byte;
    data.remove_prefix(2);
  }
  return frame;
}

std::string frame_text(const can::Frame& frame) {
  std::array<char, 16> part{};
  std::snprintf(part.data(), part.size(), frame.extended ? "%08X#" : "%03X#", frame.id);
  std::string out = part.data();
  if (frame.remote) return out + "R";
  if (frame.fd) out += frame.brs ? "#1" : "#0";
  for (std::size_t k = 0; k < frame.len; ++k) {
    std::snprintf(part.data(), part.size(), "%02X", frame.data[k]);
    out += part.data();
  }
  return out;
}

LogReader::Line LogReader::read(std::string_view line, LoggedFrame& out) {
  std::string_view rest = line;
  const auto first = next_word(rest);
  if (first.empty()) return Line::empty;
  return first.front() == '(' ? read_candump(line, out) : read_asc(line, out);
}

/// "(1436509052.249713) vcan0 044#2A366C2BBA"
LogReader::Line LogReader::read_candump(std::string_view line, LoggedFrame& out) {
  auto stamp = next_word(line);
  const auto channel = next_word(line);
  const auto frame = parse_frame_text(next_word(line));
  if (stamp.size() < 3 || stamp.back() != ')' || !frame) return Line::not_understood;
  const auto time = seconds(stamp.substr(1, stamp.size() - 2));
  if (!time) return Line::not_understood;
  out = {*time, std::string(channel), *frame};
  return Line::frame;
}

/// "17.876708 1  6F9   Rx   d 8 05 0C 00 00 00 00 00 00  Length = ..."; CAN FD: "30.005 CANFD 1 Rx 300 [name] brs esi
/// dlc length bytes"
LogReader::Line LogReader::read_asc(std::string_view line, LoggedFrame& out) {
  std::string_view rest = line;
  const auto first = next_word(rest);
  if (first == "base") {
    base_ = next_word(rest) == "dec" ? 10 : 16;
    return Line::head;
  }
  const auto time = seconds(first);
  if (!time) return Line::head;  // date, comments, trigger blocks
  out = {};
  out.time_s = *time;
  auto word = next_word(rest);
  const bool fd = word == "CANFD";
  if (fd) {
    word = next_word(rest);
    (void)next_word(rest);  // Rx or Tx
  }
  out.channel = std::string(word);
  auto id = next_word(rest);
  const bool extended = id.ends_with('x') || id.ends_with('X');
  if (extended) id.remove_suffix(1);
  if (!set_id(out.frame, whole<std::uint32_t>(id, base_), extended)) return Line::not_understood;  // events, statistics
  std::size_t length = 0;
  if (fd) {
    word = next_word(rest);
    if (word != "0" && word != "1") word = next_word(rest);  // a symbolic name stood there
    out.frame.fd = true;
    out.frame.brs = word == "1";
    (void)next_word(rest);  // esi
    (void)next_word(rest);  // dlc
    length = whole<std::size_t>(next_word(rest), 10).value_or(65);
  } else {
    (void)next_word(rest);  // Rx or Tx
    const auto kind = next_word(rest);
    if (kind != "d" && kind != "r") return Line::not_understood;
    out.frame.remote = kind == "r";
    const auto count = next_word(rest);
    length = out.frame.remote ? 0 : whole<std::size_t>(count, 16).value_or(65);
  }
  if (length > (fd ? 64U : 8U)) return Line::not_understood;
  for (std::size_t k = 0; k < length; ++k) {
    const auto byte = whole<std::uint8_t>(next_word(rest), base_);
    if (!byte) return Line::not_understood;
    out.frame.data[out.frame.len++] = *byte;
  }
  return Line::frame;
}

}  // namespace takt::tools
