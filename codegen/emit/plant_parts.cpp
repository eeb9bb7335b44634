#include "codegen/emit/plant_parts.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "codegen/emit/symbol_order.hpp"
#include "codegen/expr/symbol_map.hpp"
#include "codegen/text/literal.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

std::string array_head(const std::string& type, const std::string& name, std::size_t size) {
  return "inline constexpr std::array<" + type + ", " + number(size) + "> " + name;
}

std::string event_row(const SubsystemView& view, const std::string& code, const std::string& meaning, const std::string& offset) {
  return "{.code = " + string_literal(code) + ", .text = " + string_literal(meaning) + ", .offset = offsetof(Plant, " + view.member + "." + offset + "}";
}

}  // namespace

void write_array(Writer& text, const std::string& type, const std::string& name, const std::vector<std::string>& rows) {
  if (rows.empty()) {
    text.line(array_head(type, name, 0) + "{};");
    return;
  }
  text.line(array_head(type, name, rows.size()) + "{{");
  for (const std::string& row : rows) text.line("    " + row + ",");
  text.line("}};");
}

void write_indices(Writer& text, const std::string& name, const std::vector<std::size_t>& indices) {
  constexpr std::size_t per_line = 24;
  std::vector<std::string> rows;
  for (std::size_t index = 0; index < indices.size(); ++index) {
    if (index % per_line == 0) rows.emplace_back();
    rows.back() += (index % per_line == 0 ? "" : ", ") + number(indices[index]);
  }
  if (rows.empty()) return write_array(text, "std::uint32_t", name, {});
  text.line(array_head("std::uint32_t", name, indices.size()) + "{{");
  for (const std::string& row : rows) text.line("    " + row + ",");
  text.line("}};");
}

void write_events(Writer& text, const SubsystemView& view) {
  constexpr std::pair<const char*, const char*> events[] = {{"X001", "switch states undecided"},
                                                            {"X002", "too many edges in one micro-step"},
                                                            {"X003", "nonlinear elements not settled"}};
  const SwitchedPart& part = *view.surrogate.switched;
  std::vector<std::string> rows;
  std::size_t counters = 0;
  const auto add = [&](const std::string& code, const std::string& meaning, const std::string& offset) {
    rows.push_back(event_row(view, code, meaning, offset));
  };
  const auto count = [&](const std::string& code, const std::string& meaning) {
    add(code, meaning, "events) + " + number(counters++) + " * sizeof(double)");
  };
  for (const auto& [code, meaning] : events) count(code, meaning);
  text.line("static_assert(takt::switched_event_count == " + number(counters) + ");");
  for (const SwitchLoop& loop : part.loops) count("X010", loop_text(view.network, loop));
  for (const FloatingInductor& floating : part.cut_off) count("X011", cut_off_text(view.network, floating));
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    add("X012", "edge of " + view.network.timed_gates[part.timed_gates[index]].path + " lost",
        "timed) + " + number(index) + " * sizeof(takt::TimedGate) + offsetof(takt::TimedGate, lost)");
  write_array(text, "takt::EventDescription", "events_" + view.member, rows);
}

void write_still(Writer& text, const SubsystemView& view) {
  std::vector<std::string> rows;
  for (std::size_t index = 0; index < view.still.size(); ++index)
    rows.push_back(event_row(view, "X013", "no flow through " + view.still[index].node, "still) + " + number(index) + " * sizeof(double)"));
  write_array(text, "takt::EventDescription", "events_" + view.member, rows);
}

FixedStates::FixedStates(const Network& network) {
  for (const ElementState& state : network.states)
    if (state.fixed) paths_.insert(network.graph.symbol(state.symbol).path);
  for (const SymbolId symbol : network.held_at_start) paths_.insert(network.graph.symbol(symbol).path);
  for (const Branch& branch : network.branches) {
    if (!branch.stored || !paths_.contains(network.graph.symbol(*branch.stored).path)) continue;
    for (const char* sum : {".cutset_charge", ".loop_linkage"}) paths_.insert(branch.path + sum);
  }
}

std::vector<std::string> FixedStates::rows(const SubsystemView& view) const {
  std::vector<std::string> rows;
  for (std::size_t index = 0; index < view.surrogate.states.size(); ++index) {
    const std::string& path = view.graph().symbol(view.surrogate.states[index].symbol).path;
    if (paths_.contains(path)) rows.push_back(number(index) + "  /* " + path + " */");
  }
  return rows;
}

void write_check(Writer& text, const PlantView& plant) {
  const Graph& graph = plant.network.graph;
  SymbolMap<std::size_t> place;
  for (std::size_t index = 0; index < plant.network.parameters.size(); ++index) place.emplace(plant.network.parameters[index].symbol, index);
  std::unordered_map<std::string, std::size_t> forms;  // text of the condition: copies and like elements have the same
  std::vector<std::string> rows;
  std::size_t most = 1;
  for (const ParameterLimit& limit : plant.network.limits) {
    Statements statements(graph, nullptr);
    const std::vector<SymbolId> read = symbols_in_order(graph, {limit.holds});
    most = std::max(most, read.size());
    std::string parameters;
    for (std::size_t index = 0; index < read.size(); ++index) {
      statements.bind(read[index], "p[" + number(index) + "]");
      parameters += (index == 0 ? "" : ", ") + number(place.at(read[index]));
    }
    statements.count(limit.holds);
    const std::string holds = statements.value(limit.holds);
    Writer body;
    body.lines(statements.text());
    body.line("return (" + holds + ") > 0.5;");
    const auto [form, fresh] = forms.emplace(body.text(), forms.size());
    if (fresh) {
      text.open("bool limit_" + number(form->second) + "([[maybe_unused]] const double* p) noexcept");
      text.lines(body);
      text.close();
    }
    rows.push_back("{limit_" + number(form->second) + ", {" + parameters + "}, " + number(read.size()) + ", " + string_literal(limit.text) + "}");
  }
  text.open("struct Limit");
  text.line("bool (*holds)(const double* p) noexcept;");
  text.line("std::array<std::uint32_t, " + number(most) + "> parameters;");
  text.line("std::size_t count;  ///< of these parameters");
  text.line("const char* text;");
  text.close("};");
  write_array(text, "Limit", "limits", rows);
  text.comment("Nothing where the parameters keep their limits.");
  text.open("const char* check_parameters(const std::byte* memory) noexcept");
  text.line("const auto& parameters = reinterpret_cast<const Plant*>(memory)->parameters;");
  text.open("for (const Limit& limit : limits)");
  text.line("std::array<double, " + number(most) + "> p{};");
  text.line("for (std::size_t index = 0; index < limit.count; ++index) p[index] = parameters[limit.parameters[index]];");
  text.line("if (!limit.holds(p.data())) return limit.text;");
  text.close();
  text.line("return nullptr;");
  text.close();
  text.blank();
}

}  // namespace takt::codegen
