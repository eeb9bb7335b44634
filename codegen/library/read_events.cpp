// Events of an element: what its states and modes become at the instant at which a condition comes
// true.

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

class EventReader {
 public:
  EventReader(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics)
      : element_(element), table_(table), diagnostics_(diagnostics) {}

  void read() {
    const TomlValue* events = table_.get("at");
    if (events == nullptr) return;
    if (!events->is_table()) {
      diagnostics_.error("L021", events->where, "'at' of a definition is a table of events",
                         "write at.NAME = { when = \"...\", set = { x = \"...\" } }; the ends of a "
                         "branch stand in branch = { at = [...] }");
      return;
    }
    for (const TomlEntry& entry : events->entries) read_event(entry);
    for (std::size_t first = 0; first < element_.events.size(); ++first)
      for (std::size_t second = first + 1; second < element_.events.size(); ++second)
        refuse_same(first, second);
  }

  /// Modes that no event sets would keep their start values for ever; energies at edges belong to
  /// switched circuits.
  void check_modes() const {
    for (const ModeDefinition& mode : element_.modes) {
      const auto sets_it = [&](const EventDefinition& event) {
        return std::any_of(event.sets.begin(), event.sets.end(),
                           [&](const auto& set) { return set.name == mode.name; });
      };
      const bool is_set = std::any_of(element_.events.begin(), element_.events.end(), sets_it);
      if (mode.is_set_by_events() && element_.has_event_modes() && !is_set)
        diagnostics_.error("L021", mode.where,
                           "nothing determines mode '" + mode.name +
                               "': it has no 'on' and 'off', and no event sets it",
                           "give it on = \"...\" and off = \"...\", or set it in an event");
      const bool in_turn = std::all_of(
          element_.events.begin(), element_.events.end(),
          [&](const EventDefinition& event) { return event.priority < 0 || !sets_it(event); });
      if (!mode.is_set_by_events() && !in_turn)
        diagnostics_.error(
            "L021", mode.where,
            "mode '" + mode.name + "' follows its 'on' and 'off', and an event sets it",
            "leave out either, or give the event a priority below 0: it decides at an instant at "
            "which the mode would turn too");
    }
    if (!element_.has_event_modes()) return;
    for (const EdgeDefinition& edge : element_.edges)
      diagnostics_.error(
          "L021", edge.rise.where,
          "an element with free equations or events has no energies at edges ('" + edge.name + "')",
          "let an event take the energy from a state");
  }

 private:
  void read_event(const TomlEntry& entry) {
    if (!valid_name(entry, diagnostics_) || !expect_kind(entry.value, TomlValue::Kind::table,
                                                         "event '" + entry.key + "'", diagnostics_))
      return;
    check_keys(entry.value, {"when", "set", "priority"}, "L003", "an event", diagnostics_);
    EventDefinition event;
    event.name = entry.key;
    event.where = entry.where;
    event.when = required_expression(entry, "when", diagnostics_);
    if (const TomlValue* priority = entry.value.get("priority");
        priority != nullptr &&
        expect_kind(*priority, TomlValue::Kind::integer, "'priority'", diagnostics_))
      event.priority = priority->number;
    const TomlValue* sets = entry.value.get("set");
    if (sets == nullptr) {
      diagnostics_.error("L004", entry.where, "event '" + entry.key + "' needs 'set'",
                         "say what changes: set = { x = \"...\" }");
      return;
    }
    if (!expect_kind(*sets, TomlValue::Kind::table, "'set'", diagnostics_)) return;
    for (const TomlEntry& set : sets->entries) read_set(set, event);
    element_.events.push_back(std::move(event));
  }

  void read_set(const TomlEntry& set, EventDefinition& event) {
    if (set.value.is_table()) {  // p of branch m, written m.p
      for (const TomlEntry& inner : set.value.entries)
        read_named(set.key + "." + inner.key, inner, event);
      return;
    }
    read_named(set.key, set, event);
  }

  void read_named(const std::string& name, const TomlEntry& set, EventDefinition& event) {
    const std::vector<std::string> known = settable();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      diagnostics_.error("L021", set.where,
                         "event '" + event.name + "' cannot set '" + name +
                             "': it is no state, no mode and nothing "
                             "that a branch of element '" +
                             element_.name + "' stores",
                         known.empty()
                             ? "declare what it changes: state." + name + " or mode." + name
                             : name_hint(name, known));
      return;
    }
    event.sets.push_back({name, read_expression(set.value, diagnostics_), set.where});
  }

  [[nodiscard]] std::vector<std::string> settable() const {
    std::vector<std::string> names;
    for (const StateDefinition& state : element_.states) names.push_back(state.name);
    for (const ModeDefinition& mode : element_.modes) names.push_back(mode.name);
    for (const BranchDefinition& branch : element_.branches) {
      const DomainWords& words = words_of(branch.domain);
      const bool across = branch.kind == BranchKind::across_storage;
      if (!across && branch.kind != BranchKind::through_storage) continue;
      names.push_back((branch.name.empty() ? "" : branch.name + ".") +
                      std::string(across ? words.charge : words.linkage));
    }
    return names;
  }

  /// Two that come true together and set the same variable differently: one of them has to come
  /// first.
  void refuse_same(std::size_t first, std::size_t second) const {
    const EventDefinition &one = element_.events[first], &other = element_.events[second];
    if (one.when.text != other.when.text || one.priority != other.priority) return;
    for (const auto& a : one.sets)
      for (const auto& b : other.sets)
        if (a.name == b.name && a.value.text != b.value.text)
          diagnostics_.error(
              "L021", b.where,
              "events '" + one.name + "' and '" + other.name + "' come true together and set '" +
                  a.name + "' to different values",
              "give them priorities (priority = 1, priority = 2): the smaller one decides");
  }

  ElementDefinition& element_;
  const TomlValue& table_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_events(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  EventReader reader(element, table, diagnostics);
  reader.read();
  reader.check_modes();
}

}  // namespace takt::codegen
