// plan.hpp of a plant: its sync groups, windows, exchanges, routes of inputs and records.

#include <map>

#include "codegen/emit/banner.hpp"
#include "codegen/emit/line_functions.hpp"
#include "codegen/emit/plant_parts.hpp"
#include "codegen/emit/plant_source.hpp"
#include "codegen/plan/couplings.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

/// Unit of the integral of a quantity over time, by the names people use.
std::string integral_unit(const std::string& unit) {
  if (unit == "W") return "J";
  if (unit == "A") return "C";
  if (unit == "N") return "N*s";
  if (unit == "kg/s") return "kg";
  return unit + "*s";
}

bool is_smooth(const Plan& plan, const PlanCoupling& coupling) {
  return plan.groups[coupling.group].smooth && coupling.lag == 1 && coupling.order > 0 &&
         coupling.kind == CouplingKind::potential;
}

std::string exchange_row(const PlantView& plant, const PlanCoupling& coupling) {
  const Graph& graph = plant.network.graph();
  const PlanSubsystem& producer = plant.plan.subsystems[coupling.producer];
  const PlanSubsystem& consumer = plant.plan.subsystems[coupling.consumer];
  const bool flux = coupling.kind == CouplingKind::flux;
  const std::string& from = graph.symbol(coupling.from).path;
  const std::string to = flux ? graph.symbol(coupling.to).path : from + "@" + consumer.name;
  const std::string& unit = plant.network.shown_unit(coupling.from);
  const std::size_t value = index_in(producer.outputs, coupling.from);
  Aggregate row;
  row.text("from", from).text("to", to).text("quantity", flux ? integral_unit(unit) : unit);
  row.code("kind", flux ? "takt::CouplingKind::flux" : "takt::CouplingKind::potential");
  row.number("producer", coupling.producer)
      .number("output", flux ? index_in(producer.sent, coupling.from) : value);
  row.number("consumer", coupling.consumer).number("input", index_in(consumer.inputs, coupling.to));
  row.number("received", flux ? index_in(consumer.received, coupling.to) : 0);
  row.number("flux_value", flux ? value : 0)
      .number("lag", coupling.lag)
      .number("order", coupling.order);
  row.number("smooth", is_smooth(plant.plan, coupling));
  row.number("period_ns", plant.plan.groups[coupling.group].period_ns);
  add_delay(row, plant.network, coupling, plant.subsystems);
  return row.code();
}

std::string window_row(const PlantView& plant, std::size_t subsystem) {
  const PlanSubsystem& planned = plant.plan.subsystems[subsystem];
  Aggregate row;
  row.number("subsystem", subsystem).number("core", 0).number("period_ns", planned.period_ns);
  return row.number("offset_ns", 0).number("group", planned.group).code();
}

void write_records(Writer& text, const PlantView& plant, const std::vector<TableRow>& table) {
  std::map<std::string, std::size_t> row_of;
  for (std::size_t index = 0; index < table.size(); ++index)
    row_of.emplace(table[index].path, index);
  std::vector<std::string> rows;
  for (std::size_t index = 0; index < plant.plan.records.size(); ++index) {
    const PlanRecord& record = plant.plan.records[index];
    std::vector<std::string> entries;
    for (const SymbolId symbol : record.symbols) {
      const std::string& path = plant.network.graph().symbol(symbol).path;
      if (const auto found = row_of.find(path); found != row_of.end())
        entries.push_back(number(found->second) + "  /* " + comment_text(path) + " */");
    }
    write_array(text, "std::uint32_t", "record_" + number(index), entries);
    Aggregate row;
    rows.push_back(row.number("period_ns", record.period_ns)
                       .code("entries", "record_" + number(index))
                       .code());
  }
  write_array(text, "takt::RecordPlan", "records", rows);
}

}  // namespace

SourceFile plan_header(const PlantView& plant) {
  Writer text;
  text.line("#pragma once");
  write_banner(text, plant.network, plant.options, "Plan");
  text.blank();
  text.line("#include <array>");
  text.line("#include <cstdint>");
  text.blank();
  if (!plant.network.delays.empty()) text.line("#include \"plant.hpp\"");
  text.line("#include \"runtime/plant/description.hpp\"");
  text.blank();
  text.line("namespace takt_plant {");
  text.blank();
  text.line("inline constexpr std::int64_t macro_step_ns = " +
            std::to_string(plant.plan.macro_step_ns) + ";");
  text.blank();
  text.comment("Sync groups, the outermost first.");
  std::vector<std::string> rows;
  for (const SyncGroup& group : plant.plan.groups) {
    Aggregate row;
    row.text("name", group.name)
        .number("parent", group.parent.value_or(0))
        .number("period_ns", group.period_ns);
    rows.push_back(row.code());
  }
  write_array(text, "takt::GroupPlan", "groups", rows);
  text.blank();
  text.comment("Windows in order of evaluation; a group's stand together.");
  rows.clear();
  for (const std::size_t subsystem : plant.plan.order) rows.push_back(window_row(plant, subsystem));
  write_array(text, "takt::WindowPlan", "windows", rows);
  text.blank();
  text.comment("Couplings by consumer and input.");
  rows.clear();
  for (const PlanCoupling& coupling : plant.plan.couplings)
    rows.push_back(exchange_row(plant, coupling));
  write_array(text, "takt::ExchangePlan", "exchanges", rows);
  text.blank();
  rows.clear();
  for (const PlanRoute& route : plant.plan.routes) {
    Aggregate row;
    row.number("plant_input", route.plant_input)
        .number("consumer", route.consumer)
        .number("input", route.input);
    rows.push_back(row.code());
  }
  write_array(text, "takt::InputRoute", "input_routes", rows);
  text.blank();
  write_records(text, plant, memory_table(plant));
  text.blank();
  text.line("}  // namespace takt_plant");
  return {"plan.hpp", text.page()};
}

}  // namespace takt::codegen
