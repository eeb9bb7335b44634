#include "codegen/model/faults.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "codegen/expr/node_memo.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

using Change = FaultDefinition::Change;

/// Who follows a parameter of the plant.
struct Followers {
  std::size_t slots = 0;     ///< whose value is this parameter, its own among them
  std::size_t elements = 0;  ///< those of them that belong to elements and control blocks
  std::size_t reads = 0;     ///< by expressions of the plant file
  /// Whether it is the value of one element and of nothing else: each other slot has read one of
  /// them, once.
  [[nodiscard]] bool is_alone() const { return elements == 1 && reads + 1 == slots; }
};

class FaultCollector {
 public:
  explicit FaultCollector(Workspace& work) : work_(work), graph_(work.network.graph()) {
    for (const Slot& slot : work.slots) {
      if (const auto symbol = parameter_of(slot))
        followers_[*symbol].slots += 1, followers_[*symbol].reads += slot.reads;
    }
    for (const Instance& instance : work.instances)
      for (const auto& [name, slot] : instance.parameters)
        if (const auto symbol = parameter_of(*slot)) followers_[*symbol].elements += 1;
    find_limits();
  }

  void collect() {
    auto& network = work_.network;
    for (const Instance& instance : work_.instances) {
      for (const FaultDefinition& fault : instance.definition->faults) add(instance, fault);
      if (instance.frozen != nullptr)
        network.faults.push_back(
            {instance.path,
             "frozen",
             "the block stands still: outputs and states stay what they are",
             {{work_.parameter_of.at(*parameter_of(*instance.frozen)), 1.0, std::nullopt, 1.0}}});
    }
    const auto before = [](const auto& a, const auto& b) {
      return a.element != b.element ? a.element < b.element : a.name < b.name;
    };
    std::stable_sort(network.faults.begin(), network.faults.end(), before);
    std::stable_sort(network.absent_faults.begin(), network.absent_faults.end(), before);
  }

 private:
  /// Limits with parameters that a fault may change; others may be many, each of a long chain of
  /// parameters.
  void find_limits() {
    std::unordered_set<SymbolId> changeable;
    for (const Instance& instance : work_.instances)
      for (const FaultDefinition& fault : instance.definition->faults)
        for (const Change& change : fault.changes) {
          const Slot& slot = *instance.parameters.find(change.parameter)->second;
          for (const Slot* one : {&slot, static_cast<const Slot*>(slot.factor),
                                  static_cast<const Slot*>(slot.offset)})
            if (const auto symbol = one != nullptr ? parameter_of(*one) : std::nullopt)
              changeable.insert(*symbol);
        }
    NodeMemo<char> concerned(graph_);
    const auto& limits = work_.network.limits;
    for (std::size_t limit = 0; limit < limits.size(); ++limit) {
      const bool may_break =
          concerned.of(
              limits[limit].holds,
              [&](SymbolId symbol) -> char { return changeable.contains(symbol) ? 1 : 0; },
              [](char a, char b) -> char { return a != 0 || b != 0 ? 1 : 0; }) != 0;
      if (!may_break) continue;
      for (const SymbolId symbol : graph_.symbols_of(limits[limit].holds))
        limits_[symbol].push_back(limit);
    }
  }

  /// The parameter of the plant that is the whole value; nothing where it is an expression or a
  /// signal.
  [[nodiscard]] std::optional<SymbolId> parameter_of(const Slot& slot) const {
    if (slot.state != Slot::State::done || slot.table) return std::nullopt;
    const Node& node = graph_.node(slot.value);
    if (node.op != Op::symbol || !work_.parameter_of.contains(SymbolId{node.payload}))
      return std::nullopt;
    return SymbolId{node.payload};
  }

  void add(const Instance& instance, const FaultDefinition& definition) {
    ElementFault fault{instance.path, definition.name, definition.doc, {}};
    std::string why;
    for (const Change& change : definition.changes) {
      const Slot& slot = *instance.parameters.find(change.parameter)->second;
      const Slot* of = change.of.empty() ? nullptr : instance.parameters.find(change.of)->second;
      if (slot.state != Slot::State::done || (of != nullptr && of->state != Slot::State::done))
        return;
      why = slot.factor != nullptr && !parameter_of(slot)
                ? add_by_own(fault, change, {&slot, of})
                : add_directly(fault, change, {&slot, of});
      if (!why.empty()) break;
    }
    if (why.empty()) why = broken_limit(fault);
    if (why.empty())
      work_.network.faults.push_back(std::move(fault));
    else
      work_.network.absent_faults.push_back({instance.path, definition.name, why});
  }

  struct Slots {
    const Slot* changed;
    const Slot* of;  ///< nullptr: the value is a number
  };

