#include "runtime/fmu/join/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/fmu/join/dense.hpp"

namespace takt::fmu::join {
namespace {

/// The explicit methods here have as many stages as their order: R is the exponential series cut there.
double growth(const Tableau& method, std::complex<double> z) {
  std::complex<double> sum = 1.0, term = 1.0;
  for (int k = 1; k <= method.order; ++k) sum += term *= z / static_cast<double>(k);
  return std::abs(sum);
}

double most_growth(const Tableau& method, const Spring& spring, double h_times_root) {
  // h_times_root = h o for m = 1: the caller scales.
  const std::complex<double> root = std::sqrt(std::complex<double>(spring.damper * spring.damper - 1.0));
  return std::max(growth(method, h_times_root * (-spring.damper + root)),
                  growth(method, h_times_root * (-spring.damper - root)));
}

/// Largest h o for a damping z: the first place where the growth passes 1.
double largest_angle(const Tableau& method, double damping) {
  const Spring scaled{1.0, damping};
  const double furthest = 4.0 / std::max(1.0, std::sqrt(std::max(0.0, damping * damping - 1.0)) + damping);
  constexpr int places = 4000;
  constexpr double rounding = 1e-12;
  const auto stable = [&](double angle) { return most_growth(method, scaled, angle) <= 1.0 + rounding; };
  double low = 0.0, high = furthest;
  for (int place = 1; place <= places; ++place) {
    high = furthest * place / places;
    if (!stable(high)) break;
    low = high;
  }
  constexpr int halvings = 50;
  for (int k = 0; k < halvings && high > low; ++k) (stable(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  constexpr double none = 1e-3;  // R grows like the fourth power at first: rounding would call a little stable
  return low < none * furthest * 10.0 ? 0.0 : low;
}

}  // namespace

double largest_stable_step(const Tableau& method, const Spring& spring, double largest_inverse_mass) {
  const double root = std::sqrt(spring.stiffness * largest_inverse_mass);
  return largest_angle(method, spring.damper * largest_inverse_mass / (2.0 * root)) / root;
}

Spring propose_spring(const Settings& settings, double largest_inverse_mass) {
  Spring spring{settings.stiffness, settings.damper};
  if (spring.stiffness <= 0.0) {
    const double root = proposed_part * largest_angle(*settings.method, proposed_damping) / settings.step;
    spring.stiffness = root * root / largest_inverse_mass;
  }
  if (spring.damper < 0.0) spring.damper = 2.0 * proposed_damping * std::sqrt(spring.stiffness / largest_inverse_mass);
  return spring;
}

std::vector<double> propose_gains(const std::vector<double>& inverse_masses, std::size_t n) {
  std::vector<double> gains(n);
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0.0;
    for (std::size_t column = 0; column < n; ++column) sum += std::abs(inverse_masses[row * n + column]);
    gains[row] = std::copysign(1.0 / sum, inverse_masses[row * n + row]);
  }
  return gains;
}

double loop_radius(const std::vector<double>& inverse_masses, const std::vector<double>& gains) {
  const std::size_t n = gains.size();
  std::vector<double> iteration(n * n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      iteration[row * n + column] = (row == column ? 1.0 : 0.0) - inverse_masses[row * n + column] * gains[column];
  return spectral_radius(iteration, n);
}

}  // namespace takt::fmu::join
