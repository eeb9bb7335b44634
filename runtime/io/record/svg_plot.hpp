#pragma once
// Line and bar plots as inline SVG, without scripts or outside files.

#include <string>
#include <vector>

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

/// Bars on logarithmic axes (both).  @param lower, upper  bounds of the bars, above zero
[[nodiscard]] std::string bar_plot(const std::string& title, const std::string& x_label,
                                   const std::vector<double>& lower, const std::vector<double>& upper,
                                   const std::vector<double>& count);

/// &, <, > and quotes replaced.
[[nodiscard]] std::string escaped(const std::string& text);

}  // namespace takt
