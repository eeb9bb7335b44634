#include "codegen/model/laws.hpp"

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/media.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

class ElementLowering {
 public:
  ElementLowering(Workspace& work, Instance& instance)
      : work_(work),
        instance_(instance),
        definition_(*instance.definition),
        names_(work, instance) {}

  void run() {
    for (const auto& parameter : definition_.parameters)
      resolve(work_, *instance_.parameters.find(parameter.name)->second);
    for (std::size_t index = 0; index < definition_.branches.size(); ++index) lower_branch(index);
    for (std::size_t index = 0; index < definition_.two_ports.size(); ++index)
      lower_two_port(index);
    for (const StateDefinition& state : definition_.states) lower_state(state);
    for (const EquationDefinition& equation : definition_.equations) lower_equation(equation);
    for (const UnknownDefinition& unknown : definition_.unknowns) lower_unknown(unknown);
    for (const LetDefinition& let : definition_.lets) lower_let(let);
    if (definition_.heat) lower_heat();
    lower_delays(work_, instance_, names_);
    lower_ranges(work_, instance_, names_);
    first_mode_ = work_.network.modes.size();
    lower_switching(work_, instance_, names_);
    first_held_ = work_.network.states.size();
    lower_events(work_, instance_, names_);
    read_starts();
  }

 private:
  [[nodiscard]] Branch& branch(std::size_t index) {
    return work_.network.branches[static_cast<std::size_t>(instance_.branches[index])];
  }
  [[nodiscard]] Domain home() const {
    return work_.network.elements[static_cast<std::size_t>(instance_.element)].home;
  }

  void lower_branch(std::size_t index) {
    const BranchDefinition& definition = definition_.branches[index];
    Graph& graph = work_.network.graph();
    branch(index).default_start = graph.zero();
    branch(index).law = graph.zero();
    if (definition.form != LawForm::none) {
      // What another domain receives is one variable of this element: the flux of a coupling.
      const bool flux =
          definition.kind == BranchKind::through_source && definition.domain != home();
      const auto law = flux ? names_.lower_with_symbols(definition.law, index)
                            : names_.lower(definition.law, index);
      if (law) {
        names_.expect(*law, left_unit(definition), definition.law, "the law");
        branch(index).law = flux ? as_variable(*law, definition, index) : law->value;
      }
    }
    if (definition.energy) {
      if (const auto energy = names_.lower(*definition.energy, index)) {
        names_.expect(*energy, "J", *definition.energy, "the energy");
        branch(index).energy = energy->value;
      }
    }
    if (definition.passes) {
      if (const auto power = names_.lower(*definition.passes, index)) {
        names_.expect(*power, "W", *definition.passes, "the power");
        branch(index).passes = power->value;
      }
    }
    if (definition.start) {
      if (const auto start = names_.lower_start(*definition.start))
        branch(index).default_start = *start;
    }
  }

  /// Unit of the left side of a law.
  [[nodiscard]] static std::string_view left_unit(const BranchDefinition& branch) {
    const DomainWords& words = words_of(branch.domain);
    const bool across_storage = branch.kind == BranchKind::across_storage;
    switch (branch.form) {
      case LawForm::across_of:
        return words.across_unit;
      case LawForm::through_of:
        return words.through_unit;
      case LawForm::stored_of:
        return across_storage ? words.charge_unit : words.linkage_unit;
      case LawForm::from_stored:
        return across_storage ? words.across_unit : words.through_unit;
      case LawForm::implicit:
      case LawForm::none:
        break;
    }
    return {};
  }

  [[nodiscard]] Expr as_variable(const Named& law, const BranchDefinition& definition,
                                 std::size_t index) {
    Graph& graph = work_.network.graph();
    for (const auto& [name, symbol] : instance_.let_symbols) {
      if (graph.use(symbol) == law.value) return law.value;
    }
    const auto value = names_.lower(definition.law, index);
    const SymbolId symbol =
        work_.make_symbol(branch(index).path + ".source", words_of(definition.domain).through_unit);
    work_.network.variables.push_back(
        {instance_.element, symbol, value ? value->value : graph.zero(), instance_.entry->where});
    return graph.use(symbol);
  }

