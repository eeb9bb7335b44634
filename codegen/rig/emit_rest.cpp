#include "codegen/rig/emit_rest.hpp"

#include <algorithm>

#include "codegen/dbc/codec.hpp"
#include "codegen/dbc/emit_bits.hpp"
#include "codegen/rig/emit_protect.hpp"
#include "codegen/rig/emit_steps.hpp"
#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {
namespace {

/// Raw values of the multiplexer for which there are signals.
bool chooses_signals(const DbcMessage& message, std::size_t multiplexer, std::uint64_t raw) {
  return std::any_of(message.signals.begin(), message.signals.end(), [&](const DbcSignal& signal) {
    return signal.multiplexed_by == multiplexer &&
           std::any_of(
               signal.mux_values.begin(), signal.mux_values.end(),
               [&](const MuxRange& range) { return raw >= range.first && raw <= range.last; });
  });
}

/// Start values. A multiplexer whose start value chooses nothing takes the first that does:
/// receivers could not decode the frame otherwise.
std::vector<std::uint8_t> start_data(const DbcMessage& message) {
  RawValues raws(message.signals.size());
  for (std::size_t k = 0; k < message.signals.size(); ++k) {
    const DbcSignal& signal = message.signals[k];
    if (!signal.multiplexer || !signal.usable) continue;
    const std::uint64_t raw = raw_of(signal, default_value(signal));
    std::optional<std::uint64_t> first;
    for (const DbcSignal& other : message.signals)
      if (other.multiplexed_by == k)
        for (const MuxRange& range : other.mux_values)
          first = std::min(first.value_or(range.first), range.first);
    raws[k] = first && !chooses_signals(message, k, raw) ? *first : raw;
  }
  return encode_raw(message, raws);
}

}  // namespace

BusNodes::BusNodes(const BusMap& bus) : bus_(bus) {
  std::vector<std::string> senders;
  for (const auto* maps : {&bus.receive, &bus.send})
    for (const MessageMap& map : *maps) senders.push_back(sender(map.message));
  for (const RestMessage& rest : bus.rest) senders.push_back(sender(rest.message));
  for (const std::string& node : bus.dbc->nodes)
    if (std::find(senders.begin(), senders.end(), node) != senders.end()) names_.push_back(node);
  for (const std::string& node : senders)  // those that the database does not list
    if (!node.empty() && std::find(names_.begin(), names_.end(), node) == names_.end())
      names_.push_back(node);
}

/// Of several the one that the plant plays.
std::string BusNodes::sender(std::size_t message) const {
  const auto& senders = bus_.dbc->messages[message].senders;
  const auto ours = std::find_if(senders.begin(), senders.end(), [&](const std::string& name) {
    return std::find(bus_.simulate.begin(), bus_.simulate.end(), name) != bus_.simulate.end();
  });
  return senders.empty() ? "" : ours != senders.end() ? *ours : senders.front();
}

void BusNodes::add_node(Aggregate& plan, std::size_t message) const {
  const auto it = std::find(names_.begin(), names_.end(), sender(message));
  if (it != names_.end()) plan.number("node", it - names_.begin());
}

void BusNodes::write(Writer& text) const {
  text.line("constexpr std::array<const char*, " + std::to_string(names_.size()) + "> nodes_" +
            bus_.name + "{" + separated(names_, string_literal) + "};");
}

void write_rest(Writer& text, const BusMap& bus, const BusNodes& nodes) {
  std::vector<std::string> rows;
  for (const RestMessage& rest : bus.rest) {
    const DbcMessage& message = bus.dbc->messages[rest.message];
    const std::string bits = "rest_" + bus.name + "_" + std::to_string(rest.message);
    write_bits(text, message, bits);
    Aggregate info, row;
    info.text("name", message.name).number("id", message.id).number("extended", message.extended);
    info.number("fd", message.fd).number("brs", message.brs).number("length", message.length);
    info.number("period_ns", rest.period_ns).code("signals", bits);
    add_protection(info, bus, rest.message);
    const auto byte_text = [](std::uint8_t byte) { return std::to_string(byte); };
    row.code("info", info.code()).number("delay_ns", rest.delay_ns);
    row.code("data", "{" + separated(start_data(message), byte_text) + "}");
    nodes.add_node(row, rest.message);
    rows.push_back(row.code());
  }
  write_array(text, {"can::RestPlan", "rest_" + bus.name}, rows);
}

void add_rest_start(Aggregate& plan, const BusMap& bus) {
  Aggregate start;
  if (bus.rest_waits_for_frame)
    start.code("kind", "can::RestStart::Kind::heard").text("text", "a frame of somebody else");
  else if (!bus.rest_waits_for)
    return;
  else
    add_comparison(
        start.code("kind", "can::RestStart::Kind::when").text("text", bus.rest_waits_for->text),
        *bus.rest_waits_for);
  plan.code("rest_start", start.code());
}

}  // namespace takt::codegen
