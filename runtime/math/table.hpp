#pragma once
// One-dimensional tables: linear interpolation between points, ends held.
//   y(x) = y[k] + (y[k+1] - y[k]) (x - x[k]) / (x[k+1] - x[k])   for x[k] <= x < x[k+1]
// The columns are the caller's (constant arrays of the emitted plant, or plant memory). A grid of equal distances is
// recognised when the view is made and then indexed directly; the interval found, and so every bit of the result, is
// the same either way.

#include <cstdint>

namespace takt::math {

struct TableView {
  const double* x = nullptr;  ///< [n], strictly increasing
  const double* y = nullptr;  ///< [n]
  std::uint32_t n = 0;        ///< >= 1
  double inverse_step = 0.0;  ///< 1/(x[k+1] - x[k]) of a uniform grid, else 0
};

/// 1/step where all points lie on a uniform grid within a quarter of its step, else 0.
/// (Direct indexing is corrected by at most one interval, which needs no more than that.)
[[nodiscard]] constexpr double uniform_inverse_step(const double* x, std::uint32_t n) noexcept {
  if (n < 3) return 0.0;
  const double step = (x[n - 1] - x[0]) / (n - 1);
  for (std::uint32_t k = 1; k + 1 < n; ++k) {
    const double off = x[k] - (x[0] + k * step);
    if (!(off < 0.25 * step && off > -0.25 * step)) return 0.0;
  }
  const double inverse = 1.0 / step;
  return inverse < 1e300 ? inverse : 0.0;
}

/// @pre n >= 1, x strictly increasing (the generator checks)
[[nodiscard]] constexpr TableView make_table_view(const double* x, const double* y, std::uint32_t n) noexcept {
  return {x, y, n, uniform_inverse_step(x, n)};
}

/// k with x[k] <= at < x[k+1], held to 0 .. n-2; any k for NaN. @pre n >= 2
/// Real-time: wait-free; at most 32 comparisons, two on a uniform grid.
[[nodiscard]] constexpr std::uint32_t interval(const TableView& table, double at) noexcept {
  const std::uint32_t last = table.n - 2;
  if (table.inverse_step > 0.0) {
    const double position = (at - table.x[0]) * table.inverse_step;
    std::uint32_t k = position > 0.0 ? (position < last ? static_cast<std::uint32_t>(position) : last) : 0;
    if (k > 0 && at < table.x[k]) --k;
    if (k < last && at >= table.x[k + 1]) ++k;
    return k;
  }
  std::uint32_t low = 0, high = last + 1;  // x[low] <= at < x[high], as far as the ends allow
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (at < table.x[middle] ? high : low) = middle;
  }
  return low;
}

/// Value of the table; NaN for NaN. Real-time: wait-free, bounded as interval().
[[nodiscard]] constexpr double lookup(const TableView& table, double at) noexcept {
  if (at <= table.x[0]) return table.y[0];
  if (at >= table.x[table.n - 1]) return table.y[table.n - 1];
  if (table.n < 2) return at;  // only NaN comes here
  const std::uint32_t k = interval(table, at);
  const double share = (at - table.x[k]) / (table.x[k + 1] - table.x[k]);
  return table.y[k] + (table.y[k + 1] - table.y[k]) * share;
}

/// Right-sided derivative of the table; 0 where an end is held. Real-time: wait-free, bounded as interval().
[[nodiscard]] constexpr double slope(const TableView& table, double at) noexcept {
  if (at < table.x[0] || at >= table.x[table.n - 1] || table.n < 2) return 0.0;
  const std::uint32_t k = interval(table, at);
  return (table.y[k + 1] - table.y[k]) / (table.x[k + 1] - table.x[k]);
}

}  // namespace takt::math
