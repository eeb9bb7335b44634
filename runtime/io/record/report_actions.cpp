// What was done to the plant while it ran, by clients of the tap, the command line, a scenario.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/scenario_summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

using html::Row;
using Kind = html::Column::Kind;

constexpr std::size_t most_rows = 200, most_events = 2000;

std::vector<const ActionResult*> in_order(const RunResults& r) {
  std::vector<const ActionResult*> all;
  for (const auto* list : {&r.actions, &r.inputs_set})
    for (const ActionResult& action : *list) all.push_back(&action);
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->time_s < b->time_s; });
  return all;
}

std::string what(const ActionResult& action) { return action.shown.empty() ? action.text : action.shown; }
std::string who(const ActionResult& action) { return action.author.empty() ? "somebody" : action.author; }

const char* kind_of(const ActionResult& action) {
  if (action.text.starts_with("inject ") || action.text.starts_with("clear ")) return "injection";
  return action.author == "scenario" ? "scenario" : "action";
}

/// The kind is shown beside the text.
std::string without_kind(const svg::Moment& moment) {
  const std::string prefix = std::string(moment.kind) + ": ";
  return moment.text.starts_with(prefix) ? moment.text.substr(prefix.size()) : moment.text;
}

/// Of what was late within one of so many parts of the run the worst.
void add_late(const RunResults& r, std::vector<svg::Moment>& all) {
  constexpr double parts = 300.0;
  std::map<int, std::pair<const OverrunIncident*, std::uint64_t>> worst;
  for (const OverrunIncident& incident : r.overruns.incidents) {
    if (incident.in_grace) continue;
    auto& [kept, count] = worst[static_cast<int>(incident.start.seconds() / std::max(r.simulated_s, 1e-9) * parts)];
    if (kept == nullptr || incident.worst > kept->worst) kept = &incident;
    ++count;
  }
  for (const auto& [part, found] : worst)
    all.push_back({found.first->start.seconds(),
                   short_duration(std::max(found.first->worst, found.first->late).seconds()) + " late, " +
                       overrun_cause_name[static_cast<std::size_t>(found.first->cause)] +
                       (found.second > 1 ? ", the worst of " + std::to_string(found.second) + " nearby" : ""),
                   "too late"});
}

}  // namespace

std::vector<svg::Moment> moments(const RunResults& r) {
  std::vector<svg::Moment> all;
  for (const ActionResult* action : in_order(r))
    all.push_back(
        {action->time_s,
         who(*action) + ": " + what(*action) + (action->refused.empty() ? "" : ", refused: " + action->refused),
         kind_of(*action)});
  for (const ScenarioAction& action : r.scenario.actions)
    if (!is_logged_action(action.text)) all.push_back({action.time_s, "scenario: " + action.text, "scenario"});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  return all;
}

std::string events_json(const RunResults& r) {
  std::vector<svg::Moment> all = moments(r);
  for (const ExpectationResult& e : r.scenario.expectations)
    if (e.time_s >= 0.0)
      all.push_back({e.time_s, verdict_word(e.verdict) + ": " + e.name + (e.values.empty() ? "" : ": " + e.values),
                     "expectation"});
  for (const IoEventResult& event : r.io_events) all.push_back({event.time_s, event.text, "bus"});
  add_late(r, all);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  nlohmann::ordered_json events = nlohmann::json::array();
  for (const svg::Moment& moment : all)
    if (events.size() < most_events)
      events.push_back({{"x", moment.x}, {"kind", moment.kind}, {"text", html::cleaned(without_kind(moment))}});
  return nlohmann::ordered_json{{"left_out", all.size() - events.size()}, {"events", events}}.dump(
      -1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string actions(const RunResults& r) {
  const std::vector<const ActionResult*> all = in_order(r);
  const std::uint64_t left_out = r.actions_lost + r.inputs_set_lost;
  if (all.empty() && left_out == 0) return "";
  std::vector<Row> rows;
  for (const ActionResult* action : all) {
    if (rows.size() == most_rows) break;
    std::string remark = action->refused.empty() ? "" : "refused: " + action->refused;
    if (action->booked_j != 0.0) remark = short_number(action->booked_j) + " J taken in by storages";
    rows.push_back({formatted("%.9g", action->time_s), who(*action), what(*action), remark});
  }
  std::string out =
      "<p>While it ran, the plant was acted on " + counted(all.size() + left_out, "time") +
      ". What signals do from these moments on is not of the model alone; lines that rise from the axes of "
      "time mark them.</p>\n" +
      html::table({{"at, s"}, {"by", Kind::text}, {"action", Kind::text}, {"remark", Kind::text}}, rows);
  if (all.size() > rows.size())
    out += "<p>... and " + std::to_string(all.size() - rows.size()) +
           " more: actions.csv, and inputs.csv for what was set.</p>";
  if (left_out > 0) out += "<p>" + std::to_string(left_out) + " more were not noted: there was no room.</p>";
  return html::section("Actions", out);
}

}  // namespace takt::report
