#include "runtime/io/record/svg_plot.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/io/record/plot_json.hpp"
#include "runtime/io/record/svg_axes.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

using svg::at, svg::Axes, svg::Axis;

constexpr std::size_t colours = 8, dashes = 4;  // of html::style()

/// Classes of the style sheet.
std::string look(std::size_t line) {
  const std::size_t dash = line / colours % dashes;
  return "k" + std::to_string(line % colours) + (dash > 0 ? " d" + std::to_string(dash) : "");
}

struct Bounds {
  double x_low = HUGE_VAL, x_high = -HUGE_VAL, y_low = HUGE_VAL, y_high = -HUGE_VAL;
  [[nodiscard]] bool empty() const { return !(x_low <= x_high); }
};

Bounds bounds_of(const std::vector<PlotLine>& lines) {
  Bounds b;
  for (const PlotLine& line : lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!std::isfinite(line.low[i]) || !std::isfinite(line.high[i])) continue;
      b.x_low = std::min(b.x_low, line.x[i]), b.x_high = std::max(b.x_high, line.x[i]);
      b.y_low = std::min(b.y_low, line.low[i]), b.y_high = std::max(b.y_high, line.high[i]);
    }
  }
  if (b.x_low == b.x_high) b.x_high = b.x_low + 1.0;
  return b;
}

/// Room above and below. A quantity that only rounding moves is drawn as constant: a narrower axis has no ticks that
/// differ.
double margin_of(const Bounds& b) {
  const double largest = std::max(std::abs(b.y_low), std::abs(b.y_high));
  return b.y_high - b.y_low > 1e-9 * largest ? 0.05 * (b.y_high - b.y_low)
         : largest > 0.0                     ? std::max(1e-12, 0.05 * largest)
                                             : 1.0;
}

/// "x y" of the points; backwards for the way back along the lower edge of a band. Points between two of the same
/// height add nothing.
std::string points(const PlotLine& line, const std::vector<double>& values, const Axes& axes, bool backwards) {
  struct Point {
    std::string x, y;
  };
  std::vector<Point> kept;
  for (std::size_t n = 0; n < line.x.size(); ++n) {
    const std::size_t i = backwards ? line.x.size() - 1 - n : n;
    Point next{at(axes.x(line.x[i])), at(axes.y(values[i]))};
    const std::size_t n_kept = kept.size();
    if (n_kept > 1 && kept[n_kept - 1].y == next.y && kept[n_kept - 2].y == next.y) kept.pop_back();
    kept.push_back(std::move(next));
  }
  std::string out;
  for (const Point& p : kept) out.append(out.empty() ? "" : "L").append(p.x).append(1, ' ').append(p.y);
  return kept.size() == 1 ? out + "m-2 0h4" : out;  // is seen, too
}

/// Where values are missing, a line has a gap.
std::vector<PlotLine> stretches(const PlotLine& line) {
  std::vector<PlotLine> all;
  bool is_new = true;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    const bool is_there = std::isfinite(line.low[i]) && std::isfinite(line.high[i]);
    if (is_there && is_new) all.push_back({line.label, {}, {}, {}});
    is_new = !is_there;
    if (!is_there) continue;
    PlotLine& last = all.back();
    last.x.push_back(line.x[i]), last.low.push_back(line.low[i]), last.high.push_back(line.high[i]);
  }
  return all;
}

std::string dots(const PlotLine& line, const Axes& axes, std::size_t number) {
  std::string out;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!std::isfinite(line.high[i])) continue;
    out.append("<circle class=\"dot ").append(look(number)).append("\" r=\"3\" cx=\"").append(at(axes.x(line.x[i])));
    out.append("\" cy=\"").append(at(axes.y(line.high[i]))).append("\"/>");
  }
  return out + "\n";
}

/// Both edges of a band are lines: one sample far below its neighbours is seen as one far above them is.
std::string path(const PlotLine& line, const Axes& axes, const std::string& kind) {
  std::string bands, edges;
  for (const PlotLine& part : stretches(line)) {
    bool band = false;
    for (std::size_t i = 0; i < part.x.size(); ++i) band = band || axes.y(part.low[i]) - axes.y(part.high[i]) > 1.0;
    const std::string upper = points(part, part.high, axes, false);
    edges.append(1, 'M').append(upper);
    if (!band) continue;
    const std::string lower = points(part, part.low, axes, true);
    bands.append(1, 'M').append(upper).append(1, 'L').append(lower).append(1, 'Z');
    edges.append(1, 'M').append(lower);
  }
  if (edges.empty()) return "";
  std::string out;
  if (!bands.empty()) out.append("<path class=\"band ").append(kind).append("\" d=\"").append(bands).append("\"/>");
  out.append("<path class=\"line ").append(kind).append("\" d=\"").append(edges).append("\">");
  if (!line.label.empty()) out.append("<title>").append(escaped(line.label)).append("</title>");
  return out + "</path>\n";
}

std::string legend(const std::vector<PlotLine>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (!lines[i].label.empty()) out += "<li>" + swatch(i) + escaped(lines[i].label) + "</li>";
  return out.empty() ? "" : "<ul class=\"legend\">" + out + "</ul>\n";
}

