#include "runtime/offline/jacobian_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace takt::offline {
namespace {

constexpr int points = 4;
constexpr double spread = 1e-3, shift = 1e-5, least = 1e-3;

/// First fit: a column joins the first group none of whose rows it has.
std::vector<std::vector<std::size_t>> grouped(const std::vector<std::set<std::size_t>>& columns) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::set<std::size_t>> taken;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto fits = [&](const std::set<std::size_t>& rows) {
      return std::none_of(columns[column].begin(), columns[column].end(),
                          [&](std::size_t row) { return rows.contains(row); });
    };
    const auto group = static_cast<std::size_t>(std::find_if(taken.begin(), taken.end(), fits) - taken.begin());
    if (group == taken.size()) taken.emplace_back(), groups.emplace_back();
    taken[group].insert(columns[column].begin(), columns[column].end());
    groups[group].push_back(column);
  }
  return groups;
}

}  // namespace

Pattern find_pattern(const System& system, double t, const double* z) {
  const std::size_t n = system.states, all = n + system.quadratures;
  std::vector<std::set<std::size_t>> columns(n);
  for (std::size_t column = 0; column < n; ++column) columns[column].insert(column);
  std::mt19937 random(1);  // fixed seed
  std::uniform_real_distribution<double> part(-spread, spread);
  std::vector<double> at(n), rate(all), moved(all);
  for (int point = 0; point < points; ++point) {
    for (std::size_t k = 0; k < n; ++k)
      at[k] = z[k] + (point > 0 ? part(random) : 0.0) * std::max(std::fabs(z[k]), least);
    for (std::size_t column = 0; column < n; ++column) {
      system.evaluate(system.self, t, 0.0, at.data(), rate.data(), rate.data() + n);
      const double kept = at[column];
      at[column] += shift * std::max(std::fabs(kept), least);
      system.evaluate(system.self, t, 0.0, at.data(), moved.data(), moved.data() + n);
      at[column] = kept;
      for (std::size_t row = 0; row < all; ++row)
        if (!(rate[row] == moved[row])) columns[column].insert(row);
    }
  }
  Pattern pattern;
  pattern.groups = grouped(columns);
  pattern.start.push_back(0);
  for (const std::set<std::size_t>& rows : columns) {
    pattern.row.insert(pattern.row.end(), rows.begin(), rows.end());
    pattern.start.push_back(static_cast<std::int64_t>(pattern.row.size()));
  }
  for (std::size_t column = n; column < all; ++column) {
    pattern.row.push_back(static_cast<std::int64_t>(column));
    pattern.start.push_back(static_cast<std::int64_t>(pattern.row.size()));
  }
  return pattern;
}

}  // namespace takt::offline
