#pragma once
// Values and derivatives of many expressions by many unknowns, in compressed columns.

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/reference/tape.hpp"

namespace takt::codegen {

class SparseRows {
 public:
  /// @param varying  the unknowns first, then what else changes
  /// @param own      rows[k] has a place in column own[k] whatever it depends on
  SparseRows(Graph& graph, const std::vector<Expr>& rows, const std::vector<SymbolId>& varying,
             std::size_t unknowns, const std::vector<std::optional<std::size_t>>& own);

  /// See Tape.
  void set_fixed(SymbolId symbol, double value);
  void fix();

  void values(const std::vector<double>& varying, std::vector<double>& results) {
    values_.evaluate(varying, results);
  }
  /// Derivatives, in the order of row_index().
  void slopes(const std::vector<double>& varying, std::vector<double>& data);

  [[nodiscard]] const std::vector<std::int64_t>& column_start() const {
    return column_start_;
  }  ///< unknowns + 1
  [[nodiscard]] const std::vector<std::int64_t>& row_index() const { return row_index_; }
  /// Place in row_index() of row k, column own[k].
  [[nodiscard]] std::optional<std::size_t> own_place(std::size_t row) const {
    return own_place_[row];
  }

 private:
  Tape values_, slopes_;
  std::vector<double> raw_;
  std::vector<std::size_t> place_;  // of a slope
  std::vector<std::int64_t> column_start_, row_index_;
  std::vector<std::optional<std::size_t>> own_place_;

  struct Pattern;
  SparseRows(const Graph& graph, const std::vector<Expr>& rows,
             const std::vector<SymbolId>& varying, Pattern pattern);
  static Pattern differentiated(Graph& graph, const std::vector<Expr>& rows,
                                const std::vector<SymbolId>& varying, std::size_t unknowns,
                                const std::vector<std::optional<std::size_t>>& own);
};

}  // namespace takt::codegen
