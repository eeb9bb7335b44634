#include "tools/fmu_host/trial_plan.hpp"

#include <nlohmann/json.hpp>

#include "runtime/fmu/table_json.hpp"

namespace takt::fmu_host {
namespace {

using nlohmann::json;

json rows_json(const std::vector<fmu::Row>& rows) {
  json all = json::array();
  for (const fmu::Row& row : rows) all.push_back(fmu::row_json(row));
  return all;
}

std::vector<fmu::Row> rows_of(const json& text) {
  std::vector<fmu::Row> rows;
  for (const json& row : text) rows.push_back(fmu::row_of(row));
  return rows;
}

json optional_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

std::optional<double> optional_of(const json& text) {
  return text.is_null() ? std::nullopt : std::optional(text.get<double>());
}

json settings_json(const SimulationSettings& of) {
  return {{"start", of.grid.start},
          {"stop", of.grid.stop},
          {"step", of.grid.step},
          {"every", of.grid.every},
          {"method", std::string(of.method->name)},
          {"chooses", of.chooses},
          {"tolerance", optional_json(of.tolerance)},
          {"variable_step", of.variable_step},
          {"record_events", of.record_events},
          {"logging", of.logging}};
}

SimulationSettings settings_of(const json& text) {
  SimulationSettings settings;
  settings.grid = {text.at("start"), text.at("stop"), text.at("step"), text.at("every")};
  settings.method = fmu::find_tableau(text.at("method").get<std::string>());
  if (settings.method == nullptr) throw std::runtime_error("there is no such method for FMUs");
  settings.chooses = text.at("chooses");
  settings.tolerance = optional_of(text.at("tolerance"));
  settings.variable_step = text.at("variable_step");
  settings.record_events = text.at("record_events");
  settings.logging = text.at("logging");
  return settings;
}

json start_json(const StartValues& of) {
  json texts = json::array();
  for (const StartValues::Text& one : of.texts)
    texts.push_back({{"reference", one.reference}, {"use", one.use}, {"value", one.value}});
  return {{"rows", rows_json(of.rows)}, {"values", of.values}, {"names", of.names}, {"texts", texts}};
}

StartValues start_of(const json& text) {
  StartValues start{rows_of(text.at("rows")), text.at("values"), text.at("names"), {}};
  for (const json& one : text.at("texts")) start.texts.push_back({one.at("reference"), one.at("use"), one.at("value")});
  return start;
}

json inputs_json(const InputTable& of) {
  json columns = json::array();
  for (const InputTable::Column& one : of.columns)
    columns.push_back({{"value", one.value}, {"continuous", one.continuous}, {"samples", one.samples}});
  return {{"time", of.time},
          {"columns", columns},
          {"continuous", rows_json(of.continuous)},
          {"discrete", rows_json(of.discrete)},
          {"slopes", of.slope_references}};
}

InputTable inputs_of(const json& text) {
  InputTable inputs{
      text.at("time"), {}, rows_of(text.at("continuous")), rows_of(text.at("discrete")), text.at("slopes")};
  for (const json& one : text.at("columns"))
    inputs.columns.push_back({one.at("value"), one.at("continuous"), one.at("samples")});
  return inputs;
}

}  // namespace

std::uint64_t Grid::steps() const {
  const double exact = (stop - start) / step;
  const double near = std::round(exact);
  return static_cast<std::uint64_t>(std::abs(exact - near) <= 1e-9 * std::max(1.0, exact) ? near : std::ceil(exact));
}

double Grid::at(std::uint64_t k) const {
  const double t = start + static_cast<double>(k) * step;
  return k >= steps() && !same_time(t, stop) ? stop : t;
}

std::vector<std::uint8_t> packed(const TrialPlan& plan) {
  return json::to_cbor(json{{"work", plan.work},
                            {"folder", plan.folder},
                            {"name", plan.name},
                            {"table", fmu::table_json(plan.table)},
                            {"settings", settings_json(plan.settings)},
                            {"start", start_json(plan.start)},
                            {"observed", rows_json(plan.observed.rows)},
                            {"columns", plan.observed.names},
                            {"inputs", inputs_json(plan.inputs)},
                            {"held",
                             {{"continuous", rows_json(plan.held.continuous)},
                              {"discrete", rows_json(plan.held.discrete)},
                              {"values", plan.held.values},
                              {"value", optional_json(plan.held.value)}}},
                            {"steps", plan.steps},
                            {"short_steps", plan.short_steps},
                            {"at_most_s", plan.at_most_s}});
}

TrialPlan unpacked_plan(const std::vector<std::uint8_t>& bytes) {
  const json text = json::from_cbor(bytes);
  TrialPlan plan;
  plan.work = text.at("work"), plan.folder = text.at("folder"), plan.name = text.at("name");
  plan.table = fmu::table_of(text.at("table"));
  plan.settings = settings_of(text.at("settings"));
  plan.start = start_of(text.at("start"));
  plan.observed = {rows_of(text.at("observed")), text.at("columns"), {}};
  plan.inputs = inputs_of(text.at("inputs"));
  const json& held = text.at("held");
  plan.held = {rows_of(held.at("continuous")), rows_of(held.at("discrete")), held.at("values"),
               optional_of(held.at("value"))};
  plan.steps = text.at("steps"), plan.short_steps = text.at("short_steps"), plan.at_most_s = text.at("at_most_s");
  return plan;
}

}  // namespace takt::fmu_host