  void lower_two_port(std::size_t index) {
    const SourceExpression& ratio = definition_.two_ports[index].ratio;
    const auto value = names_.lower(ratio);
    if (!value) return;
    const auto number = structural_value(work_, value->value, instance_.entry->where,
                                         "the ratio of '" + instance_.path + "'");
    if (!number) return;
    if (*number == 0.0) {
      work_.error("U006", instance_.entry->where, "the ratio of '" + instance_.path + "' is zero",
                  "a two-port without transmission is two elements");
      return;
    }
    work_.network.two_ports[instance_.first_two_port + index].ratio = *number;
  }

  void lower_state(const StateDefinition& definition) {
    Graph& graph = work_.network.graph();
    const Named& state = instance_.variables.find(definition.name)->second;
    ElementState made;
    made.element = instance_.element;
    made.symbol = static_cast<SymbolId>(graph.node(state.value).payload);
    made.derivative = graph.zero();
    made.fixed = definition.fixed;
    made.always = definition.always;
    made.where = instance_.entry->where;
    if (const auto change = names_.lower(definition.change)) {
      if (!definition.unit_text.empty()) {
        const std::string per_second =
            definition.unit_text == "1" ? "1/s" : "(" + definition.unit_text + ")/s";
        names_.expect(*change, per_second, definition.change,
                      "the derivative of state '" + definition.name + "'");
      }
      made.derivative = change->value;
    }
    made.start = names_.lower_start(definition.start).value_or(graph.zero());
    states_[definition.name] = work_.network.states.size();
    work_.network.states.push_back(made);
  }

  void lower_equation(const EquationDefinition& definition) {
    Graph& graph = work_.network.graph();
    const auto left = names_.lower(definition.left), right = names_.lower(definition.right);
    if (!left || !right) return;
    if (left->dimension && right->dimension && *left->dimension != *right->dimension) {
      work_.error("L012", definition.left.where,
                  "the sides of an equation of element '" + definition_.full_name() + "' are in " +
                      dimension_text(*left->dimension) + " and in " +
                      dimension_text(*right->dimension));
      return;
    }
    work_.network.free_equations.push_back(
        {instance_.element, graph.sub(left->value, right->value), definition.left.where});
  }

  void lower_unknown(const UnknownDefinition& definition) {
    FreeUnknown made;
    made.element = instance_.element;
    made.symbol =
        static_cast<SymbolId>(work_.network.graph()
                                  .node(instance_.variables.find(definition.name)->second.value)
                                  .payload);
    made.start = names_.lower_start(definition.start).value_or(work_.network.graph().zero());
    made.started = definition.started;
    made.where = definition.where;
    unknowns_[definition.name] = work_.network.free_unknowns.size();
    work_.network.free_unknowns.push_back(made);
  }

  void lower_let(const LetDefinition& let) {
    const auto value = names_.let_value(let.name);
    if (!value) return;
    if (const auto plain = names_.lower(let.value))
      names_.expect(*plain, let.unit_text, let.value, "'" + let.name + "'");
    work_.network.variables.push_back({instance_.element,
                                       instance_.let_symbols.find(let.name)->second, value->value,
                                       instance_.entry->where});
  }

