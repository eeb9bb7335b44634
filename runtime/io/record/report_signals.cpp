// Recorded signals: a plot for each unit, numbers beside it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/io/record/expected_lines.hpp"
#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "runtime/io/record/unit_text.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

using html::Column, html::Row;
using Kind = Column::Kind;

constexpr std::size_t most_lines = 16;     // of a plot; colour and dashes tell so many apart
constexpr std::size_t rows_in_sight = 12;  // the others are folded
constexpr std::size_t points_of_sparkline = 30;
constexpr double zero_celsius = 273.15;
constexpr double coldest_temperature = 173.15;  // K: no difference of temperatures stays above it all the time

struct Signal {
  const RecordedSignal* recorded = nullptr;
  double low = std::numeric_limits<double>::infinity(), high = -low, mean = 0.0, last = 0.0;
  double offset = 0.0;  ///< taken off: degC from K
  [[nodiscard]] bool has_values() const { return low <= high; }
  [[nodiscard]] double span() const { return has_values() ? high - low : 0.0; }
};

struct Unit {
  std::string name;
  std::vector<Signal> signals;
  [[nodiscard]] double largest() const {
    double most = 0.0;
    for (const Signal& s : signals)
      if (s.has_values()) most = std::max({most, std::abs(s.low), std::abs(s.high)});
    return most;
  }
};

Signal summed(const RecordedSignal& recorded) {
  Signal signal{.recorded = &recorded, .last = recorded.series.last()};
  double sum = 0.0, samples = 0.0;
  for (std::size_t i = 0; i < recorded.series.size(); ++i) {
    const auto& point = recorded.series[i];
    if (!std::isfinite(point.low) || !std::isfinite(point.high)) continue;
    signal.low = std::min(signal.low, point.low), signal.high = std::max(signal.high, point.high);
    sum += point.sum, samples += static_cast<double>(point.samples);
  }
  signal.mean = samples > 0.0 ? sum / samples : 0.0;
  return signal;
}

std::vector<Unit> by_unit(const RunResults& r) {
  std::vector<Unit> units;
  for (const RecordedSignal& recorded : r.signals) {
    Signal signal = summed(recorded);
    std::string name = recorded.unit.empty() ? "1" : recorded.unit;
    if (name == "K" && signal.has_values() && signal.low >= coldest_temperature) {
      name = "degC";
      for (double* value : {&signal.low, &signal.high, &signal.mean, &signal.last}) *value -= zero_celsius;
      signal.offset = zero_celsius;
    }
    auto place = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
    if (place == units.end()) place = units.insert(units.end(), {.name = name, .signals = {}});
    place->signals.push_back(signal);
  }
  return units;
}

PlotLine line_of(const Signal& signal, double factor) {
  PlotLine line = takt::line_of(signal.recorded->path, signal.recorded->series);
  for (auto* values : {&line.low, &line.high})
    for (double& value : *values) value = (value - signal.offset) / factor;
  return line;
}

/// The size of the page stays bounded, whatever a plant records: what each unit may take of it.
struct Share {
  std::size_t lines, rows, sparklines, points;  ///< points of each line in the picture
  std::size_t signals, kept;                    ///< that can be chosen and zoomed into; points of each of them

  explicit Share(const std::vector<Unit>& units) {
    constexpr std::size_t lines_of_page = 256, rows_of_page = 480, sparklines_of_page = 100, points_of_page = 8000;
    constexpr std::size_t signals_of_page = 2000, kept_of_page = 80'000;
    const std::size_t count = std::max<std::size_t>(1, units.size());
    lines = std::clamp<std::size_t>(lines_of_page / count, 2, most_lines);
    rows = std::clamp<std::size_t>(rows_of_page / count, 4, 100);
    const auto needed = [&](std::size_t each) {
      std::size_t sum = 0;
      for (const Unit& unit : units) sum += std::min(each, unit.signals.size());
      return sum;
    };
    for (sparklines = rows_in_sight; sparklines > 1 && needed(sparklines) > sparklines_of_page;) --sparklines;
    std::size_t drawn = 1;
    for (const Unit& unit : units) drawn += std::min(lines, unit.signals.size());
    points = std::clamp<std::size_t>(points_of_page / drawn, 24, 256);
    std::size_t all = 1;
    for (const Unit& unit : units) all += unit.signals.size();
    signals = std::max<std::size_t>(lines, signals_of_page / count);
    kept = kept_of_page / std::min(all, signals_of_page);
  }
};

/// Numbers of one signal in a row: four digits, or more where the smallest and the largest value would look the same.
/// What is smaller than rounding leaves it of the largest value is 0.
class SignalNumbers {
 public:
  SignalNumbers(const Signal& signal, double factor)
      : none_(!signal.has_values()),
        factor_(factor),
        zero_(1e-9 * std::max(std::abs(signal.low), std::abs(signal.high))) {
    while (digits_ < 7 && signal.low < signal.high && of(signal.low) == of(signal.high)) ++digits_;
    if (of(signal.low) == of(signal.high)) digits_ = 4;
  }
  [[nodiscard]] std::string of(double value) const {
    if (none_) return "-";
    return formatted(("%." + std::to_string(digits_) + "g").c_str(), std::abs(value) < zero_ ? 0.0 : value / factor_);
  }

