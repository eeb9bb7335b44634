#include "runtime/io/record/expected_lines.hpp"

#include <algorithm>
#include <cmath>

namespace takt {

std::vector<PlotLine> limits_of(const ExpectedBand& band, double from_s, double to_s) {
  PlotLine below{.label = "lower limit", .x = {}, .low = {}, .high = {}},
      above{.label = "upper limit", .x = {}, .low = {}, .high = {}};
  const auto add = [&](double time, double reference) {
    const double width = band.relative ? band.tolerance * std::abs(reference) : band.tolerance;
    below.x.push_back(time), below.low.push_back(reference - width);
    above.x.push_back(time), above.low.push_back(reference + width);
  };
  const auto at = [&](double time) {
    const std::size_t next =
        static_cast<std::size_t>(std::upper_bound(band.time_s.begin(), band.time_s.end(), time) - band.time_s.begin());
    if (next == 0) return band.reference.front();
    if (band.held || next == band.time_s.size()) return band.reference[next - 1];
    const double part = (time - band.time_s[next - 1]) / (band.time_s[next] - band.time_s[next - 1]);
    return band.reference[next - 1] + part * (band.reference[next] - band.reference[next - 1]);
  };
  add(from_s, at(from_s));
  for (std::size_t k = 0; k < band.time_s.size(); ++k) {
    if (band.time_s[k] <= from_s || band.time_s[k] >= to_s) continue;
    if (band.held && k > 0) add(band.time_s[k], band.reference[k - 1]);
    add(band.time_s[k], band.reference[k]);
  }
  add(to_s, at(to_s));
  below.high = below.low, above.high = above.low;
  return {below, above};
}

std::vector<PlotLine> expected_lines(const ScenarioResult& scenario, const std::string& path) {
  std::vector<PlotLine> lines;
  for (const ExpectationResult& e : scenario.expectations) {
    if (e.from_s < 0.0 || e.paths.size() != 1 || e.paths[0] != path) continue;
    const double to_s = std::max(e.time_s >= 0.0 ? e.time_s : scenario.ended_s, e.from_s);
    const std::vector<double> threshold(2, e.threshold.value_or(0.0));
    if (e.threshold) lines.push_back({e.name + ": threshold", {e.from_s, to_s}, threshold, threshold});
    if (!e.band || e.band->time_s.empty()) continue;
    for (PlotLine& limit : limits_of(*e.band, e.from_s, to_s)) {
      limit.label = e.name + ": " + limit.label;
      lines.push_back(std::move(limit));
    }
  }
  return lines;
}

}  // namespace takt
