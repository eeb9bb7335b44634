#include "codegen/emit/plant_source.hpp"

#include <algorithm>
#include <set>

#include "codegen/dae/circuit/surrogate_symbols.hpp"
#include "codegen/emit/banner.hpp"
#include "codegen/emit/foreign_functions.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/kind_code.hpp"
#include "codegen/emit/plant_parts.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

/// Whether a steady start can be asked of it. What PWM switches has means, but no rates that
/// vanish; what is linearised about operating points has rates within their tolerance only.
bool has_rates(const SubsystemView& view) {
  return by_kind(
      view.surrogate.kind, [](const SmoothCircuit&) { return true; },
      [](const SwitchedCircuit& circuit) {
        return circuit.legs.empty() && circuit.timed_gates.empty() && circuit.points.empty();
      },
      [](const ControlTask&) { return true; }, [](const ForeignTask&) { return false; });
}

bool is_autonomous(const PlantView& plant) {
  const Network& network = plant.network;
  if (!network.inputs.empty() || !network.blocks.empty() || !network.foreign.empty() ||
      !network.legs.empty() || !network.timed_gates.empty())
    return false;
  return std::none_of(plant.subsystems.begin(), plant.subsystems.end(),
                      [&](const SubsystemView& view) {
                        const std::vector<SymbolId> read = symbols_read(network, view.surrogate);
                        return std::find(read.begin(), read.end(), network.time) != read.end();
                      });
}

std::string subsystem_row(const SubsystemView& view, bool has_events) {
  const PlanSubsystem& plan = view.plan;
  const auto in_plant = [&](const char* member) {
    return "offsetof(Plant, " + view.member + "." + member + ")";
  };
  const std::string left_out = why_energy_is_left_out(view);
  const std::string touched = kind_code(view).observed && !view.signals.empty()
                                  ? "offsetof(" + view.type + ", signals)"
                                  : "sizeof(" + view.type + ")";  // signals stand last
  Aggregate row;
  const auto function = [&](const char* member) {
    row.code(member, std::string(member) + "_" + view.type);
  };
  const auto array = [&](const char* member) {
    row.code(member, std::string(member) + "_" + view.member);
  };
  row.text("name", view.surrogate.name).text("domain", text_of(view.surrogate.domain));
  row.text("method", plan.method->name)
      .number("step_ns", plan.step_ns)
      .number("period_ns", plan.period_ns);
  row.number("equations", view.surrogate.equations);
  add_layout(row, view);
  row.code("energy_offset", in_plant("energy")).code("newton_offset", in_plant("newton"));
  row.code("offset", "offsetof(Plant, " + view.member + ")").code("touched", touched);
  array("parameters");
  for (const char* each : {"prepare", "initialize", "run"}) function(each);
  if (has_events) array("events");
  if (has_rates(view)) function("rates");
  array("fixed");
  if (kind_code(view).observed) function("observe");
  if (!kind_code(view).tuned.empty()) function("tuned");
  if (!cut_functions(view).empty()) function("next_instant");
  row.code("alert_offset", in_plant("alert"));
  if (!left_out.empty()) row.text("energy_left_out", left_out);
  if (std::holds_alternative<ForeignTask>(view.surrogate.kind)) row.number("foreign", true);
  if (plan.linear) row.code("step_offset", in_plant("step_s"));
  if (plan.stages > 0) row.number("stages", plan.stages);
  if (!plan.method->stability_name.empty()) row.code("stability", plan.method->stability_name);
  return row.code();
}

std::string self_of(const SubsystemView& view) {
  return "reinterpret_cast<" + view.type + "*>(own)";
}

/// A control block without states has none to give.
bool gives_rates(const SubsystemView& view) {
  return is_circuit(view.surrogate.kind) || !view.surrogate.states.empty();
}

/// Rates at time 0 for a steady start, outputs with them but for those that observe() names.
void write_rates(Writer& text, const SubsystemView& view) {
  text.open("void rates_" + view.type + "(std::byte* own, " +
            list_of({{"double*", "rates"}}, gives_rates(view)) + ") noexcept");
  text.line("auto& self = *" + self_of(view) + ";");
  for (const std::string& statement : kind_code(view).rates) text.line(statement);
  text.close();
}

void write_tuned(Writer& text, const SubsystemView& view) {
  text.open("void tuned_" + view.type + "(std::byte* own, double t, double s) noexcept");
  text.line("auto& self = *" + self_of(view) + ";");
  for (const std::string& statement : kind_code(view).tuned) text.line(statement);
  text.close();
}

