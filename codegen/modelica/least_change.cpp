#include "codegen/modelica/least_change.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Cholesky of a positive definite matrix in place; pivots that vanish are passed over.
std::vector<double> solved(Rows& a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t k = 0; k < column; ++k) a[column][column] -= a[column][k] * a[column][k];
    a[column][column] = a[column][column] > 1e-300 ? std::sqrt(a[column][column]) : 1e150;
    for (std::size_t row = column + 1; row < n; ++row) {
      double sum = a[row][column];
      for (std::size_t k = 0; k < column; ++k) sum -= a[row][k] * a[column][k];
      a[row][column] = sum / a[column][column];
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < row; ++k) b[row] -= a[row][k] * b[k];
    b[row] /= a[row][row];
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) b[row] -= a[k][row] * b[k];
    b[row] /= a[row][row];
  }
  return b;
}

double largest(const std::vector<double>& values) {
  double made = 0.0;
  for (const double each : values)
    made = std::isfinite(each) ? std::max(made, std::fabs(each)) : INFINITY;
  return made;
}

}  // namespace

/// Guesses from equations with one variable that is still open, linear in it: one after the other.
void LeastChange::propagate(std::unordered_map<SymbolId, double> values) {
  for (const auto& [symbol, guess] : unknowns_) values[symbol] = guess;
  std::vector<std::vector<SymbolId>> symbols;
  for (const Expr each : equations_) symbols.push_back(graph_.symbols_of(each));
  const auto at = [&](SymbolId symbol) {
    return values.contains(symbol) ? values.at(symbol) : 0.0;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t row = 0; row < equations_.size(); ++row) {
      std::erase_if(symbols[row], [&](SymbolId symbol) { return !open_.contains(symbol); });
      if (symbols[row].size() != 1) continue;
      const SymbolId symbol = symbols[row].front();
      Expr slope{}, rest{};
      if (!graph_.split_linear(equations_[row], symbol, slope, rest)) continue;
      const double value = -graph_.evaluate(rest, at) / graph_.evaluate(slope, at);
      if (!std::isfinite(value)) continue;
      values[symbol] = value;
      open_.erase(symbol);
      changed = true;
    }
  }
  for (auto& [symbol, guess] : unknowns_) guess = values.at(symbol);
}

/// How large those may be of which nothing is known: what their equations make of them where all is
/// as guessed. Rates of what is counted in 1e8 are no ones.
std::vector<double> LeastChange::sizes(std::unordered_map<SymbolId, double> values) const {
  for (const auto& [symbol, guess] : unknowns_) values[symbol] = guess;
  const auto at = [&](SymbolId symbol) {
    return values.contains(symbol) ? values.at(symbol) : 0.0;
  };
  std::unordered_map<SymbolId, double> size;
  for (const Expr each : equations_)
    for (const SymbolId symbol : graph_.symbols_of(each)) {
      Expr slope{}, rest{};
      if (!open_.contains(symbol) || !graph_.split_linear(each, symbol, slope, rest)) continue;
      const double value = std::fabs(graph_.evaluate(rest, at) / graph_.evaluate(slope, at));
      if (std::isfinite(value)) size[symbol] = std::max(size[symbol], value);
    }
  std::vector<double> made;
  for (const auto& [symbol, guess] : unknowns_) {
    const auto found = size.find(symbol);
    made.push_back(1.0 + std::max(std::fabs(guess), found == size.end() ? 0.0 : found->second));
  }
  return made;
}

void LeastChange::differentiate() {
  std::unordered_map<SymbolId, std::size_t> column_of;
  for (std::size_t column = 0; column < unknowns_.size(); ++column)
    column_of[unknowns_[column].first] = column;
  slopes_.assign(equations_.size(), {});
  for (std::size_t row = 0; row < equations_.size(); ++row)
    for (const SymbolId symbol : graph_.symbols_of(equations_[row]))
      if (const auto found = column_of.find(symbol); found != column_of.end())
        slopes_[row].push_back({found->second, graph_.differentiate(equations_[row], symbol)});
}

