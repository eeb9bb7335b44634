#include "tools/takt/can_encode.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "codegen/dbc/codec.hpp"
#include "codegen/text/nearest.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

using Json = nlohmann::ordered_json;
using Assignments = std::vector<std::pair<std::string, std::string>>;

std::string hint_of(const std::string& name, const std::vector<std::string>& names) {
  const std::string hint = did_you_mean(name, names);
  return hint.empty() ? "" : "; " + hint;
}

const DbcMessage& sendable(const Dbc& dbc, const std::string& name) {
  const auto* message = dbc.find(name);
  if (message == nullptr) {
    std::vector<std::string> names;
    for (const auto& m : dbc.messages) names.push_back(m.name);
    throw UsageError(names.empty() ? "the database has no messages; is it a DBC file, or empty?"
                                   : "no message '" + name + "' in the database" + hint_of(name, names));
  }
  if (!message->is_one_frame())
    throw UsageError(
        "message " + name + " has " + std::to_string(message->length) +
        " bytes and is no one frame: a transport protocol sends it in parts" +
        (message->usable ? "; a CAN FD message has VFrameFormat 14 or 15 in the database, or --fd says so" : ""));
  return *message;
}

std::uint64_t raw_value(const DbcMessage& message, const DbcSignal& signal, const std::string& text) {
  if (const auto raw = raw_of_text(signal, text)) {
    if (holds_text(signal, text)) return *raw;
    throw UsageError("'" + signal.name + "=" + text + "': " + message.name + "." + signal.name +
                     " does not hold this value; it holds " + field_text(signal) + ": give one of these");
  }
  for (const auto& named : signal.values)
    if (named.name == text) return raw_of_name(signal, named);
  throw UsageError("'" + signal.name + "=" + text + "': write " + signal.name + "=NUMBER" +
                   (signal.values.empty() ? "" : ", or the name of a value"));
}

/// "4", "0 to 3 or 7", as values of the multiplexer.
std::string choices_text(const DbcSignal& multiplexer, const DbcSignal& signal) {
  std::string text;
  for (const MuxRange& range : signal.mux_values) {
    text += (text.empty() ? "" : " or ") + value_text(multiplexer, range.first);
    if (range.last != range.first) text += " to " + value_text(multiplexer, range.last);
  }
  return text;
}

/// A signal that is given is in the frame: each of its multiplexers is given, too, with a value that chooses it.
void check_chosen(const DbcMessage& message, const RawValues& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!values[k] || !message.signals[k].multiplexed_by) continue;
    const DbcSignal& signal = message.signals[k];
    const DbcSignal& multiplexer = message.signals[*signal.multiplexed_by];
    const auto chosen = values[*signal.multiplexed_by];
    const bool is_there =
        chosen && std::any_of(signal.mux_values.begin(), signal.mux_values.end(),
                              [&](const MuxRange& r) { return *chosen >= r.first && *chosen <= r.last; });
    if (is_there) continue;
    const std::string choices = choices_text(multiplexer, signal);
    throw UsageError("signal " + message.name + "." + signal.name + " is in a frame only where " + multiplexer.name +
                     " is " + choices + ", and " + multiplexer.name +
                     (chosen ? " is given as " + value_text(multiplexer, *chosen) : " is not given") + ": write " +
                     multiplexer.name + "=" + value_text(multiplexer, signal.mux_values.front().first) + ", or leave " +
                     signal.name + " out");
  }
}

can::Frame frame_of(const DbcMessage& message, const Assignments& assignments) {
  RawValues values(message.signals.size());
  for (const auto& [name, text] : assignments) {
    const auto index = find_signal(message, name);
    if (!index) {
      std::vector<std::string> names;
      for (const auto& s : message.signals) names.push_back(s.name);
      throw UsageError("message " + message.name + " has no signal '" + name + "'" + hint_of(name, names));
    }
    if (!message.signals[*index].usable)
      throw UsageError("signal " + message.name + "." + name + " cannot be used: see `takt can show`");
    if (values[*index]) throw UsageError("signal " + message.name + "." + name + " is given twice: give it once");
    values[*index] = raw_value(message, message.signals[*index], text);
  }
  check_chosen(message, values);
  can::Frame frame;
  frame.id = message.id;
  frame.extended = message.extended;
  frame.fd = message.fd;
  frame.brs = message.fd && message.brs;
  for (const auto byte : encode_raw(message, values)) frame.data[frame.len++] = byte;
  return frame;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "nan" : value.dump();
}

}  // namespace

can::Frame message_frame(const Dbc& dbc, const std::vector<std::string>& what) {
  const auto& message = sendable(dbc, what.front());
  Assignments assignments;
  for (std::size_t k = 1; k < what.size(); ++k) {
    const auto equals = what[k].find('=');
    if (equals == std::string::npos) throw UsageError("'" + what[k] + "': write SIGNAL=VALUE");
    assignments.emplace_back(what[k].substr(0, equals), what[k].substr(equals + 1));
  }
  return frame_of(message, assignments);
}

LoggedFrame json_frame(const Dbc& dbc, const std::string& line) {
  const auto object = json_or_none<Json>(line);
  if (!object.is_object()) throw UsageError("no JSON object: " + line.substr(0, 60));
  LoggedFrame logged;
  const bool has_frame = LogReader().read(line, logged) == LogReader::Line::frame;
  const auto name = object.find("message"), signals = object.find("signals");
  if (name != object.end() && name->is_string() && signals != object.end() && signals->is_object()) {
    Assignments assignments;
    for (const auto& [signal, value] : signals->items()) assignments.emplace_back(signal, text_of(value));
    logged.frame = frame_of(sendable(dbc, name->get<std::string>()), assignments);
    if (const auto time = object.find("time_s"); time != object.end() && time->is_number()) logged.time_s = *time;
    if (const auto channel = object.find("channel"); channel != object.end() && channel->is_string())
      logged.channel = channel->get<std::string>();
  } else if (!has_frame) {
    throw UsageError("neither \"message\" and \"signals\" nor \"frame\" in " + line.substr(0, 60));
  }
  return logged;
}

}  // namespace takt::tools
