#pragma once
// What scenarios leave: JUnit XML for continuous integration, a page for people.

#include <string>
#include <vector>

#include "tools/takt/scenario_runs.hpp"

namespace takt::tools {

/// One testsuite per scenario, one testcase per expectation; what failed besides expectations is a testcase "scenario",
/// a run that cannot be trusted one called "run".
[[nodiscard]] std::string junit_xml(const std::string& plant, const std::vector<ScenarioRun>& runs);

/// Verdict, expectations with values, and the signals around what failed, as the run has recorded them.
[[nodiscard]] std::string scenario_page(const ScenarioRun& run);

/// A line per scenario, and one per expectation that did not pass.
[[nodiscard]] std::string verdict_table(const std::vector<ScenarioRun>& runs);

}  // namespace takt::tools
