#pragma once
// Sparse direct solution by KLU through SUNDIALS, and the SUNDIALS objects of a run with their
// owners.

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codegen/reference/sparse_rows.hpp"

namespace takt::codegen {

struct SundialsContext {
  SundialsContext();
  ~SundialsContext();
  SundialsContext(const SundialsContext&) = delete;
  SundialsContext& operator=(const SundialsContext&) = delete;
  SUNContext value = nullptr;
};

struct FreeVector {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct FreeMatrix {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, FreeVector>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix>;
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeSolver>;

[[nodiscard]] Vector make_vector(std::size_t size, const SundialsContext& context);
/// With the pattern of the rows, values zero.
[[nodiscard]] Matrix make_matrix(const SparseRows& rows, const SundialsContext& context);
/// Pattern and values into a matrix.
void fill(const SparseRows& rows, const std::vector<double>& data, SUNMatrix matrix);

/// Where the last setup of a KLU solver met a pivot of zero: the column of the matrix, whose
/// unknown is not determined by the equations, or only together with others. Empty: it did not.
[[nodiscard]] std::optional<std::size_t> undetermined_column(SUNLinearSolver solver,
                                                             std::size_t size);

class SparseSolver {
 public:
  explicit SparseSolver(const SparseRows& rows);
  /// @return false: singular
  [[nodiscard]] bool factorise(const std::vector<double>& data);
  /// After a factorise() that failed: undetermined_column().
  [[nodiscard]] std::optional<std::size_t> undetermined() const;
  /// The right side becomes the solution.
  void solve(std::vector<double>& side);

 private:
  const SparseRows& rows_;
  SundialsContext context_;
  Vector side_, solution_;
  Matrix matrix_;
  LinearSolver solver_;
};

}  // namespace takt::codegen
