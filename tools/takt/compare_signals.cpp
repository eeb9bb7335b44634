#include "tools/takt/compare_signals.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "runtime/audit/signal_scale.hpp"
#include "runtime/io/record/recorded_file.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

constexpr double left_of_errors = 0.5;  // of a run, in the reference

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
  const SignalExtent extent = extent_of(error.samples.reference);
  const bool confirmed = is_confirmed(extent_of(error.samples.value).range(), extent.range(), left_of_errors);
  error.scale = scales.scale(unit, extent, confirmed);
  return error;
}

}  // namespace

Recording read_recording(const std::filesystem::path& path) {
  const std::filesystem::path file = recorded_file(path);
  if (std::error_code ignored;
      std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
    throw UsageError(file.string() + " is not a regular file");
  if (!std::ifstream(file)) throw UsageError("no recording: cannot open " + file.string());
  Recording recording;
  for (RecordedGroup& group : read_recorded(file))
    for (RecordedGroup::Signal& signal : group.signals) {
      recording.units[signal.path] = signal.unit.empty() ? "1" : signal.unit;
      if (!group.time_s.empty()) recording.signals[signal.path] = {group.time_s, std::move(signal.values)};
    }
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
