#pragma once
// Line and bar plots as inline SVG, without scripts or outside files.

#include <string>
#include <vector>

#include "runtime/stats/run_results.hpp"

namespace takt {

struct PlotLine {
  std::string label;
  std::vector<double> x, low, high;  ///< a band where they differ: what the decimation has merged
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotLine> lines;
  bool x_logarithmic = false, y_logarithmic = false;  ///< only where all values are above zero
  bool marks = false;                                 ///< a dot at every point
};

[[nodiscard]] std::string line_plot(const Plot& plot);

/// On logarithmic axes (both); bounds above zero.
[[nodiscard]] std::string bar_plot(const std::string& title, const std::string& x_label, const HistogramBars& bars);

/// &, <, > and quotes replaced.
[[nodiscard]] std::string escaped(const std::string& text);

}  // namespace takt
