#include "runtime/solver/exact.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace {

using takt::Window;

/// z' = A z + b(t), A = [-a c; c -a], so that z = p + (1, 1) e^((c - a) t) + (1, -1) e^(-(a + c) t) for any polynomial
/// p and b = p' - A p. q: [0] integral of z0 - 2 z1 + t, [1] of t alone, [2] of z0^2, [3] of a constant
template <int degree>
struct Pair {
  static constexpr std::size_t state_count = 2, quadrature_count = 4;
  static constexpr int points = degree + 1;
  static constexpr bool middle = true, follows_inputs = false;
  static constexpr std::size_t driven_count = degree > 0 ? 2 : 0;
  static constexpr std::size_t driven_integral_count = degree > 0 ? 2 : 0;
  static constexpr std::array<std::size_t, driven_integral_count> driven_integrals = [] {
    std::array<std::size_t, driven_integral_count> places{};
    for (std::size_t k = 0; k < driven_integral_count; ++k) places[k] = k;
    return places;
  }();
  static constexpr std::array<std::size_t, 1> state_integrals{0};
  static constexpr std::array<std::size_t, 1> powers{2};
  double x[2] = {}, q[4] = {}, a = 3.0, c = 2.0;
  takt::AffineMap<5, 2 + degree * driven_count> map;

  double p(std::size_t k, double t) const {
    return (k == 0 ? 2.0 : -1.0) + (degree > 0 ? (k == 0 ? 1.0 : 3.0) * t : 0.0) +
           (degree > 1 ? (k == 0 ? -2.0 : 0.5) * t * t : 0.0);
  }
  double p_rate(std::size_t k, double t) const {
    return (degree > 0 ? (k == 0 ? 1.0 : 3.0) : 0.0) + (degree > 1 ? 2.0 * (k == 0 ? -2.0 : 0.5) * t : 0.0);
  }
  double p_integral(std::size_t k, double t) const {
    return (k == 0 ? 2.0 : -1.0) * t + (degree > 0 ? (k == 0 ? 0.5 : 1.5) * t * t : 0.0) +
           (degree > 1 ? (k == 0 ? -2.0 : 0.5) / 3.0 * t * t * t : 0.0);
  }
  double exact(std::size_t k, double t) const {
    return p(k, t) + std::exp((c - a) * t) + (k == 0 ? 1.0 : -1.0) * std::exp(-(a + c) * t);
  }
  double exact_integral(std::size_t k, double t) const {
    return p_integral(k, t) + std::expm1((c - a) * t) / (c - a) -
           (k == 0 ? 1.0 : -1.0) * std::expm1(-(a + c) * t) / (a + c);
  }

  void prepare(double h) {
    static constexpr takt::MatrixPlace rates[] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, integrands[] = {{0, 0}, {0, 1}};
    static constexpr std::uint16_t driven[] = {0, 1};
    const double entries[] = {-a, c, c, -a, 1.0, -2.0};
    double work[takt::math::PhiFunctions::work_size(2)];
    takt::set_exact(map,
                    {.states = 2,
                     .integrals = 1,
                     .driven = std::span(driven).first(driven_count),
                     .rates = rates,
                     .integrands = integrands,
                     .entries = entries,
                     .points = points,
                     .middle = true,
                     .step_s = h},
                    work);
    for (std::size_t k = 0; k < 2; ++k) x[k] = exact(k, 0.0);
  }
  void evaluate(double t, double, const double* z, double* dz, double* dq) noexcept {
    dz[0] = -a * z[0] + c * z[1] + p_rate(0, t) + a * p(0, t) - c * p(1, t);
    dz[1] = c * z[0] - a * z[1] + p_rate(1, t) - c * p(0, t) + a * p(1, t);
    dq[0] = z[0] - 2.0 * z[1] + (degree > 0 ? t : 0.0);
    dq[1] = degree > 0 ? t : 0.0;
    dq[2] = z[0] * z[0];
    dq[3] = 0.7;
  }
  void driving(double t, double, double* b) noexcept {
    if constexpr (degree == 0) return;
    b[0] = p_rate(0, t) + a * p(0, t) - c * p(1, t);
    b[1] = p_rate(1, t) - c * p(0, t) + a * p(1, t);
    b[2] = b[3] = t;
  }
  void loss(double, double, const double* z, double* dq) noexcept { dq[2] = z[0] * z[0]; }
  void increments(const double* drive, double* move) const noexcept {
    takt::TwoDoubles own[3];
    map.apply(drive, own);
    for (std::size_t k = 0; k < 5; ++k) move[k] = own[k / 2][k % 2];
  }
};

/// Ten windows of a tenth of a second.
template <int degree>
void check_exact(double a, double c, std::int32_t steps) {
  Pair<degree> s;
  s.a = a, s.c = c;
  constexpr std::int64_t window_ns = 100'000'000;
  s.prepare(0.1 / steps);
  double integral = 0.0;
  for (std::int64_t window = 0; window < 10; ++window) {
    takt::run_exact(s, Window{window * window_ns, window_ns / steps, steps});
    integral += s.q[0];
    const double t = 0.1 * static_cast<double>(window + 1), before = 0.1 * static_cast<double>(window);
    for (std::size_t k = 0; k < 2; ++k) CHECK(s.x[k] == Approx(s.exact(k, t)).margin(2e-13));
    CHECK(s.q[1] == Approx(degree > 0 ? 0.5 * (t * t - before * before) : 0.0).margin(1e-15));
    CHECK(s.q[3] == Approx(0.07).epsilon(1e-14));
  }
  CHECK(integral ==
        Approx(s.exact_integral(0, 1.0) - 2.0 * s.exact_integral(1, 1.0) + (degree > 0 ? 0.5 : 0.0)).margin(1e-12));
}

double power_error(std::int32_t steps) {
  Pair<2> s;
  s.prepare(1.0 / steps);
  takt::run_exact(s, Window{0, 1'000'000'000 / steps, steps});
  // The same with so many steps that nothing is left.
  Pair<2> fine;
  fine.prepare(1.0 / 2000);
  takt::run_exact(fine, Window{0, 500'000, 2000});
  return std::abs(s.q[2] - fine.q[2]);
}

}  // namespace

TEST_CASE("inputs of degree 0, 1 and 2 are followed exactly, and so are linear quadratures") {
  for (const std::int32_t steps : {1, 2, 10}) {
    check_exact<0>(3.0, 2.0, steps);
    check_exact<1>(3.0, 2.0, steps);
    check_exact<2>(3.0, 2.0, steps);
  }
}

TEST_CASE("a step ten million times the fastest time constant is as exact") {
  check_exact<0>(5e7, 5e7 - 1.0, 1);
  check_exact<1>(5e7, 5e7 - 1.0, 1);
  check_exact<2>(5e7, 5e7 - 1.0, 1);
}

TEST_CASE("powers are integrated with order 4") {
  CHECK(std::log2(power_error(10) / power_error(20)) == Approx(4.0).margin(0.1));
}

TEST_CASE("a steady state stays, to the last bit") {
  Pair<0> s;
  s.prepare(0.1);
  s.x[0] = s.p(0, 0.0), s.x[1] = s.p(1, 0.0);
  for (std::int64_t window = 0; window < 1000; ++window)
    takt::run_exact(s, Window{window * 100'000'000, 100'000'000, 1});
  CHECK(s.x[0] == 2.0);
  CHECK(s.x[1] == -1.0);
}
