// The rest bus: messages of simulated nodes that carry nothing of the plant.

#include <algorithm>
#include <cmath>

#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000, hour = 3'600'000'000'000;
constexpr std::size_t most_named = 10;  // in a warning

/// GenMsgStartDelayTime, of an hour at most; nothing where there is none.
std::optional<std::int64_t> start_delay_ns(const DbcMessage& message, Diagnostics& diagnostics) {
  if (!message.start_delay_ms) return std::nullopt;
  constexpr double hour_ms = 3.6e6;
  if (*message.start_delay_ms > hour_ms)
    diagnostics.warning("B027", message.where,
                        "the GenMsgStartDelayTime " + number_text(*message.start_delay_ms) +
                            " ms of message " + message.name +
                            " is too long: its first frame is sent after " + duration_text(hour));
  return std::llround(std::min(*message.start_delay_ms, hour_ms) * 1e6);
}

/// What the rig file says of a message.
struct RestSettings {
  std::optional<std::int64_t> period_ns;
  bool off = false;
};

RestSettings read_settings(const MapSettings& settings, Diagnostics& diagnostics) {
  RestSettings read;
  RigTable table(*settings.value, "'" + settings.message + "'", diagnostics);
  read.off = table.flag("off").value_or(false);
  read.period_ns = table.duration("period", ms, hour);
  (void)table.flag("fd");  // read_formats() has read it
  for (const auto& entry : settings.value->entries) {
    if (read.off || entry.key == "off" || entry.key == "period" || entry.key == "fd") continue;
    diagnostics.error("B022", entry.where,
                      "no signal of message " + settings.message + " is mapped here: '" +
                          entry.key + "' means nothing",
                      "settings of such a message are period, fd and off");
  }
  return read;
}

void warn_about_silent(const BusMap& bus, const std::vector<const DbcMessage*>& silent,
                       Diagnostics& diagnostics) {
  if (silent.empty()) return;
  std::string names;
  for (std::size_t k = 0; k < std::min(silent.size(), most_named); ++k)
    names += (k > 0 ? ", " : "") + silent[k]->name;
  if (silent.size() > most_named)
    names += " and " + std::to_string(silent.size() - most_named) + " more";
  const std::string& first = silent.front()->name;
  diagnostics.warning("B033", bus.where,
                      "of the simulated nodes, " + std::to_string(silent.size()) +
                          (silent.size() > 1 ? " messages are" : " message is") +
                          " not sent: none of their signals is mapped, and the database gives no "
                          "GenMsgCycleTime: " +
                          names,
                      "in [bus." + bus.name + "] period = \"100 ms\" for all of them; or in [bus." +
                          bus.name + ".send] \"" + first +
                          "\" = { period = \"100 ms\" }, or { off = true } to say that it is so");
}

/// The I/O thread sends a message once in a step of its grid at most.
void warn_about_grid(const BusMap& bus, Diagnostics& diagnostics) {
  std::string names;
  std::size_t last = bus.dbc->messages.size();
  const auto look = [&](std::size_t message, std::int64_t period_ns) {
    if (period_ns > 0 && period_ns < bus.grid_ns &&
        message != last)  // pages of a message stand side by side
      names += (names.empty() ? "" : ", ") + bus.dbc->messages[last = message].name;
  };
  for (const MessageMap& map : bus.send)
    if (!map.on_change) look(map.message, map.period_ns);
  for (const RestMessage& rest : bus.rest) look(rest.message, rest.period_ns);
  if (!names.empty())
    diagnostics.warning("B027", bus.where,
                        "the grid " + duration_text(bus.grid_ns) + " of bus " + bus.name +
                            " is longer than the period of " + names +
                            ": they are sent once in a step of it",
                        "a shorter grid, or longer periods in [bus." + bus.name + ".send]");
}

}  // namespace

bool is_simulated(const BusMap& bus, const DbcMessage& message) {
  return std::any_of(message.senders.begin(), message.senders.end(), [&](const auto& sender) {
    return std::find(bus.simulate.begin(), bus.simulate.end(), sender) != bus.simulate.end();
  });
}

void bind_rest(BusMap& bus, std::span<const MapSettings> settings, Diagnostics& diagnostics) {
  std::vector<const DbcMessage*> silent;
  for (std::size_t k = 0; k < bus.dbc->messages.size(); ++k) {
    const auto& message = bus.dbc->messages[k];
    const bool mapped = std::any_of(bus.send.begin(), bus.send.end(),
                                    [&](const auto& m) { return m.message == k; });
    if (mapped || !is_simulated(bus, message)) continue;
    const auto given = std::find_if(settings.begin(), settings.end(), [&](const MapSettings& of) {
      return bus.dbc->find(of.message) == &message;
    });
    const RestSettings own =
        given != settings.end() ? read_settings(*given, diagnostics) : RestSettings{};
    if (own.off) continue;
    if (!message.is_one_frame()) {
      if (given != settings.end())
        diagnostics.error(
            "B018", given->where,
            "message " + message.name + " has " + std::to_string(message.length) +
                " bytes and is no CAN FD message by the database: it cannot be sent as one frame",
            "leave its settings out");
      continue;
    }
    const std::int64_t period_ns = own.period_ns      ? *own.period_ns
                                   : message.cycle_ms ? cycle_ns(message, ms, diagnostics)
                                                      : bus.period_ns;
    if (period_ns == 0) {
      silent.push_back(&message);
      continue;
    }
    // Where the database gives no start delay, the messages spread over their period, so that they
    // do not come in crowds.
    const auto spread_ns = static_cast<std::int64_t>(bus.rest.size()) * bus.grid_ns % period_ns;
    bus.rest.push_back({.message = k,
                        .period_ns = period_ns,
                        .delay_ns = start_delay_ns(message, diagnostics).value_or(spread_ns)});
  }
  warn_about_silent(bus, silent, diagnostics);
  warn_about_grid(bus, diagnostics);
}

}  // namespace takt::codegen
