#include "runtime/start/mode_stability.hpp"

#include <algorithm>
#include <cmath>

namespace takt::start {
namespace {

using Complex = std::complex<double>;

constexpr double free_growth = 1e-4;      // 1/s
constexpr double most_slack = 0.1;  // of the logarithm of growth, however fast the fastest mode
constexpr double growth_error = 0.1;      // of what grows by itself: a matter of accuracy
constexpr double rounding = 1e-14;        // of R
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

/// Of the methods whose R is exp(z) up to a power; 0: of another kind.
int explicit_order(std::string_view method) {
  if (method == "euler") return 1;
  if (method == "heun") return 2;
  if (method == "rk3") return 3;
  return method == "rk4" ? 4 : 0;
}

/// h*|lambda| within which the method may be stable; nullopt: without bound.
std::optional<double> reach(const StepMethod& method) {
  if (explicit_order(method.name) > 0) return 4.0;
  if (method.name == "rkc") return 0.7 * method.stages * method.stages;
  return std::nullopt;
}

}  // namespace

Complex amplification(std::string_view method, int stages, Complex z) {
  if (const int order = explicit_order(method); order > 0) return taylor(order, z);
  if (method == "rkc") return chebyshev(stages, z);
  if (method == "ros1") return 1.0 / (1.0 - z);
  if (method == "ros2") return rosenbrock2(z);
  if (method == "exact") return std::exp(z);
  return method == "trapezoidal" ? (2.0 + z) / (2.0 - z) : 1.0;
}

bool is_stable(const StepMethod& method, std::span<const Complex> modes, double step_s, double eigenvalue_error) {
  if (modes.empty()) return true;
  const double slack = std::min(most_slack, step_s * (free_growth + eigenvalue_error * std::abs(modes.front()))) + rounding;
  return std::all_of(modes.begin(), modes.end(), [&](Complex value) {
    const double by_method = std::abs(amplification(method.name, method.stages, step_s * value));
    return by_method <= std::exp(std::max(0.0, (1.0 + growth_error) * step_s * value.real()) + slack);
  });
}

std::optional<double> largest_stable_step(const StepMethod& method, std::span<const Complex> modes, double eigenvalue_error) {
  constexpr double nothing = 1e-12;  // 1/s: ten thousand years
  if (modes.empty() || std::abs(modes.front()) < nothing) return std::nullopt;
  constexpr double finer = 0.9, finest = 1e-9;
  const std::optional<double> bound = reach(method);
  double above = bound.value_or(longest_reach) / std::abs(modes.front());
  if (!bound && is_stable(method, modes, above, eigenvalue_error)) return std::nullopt;
  double step = above;
  while (!is_stable(method, modes, step, eigenvalue_error)) {
    above = step;
    step *= finer;
    if (step * std::abs(modes.front()) < finest) return 0.0;
  }
  for (int halving = 0; halving < 12 && above > step; ++halving) {
    const double middle = 0.5 * (step + above);
    (is_stable(method, modes, middle, eigenvalue_error) ? step : above) = middle;
  }
  return step;
}

}  // namespace takt::start
