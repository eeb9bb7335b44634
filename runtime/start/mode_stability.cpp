#include "runtime/start/mode_stability.hpp"

#include <algorithm>
#include <cmath>

namespace takt::start {
namespace {

using Complex = std::complex<double>;

constexpr double free_growth = 1e-4;   // 1/s
constexpr double most_slack = 0.1;     // of the logarithm of growth, however fast the fastest mode
constexpr double growth_error = 0.1;   // of what grows by itself: a matter of accuracy
constexpr double rounding = 1e-14;     // of R
constexpr double longest_reach = 1e6;  // h*|lambda| beyond which a method is taken to be stable with any step

}  // namespace

Complex amplification(const StepMethod& method, Complex z) {
  if (method.stability.amplification == nullptr) return 1.0;
  const ComplexValue factor = method.stability.amplification(method.stages, {z.real(), z.imag()});
  return {factor.re, factor.im};
}

bool is_stable(const StepMethod& method, std::span<const Complex> modes, double step_s, double eigenvalue_error) {
  if (modes.empty()) return true;
  const double slack =
      std::min(most_slack, step_s * (free_growth + eigenvalue_error * std::abs(modes.front()))) + rounding;
  return std::all_of(modes.begin(), modes.end(), [&](Complex value) {
    const double by_method = std::abs(amplification(method, step_s * value));
    return by_method <= std::exp(std::max(0.0, (1.0 + growth_error) * step_s * value.real()) + slack);
  });
}

std::optional<double> largest_stable_step(const StepMethod& method, std::span<const Complex> modes,
                                          double eigenvalue_error) {
  constexpr double nothing = 1e-12;  // 1/s: ten thousand years
  if (modes.empty() || std::abs(modes.front()) < nothing) return std::nullopt;
  constexpr double finer = 0.9, finest = 1e-9;
  const bool bounded = method.stability.reach != nullptr;
  double above = (bounded ? method.stability.reach(method.stages) : longest_reach) / std::abs(modes.front());
  if (!bounded && is_stable(method, modes, above, eigenvalue_error)) return std::nullopt;
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
