#include "runtime/io/record/svg_axes.hpp"

#include <cstdlib>

#include "runtime/io/record/html.hpp"
#include "runtime/stats/format.hpp"

namespace takt::svg {
namespace {

constexpr std::size_t most_ticks = 8;

std::vector<double> decades(const Axis& axis) {
  std::vector<double> result;
  const double first = std::ceil(std::log10(axis.low) - 1e-9), last = std::floor(std::log10(axis.high) + 1e-9);
  if (last - first < 1.0) {  // too few: numbers in between
    const double below = std::pow(10.0, first - 1.0);
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0})
      if (factor * below >= axis.low && factor * below <= axis.high) result.push_back(factor * below);
    return result;
  }
  const double stride = std::ceil((last - first + 1.0) / static_cast<double>(most_ticks));
  for (double exponent = first; exponent <= last; exponent += stride) result.push_back(std::pow(10.0, exponent));
  return result;
}

/// With as many digits as it takes to tell it from its neighbours.
std::string tick_text(double value, const std::vector<double>& all) {
  const double step = all.size() > 1 ? std::fabs(all[1] - all[0]) : 0.0;
  if (std::fabs(value) < 1e-9 * step) return "0";
  const bool plain = std::fabs(value) >= 1e4 && std::fabs(value) < 1e7;  // "10000" reads better than "1e+04"
  std::string text = plain ? formatted("%.7g", value) : short_number(value);
  for (const char* format : {"%.6g", "%.8g", "%.12g"}) {
    if (std::fabs(std::strtod(text.c_str(), nullptr) - value) <= 0.01 * step) break;
    text = formatted(format, value);
  }
  return text;
}

std::string line(const char* kind, double x1, double x2) {
  return std::string("<line class=\"") + kind + "\" x1=\"" + at(x1) + "\" x2=\"" + at(x2) + "\"";
}

}  // namespace

std::string at(double value) {
  std::string text = formatted("%.1f", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

Axis along(double low, double high, bool logarithmic) { return {low, high, left, width - right, logarithmic}; }
Axis upward(double low, double high, bool logarithmic) { return {low, high, height - bottom, top, logarithmic}; }

std::vector<double> ticks(const Axis& axis) {
  if (axis.logarithmic) return decades(axis);
  std::vector<double> result;
  const double rough = (axis.high - axis.low) / 6.0, decade = std::pow(10.0, std::floor(std::log10(rough)));
  const double step = rough / decade < 2.0 ? 2.0 * decade : rough / decade < 5.0 ? 5.0 * decade : 10.0 * decade;
  const double first = std::ceil(axis.low / step);
  for (int k = 0; k < 12 && (first + k) * step <= axis.high + 1e-9 * step; ++k) result.push_back((first + k) * step);
  return result;
}

std::string frame(const std::string& x_label, const std::string& y_label, const Axes& axes) {
  const auto& [x, y] = axes;
  std::string out = "<svg viewBox=\"0 0 " + at(width) + " " + at(height) + "\" role=\"img\">\n";
  const std::vector<double> across = ticks(x), up = ticks(y);
  for (const double value : across) {
    out += line("grid", x(value), x(value)) + " y1=\"" + at(y.to) + "\" y2=\"" + at(y.from) + "\"/>";
    out += "<text class=\"tick\" text-anchor=\"middle\" x=\"" + at(x(value)) + "\" y=\"" + at(y.from + 16) + "\">" +
           tick_text(value, across) + "</text>\n";
  }
  for (const double value : up) {
    out += line("grid", x.from, x.to) + " y1=\"" + at(y(value)) + "\" y2=\"" + at(y(value)) + "\"/>";
    out += "<text class=\"tick\" text-anchor=\"end\" x=\"" + at(x.from - 6) + "\" y=\"" + at(y(value) + 4) + "\">" +
           tick_text(value, up) + "</text>\n";
  }
  out += "<text class=\"tick\" text-anchor=\"middle\" x=\"" + at((x.from + x.to) / 2) + "\" y=\"" + at(height - 6) +
         "\">" + html::escaped(x_label) + "</text>";
  return out + "<text class=\"tick\" x=\"2\" y=\"14\">" + html::escaped(y_label) + "</text>\n";
}

std::string limit_line(const Axes& axes, double value, const std::string& text) {
  const auto& [x, y] = axes;
  if (!(value >= y.low && value <= y.high)) return "";
  return line("limit", x.from, x.to) + " y1=\"" + at(y(value)) + "\" y2=\"" + at(y(value)) +
         "\"/><text class=\"limit-text\" text-anchor=\"end\" x=\"" + at(x.to) + "\" y=\"" + at(y(value) - 4) + "\">" +
         html::escaped(text) + "</text>\n";
}

std::string moment_lines(const Axes& axes, const std::vector<Moment>& moments) {
  constexpr double least_apart = 14.0;  // places of the drawing: forty lines at most, and the page stays small
  constexpr std::size_t most_of_text = 90;
  const auto& [x, y] = axes;
  std::string out;
  for (std::size_t first = 0, next = 0; first < moments.size(); first = next) {
    const double place = x(moments[first].x);
    for (next = first + 1; next < moments.size() && x(moments[next].x) < place + least_apart;) ++next;
    if (!(moments[first].x >= x.low && moments[first].x <= x.high)) continue;
    std::string text = moments[first].text;
    if (text.size() > most_of_text) text = text.substr(0, most_of_text) + "...";
    if (next - first > 1)
      text += "; and " + std::to_string(next - first - 1) + " more until " + formatted("%.6g s", moments[next - 1].x);
    out += "<path class=\"moment\" d=\"M" + at(place) + " " + at(y.to) + "V" + at(y.from) + "l4 6h-8l4-6\"><title>" +
           formatted("%.6g s", moments[first].x) + ": " + html::escaped(text) + "</title></path>\n";
  }
  return out;
}

}  // namespace takt::svg