/// Of a type: subsystems that share code share these.
void write_entry_points(Writer& text, const SubsystemView& view) {
  const std::string self = self_of(view) + "->";
  text.line("void prepare_" + view.type + "(std::byte* own, const double* parameters) noexcept { " +
            self + "prepare(parameters); }");
  text.line("void initialize_" + view.type + "(std::byte* own) noexcept { " + self +
            "initialize(); }");
  text.line("void run_" + view.type + "(std::byte* own, const takt::Window& window) noexcept { " +
            self + "run(window); }");
  if (kind_code(view).observed)
    text.line("void observe_" + view.type + "(std::byte* own, double t, double s) noexcept { " +
              self + "observe(t, s, false); }");
  if (has_rates(view)) write_rates(text, view);
  if (!kind_code(view).tuned.empty()) write_tuned(text, view);
  write_next_instant(text, view);
  text.blank();
}

}  // namespace

SourceFile plant_header(const PlantView& plant) {
  Writer text;
  text.line("#pragma once");
  write_banner(text, plant.network, plant.options, "Memory");
  text.blank();
  text.line("#include <array>");
  text.line("#include <cstddef>");
  text.blank();
  std::set<std::string> headers;
  for (const SubsystemView& view : plant.subsystems) headers.insert(view.file);
  for (const std::string& header : headers) text.line("#include \"" + header + ".hpp\"");
  text.blank();
  text.line("namespace takt {");
  text.line("struct PlantDescription;");
  text.line("}");
  text.line("namespace takt_plant {");
  text.blank();
  text.line("/// The one block of plant memory.");
  text.open("struct Plant");
  const auto array = [&](std::size_t size, const char* name) {
    if (size > 0) text.line("std::array<double, " + number(size) + "> " + name + "{};");
  };
  array(plant.network.parameters.size(), "parameters");
  array(plant.network.inputs.size(), "inputs");
  for (const std::size_t index :
       plant.plan.order) {  // as the windows follow one another: memory is fetched ahead
    const SubsystemView& view = plant.subsystems[index];
    text.line("alignas(64) " + view.type + " " + view.member + "{};" +
              (identifier_of(view.surrogate.name) == view.file
                   ? ""
                   : "  // " + comment_text(view.surrogate.name)));
  }
  text.close("};");
  write_sizes(text, plant);
  text.blank();
  text.line("[[nodiscard]] const takt::PlantDescription& describe();");
  text.blank();
  text.line("}  // namespace takt_plant");
  return {"plant.hpp", text.page()};
}

