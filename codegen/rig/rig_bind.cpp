// [bus.NAME.receive] and [bus.NAME.send] against the database and the plant.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "codegen/dbc/bus_units.hpp"
#include "codegen/dbc/codec.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000, hour = 3'600'000'000'000;
enum class Direction { receive, send };

class Binder {
 public:
  Binder(BusMap& bus, const RigTarget& target, Diagnostics& diagnostics)
      : bus_(bus), target_(target), diagnostics_(diagnostics) {}

  void receive(const TomlValue& table, std::optional<std::int64_t> bus_timeout) {
    const std::array<std::string, 1> keys{"timeout"};
    const auto map = read_map(table, keys, diagnostics_);
    bind_entries(map, Direction::receive, bus_.receive);
    for (auto& message : bus_.receive) {
      const auto& dbc = bus_.dbc->messages[message.message];
      const double cycles = 10.0 * dbc.cycle_ms.value_or(100.0);
      message.timeout_ns = bus_timeout.value_or(std::llround(cycles * 1e6));
    }
    for (const auto& settings : map.settings) {
      auto* message = settings_target(settings, bus_.receive);
      const auto* timeout = settings.value->get("timeout");
      if (message == nullptr || timeout == nullptr) continue;
      const TomlValue only = single(*settings.value, keys);
      RigTable inner(only, "'" + settings.message + "'", diagnostics_);
      if (const auto ns = inner.duration("timeout", 0, hour)) message->timeout_ns = *ns;
    }
  }

