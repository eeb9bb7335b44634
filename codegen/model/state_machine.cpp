// State machines: control blocks whose states, transitions and outputs the plant file gives.
//
// At each instant the transitions of the state the machine is in are judged in the order they are
// written; the first whose condition holds is taken, at most one per instant. Then the outputs are
// those of the state it is in.

#include <algorithm>
#include <set>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/faults.hpp"
#include "codegen/model/laws.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

constexpr std::string_view time_name = "time_in_state";
constexpr std::size_t most_states = 500;  // their choices nest

struct MachineOutput {
  std::string name;
  std::string unit_text;             ///< empty: any
  const TomlEntry* place = nullptr;  ///< where it is named first
};

/// What the line says, as far as it can be read without looking at expressions.
struct MachineForm {
  std::vector<const TomlEntry*> states;
  std::vector<MachineOutput> outputs;
  bool listed = false;  ///< `output` names the outputs and their units

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::find_if(states.begin(), states.end(),
                                    [&](const TomlEntry* state) { return state->key == name; });
    return found == states.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - states.begin()));
  }
  [[nodiscard]] bool has_output(std::string_view name) const {
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](const MachineOutput& output) { return output.name == name; });
  }
  [[nodiscard]] std::vector<std::string> state_names() const {
    std::vector<std::string> names;
    for (const TomlEntry* state : states) names.push_back(state->key);
    return names;
  }
};

/// Reads the form of a machine; findings are reported by the caller that wants them.
MachineForm read_form(const TomlValue& line, Diagnostics& findings) {
  MachineForm form;
  const TomlValue* states = line.get("state");
  if (states != nullptr && expect_kind(*states, TomlValue::Kind::table, "'state'", findings)) {
    for (const TomlEntry& state : states->entries) {
      if (valid_name(state, findings) &&
          expect_kind(state.value, TomlValue::Kind::table, "state '" + state.key + "'", findings))
        form.states.push_back(&state);
    }
  }
  const TomlValue* outputs = line.get("output");
  form.listed =
      outputs != nullptr && expect_kind(*outputs, TomlValue::Kind::table, "'output'", findings);
  if (form.listed) {
    for (const TomlEntry& output : outputs->entries) {
      std::string unit =
          read_string(output.value, "the unit of output '" + output.key + "'", findings);
      if (unit != "any" && !unit.empty() && !parse_unit(unit)) {
        const std::string near = nearest_unit(unit);
        findings.error("U001", output.value.where, "unknown unit '" + unit + "'",
                       near.empty() ? "" : "did you mean '" + near + "'?");
        unit.clear();
      }
      if (valid_name(output, findings))
        form.outputs.push_back({output.key, unit == "any" ? std::string() : unit, &output});
    }
    return form;
  }
  for (const TomlEntry* state : form.states) {
    for (const TomlEntry& value : state->value.entries) {
      if (value.key != "to" && !form.has_output(value.key) && valid_name(value, findings))
        form.outputs.push_back({value.key, {}, &value});
    }
  }
  return form;
}

class MachineLowering {
 public:
  MachineLowering(Workspace& work, Instance& instance)
      : work_(work),
        graph_(work.network.graph()),
        instance_(instance),
        line_(instance.entry->value),
        form_(read_form(line_, findings_)) {
    was_ = symbol("state_before");
    samples_ = symbol("samples_in_state");
    period_ = graph_.constant(static_cast<double>(instance.period_ns) * 1e-9);
    elapsed_ = graph_.mul(graph_.use(samples_), period_);
  }

  ControlBlock run() {
    check_form();
    const std::size_t start = read_start();
    now_ = taken_ = graph_.zero();
    for (std::size_t state = form_.states.size(); state-- > 0;) read_transitions(state);
    ControlBlock block;
    const Expr samples = graph_.select(taken_, graph_.zero(), graph_.use(samples_));
    time_ = graph_.mul(samples, period_);
    for (const MachineOutput& output : form_.outputs)
      block.outputs.push_back({symbol(output.name), output_value(output)});
    if (!form_.has_output("out")) block.outputs.push_back({symbol("out"), now_});
    block.outputs.push_back({symbol(std::string(time_name)), time_});
    for (std::size_t state = 0; state < form_.states.size(); ++state)
      block.outputs.push_back({symbol("in_" + form_.states[state]->key), is(now_, state)});
    block.states.push_back({was_, now_, number(start)});
    block.states.push_back({samples_, graph_.add(samples, graph_.one()), graph_.zero()});
    check_outputs();
    report_unreachable(start);
    work_.forward(findings_);
    return block;
  }

