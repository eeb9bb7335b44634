// [bus.NAME.receive] and [bus.NAME.send] against the database and the plant.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "codegen/rig/rig_reader.hpp"
#include "codegen/rig/rig_values.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000, hour = 3'600'000'000'000;
using Direction = SignalDirection;

class Binder {
 public:
  Binder(BusMap& bus, const RigTarget& target, Diagnostics& diagnostics)
      : bus_(bus), target_(target), diagnostics_(diagnostics) {}

  void receive(const TomlValue& table, std::optional<std::int64_t> bus_timeout) {
    const std::array<std::string, 2> keys{"timeout", "fd"};
    const auto map = read_map(table, keys, diagnostics_);
    bind_entries(map, Direction::receive, bus_.receive);
    for (auto& message : bus_.receive) {
      const auto& dbc = bus_.dbc->messages[message.message];
      const double cycles = 10.0 * std::min(dbc.cycle_ms.value_or(100.0), 1e11);
      message.timeout_ns = bus_timeout.value_or(std::llround(cycles * 1e6));
    }
    for (const auto& settings : map.settings) {
      auto* message = settings_target(settings, bus_.receive);
      if (message == nullptr) continue;
      const TomlValue only = single(*settings.value, keys);
      RigTable inner(only, "'" + settings.message + "'", diagnostics_);
      (void)inner.flag("fd");  // read_formats() has read it
      if (const auto ns = inner.duration("timeout", 0, hour)) message->timeout_ns = *ns;
    }
  }

  void send(const TomlValue& table) {
    const std::array<std::string, 6> keys{"period", "on_change", "spacing",
                                          "off",    "saturate",  "fd"};
    const auto map = read_map(table, keys, diagnostics_);
    bind_entries(map, Direction::send, bus_.send);
    constexpr std::int64_t by_database = -1;
    for (auto& message : bus_.send)
      message.period_ns = by_database, message.saturation_fails = bus_.saturation_fails;
    for (const auto& settings : map.settings) {
      if (is_rest(settings)) {
        unmapped_.push_back(settings);
        continue;
      }
      auto* message = settings_target(settings, bus_.send);
      if (message == nullptr) continue;
      const TomlValue only = single(*settings.value, keys);
      RigTable inner(only, "'" + settings.message + "'", diagnostics_);
      if (inner.flag("off").value_or(false)) {
        unmapped_.push_back(settings);
        std::erase_if(bus_.send, [index = message->message](const auto& other) {
          return other.message == index;
        });
        continue;
      }
      (void)inner.flag("fd");
      message->on_change = inner.flag("on_change").value_or(false);
      if (message->on_change) message->period_ns = 0;
      if (const auto ns = inner.duration("period", ms / 10, hour)) message->period_ns = *ns;
      if (const auto word = inner.choice("saturate", saturate_words))
        message->saturation_fails = *word == "fail";
      const auto spacing = inner.duration("spacing", 0, hour);
      if (message->on_change) {
        const auto delay_ms =
            std::min(bus_.dbc->messages[message->message].delay_ms.value_or(0.0), 3.6e6);
        const std::int64_t delay_ns = std::llround(delay_ms * 1e6), period_ns = message->period_ns;
        message->spacing_ns =
            spacing.value_or(period_ns > 0 ? std::min(delay_ns, period_ns) : delay_ns);
      }
      if (message->on_change && !spacing) warn_about_delay(*message, settings.where);
      if (spacing)
        check_spacing(*bus_.dbc, *message, settings.value->get("spacing")->where, diagnostics_);
    }
    for (auto& message : bus_.send) {
      if (message.period_ns == by_database)
        message.period_ns = cycle_ns(bus_.dbc->messages[message.message], ms / 10, diagnostics_);
      check_period(*bus_.dbc, message, target_.release_ns, diagnostics_);
      if (!reported_.contains(bus_.dbc->messages[message.message].name))
        warn_about_unmapped(bus_, message, diagnostics_);
    }
    std::vector<MessageMap> pages;
    for (auto& message : bus_.send) {
      for (auto& page : split_pages(*bus_.dbc, std::move(message), diagnostics_))
        pages.push_back(std::move(page));
    }
    for (auto& message : pages) {
      message.choice = choice_of(*bus_.dbc, message);
      if (message.choice == MessageMap::Choice::stays)
        warn_about_choice(*bus_.dbc, message, diagnostics_);
    }
    bus_.send = std::move(pages);
  }

