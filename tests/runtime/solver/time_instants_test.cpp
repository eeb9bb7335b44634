#include "runtime/solver/time_instants.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "runtime/solver/explicit_rk.hpp"
#include "runtime/solver/rkc.hpp"
#include "runtime/solver/rosenbrock.hpp"

namespace {

using takt::Window;

constexpr double never = std::numeric_limits<double>::infinity();

/// x' = a pulse of 50 us that begins where no step does, one from 0.5 s on that does, and one of 1 ms in each 0.1 s.
struct Pulses {
  static constexpr std::size_t state_count = 1, quadrature_count = 1;
  double x[1] = {}, q[1] = {};
  takt::Inside inside{};
  static double rate(double t) {
    const double once = t >= 0.30003 && t < 0.30008 ? 5000.0 : 0.0, later = t >= 0.5 ? 3.0 : 0.0;
    return once + later + (takt::math::mod(t + 0.02, 0.1) < 1e-3 ? 10.0 : 0.0);
  }
  [[nodiscard]] double next_instant(double t) const noexcept {
    double next = never;
    for (const double first : {0.30003, 0.30008, 0.5}) next = takt::math::min(next, takt::instant_after(t, first, 0.0));
    for (const double first : {-0.02, -0.019}) next = takt::math::min(next, takt::instant_after(t, first, 0.1));
    return next;
  }
  void evaluate(double t, double, const double*, double* dx, double* dq) noexcept {
    dx[0] = dq[0] = rate(inside.of(t));
  }
  void linearise(double t, double s, const double* z, double* dx, double* dq) noexcept { evaluate(t, s, z, dx, dq); }
  void factor(double) noexcept {}
  void solve(double*) const noexcept {}
  void quadrature_slopes(const double*, double* dq) const noexcept { dq[0] = 0.0; }
};

template <class Run>
void adds_up(const Run& run) {
  Pulses s;
  double integral = 0.0;
  for (int window = 0; window < 10; ++window) {
    run(s, Window{window * 100'000'000LL, 7'142'857, 14});  // 99.999998 ms of them
    integral += s.q[0];
    CHECK(std::isinf(s.inside.from));  // nobody else reads between the ends
  }
  const double expected = 5000.0 * 50e-6 + 3.0 * (0.5 - 5 * 2e-9) + 10 * 10.0 * 1e-3;
  CHECK(s.x[0] == Approx(expected).epsilon(1e-7));
  CHECK(integral == Approx(expected).epsilon(1e-7));
}

}  // namespace

TEST_CASE("what jumps within a step, on its ends, or comes and goes within it is integrated in pieces") {
  adds_up([](Pulses& s, const Window& w) { takt::run<takt::Euler>(s, w); });
  adds_up([](Pulses& s, const Window& w) { takt::run<takt::Heun>(s, w); });
  adds_up([](Pulses& s, const Window& w) { takt::run<takt::Rk4>(s, w); });
  adds_up([](Pulses& s, const Window& w) { takt::run_rkc<4>(s, w); });
  adds_up([](Pulses& s, const Window& w) { takt::run_rosenbrock<2>(s, w); });
}

TEST_CASE("the instant after a time") {
  CHECK(takt::instant_after(0.0, 0.3, 0.0) == 0.3);
  CHECK(takt::instant_after(0.3, 0.3, 0.0) == never);
  CHECK(takt::instant_after(5.0, std::nan(""), 0.1) == never);
  for (const double period : {1e-4, -1e-4})
    for (int k = -3; k < 100'000; k += 997) {
      const double at = 1.3e-5 + k * 1e-4;
      CHECK(takt::instant_after(at - 1e-9, 1.3e-5, period) == Approx(at).margin(1e-12));
      CHECK(takt::instant_after(at + 1e-9, 1.3e-5, period) == Approx(at + 1e-4).margin(1e-12));
    }
  const std::array<double, 4> corners{0.0, 1.0, 2.0, 5.0};
  const auto after = [&](double t, double slope, double offset) {
    return takt::corner_after(t, {slope, offset}, corners.data(), corners.size());
  };
  CHECK(after(-3.0, 1.0, 0.0) == 0.0);
  CHECK(after(0.0, 1.0, 0.0) == 1.0);
  CHECK(after(2.5, 1.0, 0.0) == 5.0);
  CHECK(after(5.0, 1.0, 0.0) == never);
  CHECK(after(0.0, 2.0, 1.0) == 0.5);
  CHECK(after(-10.0, -1.0, 0.0) == -5.0);
  CHECK(after(-1.5, -1.0, 0.0) == -1.0);
  CHECK(after(1.0, -1.0, 0.0) == never);
  CHECK(after(1.0, 0.0, 1.0) == never);
}

TEST_CASE("pieces of a step follow each other without a gap") {
  struct Often {
    takt::Inside inside{};
    [[nodiscard]] double next_instant(double t) const noexcept { return takt::instant_after(t, 0.0, 0.25); }
  } s;
  for (const double begin : {0.0, 0.1, 0.25, 0.26}) {
    double at = 0.0;
    int pieces = 0;
    takt::detail::in_pieces(s, begin, 1.0, [&](double from, double length) {
      CHECK(from == Approx(at).margin(1e-15));
      CHECK(length > 1e-7);
      CHECK(s.inside.of(begin + from) > begin + from);
      CHECK(s.inside.of(begin + from + length) < begin + from + length);
      at = from + length, ++pieces;
    });
    CHECK(at == 1.0);
    CHECK(pieces == (begin == 0.0 || begin == 0.25 ? 4 : 5));
  }
}
