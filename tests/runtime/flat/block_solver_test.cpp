#include "runtime/flat/block_solver.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace takt::flat;

namespace {

/// Equations 0 1 2 3 4 in blocks {0, 1} for unknowns {3, 0}, {2} for {1}, {3, 4} for {4, 2}; column 5 is known.
struct System {
  std::vector<std::uint32_t> row_start{0, 3, 5, 8, 11, 14}, start{0, 2, 3, 5}, row{0, 1, 2, 3, 4},
      unknown{3, 0, 1, 4, 2};
  std::vector<Place> column{0, 3, 5, 0, 3, 1, 3, 5, 1, 2, 4, 0, 2, 4};
  std::vector<double> slopes;

  [[nodiscard]] Rows rows() const { return {.row_start = row_start, .column = column}; }
  [[nodiscard]] Blocks blocks() const { return {start, row, unknown}; }
};

System random_system() {
  System system;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (std::size_t k = 0; k < system.column.size(); ++k)
    system.slopes.push_back(number(random) * (k % 3 == 0 ? 1e6 : 1.0));
  return system;
}

}  // namespace

TEST_CASE("what the block solver gives satisfies the equations, and their transpose") {
  const System system = random_system();
  BlockSolver solver(system.rows(), system.blocks());
  REQUIRE(solver.factorise(system.slopes.data()));
  const std::vector<double> right{1.0, -2.0, 3.0, 0.5, 4.0};
  std::vector<double> x(5), y(5);
  solver.solve(right.data(), x.data());
  solver.solve_transposed(right.data(), y.data());
  std::vector<double> back(6, 0.0), back_size(6, 1.0);
  for (std::size_t row = 0; row < 5; ++row) {
    double sum = 0.0, size = 0.0;
    for (std::uint32_t k = system.row_start[row]; k < system.row_start[row + 1]; ++k) {
      if (system.column[k] < 5) {
        sum += system.slopes[k] * x[system.column[k]];
        size += std::abs(system.slopes[k] * x[system.column[k]]);
      }
      back[system.column[k]] += system.slopes[k] * y[row];
      back_size[system.column[k]] += std::abs(system.slopes[k] * y[row]);
    }
    CHECK(sum == Approx(right[row]).epsilon(0.0).margin(1e-12 * (size + 1.0)));
  }
  for (std::size_t unknown = 0; unknown < 5; ++unknown)
    CHECK(back[unknown] == Approx(right[unknown]).epsilon(0.0).margin(1e-12 * back_size[unknown]));
}

TEST_CASE("a zero on the diagonal is exchanged, a singular block is named by an unknown of it") {
  System system;
  system.slopes = {0.0, 2.0, 9.0, 3.0, 0.0, 1.0, 1.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0};
  BlockSolver solver(system.rows(), system.blocks());
  REQUIRE(solver.factorise(system.slopes.data()));
  std::vector<double> x(5);
  solver.solve(std::vector<double>{4.0, 6.0, 3.0, 0.0, 0.0}.data(), x.data());
  CHECK(x[3] == 2.0);
  CHECK(x[0] == 2.0);
  CHECK(x[1] == 1.0);
  system.slopes[13] = 1.0;  // rows 3 and 4 say the same of unknowns 2 and 4
  REQUIRE(!solver.factorise(system.slopes.data()));
  CHECK((solver.worst() == 2 || solver.worst() == 4));
}
