// Functions of several numbers at once have the bits of the functions of one.

#include "runtime/math/side_by_side.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace math = takt::math;

namespace {

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

template <std::size_t n>
void compare(const std::array<double, n>& x, const std::array<double, n>& y) {
  std::array<double, n> exponentials = x, logarithms = x, powers = x;
  math::exp_each(exponentials);
  math::log_each(logarithms);
  math::pow_each(powers, y);
  for (std::size_t k = 0; k < n; ++k) {
    INFO("x = " << x[k] << ", y = " << y[k]);
    CHECK(same(exponentials[k], math::exp(x[k])));
    CHECK(same(logarithms[k], math::log(x[k])));
    CHECK(same(powers[k], math::pow(x[k], y[k])));
  }
}

template <std::size_t n>
void compare_random(std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  std::array<double, n> x{}, y{};
  for (int point = 0; point < 500; ++point) {
    for (std::size_t k = 0; k < n; ++k) x[k] = std::exp(60.0 * unit(random) - 30.0), y[k] = 5.0 * unit(random) - 2.5;
    if (point % 5 == 0) x[static_cast<std::size_t>(point) % n] = -1.0;
    compare(x, y);
  }
}

}  // namespace

TEST_CASE("each_of_several_has_the_bits_of_one") {
  std::mt19937_64 random(3);
  compare_random<1>(random);
  compare_random<2>(random);
  compare_random<3>(random);
  compare_random<5>(random);
  compare_random<8>(random);
}

TEST_CASE("special_values_stand_beside_ordinary_ones") {
  constexpr double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  for (const double special :
       {0.0, -0.0, 1.0, -1.0, infinity, -infinity, none, 0x1p-1074, 0x1p-1022, 1e300, 709.9, -745.0, 1000.0}) {
    compare<4>({2.0, special, 3.0, 4.0}, {0.9, 0.5, -1.5, 1.999});
    compare<3>({2.0, 3.0, special}, {2.0, special, -0.25});
    compare<2>({1e300, 1e-300}, {special, 1.9});
  }
}
