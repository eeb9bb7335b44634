#include "tools/takt/can_log.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/io/can/frame_text.hpp"
#include "runtime/json/parse_json.hpp"

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
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool set_id(can::Frame& frame, std::optional<std::uint32_t> id, bool extended) {
  frame.extended = extended;
  frame.id = id.value_or(0);
  return id && *id <= (extended ? 0x1FFFFFFFU : 0x7FFU);
}

/// Behind the data of a classic frame: "_9" to "_F", a DLC above 8, which means 8 bytes as well.
bool is_dlc_suffix(std::string_view text) {
  const auto dlc = text.size() == 2 && text.front() == '_' ? whole<std::uint8_t>(text.substr(1), 16) : std::nullopt;
  return dlc && *dlc > 8;
}

/// Behind "R": the length, "8_D" with a DLC above 8.
bool read_remote(std::string_view text, can::Frame& frame) {
  frame.remote = true;
  if (text.empty()) return true;
  const auto length = whole<std::uint8_t>(text.substr(0, 1), 10);
  if (!length || *length > 8) return false;
  frame.len = *length;
  return text.size() == 1 || (*length == 8 && is_dlc_suffix(text.substr(1)));
}

bool read_bytes(std::string_view& rest, can::Frame& frame, std::size_t count, int base) {
  for (std::size_t k = 0; k < count; ++k) {
    const auto byte = whole<std::uint8_t>(next_word(rest), base);
    if (!byte) return false;
    frame.data[frame.len++] = *byte;
  }
  return true;
}

/// "R" and "T" behind a frame of candump, "Rx" and "Tx" in an ASC file.
LoggedFrame::Way way_of(std::string_view word) {
  if (word == "R" || word == "Rx") return LoggedFrame::Way::received;
  return word == "T" || word == "Tx" ? LoggedFrame::Way::sent : LoggedFrame::Way::unknown;
}

constexpr std::uint32_t error_frame = 0x20000000;  // CAN_ERR_FLAG in candump's ids

}  // namespace

std::optional<can::Frame> parse_frame_text(std::string_view text) {
  const auto hash = text.find('#');
  if (hash == std::string_view::npos) return std::nullopt;
  can::Frame frame;
  if (!set_id(frame, whole<std::uint32_t>(text.substr(0, hash), 16), hash > 3)) return std::nullopt;
  std::string_view data = text.substr(hash + 1);
  std::size_t room = 8;
  if (data.starts_with('R')) return read_remote(data.substr(1), frame) ? std::optional(frame) : std::nullopt;
  if (data.starts_with('#')) {
    const auto flags = whole<std::uint8_t>(data.substr(1, 1), 16);
    if (!flags) return std::nullopt;
    frame.fd = true;
    frame.brs = (*flags & 1U) != 0;
    frame.esi = (*flags & 2U) != 0;
    data.remove_prefix(2);
    room = 64;
  }
  while (!data.empty()) {
    if (data.front() == '.') {  // candump's readable form: 11.22.33
      data.remove_prefix(1);
      continue;
    }
    if (frame.len == 8 && !frame.fd && is_dlc_suffix(data)) break;
    const auto byte = data.size() >= 2 ? whole<std::uint8_t>(data.substr(0, 2), 16) : std::nullopt;
    if (!byte || frame.len >= room) return std::nullopt;
    frame.data[frame.len++] = *byte;
    data.remove_prefix(2);
  }
  return frame;
}

std::string frame_text(const can::Frame& frame) {
  std::string out;
  can::append_frame_text(out, frame);
  return out;
}

