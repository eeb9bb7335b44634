#include "codegen/library/read_element.hpp"

#include <algorithm>
#include <set>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

const std::vector<std::string> physical_keys{
    "doc",      "source", "terminals",     "param", "branch", "heat",  "node",  "self_node",
    "two_port", "state",  "joins_circuit", "let",   "mode",   "point", "edge",  "equation",
    "unknown",  "stream", "content",       "pump",  "range",  "fault", "delay", "at"};
const std::vector<std::string> control_keys{"doc", "source", "param", "input",         "state",
                                            "let", "output", "gates", "state_machine", "fault"};
const std::set<std::string, std::less<>> reserved{"is",    "at",    "n",   "heat",
                                                  "start", "every", "self"};

/// Walks one element's table key by key.
class ElementReader {
 public:
  ElementReader(std::string_view section, const TomlEntry& entry, Diagnostics& diagnostics)
      : entry_(entry), table_(entry.value), diagnostics_(diagnostics) {
    out_.section = section;
    out_.name = entry.key;
    out_.where = entry.where;
  }

  ElementDefinition read() {
    if (!expect_kind(table_, TomlValue::Kind::table, "element '" + out_.name + "'", diagnostics_))
      return std::move(out_);
    check_keys(table_, out_.is_control() ? control_keys : physical_keys, "L003",
               "the definition of an element", diagnostics_);
    if (const auto* doc = table_.get("doc")) out_.doc = read_string(*doc, "'doc'", diagnostics_);
    if (const auto* source = table_.get("source"))
      out_.source = read_string(*source, "'source'", diagnostics_);
    read_parameters("param", out_.parameters);
    if (out_.is_control()) {
      read_control();
    } else {
      read_physical();
    }
    read_faults(out_, table_, diagnostics_);
    check_fault_limits(out_, diagnostics_);
    check_element(out_, diagnostics_);
    return std::move(out_);
  }

 private:
  void read_parameters(std::string_view key, std::vector<ParameterDefinition>& into) {
    const TomlValue* table = table_.get(key);
    if (table == nullptr ||
        !expect_kind(*table, TomlValue::Kind::table, "'" + std::string(key) + "'", diagnostics_))
      return;
    for (const TomlEntry& entry : table->entries) {
      if (!valid_name(entry, diagnostics_)) continue;
      if (reserved.contains(entry.key)) {
        diagnostics_.error("L005", entry.where,
                           "'" + entry.key + "' is reserved and cannot name a parameter");
        continue;
      }
      into.push_back(read_parameter(entry, diagnostics_));
      if (!out_.is_control() || into.back().kind != ParameterDefinition::Kind::gate) continue;
      diagnostics_.error("L010", entry.where, "control blocks have no gates",
                         "the dimension of a signal is 1");
      into.back().kind = ParameterDefinition::Kind::any;
    }
  }

  void read_control() {
    read_parameters("input", out_.inputs);
    if (read_gate_block(out_, table_, diagnostics_)) return;
    if (const auto* machine = table_.get("state_machine");
        machine != nullptr &&
        expect_kind(*machine, TomlValue::Kind::boolean, "'state_machine'", diagnostics_))
      out_.state_machine = machine->flag;
    if (out_.state_machine) return;
    read_states("next");
    read_lets("let", out_.lets);
    read_lets("output", out_.outputs);
    if (out_.outputs.empty())
      diagnostics_.error("L004", entry_.where, "control block '" + out_.name + "' has no output",
                         "give output = { out = \"...\" }");
  }

  void read_physical() {
    const Domain home = domain_of(out_.section).value_or(Domain::electric);
    if (const auto* self = table_.get("self_node")) {
      if (expect_kind(*self, TomlValue::Kind::boolean, "'self_node'", diagnostics_))
        out_.self_node = self->flag;
    }
    if (const auto* joins = table_.get("joins_circuit")) {
      if (expect_kind(*joins, TomlValue::Kind::boolean, "'joins_circuit'", diagnostics_))
        out_.joins_circuit = joins->flag;
    }
    if (const auto* pump = table_.get("pump")) {
      if (expect_kind(*pump, TomlValue::Kind::boolean, "'pump'", diagnostics_))
        out_.pump = pump->flag;
    }
    if (const auto* terminals = table_.get("terminals")) {
      read_vertices(*terminals, "'terminals'", home, out_.terminals);
    } else if (!out_.self_node) {
      out_.terminals = {{"p", home}, {"n", home}};
    }
    if (const auto* nodes = table_.get("node"))
      read_vertices(*nodes, "'node'", home, out_.internal_nodes);
    read_equations(out_, table_, diagnostics_);
    if (const auto* branch = table_.get("branch")) read_branches(out_, *branch, diagnostics_);
    read_two_ports(out_, entry_, diagnostics_);
    check_equation_count(out_, diagnostics_);
    read_states("der");
    read_lets("let", out_.lets);
    read_heat();
    read_switching(out_, table_, diagnostics_);
    read_events(out_, table_, diagnostics_);
    read_convection(out_, table_, diagnostics_);
    read_ranges(out_, table_, diagnostics_);
    read_delays(out_, table_, diagnostics_);
    if (table_.get("branch") == nullptr && !out_.self_node) {
      diagnostics_.error("L004", entry_.where, "element '" + out_.name + "' has no branch",
                         "give branch = { kind = \"R\", law = \"...\" }");
    }
  }