  void lower_heat() {
    Graph& graph = work_.network.graph();
    if (instance_.temperature_symbol) {
      const SymbolId potential = work_.temperature_at(*instance_.heat_node);
      work_.network.variables.push_back({instance_.element, *instance_.temperature_symbol,
                                         graph.use(potential), instance_.entry->where});
    }
    if (const auto unconnected = names_.lower(definition_.heat->temperature))
      names_.expect(*unconnected, "K", definition_.heat->temperature, "the temperature");
    if (!definition_.heat->loss) return;
    const SourceExpression& source = *definition_.heat->loss;
    const auto loss = names_.lower(source);
    if (!loss) return;
    names_.expect(*loss, "W", source, "the loss");
    const SymbolId symbol = loss_symbol(*loss);
    work_.network.elements[static_cast<std::size_t>(instance_.element)].loss = symbol;
    if (instance_.heat_node) instance_.loss = symbol;
    if (!instance_.heat_branch) return;
    work_.network.branches[static_cast<std::size_t>(*instance_.heat_branch)].law =
        graph.use(symbol);
    work_.network.branches[static_cast<std::size_t>(*instance_.heat_branch)].default_start =
        graph.zero();
  }

  /// The let called loss where it is what flows, else a variable made for it.
  [[nodiscard]] SymbolId loss_symbol(const Named& loss) {
    const bool has_let = std::any_of(definition_.lets.begin(), definition_.lets.end(),
                                     [](const LetDefinition& let) { return let.name == "loss"; });
    SymbolId symbol = instance_.let_symbols.find("loss")->second;
    if (has_let) {
      const auto let = names_.let_value("loss");
      if (let && let->value == loss.value) return symbol;
      symbol = work_.make_symbol(instance_.path + ".heat.loss", "W");
    }
    work_.network.variables.push_back(
        {instance_.element, symbol, loss.value, instance_.entry->where});
    return symbol;
  }

  // --- start = { v = "5 V" }
  void read_starts() {
    const TomlValue* starts = instance_.entry->value.get("start");
    if (starts == nullptr) return;
    Diagnostics findings;
    const bool is_table = expect_kind(*starts, TomlValue::Kind::table, "'start'", findings);
    work_.forward(findings);
    if (!is_table) return;
    for (const TomlEntry& entry : starts->entries) {
      const auto nested =
          std::find_if(definition_.branches.begin(), definition_.branches.end(),
                       [&](const auto& b) { return !b.name.empty() && b.name == entry.key; });
      if (nested != definition_.branches.end() && entry.value.is_table()) {
        for (const TomlEntry& word : entry.value.entries)
          read_start(entry.key + "." + word.key, word);
      } else {
        read_start(entry.key, entry);
      }
    }
  }

  /// Whether it stores a medium with a passive fraction.
  [[nodiscard]] bool carries_fraction() const {
    if (!definition_.content || !definition_.content->mass) return false;
    const Medium* medium = medium_of(work_, instance_);
    return medium != nullptr && !medium->definition->fraction.empty();
  }

  void read_start(const std::string& name, const TomlEntry& entry) {
    const auto value = lower_value(work_, entry.value, instance_.reading);
    if (const auto state = states_.find(name); state != states_.end()) {
      const auto& definition = *std::find_if(definition_.states.begin(), definition_.states.end(),
                                             [&](const auto& s) { return s.name == name; });
      if (value && start_fits(*value, definition.unit_text, name, entry))
        work_.network.states[state->second].start = value->value;
      return;
    }
    if (const auto unknown = unknowns_.find(name); unknown != unknowns_.end()) {
      const auto& definition =
          *std::find_if(definition_.unknowns.begin(), definition_.unknowns.end(),
                        [&](const auto& u) { return u.name == name; });
      if (value && start_fits(*value, definition.unit_text, name, entry))
        work_.network.free_unknowns[unknown->second].start = value->value;
      return;
    }
    if (name == "t" && definition_.content && definition_.content->mass) {
      if (value && start_fits(*value, "K", name, entry)) instance_.start_temperature = value->value;
      return;
    }
    if (name == "x" && carries_fraction()) {
      if (value && start_fits(*value, "1", name, entry)) instance_.start_fraction = value->value;
      return;
    }
    for (std::size_t index = 0; index < definition_.modes.size(); ++index) {
      if (definition_.modes[index].name != name) continue;
      const std::string& unit = definition_.modes[index].unit_text;
      if (!value || !start_fits(*value, unit.empty() ? "1" : unit, name, entry)) return;
      if (definition_.has_event_modes())
        work_.network.states[first_held_ + index].start = value->value;
      else
        work_.network.modes[first_mode_ + index].start = value->value;
      return;
    }
    for (std::size_t index = 0; index < definition_.branches.size(); ++index) {
      const BranchDefinition& definition = definition_.branches[index];
      const bool only = definition_.branches.size() == 1;
      for (const auto& [word, unit, stored] : start_words(definition)) {
        if (name != definition.name + "." + std::string(word) && !(only && name == word)) continue;
        if (value && start_fits(*value, unit, name, entry))
          start_storage(branch(index), stored, value->value, entry);
        return;
      }
    }
    work_.error("M017", entry.where,
                "'" + name + "' of element '" + definition_.full_name() + "' has no start value",
                name_hint(name, startable()));
  }

