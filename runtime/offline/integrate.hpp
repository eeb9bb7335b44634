#pragma once
// Windows of a subsystem by solvers that choose their steps: SUNDIALS ARKODE (explicit) and CVODE (BDF, sparse).
//
// For comparison only: they allocate, they have no bounded number of steps, and their results depend on the version of
// SUNDIALS. The emitted right-hand side is the one that fixed steps use. Errors of a state are judged relative to its
// largest magnitude so far. Quadratures are states without error control, so that the energy balance is that of the
// method.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt::offline {

/// A subsystem without its type.
struct System {
  void* self = nullptr;
  std::size_t states = 0, quadratures = 0;
  void (*evaluate)(void* self, double t, double s, const double* z, double* dz, double* dq) = nullptr;
};

struct Tolerance {
  double relative = 1e-6;
  double largest_step_s = 0.0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// One window; x in place, q set. Where the solver gives up, x is no number afterwards.
  virtual void advance(const Window& window, double* x, double* q) noexcept = 0;
};

/// Explicit Runge-Kutta of order 5 with embedded error estimate (ARKODE's default pair), begun anew in every window
/// with the last step size.
[[nodiscard]] std::unique_ptr<Integrator> make_adaptive(const System& system, const Tolerance& tolerance);
/// BDF of order 1 to 5; Jacobian by differences over groups of columns that share no row, factorised by KLU. Goes on
/// from window to window: jumps of sampled inputs are caught by its error test.
[[nodiscard]] std::unique_ptr<Integrator> make_bdf(const System& system, const Tolerance& tolerance);

/// One window of S by `make`. The integrator lives as long as the program: one object of each type S.
template <class S>
inline void run(S& s, const Window& window, std::unique_ptr<Integrator> (*make)(const System&, const Tolerance&),
                const Tolerance& tolerance) noexcept {
  static const std::unique_ptr<Integrator> integrator =
      make({.self = &s,
            .states = S::state_count,
            .quadratures = S::quadrature_count,
            .evaluate = [](void* self, double t, double offset, const double* z, double* dz,
                           double* dq) { static_cast<S*>(self)->evaluate(t, offset, z, dz, dq); }},
           tolerance);
  integrator->advance(window, s.x.data(), s.q.data());
}

}  // namespace takt::offline
