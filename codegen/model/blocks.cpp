// Control blocks: period, outputs, states.

#include "codegen/model/faults.hpp"
#include "codegen/model/laws.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

/// The line's own period, else the default of the section here or further out.
const TomlValue* period_of(const Instance& instance) {
  if (const TomlValue* own = instance.entry->value.get("every")) return own;
  for (const Scope* scope = instance.reading.scope; scope != nullptr; scope = scope->parent) {
    if (scope->default_period != nullptr) return scope->default_period;
  }
  return nullptr;
}

}  // namespace

std::int64_t block_period(Workspace& work, const Instance& instance) {
  if (const TomlValue* period = period_of(instance))
    return read_duration(work, *period, instance.reading, "the period 'every'").value_or(0);
  work.error("C001", instance.entry->where,
             "control block '" + instance.path + "' does not say how often it runs",
             "write every = \"1 ms\" in its line, or once for the section [control]");
  return 0;
}

void lower_block(Workspace& work, Instance& instance) {
  const ElementDefinition& definition = *instance.definition;
  Graph& graph = work.network.graph();
  instance.period_ns = block_period(work, instance);
  ControlBlock block;
  block.path = instance.path;
  block.type = definition.full_name();
  block.period_ns = instance.period_ns;
  block.where = instance.entry->where;

  InstanceNames names(work, instance);
  for (const auto* list : {&definition.parameters, &definition.inputs}) {
    for (const auto& parameter : *list)
      resolve(work, *instance.parameters.find(parameter.name)->second);
  }
  for (const LetDefinition& output : definition.outputs) {
    const auto value = names.let_value(output.name);
    if (value) {
      if (const auto plain = names.lower(output.value))
        names.expect(*plain, output.unit_text, output.value, "output '" + output.name + "'");
    }
    block.outputs.push_back(
        {instance.let_symbols.find(output.name)->second, value ? value->value : graph.zero()});
  }
  for (const StateDefinition& state : definition.states) {
    ControlBlock::State made{};
    made.symbol = static_cast<SymbolId>(
        graph.node(instance.variables.find(state.name)->second.value).payload);
    const auto next = names.lower(state.change);
    made.next = next ? next->value : graph.zero();
    made.start = names.lower_start(state.start).value_or(graph.zero());
    block.states.push_back(made);
  }
  for (const LetDefinition& let : definition.lets) {
    if (const auto plain = names.lower(let.value))
      names.expect(*plain, let.unit_text, let.value, "'" + let.name + "'");
  }
  make_freezable(work, instance, block);
  work.network.blocks.push_back(std::move(block));
}

}  // namespace takt::codegen
