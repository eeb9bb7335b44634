#include "codegen/modelica/least_change.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {
namespace {

using Rows = Eigen::MatrixXd;

constexpr double small = 1e-9;  ///< residual, over the length of its gradient

/// The smallest change for residuals of some rows. Rows that repeat others, as those of hidden
/// constraints do, have no part in the rank.
class SmallestChange {
 public:
  /// @param rows  the Jacobian, its columns scaled, its rows of length 1
  explicit SmallestChange(const Rows& rows) {
    constexpr double least_pivot = 1e-13;
    factors_.setThreshold(least_pivot);
    factors_.compute(rows);
  }
  [[nodiscard]] Eigen::VectorXd of(const Eigen::VectorXd& residuals) const {
    return -factors_.solve(residuals);
  }

 private:
  Eigen::CompleteOrthogonalDecomposition<Rows> factors_;
};

Eigen::Index index(std::size_t k) { return static_cast<Eigen::Index>(k); }

double largest(const Eigen::VectorXd& values) {
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
  const auto follow = [&] {
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
  };
  follow();
  for (const SymbolId symbol : wished_)
    if (open_.erase(symbol) > 0) follow();
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

PointValues LeastChange::point_values() const {
  std::vector<Expr> roots = equations_;
  for (const auto& row : slopes_)
    for (const Slope& slope : row) roots.push_back(slope.value);
  return {graph_, roots};
}

LeastChange::Solution LeastChange::solve(const std::unordered_map<SymbolId, double>& given) {
  if (unknowns_.size() > most_unknowns)
    return {.converged = false, .residual = INFINITY, .worst = 0, .values = given};
  differentiate();
  const auto guesses = unknowns_;
  const auto open = open_;
  propagate(given);
  Solution made = solve(given, sizes(given));
  if (made.converged) return made;
  // Other scales are another way: laws with kinks, such as those of diodes, end on some alone.
  std::vector<double> plain;
  for (const auto& [symbol, guess] : unknowns_) plain.push_back(1.0 + std::fabs(guess));
  Solution other = solve(given, plain);
  if (other.converged) return other;
  // And so are other guesses: what follows from what is known comes before what somebody wishes.
  unknowns_ = guesses;
  open_ = open;
  for (const auto& [symbol, guess] : guesses)
    if (open_.insert(symbol).second) wished_.push_back(symbol);
  propagate(given);
  other = solve(given, sizes(given));
  return other.converged ? other : made;
}

/// The point that a solution is sought from, and residuals there.
class LeastChange::Search {
 public:
  Search(const LeastChange& system, const std::unordered_map<SymbolId, double>& given,
         const std::vector<double>& scale)
      : system_(system), scale_(scale), at_(given), values_(system.point_values()) {
    for (const auto& [symbol, guess] : system.unknowns_) x_.push_back(guess);
    begun_ = x_;
    residuals_ = residuals_at(x_);
    if (std::isfinite(largest(residuals_))) return;
    // Something is divided by a guess that is 0.
    leave_zero([&](std::size_t k) { return in_what_is_no_number(k); });
    if (!std::isfinite(largest(residuals_)))
      leave_zero([&](std::size_t k) { return system_.open_.contains(system_.unknowns_[k].first); });
  }

  void move_to(const std::unordered_map<SymbolId, double>& values) {
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = values.at(system_.unknowns_[k].first);
    residuals_ = residuals_at(x_);
  }
  [[nodiscard]] const Rows& rows() const { return rows_; }

  /// Damped steps of smallest change. @return the largest residual is small
  bool approach() {
    constexpr int most_steps = 100;
    for (int k = 0; k < most_steps && largest(residuals_) > 1e-13; ++k) {
      const Eigen::VectorXd change = SmallestChange(rows_).of(residuals_);
      const double before = largest(residuals_);
      std::vector<double> next(x_.size());
      double length = 1.0;
      for (; length > 1e-6; length *= 0.5) {
        for (std::size_t c = 0; c < x_.size(); ++c)
          next[c] = x_[c] + length * change[index(c)] * scale_[c];
        residuals_ = residuals_at(next);
        if (largest(residuals_) < before) break;
      }
      if (length <= 1e-6) {
        residuals_ = residuals_at(x_);
        break;
      }
      x_ = next;
    }
    return largest(residuals_) < small;
  }

  /// Relations read whether something is 0: what has moved by rounding alone has not moved.
  void forget_rounding() {
    constexpr double rounding = 1e-13;
    const std::vector<double> found = x_;
    for (std::size_t k = 0; k < x_.size(); ++k)
      if (std::fabs(x_[k] - begun_[k]) <= rounding * scale_[k]) x_[k] = begun_[k];
    residuals_ = residuals_at(x_);
    if (largest(residuals_) < small) return;
    x_ = found;
    residuals_ = residuals_at(x_);
  }

  [[nodiscard]] Solution solution() const {
    Solution out{.converged = false, .residual = largest(residuals_), .values = at_};
    for (std::size_t row = 0; row < system_.equations_.size(); ++row)
      if (!(std::fabs(residuals_[index(row)]) < out.residual)) out.worst = row;
    out.converged = out.residual < small;
    return out;
  }

 private:
  template <class Which>
  void leave_zero(const Which& which) {
    std::vector<double> next = x_;
    for (std::size_t k = 0; k < x_.size(); ++k)
      if (x_[k] == 0.0 && which(k)) next[k] = 1.0;
    x_ = next;
    residuals_ = residuals_at(x_);
  }
  [[nodiscard]] bool in_what_is_no_number(std::size_t column) const {
    for (std::size_t row = 0; row < system_.equations_.size(); ++row)
      if (!std::isfinite(residuals_[index(row)]))
        for (const Slope& slope : system_.slopes_[row])
          if (slope.column == column) return true;
    return false;
  }

  /// Over the length of their gradients: distances, in scaled unknowns.
  Eigen::VectorXd residuals_at(const std::vector<double>& x) {
    for (std::size_t k = 0; k < x.size(); ++k) at_[system_.unknowns_[k].first] = x[k];
    values_.evaluate(at_);
    rows_ = Rows::Zero(index(system_.equations_.size()), index(x.size()));
    Eigen::VectorXd made(index(system_.equations_.size()));
    for (std::size_t row = 0; row < system_.equations_.size(); ++row) {
      const auto& slopes = system_.slopes_[row];
      double length = 0.0;
      for (const Slope& slope : slopes)
        length = std::hypot(length, values_[slope.value] * scale_[slope.column]);
      if (length == 0.0) length = 1.0;
      made[index(row)] = values_[system_.equations_[row]] / length;
      for (const Slope& slope : slopes)
        rows_(index(row), index(slope.column)) =
            values_[slope.value] * scale_[slope.column] / length;
    }
    return made;
  }

  const LeastChange& system_;
  const std::vector<double>& scale_;
  std::unordered_map<SymbolId, double> at_;
  PointValues values_;
  Rows rows_;
  std::vector<double> x_, begun_;
  Eigen::VectorXd residuals_;
};

LeastChange::Solution LeastChange::solve(const std::unordered_map<SymbolId, double>& given,
                                         const std::vector<double>& scale) const {
  Search search(*this, given, scale);
  if (search.approach()) search.forget_rounding();
  return search.solution();
}

std::set<SymbolId> LeastChange::open_at(const Solution& solution,
                                        const std::set<SymbolId>& asked) const {
  constexpr double smallest_share = 1e-4;
  std::vector<double> scale;
  for (const auto& [symbol, guess] : unknowns_)
    scale.push_back(1.0 + std::fabs(solution.values.at(symbol)));
  Search search(*this, solution.values, scale);
  search.move_to(solution.values);
  const SmallestChange change(search.rows());
  std::set<SymbolId> made;
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    if (!asked.contains(unknowns_[k].first)) continue;
    // What of a unit of this unknown the equations do not take back: its share of their null space.
    if (1.0 + change.of(search.rows().col(index(k)))[index(k)] > smallest_share)
      made.insert(unknowns_[k].first);
  }
  return made;
}

}  // namespace takt::codegen::modelica
