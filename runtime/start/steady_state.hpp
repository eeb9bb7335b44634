#pragma once
// Steady state of a whole plant before it runs: all rates zero, couplings consistent, time held at 0.
//
// Unknowns are the states z of all subsystems but fixed ones; a control block's state counts with the rate of its
// change per execution, (next - z)/period. Steps of implicit Euler, linearised once (pseudo-transient continuation),
//   (I/dt - J) d = F(z),   z += d,   J = dF/dz by central differences,
// begin with a dt so long that they are Newton's; dt falls where the simplified correction that follows a step,
//   (I/dt - J) e = F(z + d) - d/dt,
// is not well below the step itself (Deuflhard's natural monotonicity test: no scaling of F), so the way follows the
// plant's own transient where Newton's would leave it; dt grows again where the plant behaves linearly. dt falls, too,
// where det(I/dt - J) < 0: then a mode of the plant grows, and a long step would go back to a state that the plant
// leaves. Sums c^T z that no state changes, c^T J = 0 and c^T F = 0 (closed masses, loops of inductors, cutsets of
// capacitors), keep the value that the start values give: c^T d = 0 replaces one row each. Sources: P. Deuflhard,
// Newton Methods for Nonlinear Problems, 2004, 2.1 and 6.4; C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35(2),
// 1998, 508-523.

#include "runtime/plant/description.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// Puts the plant into its steady state. Deterministic: the same bits from the same start.
/// @pre prepared and initialised, inputs constant: Exchanges::settle(). Afterwards outputs and inputs are consistent;
///      histories of the couplings are to begin anew.
/// @throw std::runtime_error  there is none, or it was not found; names the states with the largest remaining rates
[[nodiscard]] StartResult find_steady_state(const PlantDescription& plant);

}  // namespace takt
