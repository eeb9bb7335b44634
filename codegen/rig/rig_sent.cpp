// What is checked about messages that the plant sends, once their signals are bound.

#include <algorithm>
#include <cmath>

#include "codegen/dbc/codec.hpp"
#include "codegen/rig/rig_protect.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {

std::int64_t cycle_ns(const DbcMessage& message, std::int64_t shortest_ns,
                      Diagnostics& diagnostics) {
  constexpr std::int64_t hour = 3'600'000'000'000;
  if (!message.cycle_ms) return 0;
  const std::int64_t given = std::llround(std::min(*message.cycle_ms, 1e12) * 1e6);
  const std::int64_t taken = std::clamp(given, shortest_ns, hour);
  if (given != taken)
    diagnostics.warning("B027", message.where,
                        "the GenMsgCycleTime " + number_text(*message.cycle_ms) +
                            " ms of message " + message.name +
                            (given < taken ? " is too short" : " is too long") +
                            ": it is sent every " + duration_text(taken),
                        "give it a period in [bus.NAME.send]: \"" + message.name +
                            "\" = { period = \"" + duration_text(taken) + "\" }");
  return taken;
}

void check_period(const Dbc& dbc, const MessageMap& map, std::int64_t release_ns,
                  Diagnostics& diagnostics) {
  const auto& message = dbc.messages[map.message];
  if (map.period_ns == 0 && !map.on_change) {
    diagnostics.error(
        "B027", map.where,
        "message " + message.name + " has no period: the database gives no GenMsgCycleTime",
        "\"" + message.name + "\" = { period = \"20 ms\" }, or on_change = true");
  } else if (release_ns > 0 && map.period_ns % release_ns != 0) {
    diagnostics.warning("B027", map.where,
                        "the period " + duration_text(map.period_ns) + " of message " +
                            message.name + " is no multiple of the time between releases " +
                            duration_text(release_ns) + ": frames leave at the next one");
  }
}

void check_spacing(const Dbc& dbc, const MessageMap& map, const Location& where,
                   Diagnostics& diagnostics) {
  const std::string& name = dbc.messages[map.message].name;
  if (!map.on_change)
    diagnostics.error("B004", where,
                      "message " + name + " is not sent on change: 'spacing' means nothing",
                      "\"" + name + "\" = { on_change = true, spacing = \"10 ms\" }");
  else if (map.period_ns > 0 && map.spacing_ns > map.period_ns)
    diagnostics.error("B004", where,
                      "the spacing " + duration_text(map.spacing_ns) + " of message " + name +
                          " is longer than its period " + duration_text(map.period_ns),
                      "a cyclic frame would have to wait for it");
}

void warn_about_unmapped(const BusMap& bus, const MessageMap& map, Diagnostics& diagnostics) {
  const Dbc& dbc = *bus.dbc;
  const auto& message = dbc.messages[map.message];
  for (const DbcBroken& broken : dbc.broken) {
    if (broken.message != message.name || broken.signal.empty()) continue;
    diagnostics.warning("B026", map.where,
                        "signal " + message.name + "." + broken.signal + " cannot be read in " +
                            line_text(dbc, broken.where) + ": its bits are sent as 0");
  }
  for (std::size_t k = 0; k < message.signals.size(); ++k) {
    const auto& signal = message.signals[k];
    const bool mapped = std::any_of(map.signals.begin(), map.signals.end(),
                                    [&](const auto& s) { return s.signal == k; });
    if (mapped || !signal.usable || signal.multiplexer || signal.multiplexed_by) continue;
    if (is_written_by_protection(bus, map.message, k)) continue;
    const bool fits = holds(signal, default_value(signal));
    const double sent =
        fits ? default_value(signal) : value_of(signal, raw_of(signal, default_value(signal)));
    diagnostics.warning(
        "B026", map.where,
        "signal " + message.name + "." + signal.name + " is not mapped and always sent as " +
            number_text(sent) +
            (fits ? ""
                  : ": it does not hold its start value " + number_text(default_value(signal))),
        "\"" + message.name + "." + signal.name + "\" = a plant signal or a constant");
  }
}

void warn_about_choice(const Dbc& dbc, const MessageMap& map, Diagnostics& diagnostics) {
  for (const SignalMap& signal : map.signals) {
    const auto& message = dbc.messages[map.message];
    if (!signal.safe || !chooses(dbc, map, signal.signal)) continue;
    diagnostics.warning(
        "B036", signal.where,
        "the safe value of " + message.name + "." + message.signals[signal.signal].name +
            " is not sent for a plant that has died: signals that it chooses have none",
        "give every signal of " + message.name + " that comes from the plant a safe value");
  }
}

}  // namespace takt::codegen
