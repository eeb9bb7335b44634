// [[start]] and [[stop]] of the rig file: what happens on the buses before time 0 and after the end
// of a run.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "codegen/dbc/codec.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000, hour = 3'600'000'000'000;

/// "can0.Message.Signal" in its parts; signal empty for "can0.Message".
struct Name {
  std::string bus, message, signal;
};

Name split(const std::string& text) {
  const auto first = text.find('.');
  if (first == std::string::npos) return {text, "", ""};
  const auto second = text.find('.', first + 1);
  const bool whole = second == std::string::npos;
  return {text.substr(0, first), text.substr(first + 1, whole ? second : second - first - 1),
          whole ? "" : text.substr(second + 1)};
}

class StepReader {
 public:
  StepReader(const Rig& rig, std::string title, Diagnostics& diagnostics)
      : rig_(rig), title_(std::move(title)), diagnostics_(diagnostics) {}

  StepMap read(const TomlValue& value) {
    StepMap step;
    RigTable table(value, title_, diagnostics_);
    const TomlValue* sets = table.any("set");
    const auto wait = table.text("wait"), when = table.text("when");
    const auto pause = table.duration("pause", ms, hour),
               within = table.duration("within", ms, hour);
    table.done();
    const auto given = [&](const char* key) { return value.get(key) != nullptr ? 1 : 0; };
    const int kinds = given("set") + given("wait") + given("when") + given("pause");
    if (kinds != 1) {
      diagnostics_.error(
          "B034", value.where,
          "a step of " + title_ + " does " + (kinds == 0 ? "nothing" : "several things at once"),
          "one of set = { ... }, wait = \"can0.Message\", when = \"can0.Message.Signal > 0\", "
          "pause = \"100 ms\"");
      return step;
    }
    const bool waits = given("wait") + given("when") > 0;
    if (waits && value.get("within") == nullptr)
      diagnostics_.error("B034", value.where,
                         "a step of " + title_ + " that waits needs a time-out",
                         "within = \"5 s\"");
    if (!waits && value.get("within") != nullptr)
      diagnostics_.error("B034", value.get("within")->where, "only steps that wait have a time-out",
                         "leave 'within' out");
    step.within_ns = pause.value_or(within.value_or(0));
    if (sets != nullptr) read_sets(*sets, step);
    if (wait) read_wait({*wait, value.get("wait")->text_where}, step);
    if (when) read_when({*when, value.get("when")->text_where}, step);
    if (pause) step.text = "pause of " + duration_text(*pause);
    return step;
  }

  struct Placed {
    std::string text;
    Location where;
  };

  /// "can0.Message.Signal > 0.5"
  StepMap read_condition(const Placed& given) {
    StepMap step;
    read_when(given, step);
    return step;
  }

 private:
  void unknown(const Location& where, const std::string& what, const std::string& hint) {
    diagnostics_.error("B035", where, what, hint);
  }

  const BusMap* find_bus(const std::string& name, const Location& where, std::size_t& index) {
    std::vector<std::string> names;
    for (index = 0; index < rig_.buses.size(); ++index) {
      if (rig_.buses[index].name == name)
        return rig_.buses[index].dbc ? &rig_.buses[index] : nullptr;
      names.push_back(rig_.buses[index].name);
    }
    unknown(where, "the rig has no CAN bus '" + name + "'", did_you_mean(name, names));
    return nullptr;
  }

  void read_sets(const TomlValue& sets, StepMap& step) {
    step.kind = StepMap::Kind::set;
    if (!sets.is_table() || sets.entries.empty()) {
      diagnostics_.error("B003", sets.where, "'set' of " + title_ + " must be a table with signals",
                         "set = { \"can0.Message.Signal\" = 1 }");
      return;
    }
    for (const TomlEntry& entry : sets.entries) {
      step.text += (step.text.empty() ? "set " : ", ") + entry.key + " = " +
                   (entry.value.is_string() ? entry.value.text : number_text(entry.value.number));
      read_set({entry.key, entry.where}, entry.value, step);
    }
  }

