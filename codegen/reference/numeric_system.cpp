#include "codegen/reference/numeric_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "codegen/reference/sparse_solver.hpp"
#include "codegen/reference/usual_size.hpp"

namespace takt::codegen {
namespace {

constexpr int most_iterations = 200;
constexpr double settled = 1e-13;    // of the size of each unknown
constexpr double known_part = 1e-3;  // of the largest of its unit
constexpr double enough = 1e-6;      // where rounding stops it before

std::vector<SymbolId> joined(const FlatSystem& flat, SymbolId time,
                             const std::vector<SymbolId>& held) {
  std::vector<SymbolId> all(flat.unknowns);
  all.push_back(time);
  all.insert(all.end(), held.begin(), held.end());
  return all;
}

std::vector<Expr> row_values(const FlatSystem& flat) {
  std::vector<Expr> values;
  for (const FlatRow& row : flat.rows) values.push_back(row.value);
  return values;
}

std::vector<Expr> variable_values(const FlatSystem& flat) {
  std::vector<Expr> values;
  for (const FlatVariable& variable : flat.variables) values.push_back(variable.value);
  return values;
}

std::vector<std::optional<std::size_t>> rates_of(const FlatSystem& flat) {
  std::vector<std::optional<std::size_t>> result;
  for (const FlatRow& row : flat.rows) {
    const auto place =
        row.rate_of ? std::lower_bound(flat.unknowns.begin(), flat.unknowns.end(), *row.rate_of)
                    : flat.unknowns.end();
    result.push_back(row.rate_of
                         ? std::optional(static_cast<std::size_t>(place - flat.unknowns.begin()))
                         : std::nullopt);
  }
  return result;
}

}  // namespace

NumericSystem::NumericSystem(const Network& network, const FlatSystem& flat,
                             const std::vector<SymbolId>& held)
    : network_(network),
      unknowns_(flat.unknowns.size()),
      varying_(joined(flat, network.time, held)),
      differential_(unknowns_, false),
      rate_(rates_of(flat)),
      rows_(network.graph(), row_values(flat), varying_, unknowns_, rate_),
      start_(network.graph(), flat.start_rows, varying_, unknowns_,
             std::vector<std::optional<std::size_t>>(flat.rows.size())),
      variables_(network.graph(), variable_values(flat), varying_),
      point_(varying_.size(), 0.0) {
  if (flat.rows.size() != unknowns_)
    throw std::runtime_error(fmt::format("the flattened plant has {} equations for {} unknowns",
                                         flat.rows.size(), unknowns_));
  for (std::size_t k = 0; k < unknowns_; ++k)
    nominal_.push_back(usual_size(network.graph().symbol(varying_[k]).unit));
  std::unordered_map<std::string, std::size_t> units;
  for (std::size_t k = 0; k < unknowns_; ++k)
    unit_.push_back(
        units.try_emplace(network.graph().symbol(varying_[k]).unit, units.size()).first->second);
  units_ = units.size();
  for (const SymbolId symbol : varying_) index_.emplace(symbol, index_.size());
  for (const FlatVariable& variable : flat.variables)
    index_.emplace(variable.symbol, index_.size());
  for (const auto& unknown : rate_)
    if (unknown) differential_[*unknown] = true;
  for (const Parameter& parameter : network.parameters)
    for (SparseRows* rows : {&rows_, &start_}) rows->set_fixed(parameter.symbol, parameter.value);
  for (const Parameter& parameter : network.parameters)
    variables_.set_fixed(parameter.symbol, parameter.value);
  rows_.fix();
  start_.fix();
  variables_.fix();
}

NumericSystem::~NumericSystem() = default;

Values NumericSystem::largest_of_unit(const Values& y) const {
  Values by_unit(units_, 0.0), result(unknowns_);
  for (std::size_t k = 0; k < unknowns_; ++k)
    by_unit[unit_[k]] = std::max(by_unit[unit_[k]], std::fabs(y[k]));
  for (std::size_t k = 0; k < unknowns_; ++k) result[k] = by_unit[unit_[k]];
  return result;
}

bool NumericSystem::holds(SymbolId symbol) const {
  const auto place = index_.find(symbol);
  return place != index_.end() && place->second > unknowns_ && place->second < varying_.size();
}

const std::string& NumericSystem::path(std::size_t unknown) const {
  return network_.graph().symbol(varying_[unknown]).path;
}

void NumericSystem::observe(double time, const Values& y) {
  place(time, y.data());
  variables_.evaluate(point_, variable_values_);
  observed_ = point_;
  observed_.insert(observed_.end(), variable_values_.begin(), variable_values_.end());
}

void NumericSystem::place(double time, const double* y) {
  std::copy(y, y + unknowns_, point_.begin());
  point_[unknowns_] = time;
}

void NumericSystem::residual(double time, const double* y, const double* rate, double* result) {
  place(time, y);
  rows_.values(point_, values_);
  for (std::size_t k = 0; k < unknowns_; ++k)
    result[k] = rate_[k] ? values_[k] - rate[*rate_[k]] : values_[k];
}

void NumericSystem::jacobian(double time, const double* y, double c, std::vector<double>& data) {
  place(time, y);
  rows_.slopes(point_, data);
  for (std::size_t k = 0; k < unknowns_; ++k)
    if (rate_[k]) data[*rows_.own_place(k)] -= c;
}

void NumericSystem::rates(double time, const double* y, double* result) {
  place(time, y);
  rows_.values(point_, values_);
  std::fill(result, result + unknowns_, 0.0);
  for (std::size_t k = 0; k < unknowns_; ++k)
    if (rate_[k]) result[*rate_[k]] = values_[k];
}

Values NumericSystem::guess(const Network& network, const FlatSystem& flat) {
  std::unordered_map<SymbolId, double> parameters;
  for (const Parameter& parameter : network.parameters)
    parameters.emplace(parameter.symbol, parameter.value);
  Values y(unknowns_, 0.0);
  const auto value_of = [&](SymbolId symbol) {
    if (const auto known = parameters.find(symbol); known != parameters.end()) return known->second;
    const auto own = index_.find(symbol);
    return own != index_.end() && own->second < unknowns_ ? y[own->second] : 0.0;
  };
  for (int round = 0; round < 4; ++round)  // guesses may name what others guess
    for (std::size_t k = 0; k < unknowns_; ++k)
      if (const auto given = flat.guesses.find(varying_[k]); given != flat.guesses.end()) {
        const double value = network.graph().evaluate(given->second, value_of);
        if (std::isfinite(value)) y[k] = value;
      }
  return y;
}

/// What is not integrated follows a small step of what is.
void NumericSystem::rates_of_all(double time, const Values& y, double* result) {
  constexpr double small = 1e-7;  // s
  rates(time, y.data(), result);
  Values moved(y);
  for (std::size_t k = 0; k < unknowns_; ++k) moved[k] += small * result[k];
  solve_algebra(time + small, moved);
  for (std::size_t k = 0; k < unknowns_; ++k)
    if (!differential_[k]) result[k] = (moved[k] - y[k]) / small;
}

void NumericSystem::solve_start(Values& y) {
  SparseSolver solver(start_);
  newton({start_, false}, solver, 0.0, y);
}

void NumericSystem::solve_algebra(double time, Values& y) {
  if (!algebra_solver_)
    algebra_solver_ = std::make_unique<SparseSolver>(rows_);
  else if (follow(time, y))
    return;
  newton({rows_, true}, *algebra_solver_, time, y);
}

/// What Newton's method has to make zero, negative.
void NumericSystem::open_residual(const Problem& problem, double time, const Values& y,
                                  Values& result) {
  place(time, y.data());
  problem.rows.values(point_, values_);
  for (std::size_t k = 0; k < unknowns_; ++k)
    result[k] = problem.hold && rate_[k] ? 0.0 : -values_[k];
}

/// Sizes that corrections are judged by, at least this part of the largest of a unit: small
/// differences of large potentials are not known better. Far from a solution, at the start, that
/// would let what is small go astray.
Values NumericSystem::sizes_of(const Values& y, double part) const {
  const Values largest = largest_of_unit(y);
  Values sizes(unknowns_);
  for (std::size_t k = 0; k < unknowns_; ++k)
    sizes[k] = std::fabs(y[k]) + std::max(nominal_[k], part * largest[k]);
  return sizes;
}

/// The largest part of its size by which an unknown is corrected, and which that is.
std::pair<double, std::size_t> NumericSystem::largest_part(const Values& correction,
                                                           const Values& sizes) const {
  std::pair<double, std::size_t> largest{0.0, 0};
  for (std::size_t k = 0; k < unknowns_; ++k) {
    const double part = std::fabs(correction[k]) / sizes[k];
    if (!(part <= largest.first)) largest = {part, k};
  }
  return largest;
}

/// By the last factorisation, as long as that makes every correction a tenth of the one before.
/// @return false: nothing has happened
bool NumericSystem::follow(double time, Values& y) {
  constexpr double quick = 0.1, rounding = 1e-8;
  Values moved(y), step(unknowns_);
  for (double last = HUGE_VAL;;) {
    open_residual({rows_, true}, time, moved, step);
    algebra_solver_->solve(step);
    const double size = largest_part(step, sizes_of(moved, known_part)).first;
    const bool at_rest = size <= settled || (size <= rounding && size >= last);
    if (!at_rest && !(size <= quick * last)) return false;
    for (std::size_t k = 0; k < unknowns_; ++k) moved[k] += step[k];
    last = size;
    if (!at_rest) continue;
    y = moved;
    return true;
  }
}

std::string NumericSystem::singular_text(std::optional<std::size_t> undetermined) const {
  std::string text = "the Jacobian is singular";
  if (undetermined)
    text += ", " + path(*undetermined) + " is not determined, or only together with others";
  return text;
}

/// Newton's method with the natural monotonicity test (P. Deuflhard, Newton Methods for Nonlinear
/// Problems, 2004, section 3.3).
void NumericSystem::newton(const Problem& problem, SparseSolver& solver, double time, Values& y) {
  const auto& [rows, hold] = problem;
  std::vector<double> data, step(unknowns_), next(unknowns_), trial(unknowns_);
  double damping = 1.0, last = HUGE_VAL;
  std::size_t worst = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const Values sizes = sizes_of(y, hold ? known_part : 0.0);
    open_residual(problem, time, y, step);
    rows.slopes(point_, data);
    if (hold)
      for (std::size_t k = 0; k < data.size(); ++k)
        if (const auto row = static_cast<std::size_t>(rows.row_index()[k]); rate_[row])
          data[k] = rows.own_place(row) == k ? 1.0 : 0.0;
    for (std::size_t column = 0; column < unknowns_; ++column)
      for (auto k = static_cast<std::size_t>(rows.column_start()[column]);
           k < static_cast<std::size_t>(rows.column_start()[column + 1]); ++k)
        if (!std::isfinite(data[k]))
          throw std::runtime_error(fmt::format(
              "an equation cannot be differentiated by {} at {:g} s, where that is {:g}",
              path(column), time, y[column]));
    if (!solver.factorise(data))
      throw std::runtime_error(fmt::format("the equations have no unique solution at {:g} s: {}",
                                           time, singular_text(solver.undetermined())));
    solver.solve(step);
    double size = 0.0;
    std::tie(size, worst) = largest_part(step, sizes);
    if (size <= settled || (size <= enough && size >= last)) {
      for (std::size_t k = 0; k < unknowns_; ++k) y[k] += step[k];
      return;
    }
    last = size;
    for (damping = std::min(1.0, 4.0 * damping); damping > 1e-10; damping *= 0.5) {
      for (std::size_t k = 0; k < unknowns_; ++k) next[k] = y[k] + damping * step[k];
      open_residual(problem, time, next, trial);
      solver.solve(trial);
      if (largest_part(trial, sizes).first <= (1.0 - 0.5 * damping) * size || size <= enough) break;
    }
    y = next;
  }
  throw std::runtime_error(fmt::format(
      "the equations could not be solved at {:g} s: {} did not settle", time, path(worst)));
}

}  // namespace takt::codegen
