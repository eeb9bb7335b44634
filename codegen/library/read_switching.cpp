// What an element says about switching: modes, linearisation points, energies at edges; control
// blocks that make gate signals.

#include <algorithm>
#include <array>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

/// What the stage after this one reads from a gate block, by name.
struct GateBlockForm {
  std::string_view name;
  GateBlock kind;
  std::vector<std::string> inputs, parameters, outputs;
};

const std::array<GateBlockForm, 2>& gate_block_forms() {
  static const std::array<GateBlockForm, 2> forms{
      {{"pwm_leg",
        GateBlock::pwm_leg,
        {"duty"},
        {"frequency", "dead_time", "phase", "carrier", "update"},
        {"high", "low"}},
       {"gate_edge", GateBlock::gate_edge, {"level", "delay"}, {}, {"out"}}}};
  return forms;
}

class SwitchingReader {
 public:
  SwitchingReader(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics)
      : element_(element), table_(table), diagnostics_(diagnostics) {}

  void read() {
    for_each("mode", {"on", "off", "start", "unit"},
             [&](const TomlEntry& entry) { read_mode(entry); });
    for_each("point", {"unit", "next", "tolerance", "start"}, [&](const TomlEntry& entry) {
      element_.points.push_back({entry.key, read_unit_text(entry.value, diagnostics_),
                                 required(entry, "next"), required(entry, "tolerance"),
                                 optional(entry, "start", "0")});
    });
    for_each("edge", {"of", "rise", "fall"}, [&](const TomlEntry& entry) { read_edge(entry); });
  }

 private:
  template <typename Read>
  void for_each(std::string_view key, const std::vector<std::string>& keys, Read read) {
    const TomlValue* entries = table_.get(key);
    const std::string what(key);
    if (entries == nullptr ||
        !expect_kind(*entries, TomlValue::Kind::table, "'" + what + "'", diagnostics_))
      return;
    for (const TomlEntry& entry : entries->entries) {
      if (!valid_name(entry, diagnostics_) ||
          !expect_kind(entry.value, TomlValue::Kind::table, what + " '" + entry.key + "'",
                       diagnostics_))
        continue;
      check_keys(entry.value, keys, "L003", "'" + what + "'", diagnostics_);
      read(entry);
    }
  }

  [[nodiscard]] SourceExpression required(const TomlEntry& entry, std::string_view key) {
    return required_expression(entry, key, diagnostics_);
  }

  [[nodiscard]] SourceExpression optional(const TomlEntry& entry, std::string_view key,
                                          std::string otherwise) {
    return entry.value.get(key) != nullptr
               ? required(entry, key)
               : make_expression(std::move(otherwise), entry.where, diagnostics_);
  }

  /// Beside equations or events a mode without indicators is what events set.
  void read_mode(const TomlEntry& entry) {
    ModeDefinition mode{entry.key, {}, {}, {}, optional(entry, "start", "0"), entry.where};
    const bool by_events = table_.get("equation") != nullptr || table_.get("at") != nullptr;
    if (!by_events || entry.value.get("on") != nullptr || entry.value.get("off") != nullptr) {
      mode.on = required(entry, "on");
      mode.off = required(entry, "off");
      if (const TomlEntry* unit = entry.value.find("unit"))
        diagnostics_.error(
            "L003", unit->where, "a mode with 'on' and 'off' is 1 or 0 and has no unit",
            by_events ? "leave the unit out, or let events set the mode" : "leave the unit out");
    } else {
      mode.unit_text = read_unit_text(entry.value, diagnostics_);
    }
    element_.modes.push_back(std::move(mode));
  }

