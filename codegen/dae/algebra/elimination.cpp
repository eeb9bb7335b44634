#include "codegen/dae/algebra/elimination.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace takt::codegen {

std::optional<LinearSystem> as_linear(Graph& graph, const std::vector<Expr>& residuals,
                                      const std::vector<SymbolId>& unknowns) {
  LinearSystem system;
  std::unordered_map<SymbolId, std::size_t> place;
  for (std::size_t column = 0; column < unknowns.size(); ++column) place.emplace(unknowns[column], column);
  for (const Expr residual : residuals) {
    std::vector<Expr> row(unknowns.size(), graph.zero());
    std::set<std::size_t> columns;
    for (const SymbolId symbol : graph.symbols_of(residual))
      if (const auto found = place.find(symbol); found != place.end()) columns.insert(found->second);
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

/// Whether an entry is zero while nothing flows, as the slope of a quadratic friction is: a poor pivot, since a plant
/// may stand still.
class Resting {
 public:
  explicit Resting(const Graph& graph) : graph_(graph) {}

  bool operator()(Expr entry) {
    const auto [known, fresh] = known_.try_emplace(entry, false);
    if (fresh)
      known->second = graph_.evaluate(entry, [&](SymbolId id) { return at_rest(graph_.symbol(id).unit); }) == 0.0;
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

/// Rows and columns of what is not zero.
class SparseMatrix {
 public:
  SparseMatrix(const Graph& graph, const std::vector<std::vector<Expr>>& dense)
      : graph_(graph),
        resting_(graph),
        rows_(dense.size()),
        columns_(dense.size()),
        row_done_(dense.size(), false),
        column_done_(dense.size(), false) {
    for (std::size_t row = 0; row < dense.size(); ++row)
      for (std::size_t column = 0; column < dense.size(); ++column) set(row, column, dense[row][column]);
  }

  void set(std::size_t row, std::size_t column, Expr value) {
    if (graph_.is_constant(value, 0.0)) {
      rows_[row].erase(column);
      columns_[column].erase(row);
    } else {
      rows_[row][column] = value;
      columns_[column].insert(row);
    }
  }
  /// Entries of a row in columns that have no pivot yet, and those that stood there when it became one.
  [[nodiscard]] const std::map<std::size_t, Expr>& row(std::size_t row) const { return rows_[row]; }
  /// Rows without a pivot that have an entry in the column.
  [[nodiscard]] const std::set<std::size_t>& column(std::size_t column) const { return columns_[column]; }

  /// The row keeps its entries; it counts no more.
  void take(const Pivot& pivot) {
    row_done_[pivot.row] = column_done_[pivot.column] = true;
    for (const auto& [column, value] : rows_[pivot.row]) columns_[column].erase(pivot.row);
  }
  /// Leaves the row's entry in a pivot's column behind.
  void drop(std::size_t row, std::size_t column) { rows_[row].erase(column); }

  /// Least (row count - 1) * (column count - 1) among the diagonal of what is left, else among all entries; entries
  /// that vanish at rest only where there are no others.
  [[nodiscard]] std::optional<Pivot> choose() {
    auto best = choose(false);
    return best ? best : choose(true);
  }

 private:
  [[nodiscard]] std::optional<Pivot> choose(bool resting) {
    std::optional<Pivot> best;
    std::size_t best_cost = 0;
    const auto consider = [&](std::size_t row, std::size_t column, Expr value) {
      const std::size_t cost = (rows_[row].size() - 1) * (columns_[column].size() - 1);
      if (best && cost >= best_cost) return;
      if (!resting && rows_.size() <= largest_judged && resting_(value)) return;
      best = Pivot{row, column}, best_cost = cost;
    };
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (!row_done_[k] && !column_done_[k])
        if (const auto entry = rows_[k].find(k); entry != rows_[k].end()) consider(k, k, entry->second);
    if (best) return best;
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (!row_done_[row])
        for (const auto& [column, value] : rows_[row]) consider(row, column, value);
    return best;
  }

  const Graph& graph_;
  Resting resting_;
  std::vector<std::map<std::size_t, Expr>> rows_;
  std::vector<std::set<std::size_t>> columns_;
  std::vector<bool> row_done_, column_done_;
};

}  // namespace

std::optional<std::vector<Expr>> eliminate(Graph& graph, LinearSystem system) {
  const std::size_t n = system.right.size();
  SparseMatrix matrix(graph, system.matrix);
  std::vector<Pivot> order;
  std::vector<Expr> inverse;
  for (std::size_t step = 0; step < n; ++step) {
    const auto pivot = matrix.choose();
    if (!pivot) return std::nullopt;
    matrix.take(*pivot);
    order.push_back(*pivot);
    const auto& pivot_row = matrix.row(pivot->row);
    inverse.push_back(graph.div(graph.one(), pivot_row.at(pivot->column)));
    const std::vector<std::size_t> below(matrix.column(pivot->column).begin(), matrix.column(pivot->column).end());
    for (const std::size_t row : below) {
      const Expr factor = graph.mul(matrix.row(row).at(pivot->column), inverse.back());
      matrix.drop(row, pivot->column);
      for (const auto& [column, entry] : pivot_row) {
        if (column == pivot->column) continue;
        const auto old = matrix.row(row).find(column);
        matrix.set(row, column,
                   graph.sub(old == matrix.row(row).end() ? graph.zero() : old->second, graph.mul(factor, entry)));
      }
      system.right[row] = graph.sub(system.right[row], graph.mul(factor, system.right[pivot->row]));
    }
  }
  std::vector<std::size_t> step_of(n);
  for (std::size_t step = 0; step < n; ++step) step_of[order[step].column] = step;
  std::vector<Expr> solution(n, graph.zero());
  for (std::size_t step = n; step-- > 0;) {
    const auto& row = matrix.row(order[step].row);
    std::vector<std::size_t> later;
    for (const auto& [column, entry] : row)
      if (step_of[column] > step) later.push_back(column);
    std::sort(later.begin(), later.end(), [&](std::size_t a, std::size_t b) { return step_of[a] < step_of[b]; });
    Expr sum = system.right[order[step].row];
    for (const std::size_t column : later) sum = graph.sub(sum, graph.mul(row.at(column), solution[column]));
    solution[order[step].column] = graph.mul(sum, inverse[step]);
  }
  return solution;
}

}  // namespace takt::codegen