  struct StartWord {
    std::string_view word, unit;
    bool stored = false;  ///< it is the conserved quantity
  };

  /// Variables of a storage that can be started.
  [[nodiscard]] static std::vector<StartWord> start_words(const BranchDefinition& branch) {
    const DomainWords& words = words_of(branch.domain);
    if (branch.kind == BranchKind::across_storage)
      return {{words.across, words.across_unit}, {words.charge, words.charge_unit, true}};
    if (branch.kind == BranchKind::through_storage)
      return {{words.through, words.through_unit}, {words.linkage, words.linkage_unit, true}};
    return {};
  }

  void start_storage(Branch& storage, bool stored, Expr value, const TomlEntry& entry) {
    (stored ? storage.start_stored : storage.start) = value;
    if (storage.start && storage.start_stored)
      work_.error("M017", entry.where,
                  "'start' of " + storage.path +
                      " gives what is stored and the variable that follows from it",
                  "leave one of them out");
  }

  [[nodiscard]] std::vector<std::string> startable() const {
    std::vector<std::string> names;
    for (const auto& state : definition_.states) names.push_back(state.name);
    for (const auto& unknown : definition_.unknowns) names.push_back(unknown.name);
    for (const auto& mode : definition_.modes) names.push_back(mode.name);
    if (definition_.content && definition_.content->mass) names.emplace_back("t");
    if (carries_fraction()) names.emplace_back("x");
    for (const auto& branch : definition_.branches) {
      for (const StartWord& start : start_words(branch))
        names.push_back((branch.name.empty() ? "" : branch.name + ".") + std::string(start.word));
    }
    return names;
  }

  [[nodiscard]] bool start_fits(const Named& value, std::string_view unit_text,
                                const std::string& name, const TomlEntry& entry) {
    if (work_.is_refused(value.value)) return false;
    if (!parameter_value(work_, value.value)) {
      work_.error("M030", entry.value.where,
                  "the start value of '" + name + "' depends on time or signals",
                  "use numbers and parameters");
      return false;
    }
    const auto unit = unit_text.empty() ? std::nullopt : parse_unit(unit_text);
    if (!unit) return true;
    const Graph& graph = work_.network.graph();
    const bool bare = graph.is_constant(value.value) && value.dimension == Dimension{};
    return check_dimension(work_, value, {*unit, unit_text},
                           {entry.value.where, "the start value of '" + name + "'", bare});
  }

  Workspace& work_;
  Instance& instance_;
  const ElementDefinition& definition_;
  InstanceNames names_;
  std::map<std::string, std::size_t, std::less<>> states_, unknowns_;
  std::size_t first_mode_ = 0;  ///< of this element in network.modes
  std::size_t first_held_ = 0;  ///< the same in network.states, where events change its modes
};

}  // namespace

void lower_element(Workspace& work, Instance& instance) { ElementLowering(work, instance).run(); }

}  // namespace takt::codegen
