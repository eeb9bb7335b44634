#pragma once
// What is known of the fictitious spring and of the loop before they run, from M alone (the bodies' own dynamics
// apart).
//
// Spring: a mode of eigenvalue m of M has s' = w, w' = -m (c s + d w): mu = -z o +- o sqrt(z^2 - 1), o^2 = c m,
// z = d m / (2 o). Stable where |R(h mu)| <= 1, R the method's polynomial: sum of (h mu)^k / k! up to its order.
// Loop: the rest of g' follows r := (1 - M K) r: it goes to zero where the spectral radius is below 1; of one
// constraint: 0 < K (1/m_a + 1/m_b) < 2, at once for K = 1 / (1/m_a + 1/m_b). Not real-time.

#include <complex>

#include "runtime/fmu/join/constraint.hpp"

namespace takt::fmu::join {

/// Damping of proposals: the rest of a jump is gone after a few steps, and every method has a stable step.
inline constexpr double proposed_damping = 0.7;
/// Proposed is what makes half of the largest stable step the step.
inline constexpr double proposed_part = 0.5;

struct Spring {
  double stiffness = 0.0, damper = 0.0;
};

/// Largest h, s, with |R(h mu)| <= 1; 0 where there is none.
[[nodiscard]] double largest_stable_step(const Tableau& method, const Spring& spring, double largest_inverse_mass);
/// Where stiffness or damper are not given: from the step.
[[nodiscard]] Spring propose_spring(const Settings& settings, double largest_inverse_mass);
/// K for each constraint: 1 / sum of |M| in its row, so that the radius is below 1 for any M of storages.
[[nodiscard]] std::vector<double> propose_gains(const std::vector<double>& inverse_masses, std::size_t n);
/// Spectral radius of 1 - M K.
[[nodiscard]] double loop_radius(const std::vector<double>& inverse_masses, const std::vector<double>& gains);

}  // namespace takt::fmu::join
