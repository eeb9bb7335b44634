#include "tools/takt/sweep_results.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/text/quantity.hpp"
#include "runtime/csv/csv.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/compare_signals.hpp"

namespace takt::tools {
namespace {

using Json = nlohmann::json;
constexpr std::array<const char*, 5> kinds{"last", "min", "max", "mean", "rms"};

/// Means over time, by the trapezoidal rule.
double value_of(const Waveform& wave, const std::string& what) {
  const auto& v = wave.value;
  if (what == "last") return v.back();
  if (what == "min") return *std::min_element(v.begin(), v.end());
  if (what == "max") return *std::max_element(v.begin(), v.end());
  const double length = wave.time.back() - wave.time.front();
  if (!(length > 0.0)) return what == "rms" ? std::abs(v.back()) : v.back();
  double sum = 0.0;
  for (std::size_t k = 1; k < v.size(); ++k) {
    const double h = wave.time[k] - wave.time[k - 1];
    // Exact for straight lines between samples, squares too.
    sum +=
        what == "rms" ? h * (v[k] * v[k] + v[k] * v[k - 1] + v[k - 1] * v[k - 1]) / 3.0 : h * (v[k] + v[k - 1]) / 2.0;
  }
  return what == "rms" ? std::sqrt(sum / length) : sum / length;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The last line that says something.
std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const auto begin = text.rfind('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

}  // namespace

SweepResult parse_result(const std::string& text) {
  const auto colon = text.rfind(':');
  SweepResult result{.path = text.substr(0, colon)};
  if (colon != std::string::npos) result.what = text.substr(colon + 1);
  if (result.path.empty() || std::find(kinds.begin(), kinds.end(), result.what) == kinds.end())
    throw UsageError("--result " + text +
                     ": expected a recorded signal with last, min, max, mean or rms, as in \"c.v:max\"");
  return result;
}

SweepRow read_row(const std::filesystem::path& run, int exit_code, const std::string& output,
                  const std::vector<SweepResult>& results) {
  SweepRow row;
  row.exit_code = exit_code;
  row.results.resize(results.size());
  const auto summary = json_file_or_none<Json>(run / "summary.json");
  if (!summary.is_object()) {
    row.cause = output.empty() ? "it left no summary" : exit_code == 2 ? first_line(output) : last_line(output);
    return row;
  }
  row.simulated_s = codegen::number_text(summary.at("simulated_s").get<double>());
  row.rtf = codegen::number_text(summary.at("rtf").at("mean").get<double>());
  row.digest = summary.at("digest").get<std::string>();
  const auto stopped = summary.at("stopped_because").get<std::string>();
  row.interrupted = stopped.starts_with("stopped by the user");
  row.ok = exit_code == 0 && summary.at("trusted").get<bool>() && stopped.empty();
  bool cut_short = false;
  if (!row.ok) {
    for (const Json& verdict : summary.at("verdicts"))
      row.cause += (row.cause.empty() ? "" : "; ") + verdict.at("code").get<std::string>() + " " +
                   verdict.at("text").get<std::string>();
    if (row.cause.empty()) row.cause = stopped;
    for (const Json& warning : summary.at("warnings"))
      if (const auto text = warning.get<std::string>(); text.starts_with("cannot write"))
        cut_short = true, row.cause += (row.cause.empty() ? "" : "; ") + text;
    if (row.cause.empty()) row.cause = last_line(output);
  }
  if (cut_short || results.empty()) return row;
  const Recording recording = read_recording(run);
  for (std::size_t k = 0; k < results.size(); ++k) {
    const auto wave = recording.signals.find(results[k].path);
    if (wave == recording.signals.end()) {
      row.not_recorded = results[k].path;
    } else {
      row.results[k] = codegen::number_text(value_of(wave->second, results[k].what));
    }
  }
  return row;
}

SweepTable::SweepTable(std::filesystem::path file, const SweepPoints& points, const std::vector<std::string>& heads,
                       const std::vector<SweepResult>& results)
    : file_(std::move(file)), points_(points), head_("run") {
  for (const std::string& head : heads) head_ += "," + csv_cell(head);
  head_ += ",state,exit_code,simulated_s,rtf_mean,digest";
  const std::string of_every_sweep = head_ + ",";
  for (const SweepResult& result : results) head_ += "," + csv_cell(result.title());
  head_ += ",cause";
  std::ifstream input(file_);
  std::string line;
  if (std::getline(input, line)) {
    other_results_ = line != head_;
    if (!line.starts_with(of_every_sweep) || !line.ends_with(",cause"))
      throw UsageError(file_.string() + " is the table of another sweep: give another --out");
    while (std::getline(input, line)) {
      if (input.eof()) break;  // the last line was not written to its end
      std::size_t run = 0;
      std::from_chars(line.data(), line.data() + line.size(), run);
      if (run == 0 || run > points.points.size() || !line.starts_with(line_of(run - 1)))
        throw UsageError(file_.string() + ": run " + std::to_string(run) +
                         " is one of another sweep: give another --out");
      rows_[run - 1] = line.substr(line_of(run - 1).size());
    }
  }
  std::erase_if(rows_, [](const auto& row) { return !row.second.starts_with("ok"); });
}

/// Up to its state.
std::string SweepTable::line_of(std::size_t point) const {
  std::string line = std::to_string(point + 1);
  for (const std::string& value : points_.points[point]) line += "," + csv_cell(value);
  return line + ",";
}

std::string SweepTable::rest_of(const SweepRow& row) {
  std::string rest = std::string(row.ok ? "ok" : "failed") + "," + std::to_string(row.exit_code) + "," +
                     row.simulated_s + "," + row.rtf + "," + row.digest;
  for (const std::string& value : row.results) rest += "," + value;
  return rest + "," + csv_cell(row.cause);
}

void SweepTable::replace(const std::map<std::size_t, SweepRow>& rows) {
  rows_.clear();
  for (const auto& [point, row] : rows) rows_[point] = rest_of(row);
  other_results_ = false;
}

void SweepTable::add(std::size_t point, const SweepRow& row) {
  if (!growing_.is_open()) finish();
  rows_[point] = rest_of(row);
  growing_ << line_of(point) << rows_[point] << '\n' << std::flush;
  if (!growing_) throw std::runtime_error("cannot write " + file_.string());
}

void SweepTable::finish() {
  std::string text = head_ + "\n";
  for (const auto& [point, rest] : rows_) text += line_of(point) + rest + "\n";
  growing_.close();
  write_whole(file_, text);
  growing_.open(file_, std::ios::app);
}

}  // namespace takt::tools
