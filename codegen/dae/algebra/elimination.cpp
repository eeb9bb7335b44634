#include "codegen/dae/algebra/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "codegen/dae/algebra/pivot_points.hpp"

namespace takt::codegen {

std::optional<LinearSystem> as_linear(Graph& graph, const std::vector<Expr>& residuals,
                                      const std::vector<SymbolId>& unknowns) {
  LinearSystem system;
  std::unordered_map<SymbolId, std::size_t> place;
  for (std::size_t column = 0; column < unknowns.size(); ++column)
    place.emplace(unknowns[column], column);
  for (const Expr residual : residuals) {
    std::vector<Expr> row(unknowns.size(), graph.zero());
    std::set<std::size_t> columns;
    for (const SymbolId symbol : graph.symbols_of(residual))
      if (const auto found = place.find(symbol); found != place.end())
        columns.insert(found->second);
    Expr rest = residual;
    for (const std::size_t column : columns) {
      Expr remainder{};
      if (!graph.split_linear(rest, unknowns[column], row[column], remainder)) return std::nullopt;
      for (const SymbolId symbol : graph.symbols_of(row[column]))
        if (place.contains(symbol)) return std::nullopt;
      rest = remainder;
    }
    system.matrix.push_back(std::move(row));
    system.right.push_back(graph.neg(rest));
  }
  return system;
}

namespace {

struct Pivot {
  std::size_t row, column;
};

/// Whether an entry is zero while nothing flows, as the slope of a quadratic friction is: a poor
/// pivot, since a plant may stand still.
class Resting {
 public:
  explicit Resting(const Graph& graph) : graph_(graph) {}

  bool operator()(Expr entry) {
    const auto [known, fresh] = known_.try_emplace(entry, false);
    if (fresh)
      known->second = graph_.evaluate(entry, [&](SymbolId id) {
        return at_rest(graph_.symbol(id).unit);
      }) == 0.0;
    return known->second;
  }

 private:
  static double at_rest(const std::string& unit) {
    for (const char* flow : {"kg/s", "A", "N", "N*m", "W"})
      if (unit == flow) return 0.0;
    if (unit == "K") return 300.0;
    return unit == "Pa" ? 1e5 : 1.25;
  }

  const Graph& graph_;
  std::unordered_map<Expr, bool> known_;
};

/// Larger systems come from linear networks, whose pivots are sums of conductances.
constexpr std::size_t largest_judged = 64;

/// Of its column, that a pivot must have.
constexpr double threshold = 0.1;

struct Entry {
  Expr value{};
  PointValues scaled{};  ///< rows and columns scaled so that the largest entries are 1
};

PointValues product(const PointValues& a, const PointValues& b) {
  PointValues result;
  for (std::size_t point = 0; point < pivot_points; ++point) result[point] = a[point] * b[point];
  return result;
}

/// Factors that make the largest entry of every row, then of every column, 1.
void scale(std::vector<std::map<std::size_t, Entry>>& rows) {
  const auto factor_of = [](double largest) {
    return largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
  };
  for (std::size_t point = 0; point < pivot_points; ++point) {
    std::vector<double> largest(rows.size(), 0.0);
    for (auto& row : rows) {
      double most = 0.0;
      for (const auto& [column, entry] : row) most = std::max(most, std::fabs(entry.scaled[point]));
      for (auto& [column, entry] : row) {
        entry.scaled[point] *= factor_of(most);
        largest[column] = std::max(largest[column], std::fabs(entry.scaled[point]));
      }
    }
    for (auto& row : rows)
      for (auto& [column, entry] : row) entry.scaled[point] *= factor_of(largest[column]);
  }
}

/// Rows and columns of what is not zero.
class SparseMatrix {
 public:
  using Row = std::map<std::size_t, Entry>;

  SparseMatrix(const Graph& graph, const LinearSystem& system, const KnownAtPivots& known)
      : graph_(graph),
        resting_(graph),
        rows_(system.right.size()),
        columns_(rows_.size()),
        row_done_(rows_.size(), false),
        column_done_(rows_.size(), false) {
    std::vector<Expr> values;
    for (const auto& row : system.matrix) values.insert(values.end(), row.begin(), row.end());
    const std::vector<PointValues> numbers = at_pivot_points(graph, values, known);
    for (std::size_t k = 0; k < values.size(); ++k)
      set(k / rows_.size(), k % rows_.size(), {values[k], numbers[k]});
    scale(rows_);
  }