  void read_vertices(const TomlValue& value, std::string_view what, Domain home,
                     std::vector<TerminalDefinition>& into) {
    for (const auto& [text, place] : read_strings(value, what, diagnostics_)) {
      TerminalDefinition terminal = read_terminal(text, place->text_where, home, diagnostics_);
      const auto same = [&](const TerminalDefinition& other) {
        return other.name == terminal.name;
      };
      if (std::any_of(out_.terminals.begin(), out_.terminals.end(), same) ||
          std::any_of(out_.internal_nodes.begin(), out_.internal_nodes.end(), same) ||
          (out_.self_node && terminal.name == "self")) {
        diagnostics_.error("L005", place->where,
                           "'" + terminal.name + "' names two nodes of the element");
        continue;
      }
      into.push_back(std::move(terminal));
    }
  }

  void read_states(std::string_view change_key) {
    const TomlValue* states = table_.get("state");
    if (states == nullptr || !expect_kind(*states, TomlValue::Kind::table, "'state'", diagnostics_))
      return;
    for (const TomlEntry& entry : states->entries) {
      if (!valid_name(entry, diagnostics_) ||
          !expect_kind(entry.value, TomlValue::Kind::table, "state '" + entry.key + "'",
                       diagnostics_))
        continue;
      std::vector<std::string> known{"unit", "start", std::string(change_key)};
      if (change_key == "der")
        known.insert(known.end(), {"fixed", "always"});
      else
        known.emplace_back("like");
      check_keys(entry.value, known, "L003", "a state", diagnostics_);
      StateDefinition state;
      state.name = entry.key;
      state.unit_text = read_unit_text(entry.value, diagnostics_);
      state.change = required_expression(entry, change_key, diagnostics_);
      state.start = entry.value.get("start") != nullptr
                        ? required_expression(entry, "start", diagnostics_)
                        : make_expression("0", entry.where, diagnostics_);
      if (entry.value.get("like") != nullptr)
        state.like = required_expression(entry, "like", diagnostics_);
      state.fixed = read_flag(entry.value, "fixed");
      state.always = read_flag(entry.value, "always");
      out_.states.push_back(std::move(state));
    }
  }

  bool read_flag(const TomlValue& table, const std::string& key) {
    const TomlValue* flag = table.get(key);
    return flag != nullptr &&
           expect_kind(*flag, TomlValue::Kind::boolean, "'" + key + "'", diagnostics_) &&
           flag->flag;
  }

  void read_lets(std::string_view key, std::vector<LetDefinition>& into) {
    const TomlValue* lets = table_.get(key);
    if (lets == nullptr ||
        !expect_kind(*lets, TomlValue::Kind::table, "'" + std::string(key) + "'", diagnostics_))
      return;
    for (const TomlEntry& entry : lets->entries) {
      if (!valid_name(entry, diagnostics_)) continue;
      LetDefinition let;
      let.name = entry.key;
      if (entry.value.is_table()) {
        check_keys(entry.value, {"unit", "value"}, "L003", "'" + std::string(key) + "'",
                   diagnostics_);
        let.unit_text = read_unit_text(entry.value, diagnostics_);
        let.value = required_expression(entry, "value", diagnostics_);
      } else {
        let.value = read_expression(entry.value, diagnostics_);
      }
      into.push_back(std::move(let));
    }
  }

  void read_heat() {
    const TomlEntry* entry = table_.find("heat");
    if (entry == nullptr ||
        !expect_kind(entry->value, TomlValue::Kind::table, "'heat'", diagnostics_))
      return;
    check_keys(entry->value, {"t", "loss"}, "L003", "'heat'", diagnostics_);
    HeatDefinition heat;
    heat.temperature = required_expression(*entry, "t", diagnostics_);
    if (const TomlValue* loss = entry->value.get("loss"))
      heat.loss = read_expression(*loss, diagnostics_);
    out_.heat = std::move(heat);
  }

  const TomlEntry& entry_;
  const TomlValue& table_;
  Diagnostics& diagnostics_;
  ElementDefinition out_;
};

}  // namespace

TerminalDefinition read_terminal(const std::string& text, const Location& where, Domain home,
                                 Diagnostics& diagnostics) {
  const std::size_t colon = text.find(':');
  TerminalDefinition terminal{text.substr(0, colon), home};
  if (!is_name(terminal.name)) {
    diagnostics.error("M006", where, "'" + terminal.name + "' is no name",
                      "names are lower-case letters, digits and _, beginning with a letter");
  }
  if (colon != std::string::npos) {
    const std::string section = text.substr(colon + 1);
    const auto domain = domain_of(section);
    if (!domain) {
      std::vector<std::string> known(element_sections().begin(), element_sections().end() - 1);
      diagnostics.error("L007", shifted(where, colon + 1),
                        "'" + section + "' is no physical domain", name_hint(section, known));
    }
    terminal.domain = domain.value_or(home);
  }
  return terminal;
}

ElementDefinition read_element(std::string_view section, const TomlEntry& entry,
                               Diagnostics& diagnostics) {
  return ElementReader(section, entry, diagnostics).read();
}

}  // namespace takt::codegen