  void read_set(const Placed& key, const TomlValue& value, StepMap& step) {
    const Name name = split(key.text);
    std::size_t index = 0;
    const BusMap* bus = find_bus(name.bus, key.where, index);
    if (bus == nullptr) return;
    bool found = false;
    double number = 0.0;
    std::vector<std::string> known;
    for (std::size_t m = 0; m < bus->send.size(); ++m) {
      const DbcMessage& message = bus->dbc->messages[bus->send[m].message];
      for (std::size_t s = 0; s < bus->send[m].signals.size(); ++s) {
        if (bus->send[m].signals[s].selects_page) continue;
        const DbcSignal& signal = message.signals[bus->send[m].signals[s].signal];
        known.push_back(bus->name + "." + message.name + "." + signal.name);
        if (message.name != name.message || signal.name != name.signal) continue;
        if (!found) number = signal_value(signal, value, diagnostics_).value_or(0.0);
        found = true;  // on each page of a multiplexed message
        step.sets.push_back({index, m, s, number});
      }
    }
    if (found) return;
    const std::string hint = did_you_mean(key.text, known);
    unknown(
        key.where, "the plant does not send '" + key.text + "'",
        hint.empty() ? "map it in [bus." + bus->name + ".send], for example to a constant" : hint);
  }

  /// Fills bus and message.
  const MessageMap* find_received(const Name& name, const Placed& given, StepMap& step) {
    const BusMap* bus = find_bus(name.bus, given.where, step.bus);
    if (bus == nullptr) return nullptr;
    std::vector<std::string> known;
    for (step.message = 0; step.message < bus->receive.size(); ++step.message) {
      const std::string& message = bus->dbc->messages[bus->receive[step.message].message].name;
      if (message == name.message) return &bus->receive[step.message];
      known.push_back(message);
    }
    const std::string hint = did_you_mean(name.message, known);
    unknown(given.where,
            "the plant does not receive the message '" + name.message + "' of bus " + bus->name,
            hint.empty() ? "map one of its signals in [bus." + bus->name + ".receive]" : hint);
    return nullptr;
  }

  void read_wait(const Placed& given, StepMap& step) {
    step.kind = StepMap::Kind::wait;
    step.text = "wait for " + given.text;
    const Name name = split(given.text);
    if (!name.signal.empty() || name.message.empty()) {
      diagnostics_.error("B034", given.where, "'wait' names a message", "wait = \"can0.Message\"");
      return;
    }
    (void)find_received(name, given, step);
  }

  /// A value that the signal can have becomes that which a decoder finds, to the last bit.
  void make_comparable(const DbcSignal& signal, const Location& where, StepMap& step) {
    if (signal.type == RawType::float32)
      step.value = static_cast<double>(static_cast<float>(step.value));
    if (signal.type == RawType::float32 || signal.type == RawType::float64 || signal.factor == 0.0)
      return;
    const double nearest = value_of(signal, raw_of(signal, step.value));
    if (std::abs(nearest - step.value) <= 1e-6 * std::abs(signal.factor))
      step.value = nearest;
    else if (step.comparison == "==" || step.comparison == "!=")
      diagnostics_.error("B034", where,
                         "signal " + signal.name + " never is " + number_text(step.value),
                         "the nearest value that it can have is " + number_text(nearest));
  }

  void read_compared(const DbcSignal& signal, const Placed& value, StepMap& step) {
    const char* const last = value.text.data() + value.text.size();
    const auto [end, error] = std::from_chars(value.text.data(), last, step.value);
    if (error == std::errc{} && end == last) return make_comparable(signal, value.where, step);
    step.value = named_value(signal, value.text, value.where, diagnostics_).value_or(0.0);
  }