  void set(std::size_t row, std::size_t column, const Entry& entry) {
    if (graph_.is_constant(entry.value, 0.0)) {
      rows_[row].erase(column);
      columns_[column].erase(row);
    } else {
      rows_[row][column] = entry;
      columns_[column].insert(row);
    }
  }
  /// Entries of a row in columns that have no pivot yet, and those that stood there when it became
  /// one.
  [[nodiscard]] const Row& row(std::size_t row) const { return rows_[row]; }
  /// Rows without a pivot that have an entry in the column.
  [[nodiscard]] const std::set<std::size_t>& column(std::size_t column) const {
    return columns_[column];
  }

  /// The row keeps its entries; it counts no more.
  void take(const Pivot& pivot) {
    row_done_[pivot.row] = column_done_[pivot.column] = true;
    for (const auto& [column, entry] : rows_[pivot.row]) columns_[column].erase(pivot.row);
  }
  /// Leaves the row's entry in a pivot's column behind.
  void drop(std::size_t row, std::size_t column) { rows_[row].erase(column); }

  /// Least (row count - 1) * (column count - 1) among the diagonal of what is left, else among all
  /// entries; entries that vanish at rest, or are small in their columns where that is asked for,
  /// only where there are no others.
  [[nodiscard]] std::optional<Pivot> choose(bool by_size) {
    if (by_size) {
      find_largest();
      for (const std::size_t first :
           {std::size_t{0}, std::size_t{1}}) {  // where all vanishes at rest, elsewhere
        const auto fits = [&](std::size_t column, const Entry& entry) {
          return is_large(column, entry, first);
        };
        if (const auto best = cheapest(fits)) return best;
      }
    }
    const auto moves = [&](std::size_t, const Entry& entry) {
      return rows_.size() > largest_judged || !resting_(entry.value);
    };
    const auto best = cheapest(moves);
    return best ? best : cheapest([](std::size_t, const Entry&) { return true; });
  }

 private:
  template <class Fits>
  [[nodiscard]] std::optional<Pivot> cheapest(const Fits& fits) {
    std::optional<Pivot> best;
    std::size_t best_cost = 0;
    const auto consider = [&](std::size_t row, std::size_t column, const Entry& entry) {
      const std::size_t cost = (rows_[row].size() - 1) * (columns_[column].size() - 1);
      if (best && cost >= best_cost) return;
      if (!fits(column, entry)) return;
      best = Pivot{row, column}, best_cost = cost;
    };
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (!row_done_[k] && !column_done_[k])
        if (const auto entry = rows_[k].find(k); entry != rows_[k].end())
          consider(k, k, entry->second);
    if (best) return best;
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (!row_done_[row])
        for (const auto& [column, entry] : rows_[row]) consider(row, column, entry);
    return best;
  }

  void find_largest() {
    largest_.assign(rows_.size(), {});
    for (std::size_t column = 0; column < rows_.size(); ++column) {
      if (column_done_[column]) continue;
      for (const std::size_t row : columns_[column])
        for (std::size_t point = 0; point < pivot_points; ++point)
          largest_[column][point] =
              std::max(largest_[column][point], std::fabs(rows_[row].at(column).scaled[point]));
    }
  }

  [[nodiscard]] bool is_large(std::size_t column, const Entry& entry,
                              std::size_t first_point) const {
    for (std::size_t point = first_point; point < pivot_points; ++point) {
      const double size = std::fabs(entry.scaled[point]);
      if (!(size > 0.0) || size < threshold * largest_[column][point]) return false;
    }
    return true;
  }

  const Graph& graph_;
  Resting resting_;
  std::vector<Row> rows_;
  std::vector<std::set<std::size_t>> columns_;
  std::vector<bool> row_done_, column_done_;
  std::vector<PointValues> largest_;  ///< of the columns, in rows without a pivot
};

/// One elimination.
class Elimination {
 public:
  Elimination(Graph& graph, const LinearSystem& system, const KnownAtPivots& known)
      : graph_(graph), matrix_(graph, system, known), right_(system.right) {
    growth_.fill(1.0);
  }

