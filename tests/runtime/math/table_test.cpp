#include "runtime/math/table.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using takt::math::interval;
using takt::math::lookup;
using takt::math::make_table_view;
using takt::math::slope;
using takt::math::TableView;

namespace {

constexpr double x3[] = {0.0, 1.0, 3.0};
constexpr double y3[] = {3.0, 4.0, 4.5};
constexpr TableView table3 = make_table_view(x3, y3, 3);
static_assert(lookup(table3, 2.0) == 4.25);

TableView searched(const std::vector<double>& x, const std::vector<double>& y) {
  return {x.data(), y.data(), static_cast<std::uint32_t>(x.size()), 0.0};
}
TableView prepared(const std::vector<double>& x, const std::vector<double>& y) {
  return make_table_view(x.data(), y.data(), static_cast<std::uint32_t>(x.size()));
}

}  // namespace

TEST_CASE("points_are_met_exactly_and_joined_by_lines") {
  CHECK(lookup(table3, 0.0) == 3.0);
  CHECK(lookup(table3, 1.0) == 4.0);
  CHECK(lookup(table3, 3.0) == 4.5);
  CHECK(lookup(table3, 0.25) == 3.25);
  CHECK(lookup(table3, 2.0) == 4.25);
}

TEST_CASE("ends_are_held") {
  CHECK(lookup(table3, -1e9) == 3.0);
  CHECK(lookup(table3, 1e9) == 4.5);
  CHECK(lookup(table3, -std::numeric_limits<double>::infinity()) == 3.0);
  CHECK(slope(table3, -1.0) == 0.0);
  CHECK(slope(table3, 4.0) == 0.0);
}

TEST_CASE("slope_is_the_right_sided_derivative") {
  CHECK(slope(table3, 0.0) == 1.0);
  CHECK(slope(table3, 0.5) == 1.0);
  CHECK(slope(table3, 1.0) == 0.25);
  CHECK(slope(table3, 3.0) == 0.0);
}

TEST_CASE("not_a_number_passes_through") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(lookup(table3, nan)));
  const std::vector<double> x{0, 1, 2, 3}, y{0, 1, 4, 9};
  CHECK(std::isnan(lookup(prepared(x, y), nan)));
}

TEST_CASE("tables_of_one_and_two_points_work") {
  const std::vector<double> one_x{5.0}, one_y{7.0};
  CHECK(lookup(prepared(one_x, one_y), -1.0) == 7.0);
  CHECK(lookup(prepared(one_x, one_y), 9.0) == 7.0);
  CHECK(slope(prepared(one_x, one_y), 5.0) == 0.0);
  const std::vector<double> two_x{1.0, 2.0}, two_y{10.0, 20.0};
  CHECK(lookup(prepared(two_x, two_y), 1.5) == 15.0);
}

TEST_CASE("uniform_grids_are_recognised_and_others_are_not") {
  const std::vector<double> even{0, 0.1, 0.2, 0.3, 0.4}, uneven{0, 1, 2, 3, 10};
  CHECK(prepared(even, even).inverse_step == Approx(10.0));
  CHECK(prepared(uneven, uneven).inverse_step == 0.0);
}

TEST_CASE("direct_indexing_gives_the_same_bits_as_searching") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for (int round = 0; round < 200; ++round) {
    const auto n = 3 + random() % 60;
    const double start = 200.0 * (unit(random) - 0.5), step = std::exp(10.0 * (unit(random) - 0.5));
    std::vector<double> x, y;
    for (std::size_t k = 0; k < n; ++k) {
      // Up to a fifth of a step off the grid, which still counts as uniform.
      x.push_back(start + step * (static_cast<double>(k) + 0.4 * (unit(random) - 0.5) * (round % 2)));
      y.push_back(unit(random));
    }
    const TableView direct = prepared(x, y), search = searched(x, y);
    if (round % 2 == 0) REQUIRE(direct.inverse_step > 0.0);
    for (int point = 0; point < 500; ++point) {
      const double at = point < static_cast<int>(n)
                            ? x[static_cast<std::size_t>(point)]
                            : start + step * (static_cast<double>(n) + 4.0) * (unit(random) - 0.05);
      CHECK(interval(direct, at) == interval(search, at));
      CHECK(lookup(direct, at) == lookup(search, at));
      CHECK(slope(direct, at) == slope(search, at));
    }
  }
}