  /// @return why not; empty where it is done
  [[nodiscard]] std::string add_directly(ElementFault& fault, const Change& change,
                                         const Slots& slots) {
    const auto symbol = parameter_of(*slots.changed);
    if (!symbol) return follows(*slots.changed) + "; " + remedy(*slots.changed, fault.element);
    const std::size_t parameter = work_.parameter_of.at(*symbol);
    if (work_.network.parameters[parameter].structural)
      return path(*symbol) + " is structural: it is compiled in";
    if (!followers_.find(*symbol)->second.is_alone())
      return change.parameter + " is " + path(*symbol) + ", which others follow, too; " +
             remedy(*slots.changed, fault.element);
    if (slots.of == nullptr) {
      fault.changes.push_back({parameter, change.value, std::nullopt, 1.0});
      return {};
    }
    const auto of = parameter_of(*slots.of);
    if (!of) return follows(*slots.of) + ", and " + change.parameter + " takes its value";
    fault.changes.push_back({parameter, 0.0, work_.parameter_of.at(*of), change.factor});
    return {};
  }

  /// A value that is an expression: by the factor and the offset made for it.
  [[nodiscard]] std::string add_by_own(ElementFault& fault, const Change& change,
                                       const Slots& slots) {
    const auto index = [&](const Slot* slot) {
      return work_.parameter_of.at(*parameter_of(*slot));
    };
    const std::size_t factor = index(slots.changed->factor), offset = index(slots.changed->offset);
    if (slots.of == slots.changed) {
      fault.changes.push_back({factor, change.factor, std::nullopt, 1.0});
      return {};
    }
    std::optional<SymbolId> of;
    if (slots.of != nullptr && !(of = parameter_of(*slots.of)))
      return follows(*slots.of) + ", and " + change.parameter + " takes its value";
    fault.changes.push_back({factor, 0.0, std::nullopt, 1.0});
    if (of)
      fault.changes.push_back({offset, 0.0, work_.parameter_of.at(*of), change.factor});
    else
      fault.changes.push_back({offset, change.value, std::nullopt, 1.0});
    return {};
  }

  [[nodiscard]] const std::string& path(SymbolId symbol) const {
    return graph_.symbol(symbol).path;
  }

  /// Parameters of the plant in a value; nothing where it follows signals or time.
  [[nodiscard]] std::optional<std::vector<SymbolId>> parameters_in(const Slot& slot) const {
    const std::vector<SymbolId> symbols = graph_.symbols_of(slot.value);
    const bool constant = std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
      return work_.parameter_of.contains(symbol);
    });
    return constant ? std::optional(symbols) : std::nullopt;
  }

  [[nodiscard]] std::string follows(const Slot& slot) const {
    return slot.name +
           (parameters_in(slot) ? " is an expression of other parameters" : " follows a signal");
  }

  /// "tune r_load, or name the element in [plant] faults"
  [[nodiscard]] std::string remedy(const Slot& slot, const std::string& element) const {
    constexpr std::size_t most = 3;
    std::string named;
    const auto parameters = parameters_in(slot);
    for (std::size_t index = 0; parameters && index < std::min(parameters->size(), most); ++index)
      named += (index == 0 ? "tune " : " or ") + path((*parameters)[index]);
    return named + (named.empty() ? "" : ", or ") + "write faults = [\"" + element +
           "\"] in [plant]";
  }

  /// A limit of the library that the changed parameters leave; empty where they keep all.
  [[nodiscard]] std::string broken_limit(const ElementFault& fault) const {
    const auto& parameters = work_.network.parameters;
    std::unordered_map<SymbolId, double> changed;
    for (const ElementFault::Change& change : fault.changes)
      changed[parameters[change.parameter].symbol] =
          change.of ? change.factor * parameters[*change.of].value : change.value;
    const auto value_of = [&](SymbolId symbol) {
      const auto found = changed.find(symbol);
      return found != changed.end() ? found->second
                                    : parameters[work_.parameter_of.at(symbol)].value;
    };
    for (const auto& [symbol, value] : changed) {
      const auto about = limits_.find(symbol);
      if (about == limits_.end()) continue;
      for (const std::size_t index : about->second) {
        const ParameterLimit& limit = work_.network.limits[index];
        if (!(graph_.evaluate(limit.holds, value_of) > 0.5)) return limit.text;
      }
    }
    return {};
  }

  Workspace& work_;
  const Graph& graph_;
  std::unordered_map<SymbolId, Followers> followers_;
  std::unordered_map<SymbolId, std::vector<std::size_t>> limits_;
};

}  // namespace

void collect_faults(Workspace& work) { FaultCollector(work).collect(); }

}  // namespace takt::codegen
