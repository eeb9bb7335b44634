#include "codegen/reference/sparse_solver.hpp"

#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <stdexcept>

namespace takt::codegen {

SundialsContext::SundialsContext() {
  if (SUNContext_Create(nullptr, &value) != 0) throw std::runtime_error("SUNDIALS: no context");
}
SundialsContext::~SundialsContext() { SUNContext_Free(&value); }

Vector make_vector(std::size_t size, const SundialsContext& context) {
  Vector vector(N_VNew_Serial(static_cast<sunindextype>(size), context.value));
  if (!vector) throw std::bad_alloc();
  N_VConst(0.0, vector.get());
  return vector;
}

Matrix make_matrix(const SparseRows& rows, const SundialsContext& context) {
  const auto size = static_cast<sunindextype>(rows.column_start().size() - 1);
  Matrix matrix(SUNSparseMatrix(size, size, static_cast<sunindextype>(rows.row_index().size()),
                                CSC_MAT, context.value));
  if (!matrix) throw std::bad_alloc();
  fill(rows, std::vector<double>(rows.row_index().size(), 0.0), matrix.get());
  return matrix;
}

void fill(const SparseRows& rows, const std::vector<double>& data, SUNMatrix matrix) {
  std::copy(rows.column_start().begin(), rows.column_start().end(),
            SUNSparseMatrix_IndexPointers(matrix));
  std::copy(rows.row_index().begin(), rows.row_index().end(), SUNSparseMatrix_IndexValues(matrix));
  std::copy(data.begin(), data.end(), SUNSparseMatrix_Data(matrix));
}

std::optional<std::size_t> undetermined_column(SUNLinearSolver solver, std::size_t size) {
  const auto* common = SUNLinSol_KLUGetCommon(solver);
  if (common->singular_col < 0 || static_cast<std::size_t>(common->singular_col) >= size) return {};
  return static_cast<std::size_t>(common->singular_col);
}

SparseSolver::SparseSolver(const SparseRows& rows)
    : rows_(rows),
      side_(make_vector(rows.column_start().size() - 1, context_)),
      solution_(make_vector(rows.column_start().size() - 1, context_)),
      matrix_(make_matrix(rows, context_)) {}

bool SparseSolver::factorise(const std::vector<double>& data) {
  fill(rows_, data, matrix_.get());
  // With the pivots of the time before, unless these are too small now: KLU estimates the
  // condition.
  if (solver_ && SUNLinSolSetup(solver_.get(), matrix_.get()) == 0) return true;
  solver_.reset(SUNLinSol_KLU(side_.get(), matrix_.get(), context_.value));
  return solver_ && SUNLinSolInitialize(solver_.get()) == 0 &&
         SUNLinSolSetup(solver_.get(), matrix_.get()) == 0;
}

std::optional<std::size_t> SparseSolver::undetermined() const {
  if (!solver_) return {};
  return undetermined_column(solver_.get(), rows_.column_start().size() - 1);
}

void SparseSolver::solve(std::vector<double>& side) {
  std::copy(side.begin(), side.end(), N_VGetArrayPointer(side_.get()));
  SUNLinSolSolve(solver_.get(), matrix_.get(), solution_.get(), side_.get(), 0.0);
  const double* solution = N_VGetArrayPointer(solution_.get());
  std::copy(solution, solution + side.size(), side.begin());
}

}  // namespace takt::codegen
