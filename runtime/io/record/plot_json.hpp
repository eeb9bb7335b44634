#pragma once
// The lines of a plot for the script that draws them at every zoom (page/series.js).

#include <string>

namespace takt {

struct Plot;

/// Numbers are rounded to decimal digits, six or as many as tell a line from a constant, and come out of the script as
/// these digits. Lines that have more points than Plot::kept_points allows are merged.
[[nodiscard]] std::string plot_json(const Plot& plot);

}  // namespace takt
