#include "codegen/rig/emit_rest.hpp"

#include <algorithm>

#include "codegen/dbc/codec.hpp"
#include "codegen/dbc/emit_bits.hpp"
#include "codegen/rig/emit_protect.hpp"
#include "codegen/rig/emit_steps.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

/// Raw values of the multiplexer for which there are signals.
bool chooses_signals(const DbcMessage& message, std::size_t multiplexer, std::uint64_t raw) {
  return std::any_of(message.signals.begin(), message.signals.end(), [&](const DbcSignal& signal) {
    return signal.multiplexed_by == multiplexer &&
           std::any_of(signal.mux_values.begin(), signal.mux_values.end(),
                       [&](const MuxRange& range) { return raw >= range.first && raw <= range.last; });
  });
}

/// Start values. A multiplexer whose start value chooses nothing takes the first that does: receivers could not decode
/// the frame otherwise.
std::vector<std::uint8_t> start_data(const DbcMessage& message) {
  RawValues raws(message.signals.size());
  for (std::size_t k = 0; k < message.signals.size(); ++k) {
    const DbcSignal& signal = message.signals[k];
    if (!signal.multiplexer || !signal.usable) continue;
    const std::uint64_t raw = raw_of(signal, default_value(signal));
    std::optional<std::uint64_t> first;
    for (const DbcSignal& other : message.signals)
      if (other.multiplexed_by == k)
        for (const MuxRange& range : other.mux_values) first = std::min(first.value_or(range.first), range.first);
    raws[k] = first && !chooses_signals(message, k, raw) ? *first : raw;
  }
  return encode_raw(message, raws);
}

std::string flag(bool value) { return value ? "true" : "false"; }

}  // namespace

BusNodes::BusNodes(const BusMap& bus) : bus_(bus) {
  std::vector<std::string> senders;
  for (const auto* maps : {&bus.receive, &bus.send})
    for (const MessageMap& map : *maps) senders.push_back(sender(map.message));
  for (const RestMessage& rest : bus.rest) senders.push_back(sender(rest.message));
  for (const std::string& node : bus.dbc->nodes)
    if (std::find(senders.begin(), senders.end(), node) != senders.end()) names_.push_back(node);
  for (const std::string& node : senders)  // those that the database does not list
    if (!node.empty() && std::find(names_.begin(), names_.end(), node) == names_.end()) names_.push_back(node);
}

/// Of several the one that the plant plays.
std::string BusNodes::sender(std::size_t message) const {
  const auto& senders = bus_.dbc->messages[message].senders;
  const auto ours = std::find_if(senders.begin(), senders.end(), [&](const std::string& name) {
    return std::find(bus_.simulate.begin(), bus_.simulate.end(), name) != bus_.simulate.end();
  });
  return senders.empty() ? "" : ours != senders.end() ? *ours : senders.front();
}

std::string BusNodes::field_of(std::size_t message) const {
  const auto it = std::find(names_.begin(), names_.end(), sender(message));
  return it == names_.end() ? "" : ", .node = " + std::to_string(it - names_.begin());
}

std::string BusNodes::table() const {
  std::string list;
  for (const std::string& name : names_) list += (list.empty() ? "" : ", ") + string_literal(name);
  return "constexpr std::array<const char*, " + std::to_string(names_.size()) + "> nodes_" + bus_.name + "{" + list +
         "};\n";
}

std::string rest_table(const BusMap& bus, const BusNodes& nodes) {
  std::string rows, places;
  for (const RestMessage& rest : bus.rest) {
    const DbcMessage& message = bus.dbc->messages[rest.message];
    std::string bytes;
    for (const std::uint8_t byte : start_data(message)) bytes += (bytes.empty() ? "" : ", ") + std::to_string(byte);
    const std::string bits = "rest_" + bus.name + "_" + std::to_string(rest.message);
    places += emit_bits(message, bits);
    rows += "    {.info = {.name = " + string_literal(message.name) + ", .id = " + std::to_string(message.id) +
            ", .extended = " + flag(message.extended) + ", .fd = " + flag(message.fd) +
            ", .brs = " + flag(message.brs) + ", .length = " + std::to_string(message.length) +
            ", .period_ns = " + std::to_string(rest.period_ns) + ", .signals = " + bits +
            protection_field(bus, rest.message) + "}, .delay_ns = " + std::to_string(rest.delay_ns) + ", .data = {" +
            bytes + "}" + nodes.field_of(rest.message) + "},\n";
  }
  return places + "constexpr std::array<can::RestPlan, " + std::to_string(bus.rest.size()) + "> rest_" + bus.name +
         "{" + (rows.empty() ? "" : "{\n" + rows + "}") + "};\n";
}

std::string rest_start_field(const BusMap& bus) {
  const std::string begin = ", .rest_start = {.kind = can::RestStart::Kind::";
  if (bus.rest_waits_for_frame) return begin + "heard, .text = \"a frame of somebody else\"}";
  if (!bus.rest_waits_for) return {};
  const StepMap& step = *bus.rest_waits_for;
  return begin + "when, .text = " + string_literal(step.text) + ", .message = " + std::to_string(step.message) +
         ", .signal = " + std::to_string(step.signal) +
         ", .comparison = can::Comparison::" + comparison_word(step.comparison) +
         ", .value = " + double_literal(step.value) + "}";
}

}  // namespace takt::codegen
