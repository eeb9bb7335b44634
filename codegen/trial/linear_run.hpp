#pragma once
// A linear subsystem while a plan is run with linearised subsystems, by the steps of its method.

#include <vector>

#include "codegen/methods/trial_system.hpp"
#include "codegen/trial/linear_blocks.hpp"
#include "runtime/plant/description.hpp"

namespace takt::codegen {

/// Quadratures are the outputs: their integrals over a window.
class LinearRun final : public TrialSystem {
 public:
  explicit LinearRun(const LinearBlock& block);

  /// One window. A method that chooses its steps is taken as Runge-Kutta's with an eighth of its
  /// largest.
  void advance(const Method& method, int stages, const Window& window);
  /// Outputs s seconds into the window.
  void outputs(double s, double* y);

  std::vector<InputPolynomial> inputs;

  void evaluate(double t, double s, const double* x, double* dx, double* dq) noexcept override;
  void jacobian(double* rows) noexcept override;

 private:
  void take_inputs(double s) noexcept;

  const LinearBlock& block_;
  std::vector<double> u_, jacobian_;
};

}  // namespace takt::codegen
