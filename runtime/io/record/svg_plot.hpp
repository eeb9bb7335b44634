#pragma once
// Line and bar plots as inline SVG, without outside files; style: html::style().

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/svg_axes.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

using html::escaped;

struct PlotLine {
  std::string label;                     ///< empty: not in the legend
  std::vector<double> x, low, high;      ///< a band where they differ: what the decimation has merged
  std::vector<std::uint64_t> samples{};  ///< that each point stands for; empty: one
  [[nodiscard]] std::uint64_t samples_of(std::size_t point) const { return samples.empty() ? 1 : samples[point]; }
};

[[nodiscard]] PlotLine line_of(const std::string& label, const DecimatedSeries& series);

/// Neighbours merged until there are at most so many points: the smallest and the largest value of them all stay.
[[nodiscard]] PlotLine merged(const PlotLine& line, std::size_t most);

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
  bool time = false;                   ///< x is simulated time: such figures of a page are zoomed together
  std::size_t drawn = SIZE_MAX;        ///< lines in the picture; a reader can choose others (page/figure.js)
  std::size_t drawn_points = 512;      ///< of each of them in the picture
  std::size_t kept_points = 40'000;    ///< of all lines together that can be zoomed into
};

/// A picture, which is what prints and what is seen without scripts, and what the script of the page draws from.
[[nodiscard]] std::string line_plot(const Plot& plot);

/// On logarithmic axes (both); bounds above zero.
[[nodiscard]] std::string bar_plot(const std::string& title, const std::string& x_label, const HistogramBars& bars);

/// What the line of that number looks like: colour and dash pattern.
[[nodiscard]] std::string swatch(std::size_t line);

/// One line without axes, as high as a row of a table, on a scale of its own.
[[nodiscard]] std::string sparkline(const PlotLine& line);

}  // namespace takt
