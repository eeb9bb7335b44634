#include "runtime/math/phi_functions.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

/// With room to work in.
struct Phi {
  std::vector<double> work;
  takt::math::PhiFunctions functions;
  static std::vector<double> room(std::size_t n, std::vector<double> a) {
    a.resize(takt::math::PhiFunctions::work_size(n));
    return a;
  }
  Phi(std::size_t n, std::vector<double> a) : work(room(n, std::move(a))), functions(n, work) {}
  double entry(int k, std::size_t row, std::size_t column) const { return functions.entry(k, row, column); }
};

/// phi_k(z) of a number, z not small.
double closed(int k, double z) {
  double value = std::exp(z), factorial = 1.0;
  for (int j = 0; j < k; ++j) {
    if (j > 0) factorial *= j;
    value = (value - 1.0 / factorial) / z;
  }
  return value;
}

/// Heat between n equal walls in a row, each step of them this much; nothing leaves.
std::vector<double> closed_chain(std::size_t n, double rate) {
  std::vector<double> a(n * n, 0.0);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    a[k * n + k] -= rate, a[k * n + k + 1] += rate;
    a[(k + 1) * n + k + 1] -= rate, a[(k + 1) * n + k] += rate;
  }
  return a;
}

}  // namespace

TEST_CASE("of one number they are what their definition says, whatever its size") {
  for (const double z : {-1e12, -1e6, -300.0, -20.0, -3.0, 2.0, 9.0}) {
    const Phi phi(1, {z});
    for (int k = 1; k <= 4; ++k) CHECK(phi.entry(k, 0, 0) == Approx(closed(k, z)).epsilon(2e-14));
  }
  double factorial = 1.0;
  for (int k = 1; k <= 4; ++k) {
    factorial *= k;
    CHECK(Phi(1, {0.0}).entry(k, 0, 0) == Approx(1.0 / factorial).epsilon(1e-15));
    CHECK(Phi(1, {-1e-9}).entry(k, 0, 0) == Approx(1.0 / factorial).epsilon(1e-8));
  }
}

TEST_CASE("a thousand turns of an oscillation end where they should") {
  const double angle = 6283.0;
  const Phi phi(2, {0.0, angle, -angle, 0.0});
  // exp(A) = I + A phi_1(A)
  CHECK(1.0 + angle * phi.entry(1, 1, 0) == Approx(std::cos(angle)).margin(1e-11));
  CHECK(angle * phi.entry(1, 1, 1) == Approx(std::sin(angle)).margin(1e-11));
}

TEST_CASE("a chain a million million times as fast as the step loses nothing: columns of phi_k sum to 1/k!") {
  constexpr std::size_t n = 12;
  for (const double rate : {1.0, 1e6, 1e12}) {
    const Phi phi(n, closed_chain(n, rate));
    double factorial = 1.0;
    for (int k = 1; k <= 4; ++k) {
      factorial *= k;
      for (std::size_t column = 0; column < n; ++column) {
        double sum = 0.0;
        for (std::size_t row = 0; row < n; ++row) sum += phi.entry(k, row, column);
        CHECK(sum == Approx(1.0 / factorial).epsilon(1e-13));
      }
    }
  }
}

TEST_CASE("slow modes beside fast ones keep their digits") {
  // One wall loses heat at rate 1e-3 to a boundary, the chain evens out at 1e6: together they cool at 1e-3/12 to within
  // 1e-9 of it.
  constexpr std::size_t n = 12;
  std::vector<double> a = closed_chain(n, 1e6);
  a[0] -= 1e-3;
  const Phi phi(n, a);
  double left = 0.0;
  for (std::size_t row = 0; row < n; ++row) left += phi.entry(1, row, 5);
  CHECK(1.0 - left == Approx(0.5e-3 / 12.0).epsilon(1e-4));
}

TEST_CASE("units do not matter: coulombs beside microwebers") {
  const double scale = std::ldexp(1.0, 40);
  const Phi plain(2, {-3.0, 2.0, -5.0, -1.0}), scaled(2, {-3.0, 2.0 * scale, -5.0 / scale, -1.0});
  for (int k = 1; k <= 4; ++k) {
    CHECK(scaled.entry(k, 0, 1) == Approx(plain.entry(k, 0, 1) * scale).epsilon(1e-15));
    CHECK(scaled.entry(k, 1, 0) == Approx(plain.entry(k, 1, 0) / scale).epsilon(1e-15));
  }
}

TEST_CASE("twice() doubles the argument") {
  const std::vector<double> a{-3.0, 2.0, 0.5, -40.0}, half{-1.5, 1.0, 0.25, -20.0};
  Phi doubled(2, half);
  doubled.functions.twice();
  const Phi whole(2, a);
  for (int k = 1; k <= 4; ++k)
    for (std::size_t entry = 0; entry < 4; ++entry)
      CHECK(doubled.entry(k, entry / 2, entry % 2) == Approx(whole.entry(k, entry / 2, entry % 2)).epsilon(1e-13));
}

TEST_CASE("what is no number stays none, what hangs together with nothing stays zero") {
  CHECK(std::isnan(Phi(1, {std::numeric_limits<double>::infinity()}).entry(1, 0, 0)));
  const Phi apart(2, {-1.0, 0.0, 0.0, -1e5});
  CHECK(apart.entry(1, 0, 1) == 0.0);
  CHECK(apart.entry(3, 1, 0) == 0.0);
}
