#include "codegen/emit/plant_parts.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "codegen/code/print.hpp"
#include "codegen/emit/event_weight.hpp"
#include "codegen/emit/foreign_functions.hpp"
#include "codegen/emit/symbol_order.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/expr/node_memo.hpp"
#include "codegen/expr/symbol_map.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"
#include "codegen/topology/mode_kinds.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

std::string event_row(const SubsystemView& view, const std::string& code,
                      const std::string& meaning, const std::string& offset) {
  return "{.code = " + string_literal(code) + ", .text = " + string_literal(meaning) +
         ", .offset = offsetof(Plant, " + view.member + "." + offset + event_weight(code) + "}";
}

std::size_t latched_modes(const SubsystemView& view) {
  const NominalValues values(view.network);
  return ModeKinds(view.network, values)
      .count(switched_circuit(view.surrogate.kind).modes, ModeKind::latched);
}

}  // namespace

void write_array(Writer& text, const std::string& type, const std::string& name,
                 const std::vector<std::string>& rows) {
  write_array(text, {type, name, "inline constexpr"}, rows);
}

void write_indices(Writer& text, const std::string& name, const std::vector<std::size_t>& indices) {
  constexpr std::size_t per_line = 24;
  std::vector<std::string> rows;
  for (std::size_t index = 0; index < indices.size(); ++index) {
    if (index % per_line == 0) rows.emplace_back();
    rows.back() += (index % per_line == 0 ? "" : ", ") + number(indices[index]);
  }
  write_array(text, {"std::uint32_t", name, "inline constexpr", indices.size()}, rows);
}

namespace {

using Rows = std::vector<std::string>;

std::string place_in(const char* array, std::size_t index) {
  return std::string(array) + ") + " + number(index) + " * sizeof(double)";
}

void add_switched_events(const SubsystemView& view, Writer& text, Rows& rows) {
  constexpr std::pair<const char*, const char*> events[] = {
      {"X001", "switch states undecided"},
      {"X002", "too many edges in one micro-step"},
      {"X003", "nonlinear elements not settled"}};
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::size_t counters = 0;
  const auto count = [&](const std::string& code, const std::string& meaning) {
    rows.push_back(event_row(view, code, meaning, place_in("events", counters++)));
  };
  for (const auto& [code, meaning] : events) count(code, meaning);
  text.line("static_assert(takt::switched_event_count == " + number(counters) + ");");
  for (const SwitchLoop& loop : part.loops) count("X010", loop_text(view.network, loop));
  for (const FloatingInductor& floating : part.cut_off)
    count("X011", cut_off_text(view.network, floating));
  for (std::size_t index = part.modes.size() - latched_modes(view); index < part.modes.size();
       ++index) {
    const std::string& mode =
        view.graph().symbol(view.network.modes[part.modes[index]].symbol).path;
    count("X030", mode + " chatters: it turns back as soon as it has turned");
    count("X031", mode + " turns more often than a step can follow");
  }
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    rows.push_back(event_row(
        view, "X012", "edge of " + view.network.timed_gates[part.timed_gates[index]].path + " lost",
        "timed) + " + number(index) +
            " * sizeof(takt::TimedGate) + offsetof(takt::TimedGate, lost)"));
}

/// "electric.a.v, electric.b.v and 3 more"
std::string unknowns_text(const SubsystemView& view, const NewtonBlock& block) {
  constexpr std::size_t named = 3;
  std::string text;
  for (std::size_t row = 0; row < block.unknowns.size() && row < named; ++row)
    text += (row > 0 ? ", " : "") + view.graph().symbol(block.unknowns[row]).path;
  return block.unknowns.size() > named
             ? text + " and " + number(block.unknowns.size() - named) + " more"
             : text;
}

void add_block_events(const SubsystemView& view, Rows& rows) {
  for (std::size_t step = 0; step < view.surrogate.algebra.size(); ++step) {
    const AlgebraicStep& algebra = view.surrogate.algebra[step];
    if (!is_iterated(algebra)) continue;
    const std::string unknowns = unknowns_text(view, algebra.newton);
    rows.push_back(event_row(view, "X004", "no solution found of the equations for " + unknowns,
                             place_in("unsolved", view.block[step])));
    if (algebra.newton.unknowns.size() == 1)
      rows.push_back(event_row(
          view, "X005",
          "the equation for " + unknowns + " turns back: it has several solutions, or none",
          place_in("turned", view.block[step])));
  }
}

}  // namespace

