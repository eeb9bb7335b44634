// report.html of `takt bench --paper`: counterparts of the paper's figures, and work against precision.

#include <fmt/format.h>

#include <cmath>

#include "runtime/io/record/svg_plot.hpp"
#include "tools/bench/paper_bench.hpp"
#include "tools/takt/plot_page.hpp"

namespace takt::tools {
namespace {

PlotLine line_of(const std::string& label, const Waveform& wave) { return {label, wave.time, wave.value, wave.value}; }

/// At the times that both have.
Waveform difference(const PaperResult& run, const Recording& reference, const std::string& signal) {
  for (SignalError& error : compare(run.recording, reference).signals) {
    if (error.path != signal) continue;
    Waveform result{error.samples.time, error.samples.value};
    for (std::size_t k = 0; k < result.value.size(); ++k) result.value[k] -= error.samples.reference[k];
    return result;
  }
  return {};
}

std::string figure(const PaperBench& b, const PaperFigure& figure) {
  std::string out = "<h2>" + escaped(figure.title) + "</h2>\n";
  for (const std::string& signal : figure.signals) {
    const auto reference = b.reference.signals.find(signal);
    if (reference == b.reference.signals.end()) continue;
    const std::string& unit = b.reference.units.at(signal);
    Plot values{signal, "s", unit, {line_of("reference", reference->second)}},
        differences{"difference to the reference", "s", unit, {}};
    for (const PaperCase& row : b.rows) {
      const auto own = row.result->recording.signals.find(signal);
      if (own == row.result->recording.signals.end()) continue;
      values.lines.push_back(line_of(row.name, own->second));
      differences.lines.push_back(line_of(row.name, difference(*row.result, b.reference, signal)));
    }
    values.time = differences.time = true;
    out += line_plot(values) + line_plot(differences);
  }
  return out;
}

std::string elapsed(const PaperBench& b) {
  Plot plot{"CPU time over simulated time", "s simulated", "CPU s", {}};
  plot.y_logarithmic = true;
  for (const PaperCase& row : b.rows) {
    PlotLine line{row.name, {}, {}, {}};
    for (const auto& [simulated, busy] : row.elapsed)
      if (busy > 0.0) line.x.push_back(simulated), line.low.push_back(busy), line.high.push_back(busy);
    plot.lines.push_back(std::move(line));
  }
  return "<h2>" + escaped(b.file.elapsed) + "</h2>\n" + line_plot(plot);
}

std::string work_precision(const PaperBench& b) {
  if (b.points.empty()) return "";
  Plot plot{"CPU time against error", "CPU s", "RMS/range", {}};
  plot.x_logarithmic = plot.y_logarithmic = plot.marks = true;
  for (std::size_t s = 0; s < b.points.size(); ++s) {
    PlotLine line{b.file.series[s].name, {}, {}, {}};
    for (std::size_t k = 0; k < b.points[s].size(); ++k) {
      if (!std::isfinite(b.point_errors[s][k]) || b.point_errors[s][k] <= 0.0) continue;
      line.x.push_back(b.points[s][k].cost.busy_s), line.low.push_back(b.point_errors[s][k]),
          line.high.push_back(b.point_errors[s][k]);
    }
    plot.lines.push_back(std::move(line));
  }
  return "<h2>Work and precision</h2>\n<p>All right-hand sides are compiled. The error is the worst RMS over range of "
         "the compared signals; unstable steps are left out.</p>\n" +
         line_plot(plot);
}

std::string table(const PaperBench& b) {
  std::string out =
      "<table><tr><th></th><th>paper: CPU s</th><th>RTF</th><th>here: CPU s</th><th>mean "
      "RTF</th><th>p99.9</th><th>max</th><th>RMS/range</th></tr>\n";
  for (std::size_t k = 0; k < b.rows.size(); ++k) {
    const PaperCost& cost = b.rows[k].cost;
    out += fmt::format(
        "<tr><td>{}</td><td>{:.2f}</td><td>{:.4g}</td><td>{:.4g}</td><td>{:.3e}</td><td>{:.3e}</td><td>{:.3e}</"
        "td><td>{:.2e}</td></tr>\n",
        escaped(b.rows[k].name), b.file.rows[k].cpu_s, b.file.rows[k].rtf, cost.busy_s, cost.mean, cost.p999,
        cost.largest, worst_rms(b.file, b.errors[k]));
  }
  return out +
         "</table>\n<p>The papers' figures are of another program on another machine: compare ratios, not "
         "seconds.</p>\n";
}

}  // namespace

std::string paper_html(const PaperBench& b) {
  std::string out = table(b);
  for (const PaperFigure& each : b.file.figures) out += figure(b, each);
  out += elapsed(b) + work_precision(b);
  return plot_page(b.file.title, out + "<pre>" + escaped(paper_text(b)) + "</pre>");
}

}  // namespace takt::tools