 private:
  int digits_ = 4;
  bool none_;
  double factor_, zero_;
};

class UnitFigure {
 public:
  UnitFigure(const Unit& unit, const Share& share, const RunResults& results)
      : unit_(unit), scale_(scaled_unit(unit.name, unit.largest())), share_(share), results_(results) {
    order();
  }

  [[nodiscard]] std::string html() const {
    const std::string quantity = quantity_of(unit_.name);
    Plot plot{.title = quantity + (scale_.text.empty() ? "" : (quantity.empty() ? "" : ", ") + scale_.text) + ": " +
                       counted(unit_.signals.size(), "signal"),
              .x_label = "simulated time, s",
              .y_label = scale_.text,
              .lines = {},
              .legend = false,
              .moments = moments(results_),
              .time = true,
              .drawn = lines_,
              .drawn_points = share_.points};
    plot.kept_points = share_.kept * chosen_from();
    for (std::size_t i = 0; i < chosen_from(); ++i) {
      if (i == lines_) add_expected(plot);
      plot.lines.push_back(line_of(*order_[i], scale_.factor));
    }
    if (chosen_from() == lines_) add_expected(plot);
    const std::size_t sight = std::min({rows_in_sight, share_.rows, order_.size()});
    std::string out = "<div>" + line_plot(plot) + rows(0, sight);
    if (order_.size() > sight) {
      const std::size_t end = std::min(std::max(share_.rows, sight), order_.size());
      std::string more = rows(sight, end);
      if (order_.size() > end)
        more += "<p>... and " + std::to_string(order_.size() - end) + " more: in the recorded file.</p>";
      if (order_.size() > lines_)
        more = "<p>Of so many signals the " + std::to_string(lines_) + " that move most are drawn" +
               (chosen_from() < order_.size() ? ", and " + std::to_string(chosen_from()) + " can be chosen" : "") +
               ".</p>" + more;
      out += html::folded(counted(order_.size() - sight, "more signal"), more);
    }
    return out + "</div>\n";
  }

 private:
  [[nodiscard]] std::size_t chosen_from() const { return std::min(order_.size(), share_.signals); }

  /// Bands of a scenario, after the signals that are drawn, so that they are drawn, too.
  void add_expected(Plot& plot) const {
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < lines_; ++i)
      for (PlotLine& line : expected_lines(results_.scenario, order_[i]->recorded->path)) {
        if (plot.lines.size() == lines_ + most) break;
        for (auto* values : {&line.low, &line.high})
          for (double& value : *values) value = (value - order_[i]->offset) / scale_.factor;
        plot.lines.push_back(std::move(line));
      }
    plot.drawn = plot.lines.size();
  }

  /// Those that move most first, where there are more than can be drawn; else as recorded.
  void order() {
    for (const Signal& signal : unit_.signals) order_.push_back(&signal);
    lines_ = std::min(share_.lines, order_.size());
    if (order_.size() > lines_)
      std::stable_sort(order_.begin(), order_.end(),
                       [](const auto* a, const auto* b) { return a->span() > b->span(); });
  }

  [[nodiscard]] std::string rows(std::size_t begin, std::size_t end) const {
    std::vector<Row> rows;
    for (std::size_t i = begin; i < end; ++i) {
      const Signal& s = *order_[i];
      const SignalNumbers number(s, scale_.factor);
      const std::string spark = i < std::min(lines_, share_.sparklines)
                                    ? sparkline(merged(line_of(s, scale_.factor), points_of_sparkline))
                                    : std::string();
      rows.push_back({(i < lines_ ? swatch(i) : "") + html::breakable(s.recorded->path), number.of(s.low),
                      number.of(s.mean), number.of(s.high), number.of(s.last), spark});
    }
    const std::string unit = scale_.text.empty() ? "" : ", " + scale_.text;
    return html::table(
        {{"signal", Kind::markup}, {"min" + unit}, {"mean"}, {"max"}, {"last"}, {"own scale", Kind::markup, true}},
        rows);
  }

  const Unit& unit_;
  ScaledUnit scale_;
  Share share_;
  const RunResults& results_;
  std::size_t lines_ = 0;
  std::vector<const Signal*> order_;
};

}  // namespace

std::string signals(const RunResults& r) {
  const std::vector<Unit> units = by_unit(r);
  if (units.empty()) return "";
  bool celsius = false;
  for (const Unit& unit : units) celsius = celsius || unit.name == "degC";
  std::string out = html::data(events_json(r), "events") +
                    "<p class=\"note\">A shaded band spans the smallest and largest value where several samples fall "
                    "into one point. Numbers below 1e-9 of a signal's largest are shown as 0.";
  if (!moments(r).empty())
    out +=
        " Where a line rises from the axis of time, somebody has acted on the plant: point at it to see who and how.";
  if (celsius)
    out +=
        " Temperatures are recorded in K and shown in \xc2\xb0"
        "C; a signal in K that never falls below 173.15 K "
        "(-100 \xc2\xb0"
        "C) is taken for one, any other for a difference.";
  out += "</p><div class=\"plots\">\n";
  const Share share(units);
  for (const Unit& unit : units) out += UnitFigure(unit, share, r).html();
  return html::section("Signals", out + "</div>\n");
}

}  // namespace takt::report
