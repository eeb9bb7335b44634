// Errors are measured against the long double functions of the C library, whose own error (64 or 113 bit mantissa) is
// below 2^-10 ulp of double. Bounds are what was measured with many more points, rounded up.

#include "runtime/math/elementary.hpp"

#include <catch2/catch.hpp>
#include <cfloat>
#include <cmath>
#include <random>

namespace math = takt::math;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr int points = 300'000;

/// |got - want| in units of the last place of want as double.
double ulps(double got, long double want) {
  const auto nearest = static_cast<double>(want);
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0.0 : 1e9;
  if (std::isnan(got) || std::isnan(nearest)) return std::isnan(got) == std::isnan(nearest) ? 0.0 : 1e9;
  const int exponent = nearest == 0.0 ? DBL_MIN_EXP - 1 : std::max(std::ilogb(nearest), DBL_MIN_EXP - 1);
  return static_cast<double>(std::fabs((static_cast<long double>(got) - want) / std::ldexp(1.0L, exponent - 52)));
}

enum class Spread { even, logarithmic };  // logarithmic: both signs

struct Range {
  double low, high;
  Spread spread = Spread::even;
};

double pick(std::mt19937_64& random, const Range& range) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  if (range.spread == Spread::even) return range.low + (range.high - range.low) * unit(random);
  const double size = std::exp(std::log(range.low) + (std::log(range.high) - std::log(range.low)) * unit(random));
  return (random() & 1U) != 0 ? size : -size;
}

template <class Function, class Reference>
void check_error(double bound, const Range& range, Function function, Reference reference) {
  std::mt19937_64 random(1);
  double worst = 0.0, at = 0.0;
  for (int point = 0; point < points; ++point) {
    const double x = pick(random, range);
    const double error = ulps(function(x), reference(static_cast<long double>(x)));
    if (error > worst) worst = error, at = x;
  }
  INFO("worst at " << at << " in [" << range.low << ", " << range.high << "]");
  CHECK(worst < bound);
  CHECK(worst > 0.0);  // the reference is finer than a double
}

#define TAKT_CHECK(bound, name, ...) \
  check_error(                       \
      bound, __VA_ARGS__, [](double x) { return math::name(x); }, [](long double x) { return std::name(x); })

}  // namespace

TEST_CASE("exp_and_log_err_less_than_one_ulp") {
  TAKT_CHECK(0.8, exp, Range{-745.2, 709.7});
  TAKT_CHECK(0.8, exp, Range{-1.0, 1.0});
  TAKT_CHECK(0.8, exp, Range{-745.2, -700.0});
  TAKT_CHECK(0.8, log, Range{0.0, 10.0});
  TAKT_CHECK(0.8, log, Range{0.99, 1.01});
  TAKT_CHECK(0.8, log, Range{0.0, 1e308});
  TAKT_CHECK(0.8, log, Range{0.0, 1e-308});
}

TEST_CASE("trigonometric_functions_err_less_than_stated_for_any_argument") {
  for (const Range& range :
       {Range{-10.0, 10.0}, Range{-1e6, 1e6}, Range{1.5e6, 1.7e6}, Range{1e-10, 1e300, Spread::logarithmic}}) {
    TAKT_CHECK(1.0, sin, range);
    TAKT_CHECK(1.0, cos, range);
    TAKT_CHECK(1.3, tan, range);
  }
}

TEST_CASE("arguments_next_to_multiples_of_a_quarter_turn_keep_their_accuracy") {
  std::mt19937_64 random(3);
  double worst = 0.0;
  for (int point = 0; point < points; ++point) {
    const double quarters = std::floor(std::exp2(std::uniform_real_distribution<double>(0.0, 60.0)(random)));
    const auto x = static_cast<double>(quarters * 1.57079632679489661923132169163975144L);
    worst = std::max({worst, ulps(math::sin(x), std::sin(static_cast<long double>(x))),
                      ulps(math::cos(x), std::cos(static_cast<long double>(x)))});
  }
  CHECK(worst < 1.0);
  // The double nearest to a multiple of pi/2, relative to its size (W. Kahan, 1983): 6381956970095103 * 2^797.
  const double x = std::ldexp(6381956970095103.0, 797);
  CHECK(math::cos(x) == Approx(-4.6871659242546277e-19).epsilon(1e-14));
  CHECK(math::sin(x) == 1.0);
}

TEST_CASE("inverse_functions_err_less_than_stated") {
  TAKT_CHECK(0.8, asin, Range{-1.0, 1.0});
  TAKT_CHECK(0.8, asin, Range{1e-300, 1.0, Spread::logarithmic});
  TAKT_CHECK(0.8, acos, Range{-1.0, 1.0});
  TAKT_CHECK(0.8, acos, Range{0.999, 1.0});
  TAKT_CHECK(0.8, acos, Range{-1.0, -0.999});
  TAKT_CHECK(1.8, atan, Range{-10.0, 10.0});
  TAKT_CHECK(1.8, atan, Range{1e-20, 1e20, Spread::logarithmic});
}

