#include "runtime/flat/algebra.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace takt::flat {
namespace {

constexpr int most_iterations = 200;
constexpr double settled = 1e-13;    // of the size of each unknown
constexpr double known_part = 1e-3;  // of the largest of its unit: small differences of large potentials are not known
                                     // better
constexpr double enough = 1e-6;      // where rounding stops it before

}  // namespace

Algebra::Algebra(const Description& plant, std::vector<double>& point)
    : plant_(plant),
      point_(point),
      solver_(plant.rows, plant.algebra),
      start_solver_(plant.start_rows, plant.start_blocks),
      values_(std::max(plant.rows.size(), plant.variable_rows.size())),
      slopes_(std::max({plant.rows.column.size(), plant.start_rows.column.size(), plant.variable_rows.column.size()})),
      step_(plant.time),
      trial_(plant.time),
      sizes_(plant.time),
      origin_(plant.time),
      by_unit_(plant.time),
      row_weights_(plant.rows.size()) {}

void Algebra::fail(const std::string& what) const {
  char time[40];
  std::snprintf(time, sizeof time, " at %.9g s", point_[plant_.time]);
  throw Unsolved(what + time);
}

bool Algebra::factorise(const Problem& problem) {
  problem.rows.slopes(point_.data(), slopes_.data());
  return problem.solver.factorise(slopes_.data());
}

/// By which the unknowns are wrong here, according to the last factorisation.
void Algebra::correction(const Problem& problem, std::vector<double>& step) {
  problem.rows.values(point_.data(), values_.data());
  for (double& value : values_) value = -value;
  problem.solver.solve(values_.data(), step.data());
}

/// Sizes that corrections are judged by.
void Algebra::find_sizes(bool at_start) {
  std::fill(by_unit_.begin(), by_unit_.end(), 0.0);
  for (std::size_t k = 0; k < sizes_.size(); ++k)
    by_unit_[plant_.unit[k]] = std::max(by_unit_[plant_.unit[k]], std::fabs(point_[k]));
  const double part = at_start ? 0.0 : known_part;
  for (std::size_t k = 0; k < sizes_.size(); ++k)
    sizes_[k] = std::fabs(point_[k]) + std::max(plant_.usual[k], part * by_unit_[plant_.unit[k]]);
}

double Algebra::largest_part(const Problem& problem, const std::vector<double>& step) {
  double largest = 0.0;
  for (const std::uint32_t unknown : problem.blocks.unknown) {
    const double part = std::fabs(step[unknown]) / sizes_[unknown];
    if (!(part <= largest)) largest = part, worst_ = unknown;
  }
  return largest;
}

void Algebra::newton(const Problem& problem) {
  const auto move = [&](double part) {
    for (const std::uint32_t unknown : problem.blocks.unknown)
      point_[unknown] = origin_[unknown] + part * step_[unknown];
  };
  double damping = 1.0, last = HUGE_VAL;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    find_sizes(problem.at_start);
    if (!factorise(problem)) fail(std::string("the equations do not determine ") + plant_.path[problem.solver.worst()]);
    correction(problem, step_);
    std::copy(point_.begin(), point_.begin() + plant_.time, origin_.begin());
    const double size = largest_part(problem, step_);
    if (size <= settled || (size <= enough && size >= last)) return move(1.0);
    last = size;
    for (damping = std::min(1.0, 4.0 * damping); damping > 1e-10; damping *= 0.5) {
      move(damping);
      correction(problem, trial_);
      if (largest_part(problem, trial_) <= (1.0 - 0.5 * damping) * size || size <= enough) break;
    }
  }
  fail(std::string("the equations could not be solved: ") + plant_.path[worst_] + " did not settle");
}

/// By the last factorisation.  @return false: nothing has happened
bool Algebra::follow(const Problem& problem) {
  constexpr double quick = 0.1, rounding = 1e-8;
  find_sizes(false);
  std::copy(point_.begin(), point_.begin() + plant_.time, origin_.begin());
  for (double last = HUGE_VAL;;) {
    correction(problem, step_);
    const double size = largest_part(problem, step_);
    const bool at_rest = size <= settled || (size <= rounding && size >= last);
    if (!at_rest && !(size <= quick * last)) {
      std::copy(origin_.begin(), origin_.end(), point_.begin());
      return false;
    }
    for (const std::uint32_t unknown : problem.blocks.unknown) point_[unknown] += step_[unknown];
    last = size;
    if (at_rest) return true;
  }
}

void Algebra::solve_start() { newton({plant_.start_rows, plant_.start_blocks, start_solver_, true}); }

void Algebra::solve() {
  const Problem problem = algebra();
  if (problem.blocks.row.empty() || (factorised_ && follow(problem))) return;
  factorised_ = false;
  newton(problem);
  factorised_ = true;
}

void Algebra::observe() noexcept {
  plant_.variable_rows.values(point_.data(), point_.data() + plant_.variables.first);
  plant_.rows.values(point_.data(), values_.data());
  for (std::size_t state = 0; state < plant_.states.size(); ++state)
    point_[plant_.rates.first + state] = values_[plant_.rate_row[state]];
}

void Algebra::differentiate(std::vector<double>& moves) {
  const Problem problem = algebra();
  if (!factorise(problem)) fail("the equations have no derivatives here: they are singular");
  factorised_ = true;
  for (const std::uint32_t unknown : problem.blocks.unknown) moves[unknown] = 0.0;
  const auto along = [&](const Rows& rows, std::size_t row) {
    double sum = 0.0;
    for (std::uint32_t k = rows.row_start[row]; k < rows.row_start[row + 1]; ++k)
      sum += slopes_[k] * moves[rows.column[k]];
    return sum;
  };
  for (const std::uint32_t row : problem.blocks.row) values_[row] = -along(plant_.rows, row);
  problem.solver.solve(values_.data(), moves.data());
  for (std::size_t state = 0; state < plant_.states.size(); ++state)
    moves[plant_.rates.first + state] = along(plant_.rows, plant_.rate_row[state]);
  plant_.variable_rows.slopes(point_.data(), slopes_.data());
  for (std::uint32_t k = 0; k < plant_.variables.count; ++k)
    moves[plant_.variables.first + k] = along(plant_.variable_rows, k);
}

void Algebra::differentiate_transposed(std::vector<double>& weights) {
  const Problem problem = algebra();
  const auto back = [&](const Rows& rows, std::size_t row, double weight) {
    if (weight == 0.0) return;
    for (std::uint32_t k = rows.row_start[row]; k < rows.row_start[row + 1]; ++k)
      weights[rows.column[k]] += slopes_[k] * weight;
  };
  plant_.variable_rows.slopes(point_.data(), slopes_.data());
  for (std::uint32_t k = 0; k < plant_.variables.count; ++k)
    back(plant_.variable_rows, k, weights[plant_.variables.first + k]);
  if (!factorise(problem)) fail("the equations have no derivatives here: they are singular");
  factorised_ = true;
  for (std::size_t state = 0; state < plant_.states.size(); ++state)
    back(plant_.rows, plant_.rate_row[state], weights[plant_.rates.first + state]);
  problem.solver.solve_transposed(weights.data(), row_weights_.data());
  for (const std::uint32_t row : problem.blocks.row) back(plant_.rows, row, -row_weights_[row]);
}

}  // namespace takt::flat