  void read_edge(const TomlEntry& entry) {
    EdgeDefinition edge;
    edge.name = entry.key;
    const TomlValue* of = entry.value.get("of");
    if (of != nullptr) edge.of = read_string(*of, "'of'", diagnostics_);
    if (of == nullptr) {
      diagnostics_.error("L004", entry.where, "'" + entry.key + "' needs 'of'",
                         "name the gate parameter or the mode whose edges cost energy");
    } else if (of->is_string() && !element_.switches(edge.of)) {
      diagnostics_.error(
          "L013", of->where,
          "'" + edge.of + "' is no mode and no gate of element '" + element_.name + "'",
          name_hint(edge.of, switches()));
    }
    if (entry.value.get("rise") == nullptr && entry.value.get("fall") == nullptr) {
      diagnostics_.error("L004", entry.where, "'" + entry.key + "' needs 'rise' or 'fall'",
                         "give the energy lost where it turns on, turns off, or both");
    }
    edge.rise = optional(entry, "rise", "0");
    edge.fall = optional(entry, "fall", "0");
    if (element_.switches(edge.of)) element_.edges.push_back(std::move(edge));
  }

  [[nodiscard]] std::vector<std::string> switches() const {
    std::vector<std::string> names;
    for (const auto& mode : element_.modes) names.push_back(mode.name);
    for (const auto& parameter : element_.parameters) {
      if (parameter.kind == ParameterDefinition::Kind::gate) names.push_back(parameter.name);
    }
    return names;
  }

  ElementDefinition& element_;
  const TomlValue& table_;
  Diagnostics& diagnostics_;
};

/// Names of a list that the block lacks.
std::string missing(const std::vector<std::string>& wanted,
                    const std::vector<ParameterDefinition>& given) {
  std::vector<std::string> names;
  for (const std::string& name : wanted) {
    if (std::none_of(given.begin(), given.end(),
                     [&](const auto& parameter) { return parameter.name == name; }))
      names.push_back(name);
  }
  return join_names(names);
}

/// The names a block of this kind must have.
void check_form(const GateBlockForm& form, const ElementDefinition& element, const TomlValue& table,
                Diagnostics& diagnostics) {
  const Location& where = table.find("gates")->where;
  const std::string kind = "gates = \"" + std::string(form.name) + "\"";
  const std::string inputs = missing(form.inputs, element.inputs),
                    parameters = missing(form.parameters, element.parameters);
  if (!inputs.empty()) diagnostics.error("L014", where, kind + " needs the inputs " + inputs);
  if (!parameters.empty())
    diagnostics.error("L014", where, kind + " needs the parameters " + parameters);
  std::vector<std::string> outputs;
  if (const TomlValue* output = table.get("output")) {
    for (const auto& [name, place] : read_strings(*output, "'output'", diagnostics))
      outputs.push_back(name);
  }
  if (outputs != form.outputs) {
    diagnostics.error("L014", where, kind + " has the outputs " + join_names(form.outputs),
                      "list their names: output = [\"...\"]");
  }
}

}  // namespace

void read_switching(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  SwitchingReader(element, table, diagnostics).read();
}

bool read_gate_block(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  const TomlEntry* gates = table.find("gates");
  if (gates == nullptr) return false;
  const std::string word = read_string(gates->value, "'gates'", diagnostics);
  const auto& forms = gate_block_forms();
  const auto* form = std::find_if(forms.begin(), forms.end(),
                                  [&](const GateBlockForm& known) { return known.name == word; });
  if (form == forms.end()) {
    diagnostics.error("L014", gates->value.where, "there are no gate blocks of kind '" + word + "'",
                      name_hint(word, {"pwm_leg", "gate_edge"}));
    form = &forms.back();  // the rest is judged as if it were this one
  }
  element.gate_block = form->kind;
  for (const std::string_view key : {"state", "let"}) {
    if (const TomlEntry* entry = table.find(key))
      diagnostics.error("L014", entry->where, "a block with 'gates' has no " + std::string(key));
  }
  if (form->name == word) check_form(*form, element, table, diagnostics);
  for (const std::string& name : form->outputs)
    element.outputs.push_back({name, "1", {{}, gates->where, nullptr}});
  return true;
}

}  // namespace takt::codegen