TEST_CASE("tanh_errs_less_than_two_ulp") {
  TAKT_CHECK(1.3, tanh, Range{-3.0, 3.0});
  TAKT_CHECK(1.3, tanh, Range{1e-20, 30.0, Spread::logarithmic});
}

TEST_CASE("pow_errs_less_than_one_ulp") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  double worst = 0.0;
  for (int point = 0; point < points; ++point) {
    double x = std::exp(-700.0 + 1400.0 * unit(random));
    double y = (2.0 * unit(random) - 1.0) * 745.0 / std::log(x);
    if (point % 3 == 1) x = 2.0 * unit(random), y = 200.0 * (unit(random) - 0.5);
    if (point % 3 == 2) x = 1.0 + (unit(random) - 0.5) * 1e-3, y = (unit(random) - 0.5) * 1e6;
    worst = std::max(worst, ulps(math::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))));
  }
  CHECK(worst < 0.9);
  worst = 0.0;  // small exponents, as in laws of friction and convection, have a shorter way
  for (int point = 0; point < points; ++point) {
    const double x = std::exp(point % 2 == 0 ? -30.0 + 60.0 * unit(random) : 0.02 * (unit(random) - 0.5)),
                 y = 4.0 * unit(random) - 2.0;
    worst = std::max(worst, ulps(math::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))));
  }
  CHECK(worst < 0.9);
  CHECK(math::pow(10.0, 2.0) == 100.0);
  CHECK(math::pow(2.0, -1074.0) == 0x1p-1074);
  CHECK(math::pow(2.0, 1023.0) == 0x1p1023);
  CHECK(math::pow(1e-200, 2.0) == 0.0);
}

TEST_CASE("atan2_errs_less_than_two_ulp_in_all_quadrants") {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  double worst = 0.0;
  for (int point = 0; point < points; ++point) {
    const double y = unit(random), x = unit(random) * std::exp(40.0 * unit(random));
    worst =
        std::max(worst, ulps(math::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
  }
  CHECK(worst < 1.8);
}

TEST_CASE("special_values_are_those_of_the_c_library") {
  const std::vector<double> values{0.0,      -0.0,    1.0,      -1.0,      0.5,        -0.5,         2.0,
                                   -2.0,     3.0,     -3.0,     infinity,  -infinity,  not_a_number, DBL_MIN,
                                   -DBL_MIN, DBL_MAX, -DBL_MAX, 0x1p-1074, -0x1p-1074, 1e17,         0x1p53 - 1};
  const auto same = [](double got, double want) {
    if (std::isnan(want)) return std::isnan(got);
    if (want == 0.0 || std::isinf(want)) return got == want && std::signbit(got) == std::signbit(want);
    return std::fabs(got - want) <= 4e-16 * std::fabs(want);
  };
  for (const double x : values) {
    INFO("x = " << x);
    CHECK(same(math::exp(x), std::exp(x)));
    CHECK(same(math::log(x), std::log(x)));
    CHECK(same(math::sin(x), std::sin(x)));
    CHECK(same(math::cos(x), std::cos(x)));
    CHECK(same(math::tan(x), std::tan(x)));
    CHECK(same(math::asin(x), std::asin(x)));
    CHECK(same(math::acos(x), std::acos(x)));
    CHECK(same(math::atan(x), std::atan(x)));
    CHECK(same(math::tanh(x), std::tanh(x)));
    CHECK(same(math::sqrt(x), std::sqrt(x)));
    CHECK(same(math::floor(x), std::floor(x)));
    for (const double y : values) {
      INFO("y = " << y);
      CHECK(same(math::pow(x, y), std::pow(x, y)));
      CHECK(same(math::atan2(x, y), std::atan2(x, y)));
    }
  }
  CHECK(math::exp(1000.0) == infinity);
  CHECK(math::exp(-1000.0) == 0.0);
}

TEST_CASE("simple_functions_do_what_they_say") {
  CHECK(math::sign(-3.0) == -1.0);
  CHECK(math::sign(0.0) == 0.0);
  CHECK(math::sign(not_a_number) == 0.0);
  CHECK(math::min(1.0, 2.0) == 1.0);
  CHECK(math::max(1.0, 2.0) == 2.0);
  CHECK(math::min(1.0, not_a_number) == 1.0);
  CHECK(math::mod(7.5, 2.0) == 1.5);
  CHECK(math::mod(-0.5, 2.0) == 1.5);
  CHECK(math::abs(-2.0) == 2.0);
}
