// Units of what control blocks compute: a block takes any dimension, but its inputs tell which one
// it has here.

#include <set>
#include <utility>
#include <vector>

#include "codegen/model/laws.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

/// Lowers the expressions of blocks once more, now with the dimensions found so far, until no more
/// are found. Lowering makes no new nodes and its findings are dropped: where dimensions do not
/// agree, the output stays without unit. So does what an element takes for something else: a plain
/// number in its expression, a gain say, may have stood for any unit.
class BlockUnits {
 public:
  explicit BlockUnits(Workspace& work) : work_(work) {}

  void find() {
    const Diagnostics before = work_.diagnostics;
    const auto reported = work_.reported;
    const auto dimensions = work_.dimensions;
    do {
      work_.dimensions = dimensions;
      work_.network.block_units.clear();
      spread();
    } while (is_contradicted());
    work_.dimensions = dimensions;
    work_.diagnostics = before;
    work_.reported = reported;
    if (told_) judge();
  }

 private:
  /// Of which kind some outputs are (a difference of temperatures) is known only now: what reads
  /// them is judged again.
  void judge() {
    for (Instance& instance : work_.instances) {
      for (const auto& [name, slot] : instance.parameters) {
        if (!is_plain(*slot)) continue;
        const auto value = lower_value(work_, *slot->given, slot->reading);
        if (!value) continue;
        if (slot->definition->unit)
          (void)check_dimension(work_, *value,
                                {*slot->definition->unit, slot->definition->unit_text},
                                {slot->where, "'" + slot->name + "'"});
        else
          slot->kind = value->kind;
      }
      const ElementDefinition& definition = *instance.definition;
      if (!is_computed(definition)) continue;
      InstanceNames names(work_, instance);
      for (const auto* list : {&definition.lets, &definition.outputs})
        for (const LetDefinition& let : *list) (void)names.lower(let.value);
      for (const StateDefinition& state : definition.states) judge(instance, state, names);
    }
  }

  void judge(const Instance& instance, const StateDefinition& state, InstanceNames& names) {
    (void)names.lower(state.change);
    const auto kind = work_.kinds.find(symbol_of(instance.variables.find(state.name)->second));
    const std::optional<Named> start = quietly([&] { return names.lower(state.start); });
    if (!start || kind == work_.kinds.end()) return;
    if (const auto conflict = wrong_kind(start->kind, kind->second))
      work_.error(
          "E018", instance.entry->where,
          "the start value of '" + instance.path + "." + state.name + "': " + conflict->cause,
          conflict->remedy);
  }

  [[nodiscard]] static bool is_computed(const ElementDefinition& definition) {
    return definition.is_control() && !definition.state_machine &&
           definition.gate_block == GateBlock::none;
  }

  void spread() {
    bool more = true;
    while (more) {
      more = false;
      for (Instance& instance : work_.instances) {
        if (!is_computed(*instance.definition)) continue;
        more = look_at(instance) || more;
      }
    }
  }

  /// @return an element takes outputs for something else; they have no unit from then on
  [[nodiscard]] bool is_contradicted() {
    const std::size_t before = ambiguous_.size();
    for (Instance& instance : work_.instances)
      for (const auto& [name, slot] : instance.parameters) {
        if (!is_plain(*slot) || !slot->definition->unit) continue;
        std::vector<SymbolId> outputs = work_.network.graph().symbols_of(slot->value);
        std::erase_if(outputs,
                      [&](SymbolId symbol) { return !work_.network.block_units.contains(symbol); });
        if (outputs.empty()) continue;
        const auto value =
            quietly([&, slot = slot] { return lower_value(work_, *slot->given, slot->reading); });
        if (!value || (value->dimension && *value->dimension != slot->definition->unit->dimension))
          ambiguous_.insert(outputs.begin(), outputs.end());
      }
    return ambiguous_.size() > before;
  }

  /// An expression of the plant file.
  [[nodiscard]] static bool is_plain(const Slot& slot) {
    return slot.given != nullptr && !slot.given->is_table() && !slot.given->is_array() &&
           slot.definition != nullptr && slot.state == Slot::State::done;
  }

  template <class Lower>
  [[nodiscard]] std::optional<Named> quietly(const Lower& lower) {
    const std::size_t errors = work_.diagnostics.error_count();
    std::optional<Named> value = lower();
    return work_.diagnostics.error_count() == errors ? value : std::nullopt;
  }

