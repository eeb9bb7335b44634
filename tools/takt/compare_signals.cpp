#include "tools/takt/compare_signals.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "runtime/audit/signal_scale.hpp"
#include "runtime/csv/csv.hpp"
#include "runtime/io/record/mdf_reader.hpp"
#include "runtime/io/record/recorded_file.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

double number(std::string_view cell, const std::filesystem::path& file, std::size_t line) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size())
    throw std::runtime_error(file.string() + ":" + std::to_string(line) + ": '" + std::string(cell) +
                             "' is not a number");
  return value;
}

Recording from_csv(const std::filesystem::path& file, std::istream& input) {
  std::vector<std::string> names;
  Recording recording;
  CsvRows rows(input);
  while (rows.next()) {
    const std::vector<std::string_view>& row = rows.cells();
    const std::size_t line = rows.line();
    if (names.empty()) {
      for (const std::string_view cell : row) {
        const auto [name, unit] = split_head(cell);
        names.push_back(name);
        recording.units[name] = unit.empty() ? "1" : unit;
      }
      if (names.front() != "time")
        throw std::runtime_error(file.string() + ":" + std::to_string(line) +
                                 ": the first column must be 'time [s]', as in signals.csv of a run");
      continue;
    }
    if (row.size() != names.size())
      throw std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + std::to_string(row.size()) +
                               " values for " + std::to_string(names.size()) + " columns");
    const double time = number(row.front(), file, line);
    for (std::size_t k = 1; k < row.size(); ++k) {
      if (row[k].empty()) continue;  // recorded at another period
      Waveform& wave = recording.signals[names[k]];
      wave.time.push_back(time);
      wave.value.push_back(number(row[k], file, line));
    }
  }
  return recording;
}

Recording table_of(const std::filesystem::path& file, std::istream& input) {
  try {
    return from_csv(file, input);
  } catch (const CsvMistake& mistake) {
    throw std::runtime_error(file.string() + ":" + std::to_string(mistake.line()) + ": " + mistake.what());
  }
}

Recording from_mdf(const std::filesystem::path& file) {
  Recording recording;
  for (MdfSignals& group : read_mdf(file))
    for (MdfSignal& signal : group.signals) {
      recording.units[signal.path] = signal.unit.empty() ? "1" : signal.unit;
      if (!group.time_s.empty()) recording.signals[signal.path] = {group.time_s, std::move(signal.values)};
    }
  return recording;
}

SignalExtent extent_of(const std::vector<double>& values) {
  SignalExtent extent;
  for (const double value : values) extent.add(value);
  return extent;
}

SignalError judged(const std::string& path, const std::string& unit, CommonSamples samples, const LeastScales& scales) {
  SignalError error{path, unit, std::move(samples)};
  double squares = 0.0;
  for (std::size_t k = 0; k < error.samples.time.size(); ++k) {
    const double difference = std::abs(error.samples.value[k] - error.samples.reference[k]);
    if (!(difference <= error.largest)) error.largest = difference, error.largest_at_s = error.samples.time[k];
    squares += difference * difference;
  }
  error.rms = std::sqrt(squares / static_cast<double>(error.samples.time.size()));
  error.scale = scales.scale(unit, extent_of(error.samples.reference));
  return error;
}

}  // namespace

Recording read_recording(const std::filesystem::path& path) {
  const std::filesystem::path file = recorded_file(path);
  if (std::error_code ignored;
      std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
    throw UsageError(file.string() + " is not a regular file");
  std::ifstream input(file);
  if (!input) throw UsageError("no recording: cannot open " + file.string());
  const Recording recording = is_mdf(file) ? from_mdf(file) : table_of(file, input);
  if (recording.signals.empty()) throw std::runtime_error(file.string() + " has no samples");
  return recording;
}

Comparison compare(const Recording& run, const Recording& reference, double least_part) {
  Comparison result;
  LeastScales scales(least_part);
  for (const auto& [path, wave] : reference.signals) scales.add(reference.units.at(path), extent_of(wave.value));
  for (const auto& [path, wave] : run.signals) {
    const auto other = reference.signals.find(path);
    if (other == reference.signals.end()) {
      result.only_run.push_back(path);
      continue;
    }
    if (run.units.at(path) != reference.units.at(path)) {
      result.other_unit.push_back(path);
      continue;
    }
    CommonSamples samples = at_own_times(wave, other->second);
    if (samples.time.empty())
      result.other_time.push_back(path);
    else
      result.signals.push_back(judged(path, run.units.at(path), std::move(samples), scales));
  }
  for (const auto& [path, wave] : reference.signals)
    if (!run.signals.contains(path)) result.only_reference.push_back(path);
  const auto rank = [](const SignalError& error) {
    return std::isnan(error.normalised()) ? HUGE_VAL : error.normalised();
  };
  std::stable_sort(result.signals.begin(), result.signals.end(),
                   [&](const SignalError& a, const SignalError& b) { return rank(a) > rank(b); });
  return result;
}

}  // namespace takt::tools
