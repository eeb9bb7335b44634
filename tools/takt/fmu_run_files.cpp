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

std::string report_text(const Observed& observed, const Samples& samples, const std::string& summary) {
  constexpr std::size_t most = 60, points_of_page = 120'000;
  std::string body = "<pre>" + escaped(summary) + "</pre>\n";
  for (std::size_t column = 0; column < std::min(most, observed.names.size()); ++column) {
    body += "<h2>" + escaped(observed.names[column]) + "</h2>\n";
    const std::vector<double>& values = samples.values[column];
    Plot plot{observed.names[column],
              "simulated time, s",
              observed.units[column],
              {{observed.names[column], samples.time, values, values}}};
    plot.time = true, plot.legend = false, plot.kept_points = points_of_page / std::min(most, observed.names.size());
    body += line_plot(plot);
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
