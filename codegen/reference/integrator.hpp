#pragma once
// Adaptive integration of a flattened plant between two events.

#include <memory>

#include "codegen/reference/numeric_system.hpp"

namespace takt::codegen {

struct IntegrationOptions {
  double relative = 1e-9;   ///< tolerance of each unknown, times |y|
  double absolute = 1e-9;   ///< times the unknown's nominal size
  double largest_step = 0;  ///< s; 0: no limit
};

struct IntegrationCounts {
  long steps = 0, evaluations = 0, factorisations = 0, failed_tests = 0, restarts = 0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// @pre y is consistent
  virtual void restart(double time, const Values& y) = 0;
  /// From where it is to `time`; nothing beyond `stop` is evaluated.  @throw std::runtime_error  time and cause
  virtual void advance(double time, double stop, Values& y) = 0;
  [[nodiscard]] virtual IntegrationCounts counts() const = 0;
};

/// SUNDIALS IDA: variable-order BDF on F(t, y, y') = 0 itself, with the exact sparse Jacobian.
/// Source: A. C. Hindmarsh et al., ACM Trans. Math. Softw. 31 (2005) 363.
[[nodiscard]] std::unique_ptr<Integrator> make_ida(NumericSystem& system, const IntegrationOptions& options);

}  // namespace takt::codegen
