#include "runtime/start/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/start/dense.hpp"

namespace takt::start {
namespace {

constexpr double rank_tolerance = 1e-11;  // below: what rounding leaves of answers that cancel
constexpr double sum_tolerance = 1e-10;   // of the terms of a sum: it changes
constexpr double nothing = 1e-9;          // a coefficient, in scaled rows
constexpr double nearly_whole = 1e-5;     // coefficients of conserved quantities are mostly whole numbers

/// A with rows, then columns, divided by their largest element. @return what the rows were divided by
std::vector<double> scale(SparseMatrix& a) {
  std::vector<double> row(a.size(), 0.0);
  for (std::size_t k = 0; k < a.entries(); ++k) row[a.row[k]] = std::max(row[a.row[k]], std::fabs(a.value[k]));
  for (double& most : row)
    if (most == 0.0) most = 1.0;
  for (std::size_t column = 0; column < a.size(); ++column) {
    double most = 0.0;
    for (std::size_t k = a.start[column]; k < a.start[column + 1]; ++k) {
      a.value[k] /= row[a.row[k]];
      most = std::max(most, std::fabs(a.value[k]));
    }
    for (std::size_t k = a.start[column]; k < a.start[column + 1]; ++k) a.value[k] /= most;
  }
  return row;
}

struct States {
  std::span<const std::size_t> index;  ///< that take part
  std::size_t all;
};

/// In the states' own units, the smallest coefficient 1, that of the pivot above zero; whole where nearly so.
Invariant in_units(const LeftNullVector& found, const std::vector<double>& row, const States& states,
                   double tolerance) {
  Invariant sum{states.index[found.pivot], std::vector<double>(states.all, 0.0)};
  double smallest = 0.0;
  for (std::size_t k = 0; k < found.c.size(); ++k) {
    if (std::fabs(found.c[k]) <= nothing) continue;
    const double c = sum.c[states.index[k]] = found.c[k] / row[k];
    if (smallest == 0.0 || std::fabs(c) < smallest) smallest = std::fabs(c);
  }
  const double unit = std::copysign(smallest, sum.c[sum.pivot]);
  for (double& c : sum.c) {
    c /= unit;
    const double whole = std::round(c);
    if (whole != 0.0 && std::fabs(c - whole) <= tolerance * std::fabs(c)) c = whole;
  }
  return sum;
}

bool stays(const Invariant& sum, const Response& response, const SparseMatrix& change) {
  double noise = 0.0;
  for (std::size_t row = 0; row < response.index.size(); ++row)
    noise += std::fabs(sum.c[response.index[row]]) * response.noise[row];
  for (std::size_t column = 0; column < change.size(); ++column) {
    double total = 0.0, allowed = noise;
    for (std::size_t k = change.start[column]; k < change.start[column + 1]; ++k) {
      const double c = sum.c[response.index[change.row[k]]];
      total += c * change.value[k];
      allowed += std::fabs(c) * sum_tolerance * std::fabs(change.value[k]);
    }
    if (!(std::fabs(total) <= allowed)) return false;
  }
  return true;
}

std::vector<LeftNullVector> null_vectors(const SparseMatrix& a) {
  return is_sparse(a.size(), a.entries()) ? left_null_space(a, rank_tolerance)
                                          : left_null_space(a.dense(), rank_tolerance);
}

}  // namespace

std::vector<Invariant> find_invariants(const Response& response, std::size_t states) {
  const SparseMatrix& change = response.clear;
  SparseMatrix a;
  for (std::size_t column = 0; column < change.size(); ++column) {
    for (std::size_t k = change.start[column]; k < change.start[column + 1]; ++k)
      if (!(std::fabs(change.value[k]) <= response.noise[change.row[k]])) a.add(change.row[k], change.value[k]);
    a.end_column();
  }
  const std::vector<double> row = scale(a);
  std::vector<Invariant> sums;
  for (const LeftNullVector& found : null_vectors(a)) {
    for (const double tolerance : {nearly_whole, 0.0}) {
      Invariant sum = in_units(found, row, {response.index, states}, tolerance);
      if (!stays(sum, response, response.change) || !stays(sum, response, response.clear)) continue;
      sums.push_back(std::move(sum));
      break;
    }
  }
  return sums;
}

bool changes(const Invariant& invariant, const Answers& answers) {
  constexpr double noise = 1e-6, rounding_of_jacobian = 1e-9;
  const SparseMatrix& jacobian = answers.jacobian;
  double least = 0.0;
  for (const std::size_t i : answers.index) least += std::fabs(invariant.c[i]) * rounding_of_jacobian * answers.flow[i];
  for (std::size_t column = 0; column < jacobian.size(); ++column) {
    double total = 0.0, allowed = least;
    for (std::size_t k = jacobian.start[column]; k < jacobian.start[column + 1]; ++k) {
      const double c = invariant.c[answers.index[jacobian.row[k]]], slope = jacobian.value[k];
      total += c * slope;
      allowed += std::fabs(c) * noise * std::fabs(slope);
    }
    if (!(std::fabs(total) <= allowed)) return true;
  }
  return false;
}

double sum_of(const Invariant& invariant, const std::vector<double>& f) {
  double sum = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (invariant.c[i] != 0.0) sum += invariant.c[i] * f[i];
  return sum;
}

std::string text_of(const Invariant& invariant, const std::vector<PlantState>& states) {
  constexpr std::size_t shown = 6;
  std::string text;
  std::size_t terms = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double c = invariant.c[i];
    if (c == 0.0 || ++terms > shown) continue;
    text += text.empty() ? (c < 0.0 ? "-" : "") : (c < 0.0 ? " - " : " + ");
    char factor[32];
    std::snprintf(factor, sizeof factor, "%.6g*", std::fabs(c));
    if (std::fabs(c) != 1.0) text += factor;
    text += states[i].path;
  }
  return terms > shown ? text + " + ... (" + std::to_string(terms) + " states)" : text;
}

}  // namespace takt::start