bool write_events(Writer& text, const SubsystemView& view) {
  Rows rows;
  const auto add_check = [&] {
    if (!view.surrogate.checks.empty())
      rows.push_back(event_row(view, "X006",
                               "linear equations of " + view.surrogate.name + " do not hold",
                               "inaccurate)"));
  };
  by_kind(
      view.surrogate.kind, [&](const SmoothCircuit&) { add_block_events(view, rows), add_check(); },
      [&](const SwitchedCircuit&) {
        add_switched_events(view, text, rows), add_block_events(view, rows);
      },
      [&](const ControlTask&) { add_block_events(view, rows), add_check(); },
      [&](const ForeignTask& task) {
        rows.push_back(event_row(
            view, "X040", view.surrogate.name + " failed or did not answer: its outputs are held",
            "failed)"));
        rows.push_back(event_row(
            view, "X041", view.surrogate.name + " did not answer in time: its outputs are held",
            "late)"));
        const std::vector<ForeignRange> ranges = ranges_of(view, task);
        for (std::size_t index = 0; index < ranges.size(); ++index)
          rows.push_back(event_row(view, "X014", ranges[index].text, place_in("beyond", index)));
      });
  for (std::size_t index = 0; index < view.surrogate.events.size(); ++index)
    rows.push_back(event_row(
        view, "X033",
        view.network.events[view.surrogate.events[index]].path +
            " comes true more often than a step is cut: it accumulates, or turns back at once",
        place_in("crowded", index)));
  if (!view.surrogate.events.empty())
    rows.push_back(event_row(
        view, "X032", "events of " + view.surrogate.name + " do not come to rest at one instant",
        "restless)"));
  for (std::size_t index = 0; index < view.still.size(); ++index)
    rows.push_back(event_row(view, "X013", "no flow through " + view.still[index].node,
                             place_in("still", index)));
  for (std::size_t index = 0; index < view.ranges.size(); ++index)
    rows.push_back(event_row(view, view.ranges[index].limit->code, view.ranges[index].limit->text,
                             place_in("left", index)));
  if (!rows.empty()) write_array(text, "takt::EventDescription", "events_" + view.member, rows);
  return !rows.empty();
}

void add_layout(Aggregate& row, const SubsystemView& view) {
  const PlanSubsystem& plan = view.plan;
  struct Array {
    const char *count, *offset, *member;
    std::size_t size;
  };
  const Array arrays[] = {{"states", "states_offset", "x", view.surrogate.states.size()},
                          {"inputs", "inputs_offset", "inputs", plan.inputs.size()},
                          {"outputs", "outputs_offset", "outputs", plan.outputs.size()},
                          {"fluxes_out", "sent_offset", "sent", plan.sent.size()},
                          {"fluxes_in", "received_offset", "received", plan.received.size()}};
  for (const Array& array : arrays)
    if (array.size > 0) row.number(array.count, array.size);
  row.number("newton_blocks", view.newton_blocks);
  for (const Array& array : arrays)
    if (array.size > 0)
      row.code(array.offset, "offsetof(Plant, " + view.member + "." + array.member + ")");
}

void write_sizes(Writer& text, const PlantView& plant) {
  std::set<std::string> types;
  for (const SubsystemView& view : plant.subsystems) {
    if (!types.insert(view.type).second) continue;
    const auto check = [&](std::size_t size, const char* array) {
      if (size > 0)
        text.line("static_assert(std::tuple_size_v<decltype(" + view.type + "::" + array +
                  ")> == " + number(size) + ");");
    };
    check(view.surrogate.states.size(), "x");
    check(view.plan.inputs.size(), "inputs");
    check(view.plan.outputs.size(), "outputs");
    check(view.plan.sent.size(), "sent");
    check(view.plan.received.size(), "received");
  }
}

std::string why_energy_is_left_out(const SubsystemView& view) {
  if (const EnergyBalance& energy = view.surrogate.energy; !energy.complete)
    return energy.incomplete_by.empty() ? "its free equations may store energy"
                                        : "the law of " + energy.incomplete_by + " gives no energy";
  const Expr stored = view.surrogate.energy.stored;
  std::vector<Expr> reached{stored};
  for (const std::size_t step : needed_steps(view, {stored}, {})) {
    const AlgebraicStep& algebra = view.surrogate.algebra[step];
    if (algebra.kind == AlgebraicStep::Kind::assignment)
      reached.push_back(algebra.assignment.value);
    reached.insert(reached.end(), algebra.newton.residuals.begin(), algebra.newton.residuals.end());
  }
  const std::vector<SymbolId> read = view.graph().symbols_of(reached);
  const auto given = std::find_if(read.begin(), read.end(), [&](SymbolId symbol) {
    return symbol == view.network.time || view.input.contains(symbol);
  });
  if (given == read.end()) return {};
  return view.graph().symbol(*given).path + " sets what its storages hold";
}

FixedStates::FixedStates(const Network& network) {
  for (const ElementState& state : network.states)
    if (state.fixed) paths_.insert(network.graph().symbol(state.symbol).path);
  for (const SymbolId symbol : network.held_at_start)
    paths_.insert(network.graph().symbol(symbol).path);
  for (const Branch& branch : network.branches) {
    if (!branch.stored || !paths_.contains(network.graph().symbol(*branch.stored).path)) continue;
    paths_.insert(path_of_sum(branch));
  }
}