LogReader::Line LogReader::read(std::string_view line, LoggedFrame& out) {
  std::string_view rest = line;
  const auto first = next_word(rest);
  if (first.empty()) return Line::empty;
  if (first.front() == '(') return read_candump(line, out);
  if (first.front() == '{') {
    const auto object = json_or_none<nlohmann::json>(line);
    if (!object.is_object() || !object.contains("frame") || !object["frame"].is_string()) return Line::not_understood;
    const auto frame = parse_frame_text(object["frame"].get<std::string>());
    if (!frame) return Line::not_understood;
    const auto time = object.find("time_s"), channel = object.find("channel");
    out = {time != object.end() && time->is_number() ? time->get<double>() : 0.0,
           channel != object.end() && channel->is_string() ? channel->get<std::string>() : "", *frame};
    return Line::frame;
  }
  (void)next_word(rest);
  if (next_word(rest).starts_with('[')) return read_table(line, out);
  return read_asc(line, out);
}

/// "(1436509052.249713) vcan0 044#2A366C2BBA"; with other options: "(1436509052.249713)  vcan0  044   [5]  2A 36 ..."
LogReader::Line LogReader::read_candump(std::string_view line, LoggedFrame& out) {
  auto stamp = next_word(line);
  if (stamp.size() < 3 || stamp.back() != ')') return Line::not_understood;
  const auto time = seconds(stamp.substr(1, stamp.size() - 2));
  if (!time) return Line::not_understood;
  std::string_view rest = line;
  const auto channel = next_word(rest), text = next_word(rest);
  const auto hash = text.find('#');
  if (hash == std::string_view::npos) {
    const auto kind = read_table(line, out);
    out.time_s = *time;
    return kind;
  }
  if ((whole<std::uint32_t>(text.substr(0, hash), 16).value_or(0) & error_frame) != 0) return Line::event;
  const auto frame = parse_frame_text(text);
  if (!frame) return Line::not_understood;
  out = {*time, std::string(channel), *frame, way_of(next_word(rest))};
  return Line::frame;
}

/// What candump prints for people: "vcan0  044   [5]  2A 36 6C 2B BA"; CAN FD: "[05]"; "remote request"
LogReader::Line LogReader::read_table(std::string_view line, LoggedFrame& out) {
  out = {};
  out.channel = std::string(next_word(line));
  const auto id = next_word(line), length = next_word(line);
  const auto number = whole<std::uint32_t>(id, 16);
  if ((number.value_or(0) & error_frame) != 0) return Line::event;
  if (!set_id(out.frame, number, id.size() > 3)) return Line::not_understood;
  if (length.size() < 3 || length.size() > 4 || length.front() != '[' || length.back() != ']')
    return Line::not_understood;
  const auto bytes = whole<std::uint8_t>(length.substr(1, length.size() - 2), 10);
  out.frame.fd = length.size() == 4;
  if (!bytes || *bytes > (out.frame.fd ? 64U : 8U)) return Line::not_understood;
  std::string_view rest = line;
  if (next_word(rest) == "remote") {
    out.frame.remote = true;
    out.frame.len = *bytes;
    return out.frame.fd ? Line::not_understood : Line::frame;
  }
  return read_bytes(line, out.frame, *bytes, 16) ? Line::frame : Line::not_understood;
}

LogReader::Line LogReader::read_asc(std::string_view line, LoggedFrame& out) {
  std::string_view rest = line;
  const auto first = next_word(rest);
  constexpr std::array<std::string_view, 6> heads{"date", "base", "internal", "no", "Begin", "End"};
  if (std::find(heads.begin(), heads.end(), first) != heads.end() || first.starts_with("//")) {
    if (first == "base") {
      base_ = next_word(rest) == "dec" ? 10 : 16;
      (void)next_word(rest);  // timestamps
      relative_ = next_word(rest) == "relative";
    }
    asc_ = asc_ || first == "date" || first == "base";
    return asc_ ? Line::head : Line::not_understood;
  }
  const auto time = seconds(first);
  if (!time) return asc_ ? Line::head : Line::not_understood;
  now_s_ = relative_ ? now_s_ + *time : *time;
  out = {};
  out.time_s = now_s_;
  std::string_view behind = rest;
  const auto channel = next_word(behind);
  if (channel == "CANFD") return read_asc_fd_frame(behind, out);
  if (whole<unsigned>(channel, 10)) return read_asc_frame(rest, out);
  return asc_ ? Line::event : Line::not_understood;  // "Start of measurement", "CAN 1 Status:", "J1939TP", ...
}