  /// @return false where no nonzero pivot is left
  [[nodiscard]] bool run(bool by_size) {
    for (std::size_t step = 0; step < right_.size(); ++step) {
      const auto pivot = matrix_.choose(by_size);
      if (!pivot) return false;
      matrix_.take(*pivot);
      order_.push_back(*pivot);
      remove(*pivot);
    }
    return true;
  }

  [[nodiscard]] std::vector<Expr> solution() {
    const std::size_t n = right_.size();
    std::vector<std::size_t> step_of(n);
    for (std::size_t step = 0; step < n; ++step) step_of[order_[step].column] = step;
    std::vector<Expr> solution(n, graph_.zero());
    for (std::size_t step = n; step-- > 0;) {
      const SparseMatrix::Row& row = matrix_.row(order_[step].row);
      std::vector<std::size_t> later;
      for (const auto& [column, entry] : row)
        if (step_of[column] > step) later.push_back(column);
      std::sort(later.begin(), later.end(),
                [&](std::size_t a, std::size_t b) { return step_of[a] < step_of[b]; });
      Expr sum = right_[order_[step].row];
      for (const std::size_t column : later)
        sum = graph_.sub(sum, graph_.mul(row.at(column).value, solution[column]));
      solution[order_[step].column] = graph_.mul(sum, inverse_[step]);
    }
    return solution;
  }

  /// At the worst point; at rest, where all may vanish, only if `rest` is asked for.
  [[nodiscard]] double growth(bool rest) const {
    return *std::max_element(growth_.begin() + (rest ? 0 : 1), growth_.end());
  }

 private:
  void remove(const Pivot& pivot) {
    const SparseMatrix::Row& pivot_row = matrix_.row(pivot.row);
    const Entry& at_pivot = pivot_row.at(pivot.column);
    inverse_.push_back(graph_.div(graph_.one(), at_pivot.value));
    const std::vector<std::size_t> below(matrix_.column(pivot.column).begin(),
                                         matrix_.column(pivot.column).end());
    for (const std::size_t row : below) {
      const Entry& old_pivot = matrix_.row(row).at(pivot.column);
      Entry factor{graph_.mul(old_pivot.value, inverse_.back()), old_pivot.scaled};
      for (std::size_t point = 0; point < pivot_points; ++point)
        factor.scaled[point] /= at_pivot.scaled[point];
      matrix_.drop(row, pivot.column);
      for (const auto& [column, entry] : pivot_row)
        if (column != pivot.column) subtract(row, column, factor, entry);
      right_[row] = graph_.sub(right_[row], graph_.mul(factor.value, right_[pivot.row]));
    }
  }

  void subtract(std::size_t row, std::size_t column, const Entry& factor, const Entry& entry) {
    const auto place = matrix_.row(row).find(column);
    const Entry old = place == matrix_.row(row).end() ? Entry{graph_.zero(), {}} : place->second;
    Entry fresh{graph_.sub(old.value, graph_.mul(factor.value, entry.value)),
                product(factor.scaled, entry.scaled)};
    for (std::size_t point = 0; point < pivot_points; ++point) {
      const double size = std::fabs(fresh.scaled[point]);
      if (size > growth_[point]) growth_[point] = size;
      if (std::isnan(size)) growth_[point] = HUGE_VAL;
      fresh.scaled[point] = old.scaled[point] - fresh.scaled[point];
    }
    matrix_.set(row, column, fresh);
  }

  Graph& graph_;
  SparseMatrix matrix_;
  std::vector<Expr> right_;
  std::vector<Pivot> order_;
  std::vector<Expr> inverse_;
  PointValues growth_{};
};

}  // namespace

std::optional<Eliminated> eliminate(Graph& graph, const LinearSystem& system,
                                    const KnownAtPivots& known, double harmless) {
  Elimination by_fill(graph, system, known);
  if (!by_fill.run(false)) return std::nullopt;
  const double moving = by_fill.growth(false), all = by_fill.growth(true);
  if (all <= harmless) return Eliminated{by_fill.solution(), moving};
  Elimination by_size(graph, system, known);
  if (!by_size.run(true)) return Eliminated{by_fill.solution(), moving};
  const bool better = moving > harmless
                          ? by_size.growth(false) < moving
                          : by_size.growth(false) <= harmless && by_size.growth(true) <= harmless;
  if (!better) return Eliminated{by_fill.solution(), moving};
  return Eliminated{by_size.solution(), by_size.growth(false)};
}

}  // namespace takt::codegen
