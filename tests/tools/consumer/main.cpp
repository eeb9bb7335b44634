// Integrates x' = -x over one second with the installed runtime and compares with the closed solution.

#include <cmath>
#include <cstdio>

#include "runtime/solver/explicit_rk.hpp"

struct Decay {
  static constexpr std::size_t state_count = 1, quadrature_count = 1;
  double x[1] = {1.0};
  double q[1] = {};
  void evaluate(double, double, const double* state, double* dx, double* dq) noexcept {
    dx[0] = -state[0];
    dq[0] = state[0];
  }
};

int main() {
  Decay decay;
  takt::run<takt::Rk4>(decay, {.start_ns = 0, .step_ns = 10'000'000, .steps = 100});
  // RK4: global error about h^4/120 = 1e-10 at h = 10 ms.
  const double error = std::abs(decay.x[0] - std::exp(-1.0)) + std::abs(decay.q[0] - (1.0 - std::exp(-1.0)));
  std::printf("error %.1e\n", error);
  return error < 1e-9 ? 0 : 1;
}
