// Multiplexed messages that the plant sends: one frame for each value of an open multiplexer.

#include <algorithm>

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {

bool chooses(const Dbc& dbc, const MessageMap& map, std::size_t signal) {
  const auto& signals = dbc.messages[map.message].signals;
  return std::any_of(map.signals.begin(), map.signals.end(), [&](const SignalMap& other) {
    for (auto by = signals[other.signal].multiplexed_by; by; by = signals[*by].multiplexed_by)
      if (*by == signal) return true;
    return false;
  });
}

MessageMap::Choice choice_of(const Dbc& dbc, const MessageMap& map) {
  bool chosen = false, all_safe = true;
  for (const SignalMap& signal : map.signals) {
    chosen = chosen || (!signal.path.empty() && chooses(dbc, map, signal.signal));
    all_safe = all_safe && (signal.path.empty() || signal.safe);
  }
  if (!chosen) return MessageMap::Choice::none;
  return all_safe ? MessageMap::Choice::all_safe : MessageMap::Choice::stays;
}

std::vector<MessageMap> split_pages(const Dbc& dbc, MessageMap map, Diagnostics& diagnostics) {
  const auto& message = dbc.messages[map.message];
  const auto mapped = [&](std::size_t index) {
    return std::any_of(map.signals.begin(), map.signals.end(),
                       [&](const auto& s) { return s.signal == index; });
  };
  std::optional<std::size_t> open;  // the multiplexer without a value
  for (const auto& signal : map.signals) {
    for (auto by = message.signals[signal.signal].multiplexed_by; by;
         by = message.signals[*by].multiplexed_by) {
      if (mapped(*by) || open == by) continue;
      if (open) {
        diagnostics.error("B032", signal.where,
                          "message " + message.name +
                              " has several multiplexers without a value: " +
                              message.signals[*open].name + " and " + message.signals[*by].name,
                          "give all but one a constant: \"" + message.name + "." +
                              message.signals[*by].name + "\" = 0");
        return {};
      }
      open = by;
    }
  }
  std::vector<MessageMap> pages;
  if (!open) {
    pages.push_back(std::move(map));
    return pages;
  }
  std::vector<std::uint64_t> values;
  for (const auto& signal : map.signals) {
    const auto& dbc_signal = message.signals[signal.signal];
    if (dbc_signal.multiplexed_by == open) values.push_back(dbc_signal.mux_values.front().first);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const auto value : values) {
    MessageMap page = map;
    std::erase_if(page.signals, [&](const auto& s) {
      const auto& dbc_signal = message.signals[s.signal];
      return dbc_signal.multiplexed_by == open &&
             std::none_of(dbc_signal.mux_values.begin(), dbc_signal.mux_values.end(),
                          [&](const auto& r) { return value >= r.first && value <= r.last; });
    });
    SignalMap selector;
    selector.signal = *open;
    selector.selects_page = true;
    selector.constant =
        static_cast<double>(value) * message.signals[*open].factor + message.signals[*open].offset;
    selector.where = map.where;
    page.signals.push_back(selector);
    pages.push_back(std::move(page));
  }
  return pages;
}

}  // namespace takt::codegen
