#include "codegen/dae/algebra/sparse_order.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "codegen/dae/algebra/own_pivots.hpp"

namespace takt::codegen {
namespace {

constexpr double threshold = 0.1;          ///< of its column, that a pivot must have
constexpr std::size_t lines_searched = 4;  ///< rows and columns with the fewest entries
constexpr std::size_t first_point = 1;     ///< at rest slopes may vanish

using Row = std::map<std::size_t, PointValues>;

/// Rows or columns by how many entries they have left.
class Counted {
 public:
  explicit Counted(std::size_t lines) : count_(lines, 0) {
    for (std::size_t line = 0; line < lines; ++line) order_.emplace(0, line);
  }
  void change(std::size_t line, std::size_t count) {
    if (order_.erase({count_[line], line}) != 0) order_.emplace(count, line);
    count_[line] = count;
  }
  void remove(std::size_t line) { order_.erase({count_[line], line}); }
  [[nodiscard]] std::size_t of(std::size_t line) const { return count_[line]; }
  [[nodiscard]] const std::set<std::pair<std::size_t, std::size_t>>& order() const {
    return order_;
  }

 private:
  std::vector<std::size_t> count_;
  std::set<std::pair<std::size_t, std::size_t>> order_;
};

struct Pivot {
  std::size_t row = 0, column = 0;
};

class Ordering {
 public:
  Ordering(std::size_t size, const std::vector<SparseEntry>& entries,
           const std::vector<PointValues>& values,
           const std::vector<std::optional<std::size_t>>& only)
      : only_(only),
        rows_(size),
        columns_(size),
        largest_(size),
        lower_(size),
        upper_(size),
        row_count_(size),
        column_count_(size) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      PointValues& value = rows_[entries[k].row][entries[k].column];
      value = values[k];
      columns_[entries[k].column][entries[k].row] = &value;
    }
    for (std::size_t point = first_point; point < pivot_points; ++point) scale(point);
    for (std::size_t line = 0; line < size; ++line) {
      row_count_.change(line, rows_[line].size());
      column_count_.change(line, columns_[line].size());
    }
  }

  [[nodiscard]] bool run() {
    for (std::size_t step = 0; step < rows_.size(); ++step) {
      const auto pivot = choose();
      if (!pivot) return false;
      pivots_.push_back(*pivot);
      eliminate(*pivot, step);
    }
    return true;
  }

  [[nodiscard]] SparseTables tables(const std::vector<SparseEntry>& entries) const {
    SparseTables tables;
    tables.growth = growth_;
    std::vector<std::uint32_t> step_of_row(rows_.size()), step_of_column(rows_.size());
    for (std::size_t step = 0; step < pivots_.size(); ++step) {
      step_of_row[pivots_[step].row] = static_cast<std::uint32_t>(step);
      step_of_column[pivots_[step].column] = static_cast<std::uint32_t>(step);
    }
    for (const Pivot& pivot : pivots_) {
      tables.row_start.push_back(static_cast<std::uint32_t>(tables.column.size()));
      tables.equation.push_back(static_cast<std::uint32_t>(pivot.row));
      tables.unknown.push_back(static_cast<std::uint32_t>(pivot.column));
      const auto& lower = lower_[pivot.row];
      tables.column.insert(tables.column.end(), lower.begin(), lower.end());
      tables.diagonal.push_back(static_cast<std::uint32_t>(tables.column.size()));
      std::vector<std::uint32_t> upper{step_of_column[pivot.column]};
      for (const std::size_t column : upper_[pivot.row]) upper.push_back(step_of_column[column]);
      std::sort(upper.begin(), upper.end());
      tables.column.insert(tables.column.end(), upper.begin(), upper.end());
    }
    tables.row_start.push_back(static_cast<std::uint32_t>(tables.column.size()));
    for (const SparseEntry& entry : entries) {
      const std::uint32_t row = step_of_row[entry.row];
      const auto begin = tables.column.begin() + tables.row_start[row],
                 end = tables.column.begin() + tables.row_start[row + 1];
      const auto found = std::lower_bound(begin, end, step_of_column[entry.column]);
      tables.place.push_back(static_cast<std::uint32_t>(found - tables.column.begin()));
    }
    return tables;
  }

 private:
  /// The largest entry of every row, then of every column, becomes 1.
  void scale(std::size_t point) {
    const auto factor_of = [](double largest) {
      return largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
    };
    std::vector<double> largest(rows_.size(), 0.0);
    for (Row& row : rows_) {
      double most = 0.0;
      for (const auto& [column, value] : row) most = std::max(most, std::fabs(value[point]));
      for (auto& [column, value] : row) {
        value[point] *= factor_of(most);
        largest[column] = std::max(largest[column], std::fabs(value[point]));
      }
    }
    for (Row& row : rows_)
      for (auto& [column, value] : row) value[point] *= factor_of(largest[column]);
  }

