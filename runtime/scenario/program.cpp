#include "runtime/scenario/program.hpp"

#include <algorithm>

#include "runtime/math/elementary.hpp"

namespace takt {

double TimeCurve::at(double s) const noexcept {
  const auto next = std::upper_bound(seconds.begin(), seconds.end(), s);
  if (next == seconds.begin()) return values.front();
  const auto after = static_cast<std::size_t>(next - seconds.begin());
  if (held || after == seconds.size()) return values[after - 1];
  const double part = (s - seconds[after - 1]) / (seconds[after] - seconds[after - 1]);
  return values[after - 1] + part * (values[after] - values[after - 1]);
}

double Waveform::at(SimDuration since_begin, double from_value) const noexcept {
  constexpr double two_pi = 6.28318530717958647692;
  const double s = since_begin.seconds();
  switch (kind) {
    case Kind::sine:
      return mean + amplitude * math::sin(two_pi * frequency * s + phase);
    case Kind::curve:
      return curve.at(s);
    case Kind::ramp:
      break;
  }
  return since_begin >= over ? to : from_value + (to - from_value) * (s / over.seconds());
}

double ToleranceBand::width(double reference_value) const noexcept {
  return relative ? tolerance * math::abs(reference_value) : tolerance;
}

std::vector<std::uint32_t> ScenarioProgram::rows(const PlantDescription& plant) const {
  std::vector<std::uint32_t> rows;
  for (const Expression& expression : expressions)
    rows.insert(rows.end(), expression.rows.begin(), expression.rows.end());
  for (std::uint32_t row = 0; row < plant.table.size(); ++row)
    for (const Waveform& waveform : waveforms)
      if (plant.table[row].role == Role::plant_input && plant.table[row].offset == waveform.offset) rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace takt
