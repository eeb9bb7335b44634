#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/solver/rkc.hpp"
#include "runtime/solver/rosenbrock.hpp"

namespace {

using takt::Window;

/// x0' = -rate*(x0 - cos t) - sin t and x1' = -x1 + x0^2: fast and slow, x0 = cos t from x0 = 1 on.
/// q[0] integrates x1' , q[1] a constant.
struct FastAndSlow {
  static constexpr std::size_t state_count = 2, quadrature_count = 2;
  double x[2] = {1.0, 0.0};
  double q[2] = {};
  double rate = 5.0;
  double jacobian[3] = {}, lower = 0.0, pivot[2] = {};
  void evaluate(double t, double, const double* z, double* dz, double* dq) noexcept {
    dz[0] = -rate * (z[0] - std::cos(t)) - std::sin(t);
    dz[1] = -z[1] + z[0] * z[0];
    dq[0] = dz[1];
    dq[1] = 0.7;
  }
  void linearise(double t, double s, const double* z, double* dz, double* dq) noexcept {
    evaluate(t, s, z, dz, dq);
    jacobian[0] = -rate, jacobian[1] = 2.0 * z[0], jacobian[2] = -1.0;
  }
  void factor(double gh) noexcept {
    pivot[0] = 1.0 - gh * jacobian[0], pivot[1] = 1.0 - gh * jacobian[2];
    lower = -gh * jacobian[1] / pivot[0];
  }
  void solve(double* b) const noexcept {
    b[1] = (b[1] - lower * b[0]) / pivot[1];
    b[0] /= pivot[0];
  }
  void quadrature_slopes(const double* k, double* dq) const noexcept {
    dq[0] = jacobian[1] * k[0] + jacobian[2] * k[1];
    dq[1] = 0.0;
  }
  /// x1' = -x1 + (1 + cos 2t)/2, x1(0) = 0
  static double exact(double t) { return 0.5 + 0.1 * std::cos(2.0 * t) + 0.2 * std::sin(2.0 * t) - 0.6 * std::exp(-t); }
};

template <class Run>
double error(std::int32_t steps, double rate, Run&& run) {
  FastAndSlow s;
  s.rate = rate;
  constexpr std::int64_t window_ns = 250'000'000;
  double integral = 0.0;
  for (std::int64_t window = 0; window < 8; ++window) {
    run(s, Window{window * window_ns, window_ns / steps, steps});
    integral += s.q[0];
    CHECK(s.q[1] == Approx(0.7 * 0.25).epsilon(1e-13));
  }
  CHECK(integral == Approx(s.x[1]).epsilon(1e-12));  // what was integrated beside a state is that state
  return std::abs(s.x[1] - FastAndSlow::exact(2.0));
}

template <class Run>
void check_order(double order, Run&& run) {
  CHECK(std::log2(error(40, 5.0, run) / error(80, 5.0, run)) == Approx(order).margin(0.15));
}

}  // namespace

TEST_CASE("RKC has order 2 with any number of stages, and so have its quadratures") {
  check_order(2.0, [](auto& s, const Window& w) { takt::run_rkc<2>(s, w); });
  check_order(2.0, [](auto& s, const Window& w) { takt::run_rkc<5>(s, w); });
  check_order(2.0, [](auto& s, const Window& w) { takt::run_rkc<20>(s, w); });
}

TEST_CASE("linearly implicit methods have orders 1 and 2, and so have their quadratures") {
  check_order(1.0, [](auto& s, const Window& w) { takt::run_rosenbrock<1>(s, w); });
  check_order(2.0, [](auto& s, const Window& w) { takt::run_rosenbrock<2>(s, w); });
}

TEST_CASE("ten stages of RKC carry 64 times the step of the fastest mode, linearly implicit methods any") {
  const double rate = 64.0 / 0.0625;  // h = 62.5 ms
  CHECK(error(4, rate, [](auto& s, const Window& w) { takt::run_rkc<10>(s, w); }) < 1e-2);
  CHECK(error(4, 1e9, [](auto& s, const Window& w) { takt::run_rosenbrock<1>(s, w); }) < 5e-2);
  CHECK(error(4, 1e9, [](auto& s, const Window& w) { takt::run_rosenbrock<2>(s, w); }) < 1e-2);
}

TEST_CASE("weights of RKC's quadrature sum to one") {
  constexpr takt::Rkc<13> method{};
  double sum = 0.0;
  for (const double weight : method.weight) sum += weight;
  CHECK(sum == Approx(1.0).epsilon(1e-14));
  CHECK(method.c[13] == Approx(1.0).epsilon(1e-14));
}

TEST_CASE("dense elimination without exchanges solves a diagonally dominant system") {
  double a[9] = {4.0, 1.0, -1.0, 2.0, 5.0, 1.0, 0.0, -2.0, 3.0};
  double b[3] = {4.0 + 2.0 - 3.0, 2.0 + 10.0 + 3.0, -4.0 + 9.0};  // of x = 1, 2, 3
  takt::factor_dense<3>(a);
  takt::solve_dense<3>(a, b);
  for (int k = 0; k < 3; ++k) CHECK(b[k] == Approx(k + 1.0).epsilon(1e-14));
}