  /// @return something was found
  [[nodiscard]] bool look_at(Instance& instance) {
    const auto variables = instance.variables;
    const auto values = std::exchange(instance.let_values, {});
    const auto slots = know_inputs(instance);
    for (auto& [name, variable] : instance.variables) {
      const SymbolId symbol = symbol_of(variable);
      if (const auto known = work_.dimensions.find(symbol); known != work_.dimensions.end())
        variable.dimension = known->second;
    }
    const std::size_t before = found_;
    InstanceNames names(work_, instance);
    for (const LetDefinition& output : instance.definition->outputs)
      take(instance.let_symbols.find(output.name)->second,
           quietly([&] { return names.lower(output.value); }));
    for (const StateDefinition& state : instance.definition->states)
      for (const SourceExpression* told : {&state.like, &state.change})
        if (told->ast)
          take(symbol_of(instance.variables.find(state.name)->second),
               quietly([&] { return names.lower(*told); }));
    for (const auto& [slot, dimension] : slots) slot->dimension = dimension;
    instance.let_values = values;
    instance.variables = variables;
    for (auto& [name, variable] : instance.variables)
      if (const auto kind = work_.kinds.find(symbol_of(variable)); kind != work_.kinds.end())
        variable.kind = kind->second;
    return found_ > before;
  }

  [[nodiscard]] SymbolId symbol_of(const Named& variable) const {
    return static_cast<SymbolId>(work_.network.graph().node(variable.value).payload);
  }

  /// @return the slots changed, and what they were
  [[nodiscard]] std::vector<std::pair<Slot*, std::optional<Dimension>>> know_inputs(
      Instance& instance) {
    std::vector<std::pair<Slot*, std::optional<Dimension>>> changed;
    for (const auto& [name, slot] : instance.parameters) {
      if (!is_plain(*slot) || slot->definition->kind != ParameterDefinition::Kind::any) continue;
      const auto value =
          quietly([&, slot = slot] { return lower_value(work_, *slot->given, slot->reading); });
      if (value && slot->kind.sort == QuantityKind::Sort::open) slot->kind = value->kind;
      if (slot->dimension) continue;
      // As where it was resolved: a plain number may stand for anything.
      if (!value || !value->dimension || *value->dimension == Dimension{}) continue;
      changed.emplace_back(slot, slot->dimension);
      slot->dimension = value->dimension;
    }
    return changed;
  }

  void take(SymbolId symbol, const std::optional<Named>& value) {
    if (value && (value->kind.turns() || value->kind.sort == QuantityKind::Sort::temperature) &&
        work_.kinds.emplace(symbol, value->kind)) {
      told_ = true;
      ++found_;
    }
    if (!value || !value->dimension || *value->dimension == Dimension{} ||
        work_.dimensions.contains(symbol) || ambiguous_.contains(symbol))
      return;
    work_.network.block_units.emplace(symbol, unit_of(*value));
    work_.dimensions.emplace(symbol, *value->dimension);
    ++found_;
  }

  /// As that of a quantity in the expression, else the usual one. Of torque and energy, which have
  /// one dimension, it is torque unless a signal says otherwise: parameters do not tell them apart.
  [[nodiscard]] std::string unit_of(const Named& value) const {
    const Graph& graph = work_.network.graph();
    const auto told = [](const std::string& unit) {
      return unit == "J" ? std::string("N*m") : unit;
    };
    for (const SymbolId symbol : graph.symbols_of(value.value)) {
      const auto known = work_.dimensions.find(symbol);
      if (known == work_.dimensions.end() || known->second != *value.dimension) continue;
      const auto own = work_.network.block_units.find(symbol);
      if (own != work_.network.block_units.end()) return own->second;
      const std::string& unit = graph.symbol(symbol).unit;
      return work_.parameter_of.contains(symbol) ? told(unit) : unit;
    }
    return told(dimension_text(*value.dimension));
  }

  Workspace& work_;
  std::size_t found_ = 0;
  bool told_ = false;
  std::set<SymbolId> ambiguous_;
};

}  // namespace

void find_block_units(Workspace& work) { BlockUnits(work).find(); }

}  // namespace takt::codegen
