#include "runtime/io/record/run_events.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "runtime/io/record/summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr std::size_t most_actions_of_events = 1000;  // of each kind, as in the summary

SimTime at_seconds(double seconds) { return SimTime{std::llround(seconds * 1e9)}; }

std::string number_text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

}  // namespace

std::vector<RecordEvent> run_events(const RunResults& results) {
  std::vector<RecordEvent> events;
  for (const OverrunIncident& incident : results.overruns.incidents) {
    const std::string cause = overrun_cause_name[static_cast<std::size_t>(incident.cause)];
    events.push_back({.time = incident.start,
                      .text = "overrun: " + short_duration(incident.late.seconds()) + " late, " + cause +
                              (incident.evidence.empty() ? "" : ": " + incident.evidence)});
  }
  for (const auto* list : {&results.actions, &results.inputs_set})
    for (std::size_t i = 0; i < std::min(most_actions_of_events, list->size()); ++i) {
      const ActionResult& action = (*list)[i];
      events.push_back({.time = at_seconds(action.time_s),
                        .text = "action of " + action.author + ": " +
                                (action.shown.empty() ? action.text : action.shown) +
                                (action.refused.empty() ? "" : ", refused: " + action.refused)});
    }
  for (const IoEventResult& event : results.io_events)
    events.push_back({.time = at_seconds(event.time_s), .text = event.text});
  for (const Verdict& verdict : results.verdicts)
    events.push_back({.time = at_seconds(verdict.first_s < 0.0 ? results.simulated_s : verdict.first_s),
                      .text = "verdict " + verdict_text(verdict)});
  if (!results.stopped_because.empty())
    events.push_back({.time = at_seconds(results.simulated_s), .text = results.stopped_because});
  std::stable_sort(events.begin(), events.end(),
                   [](const RecordEvent& a, const RecordEvent& b) { return a.time < b.time; });
  return events;
}

std::vector<RecordProperty> run_properties(const RunResults& results) {
  return {{"simulated_s", number_text(results.simulated_s)},
          {"wall_s", number_text(results.wall_s)},
          {"digest", results.digest},
          {"trusted", results.trusted() ? "yes" : "no"},
          {"rows_dropped", std::to_string(results.rows_dropped), true}};
}

}  // namespace takt
