#include "tools/takt/peer_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace takt::tools {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double same_time = 1e-9;

}  // namespace

double value_at(const Waveform& wave, double time) {
  const auto after = std::upper_bound(wave.time.begin(), wave.time.end(), time);
  if (after == wave.time.begin()) return wave.value.front();
  if (after == wave.time.end()) return wave.value.back();
  const auto right = static_cast<std::size_t>(after - wave.time.begin()), left = right - 1;
  const double share = (time - wave.time[left]) / (wave.time[right] - wave.time[left]);
  return wave.value[left] + share * (wave.value[right] - wave.value[left]);
}

CommonSamples at_common_times(const Waveform& wave, const Waveform& reference) {
  CommonSamples samples;
  std::size_t other = 0;
  for (std::size_t k = 0; k < wave.time.size(); ++k) {
    while (other < reference.time.size() && reference.time[other] < wave.time[k] - same_time) ++other;
    if (other == reference.time.size()) break;
    if (reference.time[other] > wave.time[k] + same_time) continue;
    samples.time.push_back(wave.time[k]);
    samples.value.push_back(wave.value[k]);
    samples.reference.push_back(reference.value[other]);
  }
  return samples;
}

CommonSamples at_own_times(const Waveform& wave, const Waveform& reference) {
  CommonSamples samples;
  for (std::size_t k = 0; k < wave.time.size(); ++k) {
    const double time = wave.time[k];
    if (time < reference.time.front() - same_time || time > reference.time.back() + same_time) continue;
    samples.time.push_back(wave.time[k]);
    samples.value.push_back(wave.value[k]);
    samples.reference.push_back(value_at(reference, time));
  }
  return samples;
}

double normalised_rms_difference(const CommonSamples& samples) {
  if (samples.value.empty()) return nothing;
  double sum = 0.0;
  for (std::size_t k = 0; k < samples.value.size(); ++k) sum += std::pow(samples.value[k] - samples.reference[k], 2);
  const auto [low, high] = std::minmax_element(samples.reference.begin(), samples.reference.end());
  const double range = *high > *low ? *high - *low : std::abs(*high);
  return std::sqrt(sum / static_cast<double>(samples.value.size())) / (range > 0.0 ? range : 1.0);
}

CommonRms rms(const CommonSamples& samples, double from, double to) {
  const auto first = std::lower_bound(samples.time.begin(), samples.time.end(), from - same_time);
  const auto end = std::upper_bound(samples.time.begin(), samples.time.end(), to + same_time);
  const auto left = static_cast<std::size_t>(first - samples.time.begin()),
             right = static_cast<std::size_t>(end - samples.time.begin());
  if (right < left + 2) return {nothing, nothing};
  const double spacing = samples.time[left + 1] - samples.time[left] + same_time;
  if (samples.time[left] > from + spacing || samples.time[right - 1] < to - spacing) return {nothing, nothing};
  CommonRms sum;
  for (std::size_t k = left + 1; k < right; ++k) {
    const double h = 0.5 * (samples.time[k] - samples.time[k - 1]);
    sum.value += h * (std::pow(samples.value[k - 1], 2) + std::pow(samples.value[k], 2));
    sum.reference += h * (std::pow(samples.reference[k - 1], 2) + std::pow(samples.reference[k], 2));
  }
  const double length = samples.time[right - 1] - samples.time[left];
  return {std::sqrt(sum.value / length), std::sqrt(sum.reference / length)};
}

std::vector<Waveform> read_wrdata(const std::string& text, std::size_t expressions) {
  std::vector<Waveform> waves(expressions);
  const char* at = text.c_str();
  for (;;) {
    char* end = nullptr;
    const double time = std::strtod(at, &end);
    if (end == at) break;
    at = end;
    for (Waveform& wave : waves) {
      const double value = std::strtod(at, &end);
      if (end == at) throw std::runtime_error("ngspice wrote a table with missing numbers");
      at = end;
      wave.time.push_back(time);
      wave.value.push_back(value);
    }
  }
  if (waves.empty() || waves.front().time.empty()) throw std::runtime_error("ngspice wrote no values");
  return waves;
}

}  // namespace takt::tools
