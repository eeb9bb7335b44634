// --bus NAME.KEY=VALUE: settings of a bus from the command line, and what goes wrong on it from the beginning.

#include <algorithm>
#include <stdexcept>

#include "runtime/io/can/line.hpp"
#include "runtime/io/port_number.hpp"
#include "runtime/units/nearest.hpp"

namespace takt::can {
namespace {

bool flag(const std::string& key, const std::string& value) {
  for (const auto& [text, meaning] :
       {std::pair{"true", true}, {"yes", true}, {"1", true}, {"false", false}, {"no", false}, {"0", false}})
    if (value == text) return meaning;
  throw std::runtime_error("--bus " + key + "=" + value + ": write true (yes) or false (no)");
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
    if (!line.virtual_said) line.virtual_only = false;  // who names an interface means it
  } else if (what == "port") {
    line.port = port_number(key, value);
  } else if (what == "virtual") {
    line.virtual_only = flag(key, value), line.virtual_said = true;
  } else if (what == "token") {
    line.token = value;
  } else if (what == "trace") {
    line.trace_formats = formats(key, value);
  } else if (what.starts_with("send.")) {
    line.disturb(line.sent_infos(), line.send_faults, {key, what.substr(5), value, "sent"});
  } else if (what.starts_with("receive.")) {
    line.disturb(line.received_infos(), line.receive_faults, {key, what.substr(8), value, "received"});
  } else if (what.starts_with("node.")) {
    line.disturb_node({key, what.substr(5), value, ""});
  } else if (what.starts_with("gateway.")) {
    line.disturb_gateway({key, what.substr(8), value, ""});
  } else if (what == "bus") {
    line.disturb_bus({key, "", value, ""});
  } else {
    throw std::runtime_error(
        "--bus " + key +
        ": write NAME.channel, NAME.port, NAME.virtual, NAME.token or NAME.trace, or a fault: of a message "
        "NAME.send.MESSAGE or NAME.receive.MESSAGE, of a node NAME.node.NODE, of a gateway NAME.gateway.GATEWAY, of "
        "the bus NAME.bus");
  }
}

void CanPort::Line::disturb_node(const Disturbance& what) {
  const std::vector<std::string> names(plan.nodes.begin(), plan.nodes.end());
  const auto found = std::find(names.begin(), names.end(), what.place);
  if (found == names.end()) {
    const std::string hint = did_you_mean(what.place, names);
    throw std::runtime_error("--bus " + what.key + ": no node '" + what.place + "' sends what the rig carries" +
                             (hint.empty() ? "" : "; " + hint));
  }
  try {
    bus_faults.inject(static_cast<std::size_t>(found - names.begin()), parse_node_fault(what.fault));
  } catch (const std::exception& error) {
    throw std::runtime_error("--bus " + what.key + "=" + what.fault + ": " + error.what());
  }
  disturbed.push_back("node " + what.place + ": " + what.fault);
}

void CanPort::Line::disturb_gateway(const Disturbance& what) {
  std::vector<std::string> names;
  for (const RoutePlan& route : plan.routes) names.emplace_back(route.name);
  const auto found = std::find(names.begin(), names.end(), what.place);
  if (found == names.end()) {
    const std::string hint = did_you_mean(what.place, names);
    throw std::runtime_error("--bus " + what.key + ": no gateway '" + what.place + "' takes frames from this bus" +
                             (hint.empty() ? "" : "; " + hint));
  }
  try {
    gateway_faults.inject(static_cast<std::size_t>(found - names.begin()), parse_node_fault(what.fault));
  } catch (const std::exception& error) {
    throw std::runtime_error("--bus " + what.key + "=" + what.fault + ": " + error.what());
  }
  disturbed.push_back("gateway " + what.place + ": " + what.fault);
}

void CanPort::Line::disturb_bus(const Disturbance& what) {
  try {
    bus_faults.inject(bus_faults.nodes(), parse_bus_fault(what.fault));
  } catch (const std::exception& error) {
    throw std::runtime_error("--bus " + what.key + "=" + what.fault + ": " + error.what());
  }
  disturbed.push_back("the bus: " + what.fault);
}

/// Every page of a multiplexed message.
void CanPort::Line::disturb(const std::vector<const MessageInfo*>& messages, FrameFaults& faults,
                            const Disturbance& what) {
  std::vector<std::string> names;
  bool is_known = false;
  for (std::size_t k = 0; k < messages.size(); ++k) {
    names.emplace_back(messages[k]->name);
    if (names.back() != what.place) continue;
    try {
      const FrameFault fault = parse_frame_fault(what.fault, *messages[k]);
      faults.inject(k, fault);
      if (!is_known) disturbed.push_back("fault of " + what.place + ", " + what.direction + ": " + what.fault);
    } catch (const std::exception& error) {
      throw std::runtime_error("--bus " + what.key + "=" + what.fault + ": " + error.what());
    }
    is_known = true;
  }
  if (is_known) return;
  const std::string hint = did_you_mean(what.place, names);
  throw std::runtime_error("--bus " + what.key + ": no message '" + what.place + "' is " + what.direction +
                           " on this bus" + (hint.empty() ? "" : "; " + hint));
}

}  // namespace takt::can
