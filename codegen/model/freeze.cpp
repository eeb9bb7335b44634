// What [plant] faults asks for: parameters of their own for elements, and control blocks that can
// be frozen.

#include <algorithm>

#include "codegen/library/read_value.hpp"
#include "codegen/model/faults.hpp"
#include "codegen/model/pattern.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

/// A parameter that stands in no file, with this start.
Slot& own_parameter(Workspace& work, const Instance& instance, const std::string& path,
                    const std::string& start) {
  TomlValue& text = work.texts.emplace_back();
  text.kind = TomlValue::Kind::string;
  text.text = start;
  text.where = text.text_where = instance.entry->where;
  Slot slot;
  slot.given = &text;
  slot.reading = instance.reading;
  slot.path = path;
  slot.name = path;
  slot.where = instance.entry->where;
  Slot& made = work.make_slot(std::move(slot));
  work.declare(path, Target{std::nullopt, &made});
  return made;
}

bool is_changed(const ElementDefinition& definition, const std::string& parameter) {
  return std::any_of(
      definition.faults.begin(), definition.faults.end(), [&](const FaultDefinition& fault) {
        return std::any_of(
            fault.changes.begin(), fault.changes.end(),
            [&](const FaultDefinition::Change& change) { return change.parameter == parameter; });
      });
}

/// Whether the value becomes a parameter by itself.
bool is_number(const Slot& slot) {
  if (slot.override_text) return true;
  if (slot.given == nullptr)
    return slot.definition->default_value.ast && literal_of(*slot.definition->default_value.ast);
  if (!slot.given->is_string()) return !slot.given->is_table() && !slot.given->is_array();
  Diagnostics ignored;
  const SourceExpression expression = make_expression(slot.given->text, slot.given->where, ignored);
  return !expression.ast || literal_of(*expression.ast);
}

bool is_wished(Workspace& work, const std::string& path) {
  bool wished = false;
  for (FaultWish& wish : work.fault_wishes) {
    if (!matches_pattern(wish.pattern, path)) continue;
    wished = wish.met = true;
  }
  return wished;
}

}  // namespace

void read_fault_wishes(Workspace& work, const TomlValue& plant) {
  const TomlValue* wishes = plant.get("faults");
  if (wishes == nullptr) return;
  Diagnostics findings;
  for (const auto& [pattern, value] : read_strings(*wishes, "what may fail", findings))
    work.fault_wishes.push_back({pattern, value->where});
  work.forward(findings);
}

void make_fault_parameters(Workspace& work, Instance& instance) {
  if (work.fault_wishes.empty()) return;
  const ElementDefinition& definition = *instance.definition;
  const bool freezes = definition.is_control() && definition.gate_block == GateBlock::none;
  if ((!freezes && definition.faults.empty()) || !is_wished(work, instance.path)) return;
  if (freezes) instance.frozen = &own_parameter(work, instance, instance.path + ".frozen", "0");
  for (const auto& [name, slot] : instance.parameters) {
    if (!is_changed(definition, name) || is_number(*slot) || slot->state == Slot::State::failed)
      continue;
    const std::string unit = si_text(slot->definition->unit_text);
    slot->factor = &own_parameter(work, instance, slot->path + ".factor", "1");
    slot->offset =
        &own_parameter(work, instance, slot->path + ".offset", unit == "1" ? "0" : "0 " + unit);
  }
}

void check_fault_wishes(Workspace& work) {
  if (!work.broken.empty()) return;  // it may be what was refused
  for (const FaultWish& wish : work.fault_wishes) {
    if (wish.met) continue;
    bool there = false;
    for (const Instance& instance : work.instances)
      there = there || matches_pattern(wish.pattern, instance.path);
    work.error("M049", wish.where,
               there ? "'" + wish.pattern + "' has no faults"
                     : "there is no element '" + wish.pattern + "' to fail",
               there ? "`takt explain faults` lists the elements that have some; of control blocks "
                       "those that are sampled "
                       "can be frozen"
                     : "name an element or a control block by its path, such as \"electric.motor\" "
                       "or \"control.*\"");
  }
}

void make_freezable(Workspace& work, const Instance& instance, ControlBlock& block) {
  if (instance.frozen == nullptr) return;
  resolve(work, *instance.frozen);
  if (instance.frozen->state != Slot::State::done) return;
  Graph& graph = work.network.graph();
  const auto memory = [&](const std::string& name, const std::string& unit, Expr next) {
    const SymbolId symbol = work.make_symbol(block.path + "." + name, unit);
    block.states.push_back({symbol, next, graph.zero()});
    return graph.use(symbol);
  };
  const Expr frozen = graph.binary(Op::less, graph.constant(0.5), instance.frozen->value);
  for (ControlBlock::State& state : block.states)
    state.next = graph.select(frozen, graph.use(state.symbol), state.next);
  const Expr sampled = memory("sampled", "1", graph.one());
  const Expr holds =
      graph.binary(Op::logical_and, frozen, graph.binary(Op::less, graph.constant(0.5), sampled));
  for (ControlBlock::Output& output : block.outputs) {
    const Symbol named = graph.symbol(output.symbol);
    const Expr held =
        memory("held_" + named.path.substr(named.path.rfind('.') + 1), named.unit, graph.zero());
    output.value = graph.select(holds, held, output.value);
    block.states.back().next = output.value;
  }
}

}  // namespace takt::codegen
