#pragma once
// How far two sampled solutions are apart.

#include <string>
#include <vector>

namespace takt::tools {

/// Values over time; times increase, and where two are equal the value jumps there.
struct Waveform {
  std::vector<double> time, value;  ///< s; any unit
};

/// Linear between the samples, the ends held.  @pre not empty
[[nodiscard]] double value_at(const Waveform& wave, double time);

/// Two solutions at the same instants.
struct CommonSamples {
  std::vector<double> time, value, reference;
};
/// The samples of `wave` at times that `reference` has as well (to 1 ns).
[[nodiscard]] CommonSamples at_common_times(const Waveform& wave, const Waveform& reference);
/// All samples of `wave` between the reference's ends, with the reference interpolated.
[[nodiscard]] CommonSamples at_own_times(const Waveform& wave, const Waveform& reference);

/// RMS of the difference / range of the reference (its largest magnitude where it is constant).  NaN without samples.
[[nodiscard]] double normalised_rms_difference(const CommonSamples& samples);

/// RMS from `from` to `to` by the trapezoidal rule, of both at the same instants, so that coarse samples of a pulsed
/// signal mislead both alike.
struct CommonRms {
  double value = 0.0, reference = 0.0;
};
/// NaN where the samples do not reach that far (but for one distance of them).
[[nodiscard]] CommonRms rms(const CommonSamples& samples, double from, double to);

/// Numbers in columns as ngspice's wrdata writes them: time, then one column an expression.
/// @throw std::runtime_error  where the text is no such table
[[nodiscard]] std::vector<Waveform> read_wrdata(const std::string& text, std::size_t expressions);

}  // namespace takt::tools