  void send(const TomlValue& table) {
    const std::array<std::string, 4> keys{"period", "on_change", "spacing", "off"};
    const auto map = read_map(table, keys, diagnostics_);
    bind_entries(map, Direction::send, bus_.send);
    for (auto& message : bus_.send) {
      const auto& dbc = bus_.dbc->messages[message.message];
      message.period_ns = std::llround(dbc.cycle_ms.value_or(0.0) * 1e6);
    }
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
        std::erase_if(bus_.send, [index = message->message](const auto& other) { return other.message == index; });
        continue;
      }
      message->on_change = inner.flag("on_change").value_or(false);
      if (message->on_change) message->period_ns = 0;
      if (const auto ns = inner.duration("period", ms / 10, hour)) message->period_ns = *ns;
      const auto spacing = inner.duration("spacing", 0, hour);
      if (message->on_change) {
        const auto delay_ms = std::min(bus_.dbc->messages[message->message].delay_ms.value_or(0.0), 3.6e6);
        const std::int64_t delay_ns = std::llround(delay_ms * 1e6), period_ns = message->period_ns;
        message->spacing_ns = spacing.value_or(period_ns > 0 ? std::min(delay_ns, period_ns) : delay_ns);
      }
      if (spacing) check_spacing(*bus_.dbc, *message, settings.value->get("spacing")->where, diagnostics_);
    }
    for (const auto& message : bus_.send) {
      check_period(*bus_.dbc, message, target_.release_ns, diagnostics_);
      if (!reported_.contains(bus_.dbc->messages[message.message].name))
        warn_about_unmapped(bus_, message, diagnostics_);
    }
    std::vector<MessageMap> pages;
    for (auto& message : bus_.send) {
      for (auto& page : split_pages(*bus_.dbc, std::move(message), diagnostics_)) pages.push_back(std::move(page));
    }
    for (auto& message : pages) {
      message.choice = choice_of(*bus_.dbc, message);
      if (message.choice == MessageMap::Choice::stays) warn_about_choice(*bus_.dbc, message, diagnostics_);
    }
    bus_.send = std::move(pages);
  }

  /// After send().
  void rest() { bind_rest(bus_, unmapped_, diagnostics_); }

 private:
  /// The settings of a message's table alone, without its signals.
  static TomlValue single(const TomlValue& table, std::span<const std::string> keys) {
    TomlValue out = table;
    std::erase_if(out.entries, [&](const auto& e) { return std::find(keys.begin(), keys.end(), e.key) == keys.end(); });
    return out;
  }

  /// A message of a simulated node that carries nothing of the plant.
  bool is_rest(const MapSettings& settings) const {
    const auto* message = bus_.dbc->find(settings.message);
    return message != nullptr && is_simulated(bus_, *message) && !reported_.contains(settings.message) &&
           std::none_of(bus_.send.begin(), bus_.send.end(),
                        [&](const auto& map) { return &bus_.dbc->messages[map.message] == message; });
  }

  MessageMap* settings_target(const MapSettings& settings, std::vector<MessageMap>& maps) {
    const auto* message = bus_.dbc->find(settings.message);
    if (message == nullptr) {
      if (!reported_.contains(settings.message)) unknown_message(settings.message, settings.where);
      return nullptr;
    }
    const auto index = static_cast<std::size_t>(message - bus_.dbc->messages.data());
    const auto it = std::find_if(maps.begin(), maps.end(), [&](const auto& m) { return m.message == index; });
    if (it != maps.end()) return &*it;
    if (!reported_.contains(settings.message)) {
      diagnostics_.error("B022", settings.where, "no signal of message " + settings.message + " is mapped here",
                         "settings need at least one \"" + settings.message + ".SIGNAL\" = ...");
    }
    return nullptr;
  }

  /// What the database names but does not say so that it can be read.
  bool is_broken(const std::string& message, const std::string& signal, const Location& where) {
    const DbcBroken* broken = find_broken(*bus_.dbc, message, signal);
    if (broken == nullptr) return false;
    diagnostics_.error("B029", where,
                       (signal.empty() ? message : message + "." + signal) + " cannot be used: line " +
                           std::to_string(broken->where.line) + " of the database: " + broken->why,
                       "mend the database, or leave the signal out");
    reported_.emplace(message, true);
    return true;
  }

  void unknown_message(const std::string& name, const Location& where) {
    std::vector<std::string> names;
    for (const auto& message : bus_.dbc->messages) names.push_back(message.name);
    diagnostics_.error("B021", where, "the database has no message '" + name + "'", did_you_mean(name, names));
    reported_.emplace(name, true);
  }

  void bind_entries(const MapTable& map, Direction direction, std::vector<MessageMap>& maps) {
    for (const auto& entry : map.entries) {
      const auto* message = bus_.dbc->find(entry.message);
      if (message == nullptr) {
        if (!is_broken(entry.message, entry.signal, entry.where)) unknown_message(entry.message, entry.where);
        continue;
      }
      const auto signal = find_signal(*message, entry.signal);
      if ((!signal || !message->signals[*signal].usable) && is_broken(entry.message, entry.signal, entry.where))
        continue;
      if (!signal) {
        std::vector<std::string> names;
        for (const auto& s : message->signals) names.push_back(s.name);
        diagnostics_.error("B021", entry.where, "message " + message->name + " has no signal '" + entry.signal + "'",
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
                           entry.message + "." + entry.signal + " cannot be used: see the finding about the database",
                           "mend the database, or leave the signal out");
        continue;
      }
      bind_signal(entry, *message, *signal, direction, maps);
    }
  }

  void parts(const DbcMessage& message, const Location& where) {
    if (!reported_.emplace(message.name, true).second) return;
    const std::uint32_t id = message.extended ? message.id | 0x80000000U : message.id;
    diagnostics_.error("B018", where,
                       "message " + message.name + " has " + std::to_string(message.length) +
                           " bytes and is no CAN FD message by the database: a transport protocol sends it in parts, "
                           "which a rig does not",
                       "if it is one CAN FD frame, the database says so: BA_ \"VFrameFormat\" BO_ " +
                           std::to_string(id) + (message.extended ? " 15;" : " 14;"));
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
            "message " + message.name + " is sent by the simulated node " + sender + ": the plant does not receive it",
            "move it to [bus." + bus_.name + ".send], or take " + sender + " out of simulate");
      } else {
        diagnostics_.error("B025", where,
                           "message " + message.name + " is sent by " + sender + ", which is not simulated",
                           "add \"" + sender + "\" to simulate");
      }
    }
    return false;
  }

  void bind_signal(const MapEntry& entry, const DbcMessage& message, std::size_t signal, Direction direction,
                   std::vector<MessageMap>& maps) {
    const auto index = static_cast<std::size_t>(&message - bus_.dbc->messages.data());
    auto it = std::find_if(maps.begin(), maps.end(), [&](const auto& m) { return m.message == index; });
    if (it == maps.end()) {
      MessageMap fresh;
      fresh.message = index;
      fresh.where = entry.where;
      maps.push_back(fresh);
      it = maps.end() - 1;
    }
    const auto known =
        std::find_if(it->signals.begin(), it->signals.end(), [&](const auto& s) { return s.signal == signal; });
    if (known != it->signals.end()) {
      diagnostics_.error(
          "B024", entry.where,
          entry.message + "." + entry.signal + " is already mapped in line " + std::to_string(known->where.line));
      return;
    }
    SignalMap map;
    map.signal = signal;
    map.where = entry.where;
    if (read_value(*entry.value, message.signals[signal], direction, map)) {
      it->signals.push_back(map);
    } else {
      reported_.emplace(message.name, true);
    }
    if (it->signals.empty()) maps.pop_back();
  }

  // ---------------------------------------------------------------- the right-hand side
  bool read_value(const TomlValue& value, const DbcSignal& signal, Direction direction, SignalMap& map) {
    if (value.is_string()) {
      map.path = value.text;
      return find_path(map.path, value.text_where, direction) &&
             convert(signal, {signal.unit, value.where}, direction, map);
    }
    if (value.is_number() && direction == Direction::send) {
      map.constant = value.number;
      check_range(signal, map.constant, value.where, diagnostics_);
      return true;
    }
    if (!value.is_table()) {
      diagnostics_.error("B003", value.where,
                         direction == Direction::send
                             ? "a signal is sent from a plant signal (string), a constant (number) or a table"
                             : "a signal is received into a plant input (string) or a table");
      return false;
    }
    return read_table(value, signal, direction, map);
  }

  bool read_table(const TomlValue& value, const DbcSignal& signal, Direction direction, SignalMap& map) {
    RigTable table(value, "the map of " + signal.name, diagnostics_);
    const char* key = direction == Direction::send ? "from" : "to";
    const auto path = table.text(key);
    const auto scale = table.number("scale"), offset = table.number("offset");
    const auto unit = table.text("unit");
    std::optional<double> constant;
    if (direction == Direction::send) {
      constant = table.number("value");
      map.safe = table.number("safe");
    }
    table.done();
    if (map.safe) check_range(signal, *map.safe, value.get("safe")->where, diagnostics_);
    if (constant && !path) {
      map.constant = *constant;
      check_range(signal, map.constant, value.get("value")->where, diagnostics_);
      return true;
    }
    if (!path || constant) {
      diagnostics_.error("B003", value.where,
                         std::string("the map of ") + signal.name + " needs " +
                             (constant ? "either 'from' or 'value', not both" : "'" + std::string(key) + "'"));
      return false;
    }
    map.path = *path;
    if (!find_path(map.path, value.get(key)->text_where, direction)) return false;
    if (scale || offset) {
      map.scale = scale.value_or(1.0);
      map.offset = offset.value_or(0.0);
      if (unit)
        diagnostics_.error("B003", value.get("unit")->where, "'unit' and 'scale' or 'offset' exclude each other");
      if (map.scale == 0.0)
        diagnostics_.error("B004", value.get("scale")->where, "a scale of 0 makes every value the same");
      return true;
    }
    if (unit && !bus_unit(*unit, false)) {
      diagnostics_.error("B023", value.get("unit")->text_where, "unit '" + *unit + "' is not known",
                         nearest_unit(*unit));
      return false;
    }
    return convert(signal, {unit.value_or(signal.unit), unit ? value.get("unit")->where : value.where}, direction, map);
  }

  const std::vector<PlantSignal>& names(Direction direction) const {
    return direction == Direction::send ? target_.signals : target_.inputs;
  }

  /// `control.regulator` alone means its output.
  bool find_path(std::string& path, const Location& where, Direction direction) {
    const auto& known = names(direction);
    for (const char* ending : {"", ".out"}) {
      const std::string wanted = path + ending;
      if (std::none_of(known.begin(), known.end(), [&](const auto& s) { return s.path == wanted; })) continue;
      path = wanted;
      return true;
    }
    std::vector<std::string> paths;
    for (const auto& signal : known) paths.push_back(signal.path);
    diagnostics_.error(
        "B022", where,
        std::string(direction == Direction::send ? "the plant has no signal '" : "the plant has no input '") + path +
            "'",
        did_you_mean(path, paths));
    return false;
  }

  /// A unit as it is written, and where the value stands that has it.
  struct UnitText {
    std::string text;
    Location where;
  };

  /// Unit of the database against the SI unit of the plant.
  bool convert(const DbcSignal& signal, const UnitText& given, Direction direction, SignalMap& map) {
    const auto& [unit_text, where] = given;
    const auto& known = names(direction);
    const auto plant = std::find_if(known.begin(), known.end(), [&](const auto& s) { return s.path == map.path; });
    const auto plant_unit = parse_unit(plant->unit);
    if (!plant_unit) return true;
    const bool temperature = plant_unit->dimension == parse_unit("K")->dimension;
    const auto unit = bus_unit(unit_text, temperature);
    const bool pure = plant_unit->dimension == Dimension{};
    if (!unit) {
      if (!pure || !unit_text.empty()) {
        const std::string what = unit_text.empty()
                                     ? "signal " + signal.name + " has no unit"
                                     : "unit '" + unit_text + "' of signal " + signal.name + " is not known";
        diagnostics_.warning("B030", where, what + ": taken as " + plant->unit + " like " + map.path,
                             "give { " + std::string(direction == Direction::send ? "from" : "to") + " = \"" +
                                 map.path + "\", unit = \"...\" }");
      }
      return true;
    }
    // Control blocks compute with any dimension and their outputs carry none: the value is SI of what the bus says.
    const bool untracked = pure && map.path.starts_with("control.");
    if (unit->dimension != plant_unit->dimension && !untracked) {
      diagnostics_.error("B023", where,
                         "signal " + signal.name + " is in '" + unit_text + "' but " + map.path + " in " + plant->unit,
                         "the units must have the same dimension; give unit = \"...\" or scale = ...");
      return false;
    }
    if (direction == Direction::receive) {
      map.scale = unit->factor;
      map.offset = unit->offset * unit->factor;
    } else {
      map.scale = 1.0 / unit->factor;
      map.offset = 0.0 - unit->offset;
    }
    return true;
  }

  BusMap& bus_;
  const RigTarget& target_;
  Diagnostics& diagnostics_;
  std::map<std::string, bool> reported_;  ///< messages with a finding of their own
  std::vector<MapSettings> unmapped_;     ///< of messages of simulated nodes that carry nothing of the plant
};

}  // namespace

void check_range(const DbcSignal& signal, double value, const Location& where, Diagnostics& diagnostics) {
  if (signal.minimum >= signal.maximum || (value >= signal.minimum && value <= signal.maximum)) return;
  diagnostics.error("B031", where,
                    number_text(value) + " is outside the range of signal " + signal.name + ": " +
                        number_text(signal.minimum) + " to " + number_text(signal.maximum) +
                        (signal.unit.empty() ? "" : " " + signal.unit));
}

void bind_bus(BusMap& bus, const BusTables& tables, const RigTarget& target, Diagnostics& diagnostics) {
  const auto errors = diagnostics.error_count();
  Binder binder(bus, target, diagnostics);
  if (tables.receive != nullptr && tables.receive->is_table()) binder.receive(*tables.receive, tables.timeout_ns);
  if (tables.send != nullptr && tables.send->is_table()) binder.send(*tables.send);
  if (diagnostics.error_count() == errors) binder.rest();
}

}  // namespace takt::codegen
