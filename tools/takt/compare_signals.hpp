#pragma once
// Recorded signals of two runs beside each other.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/takt/peer_accuracy.hpp"

namespace takt::tools {

struct Recording {
  std::map<std::string, Waveform> signals;  ///< by path
  std::map<std::string, std::string> units;
};

/// A file of recorded signals in whatever format, or that of a run directory.
/// @throw UsageError  where there is none
/// @throw std::runtime_error  file, line or byte, and what is wrong
[[nodiscard]] Recording read_recording(const std::filesystem::path& path);

struct SignalError {
  std::string path, unit;
  CommonSamples samples;
  double largest = 0.0, largest_at_s = 0.0;  ///< of the differences' magnitudes
  double rms = 0.0;
  double scale = 1.0;  ///< of the reference, by LeastScales
  [[nodiscard]] double normalised() const { return rms / scale; }
};

struct Comparison {
  std::vector<SignalError> signals;  ///< those both have, the worst normalised first
  std::vector<std::string> only_run, only_reference;
  std::vector<std::string> other_unit;  ///< of one name, but in different units: not compared
  std::vector<std::string> other_time;  ///< both have it, but at no common time: not compared
};

/// At the run's times within the reference's, the reference interpolated linearly between its samples.
/// @param least_part  a scale is at least this part of the largest range of its unit, unless the reference confirms the
///                    signal: what rests is judged beside what moves; above 0, of temperatures and pressures, whose
///                    zero is far away, also at least what counts as rest
[[nodiscard]] Comparison compare(const Recording& run, const Recording& reference, double least_part = 0.0);

}  // namespace takt::tools
