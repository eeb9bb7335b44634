// What was done to the plant while it ran, by clients of the tap, the command line, a scenario.

#include <algorithm>
#include <array>
#include <string_view>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

using html::Row;
using Kind = html::Column::Kind;

constexpr std::size_t most_rows = 200;

std::vector<const ActionResult*> in_order(const RunResults& r) {
  std::vector<const ActionResult*> all;
  for (const auto* list : {&r.actions, &r.inputs_set})
    for (const ActionResult& action : *list) all.push_back(&action);
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->time_s < b->time_s; });
  return all;
}

std::string what(const ActionResult& action) { return action.shown.empty() ? action.text : action.shown; }
std::string who(const ActionResult& action) { return action.author.empty() ? "somebody" : action.author; }

/// The log of actions has it, with its author.
bool is_logged(const ScenarioAction& action) {
  constexpr std::array<std::string_view, 6> verbs{"inject ", "clear ", "override ", "release ", "tune ", "checkpoint"};
  return std::any_of(verbs.begin(), verbs.end(), [&](std::string_view verb) { return action.text.starts_with(verb); });
}

}  // namespace

std::vector<svg::Moment> moments(const RunResults& r) {
  std::vector<svg::Moment> all;
  for (const ActionResult* action : in_order(r))
    all.push_back({action->time_s, who(*action) + ": " + what(*action) +
                                       (action->refused.empty() ? "" : ", refused: " + action->refused)});
  for (const ScenarioAction& action : r.scenario.actions)
    if (!is_logged(action)) all.push_back({action.time_s, "scenario: " + action.text});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  return all;
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