/// @param rows  the Jacobian, its columns scaled, its rows of length 1
std::vector<double> LeastChange::step(const std::vector<double>& residuals, const Rows& rows,
                                      double damping) const {
  const std::size_t n = rows.size();
  Rows normal(n, std::vector<double>(n));
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t other = 0; other <= row; ++other) {
      double sum = row == other ? damping : 0.0;
      for (std::size_t k = 0; k < rows[row].size(); ++k) sum += rows[row][k] * rows[other][k];
      normal[row][other] = sum;
    }
  const std::vector<double> weights = solved(normal, residuals);
  std::vector<double> made(unknowns_.size());
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < made.size(); ++k) made[k] -= rows[row][k] * weights[row];
  return made;
}

LeastChange::Solution LeastChange::solve(const std::unordered_map<SymbolId, double>& given) {
  constexpr std::size_t most = 3000;
  if (unknowns_.size() > most) return {.converged = false, .residual = INFINITY, .values = given};
  propagate(given);
  differentiate();
  Solution made = solve(given, sizes(given));
  if (made.converged) return made;
  // Other scales are another way: laws with kinks, such as those of diodes, end on some alone.
  std::vector<double> plain;
  for (const auto& [symbol, guess] : unknowns_) plain.push_back(1.0 + std::fabs(guess));
  Solution other = solve(given, plain);
  return other.converged ? other : made;
}

LeastChange::Solution LeastChange::solve(const std::unordered_map<SymbolId, double>& given,
                                         const std::vector<double>& scale) const {
  constexpr int most_steps = 100;
  Solution out{.converged = false, .residual = INFINITY, .values = given};
  std::vector<Expr> roots = equations_;
  for (const auto& row : slopes_)
    for (const Slope& slope : row) roots.push_back(slope.value);
  PointValues values(graph_, roots);
  std::vector<double> x;
  for (const auto& [symbol, guess] : unknowns_) x.push_back(guess);

  Rows rows(equations_.size(), std::vector<double>(unknowns_.size()));
  // Residuals over the length of their gradients: distances, in scaled unknowns.
  const auto residuals_at = [&](const std::vector<double>& at) {
    for (std::size_t k = 0; k < at.size(); ++k) out.values[unknowns_[k].first] = at[k];
    values.evaluate(out.values);
    std::vector<double> made(equations_.size());
    for (std::size_t row = 0; row < made.size(); ++row) {
      double length = 0.0;
      for (const Slope& slope : slopes_[row])
        length = std::hypot(length, values[slope.value] * scale[slope.column]);
      made[row] = values[equations_[row]] / (length > 0.0 ? length : 1.0);
      std::fill(rows[row].begin(), rows[row].end(), 0.0);
      for (const Slope& slope : slopes_[row])
        rows[row][slope.column] =
            values[slope.value] * scale[slope.column] / (length > 0.0 ? length : 1.0);
    }
    return made;
  };
  std::vector<double> residuals = residuals_at(x);
  if (!std::isfinite(largest(residuals))) {
    // Something is divided by a guess that is 0.
    for (std::size_t k = 0; k < x.size(); ++k)
      if (x[k] == 0.0 && open_.contains(unknowns_[k].first)) x[k] = 1.0;
    residuals = residuals_at(x);
  }
  for (int k = 0; k < most_steps && largest(residuals) > 1e-13; ++k) {
    const std::vector<double> change = step(residuals, rows, 1e-14);
    const double before = largest(residuals);
    std::vector<double> next(x.size());
    double length = 1.0;
    for (; length > 1e-6; length *= 0.5) {
      for (std::size_t c = 0; c < x.size(); ++c) next[c] = x[c] + length * change[c] * scale[c];
      residuals = residuals_at(next);
      if (largest(residuals) < before) break;
    }
    if (length <= 1e-6) {
      residuals = residuals_at(x);
      break;
    }
    x = next;
  }
  out.residual = largest(residuals);
  out.converged = out.residual < 1e-9;
  return out;
}

}  // namespace takt::codegen::modelica
