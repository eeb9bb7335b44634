#pragma once
// Numbers of one linear block that is solved over tables, by the kernels that emitted code calls.

#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

/// A step of the way from right-hand sides to unknowns, both by their places: what is added to a
/// side, or, where `gives`, the unknown that a side gives.
struct TableOperation {
  std::uint32_t to = 0, from = 0;
  bool gives = false, from_unknown = false;
  double by = 0.0;
};

/// Life: solve(), then values() and operations() of what was solved.
class TableSolver {
 public:
  explicit TableSolver(const LinearTables& linear) : tables_(linear.tables) {}

  /// @param matrix, right  as in LinearTables
  void solve(const std::vector<double>& matrix, const std::vector<double>& right);
  [[nodiscard]] const std::vector<double>& values() const { return x_; }
  /// In order.
  [[nodiscard]] std::vector<TableOperation> operations() const;
  [[nodiscard]] std::size_t count() const { return 2 * tables_.entries(); }

 private:
  SparseTables tables_;
  std::vector<double> factors_, matrix_, x_, scratch_;
};

}  // namespace takt::codegen
