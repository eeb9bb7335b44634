#pragma once
// Whether equations that were eliminated hold at the values found: the backward error of each, measured by its own
// terms.

#include <cstddef>

#include "runtime/math/elementary.hpp"

namespace takt {

/// One equation: what is left over, and the sum of the magnitudes of its terms.
struct CheckedEquation {
  double residual, terms;
};

inline constexpr double check_relative = 1e-6;  ///< of its own terms
inline constexpr double check_largest = 1e-7;   ///< of the largest terms among equations of the same unit
inline constexpr double check_absolute =
    1e-9;  ///< of typical_change() of the unit: where all is at rest, rounding is all there is

/// Equations of one unit. NaN counts as not holding. Source: W. Oettli, W. Prager, Numer. Math. 6 (1964) (componentwise
/// backward error).
/// @param typical  change of a quantity of their unit.   Real-time: bounded, n equations.
template <std::size_t n>
[[nodiscard]] bool equations_hold(const CheckedEquation (&equations)[n], double typical) noexcept {
  double largest = 0.0;
  for (const CheckedEquation& equation : equations) largest = math::max(largest, equation.terms);
  bool hold = true;
  for (const CheckedEquation& equation : equations)
    hold = hold && math::abs(equation.residual) <=
                       check_relative * equation.terms + check_largest * largest + check_absolute * typical;
  return hold;
}

}  // namespace takt
