#include "runtime/io/record/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr double width = 860, height = 260, left = 70, right = 15, top = 28, bottom = 40;
constexpr const char* colours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                   "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f"};

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

std::string point(double value) { return formatted("%.1f", value); }

/// Round numbers inside the axis, about six of them.
std::vector<double> ticks(const Axis& axis) {
  std::vector<double> result;
  if (axis.logarithmic) {
    for (double decade = std::pow(10.0, std::floor(std::log10(axis.low))); decade <= axis.high; decade *= 10.0) {
      if (decade >= axis.low) result.push_back(decade);
    }
    return result;
  }
  const double rough = (axis.high - axis.low) / 6.0, decade = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = rough / decade < 2.0 ? 2.0 * decade : rough / decade < 5.0 ? 5.0 * decade : 10.0 * decade;
  const double first = std::ceil(axis.low / step);
  for (int k = 0; k < 12 && (first + k) * step <= axis.high + 1e-9 * step; ++k) result.push_back((first + k) * step);
  return result;
}

/// With as many digits as it takes to tell it from its neighbours.
std::string tick_text(double value, const std::vector<double>& all) {
  const double step = all.size() > 1 ? std::fabs(all[1] - all[0]) : 0.0;
  std::string text = short_number(value);
  for (const char* format : {"%.6g", "%.8g", "%.12g"}) {
    if (std::fabs(std::strtod(text.c_str(), nullptr) - value) <= 0.01 * step) break;
    text = formatted(format, value);
  }
  return text;
}

std::string frame(const std::string& title, const std::string& x_label, const std::string& y_label, const Axes& axes) {
  const auto& [x, y] = axes;
  std::string out = "<svg viewBox=\"0 0 " + point(width) + " " + point(height) +
                    "\" role=\"img\"><text class=\"title\" x=\"" + point(left) + "\" y=\"16\">" + escaped(title) +
                    "</text>\n";
  const std::vector<double> along = ticks(x), up = ticks(y);
  for (const double value : along) {
    out += "<line class=\"grid\" x1=\"" + point(x(value)) + "\" x2=\"" + point(x(value)) + "\" y1=\"" + point(y.to) +
           "\" y2=\"" + point(y.from) + "\"/>";
    out += "<text class=\"tick\" text-anchor=\"middle\" x=\"" + point(x(value)) + "\" y=\"" + point(y.from + 14) +
           "\">" + tick_text(value, along) + "</text>\n";
  }
  for (const double value : up) {
    out += "<line class=\"grid\" x1=\"" + point(x.from) + "\" x2=\"" + point(x.to) + "\" y1=\"" + point(y(value)) +
           "\" y2=\"" + point(y(value)) + "\"/>";
    out += "<text class=\"tick\" text-anchor=\"end\" x=\"" + point(x.from - 5) + "\" y=\"" + point(y(value) + 4) +
           "\">" + tick_text(value, up) + "</text>\n";
  }
  out += "<text class=\"tick\" text-anchor=\"middle\" x=\"" + point((x.from + x.to) / 2) + "\" y=\"" +
         point(height - 8) + "\">" + escaped(x_label) + "</text>";
  out += "<text class=\"tick\" x=\"4\" y=\"16\">" + escaped(y_label) + "</text>\n";
  return out;
}

/// "x y" of the points that are finite, joined by L; backwards for the way back along the lower edge of a band.
std::string points(const PlotLine& line, const std::vector<double>& values, const Axes& axes, bool backwards) {
  std::string out;
  for (std::size_t n = 0; n < line.x.size(); ++n) {
    const std::size_t i = backwards ? line.x.size() - 1 - n : n;
    if (!std::isfinite(line.low[i]) || !std::isfinite(line.high[i])) continue;
    if (!out.empty()) out += 'L';
    out.append(point(axes.x(line.x[i]))).append(1, ' ').append(point(axes.y(values[i])));
  }
  return out;
}

std::string dots(const PlotLine& line, const Axes& axes, const std::string& colour) {
  const auto& [x, y] = axes;
  std::string out;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!std::isfinite(line.high[i])) continue;
    out.append("<circle r=\"3\" cx=\"").append(point(x(line.x[i]))).append("\" cy=\"").append(point(y(line.high[i])));
    out.append("\" fill=\"").append(colour).append("\"/>");
  }
  return out + "\n";
}