  /// After send().
  void rest() { bind_rest(bus_, unmapped_, diagnostics_); }

 private:
  /// A spacing by the database that is not taken as it stands there.
  void warn_about_delay(const MessageMap& map, const Location& where) {
    const auto& message = bus_.dbc->messages[map.message];
    if (!message.delay_ms ||
        std::abs(*message.delay_ms * 1e6 - static_cast<double>(map.spacing_ns)) <= 1.0)
      return;
    diagnostics_.warning(
        "B027", where,
        "the GenMsgDelayTime " + number_text(*message.delay_ms) + " ms of message " + message.name +
            " is too long: between two frames " + duration_text(map.spacing_ns) + " pass at least",
        "spacing = \"" + duration_text(map.spacing_ns) + "\" says so");
  }

  /// The settings of a message's table alone, without its signals.
  static TomlValue single(const TomlValue& table, std::span<const std::string> keys) {
    TomlValue out = table;
    std::erase_if(out.entries, [&](const auto& e) {
      return std::find(keys.begin(), keys.end(), e.key) == keys.end();
    });
    return out;
  }

  /// A message of a simulated node that carries nothing of the plant.
  bool is_rest(const MapSettings& settings) const {
    const auto* message = bus_.dbc->find(settings.message);
    return message != nullptr && is_simulated(bus_, *message) &&
           !reported_.contains(settings.message) &&
           std::none_of(bus_.send.begin(), bus_.send.end(), [&](const auto& map) {
             return &bus_.dbc->messages[map.message] == message;
           });
  }

  MessageMap* settings_target(const MapSettings& settings, std::vector<MessageMap>& maps) {
    const auto* message = bus_.dbc->find(settings.message);
    if (message == nullptr) {
      if (!reported_.contains(settings.message)) unknown_message(settings.message, settings.where);
      return nullptr;
    }
    const auto index = static_cast<std::size_t>(message - bus_.dbc->messages.data());
    const auto it =
        std::find_if(maps.begin(), maps.end(), [&](const auto& m) { return m.message == index; });
    if (it != maps.end()) return &*it;
    if (!reported_.contains(settings.message)) {
      diagnostics_.error("B022", settings.where,
                         "no signal of message " + settings.message + " is mapped here",
                         "settings need at least one \"" + settings.message + ".SIGNAL\" = ...");
    }
    return nullptr;
  }

  /// What the database names but does not say so that it can be read.
  bool is_broken(const std::string& message, const std::string& signal, const Location& where) {
    const DbcBroken* broken = find_broken(*bus_.dbc, message, signal);
    if (broken == nullptr) return false;
    diagnostics_.error("B029", where,
                       (signal.empty() ? message : message + "." + signal) + " cannot be used: " +
                           line_text(*bus_.dbc, broken->where) + ": " + broken->why,
                       "mend the database, or leave the signal out");
    reported_.emplace(message, true);
    return true;
  }

  void unknown_message(const std::string& name, const Location& where) {
    std::vector<std::string> names;
    for (const auto& message : bus_.dbc->messages) names.push_back(message.name);
    diagnostics_.error("B021", where, "the database has no message '" + name + "'",
                       did_you_mean(name, names));
    reported_.emplace(name, true);
  }

  void bind_entries(const MapTable& map, Direction direction, std::vector<MessageMap>& maps) {
    for (const auto& entry : map.entries) {
      const auto* message = bus_.dbc->find(entry.message);
      if (message == nullptr) {
        if (!is_broken(entry.message, entry.signal, entry.where))
          unknown_message(entry.message, entry.where);
        continue;
      }
      const auto signal = find_signal(*message, entry.signal);
      if ((!signal || !message->signals[*signal].usable) &&
          is_broken(entry.message, entry.signal, entry.where))
        continue;
      if (!signal) {
        std::vector<std::string> names;
        for (const auto& s : message->signals) names.push_back(s.name);
        diagnostics_.error("B021", entry.where,
                           "message " + message->name + " has no signal '" + entry.signal + "'",
                           did_you_mean(entry.signal, names));
        reported_.emplace(entry.message, true);
        continue;
      }
      if (!right_direction(*message, direction, entry.where)) continue;
      if (!message->fd && message->length > 8) {
        parts(*message, entry.where);
        continue;
      }
      if (!message->usable || !message->signals[*signal].usable) {
        diagnostics_.error("B029", entry.where,
                           entry.message + "." + entry.signal +
                               " cannot be used: see the finding about the database",
                           "mend the database, or leave the signal out");
        continue;
      }
      bind_signal(entry, *message, *signal, direction, maps);
    }
  }

