#include "tools/fit/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/fit/advice.hpp"
#include "tools/fit/verdict.hpp"

namespace takt::tools {
namespace {

using Json = nlohmann::ordered_json;

Json holding_json(const Holding& held) {
  Json json = {{"holds", held.holds},
               {"margin", held.margin},
               {"late", held.late},
               {"windows", held.windows},
               {"worst_miss_us", held.worst_miss_us}};
  if (!held.failure.empty()) json["failure"] = held.failure;
  return json;
}

Json verdict_json(const Measured& m, double late) {
  Json json = holding_json(holding(m.paced, late));
  json["seconds"] = m.paced.summary.is_object() ? m.paced.summary.at("simulated_s").get<double>() : 0.0;
  json["computing"] = m.paced.computing;
  json["causes"] = m.paced.causes;
  if (const CutWindow& cut = m.paced.cut; cut.cuts > 0)
    json["cut_window"] = {{"at_s", cut.at_s}, {"cuts", cut.cuts}, {"more_us", cut.more_us}};
  json["by_machine"] = machine_share(m.paced);
  json["scheduling"] = "";
  if (m.paced.summary.is_object()) json["scheduling"] = m.paced.summary.at("cores").at(0).at("scheduling");
  return json;
}

Json board_json(const Measured& m) {
  const nlohmann::json& origin = m.free.summary.at("origin");
  return {{"name", origin.at("host")},     {"cpu", origin.at("cpu")},
          {"kernel", origin.at("kernel")}, {"machine", m.pack.at("machine")},
          {"cpus", m.board.cpus.size()},   {"first_cpu", m.board.cpus.empty() ? -1 : m.board.cpus.front()},
          {"memory_kb", m.board.memory_kb}};
}

Json wake_up_json(const Measured& m) {
  Json json = Json::object();
  if (m.board.cyclictest)
    json["cyclictest"] = {{"mean_us", m.board.cyclictest->mean_us}, {"max_us", m.board.cyclictest->max_us}};
  if (m.paced.summary.is_object()) json["plant_us"] = m.paced.summary.at("cores").at(0).at("wakeup_us");
  return json;
}

/// Of the finer plans of a kind, from the coarsest to the finest: the last that holds, and the first that does not.
Json finest_json(const Measured& m, const std::string& kind, double late) {
  const char* what = kind == "steps" ? "step_s" : "period_s";
  Json json = {{"held_s", nullptr}, {"not_held_s", nullptr}, {"tried", 0}};
  if (!holding(m.paced, late).holds) return json["not_held_s"] = m.pack.at(what), json;
  json["held_s"] = m.pack.at(what);
  for (const auto& variant : m.pack.at("variants")) {
    const auto found = m.variants.find(variant.at("name"));
    if (variant.at("kind") != kind || found == m.variants.end()) continue;
    const Holding held = holding(found->second, late);
    json["tried"] = json.at("tried").get<int>() + 1;
    json[held.holds ? "held_s" : "not_held_s"] = variant.at(what);
    json["margin"] = held.margin;
    json["computing"] = found->second.computing;
    if (!held.failure.empty()) json["failure"] = held.failure;
    if (!held.holds) break;
  }
  return json;
}

Json cores_json(const Measured& m, double late) {
  Json rows = Json::array();
  const MeasuredRun& one = m.plain ? *m.plain : m.paced;
  const auto row = [&](int cores, const MeasuredRun& free, const MeasuredRun& paced) {
    Json json = holding_json(holding(paced, late));
    json["cores"] = cores;
    const bool ran = free.failure.empty() && m.free.failure.empty() && free.computing > 0.0;
    json["faster_free"] = ran ? m.free.computing / free.computing : 0.0;
    return json;
  };
  rows.push_back(row(1, m.free, one));
  for (const auto& [cores, paced] : m.paced_on) rows.push_back(row(cores, m.free_on.at(cores), paced));
  return rows;
}

Json copies_json(const Measured& m, double late) {
  Json runs = Json::array();
  for (const auto* series : {&m.doubled, &m.between}) {
    for (const CopiesRun& copies : *series) {
      Json json = holding_json(holding(copies.runs, late));
      double sum = 0.0;
      for (const MeasuredRun& run : copies.runs) sum += run.computing;
      json["count"] = copies.count;
      json["computing"] = sum;
      if (copies.used) json["used"] = *copies.used;
      runs.push_back(std::move(json));
    }
  }
  if (runs.empty()) return nullptr;
  const HeldCopies held = held_copies(m, late);
  Json json = {{"held", held.held}, {"not_held", nullptr}, {"predicted", nullptr}, {"on_all_cores", nullptr}};
  if (held.not_held) json["not_held"] = *held.not_held;
  if (const auto predicted = predicted_copies(m, late)) json["predicted"] = *predicted;
  for (const CopiesRun& copies : m.all)
    if (holding(copies.runs, late).holds) json["on_all_cores"] = copies.count;
  if (!m.all.empty() && json["on_all_cores"].is_null()) json["on_all_cores_not"] = m.all.front().count;
  std::sort(runs.begin(), runs.end(), [](const Json& a, const Json& b) { return a.at("count") < b.at("count"); });
  json["runs"] = std::move(runs);
  return json;
}

}  // namespace

Json fit_report(const Measured& m) {
  const double late = m.pack.at("late");
  Json report = {{"plant", m.pack.at("plant")}, {"takt", m.pack.at("takt")}, {"late", late},
                 {"rig", m.pack.at("rig")},     {"board", board_json(m)},    {"verdict", verdict_json(m, late)}};
  report["wake_up"] = wake_up_json(m);
  report["period"] = finest_json(m, "times", late);
  report["step"] = finest_json(m, "steps", late);
  report["cores"] = cores_json(m, late);
  report["copies"] = copies_json(m, late);
  report["time"] = time_json(m);
  report["machine"] = machine_json(m);
  report["advice"] = advice(m, report);
  return report;
}

}  // namespace takt::tools
