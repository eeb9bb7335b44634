#include "codegen/stability/step_limits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "codegen/stability/divisors.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/start/mode_stability.hpp"

namespace takt::codegen {
using Complex = std::complex<double>;

Complex amplification(const Method* method, int stages, Complex z) {
  return start::amplification({.stability = method->stability, .stages = stages}, z);
}

bool loses_slow_modes(const Method* method, const Spectrum& spectrum, double step_s) {
  constexpr double carried = 1e12;  // of 1 in a double, with three digits left
  const bool solves = method->solves || method->needs_linear;
  return solves && !spectrum.values.empty() && step_s * std::abs(spectrum.values.front()) > carried;
}

bool is_stable(const Method* method, int stages, const Spectrum& spectrum, double step_s) {
  return !loses_slow_modes(method, spectrum, step_s) &&
         start::is_stable({method->stability, stages}, spectrum.values, step_s);
}

std::optional<double> largest_stable_step(const Method* method, int stages,
                                          const Spectrum& spectrum) {
  return start::largest_stable_step({method->stability, stages}, spectrum.values);
}

std::optional<std::int64_t> largest_stable_divisor(const Method* method, int stages,
                                                   const Spectrum& spectrum,
                                                   const StepDivisors& steps) {
  const auto [period_ns, most_ns] = steps;
  const std::optional<double> limit = largest_stable_step(method, stages, spectrum);
  const double wished =
      limit ? std::min(*limit * 1e9, static_cast<double>(most_ns)) : static_cast<double>(most_ns);
  if (wished < 1.0) return std::nullopt;
  const NearestDivisors near = nearest_divisors(period_ns, static_cast<std::int64_t>(wished));
  std::int64_t step = near.above <= most_ns ? near.above : near.below;  // the limit is rounded
  while (step > 1 && !is_stable(method, stages, spectrum, static_cast<double>(step) * 1e-9))
    step = nearest_divisors(period_ns, step - 1).below;
  if (!is_stable(method, stages, spectrum, static_cast<double>(step) * 1e-9)) return std::nullopt;
  return step;
}

std::string three_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

std::string eigenvalue_text(Complex value) {
  const double real = std::fabs(value.real()) < 1e-12 * std::abs(value) ? 0.0 : value.real();
  if (std::fabs(value.imag()) < 1e-9 * std::abs(value))
    return three_digits(real) + " 1/s (time constant " + rounded_text(1.0 / std::fabs(real), "s") +
           ")";
  const double omega = std::fabs(value.imag());
  return three_digits(real) + " +- " + three_digits(omega) + "i 1/s (period " +
         rounded_text(2.0 * std::numbers::pi / omega, "s") + ")";
}

}  // namespace takt::codegen
