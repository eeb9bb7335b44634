#pragma once
// Newton blocks of several copies of a part side by side: the plain iterations of newton.hpp, one copy in each lane. A
// lane that has settled stands still while others go on, so each makes the iterates it would make alone. Where a lane
// needs more than the plain iterations all give up: their windows are then computed one by one, from where they began.
//
// Real-time: bounded; at most `plain` evaluations of the residuals.

#include "runtime/math/lanes.hpp"
#include "runtime/solver/newton.hpp"

namespace takt {

/// One block of all lanes while it is solved; names as in NewtonDamping.
struct LaneDamping {
  int plain = 0;             ///< undamped iterations
  bool exponential = false;  ///< limits come after the plain iterations only
  LaneTruths solved{};
  LaneTruths turned{};
  Lanes left{};
  Lanes side{};
  bool gives_up = false;

  /// @return go on: there are plain iterations left
  [[nodiscard]] bool judge(int iteration, Lanes here) noexcept {
    if (iteration == 0)
      left = here < NewtonDamping::infinite ? here : in_lanes(NewtonDamping::infinite);
    else
      left = solved ? left : here;
    gives_up = iteration >= plain;
    return !gives_up;
  }
  void watch(Lanes residual, Lanes step) noexcept {
    const Lanes slope = residual * step;
    const LaneTruths counts = (slope < 0.0 || slope > 0.0) && !solved;
    const Lanes now = slope > 0.0 ? in_lanes(1.0) : in_lanes(-1.0);
    turned = turned || (counts && side * now < 0.0);
    side = counts ? now : side;
  }
  /// Newton's step is taken whole where the block is not solved. A step that is not finite is not taken.
  [[nodiscard]] Lanes next(Lanes at, Lanes newton_step) const noexcept {
    const Lanes finite = math::abs(newton_step) < 1e30 ? newton_step : Lanes{};
    return solved ? at : at - finite;
  }
  /// Lanes whose last step was too small to be followed by another.  @return all are solved
  [[nodiscard]] bool settle(LaneTruths settled) noexcept {
    solved = solved || (settled && left < NewtonDamping::infinite);
    return every(solved);
  }
};

[[nodiscard]] inline LaneTruths newton_settled(Lanes at, Lanes newton_step, double typical) noexcept {
  return math::abs(newton_step) <= newton_relative * math::abs(at) + newton_absolute * typical;
}

}  // namespace takt
