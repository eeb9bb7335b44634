// In each lane stands what the functions of one number give, bit for bit.

#include "runtime/math/lanes.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace math = takt::math;
using takt::Lanes;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

constexpr double x_points[] = {-1.0, 0.0, 2.0, 3.5}, y_points[] = {4.0, -1.0, 0.5, 7.0};
constexpr double grid[] = {1.0, 2.0, -3.0, 0.5, 4.0, 1.0, 0.0, 2.0, 5.0, 1.0, -1.0, 3.0, 2.0, 2.0, 0.0, 1.0};

template <class Function>
void compare(const Function& function, const char* name, Lanes x, Lanes y) {
  const Lanes together = function(x, y);
  for (std::size_t lane = 0; lane < math::lanes; ++lane) {
    INFO(name << ": x = " << x[lane] << ", y = " << y[lane]);
    CHECK(same(together[lane], function(x[lane], y[lane])));
  }
}

void compare_all(Lanes x, Lanes y) {
  const math::TableView table = math::make_table_view(x_points, y_points, 4);
  const math::Table2View table2 = math::make_table2_view(x_points, 4, x_points, 4, grid);
  compare([](auto a, auto) { return math::abs(a); }, "abs", x, y);
  compare([](auto a, auto) { return math::sqrt(a); }, "sqrt", x, y);
  compare([](auto a, auto) { return math::floor(a); }, "floor", x, y);
  compare([](auto a, auto) { return math::sign(a); }, "sign", x, y);
  compare([](auto a, auto) { return math::exp(a); }, "exp", x, y);
  compare([](auto a, auto) { return math::log(a); }, "log", x, y);
  compare([](auto a, auto) { return math::tanh(a); }, "tanh", x, y);
  compare([](auto a, auto) { return math::sin(a) + math::cos(a) + math::tan(a); }, "sin, cos, tan", x, y);
  compare([](auto a, auto) { return math::asin(a) + math::acos(a) + math::atan(a); }, "asin, acos, atan", x, y);
  compare([](auto a, auto b) { return math::min(a, b); }, "min", x, y);
  compare([](auto a, auto b) { return math::max(a, b); }, "max", x, y);
  compare([](auto a, auto) { return math::max(a, -0.0); }, "max with a number", x, y);
  compare([](auto a, auto) { return math::min(0.0, a); }, "min of a number", x, y);
  compare([](auto a, auto b) { return math::mod(a, b); }, "mod", x, y);
  compare([](auto a, auto b) { return math::pow(a, b); }, "pow", x, y);
  compare([](auto a, auto) { return math::pow(a, 0.75); }, "pow to a number", x, y);
  compare([](auto a, auto b) { return math::atan2(a, b); }, "atan2", x, y);
  compare([&](auto a, auto) { return math::lookup(table, a); }, "lookup", x, y);
  compare([&](auto a, auto) { return math::slope(table, a); }, "slope", x, y);
  compare([&](auto a, auto b) { return math::lookup2(table2, a, b); }, "lookup2", x, y);
  compare([&](auto a, auto b) { return math::slope2_x(table2, a, b); }, "slope2_x", x, y);
  compare([&](auto a, auto b) { return math::slope2_y(table2, a, b); }, "slope2_y", x, y);
  compare([&](auto a, auto b) { return math::slope2_xy(table2, a, b); }, "slope2_xy", x, y);
}

}  // namespace

TEST_CASE("every lane has the bits of one number") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int point = 0; point < 1000; ++point) {
    Lanes x{}, y{};
    for (std::size_t lane = 0; lane < math::lanes; ++lane) {
      x[lane] = (unit(random) < 0.2 ? -1.0 : 1.0) * std::exp(20.0 * unit(random) - 10.0);
      y[lane] = 5.0 * unit(random) - 2.5;
    }
    compare_all(x, y);
  }
}

TEST_CASE("special values in one lane leave the others alone") {
  const std::vector<double> special{0.0,  -0.0,      1.0,       -1.0,  infinity, -infinity,
                                    none, 0x1p-1074, 0x1p-1022, 1e300, 709.9,    -745.0};
  for (const double a : special)
    for (const double b : special)
      for (std::size_t lane = 0; lane < math::lanes; ++lane) {
        Lanes x = takt::in_lanes(2.5), y = takt::in_lanes(1.5);
        x[lane] = a, y[lane] = b;
        compare_all(x, y);
      }
}

TEST_CASE("zero keeps its sign in all lanes") {
  for (std::size_t lane = 0; lane < math::lanes; ++lane) CHECK(std::signbit(takt::in_lanes(-0.0)[lane]));
}
