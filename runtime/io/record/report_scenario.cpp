// What a scenario did to the plant, and what became of its expectations.

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/scenario_summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

using html::escaped, html::Row;
using Kind = html::Column::Kind;

constexpr std::size_t most_rows = 200;

std::string seconds(double time) { return time < 0.0 ? "" : formatted("%.9g", time); }

std::string expectations(const ScenarioResult& scenario) {
  std::vector<Row> rows;
  for (const ExpectationResult& e : scenario.expectations) {
    if (rows.size() == most_rows) break;
    const std::string verdict = verdict_word(e.verdict) + (e.because.empty() ? "" : ": " + e.because);
    rows.push_back({e.name + (e.text == e.name ? "" : ": " + e.text), verdict, seconds(e.time_s), e.values, e.place});
  }
  if (rows.empty()) return "<p>It expects nothing.</p>";
  return html::table(
      {{"expected", Kind::text}, {"verdict", Kind::text}, {"at, s"}, {"values", Kind::text}, {"place", Kind::text}},
      rows);
}

std::string actions(const ScenarioResult& scenario) {
  std::vector<Row> rows;
  for (const ScenarioAction& a : scenario.actions)
    if (rows.size() < most_rows) rows.push_back({seconds(a.time_s), a.text, a.step});
  if (rows.empty())
    return scenario.judged_only ? "<p>Judged only: what was done stands in the log of the run.</p>" : "";
  const std::size_t left = scenario.actions.size() - rows.size();
  return html::folded("What it did (" + std::to_string(scenario.actions.size()) + ")",
                      html::table({{"at, s"}, {"action", Kind::text}, {"step", Kind::text}}, rows) +
                          (left > 0 ? "<p>... and " + std::to_string(left) + " more: summary.json.</p>" : ""));
}

}  // namespace

std::string scenario(const RunResults& r) {
  if (r.scenario.verdict == ScenarioResult::Verdict::none) return "";
  std::string out = "<p><b>" + escaped(scenario_headline(r.scenario)) + "</b></p>\n";
  if (!r.scenario.title.empty()) out += "<p>" + escaped(r.scenario.title) + "</p>\n";
  return html::section("Scenario", out + expectations(r.scenario) + actions(r.scenario));
}

}  // namespace takt::report
