#include "codegen/partition/stability.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "codegen/partition/divisors.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

using Complex = std::complex<double>;

constexpr double free_growth = 1e-4;      // 1/s
constexpr double growth_error = 0.1;      // of what grows by itself: a matter of accuracy
constexpr double rounding = 1e-14;        // of R
constexpr double eigenvalue_error = 1e-13;  // of the largest eigenvalue
constexpr double longest_reach = 1e6;     // h*|lambda| beyond which a method is taken to be stable with any step

/// exp(z) up to the power `order`.
Complex taylor(int order, Complex z) {
  Complex sum = 1.0;
  for (int k = order; k > 0; --k) sum = 1.0 + z / static_cast<double>(k) * sum;
  return sum;
}

/// Stability polynomial of RKC, a_s + b_s T_s(w0 + w1 z) (runtime/solver/rkc.hpp).
Complex chebyshev(int s, Complex z) {
  const double w0 = 1.0 + 2.0 / 13.0 / (s * s);
  double t = w0, t1 = 1.0, d = 1.0, d1 = 0.0, dd = 0.0, dd1 = 0.0;  // T_j(w0) and derivatives, and those before
  for (int j = 2; j <= s; ++j) {
    const double next_dd = 4.0 * d + 2.0 * w0 * dd - dd1, next_d = 2.0 * t + 2.0 * w0 * d - d1, next_t = 2.0 * w0 * t - t1;
    dd1 = dd, dd = next_dd, d1 = d, d = next_d, t1 = t, t = next_t;
  }
  const Complex w = w0 + d / dd * z;
  Complex c = w, c1 = 1.0;
  for (int j = 2; j <= s; ++j) {
    const Complex next = 2.0 * w * c - c1;
    c1 = c, c = next;
  }
  const double b = dd / (d * d);
  return 1.0 - b * t + b * c;
}

Complex rosenbrock2(Complex z) {
  constexpr double gamma = 0.29289321881345254;
  return (1.0 + (1.0 - 2.0 * gamma) * z) / ((1.0 - gamma * z) * (1.0 - gamma * z));
}

/// h*|lambda| within which the method may be stable; nullopt: without bound.
std::optional<double> reach(Method method, int stages) {
  switch (method) {
    case Method::euler:
    case Method::heun:
    case Method::rk3:
    case Method::rk4:
      return 4.0;
    case Method::rkc:
      return 0.7 * stages * stages;
    case Method::ros1:
    case Method::ros2:
    case Method::exact:
    case Method::trapezoidal:
    case Method::discrete:
    case Method::adaptive:
    case Method::bdf:
      break;
  }
  return std::nullopt;
}

}  // namespace

Complex amplification(Method method, int stages, Complex z) {
  switch (method) {
    case Method::euler:
    case Method::heun:
    case Method::rk3:
    case Method::rk4:
      return taylor(method_order(method), z);
    case Method::rkc:
      return chebyshev(stages, z);
    case Method::ros1:
      return 1.0 / (1.0 - z);
    case Method::ros2:
      return rosenbrock2(z);
    case Method::exact:
      return std::exp(z);
    case Method::trapezoidal:
      return (2.0 + z) / (2.0 - z);
    case Method::discrete:
    case Method::adaptive:
    case Method::bdf:
      break;
  }
  return 1.0;
}

bool is_stable(Method method, int stages, const Spectrum& spectrum, double step_s) {
  if (spectrum.values.empty()) return true;
  const double slack = step_s * (free_growth + eigenvalue_error * std::abs(spectrum.values.front())) + rounding;
  return std::all_of(spectrum.values.begin(), spectrum.values.end(), [&](Complex value) {
    const double by_method = std::abs(amplification(method, stages, step_s * value));
    return by_method <= std::exp(std::max(0.0, (1.0 + growth_error) * step_s * value.real()) + slack);
  });
}

std::optional<double> largest_stable_step(Method method, int stages, const Spectrum& spectrum) {
  constexpr double nothing = 1e-12;  // 1/s: ten thousand years
  if (spectrum.values.empty() || std::abs(spectrum.values.front()) < nothing) return std::nullopt;
  constexpr double finer = 0.9, finest = 1e-9;
  const std::optional<double> bound = reach(method, stages);
  double above = bound.value_or(longest_reach) / std::abs(spectrum.values.front());
  if (!bound && is_stable(method, stages, spectrum, above)) return std::nullopt;
  double step = above;
  while (!is_stable(method, stages, spectrum, step)) {
    above = step;
    step *= finer;
    if (step * std::abs(spectrum.values.front()) < finest) return 0.0;
  }
  for (int halving = 0; halving < 12 && above > step; ++halving) {
    const double middle = 0.5 * (step + above);
    (is_stable(method, stages, spectrum, middle) ? step : above) = middle;
  }
  return step;
}

std::optional<std::int64_t> largest_stable_divisor(Method method, int stages, const Spectrum& spectrum, std::int64_t period_ns, std::int64_t most_ns) {
  const std::optional<double> limit = largest_stable_step(method, stages, spectrum);
  const double wished = limit ? std::min(*limit * 1e9, static_cast<double>(most_ns)) : static_cast<double>(most_ns);
  if (wished < 1.0) return std::nullopt;
  const NearestDivisors near = nearest_divisors(period_ns, static_cast<std::int64_t>(wished));
  std::int64_t step = near.above <= most_ns ? near.above : near.below;  // the limit is rounded
  while (step > 1 && !is_stable(method, stages, spectrum, static_cast<double>(step) * 1e-9)) step = nearest_divisors(period_ns, step - 1).below;
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
    return three_digits(real) + " 1/s (time constant " + rounded_text(1.0 / std::fabs(real), "s") + ")";
  const double omega = std::fabs(value.imag());
  return three_digits(real) + " +- " + three_digits(omega) + "i 1/s (period " + rounded_text(2.0 * std::numbers::pi / omega, "s") + ")";
}

}  // namespace takt::codegen