  void read_when(const Placed& given, StepMap& step) {
    step.kind = StepMap::Kind::when;
    step.text = "wait until " + given.text;
    const auto at = given.text.find_first_of("<>=!");
    const auto behind = at == std::string::npos ? at : given.text.find_first_not_of("<>=!", at);
    constexpr std::array comparisons{"<", "<=", ">", ">=", "==", "!="};
    const auto trimmed = [](std::string text) {
      text.erase(0, text.find_first_not_of(' '));
      return text.erase(text.find_last_not_of(' ') + 1);
    };
    if (behind != std::string::npos) step.comparison = given.text.substr(at, behind - at);
    const std::string value = behind == std::string::npos ? "" : trimmed(given.text.substr(behind));
    const Name name = split(trimmed(given.text.substr(0, at)));
    if (value.empty() || name.signal.empty() ||
        std::find(comparisons.begin(), comparisons.end(), step.comparison) == comparisons.end()) {
      diagnostics_.error("B034", given.where,
                         "'when' compares a received signal with a number in units of the "
                         "database, or a name of its values",
                         "when = \"can0.Message.Signal > 0.5\", with <, <=, >, >=, == or !=");
      return;
    }
    const MessageMap* map = find_received(name, given, step);
    if (map == nullptr) return;
    const BusMap& bus = rig_.buses[step.bus];
    std::vector<std::string> known;
    for (step.signal = 0; step.signal < map->signals.size(); ++step.signal) {
      const DbcSignal& signal =
          bus.dbc->messages[map->message].signals[map->signals[step.signal].signal];
      if (signal.name == name.signal) return read_compared(signal, {value, given.where}, step);
      known.push_back(signal.name);
    }
    const std::string hint = did_you_mean(name.signal, known);
    unknown(
        given.where,
        "the plant does not receive the signal '" + name.signal + "' of message " + name.message,
        hint.empty() ? "map it in [bus." + bus.name + ".receive]" : hint);
  }

  const Rig& rig_;
  std::string title_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<StepMap> read_steps(const Rig& rig, const TomlEntry& steps, Diagnostics& diagnostics) {
  const std::string title = "[[" + steps.key + "]]";
  std::vector<StepMap> all;
  const auto& items = steps.value.items;
  if (!steps.value.is_array() ||
      std::any_of(items.begin(), items.end(), [](const auto& v) { return !v.is_table(); })) {
    diagnostics.error("B003", steps.where,
                      "'" + steps.key + "' is a list of steps: each begins with " + title);
    return all;
  }
  StepReader reader(rig, title, diagnostics);
  for (const TomlValue& item : items) all.push_back(reader.read(item));
  return all;
}

namespace {

/// A condition on what comes on the last bus, whose name may stand before it, as in steps.
void read_rest_condition(Rig& rig, const std::string& title, const TomlValue& when,
                         Diagnostics& diagnostics) {
  const auto errors = diagnostics.error_count();
  const std::string left = when.text.substr(0, when.text.find_first_of("<>=!"));
  const bool is_short = std::count(left.begin(), left.end(), '.') == 1;
  StepReader reader(rig, title, diagnostics);
  StepMap condition = reader.read_condition(
      {is_short ? rig.buses.back().name + "." + when.text : when.text, when.text_where});
  if (diagnostics.error_count() == errors && condition.bus + 1 < rig.buses.size())
    diagnostics.error("B044", when.text_where,
                      title + " names bus " + rig.buses[condition.bus].name +
                          ": the I/O thread of a bus knows what comes on its own");
  condition.text = condition.text.substr(std::string_view("wait until ").size());
  rig.buses.back().rest_waits_for = std::move(condition);
}

}  // namespace

void read_rest_start(Rig& rig, const TomlValue& value, Diagnostics& diagnostics) {
  BusMap& bus = rig.buses.back();
  const std::string title = "'start' of [bus." + bus.name + "]";
  const char* const cure = "\"at-once\", \"heard\", or { when = \"Message.Signal > 0.5\" }";
  if (value.is_string() && (value.text == "at-once" || value.text == "heard")) {
    bus.rest_waits_for_frame = value.text == "heard";
  } else if (value.is_table()) {
    RigTable table(value, title, diagnostics);
    const auto when = table.text("when");
    table.done();
    if (!when && value.get("when") == nullptr)
      diagnostics.error("B044", value.where, title + " says nothing of what the rest bus waits for",
                        cure);
    if (!when) return;
    read_rest_condition(rig, title, *value.get("when"), diagnostics);
  } else {
    diagnostics.error(value.is_string() ? "B044" : "B003",
                      value.is_string() ? value.text_where : value.where,
                      title + " says when the rest bus begins", cure);
    return;
  }
  if (bus.rest.empty() && (bus.rest_waits_for_frame || bus.rest_waits_for))
    diagnostics.warning("B044", value.where,
                        title + " means nothing: no message of a simulated node is sent by itself",
                        "messages with signals of the plant are sent from the start of a run on");
}

}  // namespace takt::codegen
