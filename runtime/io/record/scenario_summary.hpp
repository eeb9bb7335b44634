#pragma once
// What became of a scenario, in summary.json and on the terminal.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "runtime/stats/scenario_result.hpp"

namespace takt {

/// null where there was none.
[[nodiscard]] nlohmann::ordered_json scenario_json(const ScenarioResult& scenario);

/// The log of actions of the run has it, too, with its author.
[[nodiscard]] bool is_logged_action(std::string_view text);

[[nodiscard]] std::string verdict_word(ExpectationResult::Verdict verdict);

/// "scenario FILE: failed, 3 of 5 expectations passed"
[[nodiscard]] std::string scenario_headline(const ScenarioResult& scenario);

/// The verdict, and a line for each expectation that did not pass, with values; empty where there was no scenario.
[[nodiscard]] std::string scenario_text(const ScenarioResult& scenario);

}  // namespace takt
