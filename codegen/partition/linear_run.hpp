#pragma once
// A linear subsystem while a plan is run with linearised subsystems, by the methods of runtime/solver.

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/partition/linear_blocks.hpp"
#include "runtime/math/phi_functions.hpp"
#include "runtime/plant/description.hpp"

namespace takt::codegen {

struct LinearRun {
  const LinearBlock* block = nullptr;
  std::vector<double> z, y, u;
  std::vector<InputPolynomial> inputs;
  std::vector<double> sent;  // parallel to y: integrals over the window
  std::vector<double> lu;    // of I - g*h*A, once it is needed
  std::vector<double> phi_work;
  std::optional<math::PhiFunctions> phi;  // of h*A, once it is needed
};

/// One window of `steps` micro-steps of h seconds, inputs by their polynomials; adds to `sent`.
/// rkc is taken as ros2, methods that choose their steps as Runge-Kutta's with an eighth of the step.
void advance(LinearRun& run, Method method, double h, std::int64_t steps);

}  // namespace takt::codegen
