#include "codegen/reference/independent_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace takt::codegen {
namespace {

constexpr double enough_left =
    1e-8;  // of its length, that is left of a column without what others determine

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double length(const std::vector<double>& column) { return std::sqrt(dot(column, column)); }

/// Units of equations must not decide.
void scale_rows(std::vector<std::vector<double>>& columns, std::size_t rows) {
  std::vector<double> most(rows, 0.0);
  for (const auto& column : columns)
    for (std::size_t row = 0; row < rows; ++row)
      most[row] = std::max(most[row], std::fabs(column[row]));
  for (auto& column : columns)
    for (std::size_t row = 0; row < rows; ++row)
      column[row] = most[row] > 0.0 ? column[row] / most[row] : 0.0;
}

}  // namespace

/// Gram-Schmidt, modified.
std::optional<std::vector<std::size_t>> first_independent(std::vector<std::vector<double>> columns,
                                                          std::size_t rows) {
  scale_rows(columns, rows);
  std::vector<double> whole;
  for (const auto& column : columns) whole.push_back(length(column));
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < columns.size() && found.size() < rows; ++at) {
    const std::vector<double>& direction = columns[at];
    const double square = dot(direction, direction);
    if (!(std::sqrt(square) > enough_left * whole[at]) || !std::isfinite(square)) continue;
    found.push_back(at);
    for (std::size_t k = at + 1; k < columns.size(); ++k) {
      const double share = dot(direction, columns[k]) / square;
      for (std::size_t row = 0; share != 0.0 && row < rows; ++row)
        columns[k][row] -= share * direction[row];
    }
  }
  if (found.size() < rows) return std::nullopt;
  return found;
}

}  // namespace takt::codegen
