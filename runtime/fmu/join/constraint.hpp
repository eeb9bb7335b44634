#pragma once
// What is joined, by which way, and what can go wrong.
//
// Constraint c: g = v_a - v_b = 0, with one unknown L that flows from a to b: u_a = -L, u_b = +L (a sign of -1 turns
// the FMU's own counting). a gives the power L v_a, b receives L v_b. Index 2: L appears in g' only. Source: M. Ehlert,
// C. Henke, A. Traechtler, SIMULTECH 2022, 311-318, DOI 10.5220/0011305700003274.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/fmu/result.hpp"
#include "runtime/fmu/tableau.hpp"

namespace takt::fmu::join {

/// One side of a constraint.
struct Terminal {
  std::size_t body = 0;     ///< index
  std::size_t across = 0;   ///< among its across values
  std::size_t through = 0;  ///< among its through values
  double sign = 1.0;        ///< +1: its through value counts into it; -1: out of it
};

struct Constraint {
  std::string name;
  Terminal a, b;
};

enum class Way : std::uint8_t {
  spring,    ///< L = c s + d (v_a - v_b), s' = v_a - v_b
  index,     ///< g' = 0 solved for L at each stage
  implicit,  ///< implicit Euler, (x, L) by Newton's method
  loop       ///< L += K g', a fixed number of times at each stage
};

inline constexpr std::string_view way_names[] = {"spring", "index", "implicit", "loop"};
[[nodiscard]] constexpr std::string_view name_of(Way way) noexcept { return way_names[static_cast<std::size_t>(way)]; }

/// 0: measured and proposed.
struct Settings {
  Way way = Way::index;
  const Tableau* method = find_tableau("rk4");  ///< of spring, index, loop
  double step = 0.0;                            ///< s; what spring proposes its stiffness for
  double stiffness = 0.0;                       ///< c: N/m, 1/H, N*m/rad
  double damper = -1.0;                         ///< d: N*s/m, S; -1: proposed
  double gain = 0.0;                            ///< K of loop: through per across per second
  int iterations = 0;    ///< of Newton, of the loop; 0: 1 where f is affine in L, else 3; of implicit 2, of loop 5
  double limit = 0.0;    ///< of |v_a - v_b|; 0: 0.01 max(1, |v_a|, |v_b|) in SI units
  bool numeric = false;  ///< partials by differences, even where the bodies offer them
  bool judged = true;    ///< what is predicted to diverge is refused at the start; false: it runs until it is seen
};

inline constexpr int most_events = 1000;  ///< of one step

/// What ended a run. `index`: of a body or a constraint.
struct Fault {
  enum class What : std::uint8_t {
    none,
    body,         ///< `result` says what
    singular,     ///< constraints that follow from each other, or a force without effect: `involved`
    apart,        ///< v_a - v_b is beyond the limit: `value`
    start_apart,  ///< the same before the first step
    unsolved,     ///< Newton or the loop has not converged: `value`
    not_finite,
    feedthrough,  ///< an across value follows its through value directly: no storage
    turned,       ///< an across value falls as its through value rises: `value` is 0 for side a, 1 for b
    gain,         ///< predicted to diverge: `value` is the spectral radius
    step,         ///< predicted to diverge: `value` is the largest stable step, s
    events,       ///< more than the most in one step
  };
  What what = What::none;
  std::size_t index = 0;
  double value = 0.0;
  Result result{};
  [[nodiscard]] bool none() const noexcept { return what == What::none; }
};

/// Measured and proposed before the first step; for people.
struct Found {
  std::vector<double> inverse_masses;  ///< [constraints x constraints], M = -dg'/dL: 1/m_a + 1/m_b for one
  std::vector<std::size_t> involved;   ///< constraints that cannot be told apart
  bool affine = true;                  ///< f in L
  bool partials = false;               ///< by the bodies, all of them
  double largest = 0.0;                ///< eigenvalue of M
  double stiffness = 0.0, damper = 0.0, largest_step = std::numeric_limits<double>::infinity();
  std::vector<double> gains;  ///< [constraints]
  double radius = 0.0;        ///< of the loop's iteration; it converges below 1
  int iterations = 0;
};

/// Of one constraint, since the start. a gives, b receives: given - received - stored - lost is `unclosed`.
struct Ledger {
  double through = 0.0;                 ///< L
  double power_a = 0.0, power_b = 0.0;  ///< W
  double given = 0.0, received = 0.0;   ///< J
  double stored = 0.0, lost = 0.0;      ///< J, in the spring and the damper
  double violation = 0.0;               ///< v_a - v_b at the end of the step
  double drift = 0.0;                   ///< largest |v_a - v_b| before it was projected
  [[nodiscard]] double unclosed() const noexcept { return given - received - stored - lost; }
  /// All of it, for states.
  template <class Visit>
  void each(const Visit& visit) {
    for (double* value : {&through, &power_a, &power_b, &given, &received, &stored, &lost, &violation, &drift})
      visit(*value);
  }
};

}  // namespace takt::fmu::join
