#pragma once
// One subsystem as a step of runtime/solver sees it, its size known at run time: for the
// generator's trial runs, which take the very steps the emitted plant takes.

#include <any>
#include <cstddef>
#include <limits>
#include <vector>

#include "runtime/solver/sizes_at_run_time.hpp"
#include "runtime/solver/time_instants.hpp"

namespace takt::codegen {

class TrialSystem {
 public:
  static constexpr std::size_t state_count = at_run_time, quadrature_count = at_run_time;

  TrialSystem(std::size_t states, std::size_t quadratures);
  TrialSystem(const TrialSystem&) = delete;
  TrialSystem& operator=(const TrialSystem&) = delete;
  virtual ~TrialSystem() = default;

  [[nodiscard]] std::size_t states() const noexcept { return states_; }
  [[nodiscard]] std::size_t quadratures() const noexcept { return quadratures_; }

  // As runtime/solver/time_instants.hpp asks for: most have no such instants.
  Inside inside{};
  [[nodiscard]] virtual double next_instant(double /*t*/) const noexcept {
    return std::numeric_limits<double>::infinity();
  }

  std::vector<double> x, q;  ///< states; integrals over the last window. One entry at least

  /// As S::evaluate() of runtime/solver/explicit_rk.hpp.
  virtual void evaluate(double t, double s, const double* x, double* dx, double* dq) noexcept = 0;
  /// Of the last evaluation: d(rates)/dx, then d(integrands)/dx.  @param rows  [states +
  /// quadratures][states]
  virtual void jacobian(double* rows) noexcept = 0;

  // As runtime/solver/rosenbrock.hpp asks for.
  void linearise(double t, double s, const double* x, double* dx, double* dq) noexcept;
  void factor(double gh) noexcept;
  void solve(double* b) const noexcept;
  void quadrature_slopes(const double* k, double* dq) const noexcept;

  std::any kept;  ///< by a method, from window to window

  /// The last linearisation.
  [[nodiscard]] const std::vector<double>& rows() const noexcept { return rows_; }

 private:
  std::size_t states_, quadratures_;
  std::vector<double> rows_, lu_, factored_;  // factored_: the rates' rows that lu_ is of
  double factored_gh_ = 0.0;
};

}  // namespace takt::codegen