/// "1  6F9   Rx   d 8 05 0C 00 00 00 00 00 00  Length = ..."
LogReader::Line LogReader::read_asc_frame(std::string_view rest, LoggedFrame& out) const {
  out.channel = std::string(next_word(rest));
  auto id = next_word(rest);
  if (asc_ && (id.ends_with(':') || id.ends_with("Frame") || id == "J1939TP"))
    return Line::event;  // "Statistic:", "ErrorFrame"
  const bool extended = id.ends_with('x') || id.ends_with('X');
  if (extended) id.remove_suffix(1);
  if (!set_id(out.frame, whole<std::uint32_t>(id, base_), extended)) return Line::not_understood;
  out.way = way_of(next_word(rest));
  const auto kind = next_word(rest), word = next_word(rest);
  const auto dlc = whole<unsigned>(word, base_);
  out.frame.remote = kind == "r";
  if (out.frame.remote) {  // older files give no length, newer ones go on with "Length = ..."
    out.frame.len = static_cast<std::uint8_t>(std::min(dlc.value_or(0), 8U));
    return Line::frame;
  }
  if (kind != "d" || !dlc || *dlc > 15) return Line::not_understood;
  return read_bytes(rest, out.frame, std::min(*dlc, 8U), base_) ? Line::frame : Line::not_understood;
}

/// "1 Rx 300 [name] brs esi dlc length bytes duration length flags ..."; classic frames stand there too, without the
/// flag EDL among others, and remote ones, which CAN FD does not have, with a DLC but no bytes.
LogReader::Line LogReader::read_asc_fd_frame(std::string_view rest, LoggedFrame& out) const {
  out.channel = std::string(next_word(rest));
  out.way = way_of(next_word(rest));
  auto id = next_word(rest);
  if (id.ends_with("Frame")) return Line::event;
  const bool extended = id.ends_with('x') || id.ends_with('X');
  if (extended) id.remove_suffix(1);
  if (!set_id(out.frame, whole<std::uint32_t>(id, base_), extended)) return Line::not_understood;
  auto word = next_word(rest);
  if (word != "0" && word != "1") word = next_word(rest);  // a symbolic name stood there
  const bool brs = word == "1";
  (void)next_word(rest);  // esi
  const auto dlc = whole<unsigned>(next_word(rest), base_);
  const auto length = whole<unsigned>(next_word(rest), 10);
  if (!dlc || *dlc > 15 || !length || *length > 64) return Line::not_understood;
  if (!read_bytes(rest, out.frame, *length, base_)) return Line::not_understood;
  (void)next_word(rest), (void)next_word(rest);  // duration and length in bits
  const auto flags = whole<std::uint32_t>(next_word(rest), 16);
  constexpr std::uint32_t rtr = 0x10, edl = 0x1000;
  out.frame.remote = (*length == 0 && *dlc > 0) || (flags && (*flags & (rtr | edl)) == rtr);
  out.frame.fd = !out.frame.remote && (*length > 8 || flags.value_or(0) == 0 || (*flags & edl) != 0);
  out.frame.brs = out.frame.fd && brs;
  if (out.frame.remote) {
    out.frame.len = static_cast<std::uint8_t>(std::min(*dlc, 8U));
    out.frame.data = {};
  }
  return Line::frame;
}

std::string_view foreign_log(std::string_view beginning) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known{{
      {"LOGG", "Vector BLF"},
      {";$FILEVERSION", "PEAK TRC"},
      {"timestamp,", "CSV"},
      {"MDF ", "ASAM MDF"},
      {"UnFinMF ", "unfinished ASAM MDF"},
      {"SQLite format 3", "SQLite"},
      {"\x1F\x8B", "gzip"},
      {"PK\x03\x04", "zip"},
  }};
  for (const auto& [start, name] : known)
    if (beginning.starts_with(start)) return name;
  return {};
}

}  // namespace takt::tools