std::string figure(const std::string& title, const std::string& drawing, const std::string& below) {
  return "<figure class=\"plot\">" + (title.empty() ? "" : "<figcaption>" + escaped(title) + "</figcaption>") +
         drawing + "</svg>" + below + "</figure>\n";
}

}  // namespace

PlotLine line_of(const std::string& label, const DecimatedSeries& series) {
  PlotLine line{label, {}, {}, {}};
  for (std::size_t i = 0; i < series.size(); ++i) {
    line.x.push_back(series[i].time_s), line.samples.push_back(series[i].samples);
    line.low.push_back(series[i].low), line.high.push_back(series[i].high);
  }
  return line;
}

PlotLine merged(const PlotLine& line, std::size_t most) {
  const std::size_t stride = (line.x.size() + most - 1) / std::max<std::size_t>(1, most);
  if (stride < 2) return line;
  PlotLine out{line.label, {}, {}, {}};
  for (std::size_t begin = 0; begin < line.x.size(); begin += stride) {
    double low = line.low[begin], high = line.high[begin];
    std::uint64_t samples = 0;
    for (std::size_t i = begin; i < std::min(begin + stride, line.x.size()); ++i) {
      low = std::fmin(low, line.low[i]), high = std::fmax(high, line.high[i]);
      samples += line.samples_of(i);
    }
    out.x.push_back(line.x[begin]), out.low.push_back(low), out.high.push_back(high), out.samples.push_back(samples);
  }
  return out;
}

std::string swatch(std::size_t line) {
  return "<svg class=\"swatch\" viewBox=\"0 0 26 12\"><path class=\"line " + look(line) + "\" d=\"M0 6H26\"/></svg>";
}

std::string sparkline(const PlotLine& line) {
  const Bounds b = bounds_of({line});
  if (b.empty()) return "";
  const double margin = margin_of(b);
  const Axes axes{{b.x_low, b.x_high, 1, 109}, {b.y_low - margin, b.y_high + margin, 17, 1}};
  return "<svg class=\"spark\" viewBox=\"0 0 110 18\">" + path({"", line.x, line.low, line.high}, axes, "k7") +
         "</svg>";
}

std::string line_plot(const Plot& plot) {
  std::vector<PlotLine> drawn;
  for (std::size_t i = 0; i < std::min(plot.drawn, plot.lines.size()); ++i)
    drawn.push_back(plot.marks ? plot.lines[i] : merged(plot.lines[i], plot.drawn_points));
  Bounds b = bounds_of(drawn);
  if (b.empty()) return "<p>" + escaped(plot.title) + ": no values</p>\n";
  if (plot.limit && b.y_high > plot.limit->value / 2.0) b.y_high = std::max(b.y_high, plot.limit->value * 1.05);
  const double margin = margin_of(b);
  constexpr double room = 1.25;  // around points on a logarithmic axis
  const Axis x = plot.x_logarithmic && b.x_low > 0.0 ? svg::along(b.x_low / room, b.x_high * room, true)
                                                     : svg::along(b.x_low, b.x_high);
  const Axis y = plot.y_logarithmic && b.y_low > 0.0 ? svg::upward(b.y_low / room, b.y_high * room, true)
                                                     : svg::upward(b.y_low - margin, b.y_high + margin);
  const Axes axes{x, y};
  std::string out = svg::frame(plot.x_label, plot.y_label, axes) + svg::moment_lines(axes, plot.moments);
  for (std::size_t i = drawn.size(); i-- > 0;) {  // the first in front
    out += path(drawn[i], axes, look(i));
    if (plot.marks) out += dots(drawn[i], axes, i);
  }
  if (plot.limit) out += svg::limit_line(axes, plot.limit->value, plot.limit->text);
  return figure(plot.title, out, (plot.legend ? legend(drawn) : "") + html::data(plot_json(plot)));
}

std::string bar_plot(const std::string& title, const std::string& x_label, const HistogramBars& bars) {
  const auto& [lower, upper, counts] = bars;
  if (lower.empty()) return "<p>" + escaped(title) + ": no values</p>\n";
  const double smallest = lower.front() > 0.0 ? lower.front() : upper.front() / 2.0;
  const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  const Axis x = svg::along(smallest, std::max(upper.back(), smallest * 1.01), true);
  const Axis y = svg::upward(0.5, std::max(2.0, most * 1.3), true);
  std::string out = svg::frame(x_label, "how often", {x, y});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const auto count = static_cast<double>(counts[i]);
    const double from = x(std::max(lower[i], smallest)), to = x(upper[i]);
    out += "<rect class=\"column\" x=\"" + at(from) + "\" width=\"" + at(std::max(0.5, to - from - 0.5)) + "\" y=\"" +
           at(y(count)) + "\" height=\"" + at(y.from - y(count)) + "\"><title>" + short_number(lower[i]) + " to " +
           short_number(upper[i]) + ": " + short_number(count) + "</title></rect>\n";
  }
  return figure(title, out, "");
}

}  // namespace takt