  void parts(const DbcMessage& message, const Location& where) {
    if (!reported_.emplace(message.name, true).second) return;
    const std::uint32_t id = message.extended ? message.id | 0x80000000U : message.id;
    diagnostics_.error(
        "B018", where,
        "message " + message.name + " has " + std::to_string(message.length) +
            " bytes and is no CAN FD message by the database: a transport protocol sends it in "
            "parts, which a rig does not",
        message.usable
            ? "if it is one CAN FD frame, \"" + message.name +
                  "\" = { fd = true } says so, or the database: BA_ \"VFrameFormat\" BO_ " +
                  std::to_string(id) + (message.extended ? " 15;" : " 14;")
            : "a frame has 64 bytes at most");
  }

  bool right_direction(const DbcMessage& message, Direction direction, const Location& where) {
    if (message.senders.empty()) return true;
    const bool ours = is_simulated(bus_, message);
    if (ours == (direction == Direction::send)) return true;
    const std::string sender = message.senders.front();
    if (reported_.emplace(message.name, true).second) {
      if (ours) {
        diagnostics_.error(
            "B025", where,
            "message " + message.name + " is sent by the simulated node " + sender +
                ": the plant does not receive it",
            "move it to [bus." + bus_.name + ".send], or take " + sender + " out of simulate");
      } else {
        diagnostics_.error(
            "B025", where,
            "message " + message.name + " is sent by " + sender + ", which is not simulated",
            "add \"" + sender + "\" to simulate");
      }
    }
    return false;
  }

  void bind_signal(const MapEntry& entry, const DbcMessage& message, std::size_t signal,
                   Direction direction, std::vector<MessageMap>& maps) {
    const auto index = static_cast<std::size_t>(&message - bus_.dbc->messages.data());
    auto it =
        std::find_if(maps.begin(), maps.end(), [&](const auto& m) { return m.message == index; });
    if (it == maps.end()) {
      MessageMap fresh;
      fresh.message = index;
      fresh.where = entry.where;
      maps.push_back(fresh);
      it = maps.end() - 1;
    }
    const auto known = std::find_if(it->signals.begin(), it->signals.end(),
                                    [&](const auto& s) { return s.signal == signal; });
    if (known != it->signals.end()) {
      diagnostics_.error("B024", entry.where,
                         entry.message + "." + entry.signal + " is already mapped in line " +
                             std::to_string(known->where.line),
                         direction == Direction::receive
                             ? "a list gives it to several inputs: [\"input_a\", \"input_b\"]"
                             : "");
      return;
    }
    const bool is_list = direction == Direction::receive && entry.value->is_array();
    const auto values = is_list ? std::span(entry.value->items) : std::span(entry.value, 1);
    if (values.empty())
      diagnostics_.error(
          "B003", entry.value->where,
          "the list of " + entry.message + "." + entry.signal + " names no plant input",
          "name at least one, or leave the signal out");
    bool is_good = !values.empty();
    for (const TomlValue& value : values) {
      SignalMap map;
      map.signal = signal;
      map.where = is_list ? value.where : entry.where;
      const bool is_read =
          ValueReader(target_, diagnostics_).read(value, message.signals[signal], direction, map);
      if (is_read) it->signals.push_back(map);
      is_good = is_good && is_read;
    }
    if (!is_good) reported_.emplace(message.name, true);
    if (it->signals.empty()) maps.pop_back();
  }

  BusMap& bus_;
  const RigTarget& target_;
  Diagnostics& diagnostics_;
  std::map<std::string, bool> reported_;  ///< messages with a finding of their own
  std::vector<MapSettings>
      unmapped_;  ///< of messages of simulated nodes that carry nothing of the plant
};

}  // namespace

void bind_bus(BusMap& bus, const BusTables& tables, const RigTarget& target,
              Diagnostics& diagnostics) {
  const auto errors = diagnostics.error_count();
  Binder binder(bus, target, diagnostics);
  if (tables.receive != nullptr && tables.receive->is_table())
    binder.receive(*tables.receive, tables.timeout_ns);
  if (tables.send != nullptr && tables.send->is_table()) binder.send(*tables.send);
  if (diagnostics.error_count() == errors) binder.rest();
}

}  // namespace takt::codegen