std::vector<std::string> FixedStates::rows(const SubsystemView& view) const {
  std::vector<std::string> rows;
  for (std::size_t index = 0; index < view.surrogate.states.size(); ++index) {
    const std::string& path = view.graph().symbol(view.surrogate.states[index].symbol).path;
    if (paths_.contains(path)) rows.push_back(number(index) + "  /* " + comment_text(path) + " */");
  }
  return rows;
}

namespace {

/// Conditions over expressions as long as chains of parameters get: printed together, each value
/// once.
/// @return whether there are any
bool write_long_limits(Writer& text, const Graph& graph,
                       const std::vector<const ParameterLimit*>& limits,
                       const SymbolMap<std::size_t>& place) {
  if (limits.empty()) return false;
  std::vector<Expr> conditions;
  for (const ParameterLimit* limit : limits) conditions.push_back(limit->holds);
  Statements statements(graph, nullptr);
  for (const SymbolId symbol : symbols_in_order(graph, conditions))
    statements.bind(symbol, statements.values().element("p", place.at(symbol)));
  for (const Expr condition : conditions) statements.count(condition);
  code::Values& values = statements.values();
  code::Block tests;
  for (const ParameterLimit* limit : limits) {
    const code::Value holds =
        values.operation(code::Form::bracketed, statements.condition(limit->holds));
    tests.when(values.operation(code::Form::negation, holds),
               code::Leave{true, values.verbatim(string_literal(limit->text), {})});
  }
  tests.give(values.variable("nullptr"));
  statements.block().take(std::move(tests));
  text.open("const char* check_long_limits(const double* p) noexcept");
  code::print(text, values, {statements.body().statements()});
  text.close();
  return true;
}

/// Of the symbols and numbers an expression names, counted each time, up to `most_short`.
struct Length {
  std::uint32_t leaves = 1;
};
constexpr std::uint32_t most_short = 64;

}  // namespace

void write_check(Writer& text, const PlantView& plant) {
  const Graph& graph = plant.network.graph();
  SymbolMap<std::size_t> place;
  for (std::size_t index = 0; index < plant.network.parameters.size(); ++index)
    place.emplace(plant.network.parameters[index].symbol, index);
  std::unordered_map<std::string, std::size_t>
      forms;  // text of the condition: copies and like elements have the same
  std::vector<std::string> rows;
  std::size_t most = 1;
  NodeMemo<Length> lengths(graph);
  std::vector<const ParameterLimit*> long_ones;
  for (const ParameterLimit& limit : plant.network.limits) {
    const auto join = [](Length a, Length b) {
      return Length{std::min(a.leaves + b.leaves, most_short)};
    };
    if (lengths
            .of(
                limit.holds, [](SymbolId) { return Length{}; }, join)
            .leaves >= most_short) {
      long_ones.push_back(&limit);
      continue;
    }
    Statements statements(graph, nullptr);
    const std::vector<SymbolId> read = symbols_in_order(graph, {limit.holds});
    most = std::max(most, read.size());
    std::string parameters;
    for (std::size_t index = 0; index < read.size(); ++index) {
      statements.bind(read[index], statements.values().element("p", index));
      parameters += (index == 0 ? "" : ", ") + number(place.at(read[index]));
    }
    statements.count(limit.holds);
    const code::Value holds = statements.condition(limit.holds);
    statements.block().give(holds);
    const auto [form, fresh] =
        forms.emplace(code::printed(statements.values(), statements.body()), forms.size());
    if (fresh) {
      text.open("bool limit_" + number(form->second) + "(" +
                list_of({{"const double*", "p"}}, !read.empty()) + ") noexcept");
      code::print(text, statements.values(), {statements.body().statements()});
      text.close();
    }
    rows.push_back("{limit_" + number(form->second) + ", {" + parameters + "}, " +
                   number(read.size()) + ", " + string_literal(limit.text) + "}");
  }
  text.open("struct Limit");
  text.line("bool (*holds)(const double* p) noexcept;");
  text.line("std::array<std::uint32_t, " + number(most) + "> parameters;");
  text.line("std::size_t count;  ///< of these parameters");
  text.line("const char* text;");
  text.close("};");
  write_array(text, "Limit", "limits", rows);
  const bool any_long = write_long_limits(text, graph, long_ones, place);
  text.comment("Nothing where the parameters keep their limits.");
  text.open("const char* check_parameters(const std::byte* memory) noexcept");
  text.line("const auto& parameters = reinterpret_cast<const Plant*>(memory)->parameters;");
  text.open("for (const Limit& limit : limits)");
  text.line("std::array<double, " + number(most) + "> p{};");
  text.line(
      "for (std::size_t index = 0; index < limit.count; ++index) p[index] = "
      "parameters[limit.parameters[index]];");
  text.line("if (!limit.holds(p.data())) return limit.text;");
  text.close();
  text.line(any_long ? "return check_long_limits(parameters.data());" : "return nullptr;");
  text.close();
  text.blank();
}

}  // namespace takt::codegen
