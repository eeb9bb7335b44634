#include "runtime/solver/explicit_rk.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace {

using takt::Window;

/// x' = -x + sin(3t), with the closed solution below; q[0] integrates x, q[1] a constant.
struct Forced {
  static constexpr std::size_t state_count = 1, quadrature_count = 2;
  double x[1] = {1.0};
  double q[2] = {};
  double worst_offset_error = 0.0;
  double window_start = 0.0;
  void evaluate(double t, double s, const double* state, double* dx, double* dq) noexcept {
    worst_offset_error = std::max(worst_offset_error, std::abs(t - window_start - s));
    dx[0] = -state[0] + std::sin(3.0 * t);
    dq[0] = state[0];
    dq[1] = 0.7;
  }
  /// x = C e^-t + (sin 3t - 3 cos 3t)/10, C = 1.3
  static double exact(double t) { return 1.3 * std::exp(-t) + (std::sin(3.0 * t) - 3.0 * std::cos(3.0 * t)) / 10.0; }
  /// integral of x from 0 to t
  static double exact_integral(double t) {
    return 1.3 * (1.0 - std::exp(-t)) + (-(std::cos(3.0 * t) - 1.0) / 3.0 - std::sin(3.0 * t)) / 10.0;
  }
};

struct Errors {
  double state, quadrature;
};

template <class Method>
Errors errors(std::int32_t steps_per_window) {
  Forced s;
  constexpr std::int64_t window_ns = 250'000'000;
  double integral = 0.0;
  for (std::int64_t window = 0; window < 8; ++window) {
    s.window_start = static_cast<double>(window * window_ns) * 1e-9;
    takt::run<Method>(s, Window{window * window_ns, window_ns / steps_per_window, steps_per_window});
    integral += s.q[0];
    CHECK(s.q[1] == Approx(0.7 * 0.25).epsilon(1e-14));
  }
  CHECK(s.worst_offset_error < 1e-14);
  return {std::abs(s.x[0] - Forced::exact(2.0)), std::abs(integral - Forced::exact_integral(2.0))};
}

/// Observed order from halving the step; the two steps are in the asymptotic range, so 0.15 covers the next term.
template <class Method>
void check_order() {
  const Errors coarse = errors<Method>(32), fine = errors<Method>(64);
  CHECK(std::log2(coarse.state / fine.state) == Approx(Method::order).margin(0.15));
  CHECK(std::log2(coarse.quadrature / fine.quadrature) == Approx(Method::order).margin(0.15));
}

struct Empty {
  static constexpr std::size_t state_count = 0, quadrature_count = 1;
  double x[1] = {};
  double q[1] = {};
  void evaluate(double t, double, const double*, double*, double* dq) noexcept { dq[0] = 2.0 * t; }
};

}  // namespace

TEST_CASE("explicit methods converge with their order in states and quadratures") {
  check_order<takt::Euler>();
  check_order<takt::Heun>();
  check_order<takt::Rk3>();
  check_order<takt::Rk4>();
}

TEST_CASE("a subsystem without states still integrates its fluxes") {
  Empty s;
  takt::run<takt::Heun>(s, Window{1'000'000'000, 1'000'000, 1000});
  CHECK(s.q[0] == Approx(3.0).epsilon(1e-13));  // integral of 2t over [1, 2]; the trapezoid is exact for it
}

TEST_CASE("a constant rate over many steps integrates to a few roundings") {
  Forced s;
  takt::run<takt::Euler>(s, Window{0, 1'000, 100'000});
  // at most 64 + 100000/64 additions deep: (1627 + 3) * 2^-53
  CHECK(std::abs(s.q[1] - 0.07) <= 0.07 * 1630 * 0x1p-53);
}

TEST_CASE("zero steps leave the states and clear the quadratures") {
  Forced s;
  s.q[0] = 5.0;
  takt::run<takt::Rk4>(s, Window{0, 1'000, 0});
  CHECK(s.x[0] == 1.0);
  CHECK(s.q[0] == 0.0);
}
