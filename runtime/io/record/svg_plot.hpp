#pragma once
// Line and bar plots as inline SVG, without scripts or outside files; style: html::style().

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/svg_axes.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

using html::escaped;

struct PlotLine {
  std::string label;                 ///< empty: not in the legend
  std::vector<double> x, low, high;  ///< a band where they differ: what the decimation has merged
};

struct PlotLimit {
  double value = 0.0;
  std::string text;
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotLine> lines;
  bool x_logarithmic = false, y_logarithmic = false;  ///< only where all values are above zero
  bool marks = false;                                 ///< a dot at every point
  bool legend = true;
  std::vector<svg::Moment> moments{};  ///< along x
  std::optional<PlotLimit> limit{};    ///< a line across; the axis reaches it where values come near it
};

[[nodiscard]] std::string line_plot(const Plot& plot);

/// On logarithmic axes (both); bounds above zero.
[[nodiscard]] std::string bar_plot(const std::string& title, const std::string& x_label, const HistogramBars& bars);

/// What the line of that number looks like: colour and dash pattern.
[[nodiscard]] std::string swatch(std::size_t line);

/// One line without axes, as high as a row of a table, on a scale of its own.
[[nodiscard]] std::string sparkline(const PlotLine& line);

}  // namespace takt
