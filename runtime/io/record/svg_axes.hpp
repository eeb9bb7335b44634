#pragma once
// Axes of a plot: from values to places in the drawing, round numbers along them, grid and labels.

#include <cmath>
#include <string>
#include <vector>

namespace takt::svg {

inline constexpr double width = 600, height = 250, left = 64, right = 14, top = 24, bottom = 40;

/// Maps [low, high] to [from, to], linearly or by logarithm.
struct Axis {
  double low, high, from, to;
  bool logarithmic = false;
  [[nodiscard]] double operator()(double value) const {
    const double share = logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + share * (to - from);
  }
};

struct Axes {
  Axis x, y;
};

/// A coordinate, to a tenth.
[[nodiscard]] std::string at(double value);

/// From the left edge to the right one; from the bottom to the top.
[[nodiscard]] Axis along(double low, double high, bool logarithmic = false);
[[nodiscard]] Axis upward(double low, double high, bool logarithmic = false);

/// Round numbers inside the axis, two to eight of them where it is not degenerate.
[[nodiscard]] std::vector<double> ticks(const Axis& axis);

/// The opening <svg>, its grid and labels; the caller draws into it and closes it.
/// @param y_label  in the corner above the y axis
[[nodiscard]] std::string frame(const std::string& x_label, const std::string& y_label, const Axes& axes);

/// A dashed line across the plot with a word at its right end; empty where it lies outside.
[[nodiscard]] std::string limit_line(const Axes& axes, double value, const std::string& text);

/// Something that was done at a place of the x axis.
struct Moment {
  double x = 0.0;
  std::string text;
  std::string kind{};  ///< of event_shapes of page/drawing.js
};

/// A line up from the x axis for each, with its text to point at; those that would cover each other are one. They are
/// in order of x; empty where none lies on the axis.
[[nodiscard]] std::string moment_lines(const Axes& axes, const std::vector<Moment>& moments);

}  // namespace takt::svg
