#include "codegen/reference/sparse_rows.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace takt::codegen {

struct SparseRows::Pattern {
  std::vector<Expr> slopes;
  std::vector<std::size_t> place;
  std::vector<std::int64_t> column_start, row_index;
  std::vector<std::optional<std::size_t>> own_place;
};

SparseRows::Pattern SparseRows::differentiated(Graph& graph, const std::vector<Expr>& rows,
                                               const std::vector<SymbolId>& varying,
                                               std::size_t unknowns,
                                               const std::vector<std::optional<std::size_t>>& own) {
  std::unordered_map<SymbolId, std::size_t> column_of;
  for (std::size_t k = 0; k < unknowns; ++k) column_of.emplace(varying[k], k);
  std::vector<std::map<std::size_t, std::optional<Expr>>> columns(
      unknowns);  // row -> slope; none: own only
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (own[row]) columns[*own[row]].try_emplace(row);
    for (const SymbolId symbol : graph.symbols_of(rows[row])) {
      const auto column = column_of.find(symbol);
      if (column == column_of.end()) continue;
      const Expr slope = graph.differentiate(rows[row], symbol);
      if (!graph.is_constant(slope, 0.0)) columns[column->second][row] = slope;
    }
  }
  Pattern pattern;
  pattern.own_place.resize(rows.size());
  for (std::size_t column = 0; column < unknowns; ++column) {
    pattern.column_start.push_back(static_cast<std::int64_t>(pattern.row_index.size()));
    for (const auto& [row, slope] : columns[column]) {
      if (own[row] == column) pattern.own_place[row] = pattern.row_index.size();
      if (slope)
        pattern.slopes.push_back(*slope), pattern.place.push_back(pattern.row_index.size());
      pattern.row_index.push_back(static_cast<std::int64_t>(row));
    }
  }
  pattern.column_start.push_back(static_cast<std::int64_t>(pattern.row_index.size()));
  return pattern;
}

SparseRows::SparseRows(Graph& graph, const std::vector<Expr>& rows,
                       const std::vector<SymbolId>& varying, std::size_t unknowns,
                       const std::vector<std::optional<std::size_t>>& own)
    : SparseRows(graph, rows, varying, differentiated(graph, rows, varying, unknowns, own)) {}

SparseRows::SparseRows(const Graph& graph, const std::vector<Expr>& rows,
                       const std::vector<SymbolId>& varying, Pattern pattern)
    : values_(graph, rows, varying),
      slopes_(graph, pattern.slopes, varying),
      place_(std::move(pattern.place)),
      column_start_(std::move(pattern.column_start)),
      row_index_(std::move(pattern.row_index)),
      own_place_(std::move(pattern.own_place)) {}

void SparseRows::set_fixed(SymbolId symbol, double value) {
  values_.set_fixed(symbol, value);
  slopes_.set_fixed(symbol, value);
}

void SparseRows::fix() {
  values_.fix();
  slopes_.fix();
}

void SparseRows::slopes(const std::vector<double>& varying, std::vector<double>& data) {
  slopes_.evaluate(varying, raw_);
  data.assign(row_index_.size(), 0.0);
  for (std::size_t k = 0; k < raw_.size(); ++k) data[place_[k]] = raw_[k];
}

}  // namespace takt::codegen