namespace {

void write_memory(Writer& text, const PlantView& plant) {
  text.open("alignas(64) constinit Plant memory_block =");
  std::string parameters, inputs;
  for (const Parameter& parameter : plant.network.parameters) {
    text.comment(plant.network.graph().symbol(parameter.symbol).path + " = " +
                 double_literal(parameter.value) + " [" +
                 plant.network.graph().symbol(parameter.symbol).unit + "]");
    parameters += (parameters.empty() ? "" : ", ") + double_literal(parameter.value);
  }
  for (const PlantInput& input : plant.network.inputs)
    inputs += (inputs.empty() ? "" : ", ") + double_literal(input.start);
  if (!parameters.empty()) text.line(".parameters = {" + parameters + "},");
  if (!inputs.empty()) text.line(".inputs = {" + inputs + "},");
  text.close("};");
}

std::string offset_of(const TableRow& row) {
  std::string offset = "offsetof(Plant, " + row.array + ")";
  if (row.index > 0) offset += " + " + number(row.index) + " * sizeof(" + row.element + ")";
  return offset;
}

bool is_packed(const std::vector<TableRow>& table) { return table.size() > most_table_rows; }

void write_descriptions(Writer& text, const PlantView& plant, const std::vector<TableRow>& table) {
  std::vector<std::string> rows;
  if (is_packed(table)) write_packed_table(text, table);
  for (const TableRow& row : is_packed(table) ? std::vector<TableRow>() : table) {
    Aggregate entry;
    entry.text("path", row.path).text("unit", row.unit).code("role", "takt::Role::" + row.role);
    entry.code("subsystem", row.subsystem ? number(*row.subsystem) : "0xffff")
        .code("offset", offset_of(row));
    if (row.start_only) entry.number("start_only", true);
    rows.push_back(entry.code());
  }
  if (!is_packed(table)) write_array(text, "takt::MemoryEntry", "table", rows);
  text.blank();
  rows.clear();
  for (const PlantInput& input : plant.network.inputs) {
    const Symbol& symbol = plant.network.graph().symbol(input.symbol);
    Aggregate row;
    row.text("path", symbol.path)
        .text("unit", symbol.unit)
        .number("start", input.start)
        .number("safe", input.safe);
    rows.push_back(row.code());
  }
  write_array(text, "takt::PlantInputDescription", "plant_inputs", rows);
  text.blank();
  rows.clear();
  std::set<std::string> with_events;
  for (const SubsystemView& view : plant.subsystems)
    if (write_events(text, view)) with_events.insert(view.member);
  const FixedStates fixed(plant.network);
  for (const SubsystemView& view : plant.subsystems) {
    write_array(text, "std::uint32_t", "fixed_" + view.member, fixed.rows(view));
    write_indices(text, "parameters_" + view.member, view.prepared_from);
  }
  for (const SubsystemView& view : plant.subsystems)
    rows.push_back(subsystem_row(view, with_events.contains(view.member)));
  write_array(text, "takt::SubsystemDescription", "subsystems", rows);
  if (!plant.network.faults.empty()) write_faults(text, plant.network);
  if (!plant.network.foreign.empty()) write_foreign(text, plant.network);
}

void write_description(Writer& text, const PlantView& plant, bool packed) {
  std::size_t equations = 0;
  for (const Surrogate& surrogate : plant.dae.subsystems)
    if (is_circuit(surrogate.kind))
      equations += surrogate.equations;  // of the network, as takt check counts
  text.open("const takt::PlantDescription& describe()");
  if (packed)
    text.line("static const std::vector<takt::MemoryEntry> table = takt::unpacked(packed_table);");
  text.open("static const takt::PlantDescription description =");
  const auto field = [&](const char* name, const std::string& value) {
    text.line("." + std::string(name) + " = " + value + ",");
  };
  field("name", string_literal(plant.network.name));
  field("title", string_literal(plant.network.title));
  field("generator", string_literal(plant.options.generator));
  text.line_to_fill(".input_hash = \"", "\",");
  field("equations", number(equations));
  field("macro_step_ns", "takt_plant::macro_step_ns");
  field("default_duration_ns", std::to_string(plant.network.default_duration_ns.value_or(0)));
  field("memory", "reinterpret_cast<std::byte*>(&memory_block)");
  field("memory_size", "sizeof(Plant)");
  if (!plant.network.parameters.empty()) field("parameters_offset", "offsetof(Plant, parameters)");
  if (!plant.network.inputs.empty()) field("inputs_offset", "offsetof(Plant, inputs)");
  if (!plant.network.limits.empty()) field("check", "check_parameters");
  for (const char* name : {"table", "plant_inputs", "subsystems", "groups", "windows", "exchanges",
                           "input_routes", "records"})
    field(name, name);
  if (!plant.network.foreign.empty()) field("foreign", "foreign");
  if (!plant.network.faults.empty()) field("faults", "faults");
  if (plant.network.steady_start) field("steady_start", "true");
  if (is_autonomous(plant)) field("autonomous", "true");
  text.close("};");
  text.line("return description;");
  text.close();
}

}  // namespace

SourceFile plant_source(const PlantView& plant) {
  const std::vector<TableRow> table = memory_table(plant);
  Writer text;
  write_banner(text, plant.network, plant.options, "Memory and descriptions");
  text.line("#include \"plant.hpp\"");
  text.blank();
  text.line("#include <cstdint>");
  text.line("#include <type_traits>");
  if (is_packed(table)) text.line("#include <vector>");
  text.blank();
  text.line("#include \"plan.hpp\"");
  text.line("#include \"runtime/math/elementary.hpp\"");
  if (has_lanes(plant)) {
    text.line("#include \"runtime/math/side_by_side.hpp\"");
    text.line("#include \"runtime/plant/bundled_run.hpp\"");
  }
  if (is_packed(table)) text.line("#include \"runtime/plant/packed_table.hpp\"");
  std::set<std::string_view> steps;
  for (const SubsystemView& view : plant.subsystems)
    if (!view.plan.method->stability_name.empty()) steps.insert(view.plan.method->header);
  if (!steps.empty()) text.line("#include \"runtime/solver/explicit_stability.hpp\"");
  for (const std::string_view header : steps)
    text.line("#include \"runtime/solver/" + std::string(header) + "\"");
  text.line("#include \"tables.hpp\"");
  text.blank();
  text.line("namespace takt_plant {");
  if (has_lanes(plant)) write_lane_heads(text, plant);
  text.line("namespace {");
  text.blank();
  text.line("static_assert(std::is_standard_layout_v<Plant>, \"offsets need it\");");
  text.blank();
  write_memory(text, plant);
  text.blank();
  if (!plant.network.limits.empty()) write_check(text, plant);
  std::set<std::string> types;
  for (const SubsystemView& view : plant.subsystems)
    if (types.insert(view.type).second) write_entry_points(text, view);
  write_descriptions(text, plant, table);
  text.blank();
  text.line("}  // namespace");
  text.blank();
  write_description(text, plant, is_packed(table));
  text.blank();
  if (has_lanes(plant)) {
    write_bundled(text, plant);
    text.blank();
  }
  text.line("}  // namespace takt_plant");
  return {"plant.cpp", text.page()};
}

}  // namespace takt::codegen