 private:
  [[nodiscard]] SymbolId symbol(const std::string& name) const {
    return instance_.let_symbols.find(name)->second;
  }
  [[nodiscard]] Expr number(std::size_t value) {
    return graph_.constant(static_cast<double>(value));
  }
  [[nodiscard]] Expr is(Expr state, std::size_t wanted) {
    return graph_.binary(Op::equal, state, number(wanted));
  }
  [[nodiscard]] std::string what() const { return "state machine '" + instance_.path + "'"; }

  void check_form() {
    if (form_.states.empty() && !findings_.has_errors())
      findings_.error("C020", instance_.entry->where, what() + " has no states",
                      "write state.NAME = { OUTPUT = ..., to = { OTHER = \"CONDITION\" } }");
    if (form_.states.size() > most_states) {
      findings_.error("C020", form_.states[most_states]->where,
                      what() + " has more than " + std::to_string(most_states) + " states",
                      "split it into several machines");
      form_.states.resize(most_states);
    }
    for (const MachineOutput& output : form_.outputs) {
      const bool reserved = output.name == time_name || output.name == "state_before" ||
                            output.name == "samples_in_state" ||
                            (output.name.starts_with("in_") && form_.find(output.name.substr(3)));
      if (reserved)
        findings_.error("M019", output.place->where,
                        "'" + output.name + "' means something already in a state machine",
                        "give the output another name");
    }
  }

  [[nodiscard]] std::size_t read_start() {
    const TomlValue* start = line_.get("start");
    const std::string name =
        start == nullptr ? std::string() : read_string(*start, "'start'", findings_);
    if (start == nullptr) {
      findings_.error("C022", instance_.entry->where,
                      what() + " does not say in which state it starts", "write start = \"STATE\"");
    } else if (const auto state = form_.find(name)) {
      return *state;
    } else if (!name.empty()) {
      unknown_state(name, start->where);
    }
    startless_ = true;
    return 0;
  }

  void unknown_state(const std::string& name, const Location& where) {
    const auto known = form_.state_names();
    findings_.error("C020", where, what() + " has no state '" + name + "'", name_hint(name, known));
  }

  /// An expression of the plant in which time_in_state is the machine's own.
  [[nodiscard]] std::optional<Named> lower_own(const TomlValue& value, Expr time_in_state) {
    Diagnostics findings;
    const SourceExpression expression = read_expression(value, findings);
    std::optional<Named> result;
    if (expression.ast) {
      Resolver resolver;
      resolver.name = [&](std::string_view name) -> std::optional<Named> {
        if (name == time_name)
          return Named{time_in_state, parse_unit("s").value_or(Unit{}).dimension};
        return find_name(work_, name, instance_.reading);
      };
      resolver.candidates = [&] { return value_candidates(work_, instance_.reading); };
      result = lower({*expression.ast, expression.where}, graph_, resolver, findings);
    }
    work_.forward(findings);
    return result;
  }

  /// Puts the transitions of a state into now_ and taken_, which know those of the states after it.
  void read_transitions(std::size_t state) {
    Expr target = number(state), taken = graph_.zero();
    const TomlValue* to = form_.states[state]->value.get("to");
    if (to != nullptr && expect_kind(*to, TomlValue::Kind::table, "'to'", findings_)) {
      for (auto way = to->entries.rbegin(); way != to->entries.rend(); ++way) {
        const auto next = form_.find(way->key);
        if (!next) unknown_state(way->key, way->where);
        const auto condition = lower_own(way->value, elapsed_);
        if (!next || !condition) continue;
        if (condition->dimension && *condition->dimension != Dimension{})
          findings_.error("E014", way->value.where,
                          "a condition must have dimension 1, but is in " +
                              dimension_text(*condition->dimension),
                          "compare it with something");
        ways_.emplace_back(state, *next);
        target = graph_.select(condition->value, number(*next), target);
        taken = graph_.binary(Op::logical_or, condition->value, taken);
      }
    }
    const bool last = state + 1 == form_.states.size();
    now_ = last ? target : graph_.select(is(graph_.use(was_), state), target, now_);
    taken_ = last ? taken : graph_.select(is(graph_.use(was_), state), taken, taken_);
  }

