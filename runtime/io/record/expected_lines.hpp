#pragma once
// What a scenario expects of a signal, as lines in its plot.

#include <string>
#include <vector>

#include "runtime/io/record/svg_plot.hpp"
#include "runtime/stats/scenario_result.hpp"

namespace takt {

/// Of a band, between two times: lower limit, upper limit.
[[nodiscard]] std::vector<PlotLine> limits_of(const ExpectedBand& band, double from_s, double to_s);

/// Thresholds and bands for this signal alone, as long as they were judged, in the signal's unit.
[[nodiscard]] std::vector<PlotLine> expected_lines(const ScenarioResult& scenario, const std::string& path);

}  // namespace takt
