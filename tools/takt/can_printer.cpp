#include "tools/takt/can_printer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "codegen/dbc/codec.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers without ".0" and to the last digit, as far as JSON readers know 64 bits; what is no number as null.
Json json_of(const DbcSignal& signal, std::uint64_t raw) {
  if (const auto whole = whole_value(signal, raw)) {
    if (*whole >= 0 && *whole <= UINT64_MAX) return static_cast<std::uint64_t>(*whole);
    if (*whole < 0 && *whole >= INT64_MIN) return static_cast<std::int64_t>(*whole);
  }
  constexpr double all_whole = 9007199254740992.0;  // 2^53
  const double value = value_of(signal, raw);
  if (std::fabs(value) <= all_whole && value == std::trunc(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json signals(const DbcMessage& message, const RawValues& raws) {
  Json result = Json::object();
  for (std::size_t k = 0; k < raws.size(); ++k)
    if (raws[k]) result[message.signals[k].name] = json_of(message.signals[k], *raws[k]);
  return result;
}

std::string signals_text(const DbcMessage& message, const RawValues& raws) {
  std::string out;
  for (std::size_t k = 0; k < raws.size(); ++k) {
    if (!raws[k]) continue;
    const auto& signal = message.signals[k];
    const auto* named = value_name(signal, *raws[k]);
    out += "  " + signal.name + "=" + value_text(signal, *raws[k]);
    if (!signal.unit.empty()) out += " " + signal.unit;
    if (named != nullptr) out += " " + *named;
  }
  return out;
}

/// Why there are no signals.
std::string missing(const DbcMessage& message, const can::Frame& frame) {
  if (frame.remote) return "a remote request";
  if (frame.len < message.length)
    return std::to_string(frame.len) + " of " + std::to_string(message.length) + " bytes" +
           (message.fd || message.length <= 8 ? "" : ": a transport protocol sends it in parts");
  return "the message cannot be used";
}

}  // namespace

std::string log_line(const LoggedFrame& logged) {
  std::array<char, 64> stamp{};
  std::snprintf(stamp.data(), stamp.size(), "(%017.6f) ", logged.time_s);
  return stamp.data() + (logged.channel.empty() ? "can" : logged.channel) + " " + frame_text(logged.frame);
}

bool FramePrinter::print(const LoggedFrame& logged) const {
  const auto* message = dbc_ != nullptr ? dbc_->heard_as(logged.frame.id, logged.frame.extended) : nullptr;
  if (!wanted(logged.frame, message)) return false;
  RawValues raws;
  if (message != nullptr && !logged.frame.remote)
    raws = decode_raw(*message, {logged.frame.data.data(), logged.frame.len});
  const bool decoded = message != nullptr && raws.size() == message->signals.size() && message->usable &&
                       !logged.frame.remote && logged.frame.len >= message->length;
  if (json_) {
    Json line{{"time_s", std::round(logged.time_s * 1e6) / 1e6},
              {"channel", logged.channel},
              {"frame", frame_text(logged.frame)}};
    if (message != nullptr) line["message"] = message->name;
    if (decoded) line["signals"] = signals(*message, raws);
    if (message != nullptr && !decoded) line["not_decoded"] = missing(*message, logged.frame);
    std::puts(line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    return true;
  }
  std::string line = log_line(logged);
  if (message != nullptr) {
    constexpr std::size_t column = 56;  // of names, behind most classic frames
    line.resize(std::max(line.size() + 2, column), ' ');
    line += message->name + (decoded ? signals_text(*message, raws) : "  (" + missing(*message, logged.frame) + ")");
  }
  std::puts(line.c_str());
  return true;
}

bool FramePrinter::wants(const LoggedFrame& logged) const {
  return wanted(logged.frame, dbc_ != nullptr ? dbc_->heard_as(logged.frame.id, logged.frame.extended) : nullptr);
}

bool FramePrinter::wanted(const can::Frame& frame, const DbcMessage* message) const {
  if (only_.empty()) return true;
  const std::string text = frame_text(frame), id = text.substr(0, text.find('#'));
  return std::any_of(only_.begin(), only_.end(),
                     [&](const auto& name) { return name == id || (message != nullptr && name == message->name); });
}

}  // namespace takt::tools