  [[nodiscard]] Expr output_value(const MachineOutput& output) {
    std::optional<Dimension> dimension;
    if (const auto unit = output.unit_text.empty() ? std::nullopt : parse_unit(output.unit_text))
      dimension = unit->dimension;
    std::vector<Expr> values;
    for (const TomlEntry* state : form_.states)
      values.push_back(value_in(*state, output, dimension));
    Expr value = values.empty() ? graph_.zero() : values.back();
    for (std::size_t state = values.size(); state-- > 1;)
      value = graph_.select(is(now_, state - 1), values[state - 1], value);
    return value;
  }

  /// @param dimension  what the states before it agree on
  [[nodiscard]] Expr value_in(const TomlEntry& state, const MachineOutput& output,
                              std::optional<Dimension>& dimension) {
    const TomlValue* given = state.value.get(output.name);
    if (given == nullptr) {
      findings_.error(
          "C023", state.where,
          "state '" + state.key + "' of " + what() + " does not say what '" + output.name + "' is",
          "every state gives every output");
      return graph_.zero();
    }
    const auto lowered = lower_own(*given, time_);
    if (!lowered) return graph_.zero();
    if (!dimension) dimension = lowered->dimension;
    const bool listed = !output.unit_text.empty();
    if (const auto conflict = wrong_kind(lowered->kind, kind_of_unit(output.unit_text))) {
      findings_.error("U007", given->where,
                      "'" + output.name + "' is in " + output.unit_text + ": " + conflict->cause,
                      conflict->remedy);
      return graph_.zero();
    }
    if (!dimension || !lowered->dimension || *lowered->dimension == *dimension)
      return lowered->value;
    findings_.error(listed ? "U004" : "E013", given->where,
                    "'" + output.name + "' is in " + dimension_text(*dimension) +
                        (listed ? "" : " in another state") + "; this is in " +
                        dimension_text(*lowered->dimension));
    return graph_.zero();
  }

  void check_outputs() {
    for (const TomlEntry* state : form_.states) {
      for (const TomlEntry& value : state->value.entries) {
        if (value.key == "to" || form_.has_output(value.key)) continue;
        findings_.error("C023", value.where, what() + " has no output '" + value.key + "'",
                        form_.listed ? "name it in `output`, with its unit" : "");
      }
    }
  }

  void report_unreachable(std::size_t start) {
    if (startless_ || findings_.has_errors()) return;
    std::set<std::size_t> reached{start};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const auto& [from, to] : ways_)
        if (reached.contains(from)) reached.insert(to);
    }
    for (std::size_t state = 0; state < form_.states.size(); ++state) {
      if (!reached.contains(state))
        findings_.warning("C021", form_.states[state]->where,
                          "no way leads to state '" + form_.states[state]->key + "' of " + what(),
                          "give a state before it a transition to it");
    }
  }

  Workspace& work_;
  Graph& graph_;
  Instance& instance_;
  const TomlValue& line_;
  Diagnostics findings_;
  MachineForm form_;
  SymbolId was_{}, samples_{};
  Expr period_{}, elapsed_{};
  Expr now_{}, taken_{}, time_{};  ///< state, whether a transition is taken, time since, after this
                                   ///< instant's transitions
  std::vector<std::pair<std::size_t, std::size_t>> ways_;
  bool startless_ = false;
};

}  // namespace

void make_machine(Workspace& work, Instance& instance) {
  Diagnostics reported_later;
  const MachineForm form = read_form(instance.entry->value, reported_later);
  const auto make = [&](const std::string& name, std::string_view unit) {
    if (!instance.let_symbols.contains(name))
      instance.let_symbols[name] = work.make_symbol(instance.path + "." + name, unit);
  };
  for (const MachineOutput& output : form.outputs) make(output.name, output.unit_text);
  make("out", "1");
  make(std::string(time_name), "s");
  for (const TomlEntry* state : form.states) make("in_" + state->key, "1");
  make("state_before", "1");
  make("samples_in_state", "1");
}

void lower_machine(Workspace& work, Instance& instance) {
  instance.period_ns = block_period(work, instance);
  ControlBlock block = MachineLowering(work, instance).run();
  block.path = instance.path;
  block.type = instance.definition->full_name();
  block.period_ns = instance.period_ns;
  block.where = instance.entry->where;
  make_freezable(work, instance, block);
  work.network.blocks.push_back(std::move(block));
}

}  // namespace takt::codegen
