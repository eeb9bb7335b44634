#include "runtime/math/table2.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using takt::math::lookup2;
using takt::math::make_table2_view;
using takt::math::slope2_x;
using takt::math::slope2_xy;
using takt::math::slope2_y;
using takt::math::Table2View;

namespace {

constexpr double x3[] = {0.0, 1.0, 3.0};
constexpr double y2[] = {-1.0, 1.0};
constexpr double z6[] = {3.0, 5.0, 4.0, 8.0, 4.5, 0.5};
constexpr Table2View table = make_table2_view(x3, 3, y2, 2, z6);
static_assert(lookup2(table, 0.5, 0.0) == 5.0);

}  // namespace

TEST_CASE("grid_points_are_met_exactly") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> width(0.01, 3.0), value(-1e3, 1e3);
  std::vector<double> x{-2.0}, y{7.0}, z;
  while (x.size() < 9) x.push_back(x.back() + width(random));
  while (y.size() < 6) y.push_back(y.back() + width(random));
  for (std::size_t k = 0; k < x.size() * y.size(); ++k) z.push_back(value(random));
  const Table2View wide = make_table2_view(x.data(), 9, y.data(), 6, z.data());
  for (std::size_t row = 0; row < 9; ++row) {
    for (std::size_t column = 0; column < 6; ++column) CHECK(lookup2(wide, x[row], y[column]) == z[row * 6 + column]);
  }
}

TEST_CASE("between_grid_points_the_table_is_the_product_form") {
  // z = 3 + x + y-part: on the cell [0, 1] x [-1, 1] with corners 3, 5, 4, 8: z = 4 + 2x + y + xy
  for (const double x : {0.0, 0.25, 0.5, 0.875}) {
    for (const double y : {-1.0, -0.5, 0.0, 0.75}) {
      CHECK(lookup2(table, x, y) == Approx(4 + 2 * x + y + x * y).epsilon(1e-15));
      CHECK(slope2_x(table, x, y) == Approx(2 + y).epsilon(1e-15));
      CHECK(slope2_y(table, x, y) == Approx(1 + x).epsilon(1e-15));
      CHECK(slope2_xy(table, x, y) == 1.0);
    }
  }
}

TEST_CASE("both_arguments_are_held_at_the_edges") {
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(lookup2(table, -5.0, 0.0) == 4.0);
  CHECK(lookup2(table, 9.0, 0.0) == 2.5);
  CHECK(lookup2(table, 1.0, -7.0) == 4.0);
  CHECK(lookup2(table, infinity, infinity) == 0.5);
  CHECK(lookup2(table, -infinity, -infinity) == 3.0);
  CHECK(slope2_x(table, -0.1, 0.0) == 0.0);
  CHECK(slope2_x(table, 3.0, 0.0) == 0.0);
  CHECK(slope2_y(table, 0.5, 1.0) == 0.0);
  CHECK(slope2_y(table, -5.0, 0.0) == 1.0);
  CHECK(slope2_xy(table, -5.0, 0.0) == 0.0);
}

TEST_CASE("an_axis_of_one_point_is_constant") {
  const double one[] = {2.0}, z[] = {1.0, 3.0};
  const Table2View flat = make_table2_view(one, 1, y2, 2, z);
  CHECK(lookup2(flat, -9.0, 0.0) == 2.0);
  CHECK(slope2_x(flat, 2.0, 0.0) == 0.0);
  CHECK(slope2_y(flat, 2.0, 0.0) == 1.0);
}

TEST_CASE("not_a_number_passes_through_both_arguments") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(lookup2(table, nan, 0.0)));
  CHECK(std::isnan(lookup2(table, 0.0, nan)));
}
