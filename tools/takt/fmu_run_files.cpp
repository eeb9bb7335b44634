#include "tools/takt/fmu_run_files.hpp"

#include <algorithm>
#include <charconv>

#include "runtime/csv/csv.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "tools/takt/plot_page.hpp"

namespace takt::tools {
namespace {

void append(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// At most a few thousand points: the least and the greatest of each stretch.
PlotLine line_of(const std::vector<double>& time, const std::vector<double>& values) {
  constexpr std::size_t most = 2000;
  const std::size_t every = values.size() / most + 1;
  PlotLine line;
  for (std::size_t k = 0; k < values.size(); k += every) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(std::min(k + every, values.size()));
    line.x.push_back(time[k]);
    line.low.push_back(*std::min_element(begin, end));
    line.high.push_back(*std::max_element(begin, end));
  }
  return line;
}

std::string report_text(const Observed& observed, const Samples& samples, const std::string& summary) {
  constexpr std::size_t most = 60;
  std::string body = "<pre>" + escaped(summary) + "</pre>\n";
  for (std::size_t column = 0; column < std::min(most, observed.names.size()); ++column) {
    body += "<h2>" + escaped(observed.names[column]) + "</h2>\n";
    body += line_plot(
        {observed.names[column], "s", observed.units[column], {line_of(samples.time, samples.values[column])}});
  }
  if (observed.names.size() > most)
    body += "<p>... and " + std::to_string(observed.names.size() - most) + " more in signals.csv.</p>\n";
  return plot_page("FMU run", body);
}

}  // namespace

Samples samples_of(const std::vector<double>& rows, std::size_t columns) {
  Samples samples;
  samples.values.resize(columns);
  for (std::size_t at = 0; at + columns < rows.size(); at += columns + 1) {
    samples.time.push_back(rows[at]);
    for (std::size_t column = 0; column < columns; ++column) samples.values[column].push_back(rows[at + 1 + column]);
  }
  return samples;
}

std::string signals_text(const Observed& observed, const Samples& samples) {
  std::string text = "time [s]";
  for (std::size_t column = 0; column < observed.names.size(); ++column)
    text += "," + csv_head(observed.names[column], observed.units[column]);
  text += '\n';
  for (std::size_t row = 0; row < samples.time.size(); ++row) {
    append(text, samples.time[row]);
    for (const std::vector<double>& column : samples.values) text += ',', append(text, column[row]);
    text += '\n';
  }
  return text;
}

void write_run(const std::filesystem::path& folder, const Observed& observed, const Samples& samples,
               const std::string& summary) {
  write_run_file(folder, "report.html", report_text(observed, samples, summary));
  write_run_file(folder, "signals.csv", signals_text(observed, samples));
}

}  // namespace takt::tools
