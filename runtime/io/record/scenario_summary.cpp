#include "runtime/io/record/scenario_summary.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace takt {
namespace {

using Json = nlohmann::ordered_json;
using Whole = ScenarioResult::Verdict;

constexpr std::size_t most_actions = 1000;

const char* word(Whole verdict) {
  constexpr const char* words[] = {"none", "passed", "failed", "no expectation"};
  return words[static_cast<std::size_t>(verdict)];
}

Json time(double seconds) { return seconds < 0.0 ? Json() : Json(seconds); }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

bool is_logged_action(std::string_view text) {
  constexpr std::array<std::string_view, 6> verbs{"inject ", "clear ", "override ", "release ", "tune ", "checkpoint"};
  return std::any_of(verbs.begin(), verbs.end(), [&](std::string_view verb) { return text.starts_with(verb); });
}

std::string verdict_word(ExpectationResult::Verdict verdict) {
  constexpr const char* words[] = {"passed", "failed", "undecided"};
  return words[static_cast<std::size_t>(verdict)];
}

Json scenario_json(const ScenarioResult& scenario) {
  if (scenario.verdict == Whole::none) return {};
  Json expectations = Json::array(), actions = Json::array();
  for (const ExpectationResult& e : scenario.expectations) {
    expectations.push_back({{"name", e.name},
                            {"text", e.text},
                            {"place", e.place},
                            {"verdict", verdict_word(e.verdict)},
                            {"from_s", time(e.from_s)},
                            {"time_s", time(e.time_s)},
                            {"values", e.values},
                            {"because", e.because},
                            {"paths", e.paths}});
    if (e.band)
      expectations.back()["band"] = {{"time_s", e.band->time_s},
                                     {"reference", e.band->reference},
                                     {"held", e.band->held},
                                     {"tolerance", e.band->tolerance},
                                     {"relative", e.band->relative}};
  }
  for (const ScenarioAction& a : scenario.actions)
    if (actions.size() < most_actions) actions.push_back({{"time_s", a.time_s}, {"step", a.step}, {"action", a.text}});
  return {{"title", scenario.title},
          {"file", scenario.file},
          {"verdict", word(scenario.verdict)},
          {"failed", scenario.failed()},
          {"because", scenario.because},
          {"ended_s", scenario.ended_s},
          {"judged_only", scenario.judged_only},
          {"expectations", std::move(expectations)},
          {"actions", std::move(actions)}};
}

std::string scenario_headline(const ScenarioResult& scenario) {
  const auto passed =
      std::count_if(scenario.expectations.begin(), scenario.expectations.end(),
                    [](const ExpectationResult& e) { return e.verdict == ExpectationResult::Verdict::passed; });
  return "scenario " + scenario.file + ": " + word(scenario.verdict) + ", " + std::to_string(passed) + " of " +
         std::to_string(scenario.expectations.size()) + " expectations passed";
}

std::string scenario_text(const ScenarioResult& scenario) {
  if (scenario.verdict == Whole::none) return {};
  std::string out = scenario_headline(scenario) + "\n";
  for (const ExpectationResult& e : scenario.expectations) {
    if (e.verdict == ExpectationResult::Verdict::passed) continue;
    out += "  " + e.place + ": " + e.name + ": " + e.because + (e.values.empty() ? "" : ": " + e.values) +
           (e.time_s < 0.0 ? "" : " (at " + number(e.time_s) + " s)") + "\n";
  }
  if (!scenario.because.empty()) out += "  " + scenario.because + "\n";
  return out;
}

}  // namespace takt