std::string path(const PlotLine& line, const Axes& axes, const std::string& colour) {
  bool band = false;
  for (std::size_t i = 0; i < line.x.size(); ++i) band = band || axes.y(line.low[i]) - axes.y(line.high[i]) > 1.0;
  const std::string upper = points(line, line.high, axes, false);
  std::string out;
  if (band) {
    out.append("<path d=\"M").append(upper).append(1, 'L').append(points(line, line.low, axes, true));
    out.append("Z\" fill=\"").append(colour).append("\" fill-opacity=\"0.25\" stroke=\"none\"/>");
  }
  out.append("<path d=\"M").append(upper).append("\" fill=\"none\" stroke=\"").append(colour);
  return out.append("\" stroke-width=\"1.3\"><title>").append(escaped(line.label)).append("</title></path>\n");
}

std::string legend(const std::vector<PlotLine>& lines) {
  std::string out = "<p class=\"legend\">";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out +=
        std::string("<span><i style=\"background:") + colours[i % 8] + "\"></i>" + escaped(lines[i].label) + "</span> ";
  }
  return out + "</p>\n";
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string line_plot(const Plot& plot) {
  double x_low = HUGE_VAL, x_high = -HUGE_VAL, y_low = HUGE_VAL, y_high = -HUGE_VAL;
  for (const PlotLine& line : plot.lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!std::isfinite(line.low[i]) || !std::isfinite(line.high[i])) continue;
      x_low = std::min(x_low, line.x[i]), x_high = std::max(x_high, line.x[i]);
      y_low = std::min(y_low, line.low[i]), y_high = std::max(y_high, line.high[i]);
    }
  }
  if (!(x_low <= x_high)) return "<p>" + escaped(plot.title) + ": no values</p>\n";
  if (x_low == x_high) x_high = x_low + 1.0;
  // A quantity that only rounding moves is drawn as constant: a narrower axis has no ticks that differ.
  const double largest = std::max(std::abs(y_low), std::abs(y_high));
  const double margin = y_high - y_low > 1e-9 * largest ? 0.05 * (y_high - y_low) : std::max(1e-12, 0.05 * largest);
  constexpr double room = 1.25;  // around points on a logarithmic axis
  const Axis x = plot.x_logarithmic && x_low > 0.0 ? Axis{x_low / room, x_high * room, left, width - right, true}
                                                   : Axis{x_low, x_high, left, width - right};
  const Axis y = plot.y_logarithmic && y_low > 0.0 ? Axis{y_low / room, y_high * room, height - bottom, top, true}
                                                   : Axis{y_low - margin, y_high + margin, height - bottom, top};
  const Axes axes{x, y};
  std::string out = frame(plot.title, plot.x_label, plot.y_label, axes);
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    out += path(plot.lines[i], axes, colours[i % 8]);
    if (plot.marks) out += dots(plot.lines[i], axes, colours[i % 8]);
  }
  return "<figure>" + out + "</svg>" + legend(plot.lines) + "</figure>\n";
}

std::string bar_plot(const std::string& title, const std::string& x_label, const HistogramBars& bars) {
  const auto& [lower, upper, counts] = bars;
  if (lower.empty()) return "<p>" + escaped(title) + ": no values</p>\n";
  const double smallest = lower.front() > 0.0 ? lower.front() : upper.front() / 2.0;
  const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  const Axis x{smallest, std::max(upper.back(), smallest * 1.01), left, width - right, true};
  const Axis y{0.5, std::max(2.0, most * 1.3), height - bottom, top, true};
  std::string out = frame(title, x_label, "windows", {x, y});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const auto count = static_cast<double>(counts[i]);
    const double from = x(std::max(lower[i], smallest)), to = x(upper[i]);
    out += "<rect class=\"bar\" x=\"" + point(from) + "\" width=\"" + point(std::max(0.5, to - from - 0.5)) +
           "\" y=\"" + point(y(count)) + "\" height=\"" + point(y.from - y(count)) + "\"><title>" +
           short_number(lower[i]) + " to " + short_number(upper[i]) + ": " + short_number(count) + "</title></rect>\n";
  }
  return "<figure>" + out + "</svg></figure>\n";
}

}  // namespace takt
