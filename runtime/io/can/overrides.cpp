// --bus NAME.KEY=VALUE: settings of a bus from the command line, and what goes wrong on it from the beginning.

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "runtime/io/can/line.hpp"
#include "runtime/units/nearest.hpp"

namespace takt::can {
namespace {

bool flag(const std::string& key, const std::string& value) {
  for (const auto& [text, meaning] : {std::pair{"true", true}, {"1", true}, {"false", false}, {"0", false}})
    if (value == text) return meaning;
  throw std::runtime_error("--bus " + key + "=" + value + ": write true or false");
}

std::uint16_t port_number(const std::string& key, const std::string& value) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), port);
  if (error == std::errc{} && end == value.data() + value.size() && port <= 65535)
    return static_cast<std::uint16_t>(port);
  throw std::runtime_error("--bus " + key + "=" + value + ": a port is a number from 0 to 65535");
}

TraceFormats formats(const std::string& key, const std::string& value) {
  if (const auto formats = trace_formats_of(value)) return *formats;
  throw std::runtime_error("--bus " + key + "=" + value + ": write candump, mf4, candump,mf4 or off");
}

}  // namespace

void CanPort::override(const std::string& key, const std::string& value) {
  const auto dot = key.find('.');
  const std::string name = key.substr(0, dot);
  const auto it = std::find_if(lines_.begin(), lines_.end(), [&](const auto& l) { return name == l->plan.name; });
  const std::string what = dot == std::string::npos ? "" : key.substr(dot + 1);
  if (it == lines_.end()) throw std::runtime_error("--bus " + key + ": the rig has no bus of this name");
  auto& line = **it;
  if (what == "channel") {
    line.channel = value;
  } else if (what == "port") {
    line.port = port_number(key, value);
  } else if (what == "virtual") {
    line.virtual_only = flag(key, value);
  } else if (what == "token") {
    line.token = value;
  } else if (what == "trace") {
    line.trace_formats = formats(key, value);
  } else if (what.starts_with("send.")) {
    line.disturb(line.plan.send, line.send_faults, {key, what.substr(5), value, "sent"});
  } else if (what.starts_with("receive.")) {
    line.disturb(line.plan.receive, line.receive_faults, {key, what.substr(8), value, "received"});
  } else {
    throw std::runtime_error(
        "--bus " + key +
        ": write NAME.channel, NAME.port, NAME.virtual, NAME.token or NAME.trace, or a fault of a message: "
        "NAME.send.MESSAGE or NAME.receive.MESSAGE");
  }
}

/// Every page of a multiplexed message.
template <class Messages>
void CanPort::Line::disturb(const Messages& messages, FrameFaults& faults, const Disturbance& what) {
  std::vector<std::string> names;
  bool is_known = false;
  for (std::size_t k = 0; k < messages.size(); ++k) {
    names.emplace_back(messages[k].info.name);
    if (names.back() != what.message) continue;
    try {
      const FrameFault fault = parse_frame_fault(what.fault, messages[k].info);
      faults.inject(k, fault);
      if (!is_known) disturbed.push_back("fault of " + what.message + ", " + what.direction + ": " + what.fault);
    } catch (const std::exception& error) {
      throw std::runtime_error("--bus " + what.key + "=" + what.fault + ": " + error.what());
    }
    is_known = true;
  }
  if (is_known) return;
  const std::string hint = did_you_mean(what.message, names);
  throw std::runtime_error("--bus " + what.key + ": no message '" + what.message + "' is " + what.direction +
                           " on this bus" + (hint.empty() ? "" : "; " + hint));
}

}  // namespace takt::can