  /// Searched are the shortest lines, more where these have no entry that is large enough, and then
  /// all that is not zero.
  [[nodiscard]] std::optional<Pivot> choose() {
    for (const double share : {threshold, 0.0}) {
      Best best;
      std::size_t searched = 0;
      auto row = row_count_.order().begin();
      auto column = column_count_.order().begin();
      while (row != row_count_.order().end() || column != column_count_.order().end()) {
        const bool by_row = column == column_count_.order().end() ||
                            (row != row_count_.order().end() && row->first <= column->first);
        const std::size_t shortest = by_row ? row->first : column->first;
        if (best.found && (searched >= lines_searched ||
                           (shortest > 0 && best.cost <= (shortest - 1) * (shortest - 1))))
          break;
        if (by_row)
          for (const auto& [place, value] : rows_[row->second])
            consider({row->second, place}, value, share, best);
        else
          for (const auto& [place, value] : columns_[column->second])
            consider({place, column->second}, *value, share, best);
        ++searched;
        by_row ? ++row : ++column;
      }
      if (best.found) return best.pivot;
    }
    return std::nullopt;
  }

  struct Best {
    bool found = false;
    Pivot pivot;
    std::size_t cost = 0;
    double size = 0.0;
  };

  /// Equal cost: the larger one in its column.
  void consider(const Pivot& pivot, const PointValues& value, double share, Best& best) {
    const std::size_t cost = (row_count_.of(pivot.row) - 1) * (column_count_.of(pivot.column) - 1);
    if (best.found && cost > best.cost) return;
    if (pivot.row < only_.size() && only_[pivot.row].value_or(pivot.column) != pivot.column) return;
    const double size = size_in_column(pivot.column, value);
    if (!(size > 0.0) || size < share || (best.found && cost == best.cost && size <= best.size))
      return;
    best = {true, pivot, cost, size};
  }

  /// Share of the largest entry of the column, at the worst point.
  [[nodiscard]] double size_in_column(std::size_t column, const PointValues& value) {
    const PointValues& largest = largest_of(column);
    double least = 1.0;
    for (std::size_t point = first_point; point < pivot_points; ++point) {
      const double size = std::fabs(value[point]) / largest[point];
      least = std::isfinite(size) ? std::min(least, size) : 0.0;
    }
    return least;
  }

  /// Kept until the column changes.
  [[nodiscard]] const PointValues& largest_of(std::size_t column) {
    if (largest_[column]) return *largest_[column];
    PointValues& largest = largest_[column].emplace();
    for (const auto& [row, value] : columns_[column])
      for (std::size_t point = first_point; point < pivot_points; ++point)
        largest[point] = std::max(largest[point], std::fabs((*value)[point]));
    return largest;
  }

  void eliminate(const Pivot& pivot, std::size_t step) {
    row_count_.remove(pivot.row);
    column_count_.remove(pivot.column);
    const PointValues at_pivot = rows_[pivot.row].at(pivot.column);
    for (const auto& [column, value] : rows_[pivot.row]) {
      columns_[column].erase(pivot.row);
      largest_[column].reset();
      if (column == pivot.column) continue;
      column_count_.change(column, columns_[column].size());
      upper_[pivot.row].push_back(column);
    }
    for (const auto& [row, value] : columns_[pivot.column]) {
      PointValues factor = *value;
      for (std::size_t point = first_point; point < pivot_points; ++point)
        factor[point] /= at_pivot[point];
      rows_[row].erase(pivot.column);
      lower_[row].push_back(static_cast<std::uint32_t>(step));
      for (const auto& [column, upper] : rows_[pivot.row])
        if (column != pivot.column) subtract({row, column}, factor, upper);
      row_count_.change(row, rows_[row].size());
    }
    columns_[pivot.column].clear();
    rows_[pivot.row].clear();
  }

  void subtract(const Pivot& at, const PointValues& factor, const PointValues& upper) {
    const auto [place, fresh] = rows_[at.row].try_emplace(at.column, PointValues{});
    for (std::size_t point = first_point; point < pivot_points; ++point) {
      const double part = factor[point] * upper[point];
      growth_ = std::isnan(part) ? HUGE_VAL : std::max(growth_, std::fabs(part));
      place->second[point] -= part;
    }
    if (!fresh) return;
    columns_[at.column][at.row] = &place->second;
    column_count_.change(at.column, columns_[at.column].size());
  }

  const std::vector<std::optional<std::size_t>>& only_;
  std::vector<Row> rows_;                                     ///< what is left of them
  std::vector<std::map<std::size_t, PointValues*>> columns_;  ///< the same by columns, in `rows_`
  std::vector<std::optional<PointValues>> largest_;           ///< of each column, where it is known
  std::vector<std::vector<std::uint32_t>> lower_;  ///< by row: steps whose pivots were subtracted
  std::vector<std::vector<std::size_t>> upper_;    ///< by row: columns right of its pivot
  Counted row_count_, column_count_;
  std::vector<Pivot> pivots_;
  double growth_ = 1.0;
};

}  // namespace

std::optional<SparseTables> order_pivots(std::size_t size, const std::vector<SparseEntry>& entries,
                                         const std::vector<PointValues>& values,
                                         const std::vector<std::optional<std::size_t>>& only) {
  if (auto tables = order_own_pivots(entries, values, only)) return tables;
  Ordering ordering(size, entries, values, only);
  if (!ordering.run()) return std::nullopt;
  return ordering.tables(entries);
}

}  // namespace takt::codegen
