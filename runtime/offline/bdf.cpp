#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "runtime/offline/jacobian_pattern.hpp"
#include "runtime/offline/vectors.hpp"

namespace takt::offline {
namespace {

class Bdf final : public SolverBase {
 public:
  using SolverBase::SolverBase;
  ~Bdf() override {
    CVodeFree(&memory_);
    if (solver_ != nullptr) SUNLinSolFree(solver_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
  }

  void advance(const Window& window, double* x, double* q) noexcept override {
    const double end = enter(window, x);
    std::fill(y() + system_.states, y() + size(), 0.0);
    bool ok = true;
    if (memory_ == nullptr) {
      ok = create();
      std::copy(passed_.begin(), passed_.end(), y() + system_.states);
    }
    double reached = 0.0;
    ok = ok && CVodeSetStopTime(memory_, end) == 0 && CVode(memory_, end, y_, &reached, CV_NORMAL) >= 0;
    // It goes on with its own history, so quadratures grow from window to window.
    for (std::size_t k = 0; k < passed_.size(); ++k) {
      double& total = y()[system_.states + k];
      const double before = passed_[k];
      passed_[k] = total;
      total -= before;
    }
    leave(ok, x, q);
  }

 private:
  bool create() {
    constexpr int most_failures = 100;
    passed_.assign(system_.quadratures, 0.0);
    pattern_ = find_pattern(system_, begin_s_, y());
    memory_ = CVodeCreate(CV_BDF, context_);
    if (memory_ == nullptr || CVodeInit(memory_, &right_side, begin_s_, y_) != 0) return false;
    const auto n = static_cast<sunindextype>(size());
    matrix_ = SUNSparseMatrix(n, n, static_cast<sunindextype>(pattern_.row.size()), CSC_MAT, context_);
    solver_ = SUNLinSol_KLU(y_, matrix_, context_);
    CVodeSetUserData(memory_, static_cast<SolverBase*>(this));
    CVodeWFtolerances(memory_, &weights);
    CVodeSetLinearSolver(memory_, solver_, matrix_);
    CVodeSetJacFn(memory_, &jacobian);
    CVodeSetMaxNumSteps(memory_, -1);
    CVodeSetMaxErrTestFails(memory_, most_failures);
    CVodeSetMaxConvFails(memory_, most_failures);
    if (tolerance_.largest_step_s > 0.0) CVodeSetMaxStep(memory_, tolerance_.largest_step_s);
    return true;
  }

  /// Differences, columns of one group at once.
  static int jacobian(double t, N_Vector y, N_Vector rate, SUNMatrix matrix, void* base, N_Vector work,
                      N_Vector moved_rate, N_Vector) {
    auto& self = *static_cast<Bdf*>(static_cast<SolverBase*>(base));
    const Pattern& pattern = self.pattern_;
    sunindextype *starts = SUNSparseMatrix_IndexPointers(matrix), *rows = SUNSparseMatrix_IndexValues(matrix);
    std::copy(pattern.start.begin(), pattern.start.end(), starts);
    std::copy(pattern.row.begin(), pattern.row.end(), rows);
    double* value = SUNSparseMatrix_Data(matrix);
    const double *z = N_VGetArrayPointer(y), *f = N_VGetArrayPointer(rate);
    double *moved = N_VGetArrayPointer(work), *g = N_VGetArrayPointer(moved_rate);
    std::copy(z, z + self.size(), moved);
    for (const std::vector<std::size_t>& group : pattern.groups) {
      for (const std::size_t column : group) moved[column] += self.shift(column, z[column]);
      if (right_side(t, work, moved_rate, base) != 0) return 1;
      for (const std::size_t column : group) {
        const double by = moved[column] - z[column];
        for (auto k = static_cast<std::size_t>(pattern.start[column]);
             k < static_cast<std::size_t>(pattern.start[column + 1]); ++k) {
          const auto row = static_cast<std::size_t>(pattern.row[k]);
          value[k] = (g[row] - f[row]) / by;
        }
        moved[column] = z[column];
      }
    }
    for (std::size_t k = static_cast<std::size_t>(pattern.start[self.system_.states]); k < pattern.row.size(); ++k)
      value[k] = 0.0;  // of quadratures
    return 0;
  }

  [[nodiscard]] double shift(std::size_t state, double value) const {
    constexpr double part = 1e-7;
    return part * std::max(largest_[state], std::fabs(value));
  }

  void* memory_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  Pattern pattern_;
  std::vector<double> passed_;
};

}  // namespace

std::unique_ptr<Integrator> make_bdf(const System& system, const Tolerance& tolerance) {
  return std::make_unique<Bdf>(system, tolerance);
}

}  // namespace takt::offline
