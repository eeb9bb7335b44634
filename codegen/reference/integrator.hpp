#pragma once
// Integration of a flattened plant between two events.

#include <memory>

#include "codegen/reference/numeric_system.hpp"

namespace takt::codegen {

struct IntegrationOptions {
  double relative = 1e-9;   ///< tolerance of each unknown, times |y|
  double absolute = 1e-9;   ///< times the unknown's nominal size
  double largest_step = 0;  ///< s; 0: no limit
  double step = 0;          ///< s; of fixed steps
};

struct IntegrationCounts {
  long steps = 0, evaluations = 0, factorisations = 0, failed_tests = 0, restarts = 0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// @pre y is consistent
  virtual void restart(double time, const Values& y) = 0;
  /// One step of its own size, cut at `stop`; nothing beyond is evaluated. @return where it ends
  /// @throw std::runtime_error  time and cause
  virtual double step(double stop) = 0;
  /// Consistent values at an instant of the last step. Where it does not interpolate(), only
  /// restart() may follow inside of the step.
  virtual void at(double time, Values& y) = 0;
  [[nodiscard]] virtual bool interpolates() const = 0;
  [[nodiscard]] virtual IntegrationCounts counts() const = 0;
};

/// SUNDIALS IDA: variable-order BDF on F(t, y, y') = 0 itself, with the exact sparse Jacobian.
/// Source: A. C. Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363.
[[nodiscard]] std::unique_ptr<Integrator> make_ida(NumericSystem& system,
                                                   const IntegrationOptions& options);

/// SUNDIALS CVODE: variable-order BDF on z' = f(t, z); the rest is solved for in every evaluation.
/// Dense, differenced Jacobian.
[[nodiscard]] std::unique_ptr<Integrator> make_cvode(NumericSystem& system,
                                                     const IntegrationOptions& options);

/// SUNDIALS ARKODE: explicit Runge-Kutta of order 5 with an embedded error estimate (ARKODE's
/// default pair) on the same z' = f(t, z).
[[nodiscard]] std::unique_ptr<Integrator> make_ark(NumericSystem& system,
                                                   const IntegrationOptions& options);

/// The classical Runge-Kutta method with fixed steps on the same z' = f(t, z): the whole plant
/// single-rate. Steps are cut at events only.
[[nodiscard]] std::unique_ptr<Integrator> make_fixed(NumericSystem& system,
                                                     const IntegrationOptions& options);

}  // namespace takt::codegen
