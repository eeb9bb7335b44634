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

double largest(const double* values, std::size_t n) {
  double most = 0.0;
  for (std::size_t k = 0; k < n; ++k) most = std::max(most, std::fabs(values[k]));
  return most;
}

/// A with rows, then columns, divided by their largest element. @return what the rows were divided by
std::vector<double> scale(Matrix& a) {
  const std::size_t n = a.size();
  std::vector<double> row(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (const double most = largest(a[i], n); most > 0.0) row[i] = most;
    for (std::size_t j = 0; j < n; ++j) a[i][j] /= row[i];
  }
  for (std::size_t j = 0; j < n; ++j) {
    double most = 0.0;
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::fabs(a[i][j]));
    for (std::size_t i = 0; i < n && most > 0.0; ++i) a[i][j] /= most;
  }
  return row;
}

/// In the states' own units, the smallest coefficient 1, that of the pivot above zero; whole where nearly so.
Invariant in_units(const LeftNullVector& found, const std::vector<double>& row, const std::vector<std::size_t>& state,
                   std::size_t size, double tolerance) {
  Invariant sum{state[found.pivot], std::vector<double>(size, 0.0)};
  double smallest = 0.0;
  for (std::size_t k = 0; k < found.c.size(); ++k) {
    if (std::fabs(found.c[k]) <= nothing) continue;
    const double c = sum.c[state[k]] = found.c[k] / row[k];
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

bool stays(const Invariant& sum, const Response& response) {
  for (const std::vector<double>& change : response.change) {
    double total = 0.0, allowed = 0.0;
    for (std::size_t i = 0; i < change.size(); ++i) {
      total += sum.c[i] * change[i];
      allowed += std::fabs(sum.c[i]) * (sum_tolerance * std::fabs(change[i]) + response.noise[i]);
    }
    if (!(std::fabs(total) <= allowed)) return false;
  }
  return true;
}

}  // namespace

std::vector<Invariant> find_invariants(const Response& response, const std::vector<bool>& unknown) {
  std::vector<std::size_t> state;
  for (std::size_t i = 0; i < unknown.size(); ++i)
    if (unknown[i]) state.push_back(i);
  Matrix a(state.size());
  for (std::size_t j = 0; j < state.size(); ++j)
    for (std::size_t i = 0; i < state.size(); ++i) {
      const double change = response.change[state[j]][state[i]];
      a[i][j] = std::fabs(change) <= response.noise[state[i]] ? 0.0 : change;
    }
  const std::vector<double> row = scale(a);
  std::vector<Invariant> sums;
  for (const LeftNullVector& found : left_null_space(std::move(a), rank_tolerance)) {
    for (const double tolerance : {nearly_whole, 0.0}) {
      Invariant sum = in_units(found, row, state, unknown.size(), tolerance);
      if (!stays(sum, response)) continue;
      sums.push_back(std::move(sum));
      break;
    }
  }
  return sums;
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
