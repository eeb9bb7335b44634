#pragma once
// What both solvers share: vectors of states and quadratures, the right-hand side as SUNDIALS calls it, weights of
// errors.

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "runtime/offline/integrate.hpp"

namespace takt::offline {

class SolverBase : public Integrator {
 public:
  SolverBase(const System& system, const Tolerance& tolerance)
      : system_(system), tolerance_(tolerance), largest_(system.states, least) {
    if (SUNContext_Create(nullptr, &context_) != 0) throw std::bad_alloc();
    y_ = N_VNew_Serial(static_cast<sunindextype>(size()), context_);
    if (y_ == nullptr) throw std::bad_alloc();
  }
  ~SolverBase() override {
    N_VDestroy(y_);
    SUNContext_Free(&context_);
  }
  SolverBase(const SolverBase&) = delete;
  SolverBase& operator=(const SolverBase&) = delete;

 protected:
  static constexpr double least = 1e-3;  // magnitude below which a state counts as this, in its SI unit

  [[nodiscard]] std::size_t size() const { return system_.states + system_.quadratures; }
  [[nodiscard]] double* y() { return N_VGetArrayPointer(y_); }

  static int right_side(double t, N_Vector y, N_Vector rate, void* self) {
    auto& solver = *static_cast<SolverBase*>(self);
    double* result = N_VGetArrayPointer(rate);
    solver.system_.evaluate(solver.system_.self, t, t - solver.begin_s_, N_VGetArrayPointer(y), result,
                            result + solver.system_.states);
    const auto finite = [](double value) { return std::isfinite(value); };
    return std::all_of(result, result + solver.system_.states, finite) ? 0 : 1;  // 1: try a smaller step
  }

  /// 1/(relative * largest magnitude so far); 0 for quadratures.
  static int weights(N_Vector y, N_Vector result, void* self) {
    auto& solver = *static_cast<SolverBase*>(self);
    const double* value = N_VGetArrayPointer(y);
    double* weight = N_VGetArrayPointer(result);
    for (std::size_t k = 0; k < solver.size(); ++k)
      weight[k] = k < solver.system_.states
                      ? 1.0 / (solver.tolerance_.relative * std::max(solver.largest_[k], std::fabs(value[k])))
                      : 0.0;
    return 0;
  }

  /// @return end of the window, s
  double enter(const Window& window, const double* x) {
    begin_s_ = static_cast<double>(window.start_ns) / 1e9;
    for (std::size_t k = 0; k < system_.states; ++k) largest_[k] = std::max(largest_[k], std::fabs(x[k]));
    std::copy(x, x + system_.states, y());
    std::fill(y() + system_.states, y() + size(), 0.0);
    return static_cast<double>(window.start_ns + window.steps * window.step_ns) / 1e9;
  }

  void leave(bool ok, double* x, double* q) {
    std::copy(y(), y() + system_.states, x);
    std::copy(y() + system_.states, y() + size(), q);
    if (!ok) std::fill(x, x + system_.states, std::numeric_limits<double>::quiet_NaN());
  }

  System system_;
  Tolerance tolerance_;
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr;
  double begin_s_ = 0.0;
  std::vector<double> largest_;
};

}  // namespace takt::offline
